"""What a turn costs beyond thinking and posting, and how many panels run at once: `python -m benchmarks engine`.

Everything is a ratio to the bare commit of the same stack (one row through SQLAlchemy and aiosqlite, synced), measured
in the same run, so that the machine's speed cancels out.
"""

import asyncio
import gc
import statistics
import time
import tracemalloc
from collections.abc import AsyncIterator
from itertools import pairwise

from sqlalchemy import insert

from benchmarks.line import Line, at_least, at_most, shown
from benchmarks.running import Bench, bench
from bot.core.entries import Opened
from storage.tables import seen
from tests.fakes.stage import opening, seat

COMMITS, TURNS = 400, 200
PANELS, TURNS_EACH, THOUGHT = 200, 20, 0.05
WAITING = 500


async def _lines() -> AsyncIterator[Line]:
    async with bench() as it:
        commit = await _bare_commit(it)
        together = await _commits_together(it)
        yield Line(text=f"bare commit: {commit * 1000:.2f} ms, median; {together:.0f} a second from many tasks")
        turn = await _turn(it)
        yield at_most("a turn beyond thinking and posting, median, in bare commits", turn / commit, 6)
    async with bench(THOUGHT) as it:
        rate, commits = await _panels_at_once(it)
        what = f"{PANELS} panels × {TURNS_EACH} turns at once, {rate:.0f} turns/s, of a quarter of the commits/s"
        yield at_least(what, rate / (commits / 4), 0.5)
    async with bench() as it:
        yield at_most(f"a waiting panel, of {WAITING}", await _waiting(it), 16, " KiB")
    async with bench(3600.0) as it:
        yield Line(text=f"a panel whose persona is thinking: {await _thinking(it):.1f} KiB (for information)")


async def _bare_commit(it: Bench) -> float:
    """Seconds of one, median."""
    took = []
    for number in range(COMMITS):
        began = time.perf_counter()
        await _commit(it, f"bare-{number}")
        took.append(time.perf_counter() - began)
    return statistics.median(took)


async def _commits_together(it: Bench, tasks: int = 50, each: int = 20) -> float:
    """Commits a second when many tasks commit at once."""

    async def some(task: int) -> None:
        for number in range(each):
            await _commit(it, f"together-{task}-{number}")

    began = time.perf_counter()
    await asyncio.gather(*(some(task) for task in range(tasks)))
    return tasks * each / (time.perf_counter() - began)


async def _commit(it: Bench, event: str) -> None:
    async with it.store.database.write() as connection:
        await connection.execute(insert(seen), {"event": f"{event}-{time.monotonic_ns()}", "at": 0.0})


def _talk(turns: int) -> Opened:
    """Four speakers and no synthesis."""
    return opening(*(seat(name) for name in ("ada", "bo", "cy", "di")), rounds=turns // 4, synthesis=False)


async def _turn(it: Bench) -> float:
    """Seconds from post to post with a model and a chat that answer at once, median."""
    await it.open("p", _talk(TURNS))
    await it.orchestrator.run("p")
    at = it.chat.posted_at[1:]
    return statistics.median(after - before for before, after in pairwise(at))


async def _panels_at_once(it: Bench) -> tuple[float, float]:
    """Turns a second, and commits a second of the bare stack right before and after."""
    before = await _commits_together(it)
    for number in range(PANELS):
        await it.open(f"p{number}", _talk(TURNS_EACH))
    began = time.perf_counter()
    for number in range(PANELS):
        await it.driver.kick(f"p{number}")
    await it.driver.all_settled()
    rate = PANELS * TURNS_EACH / (time.perf_counter() - began)
    return rate, (before + await _commits_together(it)) / 2


async def _waiting(it: Bench) -> float:
    """KiB of one panel that was run until it waits for a go-ahead."""
    opened = _talk(8).model_copy(update={"approval": True})
    for number in range(WAITING):
        await it.open(f"w{number}", opened)
    await it.driver.kick("w0")
    await it.driver.all_settled()
    return await _grown(it, range(1, WAITING))


async def _grown(it: Bench, numbers: range) -> float:
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in numbers:
        await it.driver.kick(f"w{number}")
    await it.driver.all_settled()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(numbers) / 1024


async def _thinking(it: Bench, panels: int = 100) -> float:
    """KiB of one panel in the middle of its first call."""
    for number in range(panels):
        await it.open(f"t{number}", _talk(8))
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(panels):
        await it.driver.kick(f"t{number}")
    await asyncio.sleep(3)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    await it.driver.stop()
    return (after - before) / panels / 1024


async def _collected() -> list[Line]:
    return [line async for line in _lines()]


def main() -> int:
    """Print the lines; 1 where one does not reach what it must."""
    return shown(asyncio.run(_collected()))
