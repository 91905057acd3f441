"""The core with rehearsed voices behind a bot on Discord, wherever that is connected."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from adapters.discord.service import Discord, DiscordSettings
from adapters.discord.services import Services
from adapters.documents.reading import LocalTargets
from adapters.models.rehearsal import Rehearsal
from bot.core.archive import Archive
from bot.core.clock import Clock
from bot.core.desk.service import Desk
from bot.core.engine.driver import LocalDriver
from bot.core.fold import opened
from bot.core.model import ChatModel, ModelId
from bot.core.orchestrator import Orchestrator
from bot.core.panel import Panel
from bot.core.speech.budget import Purse
from bot.core.speech.casting import HouseCasting, ModelSettings
from bot.core.speech.model_names import REHEARSAL
from bot.core.speech.voices import Voices
from bot.core.starting.catalogs import Catalogs
from bot.core.starting.starts import Starts
from bot.core.steering.bench import Bench
from bot.core.steering.hearing import Hearing
from bot.core.store import Query, Shelf, Store
from bot.core.timing import Timing
from bot.wiring import formats, templates
from personas.book import Book
from personas.files import MarkdownFiles
from storage.memory import MemoryStore
from storage.store import SqlStore
from tests.discord.house import QuickClient, SkippingClock
from tests.fakes.archive import MemoryArchive
from tests.fakes.stage import FlatPrices
from tests.fakes.toolbox import MemoryToolbox, MemoryToolboxes

TIMING = Timing(settle=1.5, poll=0.02, beat=0.5, stale=2.0)


@dataclass(slots=True, kw_only=True)
class Household:
    """One process of the house."""

    store: Store
    shelf: Shelf
    clock: Clock
    bot: Discord
    hearing: Hearing
    driver: LocalDriver
    orchestrator: Orchestrator
    services: Services

    async def panel(self) -> Panel:
        """The newest panel as the store has it."""
        rows = await self.store.summaries(Query(limit=1))
        loaded = await self.store.load(rows[0].id)
        return opened(rows[0].id, loaded.place, loaded.entries)

    async def until(self, fact: Callable[[Panel], object], seconds: float = 20.0) -> Panel:
        """The newest panel, once that is true of it."""
        async with asyncio.timeout(seconds):
            while True:
                if await self.store.summaries(Query(limit=1)):
                    panel = await self.panel()
                    if fact(panel):
                        return panel
                await asyncio.sleep(0.01)

    async def ended(self, seconds: float = 30.0) -> Panel:
        """The newest panel, once it has ended and rests."""
        panel = await self.until(lambda it: it.status in ("finished", "stopped", "failed"), seconds)
        async with asyncio.timeout(seconds):
            await self.driver.settled(panel.id)
        return await self.panel()


def household(
    settings: DiscordSettings,
    *,
    store: MemoryStore | SqlStore | None = None,
    models: dict[str, ChatModel] | None = None,
    clock: Clock | None = None,
    timing: Timing = TIMING,
    owner: str = "one",
    client: QuickClient | None = None,
    archive: Archive | None = None,
    catalog: str = "",
    catalogs: Catalogs | None = None,
    delay: float = 0.0,
) -> Household:
    """The house, not yet connected. `delay`: seconds that a rehearsed turn takes."""
    store = store or MemoryStore()
    shelf, clock = store.shelf, clock or SkippingClock()
    bot = Discord(settings, shelf=shelf, clock=clock, client=client or QuickClient())
    voices_of: dict[str, ChatModel] = models or {REHEARSAL: Rehearsal(clock, delay)}
    prices = FlatPrices(0.001)
    named = REHEARSAL if models is None else next(iter(voices_of))
    voices = Voices(
        models=voices_of,
        host_model=ModelId(provider=named, name=named),
        prices=prices,
        templates=templates(),
        clock=clock,
    )
    platforms = {"discord": bot.platform}
    orchestrator = Orchestrator(
        store=store,
        platforms=platforms,
        formats=formats(),
        voices=voices,
        purse=Purse(voices),
        archive=archive or MemoryArchive(),
        toolboxes=MemoryToolboxes(MemoryToolbox({})),
        clock=clock,
        timing=timing,
        owner=owner,
    )
    driver = LocalDriver(orchestrator.run, clock)
    catalogs = catalogs or Book(shelf=shelf, clock=clock, folder=catalog, strict=False)
    casting = HouseCasting(voices_of, ModelSettings(named=REHEARSAL if models is None else f"{named}:one"))

    async def ring(panel: str) -> None:
        orchestrator.ring(panel)
        await driver.kick(panel)

    hearing = Hearing(
        store=store, shelf=shelf, platforms=platforms, clock=clock, ring=ring, bench=Bench(catalogs, casting)
    )
    desk = Desk(store=store, shelf=shelf, catalogs=catalogs, files=MarkdownFiles(), clock=clock, hear=hearing.hear)
    starts = Starts(store=store, clock=clock, catalogs=catalogs, targets=LocalTargets({}), casting=casting)
    services = Services(
        store=store,
        shelf=shelf,
        clock=clock,
        hearing=hearing,
        starts=starts,
        catalogs=catalogs,
        kick=driver.kick,
        desk=desk,
    )
    return Household(
        store=store,
        shelf=shelf,
        clock=clock,
        bot=bot,
        hearing=hearing,
        driver=driver,
        orchestrator=orchestrator,
        services=services,
    )
