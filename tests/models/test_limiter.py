"""The limiter: a bound on calls at once, and a brake before the provider has to refuse."""

import asyncio

import pytest

from bot.core.model import Allowance, Progress
from bot.core.speech.limiter import LONGEST_WAIT, Limiter
from bot.core.speech.retry import Retrying
from tests.fakes.clock import FakeClock
from tests.models.asking import asking
from tests.models.scripted import ScriptedModel

ONE = {"requests": 1}


def requests_left(left: int, *, limit: int = 100, resets_in: float = 50.0) -> tuple[Allowance, ...]:
    return (Allowance(kind="requests", limit=limit, left=left, resets_in=resets_in),)


async def test_calls_at_once_are_bounded() -> None:
    """For all panels of the deployment together."""
    clock = FakeClock()
    model = ScriptedModel(["Yes."], seconds=0.01)
    calling = Retrying(model, provider="test", clock=clock, limiter=Limiter(clock, at_once=3))

    await asyncio.gather(*(calling.call(asking(), Progress()) for _ in range(12)))

    assert model.most_at_once == 3


async def test_nobody_waits_while_there_is_plenty() -> None:
    """The brake costs nothing in good times."""
    limiter = Limiter(FakeClock())
    limiter.heed("m", requests_left(50))

    assert limiter.wait_for("m", ONE) == 0


@pytest.mark.parametrize(("left", "wait"), [(7, 50 / 8), (1, 25.0), (0, 50.0)])
async def test_the_less_is_left_the_longer_a_call_waits(left: int, wait: float) -> None:
    """What is left is spread over the time until the limit is whole again."""
    limiter = Limiter(FakeClock())
    limiter.heed("m", requests_left(left))

    assert limiter.wait_for("m", ONE) == pytest.approx(wait)


async def test_tokens_are_heeded_like_requests() -> None:
    """A call counts by what it is expected to take."""
    limiter = Limiter(FakeClock())
    limiter.heed("m", (Allowance(kind="input", limit=10_000, left=900, resets_in=30.0),))

    assert limiter.wait_for("m", {"input": 1000}) == 30.0
    assert limiter.wait_for("m", {"input": 100}) == 0.0


async def test_a_call_larger_than_its_limit_goes_once_that_is_whole() -> None:
    """Waiting longer would not make it fit."""
    limiter = Limiter(FakeClock())
    limiter.heed("m", (Allowance(kind="input", limit=1000, left=1000, resets_in=30.0),))

    assert limiter.wait_for("m", {"input": 5000}) == 15.0


async def test_limits_are_kept_per_model() -> None:
    """As providers count them."""
    limiter = Limiter(FakeClock())
    limiter.heed("m", requests_left(0))

    assert limiter.wait_for("other", ONE) == 0


async def test_calls_that_start_are_counted_before_the_provider_tells() -> None:
    """Otherwise a burst would pass on the strength of one old answer."""
    clock = FakeClock()
    limiter = Limiter(clock)
    limiter.heed("m", requests_left(9))

    for _ in range(2):
        async with limiter.turn("m", ONE):
            pass

    assert clock.slept == []
    assert limiter.wait_for("m", ONE) == pytest.approx(50 / 8)


async def test_a_limit_is_forgotten_when_it_is_whole_again() -> None:
    """Also where no answer has come since."""
    clock = FakeClock()
    limiter = Limiter(clock)
    limiter.heed("m", requests_left(0, resets_in=20.0))
    clock.time += 20.0

    assert limiter.wait_for("m", ONE) == 0


async def test_no_wait_is_longer_than_a_minute() -> None:
    """Whatever a clock that is wrong makes of a date."""
    limiter = Limiter(FakeClock())
    limiter.heed("m", requests_left(0, resets_in=86_400.0))

    assert limiter.wait_for("m", ONE) == LONGEST_WAIT
