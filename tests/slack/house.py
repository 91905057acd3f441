"""A whole house on the test server: real SDK, real store, rehearsal voices, panels that run."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.documents.reading import LocalTargets
from adapters.documents.toolboxes import LocalToolboxes
from adapters.models.rehearsal import Rehearsal
from adapters.slack.accounts import Tokens
from adapters.slack.platform import Slack
from adapters.slack.services import Services
from adapters.slack.socket import Watch
from adapters.slack.surface import SlackSettings, SlackSurface, slack_platform
from bot.core.desk.service import Desk
from bot.core.engine.driver import LocalDriver
from bot.core.model import ModelId, NoPrices
from bot.core.orchestrator import Orchestrator
from bot.core.platform import ChatPlatform
from bot.core.speech.budget import Purse
from bot.core.speech.casting import HouseCasting, ModelSettings
from bot.core.speech.model_names import REHEARSAL
from bot.core.speech.voices import Voices
from bot.core.starting.starts import Starts
from bot.core.steering.bench import Bench
from bot.core.steering.hearing import Hearing
from bot.core.store import Query, Summary
from bot.core.timing import Timing
from bot.wiring import formats, templates
from personas.book import Book
from personas.files import MarkdownFiles
from storage.archive import FileArchive
from storage.opening import open_store
from storage.store import SqlStore
from tests.servers.slack import SlackServer
from tests.slack.stages import RealClock

QUICK = Watch(ping=5.0, tick=0.1, connect=2.0, grace=1.0, deaf=30.0, quiet=60.0, rest=0.1)


@dataclass(slots=True, kw_only=True)
class House:
    """What a test looks at."""

    server: SlackServer
    store: SqlStore
    platform: Slack
    surface: SlackSurface
    driver: LocalDriver
    orchestrator: Orchestrator
    hearing: Hearing

    async def panels(self) -> tuple[Summary, ...]:
        return await self.store.summaries(Query())

    async def settled(self) -> None:
        """Return when nothing is under way any more."""
        await self.server.settled()
        await self.platform.errands.settled()
        await self.driver.all_settled()
        await self.server.settled()
        await self.platform.errands.settled()


def settings_of(server: SlackServer, **given: Any) -> SlackSettings:
    tokens = {"bot_token": server.bot_token, "app_token": server.app_token}
    return SlackSettings(api_url=server.api_url, **{**tokens, **given})


@asynccontextmanager
async def house(
    server: SlackServer,
    folder: Path,
    *,
    delay: float = 0.0,
    settle: float = 1.5,
    interval: float = 0.0,
    roots: Mapping[str, Path] | None = None,
    tokens: Tokens | None = None,
    watch: Watch = QUICK,
    connect: bool = True,
    **given: Any,
) -> AsyncIterator[House]:
    """A house, connected to Slack; `delay` is how long a turn takes."""
    clock, store = RealClock(), await open_store(f"sqlite:///{folder / 'panelist.db'}")
    settings = settings_of(server, **given)
    platform = slack_platform(settings, shelf=store.shelf, clock=clock, tokens=tokens, interval=interval)
    casting = HouseCasting({REHEARSAL: Rehearsal(clock, delay)}, ModelSettings(named=REHEARSAL))
    voices = Voices(
        models={REHEARSAL: Rehearsal(clock, delay)},
        host_model=ModelId(provider=REHEARSAL, name=REHEARSAL),
        prices=NoPrices(),
        templates=templates(),
        clock=clock,
    )
    platforms: dict[str, ChatPlatform] = {"slack": platform}
    orchestrator = Orchestrator(
        store=store,
        platforms=platforms,
        formats=formats(),
        voices=voices,
        purse=Purse(voices),
        archive=FileArchive(folder),
        toolboxes=LocalToolboxes(dict(roots or {})),
        clock=clock,
        timing=Timing(settle=settle, poll=0.05, beat=0.2, stale=1.0),
        owner=f"test-{id(store)}",
    )
    driver = LocalDriver(orchestrator.run, clock, drives=True)
    catalogs = Book(shelf=store.shelf, clock=clock, folder="", strict=False)

    async def ring(panel: str) -> None:
        orchestrator.ring(panel)
        await driver.kick(panel)

    hearing = Hearing(
        store=store, shelf=store.shelf, platforms=platforms, clock=clock, ring=ring, bench=Bench(catalogs, casting)
    )
    services = Services(
        platform=platform,
        hearing=hearing,
        starts=Starts(
            store=store, clock=clock, catalogs=catalogs, targets=LocalTargets(dict(roots or {})), casting=casting
        ),
        desk=Desk(
            store=store,
            shelf=store.shelf,
            catalogs=catalogs,
            files=MarkdownFiles(),
            clock=clock,
            hear=hearing.hear,
            grantable=frozenset(roots or {}),
        ),
        store=store,
        shelf=store.shelf,
        catalogs=catalogs,
        clock=clock,
        kick=driver.kick,
    )
    surface = SlackSurface(services, settings, watch=watch)
    it = House(
        server=server,
        store=store,
        platform=platform,
        surface=surface,
        driver=driver,
        orchestrator=orchestrator,
        hearing=hearing,
    )
    serving = asyncio.create_task(surface.run())
    try:
        if connect:
            await server.sockets.has_connected(1)
        yield it
    finally:
        await driver.stop()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await store.close()
