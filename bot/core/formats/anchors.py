"""Where a finding points: from `12-14` or a quotation to lines of a document, and whether two places overlap."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from bot.core.document import Document
from bot.core.words import plain

_LINES = re.compile(
    r"(?:(?P<path>\S+?)\s*[:,]\s*)?(?:lines?|L)?\s*(?P<first>\d{1,7})(?:\s*(?:-|–|to)\s*(?:L)?(?P<last>\d{1,7}))?",
    re.IGNORECASE,
)
_QUOTED = " \t\n\"'“”‘’`…."
FEWEST_LETTERS = 3
"""A shorter quotation stands everywhere, so it points nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Lines of one document."""

    document: int
    """Its place among the panel's documents; -1 for a file that is none of them, whose path is in `path`."""
    first: int
    last: int
    path: str = ""

    def overlaps(self, other: "Spot") -> bool:
        same = (self.document, self.path) == (other.document, other.path)
        return same and self.first <= other.last and other.first <= self.last


@lru_cache(maxsize=1024)
def spot_of(anchor: str, documents: tuple[Document, ...]) -> Spot | None:
    """The lines that an anchor means; None where they, or the words, do not stand in the documents.

    A path in front of lines (`src/app.py:12-14`) may name a file below a directory; its lines are not looked at.
    """
    if found := _LINES.fullmatch(" ".join(anchor.split()).strip(_QUOTED)):
        return _lines(found, documents)
    return _quoted(anchor, documents)


def where(anchor: str, documents: tuple[Document, ...]) -> str:
    """An anchor as it is said: `lines 12–14`, or the quotation with its lines where it stands in a document."""
    bare = " ".join(anchor.split()).strip(_QUOTED)
    spot = spot_of(anchor, documents)
    lines = ""
    if spot:
        lines = f"line {spot.first}" if spot.first == spot.last else f"lines {spot.first}–{spot.last}"
        title = spot.path or (documents[spot.document].title if len(documents) > 1 else "")
        lines = f"{lines} of {title}" if title else lines
    if _LINES.fullmatch(bare):
        return lines or bare
    return f"“{bare}” ({lines})" if lines else f"“{bare}”"


def same_spot(one: str, other: str, documents: tuple[Document, ...]) -> bool:
    """Whether two anchors overlap; words that stand nowhere overlap where one holds the other."""
    here, there = spot_of(one, documents), spot_of(other, documents)
    if here and there:
        return here.overlaps(there)
    if here or there:
        return False
    left, right = plain(one).strip(_QUOTED).casefold(), plain(other).strip(_QUOTED).casefold()
    return bool(left) and bool(right) and (left in right or right in left)


def _lines(found: re.Match[str], documents: tuple[Document, ...]) -> Spot | None:
    first = int(found["first"])
    last = int(found["last"] or first)
    if last < first:
        return None
    path = (found["path"] or "").strip("`'\"").removeprefix("./")
    if path:
        named = [i for i, d in enumerate(documents) if path in (d.title, d.path, d.key) or d.path.endswith(f"/{path}")]
        if not named:
            inside = any(document.kind in ("directory", "diff") for document in documents)
            return Spot(document=-1, first=first, last=last, path=path) if inside else None
        candidates = named
    else:
        candidates = list(range(len(documents)))
    for index in candidates:
        document = documents[index]
        if document.first_line <= first and last < document.first_line + len(document.lines):
            return Spot(document=index, first=first, last=last)
    return None


def _quoted(anchor: str, documents: tuple[Document, ...]) -> Spot | None:
    wanted = plain(anchor).strip(_QUOTED)
    if len(wanted) < FEWEST_LETTERS:
        return None
    for index, document in enumerate(documents):
        flat, starts = _flat(document)
        at = flat.find(wanted)
        if at >= 0:
            first = _line_at(starts, at)
            last = _line_at(starts, at + len(wanted) - 1)
            return Spot(document=index, first=document.first_line + first, last=document.first_line + last)
    return None


@lru_cache(maxsize=32)
def _flat(document: Document) -> tuple[str, tuple[int, ...]]:
    """The document as `plain` text, single blanks between lines, and where each of its lines starts in that."""
    starts: list[int] = []
    pieces: list[str] = []
    size = 0
    for line in document.lines:
        starts.append(size)
        bare = plain(line)
        if bare:
            pieces.append(bare)
            size += len(bare) + 1
    return " ".join(pieces), tuple(starts)


def _line_at(starts: tuple[int, ...], at: int) -> int:
    """The 0-based line in which that character stands; an empty line starts where the next one does."""
    return bisect_right(starts, at) - 1
