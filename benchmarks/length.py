"""How a panel's length tells: running, loading, resuming and printing 500, 1,000 and 2,000 turns.

`python -m benchmarks length`. What is linear takes four times as long for four times the turns; a half more is allowed
for noise, and less than that where something does not depend on the length.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from benchmarks.line import Line, at_most, shown
from benchmarks.running import Bench, bench
from bot.core.fold import opened
from bot.core.panel import Panel
from bot.core.records.record import record
from bot.core.records.transcript import transcript
from bot.core.store import Loaded
from tests.fakes.stage import opening, seat

SPEAKERS, LENGTHS = 10, (500, 1000, 2000)
LINEAR = 1.5
"""Times the ratio of the lengths."""


def main() -> int:
    """Print the lines; 1 where one does not reach what it must."""
    return shown(asyncio.run(_lines()))


async def _lines() -> list[Line]:
    async with bench() as it:
        running = {length: await _took(_run, it, length) for length in LENGTHS}
        loading = {length: await _best(_load, it, length) for length in LENGTHS}
        resuming = {length: await _best(_resume, it, length) for length in LENGTHS}
        printing = {length: await _best(_print, it, length) for length in LENGTHS}
    measured = {"running": running, "loading": loading, "resuming": resuming, "loading and printing": printing}
    return [_line(what, seconds) for what, seconds in measured.items()]


def _line(what: str, seconds: dict[int, float]) -> Line:
    shown_ = ", ".join(f"{length}: {took:.2f} s" for length, took in seconds.items())
    shortest, longest = LENGTHS[0], LENGTHS[-1]
    growth = seconds[longest] / seconds[shortest] / (longest / shortest)
    return at_most(f"{what} ({shown_}), growth over linear", growth, LINEAR)


Act = Callable[[Bench, int], Awaitable[object]]


async def _took(act: Act, it: Bench, length: int) -> float:
    """Seconds of processor time: how busy others keep the machine does not tell."""
    began = time.process_time()
    await act(it, length)
    return time.process_time() - began


async def _best(act: Act, it: Bench, length: int) -> float:
    return min([await _took(act, it, length) for _ in range(5)])


async def _run(it: Bench, length: int) -> None:
    speakers = [seat(f"speaker-{number}") for number in range(SPEAKERS)]
    await it.open(f"p{length}", opening(*speakers, rounds=length // SPEAKERS))
    await it.orchestrator.run(f"p{length}")


async def _load(it: Bench, length: int) -> tuple[Panel, Loaded]:
    loaded = await it.store.load(f"p{length}")
    return opened(f"p{length}", loaded.place, loaded.entries), loaded


async def _resume(it: Bench, length: int) -> None:
    await it.orchestrator.run(f"p{length}")


async def _print(it: Bench, length: int) -> None:
    panel, loaded = await _load(it, length)
    transcript(panel)
    record(panel, loaded.deliveries)
