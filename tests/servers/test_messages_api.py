"""The Messages API test server answers Anthropic's own SDK, in the SDK's strict mode."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import anthropic
import pytest
from anthropic import AsyncAnthropic
from anthropic.types import MessageParam, ToolParam

from tests.servers.messages_api import (
    CATALOGUE,
    MessagesServer,
    Model,
    RateLimits,
    Reply,
    ScriptError,
    ToolUse,
    anthropic_client,
    scripted,
    sentence,
)

MODEL = "claude-opus-5-5"
HELLO: list[MessageParam] = [{"role": "user", "content": "Hello there"}]
READ: ToolParam = {
    "name": "read",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
}
STANCE = {
    "type": "object",
    "properties": {"stance": {"enum": ["yes", "no"]}, "why": {"type": "string"}},
    "required": ["stance", "why"],
    "additionalProperties": False,
}


async def test_a_plain_call_gets_text_a_stop_reason_and_usage_counted_from_its_bytes() -> None:
    """Four bytes of UTF-8 are a token, rounded up: 11 bytes are 3."""
    async with MessagesServer(voice=scripted("Twelve bytes")) as server, anthropic_client(server) as client:
        message = await client.messages.create(model=MODEL, max_tokens=100, messages=HELLO)

    assert [block.text for block in message.content if block.type == "text"] == ["Twelve bytes"]
    assert (message.stop_reason, message.model) == ("end_turn", MODEL)
    assert (message.usage.input_tokens, message.usage.output_tokens) == (3, 3)


async def test_the_default_voice_says_a_sentence_of_the_set_size() -> None:
    """It is the same for the same words, another for others, and exactly as long as told."""
    async with MessagesServer(output_tokens=25) as server, anthropic_client(server) as client:
        same = [await client.messages.create(model=MODEL, max_tokens=100, messages=HELLO) for _ in range(2)]
        other = await client.messages.create(model=MODEL, max_tokens=100, messages=[{"role": "user", "content": "Bye"}])

    assert same[0].content == same[1].content != other.content
    assert same[0].usage.output_tokens == other.usage.output_tokens == len(sentence("Bye", 25).split()) == 25


async def test_a_stream_has_the_api_s_events_in_order_and_cumulative_usage() -> None:
    """message_start, ping, block start, deltas, block stop, message_delta, message_stop."""
    async with MessagesServer(output_tokens=12) as server, anthropic_client(server) as client:
        stream = await client.messages.create(model=MODEL, max_tokens=100, messages=HELLO, stream=True)
        events = [event async for event in stream]
        raw = await client.messages.with_raw_response.create(model=MODEL, max_tokens=100, messages=HELLO, stream=True)
        text = (await raw.http_response.aread()).decode()

    assert [event.type for event in events] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert text.splitlines()[3] == "event: ping"
    start, end = events[0], events[-2]
    assert start.type == "message_start"
    assert start.message.usage.output_tokens == 1
    assert end.type == "message_delta"
    assert (end.usage.output_tokens, end.usage.input_tokens) == (12, 3)


async def test_a_streamed_text_is_the_text_that_is_not_streamed() -> None:
    """Joined deltas are the reply, spaces and lines kept."""
    text = "One  two\n\nthree — four five six seven eight.\n"
    async with MessagesServer(voice=scripted(text, text)) as server, anthropic_client(server) as client:
        async with client.messages.stream(model=MODEL, max_tokens=100, messages=HELLO) as stream:
            streamed = "".join([piece async for piece in stream.text_stream])
        whole = await client.messages.create(model=MODEL, max_tokens=100, messages=HELLO)

    assert streamed == text
    assert whole.content[0].type == "text"
    assert whole.content[0].text == text


@pytest.mark.parametrize("shown", [True, False])
async def test_thinking_is_billed_always_and_shown_on_request(shown: bool) -> None:
    """`display: summarized` gives the text; without it the block is there and empty."""
    reply = Reply(text="Yes.", thinking="Let me see, it may be so.", output_tokens=50)
    async with (
        MessagesServer(voice=lambda _body: reply) as server,
        anthropic_client(server) as client,
        client.messages.stream(
            model=MODEL,
            max_tokens=100,
            messages=HELLO,
            thinking={"type": "adaptive", "display": "summarized" if shown else "omitted"},
        ) as stream,
    ):
        message = await stream.get_final_message()

    block = message.content[0]
    assert block.type == "thinking"
    assert (block.thinking, bool(block.signature)) == (reply.thinking if shown else "", True)
    assert message.usage.output_tokens == 50
    assert message.usage.output_tokens_details is not None
    assert message.usage.output_tokens_details.thinking_tokens == 7


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_tool_is_called_and_its_result_is_taken(streamed: bool) -> None:
    """A tool_use block, stop reason tool_use, and a second request that pairs the result with it."""
    voice = scripted(Reply(text="I look.", tools=(ToolUse(name="read", input={"path": "a b.md"}),)), "Read.")
    async with MessagesServer(voice=voice) as server, anthropic_client(server) as client:
        if streamed:
            async with client.messages.stream(model=MODEL, max_tokens=100, messages=HELLO, tools=[READ]) as stream:
                first = await stream.get_final_message()
        else:
            first = await client.messages.create(model=MODEL, max_tokens=100, messages=HELLO, tools=[READ])  # type: ignore[assignment] # ParsedMessage is a Message
        call = first.content[1]
        assert call.type == "tool_use"
        second = await client.messages.create(
            model=MODEL,
            max_tokens=100,
            tools=[READ],
            messages=[
                *HELLO,
                first.to_param(),
                {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "x"}],
                },
            ],
        )

    assert (first.stop_reason, call.name, call.input) == ("tool_use", "read", {"path": "a b.md"})
    assert second.stop_reason == "end_turn"


async def test_a_structured_reply_answers_the_schema() -> None:
    """By the script's value, or by the plainest value that fits."""
    voice = scripted(Reply(json={"stance": "no", "why": "cost"}))
    async with MessagesServer(voice=voice) as server, anthropic_client(server) as client:
        told = await _ask_stance(client)
        server.voice = MessagesServer().voice
        plain = await _ask_stance(client)

    assert told == '{"stance":"no","why":"cost"}'
    assert plain == '{"stance":"yes","why":"word"}'


async def test_a_scripted_reply_that_misses_the_schema_fails_the_test_that_wrote_it() -> None:
    """The real API would not send it; a test that means it says so."""
    with pytest.raises(ScriptError) as caught:
        await _run_stance_script("Well...")
    meant = await _run_stance_script(Reply(text="Well...", checked=False))

    assert "does not answer" in str(caught.value.__cause__)
    assert meant == "Well..."


async def test_a_used_up_script_says_so() -> None:
    """The client sees a 500, the test the reason."""
    with pytest.raises(ScriptError) as caught:
        await _run_stance_script()

    assert "used up" in str(caught.value.__cause__)


async def test_a_reply_longer_than_max_tokens_is_cut_there() -> None:
    """The bill and the stop reason say so too."""
    async with MessagesServer(output_tokens=40) as server, anthropic_client(server) as client:
        message = await client.messages.create(model=MODEL, max_tokens=10, messages=HELLO)
        warming = await client.messages.create(model=MODEL, max_tokens=0, messages=HELLO)

    assert (message.stop_reason, message.usage.output_tokens) == ("max_tokens", 10)
    assert message.content[0].type == "text"
    assert len(message.content[0].text) == 40
    assert (warming.content, warming.usage.output_tokens) == ([], 0)


async def test_a_stop_sequence_ends_the_text_before_it() -> None:
    """stop_sequence names the one that was met."""
    async with MessagesServer(voice=scripted("One. STOP Two.")) as server, anthropic_client(server) as client:
        message = await client.messages.create(
            model=MODEL, max_tokens=99, messages=HELLO, stop_sequences=["NO", "STOP"]
        )

    assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", "STOP")
    assert message.content[0].type == "text"
    assert message.content[0].text == "One. "


async def test_count_tokens_counts_what_the_call_is_charged() -> None:
    """System, tools, output format and messages together."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        counted = await client.messages.count_tokens(
            model=MODEL,
            system="Be brief.",
            tools=[READ],
            messages=HELLO,
            output_config={"format": {"type": "json_schema", "schema": STANCE}},
        )
        called = await client.messages.create(
            model=MODEL,
            max_tokens=99,
            system="Be brief.",
            tools=[READ],
            messages=HELLO,
            output_config={"format": {"type": "json_schema", "schema": STANCE}},
        )

    assert counted.input_tokens == called.usage.input_tokens > 50


async def test_models_are_listed_with_limits_abilities_and_lifecycle() -> None:
    """One by one and in pages."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        listed = [model async for model in client.models.list(limit=2)]
        oldest = await client.models.retrieve("claude-haiku-4-5")

    assert [model.id for model in listed] == [model.id for model in CATALOGUE]
    assert (oldest.max_input_tokens, oldest.max_tokens, oldest.lifecycle) == (200_000, 64_000, "active")
    assert oldest.capabilities is not None
    assert oldest.capabilities.thinking.types.enabled.supported
    assert not oldest.capabilities.effort.supported


async def test_keys_and_models_are_refused_as_the_api_refuses_them() -> None:
    """401 without the key, 404 for a model unknown or retired, 403 for one not permitted."""
    models = [Model(id="ours"), Model(id="theirs", permitted=False), Model(id="gone", lifecycle="retired")]
    async with MessagesServer(models=models) as server, anthropic_client(server) as client:
        with pytest.raises(anthropic.AuthenticationError):
            await client.with_options(api_key="wrong").models.list()
        with pytest.raises(anthropic.NotFoundError) as unknown:
            await client.messages.create(model="outs", max_tokens=9, messages=HELLO)
        with pytest.raises(anthropic.NotFoundError):
            await client.messages.create(model="gone", max_tokens=9, messages=HELLO)
        with pytest.raises(anthropic.PermissionDeniedError) as forbidden:
            await client.messages.create(model="theirs", max_tokens=9, messages=HELLO)
        old = client.with_options(api_key="wrong", default_headers={"x-api-key": server.key})
        await old.messages.create(model="ours", max_tokens=9, messages=HELLO)

    assert (unknown.value.type, unknown.value.api_message) == ("not_found_error", "model: outs")
    assert forbidden.value.type == "permission_error"
    assert unknown.value.request_id == server.requests[1].request_id


async def test_too_much_is_refused() -> None:
    """413 for the body, 400 for the window and for max_tokens."""
    small = Model(id="small", max_input_tokens=100, max_tokens=50)
    server = MessagesServer(models=[small], max_body_bytes=1000)
    async with server, anthropic_client(server) as client:
        with pytest.raises(anthropic.APIStatusError) as large:
            await client.messages.create(model="small", max_tokens=9, messages=_says("x" * 2000))
        with pytest.raises(anthropic.BadRequestError, match="prompt is too long: 125 tokens > 100"):
            await client.messages.create(model="small", max_tokens=9, messages=_says("x" * 500))
        with pytest.raises(anthropic.BadRequestError, match="max_tokens: 51 > 50"):
            await client.messages.create(model="small", max_tokens=51, messages=HELLO)

    assert large.value.status_code == 413


async def test_rate_limits_are_told_in_headers_and_kept() -> None:
    """Headers count down; the call over the limit gets 429 with the seconds left; a minute later all is free."""
    limits = RateLimits(requests=2, input_tokens=1000, output_tokens=1000)
    server = MessagesServer(limits=limits, now=lambda: 1_000_000.0)
    async with server, anthropic_client(server) as client:
        first = await client.messages.with_raw_response.create(model=MODEL, max_tokens=99, messages=HELLO)
        await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)
        server.advance(20)
        with pytest.raises(anthropic.RateLimitError) as limited:
            await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)
        server.advance(41)
        await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)

    assert first.headers["anthropic-ratelimit-requests-remaining"] == "1"
    assert first.headers["anthropic-ratelimit-input-tokens-remaining"] == "997"
    assert first.headers["anthropic-ratelimit-requests-reset"] == "1970-01-12T13:47:40Z"
    assert first.headers["request-id"] == server.requests[0].request_id
    assert limited.value.response.headers["retry-after"] == "40"


async def test_delays_are_kept() -> None:
    """The first byte and each token take their time; a reply's own delays go before the server's."""
    voice = scripted(Reply(text="Slow.", first_token_delay=0.1), "one two three four five six seven eight")
    async with MessagesServer(voice=voice, token_delay=0.01) as server, anthropic_client(server) as client:
        await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)
        async with client.messages.stream(model=MODEL, max_tokens=99, messages=HELLO) as stream:
            await stream.get_final_message()

    first, second = server.calls
    assert first.began is not None
    assert first.began - first.arrived >= 0.1
    assert second.began is not None
    assert second.ended is not None
    assert second.ended - second.began >= 0.01 * second.usage.output if second.usage else False


async def test_the_record_keeps_the_bytes_and_what_was_charged() -> None:
    """Raw body, parsed body, usage, outcome; the sum over all calls."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)
        await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)

    first = server.calls[0]
    assert b'"Hello there"' in first.raw
    assert first.body["messages"] == HELLO
    assert (first.outcome, first.status, first.model) == ("answered", 200, MODEL)
    assert (server.usage.input, server.usage.output) == (6, 80)


async def test_it_runs_as_a_process_of_its_own() -> None:
    """`python -m tests.servers.messages_api` prints where it listens and plays the faults it was given."""
    command = ["-m", "tests.servers.messages_api", "--fault", "529", "--output-tokens", "5"]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        said = (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
        url = said.split()[5]
        async with AsyncAnthropic(base_url=url, api_key="test-key", max_retries=0) as client:
            with pytest.raises(anthropic.InternalServerError):
                await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)
            message = await client.messages.create(model=MODEL, max_tokens=99, messages=HELLO)
    finally:
        process.terminate()
        await process.communicate()

    assert message.usage.output_tokens == 5


async def _ask_stance(client: AsyncAnthropic) -> str:
    message = await client.messages.create(
        model=MODEL,
        max_tokens=99,
        messages=HELLO,
        output_config={"format": {"type": "json_schema", "schema": STANCE}, "effort": "low"},
    )
    return "".join(block.text for block in message.content if block.type == "text")


async def _run_stance_script(*replies: Reply | str) -> str:
    async with MessagesServer(voice=scripted(*replies)) as server, anthropic_client(server) as client:
        with contextlib.suppress(anthropic.InternalServerError):
            return await _ask_stance(client)
    return ""


def _says(text: str) -> list[MessageParam]:
    return [{"role": "user", "content": text}]
