"""The one place that names concrete classes: from settings to a house that can run panels."""

import asyncio
import os
import random
import secrets
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from adapters.documents.reading import LocalTargets
from adapters.documents.toolboxes import LocalToolboxes
from adapters.models.prices import OfflinePrices
from adapters.models.rehearsal import Rehearsal
from adapters.terminal.platform import Terminal
from adapters.terminal.view import View
from bot.core.archive import Archive
from bot.core.bench import Bench
from bot.core.budget import Purse
from bot.core.casting import HouseCasting, ModelSettings
from bot.core.catalogs import Catalogs
from bot.core.clock import Clock
from bot.core.council import Council
from bot.core.debate import Debate
from bot.core.desk import Desk
from bot.core.discussion import Discussion
from bot.core.driver import LocalDriver
from bot.core.errors import NoModel
from bot.core.format import Format
from bot.core.hearing import Hearing
from bot.core.limiter import Limiter
from bot.core.model import ChatModel, ModelId
from bot.core.model_names import REHEARSAL
from bot.core.orchestrator import Orchestrator
from bot.core.panel import OPEN
from bot.core.platform import ChatPlatform
from bot.core.retry import Retrying
from bot.core.review import Review
from bot.core.selecting import Selecting
from bot.core.starts import Starts
from bot.core.store import Query, Shelf, Store
from bot.core.targets import WORKING_FOLDER, Reach
from bot.core.timing import Timing
from bot.core.voices import Voices
from bot.core.watching import Watch
from bot.core.weighing import Weighing
from bot.core.workspace import WorkspaceSettings
from bot.settings import Settings
from personas.book import Book, default_folder
from personas.contract_check import BoundedContracts
from personas.files import MarkdownFiles
from storage.archive import FileArchive
from storage.opening import open_store
from storage.store import SqlStore


class SystemClock(Clock):
    """The machine's time."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    def jitter(self) -> float:
        return random.random()


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Everything that commands and servers work with."""

    settings: Settings
    clock: Clock
    store: Store
    shelf: Shelf
    catalogs: Catalogs
    orchestrator: Orchestrator
    driver: LocalDriver
    hearing: Hearing
    starts: Starts
    desk: Desk
    view: View
    watch: Watch
    owner: str
    """This process's name among those that may run panels."""
    models: Mapping[str, ChatModel]
    """Providers by name."""


def templates() -> dict[str, str]:
    """The prompt texts, by name."""
    folder = files("bot.prompts")
    return {
        path.name.removesuffix(".md"): path.read_text(encoding="utf-8").strip()
        for path in folder.iterdir()
        if path.name.endswith(".md")
    }


def formats() -> dict[str, Format]:
    """Every format, by name."""
    return {format_.name: format_ for format_ in (Discussion(), Debate(), Review(), Council())}


def timing(settings: Settings) -> Timing:
    """The time constants of this deployment."""
    return Timing(settle=settings.settle, poll=settings.poll, beat=settings.beat, stale=settings.stale)


def providers(settings: Settings, clock: Clock) -> dict[str, ChatModel]:
    """The configured providers by name, the first being the default; the rehearsal is always there to be named.

    SDKs are imported only where they are used: they take a second.
    """
    models: dict[str, ChatModel] = {}
    if settings.anthropic_api_key or settings.anthropic_base_url:
        from adapters.models.anthropic_api.provider import AnthropicModels

        key, url = settings.anthropic_api_key, settings.anthropic_base_url
        models["anthropic"] = patient(AnthropicModels(clock, api_key=key, base_url=url), "anthropic", clock)
    if settings.openai_base_url:
        key, url = settings.openai_api_key, settings.openai_base_url
        models["openai"] = patient(_openai(clock, key, url), "openai", clock)
    models[REHEARSAL] = Rehearsal(clock, settings.rehearsal_delay or 0.0)
    return models


def _openai(clock: Clock, key: str, url: str) -> ChatModel:
    """The provider of the extra `openai`. Raises NoModel where that is not installed."""
    try:
        from adapters.models.openai_api.provider import OpenAIModels
    except ImportError as fault:
        raise NoModel(
            "PANELIST_OPENAI_BASE_URL is set, but the extra `openai` is not installed: pip install 'panelist[openai]'"
        ) from fault
    return OpenAIModels(clock, base_url=url, api_key=key)


def patient(model: ChatModel, provider: str, clock: Clock) -> ChatModel:
    """The provider behind the one retry policy and a limiter of its own."""
    return Retrying(model, provider=provider, clock=clock, limiter=Limiter(clock))


def model_settings(settings: Settings) -> ModelSettings:
    """What the settings say about models."""
    return ModelSettings(
        named=settings.model,
        tiers={"strongest": settings.strongest, "balanced": settings.balanced, "fast": settings.fast},
        custom_base_url=bool(settings.anthropic_base_url) or not settings.anthropic_api_key,
    )


def command_reach(settings: Settings) -> Reach:
    """What a command may read: below the working folder, below every root, and any file that `--file` names."""
    return Reach(roots=frozenset({WORKING_FOLDER, *settings.roots}), any_file=True)


@asynccontextmanager
async def house(settings: Settings, *, view: View, strict: bool, drives: bool) -> AsyncIterator[House]:
    """A house of this process, let go of at the end.

    `strict`: faulty persona files are an error, not set aside. `drives`: panels run by themselves when they are kicked;
    a command runs its one panel directly instead.

    Raises StoreError where the database can not be used.
    """
    store = await open_store(settings.database)
    await bury_the_dead(store)
    it = _built(settings, store, view, strict=strict, drives=drives)
    await it.watch.beat()
    watching = [asyncio.create_task(it.watch.live()), asyncio.create_task(it.watch.listen())]
    try:
        yield it
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        await it.driver.stop()
        await asyncio.gather(*(model.close() for model in it.models.values()))
        await store.close()


def _built(settings: Settings, store: SqlStore, view: View, *, strict: bool, drives: bool) -> House:
    shelf = store.shelf
    clock, roots = SystemClock(), folders(settings)
    owner = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"
    platforms: dict[str, ChatPlatform] = {"terminal": Terminal(settings.home / "threads", view)}
    models = providers(settings, clock)
    prices = OfflinePrices(settings.prices, openai_base_url=settings.openai_base_url)
    weighing = Weighing(
        models=models,
        formats=formats(),
        templates=templates(),
        prices=prices,
        go_ahead_over=settings.go_ahead_over,
    )
    casting = HouseCasting(models, model_settings(settings), weighing)
    voices = Voices(
        models=models,
        host_model=ModelId(provider=REHEARSAL, name=REHEARSAL),
        prices=prices,
        templates=templates(),
        clock=clock,
        contracts=BoundedContracts(),
    )
    orchestrator = Orchestrator(
        store=store,
        platforms=platforms,
        formats=formats(),
        voices=voices,
        purse=Purse(voices),
        archive=FileArchive(settings.home),
        toolboxes=LocalToolboxes(roots),
        clock=clock,
        timing=timing(settings),
        owner=owner,
    )
    driver = LocalDriver(orchestrator.run, clock, drives=drives)
    catalogs = book(settings, shelf, clock, strict)

    async def ring(panel: str) -> None:
        orchestrator.ring(panel)
        await driver.kick(panel)

    hearing = Hearing(
        store=store, shelf=shelf, platforms=platforms, clock=clock, ring=ring, bench=Bench(catalogs, casting)
    )
    return House(
        settings=settings,
        clock=clock,
        store=store,
        shelf=shelf,
        catalogs=catalogs,
        orchestrator=orchestrator,
        driver=driver,
        hearing=hearing,
        starts=Starts(
            store=store,
            clock=clock,
            catalogs=catalogs,
            targets=LocalTargets(roots),
            casting=casting,
            selecting=Selecting(models=models, prices=prices, templates=templates()),
        ),
        desk=Desk(
            store=store,
            shelf=shelf,
            catalogs=catalogs,
            files=MarkdownFiles(),
            clock=clock,
            hear=hearing.hear,
            defaults=WorkspaceSettings(go_ahead_over=settings.go_ahead_over),
            grantable=frozenset(settings.chat_roots),
        ),
        view=view,
        watch=Watch(
            store=store,
            orchestrator=orchestrator,
            driver=driver,
            clock=clock,
            timing=timing(settings),
            owner=owner,
            platforms=frozenset(platforms),
            catch_up=hearing.catch_up,
        ),
        owner=owner,
        models=models,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The database alone, for commands that only look."""

    store: Store
    shelf: Shelf
    catalogs: Catalogs


@asynccontextmanager
async def library(settings: Settings, *, strict: bool = True) -> AsyncIterator[Library]:
    """The database and the catalogs, let go of at the end. Raises StoreError where the database can not be used."""
    store = await open_store(settings.database)
    try:
        yield Library(store=store, shelf=store.shelf, catalogs=book(settings, store.shelf, SystemClock(), strict))
    finally:
        await store.close()


def book(settings: Settings, shelf: Shelf, clock: Clock, strict: bool) -> Book:
    """The catalogs of this deployment."""
    folder = default_folder(settings.catalog, settings.home)
    return Book(shelf=shelf, clock=clock, folder=folder, strict=strict, home=settings.home)


def archive(folder: Path) -> Archive:
    """Transcripts and records below that folder."""
    return FileArchive(folder)


def folders(settings: Settings) -> dict[str, Path]:
    """The allowed roots by name, the working folder among them."""
    return {WORKING_FOLDER: Path.cwd(), **{name: Path(folder) for name, folder in settings.roots.items()}}


async def bury_the_dead(store: Store) -> None:
    """Say of owners that were processes of this machine and are gone that they are dead: nobody need wait for them."""
    for row in await store.summaries(Query(statuses=OPEN, limit=1000)):
        host, _, rest = row.owner.partition("/")
        pid = rest.partition("/")[0]
        if host == socket.gethostname() and pid.isdigit() and not _lives(int(pid)):
            await store.beat(row.owner, 0.0)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
