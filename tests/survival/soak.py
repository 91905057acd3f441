"""The soak: batches of panels run by workers that are killed or frozen at random instants; then the thread is compared
with the log.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.core.fold import opened
from bot.core.store import Query
from storage.opening import open_store
from storage.store import SqlStore
from tests.servers.chat.journal import Journal
from tests.survival.processes import Worker, chat
from tests.survival.small_house import TIMING, TURNS, open_some

BATCH = 20
PATIENCE = 120.0
"""Seconds after which panels that nobody disturbs any more must have come to their end."""


@dataclass(slots=True)
class Tally:
    """What a soak found."""

    strokes: int = 0
    """Kills, or freezes."""
    panels: int = 0
    posts: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.strokes} strokes, {self.panels} panels, {self.posts} posts in {self.seconds:.0f} s: "
            f"{len(self.lost)} lost, {len(self.doubled)} doubled, {len(self.disordered)} out of order, "
            f"{len(self.unfinished)} unfinished"
        )


Stroke = Callable[["Soak"], Awaitable[None]]


class Soak:
    """One soak: a folder, a chat, some workers, and chance by seed."""

    def __init__(self, folder: Path, port: int, *, seed: int, workers: int) -> None:
        self.random = random.Random(seed)
        self.folder, self.port = folder, port
        self._panels: list[str] = []
        self.workers = [Worker(folder, port) for _ in range(workers)]

    async def run(self, strokes: int, stroke: Stroke) -> Tally:
        """Strike so many times while panels run, then let them come to their end and look at what stands."""
        began = time.monotonic()
        store = await open_store(f"sqlite:///{self.folder / 'panels.db'}")
        try:
            for _ in range(strokes):
                await self._keep_busy(store)
                await stroke(self)
            await self._come_to_the_end(store)
            tally = await self._looked_at(store)
        finally:
            await store.close()
            for worker in self.workers:
                worker.kill()
        tally.strokes, tally.seconds = strokes, time.monotonic() - began
        return tally

    async def kill(self) -> None:
        """Kill a worker at a random instant, and start another in its place."""
        await asyncio.sleep(self.random.uniform(0.05, 0.8))
        number = self.random.randrange(len(self.workers))
        self.workers[number].kill()
        self.workers[number] = Worker(self.folder, self.port)

    async def freeze(self) -> None:
        """Freeze a worker until the others have taken over, and wake it up."""
        await asyncio.sleep(self.random.uniform(0.0, 0.4))
        worker = self.random.choice(self.workers)
        worker.freeze()
        await asyncio.sleep(TIMING.stale + self.random.uniform(0.1, 1.0))
        worker.thaw()

    async def _keep_busy(self, store: SqlStore) -> None:
        """Open a new batch where less than a third of one is left."""
        running = await store.summaries(Query(statuses=frozenset({"running"}), limit=1000))
        if len(running) < BATCH // 3:
            fresh = [f"p{len(self._panels) + number}" for number in range(BATCH)]
            await open_some(store, fresh)
            self._panels += fresh

    async def _come_to_the_end(self, store: SqlStore) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            rows = await store.summaries(Query(statuses=frozenset({"running", "paused"}), limit=1000))
            if not rows:
                return
            await asyncio.sleep(0.2)

    async def _looked_at(self, store: SqlStore) -> Tally:
        journal, tally = Journal(self.folder / "chat.jsonl"), Tally(panels=len(self._panels))
        for name in self._panels:
            loaded = await store.load(name)
            panel = opened(name, loaded.place, loaded.entries)
            if panel.status != "finished":
                tally.unfinished.append(name)
            written = sorted(
                (
                    turn.round,
                    turn.turn_kind in ("summary", "synthesis"),
                    turn.turn_kind == "synthesis",
                    turn.order,
                    turn.seq,
                )
                for turn in panel.turns
            )
            due = [
                f"{name}:{delivery.turn}:{delivery.part}"
                for *_, seq in written
                for delivery in sorted(loaded.deliveries, key=lambda one: one.part)
                if delivery.turn == seq
            ]
            _compare(tally, name, [f"{name}:1:1", *due], [line.key for line in journal.standing(name)])
            tally.lost += [f"{name}: a turn was never written"] * (TURNS - len(panel.turns))
        return tally


def _compare(tally: Tally, name: str, due: list[str], standing: list[str]) -> None:
    tally.posts += len(standing)
    tally.lost += [key for key in due if key not in standing]
    tally.doubled += [key for key, times in Counter(standing).items() if times > 1]
    if list(dict.fromkeys(standing)) != due and not set(due) - set(standing):
        tally.disordered.append(name)


async def soaked(folder: Path, *, seed: int, strokes: int, workers: int, stroke: Stroke) -> Tally:
    """A whole soak, with a chat of its own."""
    with chat(folder / "chat.jsonl", "--seed", str(seed)) as port:
        return await Soak(folder, port, seed=seed, workers=workers).run(strokes, stroke)
