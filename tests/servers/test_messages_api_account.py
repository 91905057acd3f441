"""The account of the Messages API test server: keys, models, limits, delays, its record, its own process."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic
from anthropic.types import MessageParam

from tests.servers.messages_api import (
    CATALOGUE,
    MessagesServer,
    Model,
    RateLimits,
    Reply,
    anthropic_client,
    scripted,
)

MODEL = "claude-opus-5-5"
HELLO: list[MessageParam] = [{"role": "user", "content": "Hello there"}]


def _says(text: str) -> list[MessageParam]:
    return [{"role": "user", "content": text}]


async def test_count_tokens_counts_what_the_call_is_charged() -> None:
    """System, tools, output format and messages together."""
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    body: Any = {
        "model": MODEL,
        "system": "Be brief.",
        "tools": [{"name": "read", "input_schema": {"type": "object"}}],
        "messages": HELLO,
        "output_config": {"format": {"type": "json_schema", "schema": schema}},
    }
    async with MessagesServer() as server, anthropic_client(server) as client:
        counted = await client.messages.count_tokens(**body)
        called = await client.messages.create(**body, max_tokens=99)

    assert counted.input_tokens == called.usage.input_tokens > 40


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


async def test_a_port_that_is_taken_is_not_shared() -> None:
    """A second server on it fails at once."""
    async with MessagesServer() as server:
        with pytest.raises(OSError, match="in use"):
            await MessagesServer(port=server.port).__aenter__()


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
