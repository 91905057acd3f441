"""A persona's document cut at its headings, and the text of a persona as prompts carry it."""

import re
from dataclasses import dataclass

from bot.core.persona import Persona

CUES = "cues"
"""Heading of the section that only the rehearsal reads."""

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading with everything below it, down to the next heading of any depth."""

    depth: int
    """Number of `#`; 0 for the text before the first heading."""
    title: str
    heading: str
    """The heading line as it stands; empty for depth 0."""
    lines: tuple[str, ...]
    """What stands below it."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def whole(self) -> str:
        """With its heading, as it stands in the document."""
        return "\n".join((self.heading, *self.lines) if self.depth else self.lines)


def sections(document: str) -> tuple[Section, ...]:
    """The document's parts in order; headings inside code fences are text."""
    parts: list[Section] = []
    depth, title, heading, lines = 0, "", "", list[str]()
    fence = ""
    for line in document.split("\n"):
        fence = _fence_after(line, fence)
        found = None if fence else _HEADING.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        parts.append(Section(depth=depth, title=title, heading=heading, lines=tuple(lines)))
        depth, title, heading, lines = len(found[1]), found[2], line, []
    parts.append(Section(depth=depth, title=title, heading=heading, lines=tuple(lines)))
    return tuple(part for part in parts if part.depth or part.text.strip())


def section(document: str, title: str) -> str | None:
    """The text below the first heading of that title (any case), deeper headings included; None without one."""
    taken: list[str] | None = None
    depth = 0
    for part in sections(document):
        if taken is None:
            if part.depth and part.title.casefold() == title:
                taken, depth = [part.text], part.depth
        elif part.depth <= depth:
            break
        else:
            taken.append(part.whole)
    return None if taken is None else "\n".join(taken).strip("\n")


def without_section(document: str, title: str) -> str:
    """The document without the heading of that title and all that stands under it."""
    kept: list[str] = []
    dropped = 0
    for part in sections(document):
        if dropped and (not part.depth or part.depth > dropped):
            continue
        dropped = part.depth if part.depth and part.title.casefold() == title else 0
        if not dropped:
            kept.append(part.whole)
    return "\n".join(kept).strip("\n")


def persona_text(persona: Persona) -> str:
    """What a prompt says about a persona: its document without the cues, its criteria, its notes with their dates."""
    parts = [without_section(persona.body, CUES)]
    if persona.evaluation_criteria:
        parts += ["What you evaluate:\n" + "\n".join(f"- {line}" for line in persona.evaluation_criteria)]
    if persona.notes:
        dated = sorted(persona.notes, key=lambda note: note.added)
        lines = (f"- {note.added[:10]}: {_indented(note.text)}" for note in dated)
        parts += ["Notes that you were given:\n" + "\n".join(lines)]
    return "\n\n".join(parts)


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n  ")


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after this line; empty where none is."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1][0] == fence[0] and len(found[1]) >= len(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence
