"""What holds a council's synthesis: no FAIL left out, no headline invented or hidden, every lens in its own words."""

import re

from bot.core.formats.answer import Answer, Claim
from bot.core.formats.answers_council import CouncilSynthesis, LensAnswer
from bot.core.formats.council_state import cause_of, disagreement, final, verdicts
from bot.core.formats.format import Cue
from bot.core.formats.verdicts import KINDS, standing, verdict_of
from bot.core.measured import Check
from bot.core.panel import Panel
from bot.core.said import short_name_of, words_of
from bot.core.words import quotes, words

FEWEST_QUOTED = 5
_VERDICT = re.compile(r"(?<![\w/])(PASS|CONCERN|FAIL|N/A)(?:S|ES|ED|ING)?(?![\w/])")


def _not_run(name: str) -> Check:
    return Check(name=name, result="not_run", detail="no structured answer")


def _failed(name: str, detail: str) -> Check:
    return Check(name=name, result="failed", detail=detail)


def _passed(name: str) -> Check:
    return Check(name=name, result="passed")


def cause_named(panel: Panel, cue: Cue, _text: str, answer: Answer | None) -> Check:
    """A changed verdict names the finding or claim of another lens that moved it."""
    if not isinstance(answer, LensAnswer):
        return _not_run("cause_named")
    earlier = standing(panel, cue.round - 1).get(cue.persona)
    if earlier is None or verdict_of(earlier) == answer.verdict:
        return _passed("cause_named")
    if cause_of(panel, cue.persona, [by.model_dump() for by in answer.moved_by]):
        return _passed("cause_named")
    return _failed("cause_named", f"{verdict_of(earlier)} became {answer.verdict}, and nothing that was said is named")


def fails_all_named(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """Every lens that stands at FAIL is a blocker in its own words, and nobody else is."""
    if not isinstance(answer, CouncilSynthesis):
        return _not_run("fails_all_named")
    given = verdicts(panel, panel.round)
    named = [short_name_of(panel, name) for claim in answer.blockers for name in claim.speakers]
    for lens, verdict in given.items():
        if verdict == "FAIL" and lens not in named:
            return _failed("fails_all_named", f"the FAIL of {panel.name_of(lens)} is left out of `blockers`")
    for lens in named:
        if given.get(lens) != "FAIL":
            return _failed("fails_all_named", f"{panel.name_of(lens)} did not fail it and can be no blocker")
    for claim in answer.blockers:
        if len(claim.speakers) != 1 or not _quoted(panel, claim):
            return _failed("fails_all_named", f"{claim.quote[:80]!r} is not in the words of {claim.speakers[0]} alone")
    return _passed("fails_all_named")


def headline_stands(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """The disagreement that stands is the headline, with those whom it divides; where none stands there is none."""
    if not isinstance(answer, CouncilSynthesis):
        return _not_run("headline_stands")
    divides = disagreement(panel)
    if divides is None:
        if answer.headline is None:
            return _passed("headline_stands")
        return _failed("headline_stands", "no disagreement stands, so `headline` has to be null")
    if answer.headline is None:
        return _failed("headline_stands", f"this disagreement stands and has to be the headline: {divides.text}")
    named = {short_name_of(panel, name) for name in answer.headline.speakers} & set(divides.lenses)
    if len(named) < 2:
        return _failed("headline_stands", f"the headline has to name those whom this divides: {divides.text}")
    return _passed("headline_stands")


def lenses_quoted(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """Each lens that spoke has a position of its own with a verbatim quotation of five words or more."""
    if not isinstance(answer, CouncilSynthesis):
        return _not_run("lenses_quoted")
    held = {short_name_of(panel, c.speakers[0]) for c in answer.positions if len(c.speakers) == 1 and _quoted(panel, c)}
    for lens in standing(panel, panel.round):
        if lens not in held:
            name = panel.name_of(lens)
            detail = f"{name} has no position of its own with {FEWEST_QUOTED} words or more quoted from it"
            return _failed("lenses_quoted", detail)
    return _passed("lenses_quoted")


def verdict_kept(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """The verdict is the one that the rule gives."""
    if not isinstance(answer, CouncilSynthesis):
        return _not_run("verdict_kept")
    wanted = final(panel)
    if answer.verdict.strip().casefold() != wanted.casefold():
        return _failed("verdict_kept", f"the verdict is {wanted}, not {answer.verdict[:40]!r}")
    return _passed("verdict_kept")


def verdict_words(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """Nobody is given a verdict that was never theirs; FAIL and N/A are never confused."""
    if not isinstance(answer, CouncilSynthesis):
        return _not_run("verdict_words")
    theirs: dict[str, set[str]] = {}
    for turn in panel.turns:
        if turn.turn_kind in KINDS:
            theirs.setdefault(turn.persona, set()).add(verdict_of(turn))
    for claim in answer.claims:
        allowed = set().union(*(theirs.get(short_name_of(panel, name), set()) for name in claim.speakers))
        for said in _VERDICT.findall(claim.text):
            if said not in allowed:
                return _failed("verdict_words", f"{', '.join(claim.speakers)} never said {said}")
    return _passed("verdict_words")


def _quoted(panel: Panel, claim: Claim) -> bool:
    """Word for word from its one speaker, five words or more, or all that a lens of fewer words said."""
    said = words_of(panel, claim.speakers[0])
    enough = words(claim.quote) >= FEWEST_QUOTED or words(claim.quote) >= words(_rationale(panel, claim)) > 0
    return enough and quotes(claim.quote, said)


def _rationale(panel: Panel, claim: Claim) -> str:
    turn = standing(panel, panel.round).get(short_name_of(panel, claim.speakers[0]))
    return str((turn.data or {}).get("rationale", "")) if turn else ""
