"""What a model can do, as the service's list of models tells it, and what its name tells where there is no list."""

import re
from dataclasses import dataclass

from anthropic.types import ModelInfo

SYSTEM_TAIL = re.compile(r"claude-(?:opus-(?:4-8|[5-9])|(?:sonnet|fable|mythos)-[5-9]|haiku-5-5)(?:-|$)")
"""Models that take a `system` message after the last user message; no list tells it.
https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """One model's limits and abilities; what nobody tells is not used."""

    max_input_tokens: int | None = None
    max_tokens: int | None = None
    low_effort: bool = False
    structured: bool = False
    """`output_config.format` is enforced."""
    system_tail: bool = False


def by_name(model: str) -> Abilities:
    """What the name alone tells."""
    return Abilities(system_tail=bool(SYSTEM_TAIL.match(model)))


def from_list(info: ModelInfo) -> Abilities:
    """What the service's list tells; servers that copy the API leave much of it out."""
    told = getattr(info, "capabilities", None)
    return Abilities(
        max_input_tokens=getattr(info, "max_input_tokens", None),
        max_tokens=getattr(info, "max_tokens", None),
        low_effort=bool(told and told.effort.supported and told.effort.low.supported),
        structured=bool(told and told.structured_outputs.supported),
        system_tail=by_name(info.id).system_tail,
    )
