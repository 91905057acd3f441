"""Both providers against a double that somebody else wrote: llmock, with its own fault scripts and its own verdict."""

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from llmock.pytest_plugin import LLMock
from llmock.testing import LLMockServer

from adapters.models.anthropic_api.provider import AnthropicModels
from adapters.models.openai_api.provider import OpenAIModels
from bot.core.errors import ProviderDown
from bot.core.model import ChatModel, Progress
from bot.core.speech.limiter import Limiter
from bot.core.speech.retry import Retrying
from tests.fakes.clock import FakeClock
from tests.fakes.toolbox import MemoryToolbox
from tests.models.asking import asking

FAULTS: dict[str, Callable[[LLMock], object]] = {
    "429": lambda double: double.rate_limit(times=2, retry_after=0.01),
    "529": lambda double: double.fail(529),
    "500": lambda double: double.fail(500, times=2),
    "disconnect": lambda double: double.disconnect(after_chunks=2),
    "truncate": lambda double: double.truncate(after_chunks=2),
    "corrupt": lambda double: double.corrupt(after_chunks=2),
    "stall": lambda double: double.stall(after_chunks=2, seconds=1.0),
}
NAMES = {"anthropic": "claude-sonnet-5-5", "openai": "gpt-4o"}


@pytest.fixture(scope="module")
def running() -> Iterator[LLMockServer]:
    with LLMockServer() as server:
        yield server


@pytest.fixture
def double(running: LLMockServer) -> LLMock:
    return LLMock(running).reset().tool_mode("off")


@pytest.fixture(params=["anthropic", "openai"])
async def calling(request: pytest.FixtureRequest, double: LLMock) -> AsyncIterator[Retrying]:
    clock, provider = FakeClock(), str(request.param)
    model: ChatModel
    if provider == "anthropic":
        model = AnthropicModels(clock, api_key="any", base_url=double.base_url("anthropic"), timeout=0.5)
    else:
        model = OpenAIModels(clock, api_key="any", base_url=double.base_url("openai"), timeout=0.5)
    retrying = Retrying(model, provider=provider, clock=clock, limiter=Limiter(clock))
    # The double takes no system message at the end: the first call finds that out, and uses a script up.
    await retrying.call(asking(NAMES[provider]), Progress())
    double.reset().tool_mode("off")
    yield retrying
    await retrying.close()


def _name(calling: Retrying) -> str:
    return NAMES[calling._provider]


async def test_it_answers(calling: Retrying, double: LLMock) -> None:
    """Shapes that we did not make up ourselves."""
    double.reply("Tea.")

    reply = await calling.call(asking(_name(calling)), Progress())

    assert reply.text == "Tea."
    assert reply.usage.output > 0


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_its_faults_are_bridged(calling: Retrying, double: LLMock, fault: Callable[[LLMock], object]) -> None:
    """Whatever it breaks, the answer comes."""
    fault(double)

    reply = await calling.call(asking(_name(calling)), Progress())

    assert reply.text


async def test_its_outage_pauses(calling: Retrying, double: LLMock) -> None:
    """Every request fails with 503."""
    double.outage()

    with pytest.raises(ProviderDown):
        await calling.call(asking(_name(calling)), Progress())


async def test_it_calls_tools(calling: Retrying, double: LLMock) -> None:
    """Both APIs' forms of a tool round."""
    double.call_tool("Read", {"path": "a.md"}).reply("It says tea.")

    reply = await calling.call(asking(_name(calling), toolbox=MemoryToolbox({"a.md": "tea\n"})), Progress())

    assert reply.text == "It says tea."
    assert [call.tool for call in reply.tool_calls] == ["Read"]
