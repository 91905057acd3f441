"""A round as the log has it: who still owes a turn, and whether everybody failed."""

from bot.core.entries import Seat, Skipped, StatusChanged, Turn, TurnKind
from bot.core.panel import Panel

FAILURES = "failures"
"""How the reason of a pause starts that waits because every turn of a round failed."""


def pause_reason(round_: int, why: str) -> str:
    """The reason of such a pause; what `owed` reads it by."""
    return f"{FAILURES}: round {round_}: every turn failed: {why}"


def given(panel: Panel, kinds: tuple[TurnKind, ...], round_: int) -> dict[str, Turn]:
    """The turns of these kinds in that round by short name, in speaking order."""
    turns = [turn for turn in panel.turns_in(round_) if turn.turn_kind in kinds]
    return {turn.persona: turn for turn in sorted(turns, key=lambda turn: turn.order)}


def owed(panel: Panel, kinds: tuple[TurnKind, ...], round_: int) -> tuple[Seat, ...]:
    """Who still owes a turn in that round, in roster order.

    After a pause because everybody failed, everybody who failed owes the turn again.
    """
    since = _tried_again_since(panel, round_)
    spoke = given(panel, kinds, round_)
    gone = {skip.persona for skip in dropped(panel, kinds, round_) if skip.seq > since or skip.by_human}
    return tuple(
        seat
        for seat in panel.speakers(round_)
        if seat.persona.short_name not in spoke and seat.persona.short_name not in gone
    )


def all_failed(panel: Panel, kinds: tuple[TurnKind, ...], round_: int, *, unreached: bool = False) -> str:
    """Why every turn of that round failed; empty where one was given, or dropped by a human, or the round is not over.

    `unreached`: failed only counts where no model answered at all.
    """
    skips = [skip for skip in dropped(panel, kinds, round_) if skip.seq > _tried_again_since(panel, round_)]
    if given(panel, kinds, round_) or not skips or owed(panel, kinds, round_):
        return ""
    if any(skip.by_human or (unreached and skip.answered) for skip in skips):
        return ""
    return skips[-1].reason or "no reason was given"


def dropped(panel: Panel, kinds: tuple[TurnKind, ...], round_: int) -> list[Skipped]:
    """The turns of these kinds that were not given in that round."""
    return [skip for skip in panel.skipped_in(round_) if skip.turn_kind in kinds]


def _tried_again_since(panel: Panel, round_: int) -> int:
    """The `seq` at which the panel went on after the last such pause in that round; 0 where there was none."""
    since, waits = 0, False
    for entry in panel.entries:
        if isinstance(entry, StatusChanged):
            if entry.status == "running" and waits:
                since = entry.seq
            waits = entry.status == "paused" and entry.reason.startswith(pause_reason(round_, ""))
    return since
