"""The watch of a process: dead owners' panels go on, outages pass, and no fault of the store ends it."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.core.engine.watching import Watch
from bot.core.errors import StoreError
from bot.core.place import Person, Place
from bot.core.platform import Heard
from storage.memory import MemoryStore
from tests.engine.test_resting import DOWN, failing
from tests.fakes.chat import FaultyPlatform
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel, plain
from tests.fakes.stage import Stage, opening, speakers


def watch_of(stage: Stage) -> Watch:
    """The watch that the stage's process keeps."""
    return Watch(
        store=stage.store,
        orchestrator=stage.orchestrator,
        driver=stage.driver,
        clock=stage.clock,
        timing=stage.timing,
        owner=stage.owner,
        platforms=frozenset({"fake"}),
        catch_up=stage.hearing.catch_up,
    )


async def test_a_panel_whose_process_died_goes_on_here() -> None:
    """The dead process gave no sign of life for longer than is allowed."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    await stage.store.beat("dead", stage.clock.now())
    await stage.store.claim("p1", "dead", stale_before=0.0)
    here = stage.another("here")

    await watch_of(here).take_up()
    too_early = here.driver.running()
    stage.clock.time += 100.0
    await watch_of(here).take_up()
    await here.driver.all_settled()

    assert too_early == ()
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_a_living_process_keeps_its_panel() -> None:
    """A server never takes a command's live panel."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    await stage.store.claim("p1", "alive", stale_before=0.0)
    stage.clock.time += 100.0
    await stage.store.beat("alive", stage.clock.now())

    await watch_of(stage).take_up()

    assert stage.driver.running() == ()


async def test_a_panel_untouched_for_longer_than_the_limit_is_paused_instead() -> None:
    """Nobody expects it to speak up by itself after all that time."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    stage.clock.time += stage.timing.too_old + 1.0

    await watch_of(stage).take_up()
    await stage.driver.all_settled()

    assert (await stage.state()).status == "paused"
    assert stage.model.asked == []


async def test_an_outage_passes_by_itself_after_ever_longer_waits() -> None:
    """Not before its time, once a time, and with a longer wait after each try that failed."""
    stage = Stage(model=ScriptedModel(failing("", DOWN)))
    await stage.open(opening(rounds=1))
    await stage.run()
    watch, tries = watch_of(stage), [1]
    for _ in range(5):
        stage.clock.time += stage.timing.revive
        await watch.take_up()
        await stage.driver.all_settled()
        tries.append(len(stage.model.requests))
    stage.model.script = plain
    stage.clock.time += 10 * stage.timing.revive

    await watch.take_up()
    await stage.driver.all_settled()

    assert tries == [1, 2, 2, 3, 3, 3]
    assert (await stage.state()).status == "finished"


async def test_what_a_human_paused_stays_paused() -> None:
    """Only what passes by itself is tried again."""
    stage = Stage()
    await stage.open()
    await stage.say("pause")
    await stage.run()
    stage.clock.time += 10_000.0

    await watch_of(stage).take_up()

    assert stage.driver.running() == ()


async def test_two_watches_that_revive_the_same_panel_say_so_once() -> None:
    """Each process may see the same outage end."""
    stage = Stage(model=ScriptedModel(failing("", DOWN)))
    await stage.open(opening(rounds=1))
    await stage.run()
    stage.clock.time += stage.timing.revive
    stage.model.script = plain
    other = stage.another("two")

    await asyncio.gather(watch_of(stage).take_up(), watch_of(other).take_up())
    await asyncio.gather(stage.driver.all_settled(), other.driver.all_settled())

    panel = await stage.state()
    assert panel.status == "finished"
    assert [control.author.name for control in panel.controls if not control.refused] == ["Panelist"]


async def test_what_was_written_while_nobody_listened_is_taken_in_at_the_start() -> None:
    """Read from the thread, behind what was heard last; heard once, however often it is read."""
    clock = FakeClock()
    stage = Stage(clock=clock, platform=_Talked(clock))
    await stage.open(opening(rounds=1))
    await stage.say("pause")
    await stage.run()

    await watch_of(stage).arrive()
    await watch_of(stage).arrive()
    panel = await stage.run()

    assert panel.status == "paused"
    assert [human.text for human in panel.humans] == ["Think of the children."]


class _Talked(FaultyPlatform):
    """In whose threads somebody said something."""

    async def missed(self, place: Place, after: str) -> AsyncIterator[Heard]:
        yield Heard(
            place=place,
            message_id="h1",
            author=Person(id="u7", name="Helen"),
            text="Think of the children.",
            at=self._clock.now(),
        )


async def test_a_store_that_fails_for_a_moment_ends_no_watch() -> None:
    """A locked database is no reason to be taken for dead for ever."""
    store = _Flaky()
    stage = Stage(store=store)

    with pytest.raises(_EnoughError):
        await watch_of(stage).live()

    assert store.beats == 5


class _EnoughError(Exception):
    """The test has seen enough."""


class _Flaky(MemoryStore):
    """Fails at every other beat."""

    beats = 0

    async def beat(self, owner: str, now: float) -> None:
        self.beats += 1
        if self.beats == 5:
            raise _EnoughError
        if self.beats % 2:
            raise StoreError("the database is locked")
