"""The parts of a house that runs panels on a database and the chat server, put together without a command line."""

import asyncio
import os
import random
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.core.engine.driver import LocalDriver
from bot.core.engine.opening import open_panel
from bot.core.engine.watching import Watch
from bot.core.model import ModelId, ModelReply, ModelRequest, Progress
from bot.core.orchestrator import Orchestrator
from bot.core.place import Place
from bot.core.speech.budget import Purse
from bot.core.speech.voices import Voices
from bot.core.steering.hearing import Hearing
from bot.core.timing import Timing
from bot.wiring import SystemClock, bury_the_dead, formats
from storage.archive import FileArchive
from storage.opening import open_store
from storage.store import SqlStore
from tests.fakes.model import ScriptedModel
from tests.fakes.stage import TEMPLATES, FlatPrices, opening, seat
from tests.fakes.toolbox import MemoryToolbox, MemoryToolboxes
from tests.servers.chat.platform import Chat

TIMING = Timing(settle=2.4, poll=0.2, beat=0.2, stale=1.2, revive=0.3)
SPEAKERS, ROUNDS = ("ada", "bo", "cy"), 5
TURNS = len(SPEAKERS) * ROUNDS + len(SPEAKERS) + 1
"""Statements, final summaries, and the synthesis."""


class Thoughtful(ScriptedModel):
    """Thinks for a moment, never as long as the last time."""

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        await asyncio.sleep(random.random() * 0.02)
        return await super().call(request, progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallHouse:
    """What the tests of survival use."""

    store: SqlStore
    hearing: Hearing
    driver: LocalDriver
    watch: Watch


@asynccontextmanager
async def small_house(folder: Path, port: int) -> AsyncIterator[SmallHouse]:
    """A house on the database in that folder, and on the chat at that port."""
    store = await open_store(f"sqlite:///{folder / 'panels.db'}")
    await bury_the_dead(store)
    house = _built(store, folder, port)
    await house.watch.beat()
    try:
        yield house
    finally:
        await house.driver.stop()
        await store.close()


def _built(store: SqlStore, folder: Path, port: int) -> SmallHouse:
    clock, platforms = SystemClock(), {"chat": Chat(port)}
    owner = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"
    host = ModelId(provider="scripted", name="one")
    voices = Voices(
        models={"scripted": Thoughtful()}, host_model=host, prices=FlatPrices(), templates=TEMPLATES, clock=clock
    )
    orchestrator = Orchestrator(
        store=store,
        platforms=platforms,
        formats=formats(),
        voices=voices,
        purse=Purse(voices),
        archive=FileArchive(folder),
        toolboxes=MemoryToolboxes(MemoryToolbox({})),
        clock=clock,
        timing=TIMING,
        owner=owner,
    )
    driver = LocalDriver(orchestrator.run, clock)
    hearing = Hearing(store=store, shelf=store.shelf, platforms=platforms, clock=clock, ring=driver.kick)
    watch = Watch(
        store=store,
        orchestrator=orchestrator,
        driver=driver,
        clock=clock,
        timing=TIMING,
        owner=owner,
        platforms=frozenset(platforms),
        catch_up=hearing.catch_up,
    )
    return SmallHouse(store=store, hearing=hearing, driver=driver, watch=watch)


async def open_some(store: SqlStore, panels: list[str]) -> None:
    """Write that many panels down: three speakers, five rounds, final summaries in parallel, a synthesis."""
    for panel in panels:
        opened = opening(*(seat(name) for name in SPEAKERS), rounds=ROUNDS, final_summary=True)
        place = Place(platform="chat", workspace="W", channel="C", thread=panel)
        await open_panel(store, SystemClock(), place, opened, panel_id=panel)


def work(folder: str, port: int) -> None:
    """A process that runs every panel that nobody runs, until it is killed."""
    asyncio.run(_work(Path(folder), port))


async def _work(folder: Path, port: int) -> None:
    async with small_house(folder, port) as house, asyncio.TaskGroup() as tasks:
        tasks.create_task(house.watch.live())
        tasks.create_task(house.watch.listen())
        tasks.create_task(house.watch.patrol())
