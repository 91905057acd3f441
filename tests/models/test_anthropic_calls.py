"""One call over the Messages API: what is sent, what comes back, and what it is said to have cost."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.models.anthropic_api.provider import AnthropicModels
from bot.core.errors import CallFailed, NoModel, ProviderDown
from bot.core.measured import Usage
from bot.core.model import Allowance, Progress
from tests.fakes.clock import FakeClock
from tests.fakes.toolbox import MemoryToolbox
from tests.models.asking import VERDICT, asking
from tests.servers.messages_api import CATALOGUE, MessagesServer, Model, Reply, ToolUse, faults, scripted


@pytest.fixture
async def server() -> AsyncIterator[MessagesServer]:
    async with MessagesServer() as running:
        yield running


@pytest.fixture
async def models(server: MessagesServer) -> AsyncIterator[AnthropicModels]:
    provider = AnthropicModels(FakeClock(), api_key=server.key, base_url=server.url, timeout=5.0)
    yield provider
    await provider.close()


async def test_the_answer_comes_with_its_usage(server: MessagesServer, models: AnthropicModels) -> None:
    """What the reply says it cost is what the service charged, kind by kind."""
    server.voice = scripted("Tea, since you ask.")

    progress = Progress()
    reply = await models.call(asking(), progress)

    charged = server.calls[0].usage
    assert charged is not None
    assert (reply.text, reply.stop, reply.model) == ("Tea, since you ask.", "end", "anthropic:claude-sonnet-5-5")
    assert reply.usage == progress.usage
    assert (reply.usage.input, reply.usage.cache_creation) == (charged.input, charged.write_5m)
    assert reply.usage.output == charged.output
    assert progress.started.is_set()


async def test_rules_and_document_come_first_and_the_persona_last(
    server: MessagesServer, models: AnthropicModels
) -> None:
    """A `system` message after the shared blocks, so that all who speak share the same first bytes."""
    await models.call(asking(turns=2), Progress())

    body = server.calls[0].body
    assert body["system"] == [{"type": "text", "text": "Rules of the house."}]
    assert [message["role"] for message in body["messages"]] == ["user", "system"]
    assert body["messages"][1]["content"][0]["text"] == "You are Ada. Speak."
    assert [bool(block.get("cache_control")) for block in body["messages"][0]["content"]] == [True, False, True]
    assert body["output_config"] == {"effort": "low"}


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "some-local-model"])
async def test_a_model_without_a_system_tail_gets_the_persona_block(model: str) -> None:
    """The same text, as the last block of the user's message; effort is not sent where it is not known."""

    local = Model(id="some-local-model", system_tail=False, efforts=())
    async with MessagesServer(models=[*CATALOGUE, local]) as server:
        models = AnthropicModels(FakeClock(), api_key=server.key, base_url=server.url)
        await models.call(asking(model), Progress())
        await models.close()

    body = server.calls[0].body
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert body["messages"][0]["content"][-1]["text"] == "<persona>\nYou are Ada. Speak.\n</persona>"
    assert "output_config" not in body


async def test_a_system_tail_that_is_refused_is_sent_as_a_block_from_then_on() -> None:
    """Only trying tells what a compatible server takes."""

    async with MessagesServer(models=[Model(id="claude-sonnet-5-5", system_tail=False)]) as server:
        models = AnthropicModels(FakeClock(), api_key=server.key, base_url=server.url)
        await models.call(asking(), Progress())
        await models.call(asking(), Progress())
        await models.close()

    assert [call.status for call in server.calls] == [400, 200, 200]


async def test_a_schema_is_asked_for_in_words_and_leaves_the_shared_cache_alone(
    server: MessagesServer, models: AnthropicModels
) -> None:
    """A spoken turn and a structured one read one entry."""
    await models.call(asking(), Progress())
    server.voice = scripted('{"verdict": "pass"}')

    reply = await models.call(asking(schema=VERDICT), Progress())

    assert reply.text == '{"verdict": "pass"}'
    assert "format" not in server.calls[1].body["output_config"]
    assert server.calls[1].body["messages"][-1]["content"][0]["text"].endswith("Answer in JSON: {...}")
    assert reply.usage.cache_creation == 0
    assert reply.usage.cache_read > 1500


async def test_a_repair_is_enforced_by_the_service(server: MessagesServer, models: AnthropicModels) -> None:
    """Where words did not suffice, the format is asked for through the API."""
    await models.call(asking(schema=VERDICT, enforce=True), Progress())

    config = server.calls[0].body["output_config"]
    assert config["format"]["schema"]["additionalProperties"] is False
    assert "JSON" not in server.calls[0].body["messages"][-1]["content"][0]["text"]


async def test_tools_are_used_and_recorded(server: MessagesServer, models: AnthropicModels) -> None:
    """Each use stands in the reply; the answer is what comes after the last."""
    server.voice = scripted(
        Reply(tools=(ToolUse(name="Read", input={"path": "a.md"}), ToolUse(name="Grep", input={"pattern": "tea"}))),
        Reply(tools=(ToolUse(name="Read", input={"path": "../secret"}),)),
        "It says tea.",
    )
    progress = Progress()

    reply = await models.call(asking(toolbox=MemoryToolbox({"a.md": "tea\n"})), progress)

    assert reply.text == "It says tea."
    assert [(call.tool, call.arguments) for call in reply.tool_calls] == [
        ("Read", {"path": "a.md"}),
        ("Grep", {"pattern": "tea"}),
        ("Read", {"path": "../secret"}),
    ]
    assert len(server.calls) == 3
    results = server.calls[2].body["messages"][-1]["content"]
    assert results[0]["is_error"] is True
    assert progress.usage == reply.usage
    assert server.usage.read > 2 * 1500


async def test_a_model_that_does_not_stop_using_tools_is_stopped(
    server: MessagesServer, models: AnthropicModels
) -> None:
    """Beyond the bound it is told so, and then the turn is given up."""
    server.voice = lambda _body: Reply(tools=(ToolUse(name="Read", input={"path": "a.md"}),))

    with pytest.raises(CallFailed, match="kept using tools after 16"):
        await models.call(asking(toolbox=MemoryToolbox({"a.md": "tea\n"})), Progress())

    assert len(server.calls) == 21


@pytest.mark.parametrize(
    ("fault", "stop"), [(faults.refusal(text="No."), "refusal"), (faults.out_of_tokens(), "max_tokens")]
)
async def test_refusals_and_limits_have_their_own_outcome(
    server: MessagesServer, models: AnthropicModels, fault: Any, stop: str
) -> None:
    """They are answers of a kind, not failures of the service."""
    server.fail(fault)

    reply = await models.call(asking(), Progress())

    assert reply.stop == stop


async def test_cancelling_cancels_the_request(server: MessagesServer, models: AnthropicModels) -> None:
    """Within a second, and what had come by then is accounted for."""
    server.fail(faults.stall(after=3))
    progress = Progress()
    call = asyncio.create_task(models.call(asking(), progress))
    await asyncio.wait_for(progress.started.wait(), 5)
    await asyncio.sleep(0.1)

    async with asyncio.timeout(1):
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await server.settled()

    charged = server.calls[0].usage
    assert charged is not None
    assert server.calls[0].cancelled
    assert progress.usage.input == charged.input
    assert abs(progress.usage.output - charged.output) <= 1


async def test_the_services_limits_are_passed_on(server: MessagesServer, models: AnthropicModels) -> None:
    """As soon as the headers are there."""
    told: list[tuple[Allowance, ...]] = []
    progress = Progress()
    progress.on_allowance = told.append

    await models.call(asking(), progress)

    kinds = {allowance.kind: allowance for allowance in told[0]}
    assert set(kinds) == {"requests", "input", "output", "tokens"}
    assert (kinds["requests"].limit, kinds["requests"].left) == (4000, 3999)


async def test_the_list_of_models_is_the_services(server: MessagesServer, models: AnthropicModels) -> None:
    """With each model's window; asked for once."""
    assert "claude-opus-5-5" in await models.models()
    assert await models.window("claude-haiku-4-5") == 200_000
    assert await models.window("unheard-of") is None
    assert [request.route for request in server.requests] == ["models"]


async def test_tokens_are_counted_by_the_service(server: MessagesServer, models: AnthropicModels) -> None:
    """For the forecast."""
    assert await models.count("claude-sonnet-5-5", "abcd" * 10) == 10


async def test_a_wrong_key_is_told_at_the_list_and_pauses_at_a_call(server: MessagesServer) -> None:
    """Before a panel starts it is an error; in the middle of one it is nobody's skipped turn."""
    models = AnthropicModels(FakeClock(), api_key="wrong", base_url=server.url)

    with pytest.raises(NoModel, match=r"refuses the key.*ANTHROPIC_API_KEY"):
        await models.models()
    with pytest.raises(ProviderDown, match="refuses the key"):
        await models.call(asking(), Progress())
    await models.close()


async def test_an_unknown_model_is_told_with_the_near_ones(server: MessagesServer, models: AnthropicModels) -> None:
    """A typing error is found at a glance."""
    with pytest.raises(NoModel, match="no model 'claude-sonet-5-5'; near it: claude-sonnet-5-5"):
        await models.call(asking("claude-sonet-5-5"), Progress())


async def test_a_key_without_access_is_told(server: MessagesServer, models: AnthropicModels) -> None:
    """It names the model."""
    server.fail(faults.no_permission())

    with pytest.raises(NoModel, match="may not use claude-sonnet-5-5"):
        await models.call(asking(), Progress())


async def test_an_address_that_answers_with_a_web_page_is_no_such_api(server: MessagesServer) -> None:
    """At the list and at a call alike."""
    models = AnthropicModels(FakeClock(), api_key=server.key, base_url=server.url)
    server.fail(faults.html(), times=None, on=("models", "messages"))

    with pytest.raises(NoModel, match="does not answer like the Messages API; check ANTHROPIC_BASE_URL"):
        await models.models()
    with pytest.raises(NoModel, match="does not answer like the Messages API"):
        await models.call(asking(), Progress())
    await models.close()


async def test_nobody_at_the_address_is_told(server: MessagesServer) -> None:
    """The message names it."""
    models = AnthropicModels(FakeClock(), api_key=server.key, base_url=server.url)

    async with server.down():
        with pytest.raises(ProviderDown, match=f"{server.url} can not be reached"):
            await models.models()
    await models.close()


async def test_a_prompt_larger_than_the_window_is_told_with_the_remedy(
    server: MessagesServer, models: AnthropicModels
) -> None:
    """Not retried: it would never fit."""

    server.models["claude-sonnet-5-5"] = Model(id="claude-sonnet-5-5", max_input_tokens=1000)

    with pytest.raises(CallFailed, match=r"larger than the model's window.*narrow the document"):
        await models.call(asking(), Progress())


async def test_an_account_that_can_not_pay_pauses(server: MessagesServer, models: AnthropicModels) -> None:
    """No turn is skipped for want of money."""
    server.fail(faults.ErrorStatus(type="billing_error"))

    with pytest.raises(ProviderDown, match="can not pay"):
        await models.call(asking(), Progress())


def test_usage_adds_up_by_kind() -> None:
    """All attempts of a turn are one sum."""
    one = Usage(input=1, output=2, cache_read=3, cache_creation=4)

    assert one + one == Usage(input=2, output=4, cache_read=6, cache_creation=8)
