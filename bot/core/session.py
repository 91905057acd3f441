"""A panel in the hands of the process that runs it: its state, its epoch, its outbox; every write goes through here."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import replace

from bot.core.clock import Clock
from bot.core.entries import AnyEntry, Status, StatusChanged
from bot.core.fold import fold, opened
from bot.core.job import Job
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
        self.outbox: dict[tuple[int, int], Delivery] = {(d.turn, d.part): d for d in loaded.deliveries}
        self.fresh: dict[tuple[int, int], float | None] = {}
        """(turn, part) → `attempted_at` of intents that this process wrote and has not sent yet."""
        self.links = links_in(panel.topic, *(document.text for document in panel.opened.documents))
        """The addresses that stand in what the panel was opened with."""
        self.jobs: dict[tuple[str, int, str, int], Job] = {}
        """The model calls under way, by their cue's key."""
        self.answering = False
        """True while a question is answered after the end."""
        self._store = store
        self._clock = clock
        self._writing = asyncio.Lock()

    @classmethod
    async def claimed(cls, store: Store, clock: Clock, panel: str, epoch: int) -> "Session":
        """The session of a panel whose epoch was just claimed."""
        loaded = await store.load(panel)
        return cls(store, clock, opened(panel, loaded.place, loaded.entries), loaded, epoch)

    @property
    def running(self) -> bool:
        return self.panel.status == "running"

    def is_(self, *statuses: Status) -> bool:
        return self.panel.status in statuses

    def undelivered(self) -> tuple[Delivery, ...]:
        """Open posts in the order in which they are due: by round, speaking order, then the log."""
        order = {turn.seq: (turn.round, turn.order) for turn in self.panel.turns}
        waiting = (delivery for delivery in self.outbox.values() if delivery.open)
        return tuple(sorted(waiting, key=lambda d: (*order.get(d.turn, (0, 0)), d.turn, d.part)))

    def parts_of(self, turn: int) -> tuple[Delivery, ...]:
        return tuple(sorted((d for d in self.outbox.values() if d.turn == turn), key=lambda d: d.part))

    def was_sent(self, turn: int) -> bool:
        """True when a post of that turn was confirmed or at least tried."""
        return any(d.ext_id is not None or d.attempted_at is not None for d in self.parts_of(turn))

    async def write(
        self,
        *entries: AnyEntry,
        deliveries: Iterable[Delivery] = (),
        taken: tuple[int, ...] = (),
    ) -> tuple[AnyEntry, ...]:
        """Append entries, giving each its `seq` and time, in one commit; then fold them. Returns them as written.

        A delivery whose `turn` is 0 belongs to the first entry. Raises Fenced where another process has the panel.
        """
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
                    self.fresh[(delivery.turn, delivery.part)] = delivery.attempted_at
            return written

    async def become(self, status: Status, reason: str = "", by: str = "") -> None:
        """Write down a new status, where it is one."""
        if self.panel.status != status or self.panel.reason != reason:
            await self.write(StatusChanged(status=status, reason=reason, by=by))

    def know(self, delivery: Delivery) -> None:
        """Remember how a post stands in the store."""
        self.outbox[(delivery.turn, delivery.part)] = delivery
