"""A panel in the hands of the process that runs it: its state, its epoch, its outbox; every write goes through here."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from bot.core.clock import Clock
from bot.core.engine.job import Job
from bot.core.entries import AnyEntry, Control, Directive, Human, Revised, Status, StatusChanged, Turn
from bot.core.fold import fold, opened
from bot.core.panel import Panel
from bot.core.store import Delivery, Loaded, Store, Write
from bot.core.summary import summary_of

_LINK = re.compile(r"https?://[^\s<>()\[\]\"']+")


def links_in(*texts: str) -> frozenset[str]:
    """The web addresses in these texts."""
    return frozenset(link.rstrip(".,;:!?") for text in texts for link in _LINK.findall(text))


class Session:
    """State and outbox of one claimed panel. Only the holder of the epoch writes; writes are one at a time."""

    def __init__(self, store: Store, clock: Clock, panel: Panel, loaded: Loaded, epoch: int) -> None:
        self.panel = panel
        self.epoch = epoch
        self.fresh: dict[tuple[int, int], float | None] = {}
        """(turn, part) → `attempted_at` of intents that this process wrote and has not sent yet."""
        self.jobs: dict[tuple[str, int, str, int], Job] = {}
        """The model calls under way, by their cue's key."""
        self._outbox: dict[tuple[int, int], Delivery] = {}
        self._open: dict[tuple[int, int], Delivery] = {}
        self._links = links_in(panel.topic, *(document.text for document in panel.opened.documents))
        self._looked_at = 0
        self._store, self._clock = store, clock
        self._writing = asyncio.Lock()
        for delivery in loaded.deliveries:
            self.know(delivery)

    @classmethod
    async def claimed(cls, store: Store, clock: Clock, panel: str, epoch: int) -> "Session":
        """The session of a panel whose epoch was just claimed."""
        loaded = await store.load(panel)
        return cls(store, clock, opened(panel, loaded.place, loaded.entries), loaded, epoch)

    @property
    def outbox(self) -> Mapping[tuple[int, int], Delivery]:
        """Every post, by turn and part."""
        return MappingProxyType(self._outbox)

    @property
    def running(self) -> bool:
        return self.panel.status == "running"

    def is_(self, *statuses: Status) -> bool:
        return self.panel.status in statuses

    def turn(self, seq: int) -> Turn | None:
        """The turn of that number; None for an entry that is none."""
        entry = self.panel.entries[seq - 1] if 0 < seq <= len(self.panel.entries) else None
        return entry if isinstance(entry, Turn) else None

    def undelivered(self) -> tuple[Delivery, ...]:
        """Open posts in the order in which they are due: by round, speaking order, then the log."""
        return tuple(sorted(self._open.values(), key=self._due))

    def _due(self, delivery: Delivery) -> tuple[int, int, int, int]:
        turn = self.turn(delivery.turn)
        return (turn.round if turn else 0, turn.order if turn else 0, delivery.turn, delivery.part)

    def parts_of(self, turn: int) -> tuple[Delivery, ...]:
        """The posts of one turn, in order."""
        first = self._outbox.get((turn, 1))
        parts = range(1, first.parts + 1) if first else ()
        return tuple(self._outbox[turn, part] for part in parts if (turn, part) in self._outbox)

    def was_sent(self, turn: int) -> bool:
        """True when a post of that turn was confirmed or at least tried."""
        return any(d.ext_id is not None or d.attempted_at is not None for d in self.parts_of(turn))

    def may_say(self, turn: int) -> bool:
        """After a stop nothing more is posted, except the answer to what was asked afterwards."""
        if not self.is_("stopped", "failed"):
            return True
        said = self.turn(turn)
        return self.is_("stopped") and said is not None and said.ref > self._ended_at()

    def _ended_at(self) -> int:
        changes = (entry.seq for entry in reversed(self.panel.entries) if isinstance(entry, StatusChanged))
        return next(changes, 0)

    def links(self) -> frozenset[str]:
        """The addresses that stand in what the panel was opened with, or in what people wrote since."""
        new = self.panel.entries[self._looked_at :]
        self._looked_at = len(self.panel.entries)
        said = (e.text for e in new if isinstance(e, Human | Directive | Control | Revised))
        self._links |= links_in(*(text for text in said if text))
        return self._links

    async def write(
        self,
        *entries: AnyEntry,
        deliveries: Iterable[Delivery] = (),
        taken: tuple[int, ...] = (),
    ) -> tuple[AnyEntry, ...]:
        """Append entries, giving each its `seq` and time, in one commit; then fold them. Returns them as written.

        A delivery whose `turn` is 0 belongs to the first entry. Once begun it is brought to its end, whoever is
        cancelled meanwhile: the state here never falls behind the store. Raises Fenced where another process has the
        panel.
        """
        writing = asyncio.ensure_future(self._write(entries, tuple(deliveries), taken))
        try:
            return await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait({writing})
            if not writing.cancelled():
                writing.exception()  # nobody waits for it any more
            raise

    async def _write(
        self, entries: tuple[AnyEntry, ...], deliveries: tuple[Delivery, ...], taken: tuple[int, ...]
    ) -> tuple[AnyEntry, ...]:
        async with self._writing:
            now = self._clock.now()
            written = tuple(
                entry.model_copy(update={"seq": self.panel.last_seq + number, "at": entry.at or now})
                for number, entry in enumerate(entries, 1)
            )
            first = self.panel.last_seq + 1
            outgoing = tuple(d if d.turn else replace(d, turn=first) for d in deliveries)
            state = fold(self.panel, written)
            write = Write(entries=written, deliveries=outgoing, taken=taken, summary=summary_of(state, now))
            await self._store.commit(self.panel.id, self.epoch, write)
            self.panel = state
            for delivery in outgoing:
                self.know(delivery)
                if first == delivery.turn and delivery.attempted_at is not None:
                    self.fresh[delivery.turn, delivery.part] = delivery.attempted_at
            return written

    async def become(self, status: Status, reason: str = "", by: str = "") -> None:
        """Write down a new status, where it is one."""
        if self.panel.status != status or self.panel.reason != reason:
            await self.write(StatusChanged(status=status, reason=reason, by=by))

    def know(self, delivery: Delivery) -> None:
        """Remember how a post stands in the store."""
        key = (delivery.turn, delivery.part)
        self._outbox[key] = delivery
        if delivery.open:
            self._open[key] = delivery
        else:
            self._open.pop(key, None)
