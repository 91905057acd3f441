"""The verdicts of a review or council as they stand in the log."""

from bot.core.entries import Turn, TurnKind
from bot.core.panel import Panel
from bot.core.rounds import dropped, given

KINDS: tuple[TurnKind, ...] = ("verdict", "cross_examination")
MISSING = "missing-verdict"
"""The reason of a fail that nobody gave."""


def verdicts_in(panel: Panel, round_: int) -> dict[str, Turn]:
    """The verdicts of that round, by short name, in speaking order."""
    return given(panel, KINDS, round_)


def verdict_of(turn: Turn) -> str:
    """The verdict that a turn gave."""
    return str((turn.data or {}).get("verdict", ""))


def standing(panel: Panel, until: int) -> dict[str, Turn]:
    """Everybody's newest verdict of the rounds up to and including that one, by short name, in roster order."""
    turns = [turn for turn in panel.turns if turn.turn_kind in KINDS and turn.round <= until and turn.data]
    newest = {turn.persona: turn for turn in turns}
    return {name: newest[name] for seat in panel.seats if (name := seat.persona.short_name) in newest}


def missing(panel: Panel, round_: int) -> dict[str, str]:
    """Who took part in that round and gave no verdict: short name → why."""
    spoke = verdicts_in(panel, round_)
    why = {skip.persona: skip.reason for skip in dropped(panel, KINDS, round_)}
    return {
        seat.persona.short_name: why.get(seat.persona.short_name, "the panel closed before it was given")
        for seat in panel.speakers(round_)
        if seat.persona.short_name not in spoke
    }


def errors_in(panel: Panel) -> dict[str, str]:
    """Who failed to give a verdict when it was last their turn: short name → why."""
    last = {turn.persona: turn.seq for turn in panel.turns if turn.turn_kind in KINDS}
    return {
        skip.persona: skip.reason
        for skip in panel.skipped
        if skip.turn_kind in KINDS and not skip.withdrawn and skip.seq > last.get(skip.persona, 0)
    }
