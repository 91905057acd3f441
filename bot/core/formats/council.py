"""The council: a fixed bench of lenses, cold at first, then facing each other's last words until nothing moves.

Round 1: parallel and unseen by each other. Open items (every FAIL, every direct conflict) lead to further rounds, each
parallel again, in which every lens has all last words verbatim. Closing: one synthesis, whose parts code puts in order.
"""

from bot.core.document import has_root
from bot.core.entries import Seat
from bot.core.formats.answer import Answer
from bot.core.formats.answers_council import CouncilSynthesis, LensAnswer
from bot.core.formats.council_report import deterministic, facts, lens_turn, synthesized
from bot.core.formats.council_state import moved, open_items, speaks, taken_up_again
from bot.core.formats.format import Close, Cue, End, Format, Move, PlannedTurn, Rest, Speak, Written
from bot.core.formats.verdicts import KINDS, standing
from bot.core.options import Options
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.rounds import all_failed, pause_reason

SYNTHESIS_CHECKS = (
    "speakers_exist",
    "quotes_verbatim",
    "fails_all_named",
    "headline_stands",
    "lenses_quoted",
    "verdict_kept",
    "verdict_words",
)
LENS_WORDS = 200
DIGEST_WORDS = 500
NO_DIGEST = "No digest could be written; the map of the folder stands in the document as it is."


class Council(Format):
    """Flow and rules of a council; see the module."""

    name = "council"

    def next(self, panel: Panel) -> Move:
        if panel.closing:
            return _closing(panel)
        if _is_directory(panel) and not panel.has("digest", 0, HOST):
            return Speak(cues=(_digest(panel),))
        return _round(panel, max(panel.round, 1))

    def plan(self, options: Options, seats: tuple[Seat, ...]) -> tuple[PlannedTurn, ...]:
        """As if every round were needed."""
        turns = [
            PlannedTurn(
                kind="verdict" if number == 1 else "cross_examination",
                persona=seat.persona.short_name,
                round=number,
                words=LENS_WORDS,
                sees="document" if number == 1 else "last words",
                parallel=True,
                structured=True,
            )
            for number in range(1, options.rounds + 1)
            for seat in seats
            if seat.included and seat.available
        ]
        turns.append(PlannedTurn(kind="synthesis", persona=HOST, round=options.rounds, words=350, structured=True))
        return tuple(turns)

    def rendered(self, panel: Panel, cue: Cue, answer: Answer) -> Written:
        if isinstance(answer, LensAnswer):
            return lens_turn(panel, cue, answer)
        if isinstance(answer, CouncilSynthesis):
            return synthesized(panel, answer)
        return super().rendered(panel, cue, answer)

    def fallback(self, panel: Panel, cue: Cue) -> Written:
        return Written(text=NO_DIGEST) if cue.kind == "digest" else deterministic(panel)


def _is_directory(panel: Panel) -> bool:
    return any(document.kind == "directory" for document in panel.opened.documents)


def _round(panel: Panel, number: int) -> Move:
    due = speaks(panel, number)
    cues = tuple(
        _lens(panel, seat, number, place)
        for place, seat in enumerate(panel.speakers(number))
        if seat.persona.short_name in due
    )
    if cues:
        return Speak(cues=cues, parallel=True)
    if why := all_failed(panel, KINDS, number, unreached=True):
        return Rest(status="paused", reason=pause_reason(number, why))
    if number >= panel.rounds_max:
        return Close(reason="rounds")
    if not taken_up_again(panel) and _settled(panel, number):
        return Close(reason="done")
    if not speaks(panel, number + 1):
        return Close(reason="done")
    return _round(panel, number + 1)


def _settled(panel: Panel, number: int) -> bool:
    """No open item, or nothing moved in a round after the first."""
    return not open_items(panel, number) or (number > 1 and not moved(panel, number))


def _digest(panel: Panel) -> Cue:
    return Cue(
        kind="digest",
        persona=HOST,
        round=0,
        prompt="council_digest",
        values={"path": panel.opened.documents[0].path or panel.opened.documents[0].title},
        label="Digest",
        tools=has_root(panel.opened.documents),
        max_words=DIGEST_WORDS,
    )


def _lens(panel: Panel, seat: Seat, number: int, place: int) -> Cue:
    """A lens's cold word, also where it joins late; else its word on all the others' last words."""
    short_name = seat.persona.short_name
    cold = short_name not in standing(panel, number - 1)
    title = "Cold verdicts" if number == 1 else "Cross-examination"
    return Cue(
        kind="verdict" if cold else "cross_examination",
        persona=short_name,
        round=number,
        prompt="council_lens" if cold else "council_cross",
        values={"criteria": "\n".join(f"- {line}" for line in seat.persona.evaluation_criteria) or "- (none)"},
        sees="document" if cold else "last words",
        answer="lens",
        checks=("anchors_found",),
        advisory=() if cold else ("cause_named",),
        label=f"Round {number} of at most {panel.rounds_max} · {title}",
        order=place,
        tools=has_root(panel.opened.documents),
    )


def _closing(panel: Panel) -> Move:
    number = max(panel.round, 1)
    if panel.has("synthesis", number, HOST):
        return End(status="finished", reason=panel.closing)
    anybody = bool(standing(panel, number))
    cue = Cue(
        kind="synthesis",
        persona=HOST,
        round=number,
        prompt="council_synthesis",
        values=facts(panel),
        answer="council_synthesis" if anybody else "",
        checks=SYNTHESIS_CHECKS if anybody else (),
        required=SYNTHESIS_CHECKS if anybody else (),
        by_code=not anybody,
    )
    return Speak(cues=(cue,))
