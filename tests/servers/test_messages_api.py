"""The Messages API test server answers Anthropic's own SDK, in the SDK's strict mode."""

from __future__ import annotations

import contextlib

import anthropic
import pytest
from anthropic import AsyncAnthropic
from anthropic.types import MessageParam, ToolParam

from tests.servers.messages_api import (
    MessagesServer,
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
