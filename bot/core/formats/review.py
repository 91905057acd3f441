"""The review: every persona judges one target at the same time, unseen by the others; code consolidates.

Round: one parallel round of verdicts. Closing: the report, which code writes; only a coordinator's verdict takes a
model, and code holds it to every fail.
"""

from bot.core.document import has_root
from bot.core.entries import Seat
from bot.core.formats.answer import Answer
from bot.core.formats.answers_review import Coordinated, Verdict
from bot.core.formats.consolidation import COORDINATOR
from bot.core.formats.format import Close, Cue, End, Format, Move, PlannedTurn, Rest, Speak, Written
from bot.core.formats.review_report import reported
from bot.core.formats.review_speech import verdict_speech
from bot.core.formats.verdicts import KINDS
from bot.core.options import Options
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.rounds import all_failed, owed, pause_reason

COORDINATOR_CHECKS = ("no_pass_over_a_fail", "fails_named", "speakers_exist", "quotes_verbatim")
VERDICT_WORDS = 220


class Review(Format):
    """Flow and rules of a review; see the module."""

    name = "review"

    def next(self, panel: Panel) -> Move:
        if panel.closing:
            return _closing(panel)
        due = owed(panel, KINDS, 1)
        cues = tuple(_verdict(panel, seat, place) for place, seat in enumerate(panel.speakers(1)) if seat in due)
        if cues:
            return Speak(cues=cues, parallel=True)
        if why := all_failed(panel, KINDS, 1, unreached=True):
            return Rest(status="paused", reason=pause_reason(1, why))
        return Close(reason="rounds")

    def plan(self, options: Options, seats: tuple[Seat, ...]) -> tuple[PlannedTurn, ...]:
        turns = [
            PlannedTurn(
                kind="verdict",
                persona=seat.persona.short_name,
                round=1,
                words=VERDICT_WORDS,
                sees="document",
                parallel=True,
                structured=True,
            )
            for seat in seats
            if seat.included and seat.available
        ]
        if options.mode == COORDINATOR:
            turns.append(PlannedTurn(kind="synthesis", persona=HOST, round=1, words=150, structured=True))
        return tuple(turns)

    def rendered(self, panel: Panel, cue: Cue, answer: Answer) -> Written:
        if isinstance(answer, Coordinated):
            return reported(panel, coordinator=answer)
        if isinstance(answer, Verdict):
            return Written(text=verdict_speech(answer, panel.opened.documents), data=answer.model_dump(mode="json"))
        return super().rendered(panel, cue, answer)

    def fallback(self, panel: Panel, cue: Cue) -> Written:
        return reported(panel)


def _verdict(panel: Panel, seat: Seat, order: int) -> Cue:
    options = panel.opened.options
    return Cue(
        kind="verdict",
        persona=seat.persona.short_name,
        round=1,
        prompt="review_regrounded" if options.grounding == "re-derive" else "review_verdict",
        values={
            "criteria": "\n".join(f"- {line}" for line in seat.persona.evaluation_criteria) or "- (none of your own)",
            "lines": f"lines {options.lines}" if options.lines else "the whole target",
        },
        sees="document",
        answer="verdict",
        checks=("anchors_found",),
        label=f"Review · {len(panel.speakers(1))} in parallel",
        order=order,
        tools=has_root(panel.opened.documents),
        contract=True,
    )


def _closing(panel: Panel) -> Move:
    if panel.has("synthesis", max(panel.round, 1), HOST):
        return End(status="finished", reason=panel.closing)
    return Speak(cues=(_report(panel),))


def _report(panel: Panel) -> Cue:
    coordinates = panel.opened.options.mode == COORDINATOR
    return Cue(
        kind="synthesis",
        persona=HOST,
        round=max(panel.round, 1),
        prompt="review_coordinator",
        answer="coordinator" if coordinates else "",
        checks=COORDINATOR_CHECKS if coordinates else (),
        required=COORDINATOR_CHECKS if coordinates else (),
        by_code=not coordinates,
    )
