"""One call over Chat Completions, and its faults."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.models.openai_api.provider import OpenAIModels
from adapters.models.openai_api.translate import seconds, strict
from bot.core.errors import CallFailed, NoModel, ProviderDown
from bot.core.formats.answers import ANSWERS, schema_of
from bot.core.model import Allowance, ModelRequest, Progress
from bot.core.speech.limiter import Limiter
from bot.core.speech.retry import Retrying
from tests.fakes.clock import FakeClock
from tests.fakes.toolbox import MemoryToolbox
from tests.models.asking import VERDICT, asking
from tests.servers.messages_api import MessagesServer, Reply, ToolUse, faults, scripted
from tests.servers.messages_api.faults import Fault
from tests.servers.messages_api.schema import strict_faults_of

BRIDGED: dict[str, Fault] = {
    "429": faults.rate_limited(2),
    "500": faults.server_error(),
    "503": faults.server_error(503),
    "hang up": faults.hang_up(),
    "stall": faults.stall(),
    "cut stream": faults.cut(),
    "early end": faults.end_early(),
    "broken chunk": faults.broken_chunk(),
    "error after 200": faults.error_event(),
    "empty": faults.empty_text(),
}


def chatting(**more: Any) -> ModelRequest:
    return asking(provider="openai", **more)


@pytest.fixture
async def server() -> AsyncIterator[MessagesServer]:
    async with MessagesServer() as running:
        yield running


@pytest.fixture
async def models(server: MessagesServer) -> AsyncIterator[OpenAIModels]:
    provider = OpenAIModels(FakeClock(), base_url=server.openai_url, api_key=server.key, timeout=0.3)
    yield provider
    await provider.close()


@pytest.fixture
def calling(models: OpenAIModels) -> Retrying:
    clock = FakeClock()
    return Retrying(models, provider="openai", clock=clock, limiter=Limiter(clock))


async def test_the_answer_comes_with_its_usage(server: MessagesServer, models: OpenAIModels) -> None:
    """What was read from a cache is told apart from other input."""
    progress = Progress()
    await models.call(chatting(), progress)
    reply = await models.call(chatting(), Progress())

    charged = server.calls[1].usage
    assert charged is not None
    assert reply.text
    assert (reply.usage.input, reply.usage.cache_read) == (charged.input, charged.read)
    assert reply.usage.output == charged.output
    assert reply.usage.cache_creation == 0
    assert progress.started.is_set()


async def test_the_persona_comes_last_in_one_user_message(server: MessagesServer, models: OpenAIModels) -> None:
    """Chat templates of local models take no other order; the shared part is the same bytes for all."""
    await models.call(chatting(turns=1), Progress())

    messages = server.calls[0].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[1]["content"].endswith("<persona>\nYou are Ada. Speak.\n</persona>")
    assert messages[1]["content"].startswith("Topic of the panel: Tea or coffee?")


async def test_a_schema_is_enforced_by_the_server(server: MessagesServer, models: OpenAIModels) -> None:
    """Through `response_format`, in its strict form."""
    reply = await models.call(chatting(schema=VERDICT), Progress())

    asked = server.calls[0].body["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"]["strict"] is True
    assert reply.text.startswith('{"verdict":')


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answers_schema_can_be_enforced(name: str) -> None:
    """Strict schemas are closed and require everything."""
    assert strict_faults_of(strict(schema_of(name))) == []


async def test_tools_are_used_and_recorded(server: MessagesServer, models: OpenAIModels) -> None:
    """The same bound and record as with any other provider."""
    server.voice = scripted(Reply(tools=(ToolUse(name="Read", input={"path": "a.md"}),)), "It says tea.")

    reply = await models.call(chatting(toolbox=MemoryToolbox({"a.md": "tea\n"})), Progress())

    assert reply.text == "It says tea."
    assert [(call.tool, call.arguments) for call in reply.tool_calls] == [("Read", {"path": "a.md"})]
    assert server.calls[1].body["messages"][-1]["role"] == "tool"


@pytest.mark.parametrize(
    ("fault", "stop"), [(faults.refusal(text="No."), "refusal"), (faults.out_of_tokens(), "max_tokens")]
)
async def test_refusals_and_limits_have_their_own_outcome(
    server: MessagesServer, models: OpenAIModels, fault: Fault, stop: str
) -> None:
    """They are answers of a kind."""
    server.fail(fault)

    assert (await models.call(chatting(), Progress())).stop == stop


@pytest.mark.parametrize("fault", BRIDGED.values(), ids=BRIDGED)
async def test_a_fault_that_passes_is_not_noticed(server: MessagesServer, calling: Retrying, fault: Fault) -> None:
    """The same policy over another API."""
    server.fail(fault)

    reply = await calling.call(chatting(), Progress())

    assert reply.text
    assert len(server.calls) == 2


async def test_refused_connections_pause(server: MessagesServer, calling: Retrying) -> None:
    """Nothing is skipped."""
    async with server.down():
        with pytest.raises(ProviderDown, match="can not be reached"):
            await calling.call(chatting(), Progress())


async def test_cancelling_cancels_the_request(server: MessagesServer, models: OpenAIModels) -> None:
    """What had come by then is estimated: these servers bill at the end."""
    server.fail(faults.stall(after=3))
    progress = Progress()
    call = asyncio.create_task(models.call(chatting(), progress))
    await asyncio.wait_for(progress.started.wait(), 5)
    await asyncio.sleep(0.05)

    async with asyncio.timeout(1):
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await server.settled()

    assert server.calls[0].cancelled
    assert progress.usage.input > 1500


async def test_the_servers_limits_are_passed_on(models: OpenAIModels) -> None:
    """Their resets are durations."""
    told: list[tuple[Allowance, ...]] = []
    progress = Progress()
    progress.on_allowance = told.append

    await models.call(chatting(), progress)

    assert {allowance.kind for allowance in told[0]} == {"requests", "tokens"}


@pytest.mark.parametrize(("text", "means"), [("6m0s", 360), ("1.5s", 1.5), ("20ms", 0.02), ("1h2m", 3720), ("", 0)])
def test_durations(text: str, means: float) -> None:
    """As the headers write them."""
    assert seconds(text) == pytest.approx(means)


async def test_the_list_of_models_is_the_servers(models: OpenAIModels) -> None:
    """Every id."""
    assert "claude-opus-5-5" in await models.models()


async def test_an_unknown_model_is_told_with_the_near_ones(models: OpenAIModels) -> None:
    """Once the list is known."""
    await models.models()

    with pytest.raises(NoModel, match="no model 'claude-sonet-5-5'; near it: claude-sonnet-5-5"):
        await models.call(chatting(model="claude-sonet-5-5"), Progress())


async def test_a_wrong_key_is_told(server: MessagesServer) -> None:
    """At the list and at a call."""
    models = OpenAIModels(FakeClock(), base_url=server.openai_url, api_key="wrong")

    with pytest.raises(NoModel, match=r"refuses the key.*PANELIST_OPENAI_API_KEY"):
        await models.models()
    with pytest.raises(ProviderDown, match="refuses the key"):
        await models.call(chatting(), Progress())
    await models.close()


async def test_a_web_page_is_no_such_api(server: MessagesServer) -> None:
    """At the list and at a call."""
    models = OpenAIModels(FakeClock(), base_url=server.openai_url, api_key=server.key)
    server.fail(faults.html(), times=None, on=("models", "chat"))

    with pytest.raises(NoModel, match="check PANELIST_OPENAI_BASE_URL"):
        await models.models()
    with pytest.raises(NoModel, match="check PANELIST_OPENAI_BASE_URL"):
        await models.call(chatting(), Progress())
    await models.close()


async def test_a_refused_request_is_not_tried_again(server: MessagesServer, calling: Retrying) -> None:
    """It would be refused again."""
    server.fail(faults.ErrorStatus(type="invalid_request_error", message="odd"))

    with pytest.raises(CallFailed, match="refused the request"):
        await calling.call(chatting(), Progress())

    assert len(server.calls) == 1
