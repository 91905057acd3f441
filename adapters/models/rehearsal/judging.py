"""How a rehearsed persona judges a target: by the signs of its cues, else by its criteria; for all kinds of verdict."""

from dataclasses import dataclass
from typing import Literal

from adapters.models.rehearsal.matter import Matter, matter_of
from adapters.models.rehearsal.noticing import Noticed, target_of
from adapters.models.rehearsal.passages import excerpt
from bot.core.document import Document
from bot.core.persona import Persona
from bot.core.speech.cues import Cue, Sign

MOST = 5
"""Findings of one persona."""

Judgement = Literal["good", "doubtful", "bad"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One thing a persona sees in a target."""

    sign: Sign
    quote: str
    """Word for word from the target, single blanks; empty where something is missing from it."""
    first_line: int
    last_line: int
    claim: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A persona's judgement of a target."""

    judgement: Judgement
    observations: tuple[Observation, ...]
    """Faults first; at most five, each from another cue."""
    rationale: str
    recommendations: tuple[str, ...]


def judged(persona: Persona, documents: tuple[Document, ...]) -> Judged:
    """Any fault: bad; else any doubt: doubtful; else good. A persona without signs goes by its criteria."""
    matter = matter_of(persona, documents)
    seen = _by_cues(matter) if any(cue.sign for cue in matter.cues.cues) else _by_criteria(matter, documents)
    signs = {observation.sign for observation in seen}
    judgement: Judgement = "bad" if "!" in signs else "doubtful" if "?" in signs else "good"
    weighty = [o for o in seen if o.sign in ("!", "?")] or list(seen)
    rationale = weighty[0].claim if weighty else _nothing_found(matter)
    questions = matter.questions[:2] if judgement != "good" else ()
    return Judged(
        judgement=judgement,
        observations=seen[:MOST],
        rationale=rationale,
        recommendations=tuple(o.claim for o in weighty[1:3]) + questions,
    )


def _nothing_found(matter: Matter) -> str:
    if matter.criteria:
        return f"Nothing here speaks against it: {matter.criteria[0]}."
    return "Nothing here speaks against it."


def _by_cues(matter: Matter) -> tuple[Observation, ...]:
    first = {hit.cue: hit for hit in reversed(matter.noticed)}
    hits = dict.fromkeys(hit.cue for hit in matter.noticed)
    return tuple(_observation(first[cue], cue.sign, cue.remark) for cue in hits)


def _observation(hit: Noticed, sign: Sign, claim: str) -> Observation:
    passage = hit.passage
    quote = excerpt(passage.text, hit.phrase)
    return Observation(sign=sign, quote=quote, first_line=passage.line, last_line=passage.last_line, claim=claim)


def _by_criteria(matter: Matter, documents: tuple[Document, ...]) -> tuple[Observation, ...]:
    """A criterion that the target speaks to is met as far as words tell; one it is silent on is a doubt."""
    target = target_of(documents)
    return tuple(_met_or_missed(cue, target.noticed((cue,))) for cue in matter.cues.cues)


def _met_or_missed(cue: Cue, hits: tuple[Noticed, ...]) -> Observation:
    if hits:
        return _observation(hits[0], "+", f"Speaks to: {cue.remark}")
    return Observation(sign="?", quote="", first_line=0, last_line=0, claim=f"Says nothing on: {cue.remark}")
