"""A whole house on the test server: real SDK, real store, rehearsal voices, panels that run."""

import asyncio
import os
import secrets
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
from bot.core.engine.watching import Watch as HouseWatch
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
class Bot:
    """The program as a test sees it."""

    store: SqlStore
    platform: Slack
    surface: SlackSurface
    driver: LocalDriver
    orchestrator: Orchestrator
    hearing: Hearing
    watch: HouseWatch

    async def panels(self) -> tuple[Summary, ...]:
        return await self.store.summaries(Query())


@dataclass(slots=True, kw_only=True)
class House(Bot):
    """The program, and the Slack that it talks to."""

    server: SlackServer

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
async def bot(
    settings: SlackSettings,
    folder: Path,
    *,
    delay: float = 0.0,
    settle: float = 1.5,
    interval: float = 0.0,
    roots: Mapping[str, Path] | None = None,
    tokens: Tokens | None = None,
    watch: Watch = QUICK,
    catalog: str = "",
) -> AsyncIterator[Bot]:
    """The program on real parts, its surface running; `delay` is how long a turn takes."""
    owner = f"test/{os.getpid()}/{secrets.token_hex(4)}"
    clock, store = RealClock(), await open_store(f"sqlite:///{folder / 'panelist.db'}")
    platform = slack_platform(settings, shelf=store.shelf, clock=clock, tokens=tokens, interval=interval)
    casting = HouseCasting({REHEARSAL: Rehearsal(clock, delay)}, ModelSettings(named=REHEARSAL))
    voices = Voices(
        models={REHEARSAL: Rehearsal(clock, delay)},
        host_model=ModelId(provider=REHEARSAL, name=REHEARSAL),
        prices=NoPrices(),
        templates=templates(),
        clock=clock,
    )
    timing = Timing(settle=settle, poll=0.05, beat=0.2, stale=1.0, revive=0.5)
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
        timing=timing,
        owner=owner,
    )
    driver = LocalDriver(orchestrator.run, clock, drives=True)
    catalogs = Book(shelf=store.shelf, clock=clock, folder=catalog, strict=False)
    targets = LocalTargets(dict(roots or {}))

    async def ring(panel: str) -> None:
        orchestrator.ring(panel)
        await driver.kick(panel)

    hearing = Hearing(
        store=store, shelf=store.shelf, platforms=platforms, clock=clock, ring=ring, bench=Bench(catalogs, casting)
    )
    services = Services(
        platform=platform,
        hearing=hearing,
        starts=Starts(store=store, clock=clock, catalogs=catalogs, targets=targets, casting=casting),
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
    keeping = HouseWatch(
        store=store,
        orchestrator=orchestrator,
        driver=driver,
        clock=clock,
        timing=timing,
        owner=owner,
        platforms=frozenset(platforms),
        catch_up=hearing.catch_up,
    )
    serving = asyncio.create_task(surface.run())
    try:
        yield Bot(
            store=store,
            platform=platform,
            surface=surface,
            driver=driver,
            orchestrator=orchestrator,
            hearing=hearing,
            watch=keeping,
        )
    finally:
        await driver.stop()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await store.close()


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
    """A house on that server, connected; other names are those of `SlackSettings`."""
    settings = settings_of(server, **given)
    parts: dict[str, Any] = {"delay": delay, "settle": settle, "interval": interval}
    async with bot(settings, folder, roots=roots, tokens=tokens, watch=watch, **parts) as made:
        if connect:
            await server.sockets.has_connected(1)
        yield House(
            server=server,
            store=made.store,
            platform=made.platform,
            surface=made.surface,
            driver=made.driver,
            orchestrator=made.orchestrator,
            hearing=made.hearing,
            watch=made.watch,
        )
