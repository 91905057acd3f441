"""Decidable checks on what was said. A check that can not run is recorded as `not_run`; nothing is ever guessed."""

import re
from collections.abc import Callable, Mapping

from bot.core.formats.answer import Answer, Attributed
from bot.core.formats.answers import Synthesis
from bot.core.formats.checks_council import (
    cause_named,
    fails_all_named,
    headline_stands,
    lenses_quoted,
    verdict_kept,
    verdict_words,
)
from bot.core.formats.checks_debate import challenges, concedes, debated_length, no_heading, no_preamble
from bot.core.formats.checks_review import anchors_found, fails_named, no_pass_over_a_fail
from bot.core.formats.format import Cue
from bot.core.measured import Check
from bot.core.panel import Panel
from bot.core.said import words_of
from bot.core.words import quotes, words

CheckRule = Callable[[Panel, Cue, str, Answer | None], Check]

WINNER = re.compile(
    r"\b(?:the|a|our|clear|overall) winner(?: here| today)? (?:is|was)\b"
    r"|\bwinner of (?:the|this) (?:debate|discussion|argument|panel)\b"
    r"|\b(?:won|wins|has won|carried|carries) (?:the|this) (?:debate|discussion|argument|panel|day)\b",
    re.IGNORECASE,
)
"""How a winner is declared in so many words."""


def run_checks(names: tuple[str, ...], panel: Panel, cue: Cue, text: str, answer: Answer | None) -> tuple[Check, ...]:
    """The checks of these names, in order, on a turn's text and structured answer."""
    return tuple(CHECKS[name](panel, cue, text, answer) for name in names)


def _speakers_exist(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """Every speaker that a claim names took part and spoke, and there is a claim at all."""
    if not isinstance(answer, Attributed):
        return Check(name="speakers_exist", result="not_run", detail="no structured answer")
    if not answer.claims:
        return Check(name="speakers_exist", result="failed", detail="no claim is made and attributed")
    for claim in answer.claims:
        for name in claim.speakers:
            if not words_of(panel, name):
                return Check(name="speakers_exist", result="failed", detail=f"{name!r} did not speak in this panel")
    return Check(name="speakers_exist", result="passed")


def _quotes_verbatim(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """Every claim quotes one of its speakers word for word."""
    if not isinstance(answer, Attributed):
        return Check(name="quotes_verbatim", result="not_run", detail="no structured answer")
    for claim in answer.claims:
        if not any(quotes(claim.quote, words_of(panel, name)) for name in claim.speakers):
            detail = f"{claim.quote[:120]!r} was not said by {', '.join(claim.speakers)}"
            return Check(name="quotes_verbatim", result="failed", detail=detail)
    return Check(name="quotes_verbatim", result="passed")


def _no_winner(_panel: Panel, _cue: Cue, text: str, answer: Answer | None) -> Check:
    if isinstance(answer, Synthesis) and answer.declares_winner:
        return Check(name="no_winner", result="failed", detail="a winner is declared; a debate has none")
    if found := WINNER.search(text):
        return Check(name="no_winner", result="failed", detail=f"{found[0]!r} declares a winner; a debate has none")
    return Check(name="no_winner", result="passed")


def _length(_panel: Panel, cue: Cue, text: str, _answer: Answer | None) -> Check:
    count = words(text)
    if cue.max_words and count > cue.max_words:
        return Check(name="length", result="failed", detail=f"{count} words; at most {cue.max_words}")
    return Check(name="length", result="passed", detail=f"{count} words")


CHECKS: Mapping[str, CheckRule] = {
    "speakers_exist": _speakers_exist,
    "quotes_verbatim": _quotes_verbatim,
    "no_winner": _no_winner,
    "length": _length,
    "debated_length": debated_length,
    "no_heading": no_heading,
    "no_preamble": no_preamble,
    "challenges": challenges,
    "concedes": concedes,
    "anchors_found": anchors_found,
    "no_pass_over_a_fail": no_pass_over_a_fail,
    "fails_named": fails_named,
    "cause_named": cause_named,
    "fails_all_named": fails_all_named,
    "headline_stands": headline_stands,
    "lenses_quoted": lenses_quoted,
    "verdict_kept": verdict_kept,
    "verdict_words": verdict_words,
}
"""Name in a cue → check."""
