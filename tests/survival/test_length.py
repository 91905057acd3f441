"""A long panel: two thousand turns are loaded, resumed and printed in time that grows as their number does."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.entries import AnyEntry
from bot.core.fold import opened
from bot.core.record import record
from bot.core.store import Write
from bot.core.transcript import transcript
from storage.opening import open_store
from storage.store import SqlStore
from tests.fakes.stage import Stage, opening, seat

LENGTHS = (500, 1000, 2000)
GENEROUS = 3.0
"""Times linear: a quadratic step would make it four."""


@pytest.fixture(scope="module")
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
    """That log, paused behind its last turn."""
    stage = Stage(store=store)
    first = entries[0]
    assert first.kind == "opened"
    await stage.open(first, panel)
    epoch = await store.claim(panel, "writer", stale_before=0.0)
    await store.commit(panel, epoch, Write(entries=entries[1:]))
    await store.release(panel, epoch)
    (row,) = (row for row in await store.summaries(_all()) if row.id == panel)
    paused = entries[-1].model_copy(update={})
    _ = replace(row), paused
