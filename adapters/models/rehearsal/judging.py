"""How a rehearsed persona judges a target: by its cues, else by its criteria, and by the grounds that all voices share.

A pass needs both: nothing found against the target, and something found for it. Silence is a doubt.
"""

from dataclasses import dataclass
from typing import Literal

from adapters.models.rehearsal.grounds import Grounds, Observation
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
class Judged:
    """A persona's judgement of a target."""

    judgement: Judgement
    observations: tuple[Observation, ...]
    """Faults first; at most five, each from another cue or general sign."""
    rationale: str
    recommendations: tuple[str, ...]
    silent: bool
    """Nothing in the target was for or against it in this persona's eyes."""


def judged(persona: Persona, documents: tuple[Document, ...]) -> Judged:
    """Any fault: bad; any doubt, or nothing to go by: doubtful; else good."""
    matter = matter_of(persona, documents)
    grounds = Grounds(persona, matter, documents)
    seen = _seen(matter, grounds, documents)
    against = tuple(o for o in seen if o.sign in ("!", "?"))
    merits = tuple(o for o in seen if o.sign == "+")
    silent = not against and not merits and not grounds.care()
    if silent:
        against = (grounds.silence(),)
        seen = against + seen
    signs = {observation.sign for observation in against}
    judgement: Judgement = "bad" if "!" in signs else "doubtful" if against else "good"
    return Judged(
        judgement=judgement,
        observations=seen[:MOST],
        rationale=against[0].claim if against else grounds.favour(merits),
        recommendations=(tuple(o.claim for o in against[1:3]) + matter.questions[:2]) if against else (),
        silent=silent,
    )


def _seen(matter: Matter, grounds: Grounds, documents: tuple[Document, ...]) -> tuple[Observation, ...]:
    """Faults, then orders and a strange language, then doubts, remarks and merits."""
    by_cues = any(cue.sign for cue in matter.cues.cues)
    own = _by_cues(matter) if by_cues else _by_criteria(matter, grounds, documents)
    faults = [o for o in own if o.sign == "!"]
    quoted = {o.quote for o in faults}
    general = [o for o in grounds.faults() if o.quote not in quoted]
    faults += [o for o in general if o.sign == "!"]
    shared = (*grounds.orders(), *grounds.strange(), *(o for o in general if o.sign != "!"))
    return (*faults[: MOST - len(shared)], *shared, *(o for o in own if o.sign != "!"))


def _by_cues(matter: Matter) -> tuple[Observation, ...]:
    first = {hit.cue: hit for hit in reversed(matter.noticed)}
    hits = dict.fromkeys(hit.cue for hit in matter.noticed)
    return tuple(_observation(first[cue], cue.sign, cue.remark) for cue in hits)


def _observation(hit: Noticed, sign: Sign, claim: str) -> Observation:
    passage = hit.passage
    quote = excerpt(passage.text, hit.phrase)
    return Observation(sign=sign, quote=quote, first_line=passage.line, last_line=passage.last_line, claim=claim)


def _by_criteria(matter: Matter, grounds: Grounds, documents: tuple[Document, ...]) -> tuple[Observation, ...]:
    """Words do not tell whether a criterion is met: each is a doubt, spoken of or not."""
    target = target_of(documents)
    seen = [_spoken_of(cue, target.noticed((cue,)), grounds) for cue in matter.cues.cues]
    return tuple(sorted(seen, key=lambda observation: not observation.quote))


def _spoken_of(cue: Cue, hits: tuple[Noticed, ...], grounds: Grounds) -> Observation:
    return _observation(hits[0], "?", grounds.bears(cue.remark)) if hits else grounds.missing(cue.remark)
