"""The local driver: after a kick a panel is run at least once more, by one task at a time, and no fault ends it."""

import asyncio

from bot.core.engine.driver import LocalDriver
from bot.core.errors import NotAllowed
from tests.fakes.clock import FakeClock


class Runs:
    """Runs that the test lets end, or fail."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gate = asyncio.Event()
        self.faults: list[Exception] = []
        self.at_once = self.most_at_once = 0

    async def run(self, panel: str) -> None:
        self.begun.append(panel)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.gate.wait()
            if self.faults:
                raise self.faults.pop(0)
        finally:
            self.at_once -= 1


async def test_kicks_while_a_panel_runs_make_one_more_run() -> None:
    """No kick is lost, and no panel is run twice at a time."""
    runs = Runs()
    driver = LocalDriver(runs.run, FakeClock())
    await driver.kick("p1")
    await asyncio.sleep(0)
    for _ in range(3):
        await driver.kick("p1")

    runs.gate.set()
    await driver.settled("p1")

    assert (runs.begun, runs.most_at_once) == (["p1", "p1"], 1)
    assert driver.running() == ()


async def test_a_panel_that_fails_is_tried_again_after_ever_longer_waits() -> None:
    """A fault of one panel is its own: the others run on."""
    runs, clock = Runs(), FakeClock()
    runs.faults = [RuntimeError("one"), RuntimeError("two"), RuntimeError("three")]
    runs.gate.set()
    driver = LocalDriver(runs.run, clock)

    await driver.kick("p1")
    await driver.settled("p1")

    assert runs.begun == ["p1"] * 4
    assert clock.slept == [1.0, 2.0, 4.0]


async def test_a_panel_that_somebody_else_runs_is_left_to_them() -> None:
    """Trying again at once would only ask the same question."""
    runs = Runs()
    runs.faults = [NotAllowed("panel p1 is run by two")]
    runs.gate.set()
    driver = LocalDriver(runs.run, FakeClock())

    await driver.kick("p1")
    await driver.all_settled()

    assert runs.begun == ["p1"]


async def test_stopping_lets_go_of_every_panel() -> None:
    """Each run is cancelled, wherever it is; all of it is written down."""
    runs = Runs()
    driver = LocalDriver(runs.run, FakeClock())
    await driver.kick("p1")
    await driver.kick("p2")
    await asyncio.sleep(0)

    await driver.stop()

    assert (runs.at_once, driver.running()) == (0, ())
