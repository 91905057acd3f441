"""The debate: opening, rebuttals, closing; two or three who disagree for real, and no winner.

Isolated: each round's turns at the same time, and a speaker sees earlier rounds alone. Inline: one after the other.
"""

from bot.core.entries import Seat, TurnKind
from bot.core.formats.format import Close, Cue, End, Format, Move, PlannedTurn, Rest, Sight, Speak, Written
from bot.core.formats.synthesis import deterministic_synthesis
from bot.core.options import Options
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.rounds import all_failed, owed, pause_reason

KINDS: tuple[TurnKind, ...] = ("opening", "rebuttal", "closing")
TITLES: dict[TurnKind, str] = {"opening": "Opening", "rebuttal": "Rebuttal", "closing": "Closing"}
ANSWERS: dict[TurnKind, str] = {"opening": "", "rebuttal": "rebuttal", "closing": "closing"}
TURN_CHECKS = ("debated_length", "no_heading", "no_preamble")
CHECKS: dict[TurnKind, tuple[str, ...]] = {
    "opening": TURN_CHECKS,
    "rebuttal": (*TURN_CHECKS, "challenges"),
    "closing": (*TURN_CHECKS, "concedes"),
}
SYNTHESIS_CHECKS = ("speakers_exist", "quotes_verbatim", "length", "no_winner")
SYNTHESIS_WORDS = 199
"""Under 200."""
TURN_WORDS = 250
"""What a turn is expected to have, for the forecast and the size warning."""
RECAP_AFTER = 5
"""From the round after these on, a recap stands for all but the last round."""


class Debate(Format):
    """Flow and rules of a debate; see the module."""

    name = "debate"

    def next(self, panel: Panel) -> Move:
        if panel.closing:
            return _closing(panel)
        return _round(panel, max(panel.round, 1))

    def plan(self, options: Options, seats: tuple[Seat, ...]) -> tuple[PlannedTurn, ...]:
        speakers = tuple(seat for seat in seats if seat.included and seat.available)
        isolated = options.mode != "inline"
        turns = [
            PlannedTurn(
                kind=kind,
                persona=seat.persona.short_name,
                round=number,
                words=TURN_WORDS,
                sees="earlier rounds" if isolated else "everything",
                parallel=isolated,
                structured=kind != "opening",
            )
            for number in range(1, options.rounds + 1)
            for kind in (kind_by_rule(number, options.rounds),)
            for seat in rotated(speakers, number)
        ]
        if options.synthesis:
            turns.append(PlannedTurn(kind="synthesis", persona=HOST, round=options.rounds, words=180, structured=True))
        return tuple(turns)

    def fallback(self, panel: Panel, cue: Cue) -> Written:
        return Written(text=deterministic_synthesis(panel, max_words=SYNTHESIS_WORDS))

    def recap_due(self, panel: Panel) -> int:
        """After five rounds, everything but the last round; again before each further round."""
        if panel.closing or panel.round < RECAP_AFTER:
            return 0
        begun = panel.round
        coming = begun if owed(panel, (kind_of(panel, begun),), begun) else begun + 1
        if coming <= RECAP_AFTER or coming > panel.rounds_max:
            return 0
        old = [turn.seq for turn in panel.turns if turn.turn_kind in KINDS and turn.round <= coming - 2]
        until = max(old, default=0)
        return until if until > (panel.recap.until if panel.recap else 0) else 0


def kind_by_rule(number: int, rounds: int) -> TurnKind:
    """What a round is by its number: opening, closing in the last of two or more, rebuttals between."""
    if number == 1:
        return "opening"
    return "closing" if number >= rounds else "rebuttal"


def kind_of(panel: Panel, number: int) -> TurnKind:
    """What that round is; one that has begun stays what it is, however many rounds are left."""
    for key in panel.done:
        for kind in KINDS:
            if key[:2] == (kind, number):
                return kind
    return kind_by_rule(number, panel.rounds_max)


def rotated(speakers: tuple[Seat, ...], number: int) -> tuple[Seat, ...]:
    """The speaking order of that round: A B C, then B C A, then C A B."""
    if not speakers:
        return ()
    start = (number - 1) % len(speakers)
    return speakers[start:] + speakers[:start]


def _round(panel: Panel, number: int) -> Move:
    kind = kind_of(panel, number)
    due = {seat.persona.short_name for seat in owed(panel, (kind,), number)}
    order = rotated(panel.speakers(number), number)
    cues = tuple(
        _cue(panel, seat, number, kind, place) for place, seat in enumerate(order) if seat.persona.short_name in due
    )
    if cues:
        return Speak(cues=cues, parallel=True) if _isolated(panel) else Speak(cues=cues[:1])
    if not order:
        return Rest(status="paused", reason="human: nobody is left to speak; `add NAME` or `unmute NAME`")
    if why := all_failed(panel, (kind,), number):
        return Rest(status="paused", reason=pause_reason(number, why))
    if number >= panel.rounds_max:
        return Close(reason="rounds")
    return _round(panel, number + 1)


def _isolated(panel: Panel) -> bool:
    return panel.opened.options.mode != "inline"


def _cue(panel: Panel, seat: Seat, number: int, kind: TurnKind, place: int) -> Cue:
    sees: Sight = "earlier rounds" if _isolated(panel) else "everything"
    return Cue(
        kind=kind,
        persona=seat.persona.short_name,
        round=number,
        prompt=f"debate_{kind}",
        sees=sees,
        answer=ANSWERS[kind],
        checks=CHECKS[kind],
        label=f"Round {number} of {panel.rounds_max} · {TITLES[kind]}",
        order=place,
        max_words=300,
    )


def _closing(panel: Panel) -> Move:
    number = max(panel.round, 1)
    if panel.opened.options.synthesis and not panel.has("synthesis", number, HOST):
        cue = Cue(
            kind="synthesis",
            persona=HOST,
            round=number,
            prompt="debate_synthesis",
            answer="synthesis",
            checks=SYNTHESIS_CHECKS,
            required=SYNTHESIS_CHECKS,
            max_words=SYNTHESIS_WORDS,
        )
        return Speak(cues=(cue,))
    return End(status="finished", reason=panel.closing)
