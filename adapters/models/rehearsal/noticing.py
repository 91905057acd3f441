"""When a cue notices a text: a phrase stands there as whole words, in any case, and is not negated."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from adapters.models.rehearsal.passages import Passage, passages
from bot.core.document import Document
from bot.core.speech.cues import Cue

WORDS_BEFORE = 3
"""A negation at most this many words before a phrase, in the same clause, silences it."""

_CLAUSE_END = re.compile(r"[.;:,!?()\n]")
_NEGATION = re.compile(r"\b(no|not|never|nobody|nothing|none|neither|nor|without|cannot)\b|n't\b")
_BEFORE = 120
"""Characters before a phrase that can hold its clause's last three words."""
_RANK = {"!": 0, "?": 1, "": 2, "+": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """A cue that met a passage."""

    cue: Cue
    phrase: str
    passage: Passage


class Target:
    """All documents of a panel, ready to be searched for phrases."""

    def __init__(self, documents: tuple[Document, ...]) -> None:
        self.passages = tuple(p for document in documents for p in passages(document))
        self.several = len(documents) > 1
        self._starts: list[int] = []
        folded: list[str] = []
        size = 0
        for passage in self.passages:
            self._starts.append(size)
            folded.append(passage.text.lower())
            size += len(folded[-1]) + 1
        self._folded = "\n".join(folded)

    def holding(self, phrase: str) -> tuple[Passage, ...]:
        """The passages in which the phrase stands, in order."""
        found = dict.fromkeys(bisect_right(self._starts, at) - 1 for at in places_of(phrase, self._folded))
        return tuple(self.passages[index] for index in found)

    def noticed(self, cues: tuple[Cue, ...]) -> tuple[Noticed, ...]:
        """What these cues meet: faults first, then doubts, remarks and merits; per cue in the order of the target."""
        ranked = sorted(cues, key=lambda cue: _RANK[cue.sign])
        return tuple(hit for cue in ranked for hit in self._met(cue))

    def _met(self, cue: Cue) -> list[Noticed]:
        hits = {passage: phrase for phrase in reversed(cue.phrases) for passage in self.holding(phrase)}
        ordered = sorted(hits, key=lambda passage: (passage.title, passage.line))
        return [Noticed(cue=cue, phrase=hits[passage], passage=passage) for passage in ordered]


@lru_cache(maxsize=16)
def target_of(documents: tuple[Document, ...]) -> Target:
    """The documents, read once for all turns of a panel."""
    return Target(documents)


def places_of(phrase: str, folded: str) -> Iterator[int]:
    """Where the phrase stands, not negated, in a lower-case text with single blanks."""
    for hit in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded):
        if not negated(folded[max(0, hit.start() - _BEFORE) : hit.start()]):
            yield hit.start()


def stands_in(phrase: str, text: str) -> bool:
    """True where the phrase stands in the text and is not negated."""
    return any(True for _ in places_of(phrase, " ".join(text.lower().split())))


def notices(cue: Cue, text: str) -> bool:
    """True where any of the cue's phrases stands in the text."""
    return any(stands_in(phrase, text) for phrase in cue.phrases)


def negated(before: str, reach: int = WORDS_BEFORE) -> bool:
    """True where a negation stands among the last words of the clause that this lower-case text ends with."""
    clause = _CLAUSE_END.split(before)[-1]
    return _NEGATION.search(" ".join(clause.split()[-reach:])) is not None
