"""The panel's state at one moment, as `fold.py` makes it from the log. A format reads it and says what comes next."""

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import attrgetter

from bot.core.entries import (
    AnyEntry,
    Control,
    Decision,
    Directive,
    Human,
    Opened,
    Recap,
    Seat,
    Skipped,
    Status,
    Turn,
    TurnKind,
)
from bot.core.measured import Usage
from bot.core.persona import HOST
from bot.core.place import Place

OPEN: frozenset[Status] = frozenset({"waiting", "running", "paused"})
"""The states in which a thread's panel still hears and may speak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterChange:
    """One persona's part from a round on: `muted` stays silent, `dropped` is gone, `ok` speaks."""

    persona: str
    state: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel at one moment. Read it; only `fold` makes one."""

    id: str
    place: Place
    opened: Opened
    status: Status = "waiting"
    reason: str = ""
    last_seq: int = 0
    running_since: int = 0
    """The `seq` of the entry that last set it running; 0 from the start."""
    turns: tuple[Turn, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    humans: tuple[Human, ...] = ()
    directives: tuple[Directive, ...] = ()
    withdrawn: frozenset[int] = frozenset()
    """The `seq` of directives that were taken back."""
    revisions: dict[str, str | None] = field(default_factory=dict)
    """Message id → its newest text, None where it was deleted; it also holds for a message that arrives afterwards."""
    controls: tuple[Control, ...] = ()
    recap: Recap | None = None
    entries: tuple[AnyEntry, ...] = ()
    """The whole log, for the transcript and the record."""
    changes: tuple[RosterChange, ...] = ()
    added: tuple[Seat, ...] = ()
    rounds_max: int = 1
    round: int = 0
    """The round of the newest turn or skip; 0 before the first."""
    done: frozenset[tuple[str, int, str, int]] = frozenset()
    """(turn kind, round, persona, ref) of every turn given or skipped in the newest round and the closing phase."""
    skips: tuple[str, ...] = ()
    """Pending skips: a persona's short name, or empty for whoever is next."""
    asks: tuple[Control, ...] = ()
    """Questions to one persona that are still to be answered."""
    max_cost: float | None = None
    closing: str = ""
    """Why the closing phase began; empty before it."""
    closing_since: int = 0
    spent_usd: float = 0.0
    unpriced: bool = False
    """True once a turn of unknown price was counted as zero."""
    usage: Usage = field(default_factory=Usage)
    decisions: tuple[Decision, ...] = ()
    approved: bool = False
    artifacts: dict[str, str] = field(default_factory=dict)

    @property
    def format(self) -> str:
        return self.opened.format

    @property
    def topic(self) -> str:
        return self.opened.topic

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every line of the roster, with those added on the way; a seat added again takes its old place."""
        if not self.added:
            return self.opened.seats
        added = {seat.persona.short_name: seat for seat in self.added}
        kept = tuple(added.pop(seat.persona.short_name, seat) for seat in self.opened.seats)
        return kept + tuple(added.values())

    @property
    def moderator(self) -> Seat | None:
        return next((seat for seat in self.seats if seat.moderates), None)

    @property
    def verdict(self) -> str:
        """The final verdict of a review or council, from the data of its synthesis; empty before and without one."""
        if self.format not in ("review", "council"):
            return ""
        for turn in reversed(self.turns):
            if turn.turn_kind == "synthesis" and turn.data:
                return str(turn.data.get("final_verdict", ""))
        return ""

    @property
    def standing(self) -> tuple[Directive, ...]:
        """The directives in force."""
        return tuple(d for d in self.directives if d.seq not in self.withdrawn)

    def seat(self, short_name: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.persona.short_name == short_name), None)

    def state_of(self, short_name: str, round_: int) -> str:
        """`ok`, `muted` or `dropped` in that round; `unavailable` where the persona could not be loaded."""
        seat = self.seat(short_name)
        if seat is None or not seat.included:
            return "excluded"
        if not seat.available:
            return "unavailable"
        states = [c.state for c in self.changes if c.persona == short_name and c.round <= round_]
        return states[-1] if states else ("excluded" if seat in self.added else "ok")

    def speakers(self, round_: int) -> tuple[Seat, ...]:
        """Who takes ordinary turns in that round, in roster order; never the moderator."""
        return tuple(
            seat for seat in self.seats if not seat.moderates and self.state_of(seat.persona.short_name, round_) == "ok"
        )

    def has(self, kind: TurnKind, round_: int, persona: str, ref: int = 0) -> bool:
        """True when that turn was given or skipped."""
        return (kind, round_, persona, ref) in self.done

    def turns_after(self, seq: int) -> tuple[Turn, ...]:
        """The turns behind that entry; a long log is not read from its start."""
        return self.turns[bisect_right(self.turns, seq, key=attrgetter("seq")) :]

    def humans_after(self, seq: int) -> tuple[Human, ...]:
        """The contributions behind that entry."""
        return self.humans[bisect_right(self.humans, seq, key=attrgetter("seq")) :]

    def turns_in(self, round_: int) -> tuple[Turn, ...]:
        """The turns of one round, newest rounds first looked at."""
        found: list[Turn] = []
        for turn in reversed(self.turns):
            if turn.round < round_:
                break
            if turn.round == round_:
                found.append(turn)
        return tuple(reversed(found))

    def skipped_in(self, round_: int) -> tuple[Skipped, ...]:
        return tuple(skip for skip in self.skipped if skip.round == round_)

    def name_of(self, short_name: str) -> str:
        """The display name; the host's is `Panelist`."""
        if short_name == HOST:
            return "Panelist"
        seat = self.seat(short_name)
        return seat.persona.name if seat else short_name
