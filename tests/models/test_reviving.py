"""A provider's outage pauses panels, skips nothing, and ends by itself."""

from bot.core.driver import Driver
from bot.core.errors import ProviderDown
from bot.core.model import ModelRequest
from bot.core.reviving import Reviver
from tests.fakes.model import Said, ScriptedModel, plain
from tests.fakes.stage import Stage, opening


class Outage:
    """A script that fails while the provider is down."""

    def __init__(self) -> None:
        self.down = True

    def __call__(self, request: ModelRequest) -> Said:
        return ProviderDown("nobody answers", "scripted") if self.down else plain(request)


class Reachable(ScriptedModel):
    """A provider whose reachability is told apart from its answers."""

    reachable = True

    async def answers(self) -> bool:
        return self.reachable


class Kicks(Driver):
    """Notes who was kicked."""

    def __init__(self) -> None:
        self.kicked: list[str] = []

    async def kick(self, panel: str) -> None:
        self.kicked.append(panel)


def paused_stage() -> tuple[Stage, Outage, Reachable, Kicks, Reviver]:
    outage, driver = Outage(), Kicks()
    model = Reachable(outage)
    stage = Stage(model=model)
    reviver = Reviver(
        store=stage.store,
        driver=driver,
        models={"scripted": model},
        platforms=frozenset({"fake"}),
        clock=stage.clock,
        timing=stage.timing,
        owner="one",
    )
    return stage, outage, model, driver, reviver


async def test_an_outage_pauses_and_skips_nothing() -> None:
    """The reason says that it is the provider's."""
    stage, *_ = paused_stage()
    await stage.open()

    panel = await stage.run()

    assert (panel.status, panel.reason) == ("paused", "provider: nobody answers")
    assert panel.skipped == ()


async def test_it_goes_on_when_the_provider_is_back() -> None:
    """And ends as if nothing had been."""
    stage, outage, _model, driver, reviver = paused_stage()
    await stage.open(opening(rounds=1))
    await stage.run()
    outage.down = False

    woken = await reviver.look()
    panel = await stage.run()

    assert woken == ("p1",)
    assert driver.kicked == ["p1"]
    assert panel.status == "finished"
    assert [turn.persona for turn in panel.turns] == ["ada", "bo", "host"]


async def test_nothing_is_tried_while_nobody_answers() -> None:
    """A look costs no tokens and leaves nothing in the log."""
    stage, _outage, model, driver, reviver = paused_stage()
    model.reachable = False
    await stage.open()
    before = (await stage.run()).last_seq

    assert await reviver.look() == ()
    assert driver.kicked == []
    assert (await stage.state()).last_seq == before


async def test_a_provider_that_answers_and_still_fails_is_tried_less_and_less_often() -> None:
    """An outage of hours does not fill the log."""
    stage, _outage, _model, driver, reviver = paused_stage()
    await stage.open()
    await stage.run()

    for _ in range(120):
        stage.clock.time += stage.timing.revive
        if await reviver.look():
            await stage.run()

    assert 5 <= len(driver.kicked) <= 12


async def test_a_panel_that_a_human_paused_stays_paused() -> None:
    """Only the provider's pauses end by themselves."""
    stage, outage, _model, driver, reviver = paused_stage()
    outage.down = False
    await stage.open()
    await stage.say("pause")
    panel = await stage.run()
    assert panel.status == "paused"

    assert await reviver.look() == ()
    assert driver.kicked == []


async def test_another_process_revives_after_a_restart() -> None:
    """What is paused stands in the store, not in the process that paused it."""
    stage, outage, model, _driver, _reviver = paused_stage()
    await stage.open(opening(rounds=1))
    await stage.run()
    outage.down = False
    other = stage.another("two")
    reviver = Reviver(
        store=other.store,
        driver=Kicks(),
        models={"scripted": model},
        platforms=frozenset({"fake"}),
        clock=other.clock,
        timing=other.timing,
        owner="two",
    )

    assert await reviver.look() == ("p1",)
    assert (await other.run()).status == "finished"
