"""What a format is: a pure function from the panel's state to what comes next.

To add a format: one module with a class that keeps this contract, its templates under `bot/prompts/`, a line in
`formats.py`, its options in `options.py`. No clock, no network, no randomness; the orchestrator does the rest.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.core.entries import Seat, TurnKind
from bot.core.formats.answer import Answer
from bot.core.measured import Check
from bot.core.options import FormatName, Options
from bot.core.panel import Panel

Sight = Literal["everything", "earlier rounds", "last words", "before closing", "document"]
"""What a speaker may see: the whole transcript, that of earlier rounds or before the closing phase, everybody's last
words of earlier rounds, or nothing but the documents with their digest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One turn that is to be given."""

    kind: TurnKind
    persona: str
    """Short name, or `host`."""
    round: int
    prompt: str
    """The template under `bot/prompts/`, without its ending."""
    values: Mapping[str, str] = field(default_factory=dict)
    sees: Sight = "everything"
    answer: str = ""
    """Name of a structured answer in `answers.py`; empty where plain speech is wanted."""
    checks: tuple[str, ...] = ()
    """Names of checks in `checks.py`; a failed one is asked again once."""
    required: tuple[str, ...] = ()
    """Those of the checks without which the turn can not stand: the format's fallback takes its place."""
    advisory: tuple[str, ...] = ()
    """More checks, whose failure is recorded and not asked again."""
    by_code: bool = False
    """True: the format's `fallback` is the turn; no model is asked."""
    contract: bool = False
    """True: the speaker's `output_contract` adds fields to the answer."""
    label: str = ""
    """The muted line above a round's first post."""
    ref: int = 0
    """The `seq` of the question that this turn answers."""
    order: int = 0
    """Place in the speaking order of a parallel round; turns are posted in this order, whichever is ready first."""
    tools: bool = False
    max_words: int = 0
    """0: as long as the talk needs."""

    @property
    def key(self) -> tuple[str, int, str, int]:
        return (self.kind, self.round, self.persona, self.ref)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak:
    """Give these turns: one after the other where each sees the one before, or at the same time."""

    cues: tuple[Cue, ...]
    parallel: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """Begin the closing phase."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Nothing can go on for now: the panel pauses, or waits for a person's answer."""

    status: Literal["paused", "waiting"]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The panel is over."""

    status: Literal["finished", "failed"]
    reason: str = ""


Move = Speak | Close | Rest | End


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A turn as it goes into the log."""

    text: str
    data: dict[str, Any] | None = None
    """The values behind the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTurn:
    """One turn of the plan before the start, for the forecast; turns that code writes are left out."""

    kind: TurnKind
    persona: str
    round: int
    words: int
    sees: Sight = "everything"
    parallel: bool = False
    structured: bool = False


class Format(ABC):
    """One of the ways a panel can run."""

    name: FormatName

    @abstractmethod
    def next(self, panel: Panel) -> Move:
        """What comes next. Questions to one persona (`panel.asks`) are the orchestrator's, not the format's."""

    @abstractmethod
    def plan(self, options: Options, seats: tuple[Seat, ...]) -> tuple[PlannedTurn, ...]:
        """The turns of a panel that nobody steers, in order."""

    @abstractmethod
    def fallback(self, panel: Panel, cue: Cue) -> Written:
        """The deterministic form of a host's turn: where no model is asked, or its answer broke a rule twice."""

    def rendered(self, panel: Panel, cue: Cue, answer: Answer) -> Written:
        """How a structured answer is said in the thread, and what is kept of it."""
        _ = (panel, cue)
        return Written(text=answer.speech(), data=answer.model_dump(mode="json"))

    def recap_due(self, panel: Panel) -> int:
        """The `seq` up to which a recap must replace the transcript before the next turn; 0 where none is due."""
        _ = panel
        return 0

    def skippable(self, cue: Cue) -> bool:
        """False for turns that a human's `skip` does not drop."""
        return cue.persona != "host"


ORDINARY: frozenset[TurnKind] = frozenset(
    {"statement", "opening", "rebuttal", "closing", "verdict", "cross_examination"}
)
"""The kinds of turn that make up a round; a moderator's and the host's come on top."""


def round_failed(panel: Panel) -> bool:
    """True when every turn of the newest round failed, none at a human's word, and nobody has resumed since."""
    moderator = panel.moderator.persona.short_name if panel.moderator else ""
    skipped = [
        skip
        for skip in panel.skipped_in(panel.round)
        if not skip.by_human and skip.turn_kind in ORDINARY and skip.persona != moderator
    ]
    spoken = [turn for turn in panel.turns_in(panel.round) if turn.turn_kind in ORDINARY and turn.persona != moderator]
    return bool(skipped) and not spoken and panel.running_since < skipped[-1].seq


def passed(checks: tuple[Check, ...]) -> bool:
    """True when no check failed; one that could not run does not fail."""
    return all(check.result != "failed" for check in checks)
