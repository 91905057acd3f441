"""A target as sentences that can be quoted, each with its line."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from bot.core.document import Document
from bot.core.words import sentences, words

LEAST_WORDS, MOST_WORDS = 5, 30
LONGEST_LINE = 200
"""Characters of a line that is quoted as it stands."""
FEW = 3
"""A document with fewer sentences than this is quoted line by line: code, a table, a list of words."""

_RULE = re.compile(r"\s*([=\-~^`#*+_.:|])\1{2,}\s*$")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_DIRECTIVE = re.compile(r"\s*(?:\.\. |:\w+:|\.\.$)")
_MARKED_UP = re.compile(r"``|:\w+:`|<[a-z/!]|\]\(")
"""Markup that would stand in a quotation as noise."""
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ENDED = re.compile(r"[.!?…:;。！？][)\"'”’*_`]*$")
_OPEN_END = " ,;:–—-("
"""Not the end of a quotation."""
_CLAUSE = re.compile(r"(?<=[,;:–—])\s+|\s+(?=\()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A sentence of a target, word for word but for its line breaks."""

    text: str
    line: int
    last_line: int
    title: str
    """Of its document."""

    @property
    def where(self) -> str:
        """`line 12` or `lines 12–14`."""
        return f"line {self.line}" if self.line == self.last_line else f"lines {self.line}–{self.last_line}"


def passages(document: Document) -> tuple[Passage, ...]:
    """The quotable sentences of a document in order."""
    prose = tuple(p for block in _blocks(document.lines) for p in _sentences(document, block))
    return prose if len(prose) >= FEW else tuple(single_lines(document))


def excerpt(text: str, phrase: str) -> str:
    """The part of a sentence around a phrase, word for word, of at most about thirty words."""
    if words(text) <= MOST_WORDS:
        return text.rstrip(_OPEN_END)
    pieces = _CLAUSE.split(text)
    home = next((i for i, piece in enumerate(pieces) if phrase in piece.lower()), 0)
    first = last = home
    while words(" ".join(pieces[first : last + 2])) <= MOST_WORDS and last + 1 < len(pieces):
        last += 1
    while first and words(" ".join(pieces[first - 1 : last + 1])) <= MOST_WORDS:
        first -= 1
    kept = " ".join(pieces[first : last + 1])
    return (kept if words(kept) <= MOST_WORDS else _around(kept, phrase)).rstrip(_OPEN_END)


def _around(text: str, phrase: str) -> str:
    """Thirty words with the phrase among them, where no clause is short enough."""
    at = max(0, text.lower().find(phrase))
    before = len(text[:at].split())
    start = max(0, before - MOST_WORDS // 2)
    return " ".join(text.split()[start : start + MOST_WORDS])


def _blocks(lines: list[str]) -> Iterator[list[tuple[int, str]]]:
    """Paragraphs and list items as (index, line); code, headings, rules and directives are left out."""
    block: list[tuple[int, str]] = []
    code_deeper_than: int | None = None
    fenced = False
    for index, line in enumerate(lines):
        bare, indent = line.strip(), len(line) - len(line.lstrip())
        if _FENCE.match(line):
            fenced = not fenced
            bare = ""
        if code_deeper_than is not None and bare and indent <= code_deeper_than:
            code_deeper_than = None
        if not bare or fenced or code_deeper_than is not None or _is_no_prose(lines, index):
            if block:
                yield block
            block = []
            if not fenced and code_deeper_than is None and _DIRECTIVE.match(line):
                code_deeper_than = indent
            continue
        if _ITEM.match(line) and block:
            yield block
            block = []
        block.append((index, line))
        if bare.endswith("::"):
            code_deeper_than = indent
    if block:
        yield block


def _is_no_prose(lines: list[str], index: int) -> bool:
    line = lines[index]
    underlined = index + 1 < len(lines) and _RULE.match(lines[index + 1]) and len(line.strip()) < 80
    return bool(_RULE.match(line) or _HEADING.match(line) or _DIRECTIVE.match(line) or underlined)


def _sentences(document: Document, block: list[tuple[int, str]]) -> Iterator[Passage]:
    starts: list[int] = []
    text = ""
    for _index, line in block:
        starts.append(len(text))
        text += " ".join(_ITEM.sub("", line, count=1).split()) + " "
    at = 0
    for sentence in sentences(text):
        at = max(text.find(sentence, at), 0)
        if not _quotable(sentence):
            continue
        first = block[bisect_right(starts, at) - 1][0]
        last = block[bisect_right(starts, at + len(sentence) - 1) - 1][0]
        yield _passage(document, sentence, first, last)


def _quotable(sentence: str) -> bool:
    return (
        LEAST_WORDS <= words(sentence) <= 3 * MOST_WORDS
        and bool(_ENDED.search(sentence))
        and "://" not in sentence
        and "“" not in sentence
        and not _MARKED_UP.search(sentence)
    )


def single_lines(document: Document, longest: int = LONGEST_LINE) -> Iterator[Passage]:
    """The document line by line, for what stands in no sentence."""
    for index, line in enumerate(document.lines):
        text = " ".join(line.split())
        if words(text) > 1 and len(text) <= longest:
            yield _passage(document, text, index, index)


def _passage(document: Document, text: str, first: int, last: int) -> Passage:
    start = document.first_line
    return Passage(text=text, line=start + first, last_line=start + last, title=document.title)
