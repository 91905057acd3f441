"""What the desk shows of personas: the list with levels, shadows and failures; one persona; its history."""

from datetime import UTC, datetime

from bot.core.persona import Note, Persona
from bot.core.shown import shown
from bot.core.starting.catalog import Catalog, summary
from bot.core.words import shortened

PAGE = 40
"""Personas in one answer."""
FAULTS_SHOWN = 5
DESCRIBED = 25
"""Words of a description in the list."""

Version = tuple[int, float, str, str | None]
"""As the shelf's history has it: number, time, author, value."""

LEVELS = {"workspace": "this workspace", "deployment": "this installation", "bundled": "bundled"}
THE_ONE = {"workspace": "this workspace's", "deployment": "this installation's", "bundled": "the bundled one"}
"""A level → the persona that it holds under some name, in a sentence."""


def list_text(catalog: Catalog, query: str) -> str:
    """The personas with their level, what they shadow, and what failed to load; `query` is a page or a word."""
    page = int(query) if query.isascii() and query.isdigit() and len(query) < 4 else 1
    wanted = "" if query.isascii() and query.isdigit() else query.casefold()
    rows = [persona for persona in catalog.personas if wanted in _searched(persona)]
    pages = max(1, -(-len(rows) // PAGE))
    page = min(max(page, 1), pages)
    lines = [_line(persona, catalog) for persona in rows[(page - 1) * PAGE : page * PAGE]]
    if not rows:
        lines = [f"No persona has “{shown(query, 40)}” in its name, tags or description."]
    if pages > 1:
        lines += [
            "",
            f"Page {page} of {pages}; `persona list {page % pages + 1}` shows another, `persona list WORD` some.",
        ]
    if page == 1:
        lines += _failed(catalog)
    return "\n".join([*lines, "", f"{summary(catalog)}."])


def persona_text_shown(persona: Persona, catalog: Catalog, words: int) -> str:
    """One persona: what it is, where it comes from, its notes, and the first so many words of its document."""
    facts = [f"from {LEVELS[persona.level]}", f"tier {persona.tier}", f"version {shown(persona.version, 40)}"]
    facts += [f"tags {', '.join(persona.tags)}"] if persona.tags else []
    facts += [f"model {persona.model}"] if persona.model else []
    facts += [f"variants {', '.join(sorted(persona.variants))}"] if persona.variants else []
    facts += _shadows(persona, catalog)
    lines = [f"{persona.emoji} **{persona.name}** (`{persona.short_name}`): {persona.description}"]
    lines += ["", f"_{'; '.join(facts)}_", "", shortened(persona.body, words)]
    if persona.notes:
        lines += ["", "**Notes**", "", *notes_lines(persona.notes)]
    return "\n".join(lines)


def notes_lines(notes: tuple[Note, ...]) -> list[str]:
    """One line a note."""
    return [f"- `{note.id}` {note.added[:10]}: {' '.join(note.text.split())}" for note in notes]


def history_text(name: str, versions: tuple[Version, ...]) -> str:
    """Who changed it when, the newest first."""
    lines = [
        f"- {number}: {day_and_time(at)} UTC by {shown(author, 80)}, "
        + (f"{len(value):,} characters" if value else "removed")
        for number, at, author, value in versions[:PAGE]
    ]
    more = len(versions) - PAGE
    lines += [f"- and {more} earlier ones"] if more > 0 else []
    return "\n".join([*lines, "", f"`persona restore {name} NUMBER` brings one back."])


def day_and_time(at: float) -> str:
    """`2026-05-03 14:02`, in UTC."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"


def _line(persona: Persona, catalog: Catalog) -> str:
    level = "; ".join([LEVELS[persona.level], *_shadows(persona, catalog)])
    name = f"{persona.emoji} **{persona.name}** (`{persona.short_name}`, {level})"
    return f"- {name}: {shortened(persona.description, DESCRIBED)}"


def _shadows(persona: Persona, catalog: Catalog) -> list[str]:
    hidden = [THE_ONE[p.level] for p in catalog.shadowed if p.short_name == persona.short_name]
    return [f"in place of {' and '.join(hidden)}"] if hidden else []


def _failed(catalog: Catalog) -> list[str]:
    if not catalog.failed:
        return []
    lines = ["", "**Failed to load**", ""]
    for failed in catalog.failed[:PAGE]:
        lines += [f"- {fault}" for fault in failed.faults[:FAULTS_SHOWN]]
        more = len(failed.faults) - FAULTS_SHOWN
        lines += [f"- {failed.file}: and {more} more faults"] if more > 0 else []
    return lines


def _searched(persona: Persona) -> str:
    return " ".join((persona.short_name, persona.name, persona.description, persona.level, *persona.tags)).casefold()
