"""The card: the thread's first message, the only one that is ever edited. Values only; adapters draw it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSeat:
    """One line of the roster."""

    short_name: str
    name: str
    emoji: str
    reason: str
    state: str
    """`ok`, `muted`, `dropped`, `unavailable`, `errored`, `excluded`."""
    moderates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button: `word` is what pressing it says, in the steering grammar."""

    label: str
    word: str
    style: str = ""
    """`primary`, `danger`, or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A panel at a glance."""

    panel: str
    format: str
    title: str
    topic: str
    status: str
    status_line: str
    """State in words, with the reason where it is not running."""
    seats: tuple[CardSeat, ...]
    round: int
    rounds_max: int
    progress: float
    """0 to 1."""
    turns: int
    spent_usd: float
    max_cost: float | None
    priced: bool
    directives: tuple[tuple[int, str, str], ...]
    """(number to withdraw it by, text, author)."""
    notes: tuple[str, ...]
    """Assumptions, what is missing, `rehearsal: no AI`."""
    forecast: str
    decision: str
    buttons: tuple[Button, ...]
    links: tuple[tuple[str, str], ...] = ()
    """(label, address): pinned synthesis, transcript, record."""
