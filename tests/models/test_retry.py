"""The retry policy: what is tried again, how long it waits, and in which way it gives up."""

import asyncio

import pytest

from bot.core.errors import CallFailed, CallRetryable, NoModel, ProviderDown
from bot.core.model import ModelReply, ModelRequest, Progress
from bot.core.speech.limiter import Limiter
from bot.core.speech.retry import Policy, Retrying
from tests.fakes.clock import FakeClock
from tests.models.asking import asking
from tests.models.scripted import USAGE, Answer, ScriptedModel

PASSING = CallRetryable("busy")
WIDE = CallRetryable("gone", provider_wide=True)


def retrying(clock: FakeClock, *answers: Answer, policy: Policy | None = None) -> tuple[Retrying, ScriptedModel]:
    """A scripted model and the policy around it."""
    model = ScriptedModel(answers)
    return Retrying(model, provider="test", clock=clock, limiter=Limiter(clock), policy=policy), model


async def test_a_fault_that_may_pass_is_tried_again() -> None:
    """Every attempt's usage is counted, the failed ones' too."""
    calling, model = retrying(FakeClock(), PASSING, PASSING, "Yes.")
    progress = Progress()

    reply = await calling.call(asking(), progress)

    assert reply.text == "Yes."
    assert len(model.asked) == 3
    assert progress.usage == USAGE + USAGE + USAGE


async def test_waits_double_up_to_a_bound() -> None:
    """Capped exponential."""
    clock = FakeClock()
    calling, _model = retrying(clock, *[PASSING] * 7, "Yes.")

    await calling.call(asking(), Progress())

    assert clock.slept == [1, 2, 4, 8, 16, 20, 20]


async def test_waits_are_jittered_by_the_clock() -> None:
    """Between half of a wait and the whole of it, so that many panels do not come back at once."""
    clock = FakeClock(jitter=0.0)
    calling, _model = retrying(clock, PASSING, PASSING, "Yes.")

    await calling.call(asking(), Progress())

    assert clock.slept == [0.5, 1.0]


@pytest.mark.parametrize(("asked", "waited"), [(7.0, 7.0), (0.1, 1.0), (3600.0, 60.0)])
async def test_retry_after_is_obeyed_up_to_a_minute(asked: float, waited: float) -> None:
    """An hour's Retry-After does not hang a turn."""
    clock = FakeClock()
    calling, _model = retrying(clock, CallRetryable("slow down", retry_after=asked), "Yes.")

    await calling.call(asking(), Progress())

    assert clock.slept == [waited]


async def test_a_turn_is_given_up_at_its_deadline() -> None:
    """Its reason says what failed and how often it was tried."""
    clock = FakeClock()
    calling, model = retrying(clock, PASSING)

    with pytest.raises(CallFailed, match=r"busy \(tried 6 times\)"):
        await calling.call(asking(deadline=45), Progress())

    assert sum(clock.slept) <= 45
    assert len(model.asked) == 6


async def test_all_calls_of_a_turn_share_its_deadline() -> None:
    """A repair does not start the clock anew."""
    clock = FakeClock()
    calling, model = retrying(clock, "Yes.", PASSING)
    progress = Progress()
    await calling.call(asking(deadline=30), progress)
    clock.time += 29.5

    with pytest.raises(CallFailed):
        await calling.call(asking(deadline=30), progress)

    assert len(model.asked) == 2


async def test_a_provider_that_nobody_reaches_is_down() -> None:
    """The panel pauses and skips nothing."""
    calling, _model = retrying(FakeClock(), WIDE)

    with pytest.raises(ProviderDown, match="gone") as caught:
        await calling.call(asking(), Progress())

    assert caught.value.provider == "test"


async def test_a_provider_that_others_reach_is_not_down() -> None:
    """Then only this turn fails."""
    clock = FakeClock()
    model = ScriptedModel([WIDE, "Yes.", WIDE])
    calling = Retrying(model, provider="test", clock=clock, limiter=Limiter(clock))
    one, other = await asyncio.gather(
        calling.call(asking(deadline=20), Progress()),
        calling.call(asking(deadline=20), Progress()),
        return_exceptions=True,
    )

    assert isinstance(one, CallFailed)
    assert isinstance(other, ModelReply)


@pytest.mark.parametrize("fault", [CallFailed("no"), NoModel("none"), ProviderDown("key", "test")])
async def test_what_will_not_pass_is_not_tried_again(fault: Exception) -> None:
    """Refused requests, unknown models, refused keys."""
    calling, model = retrying(FakeClock(), fault)

    with pytest.raises(type(fault)):
        await calling.call(asking(), Progress())

    assert len(model.asked) == 1


async def test_an_empty_answer_is_asked_for_once_more() -> None:
    """Not for the whole deadline: it costs money."""
    calling, model = retrying(FakeClock(), "  ")

    with pytest.raises(CallFailed, match="empty"):
        await calling.call(asking(), Progress())

    assert len(model.asked) == 2


async def test_a_limit_used_up_by_thinking_is_doubled_twice() -> None:
    """`max_tokens` without a word is a failed attempt."""
    calling, model = retrying(FakeClock(), ModelReply(text="", stop="max_tokens"))

    with pytest.raises(CallFailed, match="before a word was said"):
        await calling.call(asking(max_tokens=4096), Progress())

    assert [request.max_tokens for request in model.asked] == [4096, 8192, 16384]


async def test_a_refusal_is_an_answer() -> None:
    """It is not tried again."""
    calling, model = retrying(FakeClock(), ModelReply(text="", stop="refusal"))

    reply = await calling.call(asking(), Progress())

    assert (reply.stop, len(model.asked)) == ("refusal", 1)


async def test_a_call_that_hangs_ends_at_the_deadline() -> None:
    """Even where the provider keeps the line open for ever."""
    clock = FakeClock()
    model = ScriptedModel(["late"], seconds=30)
    calling = Retrying(model, provider="test", clock=clock, limiter=Limiter(clock))

    async with asyncio.timeout(5):
        with pytest.raises(CallFailed, match="time was over"):
            await calling.call(asking(deadline=0.1), Progress())


@pytest.mark.parametrize("moment", ["waiting", "calling"])
async def test_cancelling_ends_the_call_at_any_moment(moment: str) -> None:
    """While it waits for the next attempt, or in the middle of one."""

    class Sleeping(FakeClock):
        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(seconds)

    clock = Sleeping()
    model = ScriptedModel([CallRetryable("slow", retry_after=30.0)], seconds=30 if moment == "calling" else 0)
    calling = Retrying(model, provider="test", clock=clock, limiter=Limiter(clock))
    task = asyncio.create_task(calling.call(asking(), Progress()))
    await asyncio.sleep(0.05)

    async with asyncio.timeout(1):
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    assert task.cancelled()


async def test_time_in_our_own_queue_is_no_fault_of_the_providers() -> None:
    """The deadline moves by the time that a call stood in line."""
    clock = FakeClock()
    model = ScriptedModel(["Yes."])
    limiter = Limiter(clock)
    calling = Retrying(model, provider="test", clock=clock, limiter=limiter)

    async with limiter.turn("claude-sonnet-5-5", {}):
        progress = Progress()
        await calling.call(asking(deadline=10), progress)

    assert progress.until is not None
    assert progress.until >= clock.monotonic()


async def test_a_deadline_within_an_attempt_does_not_hide_what_kept_failing() -> None:
    """A provider that was down all the time is down, also where the last attempt only hung."""

    class Hanging(ScriptedModel):
        async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
            if len(self.asked) == 1:
                await asyncio.sleep(30)
            return await super().call(request, progress)

    clock = FakeClock()
    calling = Retrying(Hanging([WIDE]), provider="test", clock=clock, limiter=Limiter(clock))

    with pytest.raises(ProviderDown, match="gone"):
        await calling.call(asking(deadline=1.05), Progress())
