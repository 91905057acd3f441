"""One thread with a panel, a store, and somebody who listens."""

from dataclasses import replace

from bot.core.engine.session import Session
from bot.core.entries import AnyEntry, Opened
from bot.core.errors import CatalogError
from bot.core.panel import Panel
from bot.core.place import Person, Place
from bot.core.platform import Heard
from bot.core.starting.catalog import Catalog
from bot.core.starting.catalogs import Catalogs
from bot.core.steering.bench import Bench
from bot.core.steering.hearing import Hearing
from bot.core.steering.outcome import entries_of
from bot.core.steering.taking import Taken
from bot.core.summary import summary_of
from storage.memory import MemoryStore
from tests.core.steered import BENCH, MARIA, PLACE, in_phase
from tests.fakes.receipts import ReceiptPlatform, StillClock


class Shelved(Catalogs):
    """A catalog of the bench, or none that can be read."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken

    async def of(self, place: Place) -> Catalog:
        if self.broken:
            raise CatalogError("the folder is gone")
        return Catalog(personas=tuple(seat.persona for seat in BENCH))


class Thread:
    """One thread with a panel, a store, and somebody who listens."""

    def __init__(self, platform: ReceiptPlatform | None = None, bench: Bench | None = None) -> None:
        self.store, self.clock = MemoryStore(), StillClock()
        self.platform = platform or ReceiptPlatform()
        self.rung: list[str] = []
        self.hearing = Hearing(
            store=self.store,
            shelf=self.store.shelf,
            platforms={"fake": self.platform},
            clock=self.clock,
            ring=self._ring,
            bench=bench,
        )
        self._number = 0

    async def _ring(self, panel: str) -> None:
        self.rung.append(panel)

    async def open(self, panel: Panel, panel_id: str = "p1") -> None:
        """Store the panel with its whole log."""
        first = panel.entries[0]
        assert isinstance(first, Opened)
        await self.store.create(replace(summary_of(panel, panel.opened.at), id=panel_id), first, None)
        epoch = await self.store.claim(panel_id, "owner", stale_before=0)
        session = await Session.claimed(self.store, self.clock, panel_id, epoch)
        if panel.entries[1:]:
            await session.write(*panel.entries[1:])

    async def hear(self, text: str, author: Person = MARIA, **given: object) -> Taken:
        """A message with an id of its own unless one is given."""
        self._number += 1
        fields: dict[str, object] = {"message_id": f"m{self._number}", "at": 2000.0 + self._number, **given}
        return await self.hearing.hear(Heard(place=PLACE, author=author, text=text, **fields))  # type: ignore[arg-type]  # fields of Heard by name

    async def take_in(self, panel_id: str = "p1") -> Panel:
        """What an orchestrator does with the inbox."""
        epoch = await self.store.claim(panel_id, "owner", stale_before=0)
        session = await Session.claimed(self.store, self.clock, panel_id, epoch)
        for signal in await self.store.signals(panel_id):
            await session.write(*entries_of(session.panel, signal.entry), taken=(signal.id,))
        return session.panel

    async def inbox(self) -> list[AnyEntry]:
        return [signal.entry for signal in await self.store.signals("p1")]


async def running() -> Thread:
    """A thread whose discussion runs."""
    thread = Thread()
    await thread.open(in_phase("running"))
    return thread
