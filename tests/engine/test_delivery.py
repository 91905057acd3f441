"""One post on its way into the thread: refused, throttled, in doubt, found, not found, doubled."""

import asyncio
from typing import Any

import pytest

from bot.core.errors import PlatformError
from bot.core.platform import Capabilities, Post
from tests.engine.fates import Fate, under
from tests.fakes.chat import LATE, RETRY_AFTER, Fault
from tests.fakes.stage import PLACE, TIMING, Stage, opening, speakers

FIRST_TURN: list[Fault] = ["ok"]
"""What becomes of the card, before the fault that a test is about."""


async def _with_faults(*faults: Any) -> Stage:
    stage = Stage()
    stage.platform.faults.extend([*FIRST_TURN, *faults])
    await stage.open(opening(rounds=1))
    return stage


async def test_a_post_whose_answer_was_lost_is_found_in_the_thread() -> None:
    """In doubt: the settling time passes, the thread is read back, and the post that stands there is recorded."""
    stage = await _with_faults("unconfirmed")

    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "host"]
    assert stage.platform.reads == 1
    assert sum(stage.clock.slept) == pytest.approx(TIMING.settle)


async def test_a_post_that_never_arrived_is_sent_again_after_the_settling_time() -> None:
    """In doubt and not found: one more request, not before the first can have no effect any more."""
    stage = await _with_faults("lost")

    await stage.run()

    assert speakers(stage.thread()) == ["ada", "bo", "host"]
    assert [key for key in stage.platform.requests if key == "p1:3:1"] == ["p1:3:1"] * 2
    assert sum(stage.clock.slept) == pytest.approx(TIMING.settle)


async def test_a_post_that_arrives_late_is_found_and_not_sent_again() -> None:
    """Late is not lost, as long as it is not later than the settling time."""
    stage = await _with_faults("late")
    assert TIMING.settle > LATE

    await stage.run()

    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_a_throttled_post_waits_as_long_as_the_platform_asks() -> None:
    """It is known not to be there, so it needs no settling."""
    stage = await _with_faults("throttled", "throttled")

    await stage.run()

    assert stage.clock.slept == [RETRY_AFTER, RETRY_AFTER]
    assert stage.platform.reads == 0
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_a_refused_post_pauses_the_panel_once_and_is_posted_when_it_goes_on() -> None:
    """The panel rests with the reason; the turn stays written down, and nobody is asked for it again."""
    stage = await _with_faults("refused")

    paused = await stage.run()
    requests = len(stage.platform.requests)
    await stage.say("continue")
    panel = await stage.run()

    assert (paused.status, paused.reason) == ("paused", "platform: nobody may post here; ask an admin, then continue")
    assert requests == 2
    assert panel.status == "finished"
    assert stage.model.asked == ["ada", "bo", "host"]
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_a_refused_card_pauses_the_panel_instead_of_being_tried_for_ever() -> None:
    """Nothing is said where nobody may post."""
    stage = Stage()
    stage.platform.faults.extend(["refused"])
    await stage.open()

    panel = await stage.run()

    assert panel.status == "paused"
    assert stage.platform.requests == ["p1:1:1"]
    assert stage.model.asked == []


async def test_a_refused_second_part_pauses_and_the_turn_is_completed_later() -> None:
    """What stands stays; the rest of the turn follows it, before anything else."""
    stage = Stage()
    stage.platform.able = Capabilities(max_chars=40)
    stage.platform.faults.extend(["ok", "ok", "refused"])
    await stage.open(opening(rounds=1, synthesis=False))

    paused = await stage.run()
    keys = [message.key for message in stage.platform.standing()]
    await stage.say("continue")
    await stage.run()

    assert (paused.status, keys) == ("paused", ["p1:3:1"])
    assert [m.key for m in stage.platform.standing()][:2] == ["p1:3:1", "p1:3:2"]


async def test_a_thread_that_can_not_be_read_just_now_is_tried_again_and_then_given_up_for_a_while() -> None:
    """Without the answer nothing is posted; the panel says why it rests, and goes on when it is told to."""
    stage = await _with_faults("unconfirmed")
    stage.platform.unreadable = 7

    paused = await stage.run()
    reads = stage.platform.reads
    await stage.say("continue")
    panel = await stage.run()

    assert (paused.status, paused.reason.split(":")[0], reads) == ("paused", "out of reach", 5)
    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


@pytest.mark.parametrize(
    ("words", "thread"),
    [(["continue"], ["ada", "ada", "bo", "host"]), (["skip", "continue"], ["ada", "bo", "host"])],
    ids=["posted again", "left"],
)
async def test_where_a_thread_can_never_be_read_a_human_decides(words: list[str], thread: list[str]) -> None:
    """A post in doubt is held: `continue` posts it again, `skip` leaves it."""
    stage = await _with_faults("unconfirmed")
    stage.platform.able = Capabilities(max_chars=2000, reads_back=False)

    paused = await stage.run()
    again = await stage.run()
    for word in words:
        await stage.say(word)
    panel = await stage.run()

    assert (paused.status, again.status) == ("paused", "paused")
    assert "look, then" in paused.reason
    assert panel.status == "finished"
    assert speakers(stage.thread()) == thread
    assert stage.platform.reads == 0


async def test_an_intent_that_went_stale_before_it_was_sent_is_settled_first() -> None:
    """A process that slept between the intent and the request must not post: somebody may have done it meanwhile."""
    stage = await _with_faults()
    slow = stage.another("slow", store=under(_Suspended(stage), stage.store))

    panel = await slow.run()

    assert panel.status == "finished"
    assert stage.platform.reads == 1
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


class _Suspended(Fate):
    """The machine is suspended for a minute right after the first turn was written down."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage, self._over = stage, False

    async def act(self, name: str, do: Any) -> Any:
        result = await do()
        if not self._over and len((await self._stage.state()).turns) == 1:
            self._over = True
            self._stage.clock.time += 60.0
        return result


async def test_a_zombies_post_that_lands_without_an_answer_is_taken_back() -> None:
    """It wakes up in the middle of a request, which arrives behind the one of the process that took over."""
    stage = await _with_faults()
    taken_over = asyncio.Event()

    async def frozen(post: Post) -> None:
        if post.key == "p1:3:1" and not taken_over.is_set():
            taken_over.set()
            stage.platform.before_post = None
            stage.clock.time += 100.0
            await stage.another("two").run()
            stage.platform.faults.append("unconfirmed")

    stage.platform.before_post = frozen
    await stage.run()

    assert stage.platform.requests.count("p1:3:1") == 2
    assert speakers(stage.thread()) == ["ada", "bo", "host"]


async def test_the_card_is_shown_anew_after_every_step_and_its_failure_is_nobodys_business() -> None:
    """What a card shows is best effort: a panel goes on without it."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    stage.platform.card_fault = PlatformError("too many edits")

    panel = await stage.run()
    stage.platform.card_fault = None
    await stage.say("extend 1")
    await stage.run()

    assert panel.status == "finished"
    assert stage.platform.cards[-1].status == "finished"


async def test_the_thread_that_the_platform_makes_is_written_down_once() -> None:
    """All turns go into the thread of the card."""
    stage = await _with_faults()

    panel = await stage.run()

    assert panel.place == PLACE.model_copy(update={"thread": "thread-of-m1"})
    assert {message.place for message in stage.platform.standing()} == {panel.place}
    assert [entry.kind for entry in panel.entries].count("placed") == 1
