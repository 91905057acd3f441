"""Every fault of the service, through the provider and the policy: bridged, or told in words; nothing billed unseen."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.models.anthropic_api.provider import AnthropicModels
from bot.core.errors import CallFailed, ProviderDown
from bot.core.model import Progress
from bot.core.speech.limiter import Limiter
from bot.core.speech.retry import Retrying
from tests.fakes.clock import FakeClock
from tests.models.asking import asking
from tests.servers.messages_api import MessagesServer, RateLimits, faults
from tests.servers.messages_api.faults import Fault

BRIDGED: dict[str, Fault] = {
    "429": faults.rate_limited(2),
    "429 without a time": faults.rate_limited(None),
    "500": faults.server_error(),
    "503": faults.server_error(503),
    "529": faults.overloaded(),
    "hang up": faults.hang_up(),
    "stall": faults.stall(),
    "cut stream": faults.cut(),
    "early end": faults.end_early(),
    "broken chunk": faults.broken_chunk(),
    "error after 200": faults.error_event(),
    "rate limit after 200": faults.error_event("rate_limit_error"),
    "empty": faults.empty_text(),
    "thinking alone": faults.out_of_tokens(text=False),
}


@pytest.fixture
async def server() -> AsyncIterator[MessagesServer]:
    async with MessagesServer() as running:
        yield running


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def calling(server: MessagesServer, clock: FakeClock) -> AsyncIterator[Retrying]:
    models = AnthropicModels(clock, api_key=server.key, base_url=server.url, timeout=0.3)
    retrying = Retrying(models, provider="anthropic", clock=clock, limiter=Limiter(clock))
    yield retrying
    await retrying.close()


@pytest.mark.parametrize("fault", BRIDGED.values(), ids=BRIDGED)
async def test_a_fault_that_passes_is_not_noticed(server: MessagesServer, calling: Retrying, fault: Fault) -> None:
    """Twice in a row where it costs nothing, once where it does; then the answer."""
    server.fail(fault, times=1 if fault in (BRIDGED["empty"], BRIDGED["thinking alone"]) else 2)

    reply = await calling.call(asking(), Progress())

    assert reply.text
    assert reply.stop == "end"


@pytest.mark.parametrize("fault", BRIDGED.values(), ids=BRIDGED)
async def test_no_fault_is_billed_unseen(server: MessagesServer, calling: Retrying, fault: Fault) -> None:
    """What the service charged for failed attempts stands in the usage too, to within a token an attempt."""
    server.fail(fault)
    progress = Progress()

    await calling.call(asking(), progress)
    await server.settled()

    charged = server.usage
    assert progress.usage.input == charged.input
    assert progress.usage.cache_read == charged.read
    assert progress.usage.cache_creation == charged.write_5m
    if fault != BRIDGED["broken chunk"]:  # the service goes on speaking after it, to nobody
        assert abs(progress.usage.output - charged.output) <= len(server.calls)


async def test_retry_after_is_heeded(server: MessagesServer, calling: Retrying, clock: FakeClock) -> None:
    """To the second."""
    server.fail(faults.rate_limited(11))

    await calling.call(asking(), Progress())

    assert clock.slept == [11.0]


@pytest.mark.parametrize("fault", [faults.overloaded(), faults.server_error(), faults.server_error(503)])
async def test_a_service_that_stays_down_pauses(server: MessagesServer, calling: Retrying, fault: Fault) -> None:
    """It says what the service said."""
    server.fail(fault, times=None)

    with pytest.raises(ProviderDown, match="made to fail"):
        await calling.call(asking(), Progress())


async def test_refused_connections_pause(server: MessagesServer, calling: Retrying) -> None:
    """And when the service is back, the same turn goes through."""
    await calling.models()
    async with server.down():
        with pytest.raises(ProviderDown, match="can not be reached"):
            await calling.call(asking(), Progress())

    assert (await calling.call(asking(), Progress())).text


@pytest.mark.parametrize("fault", [faults.rate_limited(1), faults.cut(), faults.stall()], ids=["429", "cut", "stall"])
async def test_a_call_that_never_goes_well_fails_with_its_reason(
    server: MessagesServer, calling: Retrying, fault: Fault
) -> None:
    """The turn is skipped; the panel goes on."""
    server.fail(fault, times=None)

    with pytest.raises(CallFailed, match=r"tried \d+ times"):
        await calling.call(asking(deadline=12), Progress())


async def test_a_slow_first_byte_is_waited_for(server: MessagesServer, calling: Retrying) -> None:
    """Within the time-out it is no fault."""
    server.fail(faults.slow_first_byte(0.1))

    await calling.call(asking(), Progress())

    assert len(server.calls) == 1


async def test_the_rate_headers_slow_calls_down(server: MessagesServer, clock: FakeClock) -> None:
    """Before the service has to say 429: a burst of calls stays within the minute's requests."""

    async with MessagesServer(limits=RateLimits(requests=10), now=clock.now) as limited:
        models = AnthropicModels(clock, api_key=limited.key, base_url=limited.url)
        calling = Retrying(models, provider="anthropic", clock=clock, limiter=Limiter(clock))
        for _ in range(30):
            await calling.call(asking(), Progress())
        await calling.close()

    assert {call.status for call in limited.calls} == {200}


async def test_a_cancelled_call_frees_its_place(server: MessagesServer, clock: FakeClock) -> None:
    """A stopped panel does not hold up the others."""
    models = AnthropicModels(clock, api_key=server.key, base_url=server.url)
    calling = Retrying(models, provider="anthropic", clock=clock, limiter=Limiter(clock, at_once=1))
    server.fail(faults.stall())
    stuck = asyncio.create_task(calling.call(asking(), Progress()))
    await server.arrived(1)

    stuck.cancel()
    await asyncio.gather(stuck, return_exceptions=True)

    async with asyncio.timeout(2):
        assert (await calling.call(asking(), Progress())).text
    await calling.close()
