"""The OpenAI-compatible part of the Messages API test server, met with OpenAI's own SDK in strict mode."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam

from tests.servers.messages_api import (
    CATALOGUE,
    MessagesServer,
    Model,
    RateLimits,
    Reply,
    ToolUse,
    faults,
    last_words,
    openai_client,
    scripted,
)
from tests.servers.messages_api.faults import Fault

MODEL = "claude-opus-5-5"
HELLO: list[ChatCompletionMessageParam] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hello there"},
]
READ: ChatCompletionToolParam = {
    "type": "function",
    "function": {"name": "read", "parameters": {"type": "object", "properties": {}}},
}
STANCE = {
    "type": "object",
    "properties": {"stance": {"enum": ["yes", "no"]}},
    "required": ["stance"],
    "additionalProperties": False,
}


def _format(schema: dict[str, Any], *, strict: bool = True) -> Any:
    return {"type": "json_schema", "json_schema": {"name": "stance", "schema": schema, "strict": strict}}


async def _whole(client: AsyncOpenAI) -> tuple[str, str | None]:
    """Text and finish reason of an answer in one piece."""
    answer = await client.chat.completions.create(model=MODEL, messages=HELLO)
    return answer.choices[0].message.content or "", answer.choices[0].finish_reason


async def _streamed(client: AsyncOpenAI) -> tuple[str, str | None]:
    """Text and finish reason of a streamed answer; no reason where none came."""
    text, reason = "", None
    async for chunk in await client.chat.completions.create(model=MODEL, messages=HELLO, stream=True):
        text += chunk.choices[0].delta.content or ""
        reason = chunk.choices[0].finish_reason or reason
    return text, reason


async def _expect(call: Awaitable[object], error: type[BaseException]) -> None:
    with pytest.raises(error):
        await call


async def test_a_plain_chat_gets_text_a_finish_reason_and_usage() -> None:
    """prompt_tokens counts all messages by the same rule: 9 and 11 bytes are 3 and 3."""
    async with MessagesServer(voice=scripted("Twelve bytes")) as server, openai_client(server) as client:
        answer = await client.chat.completions.create(model=MODEL, messages=HELLO)

    assert (answer.choices[0].message.content, answer.choices[0].finish_reason) == ("Twelve bytes", "stop")
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (6, 3, 9)
    assert server.calls[0].route == "chat"


async def test_a_streamed_chat_joins_to_the_text_and_tells_usage_at_the_end() -> None:
    """Usage comes in a last chunk without choices, where asked for."""
    text = "One  two three\nfour five six seven eight."
    async with MessagesServer(voice=scripted(text)) as server, openai_client(server) as client:
        stream = await client.chat.completions.create(
            model=MODEL, messages=HELLO, stream=True, stream_options={"include_usage": True}
        )
        chunks = [chunk async for chunk in stream]

    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1]) == text
    assert (chunks[-2].choices[0].finish_reason, chunks[-1].choices) == ("stop", [])
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.completion_tokens == 11


async def test_a_known_prefix_of_messages_is_read_from_cache_by_itself() -> None:
    """No marks: whole messages from the start, from the model's minimum on, for five minutes."""
    long: list[ChatCompletionMessageParam] = [{"role": "system", "content": "x" * 8000}]
    server = MessagesServer(now=lambda: 0.0)
    async with server, openai_client(server) as client:
        cached = []
        for question, wait in (("a", 0), ("b", 299), ("b", 0), ("c", 300)):
            server.advance(wait)
            answer = await client.chat.completions.create(
                model=MODEL, messages=[*long, {"role": "user", "content": question}]
            )
            assert answer.usage is not None
            assert answer.usage.prompt_tokens_details is not None
            cached.append(answer.usage.prompt_tokens_details.cached_tokens)

    assert cached == [0, 2000, 2001, 0]


async def test_a_structured_chat_answers_its_schema() -> None:
    """By the script's value, or by the plainest value that fits; a strict schema must be closed and complete."""
    voice = scripted(Reply(json={"stance": "no"}), then=MessagesServer().voice)
    async with MessagesServer(voice=voice) as server, openai_client(server) as client:
        told, plain = [
            await client.chat.completions.create(model=MODEL, messages=HELLO, response_format=_format(STANCE))
            for _ in range(2)
        ]
        loose = STANCE | {"required": []}
        await client.chat.completions.create(model=MODEL, messages=HELLO, response_format=_format(loose, strict=False))
        await _expect(
            client.chat.completions.create(model=MODEL, messages=HELLO, response_format=_format(loose)),
            openai.BadRequestError,
        )

    assert (told.choices[0].message.content, plain.choices[0].message.content) == (
        '{"stance":"no"}',
        '{"stance":"yes"}',
    )


async def test_a_tool_is_called_in_a_chat() -> None:
    """Streamed and not."""
    reply = Reply(tools=(ToolUse(name="read", input={"path": "a"}),))
    async with MessagesServer(voice=lambda _body: reply) as server, openai_client(server) as client:
        answer = await client.chat.completions.create(model=MODEL, messages=HELLO, tools=[READ])
        stream = await client.chat.completions.create(model=MODEL, messages=HELLO, tools=[READ], stream=True)
        deltas = [chunk.choices[0].delta.tool_calls async for chunk in stream]

    assert answer.choices[0].finish_reason == "tool_calls"
    calls = answer.choices[0].message.tool_calls
    assert calls is not None
    assert calls[0].type == "function"
    assert json.loads(calls[0].function.arguments) == {"path": "a"}
    streamed = next(calls for calls in deltas if calls)
    assert streamed[0].function is not None
    assert streamed[0].function.name == "read"


async def test_the_list_of_models_has_openai_s_form() -> None:
    """For every client that names no version of Anthropic's API."""
    async with MessagesServer() as server, openai_client(server) as client:
        listed = await client.models.list()
        one = await client.models.retrieve(MODEL)

    assert [model.id for model in listed.data] == [model.id for model in CATALOGUE]
    assert (one.id, one.object) == (MODEL, "model")


async def test_a_chat_is_refused_in_openai_s_words() -> None:
    """401, 404 with the code model_not_found, 400; 429 with OpenAI's headers."""
    models = [Model(id="ours")]
    limits = RateLimits(requests=1)
    server = MessagesServer(models=models, limits=limits, now=lambda: 0.0)
    async with server, openai_client(server) as client:
        await _expect(client.with_options(api_key="wrong").models.list(), openai.AuthenticationError)
        with pytest.raises(openai.NotFoundError) as unknown:
            await client.chat.completions.create(model="outs", messages=HELLO)
        await _expect(client.chat.completions.create(model="ours", messages=[]), openai.BadRequestError)
        first = await client.chat.completions.with_raw_response.create(model="ours", messages=HELLO)
        with pytest.raises(openai.RateLimitError) as limited:
            await client.chat.completions.create(model="ours", messages=HELLO)

    assert unknown.value.code == "model_not_found"
    assert first.headers["x-ratelimit-remaining-requests"] == "0"
    assert limited.value.response.headers["retry-after"] == "60"
    assert limited.value.response.headers["x-ratelimit-reset-requests"] == "60.000s"


@pytest.mark.parametrize(
    ("fault", "whole", "streamed"),
    [
        (faults.rate_limited(), openai.RateLimitError, openai.RateLimitError),
        (faults.overloaded(), openai.InternalServerError, openai.InternalServerError),
        (faults.hang_up(), openai.APIConnectionError, openai.APIConnectionError),
        (faults.cut(), openai.APIConnectionError, openai.APIConnectionError),
        (faults.broken_chunk(), json.JSONDecodeError, json.JSONDecodeError),
        (faults.error_event(), openai.APIResponseValidationError, openai.APIError),
    ],
)
async def test_a_fault_reaches_a_chat_as_an_exception(
    fault: Fault, whole: type[Exception], streamed: type[Exception]
) -> None:
    """The same plans as for the Messages API."""
    async with MessagesServer() as server, openai_client(server) as client:
        server.fail(fault, times=2)
        await _expect(_whole(client), whole)
        await _expect(_streamed(client), streamed)
        assert (await _streamed(client))[1] == "stop"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (faults.end_early(), None),
        (faults.out_of_tokens(), "length"),
        (faults.refusal(), "content_filter"),
        (faults.empty_text(), "stop"),
    ],
)
async def test_a_fault_reaches_a_chat_in_its_finish_reason(fault: Fault, reason: str | None) -> None:
    """No exception: the caller must look."""
    async with MessagesServer() as server, openai_client(server) as client:
        server.fail(fault)
        streamed = await _streamed(client)

    assert streamed[1] == reason
    assert bool(streamed[0]) == (reason in (None, "length"))


async def test_a_voice_reads_both_apis_alike() -> None:
    """`last_words` finds the last message's text in either form."""
    async with MessagesServer(voice=last_words) as server, openai_client(server) as client:
        assert await _whole(client) == ("Hello there", "stop")
