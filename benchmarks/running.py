"""A process that runs panels on SQLite with an instant chat: what the benches of the engine measure."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.core.engine.driver import LocalDriver
from bot.core.engine.opening import open_panel
from bot.core.entries import Opened
from bot.core.model import ModelId, ModelReply, ModelRequest, Progress
from bot.core.orchestrator import Orchestrator
from bot.core.place import Place
from bot.core.platform import Capabilities, ChatPlatform, Post
from bot.core.speech.budget import Purse
from bot.core.speech.voices import Voices
from bot.core.timing import Timing
from bot.wiring import SystemClock, formats
from storage.archive import FileArchive
from storage.opening import open_store
from storage.store import SqlStore
from tests.fakes.model import ScriptedModel
from tests.fakes.stage import TEMPLATES, FlatPrices
from tests.fakes.toolbox import MemoryToolbox, MemoryToolboxes


class InstantChat(ChatPlatform):
    """Takes posts as fast as they come, and remembers when."""

    name = "chat"

    def __init__(self) -> None:
        self.posted_at: list[float] = []

    async def capabilities(self, place: Place) -> Capabilities:
        return Capabilities(max_chars=4000)

    def measure(self, text: str) -> int:
        return len(text)

    async def post(self, place: Place, post: Post) -> str:
        self.posted_at.append(time.perf_counter())
        return post.key

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        return {}


class SlowModel(ScriptedModel):
    """Thinks for so many seconds, without keeping what it was asked."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        await asyncio.sleep(self._seconds)
        self.requests.clear()
        return await super().call(request, progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The parts."""

    store: SqlStore
    chat: InstantChat
    orchestrator: Orchestrator
    driver: LocalDriver
    clock: SystemClock = field(default_factory=SystemClock)

    async def open(self, panel: str, opened: Opened) -> None:
        """Write a new panel down, in a thread of its own."""
        place = Place(platform="chat", channel="C", thread=panel)
        await open_panel(self.store, self.clock, place, opened, panel_id=panel)


@asynccontextmanager
async def bench(seconds: float = 0.0) -> AsyncIterator[Bench]:
    """A bench in a folder of its own; `seconds` is what every thought takes."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = await open_store(f"sqlite:///{folder / 'bench.db'}")
        try:
            yield _built(store, folder, seconds)
        finally:
            await store.close()


def _built(store: SqlStore, folder: Path, seconds: float) -> Bench:
    clock, chat = SystemClock(), InstantChat()
    host = ModelId(provider="scripted", name="one")
    voices = Voices(
        models={"scripted": SlowModel(seconds)},
        host_model=host,
        prices=FlatPrices(0.0),
        templates=TEMPLATES,
        clock=clock,
    )
    orchestrator = Orchestrator(
        store=store,
        platforms={"chat": chat},
        formats=formats(),
        voices=voices,
        purse=Purse(voices),
        archive=FileArchive(folder),
        toolboxes=MemoryToolboxes(MemoryToolbox({})),
        clock=clock,
        timing=Timing(),
        owner="bench",
    )
    return Bench(store=store, chat=chat, orchestrator=orchestrator, driver=LocalDriver(orchestrator.run, clock))
