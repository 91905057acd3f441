"""Decidable checks on what was said. A check that can not run is recorded as `not_run`; nothing is ever guessed."""

from collections.abc import Callable, Mapping

from bot.core.answers import Answer, Synthesis
from bot.core.entries import Check
from bot.core.format import Cue
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.words import quotes, words

CheckRule = Callable[[Panel, Cue, str, Answer | None], Check]


def run_checks(panel: Panel, cue: Cue, text: str, answer: Answer | None) -> tuple[Check, ...]:
    """The cue's checks, in order, on its text and structured answer."""
    return tuple(CHECKS[name](panel, cue, text, answer) for name in cue.checks)


def said_by(panel: Panel) -> dict[str, str]:
    """Everything that each persona said, by short name."""
    spoken: dict[str, list[str]] = {}
    for turn in panel.turns:
        if turn.persona != HOST:
            spoken.setdefault(turn.persona, []).append(turn.text)
    return {name: "\n".join(texts) for name, texts in spoken.items()}


def short_name_of(panel: Panel, name: str) -> str:
    """The short name of the persona that goes by this name; empty where none does."""
    wanted = " ".join(name.casefold().split())
    for seat in panel.seats:
        if wanted in (seat.persona.short_name, seat.persona.name.casefold()):
            return seat.persona.short_name
    return ""


def _speakers_exist(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    if not isinstance(answer, Synthesis):
        return Check(name="speakers_exist", result="not_run", detail="no structured synthesis")
    spoken = said_by(panel)
    humans = {human.author.name.casefold() for human in panel.humans}
    for claim in answer.claims:
        for name in claim.speakers:
            short = short_name_of(panel, name)
            if short not in spoken and name.casefold() not in humans:
                return Check(name="speakers_exist", result="failed", detail=f"{name!r} did not speak in this panel")
    return Check(name="speakers_exist", result="passed")


def _quotes_verbatim(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    if not isinstance(answer, Synthesis):
        return Check(name="quotes_verbatim", result="not_run", detail="no structured synthesis")
    spoken = said_by(panel)
    humans = {human.author.name.casefold(): human.text for human in panel.humans}
    for claim in answer.claims:
        sources = [spoken.get(short_name_of(panel, n), humans.get(n.casefold(), "")) for n in claim.speakers]
        if not any(quotes(claim.quote, source) for source in sources):
            return Check(
                name="quotes_verbatim",
                result="failed",
                detail=f"{claim.quote[:120]!r} was not said by {', '.join(claim.speakers)}",
            )
    return Check(name="quotes_verbatim", result="passed")


def _length(_panel: Panel, cue: Cue, text: str, _answer: Answer | None) -> Check:
    count = words(text)
    if cue.max_words and count > cue.max_words:
        return Check(name="length", result="failed", detail=f"{count} words; at most {cue.max_words}")
    return Check(name="length", result="passed", detail=f"{count} words")


CHECKS: Mapping[str, CheckRule] = {
    "speakers_exist": _speakers_exist,
    "quotes_verbatim": _quotes_verbatim,
    "length": _length,
}
