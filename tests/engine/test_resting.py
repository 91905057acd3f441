"""When a panel rests: an outage, failures, the cap, a place that is gone; and how each goes on."""

from collections.abc import Callable

from bot.core.errors import CallFailed, ProviderDown
from bot.core.measured import Usage
from bot.core.model import ModelRequest
from tests.fakes.model import Said, ScriptedModel, plain, speaker_of
from tests.fakes.stage import FlatPrices, Stage, opening, seat, speakers

DOWN = ProviderDown("the provider does not answer (503)", "scripted")


def failing(speaker: str, fault: Exception, kind: str = "") -> Callable[[ModelRequest], Said]:
    """The plain script, but for one speaker, who has that fault."""

    def script(request: ModelRequest) -> Said:
        if speaker in ("", speaker_of(request)) and kind in ("", request.scene.kind):
            return fault
        return plain(request)

    return script


async def test_a_provider_that_is_down_pauses_the_panel_and_skips_nobody() -> None:
    """The reason says `provider`; when it is back, the same turn is asked for again."""
    stage = Stage(model=ScriptedModel(failing("bo", DOWN)))
    await stage.open(opening(rounds=1))

    paused = await stage.run()
    stage.model.script = plain
    await stage.say("continue")
    panel = await stage.run()

    assert (paused.status, paused.reason) == ("paused", "provider: the provider does not answer (503)")
    assert (panel.status, panel.skipped) == ("finished", ())
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_an_outage_in_a_parallel_round_loses_no_answer_that_was_paid_for() -> None:
    """The others' summaries are written down; they are posted behind the missing one, in speaking order."""
    stage = Stage(model=ScriptedModel(failing("ada", DOWN, "summary")))
    await stage.open(opening(seat("ada"), seat("bo"), seat("cy"), rounds=1, final_summary=True, synthesis=False))

    paused = await stage.run()
    thread = speakers(stage.thread())
    stage.model.script = plain
    await stage.say("continue")
    await stage.run()

    assert (paused.status, thread) == ("paused", ["ada", "bo", "cy"])
    assert [turn.persona for turn in paused.turns[3:]] == ["bo", "cy"]
    assert speakers(stage.thread()) == ["ada", "bo", "cy", "ada", "bo", "cy"]
    assert stage.model.asked[3:] == ["ada", "bo", "cy", "ada"]


async def test_a_round_in_which_every_turn_failed_pauses_the_panel() -> None:
    """One failure is skipped, a whole round of them is a matter for people; the next round begins when it goes on."""
    stage = Stage(model=ScriptedModel(failing("", CallFailed("the model declined to answer"))))
    await stage.open()

    paused = await stage.run()
    stage.model.script = plain
    await stage.say("continue")
    panel = await stage.run()

    assert paused.status == "paused"
    assert paused.reason == "failures: every turn of round 1 failed: the model declined to answer"
    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_a_discussion_at_its_cap_closes_with_what_there_is() -> None:
    """The closing phase was reserved from the start, so it fits under the cap."""
    stage = Stage(prices=FlatPrices(0.01))
    await stage.open(opening(rounds=9, max_cost=0.05))

    panel = await stage.run()

    assert (panel.status, panel.closing) == ("finished", "budget")
    assert speakers(stage.thread()) == ["ada", "bo", "ada", "bo", "host"]
    assert panel.spent_usd <= 0.05


async def test_a_question_beyond_the_cap_is_refused_in_the_log_and_not_asked() -> None:
    """The answer would cost more than there is."""
    stage = Stage(prices=FlatPrices(0.01))
    await stage.open(opening(rounds=9, max_cost=0.05))
    await stage.run()

    await stage.say("ask Ada: one more thing?")
    panel = await stage.run()

    assert stage.model.asked.count("ada") == 2
    assert panel.skipped[-1].reason.endswith("it would go over the cap")
    assert (panel.asks, panel.status) == ((), "finished")


async def test_a_thread_that_is_gone_ends_the_panel_and_keeps_what_was_said() -> None:
    """The panel has failed; transcript and record are kept, and nothing is posted anywhere."""
    stage = Stage()
    stage.platform.faults.extend(["ok", "ok", "gone"])
    await stage.open()

    panel = await stage.run()
    again = await stage.run()

    assert (panel.status, panel.reason) == ("failed", "the thread is gone: the channel was deleted")
    assert "Ada Lowell says" in stage.archive.transcripts["p1"]
    assert stage.archive.records["p1"]["status"] == "failed"
    assert stage.platform.files == {}
    assert again.last_seq == panel.last_seq


async def test_a_persona_that_could_not_be_loaded_stays_silent_and_the_others_go_on() -> None:
    """It stands in the roster with its reason."""
    stage = Stage()
    await stage.open(opening(seat("ada"), seat("bo", available=False), seat("cy"), rounds=1))

    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "cy", "host"]


async def test_a_panel_without_anybody_left_to_speak_pauses_and_says_what_to_do() -> None:
    """None of its personas could be loaded: that is no end."""
    stage = Stage()
    await stage.open(opening(seat("ada", available=False), seat("bo", available=False)))

    panel = await stage.run()

    assert panel.status == "paused"
    assert "`add NAME` or `unmute NAME`" in panel.reason


async def test_a_panel_that_waits_for_a_go_ahead_asks_nobody() -> None:
    """The card stands, and that is all, until somebody says go."""
    stage = Stage()
    await stage.open(opening(rounds=1).model_copy(update={"approval": True}))

    waiting = await stage.run()
    asked = stage.model.asked.copy()
    await stage.say("go")
    panel = await stage.run()

    assert (waiting.status, asked, len(stage.platform.messages)) == ("waiting", [], 4)
    assert panel.status == "finished"


async def test_what_failed_attempts_cost_is_counted_when_a_provider_goes_down_in_the_middle() -> None:
    """The first attempt was paid for, although no turn came of it."""
    stage = Stage(model=_Breaks())
    await stage.open(opening(rounds=1))

    panel = await stage.run()

    assert panel.status == "paused"
    assert panel.usage == Usage(input=7)
    assert panel.skipped == ()


class _Breaks(ScriptedModel):
    """Begins to answer, and is gone."""

    async def call(self, request, progress):  # type: ignore[no-untyped-def]  # as in the base class
        progress.spent(Usage(input=7))
        raise DOWN
