"""Two processes and one panel: one runs it, the other is told; the one whose epoch is stale stops by itself."""

import asyncio

import pytest

from bot.core.errors import NotAllowed, NotFound, StoreError
from bot.core.store import Query, Signal
from storage.memory import MemoryStore
from tests.fakes.stage import Stage, opening, speakers


async def test_resumed_twice_at_once_one_runs_it_and_the_other_is_told() -> None:
    """Both ask for the same panel; it is run once."""
    stage = Stage()
    await stage.open(opening(rounds=1))

    results = await asyncio.gather(stage.run(), stage.another("two").run(), return_exceptions=True)

    refused = [result for result in results if isinstance(result, NotAllowed)]
    assert len(refused) == 1
    assert "is run by" in str(refused[0])
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_a_process_that_gave_no_sign_of_life_loses_its_panel_and_stops() -> None:
    """Its thought is not written down, its next words are somebody else's."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    held = stage.model.hold("ada")
    silent = asyncio.create_task(stage.run())
    await stage.model.until_asked("ada")

    stage.clock.time += 100.0
    survivor = asyncio.create_task(stage.another("two").run())
    await stage.model.until_asked("ada", times=2)
    held.set()
    await asyncio.gather(silent, survivor)

    assert speakers(stage.thread()) == ["ada", "bo", "host"]
    assert (await stage.state()).status == "finished"


async def test_a_panel_run_again_in_the_same_process_fences_its_own_earlier_run() -> None:
    """The same process may claim twice: the later run has the panel, and still hears what is said."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    held = stage.model.hold("ada")
    first = asyncio.create_task(stage.run())
    await stage.model.until_asked("ada")
    second = asyncio.create_task(stage.run())
    await stage.model.until_asked("ada", times=2)
    held.set()
    await first
    await second

    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_a_panel_that_rests_belongs_to_nobody() -> None:
    """Whoever comes next may run it, without waiting."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    await stage.run()

    (row,) = await stage.store.summaries(Query())
    await stage.another("two").run()

    assert row.owner == ""


async def test_an_unknown_panel_is_named() -> None:
    """Nothing is made up for an id that is not there."""
    with pytest.raises(NotFound, match="no panel 'nobody'"):
        await Stage().run("nobody")


async def test_a_fault_of_the_ears_ends_the_run_instead_of_leaving_it_deaf() -> None:
    """A damaged message in the inbox is an error that names it, not a panel that obeys no stop."""
    stage = Stage(store=_Deafening())
    await stage.open()
    held = stage.model.hold("ada")
    running = asyncio.create_task(stage.run())
    await stage.model.until_asked("ada")

    await stage.say("stop")

    with pytest.raises(StoreError, match="damaged"):
        await running
    assert not held.is_set()


class _Deafening(MemoryStore):
    """A store whose inboxes can not be read once something lies in them."""

    async def signals(self, panel: str) -> tuple[Signal, ...]:
        if waiting := await super().signals(panel):
            raise StoreError(f"panel {panel}: message {waiting[0].message_id!r} in its inbox is damaged")
        return ()
