"""The port to the database: the panels' logs, the outbox of posts, the inbox of what people said."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from bot.core.entries import AnyEntry, Opened, Status
from bot.core.place import Person, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One post of one log entry: an intent until the platform's id is known."""

    turn: int
    """The `seq` of the entry it shows."""
    part: int
    """1-based."""
    parts: int
    text: str
    attempted_at: float | None = None
    """When it may first have been sent, seconds since 1970; None while it is not yet due. Also the token that a
    re-sender must have seen."""
    ext_id: str | None = None
    """The platform's id of the message; None until it is confirmed."""
    withdrawn: bool = False
    """True: a stop came first; it will never be sent."""

    @property
    def open(self) -> bool:
        return self.ext_id is None and not self.withdrawn

    @property
    def in_doubt(self) -> bool:
        return self.open and self.attempted_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The row that folds a panel for listing."""

    id: str
    place: Place
    format: str
    topic: str
    status: Status
    reason: str = ""
    round: int = 0
    rounds_max: int = 1
    turns: int = 0
    spent_usd: float = 0.0
    target: str = ""
    """The key of the target, for trends and comparisons; empty without one."""
    verdict: str = ""
    starter: str = ""
    """The starter's person id."""
    created_at: float = 0.0
    updated_at: float = 0.0
    owner: str = ""
    """The process that runs it; empty where none does."""
    model_is_ai: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """Something a human said to a panel, before the panel has taken it in."""

    panel: str
    message_id: str
    """Unique within the panel: the same message is taken in once, however often it is delivered."""
    entry: AnyEntry
    """A human, directive, control, revised or decision entry; its `seq` is given when it is taken in."""
    id: int = 0
    """The row's number, in order of arrival; 0 before it is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What the store holds of a panel."""

    place: Place
    """Where it was opened; the log may have moved it since."""
    epoch: int
    entries: tuple[AnyEntry, ...]
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One commit: all of it is there afterwards, or nothing."""

    entries: tuple[AnyEntry, ...] = ()
    """With their `seq` set, following the log's last."""
    deliveries: tuple[Delivery, ...] = ()
    """New ones, or known ones (same turn and part) with other values."""
    taken: tuple[int, ...] = ()
    """Signals that these entries took in."""
    summary: Summary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which panels to list; empty fields do not restrict."""

    statuses: frozenset[Status] = field(default_factory=frozenset)
    platforms: frozenset[str] = field(default_factory=frozenset)
    workspace: str | None = None
    """Of any platform; an empty one is a workspace too."""
    place: Place | None = None
    """Exactly this thread."""
    text: str = ""
    target: str = ""
    limit: int = 50


class Store(ABC):
    """The database. Every method raises StoreError where it can not be read or written."""

    @abstractmethod
    async def create(self, summary: Summary, opened: Opened, card: Delivery | None) -> None:
        """Write down a new panel: its row, its first entry, and the intent to post its card."""

    @abstractmethod
    async def load(self, panel: str, after: int = 0) -> Loaded:
        """The log after that `seq`, with all deliveries that are open and, for `after=0`, all others too.

        Raises NotFound. A row that can not be parsed is a StoreError that names the panel and the entry.
        """

    @abstractmethod
    async def claim(self, panel: str, owner: str, *, stale_before: float) -> int:
        """Take the panel over and return its new epoch.

        Raises NotAllowed while another owner lives: one whose last beat is at or after `stale_before`.
        """

    @abstractmethod
    async def release(self, panel: str, epoch: int) -> None:
        """Give the panel back, where the epoch is still ours."""

    @abstractmethod
    async def commit(self, panel: str, epoch: int, write: Write) -> None:
        """Write in one commit. Raises Fenced, writing nothing, where the epoch is no longer the panel's.

        An id that the platform has confirmed stays, whatever a known delivery says. Where an entry notes that a message
        was deleted, that message's words leave the log in the same commit.
        """

    @abstractmethod
    async def confirm(self, panel: str, turn: int, part: int, ext_id: str, *, next_at: float | None) -> str:
        """Record the platform's id of a post, if none is recorded yet, and return the one that stands.

        The next part of the same turn, if any, gets `next_at` as its `attempted_at` in the same commit. Not fenced: a
        process that was taken over must still be able to say that its post is there.
        """

    @abstractmethod
    async def rearm(self, panel: str, turn: int, part: int, *, seen: float, now: float) -> bool:
        """Set `attempted_at` from `seen` to `now` on an unconfirmed post; false where somebody else did already."""

    @abstractmethod
    async def delivery(self, panel: str, turn: int, part: int) -> Delivery | None:
        """One post as it stands in the store now."""

    @abstractmethod
    async def signal(self, signal: Signal) -> bool:
        """Put it into the panel's inbox; false where the same message is there already."""

    @abstractmethod
    async def signals(self, panel: str) -> tuple[Signal, ...]:
        """The panel's inbox, oldest first: what no commit has taken in yet."""

    @abstractmethod
    async def rung(self) -> frozenset[str]:
        """The panels whose inbox is not empty, whoever runs them."""

    @abstractmethod
    async def summaries(self, query: Query) -> tuple[Summary, ...]:
        """Panels, the newest first."""

    @abstractmethod
    async def beat(self, owner: str, now: float) -> None:
        """This process lives."""

    @abstractmethod
    async def ownerless(self, platforms: frozenset[str], *, stale_before: float) -> tuple[str, ...]:
        """Running panels of these platforms whose owner does not live, oldest first."""

    @abstractmethod
    async def first_seen(self, event: str, now: float) -> bool:
        """True the first time an event id is asked about, false afterwards; ids are kept for at least 26 hours."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of the database."""


class Shelf(ABC):
    """Named JSON values per workspace with their history: personas, notes, presets, settings."""

    @abstractmethod
    async def put(
        self,
        workspace: str,
        kind: str,
        name: str,
        value: str | None,
        by: Person,
        now: float,
        *,
        after: int | None = None,
    ) -> int:
        """Keep a new version (None removes); returns its number, counting from 1.

        `after`: only where that is the newest version's number, 0 meaning none; otherwise keeps nothing and returns 0.
        """

    @abstractmethod
    async def take(self, workspace: str, kind: str, name: str) -> str | None:
        """The newest version; None where there is none or it was removed."""

    @abstractmethod
    async def names(self, workspace: str, kind: str) -> tuple[str, ...]:
        """The names that have a value, sorted."""

    @abstractmethod
    async def values(self, workspace: str, kind: str) -> dict[str, str]:
        """Name → newest version, for all names that have a value, sorted by name."""

    @abstractmethod
    async def history(self, workspace: str, kind: str, name: str) -> tuple[tuple[int, float, str, str | None], ...]:
        """(version, at, person's name, value), the newest first."""
