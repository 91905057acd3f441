"""Who writes next."""

import asyncio

import pytest

from bot.core.store import Write
from storage.gate import Gate
from storage.store import SqlStore
from tests.contracts.panels import NOW, running, said, turn


async def _steps(count: int = 5) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


class _Line:
    """People who want to pass a gate, and the order in which they did."""

    def __init__(self, places: int) -> None:
        self.gate = Gate(places)
        self.passed: list[str] = []
        self.inside = 0
        self.most = 0
        self.open = asyncio.Event()

    def join(self, name: str, *, urgent: bool = False) -> asyncio.Task[None]:
        async def walk() -> None:
            async with self.gate.passage(urgent=urgent):
                self.passed.append(name)
                self.inside += 1
                self.most = max(self.most, self.inside)
                await self.open.wait()
                await asyncio.sleep(0)
                self.inside -= 1

        return asyncio.ensure_future(walk())


async def test_no_more_pass_at_once_than_there_are_places() -> None:
    """However many come."""
    line = _Line(2)
    walkers = [line.join(str(number)) for number in range(10)]
    await _steps()
    assert line.passed == ["0", "1"]

    line.open.set()
    await asyncio.gather(*walkers)

    assert (line.most, line.passed) == (2, [str(number) for number in range(10)])


async def test_urgent_ones_pass_before_those_who_wait_longer() -> None:
    """In their own order; who is inside is not disturbed."""
    line = _Line(1)
    walkers = [line.join(name) for name in ("a", "b", "c")]
    await _steps()
    walkers += [line.join(name, urgent=True) for name in ("u", "v")]
    await _steps()

    line.open.set()
    await asyncio.gather(*walkers)

    assert line.passed == ["a", "u", "v", "b", "c"]


async def test_a_waiter_that_gives_up_holds_nobody_up() -> None:
    """Cancelled while waiting, its place in the line is gone."""
    line = _Line(1)
    walkers = [line.join(name) for name in ("a", "b", "c")]
    await _steps()
    walkers[1].cancel()
    await _steps()

    line.open.set()
    await asyncio.gather(*walkers, return_exceptions=True)

    assert line.passed == ["a", "c"]


async def test_a_place_given_to_one_who_was_cancelled_goes_on_to_the_next() -> None:
    """In the same step it was let in and cancelled: nobody is inside, so the next one must be."""
    gate = Gate(1)
    passed = []

    async def walk(name: str) -> None:
        async with gate.passage(urgent=False):
            passed.append(name)

    async with gate.passage(urgent=False):
        walkers = [asyncio.ensure_future(walk(name)) for name in ("a", "b")]
        await _steps()
    walkers[0].cancel()
    await asyncio.gather(*walkers, return_exceptions=True)
    await walk("c")

    assert passed == ["b", "c"]


async def test_a_failure_inside_gives_the_place_up() -> None:
    """The next one passes."""
    gate = Gate(1)

    for _ in range(2):
        with pytest.raises(KeyError):
            async with gate.passage(urgent=False):
                raise KeyError


async def test_what_people_say_does_not_wait_behind_busy_panels(sqlite: SqlStore) -> None:
    """With two hundred commits in the line, a message and an event id are through after two of them at most."""
    epochs = {f"p{number}": await running(sqlite, f"p{number}") for number in range(200)}
    done: list[str] = []

    async def panel(name: str, epoch: int) -> None:
        await sqlite.commit(name, epoch, Write(entries=(turn(2),)))
        done.append("panel")

    async def people() -> None:
        assert await sqlite.first_seen("e1", NOW)
        assert await sqlite.signal(said("p7"))
        done.append("people")

    tasks = [asyncio.ensure_future(panel(name, epoch)) for name, epoch in epochs.items()]
    await _steps()
    await asyncio.gather(*tasks, asyncio.ensure_future(people()))

    assert len(done) == 201
    assert done.index("people") <= 3
