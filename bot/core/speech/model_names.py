"""What people call models: aliases, ids, `provider:id`; and which model a seat gets. Pure."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.core.errors import NoModel
from bot.core.model import ModelId
from bot.core.persona import Persona

PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}")
"""What a model id may look like."""
VENDOR_ALIASES = {"opus": "strongest", "sonnet": "balanced", "haiku": "fast"}
TIERS = ("strongest", "balanced", "fast")
INHERIT = ("", "inherit")
REHEARSAL = "rehearsal"
DEFAULT_TIERS = {"strongest": "claude-opus-5-5", "balanced": "claude-sonnet-5-5", "fast": "claude-haiku-5-5"}
"""The vendor's current classes; settings say otherwise."""
DEFAULT = "balanced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """How this deployment reads the names of models."""

    providers: tuple[str, ...]
    """Configured ones; the first is meant where a name has none."""
    tiers: Mapping[str, str]
    """`strongest`, `balanced`, `fast` → id or `provider:id`."""
    default: str = DEFAULT
    """For personas that name none: an alias, an id, or `provider:id`."""

    def id_of(self, name: str) -> ModelId:
        """The model that a name means. Raises NoModel for a provider that is not configured or a malformed id."""
        wanted = name.strip()
        if wanted in INHERIT:
            wanted = self.default if self.default not in INHERIT else DEFAULT
        tier = VENDOR_ALIASES.get(wanted, wanted)
        if tier in TIERS:
            # What a server lists is its own affair: local ones list paths.
            return self._parsed(self.tiers.get(tier) or DEFAULT_TIERS[tier])
        if not PATTERN.fullmatch(wanted):
            raise NoModel(f"{wanted!r} is no model: give an alias ({', '.join(TIERS)}), an id, or provider:id")
        return self._parsed(wanted)

    def _parsed(self, wanted: str) -> ModelId:
        if wanted == REHEARSAL:
            return ModelId(provider=REHEARSAL, name=REHEARSAL)
        provider, colon, name = wanted.partition(":")
        if colon and name and provider in KNOWN_PROVIDERS:
            if provider not in self.providers:
                raise NoModel(f"the model {wanted!r} needs the provider {provider}, {REMEDIES[provider]}")
            return ModelId(provider=provider, name=name)
        if not self.providers:
            raise NoModel(NOTHING_CONFIGURED)
        return ModelId(provider=self.providers[0], name=wanted)


KNOWN_PROVIDERS = ("anthropic", "openai", REHEARSAL)
REMEDIES = {
    "anthropic": "which is not configured: set ANTHROPIC_API_KEY",
    "openai": "which is not configured: set PANELIST_OPENAI_BASE_URL and install the extra `openai`",
    REHEARSAL: "which is used only when it is named: --model rehearsal or PANELIST_MODEL=rehearsal",
}
NOTHING_CONFIGURED = (
    "no model is configured: set ANTHROPIC_API_KEY (or PANELIST_OPENAI_BASE_URL), or use --model rehearsal, "
    "which tries the product out without any AI"
)


def tiers_of(settings: Mapping[str, str], *, custom_base_url: bool, listed: tuple[str, ...]) -> dict[str, str]:
    """The ids behind the aliases: the settings', else the vendor's; with a custom base URL its first listed model.

    Where a server of one's own lists nothing, the vendor's ids stand, and nothing is checked.
    """
    usual = dict.fromkeys(TIERS, listed[0]) if custom_base_url and listed else DEFAULT_TIERS
    return {tier: settings.get(tier) or usual[tier] for tier in TIERS}


def model_of(persona: Persona, naming: Naming, *, format_name: str, forced: str = "") -> ModelId:
    """The model that a persona speaks with.

    `forced` is what `--model` or `PANELIST_MODEL` names: `rehearsal` there replaces every persona's model; any other
    model is the default, which `naming` holds. In a review a `domain-expert` without a model, or with an alias of the
    strongest tier, gets the strongest; others get what they declare. Raises NoModel.
    """
    if forced == REHEARSAL:
        return ModelId(provider=REHEARSAL, name=REHEARSAL)
    declared = persona.model.strip()
    if format_name == "review" and persona.tier == "domain-expert" and declared in ("", "strongest", "opus"):
        return naming.id_of("strongest")
    return naming.id_of(declared)


def checked(model: ModelId, listed: tuple[str, ...]) -> ModelId:
    """The same model, once it stands in its provider's list; an empty list checks nothing. Raises NoModel."""
    if listed and model.name not in listed:
        raise NoModel(f"{model.provider} has no model {model.name!r}; {near(model.name, listed)}")
    return model


def near(name: str, listed: tuple[str, ...]) -> str:
    """In words: the listed ids that come close to a name, else the first ones."""
    close = difflib.get_close_matches(name, listed, n=3, cutoff=0.5)
    return f"near it: {', '.join(close)}" if close else f"it lists: {', '.join(listed[:5])}"
