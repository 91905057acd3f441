"""A persona: who speaks, from which file or store level it came, and its hash for the record."""

import hashlib
import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

HOST = "host"
"""The short name of the bot's own neutral voice: card, synthesis, notices."""

TIERS = ("domain-expert", "buyer-persona", "auditor", "compliance", "reviewer", "custom")

Level = Literal["workspace", "deployment", "bundled"]


class Note(BaseModel):
    """A dated note that stands between the persona's document and the instructions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    text: str
    added: str
    """ISO date, as it was written."""


class Persona(BaseModel):
    """One persona as it was loaded; a panel keeps its own copy, so that later edits change no running panel."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    short_name: str
    name: str
    description: str = ""
    tier: str = "custom"
    version: str = "1"
    tags: tuple[str, ...] = ()
    model: str = ""
    """As declared: an alias, a model id, `provider:model`; empty means the catalog's default."""
    emoji: str = "🗣️"
    image: str = ""
    """A file name beside the persona, or empty."""
    color: str = ""
    evaluation_criteria: tuple[str, ...] = ()
    output_contract: dict[str, Any] | None = None
    cues: tuple[str, ...] = ()
    """What the rehearsal listens for, as `! phrase, phrase → remark`; no prompt has them. See `bot.core.cues`."""
    body: str
    """The persona document, Markdown, LF line ends, sources left out."""
    notes: tuple[Note, ...] = ()
    variants: dict[str, str] = {}
    """Variant name → that variant's body."""
    level: Level = "bundled"
    origin: str = ""
    """The file's name within its catalog, for messages."""
    extra: dict[str, Any] = {}
    """Front-matter keys of foreign forms that we do not know; kept, and listed by `personas check`."""
    front_matter: dict[str, Any] = {}
    """As parsed, for the hash and for export."""

    def variant(self, name: str | None) -> "Persona":
        """This persona with the named variant's body, or itself where it has none of that name."""
        if not name or name not in self.variants:
            return self
        return self.model_copy(update={"body": self.variants[name]})

    def prompt_hash(self, model: str) -> str:
        """SHA-256 (hex) over front matter (keys sorted, JSON), body (LF) and the model that speaks."""
        front = json.dumps(self.front_matter, sort_keys=True, ensure_ascii=False, default=str)
        material = "\n".join((front, self.body.replace("\r\n", "\n"), model))
        return hashlib.sha256(material.encode()).hexdigest()


def named(query: str, cast: tuple[Persona, ...]) -> tuple[Persona, ...]:
    """The personas that the words may mean: an exact short or display name wins alone, else every unique part match."""
    wanted = " ".join(query.casefold().strip().lstrip("@").split())
    if not wanted:
        return ()
    exact = tuple(p for p in cast if wanted in (p.short_name, p.name.casefold()))
    if exact:
        return exact
    slug = wanted.replace(" ", "-")
    return tuple(p for p in cast if slug in p.short_name or wanted in p.name.casefold())
