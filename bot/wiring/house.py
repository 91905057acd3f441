"""The house: everything that commands and servers work with, built from settings."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapters.documents.reading import LocalTargets
from adapters.documents.toolboxes import LocalToolboxes
from adapters.models.prices import OfflinePrices
from adapters.terminal.platform import Terminal
from adapters.terminal.view import View
from bot.core.clock import Clock
from bot.core.desk.service import Desk
from bot.core.desk.workspace import WorkspaceSettings
from bot.core.engine.driver import LocalDriver
from bot.core.engine.watching import Watch
from bot.core.model import ChatModel, ModelId
from bot.core.orchestrator import Orchestrator
from bot.core.platform import ChatPlatform
from bot.core.speech.budget import Purse
from bot.core.speech.casting import HouseCasting
from bot.core.speech.model_names import REHEARSAL
from bot.core.speech.voices import Voices
from bot.core.speech.weighing import Weighing
from bot.core.starting.catalogs import Catalogs
from bot.core.starting.selecting import Selecting
from bot.core.starting.starts import Starts
from bot.core.steering.bench import Bench
from bot.core.steering.hearing import Hearing
from bot.core.store import Shelf, Store
from bot.settings import Settings
from bot.wiring.models import model_settings, providers
from bot.wiring.parts import book, drawn, folders, formats, templates, timing
from bot.wiring.process import SystemClock, bury_the_dead, process_name
from bot.wiring.surfaces import NO_SURFACES, Surfaces
from personas.contract_check import BoundedContracts
from personas.files import MarkdownFiles
from storage.archive import FileArchive
from storage.opening import open_store
from storage.store import SqlStore


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
    surfaces: Surfaces
    watch: Watch
    owner: str
    """This process's name among those that may run panels."""
    models: Mapping[str, ChatModel]
    """Providers by name."""


@asynccontextmanager
async def house(
    settings: Settings,
    *,
    view: View,
    strict: bool,
    drives: bool,
    surfaces: Callable[[Shelf, Clock], Surfaces] | None = None,
) -> AsyncIterator[House]:
    """A house of this process, let go of at the end.

    `strict`: faulty persona files are an error, not set aside. `drives`: panels run by themselves when they are kicked;
    a command runs its one panel directly instead. `surfaces` makes the chat platforms that this process serves.

    Raises StoreError where the database can not be used.
    """
    store = await open_store(settings.database)
    await bury_the_dead(store)
    served = surfaces(store.shelf, SystemClock()) if surfaces else NO_SURFACES
    it = _built(settings, store, view, strict=strict, drives=drives, surfaces=served)
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


def _built(settings: Settings, store: SqlStore, view: View, *, strict: bool, drives: bool, surfaces: Surfaces) -> House:
    shelf = store.shelf
    clock, roots = SystemClock(), folders(settings)
    owner = process_name()
    platforms: dict[str, ChatPlatform] = {"terminal": Terminal(settings.home / "threads", view), **surfaces.platforms}
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
            draw=drawn,
        ),
        view=view,
        surfaces=surfaces,
        watch=Watch(
            store=store,
            orchestrator=orchestrator,
            driver=driver,
            clock=clock,
            timing=timing(settings),
            owner=owner,
            platforms=frozenset(surfaces.platforms or platforms),
            catch_up=hearing.catch_up,
        ),
        owner=owner,
        models=models,
    )
