"""A whole house on Discord: real library, real core, rehearsed voices; only the other side of the wire is ours."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapters.discord.service import Discord, DiscordSettings
from adapters.discord.services import Services
from adapters.documents.reading import LocalTargets
from adapters.models.rehearsal import Rehearsal
from bot.core.bench import Bench
from bot.core.budget import Purse
from bot.core.casting import HouseCasting, ModelSettings
from bot.core.clock import Clock
from bot.core.desk import Desk
from bot.core.driver import LocalDriver
from bot.core.fold import opened
from bot.core.hearing import Hearing
from bot.core.model import ChatModel, ModelId
from bot.core.model_names import REHEARSAL
from bot.core.orchestrator import Orchestrator
from bot.core.panel import Panel
from bot.core.starts import Starts
from bot.core.store import Query, Shelf, Store
from bot.core.timing import Timing
from bot.core.voices import Voices
from bot.wiring import formats, templates
from personas.book import Book
from personas.files import MarkdownFiles
from storage.memory import MemoryStore
from tests.discord.house import QuickClient, SkippingClock, stage
from tests.fakes.archive import MemoryArchive
from tests.fakes.stage import FlatPrices
from tests.fakes.toolbox import MemoryToolbox, MemoryToolboxes
from tests.servers.discord import DiscordServer, Rules
from tests.servers.discord.world import Interaction, Message

TIMING = Timing(settle=1.5, poll=0.02, beat=0.5, stale=2.0)


@dataclass(slots=True, kw_only=True)
class Room:
    """One process of the house, connected to the test server."""

    server: DiscordServer
    store: Store
    shelf: Shelf
    clock: Clock
    bot: Discord
    hearing: Hearing
    driver: LocalDriver
    orchestrator: Orchestrator
    services: Services
    archive: MemoryArchive

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

    async def answer(self, asked: Interaction) -> Message:
        """What the one who asked is told, once it is there."""
        await self.server.until(lambda: self._answers(asked), timeout=10.0)
        return self._answers(asked)[-1]

    def _answers(self, asked: Interaction) -> list[Message]:
        """Without the message under which a button was pressed."""
        return [one for one in asked.answers if one is not asked.message]

    def said(self, panel: Panel) -> list[tuple[str, str]]:
        """(name, words) of what stands in the panel's thread, without card, files and notices; oldest first."""
        shown = [one for one in self.server.posts(int(panel.place.thread)) if speaks(one)]
        return [(one.author.name, one.content) for one in shown]

    def card(self, panel: Panel) -> Message:
        """The panel's card."""
        for one in self.server.platform.created:
            if one.components and panel.id in str(one.components) and not one.visible_to:
                return one
        raise AssertionError("there is no card")


def speaks(message: Message) -> bool:
    """True for a turn of a persona or the host."""
    return message.kind == 0 and not message.components and not message.attachments and bool(message.content)


def build(
    server: DiscordServer,
    *,
    store: MemoryStore | None = None,
    models: dict[str, ChatModel] | None = None,
    clock: Clock | None = None,
    timing: Timing = TIMING,
    owner: str = "one",
    message_content: bool = True,
    public_url: str = "",
    client: QuickClient | None = None,
    catalog: str = "",
    delay: float = 0.0,
) -> Room:
    """The house, not yet connected."""
    store = store or MemoryStore()
    shelf, clock = store.shelf, clock or SkippingClock()
    client = client or QuickClient(message_content=message_content)
    settings = DiscordSettings(token=server.token, api_url=server.api, public_url=public_url)
    bot = Discord(settings, shelf=shelf, clock=clock, client=client)
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
    archive = MemoryArchive()
    platforms = {"discord": bot.platform}
    orchestrator = Orchestrator(
        store=store,
        platforms=platforms,
        formats=formats(),
        voices=voices,
        purse=Purse(voices),
        archive=archive,
        toolboxes=MemoryToolboxes(MemoryToolbox({})),
        clock=clock,
        timing=timing,
        owner=owner,
    )
    driver = LocalDriver(orchestrator.run, clock)
    catalogs = Book(shelf=shelf, clock=clock, folder=catalog, strict=False)
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
    return Room(
        server=server,
        store=store,
        shelf=shelf,
        clock=clock,
        bot=bot,
        hearing=hearing,
        driver=driver,
        orchestrator=orchestrator,
        services=services,
        archive=archive,
    )


@asynccontextmanager
async def lives(room: Room) -> AsyncIterator[Room]:
    """The house connected, until the block ends."""
    await room.store.beat("one", room.clock.now() + 1e6)
    serving = asyncio.create_task(room.bot.run(room.services))
    try:
        await ready(room, serving)
        yield room
    finally:
        await room.driver.stop()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def ready(room: Room, serving: "asyncio.Task[None]") -> None:
    """Return once the bot is on the gateway; raises what its run raised."""
    async with asyncio.timeout(20):
        while not room.bot.client.is_ready():
            if serving.done():
                serving.result()
            await asyncio.sleep(0.005)


@asynccontextmanager
async def room(*, rules: Rules | None = None, **parts: object) -> AsyncIterator[Room]:
    """A server, and a house connected to it."""
    async with stage(rules=rules) as server, lives(build(server, **parts)) as it:  # type: ignore[arg-type]
        yield it
