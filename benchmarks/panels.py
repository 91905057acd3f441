"""Panels run to their end against a Messages API server on this machine, by the house's own orchestrator."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from adapters.models.anthropic_api.provider import AnthropicModels
from adapters.models.prices import OfflinePrices
from benchmarks.layouts import Layout, OtherLayout
from benchmarks.matter import reply_to, templates
from bot.core.engine.opening import open_panel
from bot.core.entries import Opened
from bot.core.fold import opened as folded
from bot.core.model import ChatModel, ModelId, ModelReply, ModelRequest, Progress
from bot.core.orchestrator import Orchestrator
from bot.core.panel import Panel
from bot.core.place import Place
from bot.core.platform import Post
from bot.core.speech.budget import Purse
from bot.core.speech.limiter import Limiter
from bot.core.speech.retry import Retrying
from bot.core.speech.voices import Voices
from bot.core.timing import Timing
from bot.wiring import formats
from storage.memory import MemoryStore
from tests.fakes.archive import MemoryArchive
from tests.fakes.chat import FaultyPlatform
from tests.fakes.clock import FakeClock
from tests.fakes.toolbox import MemoryToolbox, MemoryToolboxes
from tests.servers.messages_api import MessagesServer, Reply, anthropic_client, words

PLACE = Place(platform="fake", workspace="W", channel="C")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One call, in real seconds."""

    kind: str
    began: float
    first: float
    """When its first event came."""
    ended: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A finished panel, the server that answered it, and how long each call took."""

    panel: Panel
    server: MessagesServer
    spans: tuple[Span, ...]


class Timed(ChatModel):
    """A provider whose calls are timed."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.spans: list[Span] = []

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        began = time.perf_counter()
        first = asyncio.create_task(_time_of(progress.started))
        reply = await self._model.call(request, progress)
        ended = time.perf_counter()
        self.spans.append(Span(kind=request.scene.kind, began=began, first=await first, ended=ended))
        return reply


async def _time_of(event: asyncio.Event) -> float:
    await event.wait()
    return time.perf_counter()


async def run(
    opened: Opened,
    layout: Layout | None = None,
    *,
    seconds: float = 0.0,
    delays: Callable[[int], tuple[float, float]] | None = None,
) -> Measured:
    """Run a panel to its end; `layout` None is the house's own.

    `seconds` pass from post to post. `delays` gives, for each call by its number, the real seconds before its first
    token and for each token.
    """
    clock = FakeClock()
    calls = 0

    def voice(body: dict[str, object]) -> Reply:
        nonlocal calls
        calls += 1
        first, each = delays(calls) if delays else (0.0, 0.0)
        return Reply(text=reply_to(body), first_token_delay=first, token_delay=each)

    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(MessagesServer(voice=voice, tokens=words, now=clock.now))
        model: ChatModel
        if layout is None:
            provider = AnthropicModels(clock, api_key=server.key, base_url=server.url)
            stack.push_async_callback(provider.close)
            model = Retrying(provider, provider="anthropic", clock=clock, limiter=Limiter(clock))
        else:
            model = OtherLayout(await stack.enter_async_context(anthropic_client(server)), layout)
        timed = Timed(model)
        panel = await _finished(opened, timed, clock, seconds)
        return Measured(panel=panel, server=server, spans=tuple(timed.spans))


async def _finished(opened: Opened, model: ChatModel, clock: FakeClock, seconds: float) -> Panel:
    store, platform = MemoryStore(), FaultyPlatform(clock)

    async def pass_time(post: Post) -> None:
        clock.time += seconds

    platform.before_post = pass_time
    voices = Voices(
        models={"anthropic": model},
        host_model=ModelId(provider="anthropic", name="claude-sonnet-5-5"),
        prices=OfflinePrices(),
        templates=templates(),
        clock=clock,
    )
    orchestrator = Orchestrator(
        store=store,
        platforms={"fake": platform},
        formats=formats(),
        voices=voices,
        purse=Purse(voices),
        archive=MemoryArchive(),
        toolboxes=MemoryToolboxes(MemoryToolbox({})),
        clock=clock,
        timing=Timing(settle=9.0, poll=0.05),
        owner="bench",
    )
    await open_panel(store, clock, PLACE, opened, panel_id="bench")
    await orchestrator.run("bench")
    loaded = await store.load("bench")
    panel = folded("bench", loaded.place, loaded.entries)
    if panel.status != "finished":
        raise RuntimeError(f"the panel did not finish: {panel.status}, {panel.reason}")
    return panel
