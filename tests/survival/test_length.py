"""A long panel: two thousand turns are loaded, resumed and printed in time that grows as their number does."""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.core.entries import AnyEntry, Opened, StatusChanged
from bot.core.fold import opened
from bot.core.panel import Panel
from bot.core.records.record import record
from bot.core.records.transcript import transcript
from bot.core.store import Loaded, Write
from storage.opening import open_store
from storage.store import SqlStore
from tests.fakes.stage import Stage, opening, seat

LENGTHS = (500, 1000, 2000)
GENEROUS = 3.0
"""Times linear: a quadratic step would make it four."""

Act = Callable[[SqlStore, str], Awaitable[object]]


@pytest.fixture
async def logs() -> dict[int, tuple[AnyEntry, ...]]:
    """Number of turns → the whole log of a finished panel of that length."""
    stage = Stage()
    await stage.open(opening(*(seat(f"speaker-{n}") for n in range(10)), rounds=200, synthesis=False))
    entries = (await stage.run()).entries
    return {length: entries[: length + 2] for length in LENGTHS}


async def test_loading_resuming_and_printing_grow_with_the_length(
    tmp_path: Path, logs: dict[int, tuple[AnyEntry, ...]]
) -> None:
    """Processor time, the best of three: nothing looks at every turn for every turn."""
    store = await open_store(f"sqlite:///{tmp_path / 'long.db'}")
    for length, entries in logs.items():
        await _written(store, f"p{length}", entries)

    for act in (_load, _resume, _show):
        took = {length: await _best(act, store, f"p{length}") for length in LENGTHS}

        growth = took[2000] / took[500] / 4
        assert growth < GENEROUS, f"{act.__name__}: {took}"
    await store.close()


async def _written(store: SqlStore, panel: str, entries: tuple[AnyEntry, ...]) -> None:
    """The log, paused behind its last turn."""
    first, last = entries[0], entries[-1]
    assert isinstance(first, Opened)
    await Stage(store=store).open(first, panel)
    paused = StatusChanged(seq=last.seq + 1, at=last.at, status="paused", reason="human")
    epoch = await store.claim(panel, "writer", stale_before=0.0)
    await store.commit(panel, epoch, Write(entries=(*entries[1:], paused)))
    await store.release(panel, epoch)


async def _best(act: Act, store: SqlStore, panel: str) -> float:
    took = []
    for _ in range(3):
        began = time.process_time()
        await act(store, panel)
        took.append(time.process_time() - began)
    return min(took)


async def _load(store: SqlStore, panel: str) -> tuple[Panel, Loaded]:
    loaded = await store.load(panel)
    return opened(panel, loaded.place, loaded.entries), loaded


async def _resume(store: SqlStore, panel: str) -> None:
    await Stage(store=store).run(panel)


async def _show(store: SqlStore, panel: str) -> None:
    state, loaded = await _load(store, panel)
    transcript(state)
    record(state, loaded.deliveries)
