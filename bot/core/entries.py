"""The panel's log: what can be written down. Entries are only ever appended; `panel.py` folds them to the state."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from bot.core.document import Document
from bot.core.measured import Check, Forecast, ToolCall, Usage, Value
from bot.core.options import FormatName, Options
from bot.core.persona import Persona
from bot.core.place import Person, Place

TurnKind = Literal[
    "opening",
    "statement",
    "moderation",
    "rebuttal",
    "closing",
    "verdict",
    "cross_examination",
    "summary",
    "answer",
    "digest",
    "synthesis",
]
Status = Literal["waiting", "running", "paused", "finished", "stopped", "failed"]


class Seat(Value):
    """One line of the roster: who was chosen, who was not, and why for both."""

    persona: Persona
    included: bool = True
    reason: str = ""
    moderates: bool = False
    available: bool = True
    """False: the persona could not be loaded; it is named, and the others go on."""
    model: str = ""
    """`provider:model`, resolved when the panel opened."""


class Entry(Value):
    """What all entries share. `seq` counts from 1 within the panel; `at` is seconds since 1970."""

    seq: int = 0
    at: float = 0.0


class Opened(Entry):
    """The panel as it was asked for. Personas and documents are kept whole: later edits change no running panel."""

    kind: Literal["opened"] = "opened"
    format: FormatName
    topic: str
    topic_note: str = ""
    """An assumption made about the topic, in words; the card states it."""
    starter: Person
    seats: tuple[Seat, ...]
    documents: tuple[Document, ...] = ()
    options: Options = Options()
    forecast: Forecast | None = None
    host_model: str = ""
    """`provider:model` of the host, resolved when the panel opened."""
    model_is_ai: bool = True
    """False for the rehearsal voices."""
    approval: bool = False
    """True: the forecast is over the set amount, so the panel waits for a go-ahead."""
    notes: tuple[str, ...] = ()
    """Lines for the card: what was assumed, cut or missing."""
    usage: Usage = Usage()
    """What choosing the roster took, before the panel opened."""
    cost_usd: float | None = 0.0
    """Of that; None where the model has no known price."""


class Turn(Entry):
    """One finished speech. It is written down before it is posted."""

    kind: Literal["turn"] = "turn"
    turn_kind: TurnKind
    round: int
    persona: str
    """Short name, or `host`."""
    text: str
    data: dict[str, Any] | None = None
    """The structured answer the text was rendered from."""
    label: str = ""
    """The muted line above the first post of a round, for example `Round 2 of 3 · Rebuttal`."""
    ref: int = 0
    """The `seq` of the entry that this turn answers: a question to one persona."""
    order: int = 0
    """Place in the speaking order of a parallel round."""
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    """None where the model has no known price."""
    model: str = ""
    latency_ms: int = 0
    checks: tuple[Check, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    deterministic: bool = False
    """A synthesis built by code because the model's broke a rule twice, or no model could write it."""
    prompt_head: str = ""
    prompt_chars: int = 0
    message: str = ""
    """Kept only for `verbose` panels: head and size of the system prompt, and the message sent."""


class Skipped(Entry):
    """A turn that was not given, with the reason. What failed attempts cost is counted here."""

    kind: Literal["skipped"] = "skipped"
    turn_kind: TurnKind
    round: int
    persona: str
    reason: str
    by_human: bool = False
    withdrawn: bool = False
    """True: the call was cancelled by a stop, or its provider went down; the turn is still due if the panel goes on."""
    answered: bool = False
    """True: a model did answer, but no answer of it could be used."""
    ref: int = 0
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    model: str = ""


class Human(Entry):
    """A contribution: it joins the transcript and later turns answer it."""

    kind: Literal["human"] = "human"
    author: Person
    text: str
    message_id: str = ""
    edited: bool = False


class Directive(Entry):
    """A standing instruction: it stands in every later prompt until it is withdrawn."""

    kind: Literal["directive"] = "directive"
    author: Person
    text: str
    message_id: str = ""


class Control(Entry):
    """A word that leads the panel. `word` is the canonical one of `grammar.py`."""

    kind: Literal["control"] = "control"
    author: Person
    text: str
    word: str
    persona: str = ""
    """The short name that the word is about; `host` where the bot itself is asked."""
    number: float | None = None
    """Rounds, US dollars, or the `seq` of the directive that is withdrawn."""
    question: str = ""
    seat: Seat | None = None
    """The seat that `add` gives to a persona who was not in the roster."""
    refused: str = ""
    """Why it has no effect, for the one who said it; empty where it has."""
    message_id: str = ""


class Revised(Entry):
    """A human edited (`text`) or deleted (None) a message that the panel had taken in."""

    kind: Literal["revised"] = "revised"
    message_id: str
    text: str | None


class Recap(Entry):
    """The older part of the transcript in short, written by the host; it replaces entries up to `until`."""

    kind: Literal["recap"] = "recap"
    until: int
    text: str
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    model: str = ""


class Event(Entry):
    """Something that happened to the panel: an interruption, a resume, a warning."""

    kind: Literal["event"] = "event"
    name: str
    reason: str = ""
    by: str = ""


class StatusChanged(Entry):
    """The panel's status from here on."""

    kind: Literal["status"] = "status"
    status: Status
    reason: str = ""
    """For people; when waiting or paused it starts with `provider`, `out of reach`, `platform`, `budget`, `go-ahead`,
    `human` or `failures`."""
    by: str = ""


class Closing(Entry):
    """From here on only the closing phase is left."""

    kind: Literal["closing"] = "closing"
    reason: str
    """`rounds`, `wrap up`, `budget`, `synthesize`, `done`."""


class Decision(Entry):
    """What the humans decided after the end; the newest counts, the others are its history."""

    kind: Literal["decision"] = "decision"
    choice: Literal["accept", "reject", "defer"]
    reason: str = ""
    author: Person
    message_id: str = ""


class Placed(Entry):
    """The thread the platform made for the card."""

    kind: Literal["placed"] = "placed"
    place: Place


class Artifact(Entry):
    """Something left behind outside the log: pinned synthesis, transcript, record."""

    kind: Literal["artifact"] = "artifact"
    what: Literal["pin", "unpinned", "transcript", "record", "attached"]
    ref: str
    """A message id, or a path below the home folder."""
    note: str = ""


AnyEntry = Annotated[
    Opened
    | Turn
    | Skipped
    | Human
    | Directive
    | Control
    | Revised
    | Recap
    | Event
    | StatusChanged
    | Closing
    | Decision
    | Placed
    | Artifact,
    Field(discriminator="kind"),
]
ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
"""Reads and writes any entry as JSON."""
