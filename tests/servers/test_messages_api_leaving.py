"""Waiting and leaving: slow answers, stalls, cancelled calls and refused connections of the test server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import anthropic
import httpx2
import pytest
from anthropic import AsyncAnthropic
from anthropic.types import Message, MessageParam

from tests.servers.messages_api import MessagesServer, anthropic_client, faults

MODEL = "claude-opus-5-5"
HELLO: list[MessageParam] = [{"role": "user", "content": "Hello there"}]
Call = Callable[[AsyncAnthropic], Awaitable[Message]]


async def _whole(client: AsyncAnthropic) -> Message:
    return await client.messages.create(model=MODEL, max_tokens=200, messages=HELLO)


async def _streamed(client: AsyncAnthropic) -> Message:
    async with client.messages.stream(model=MODEL, max_tokens=200, messages=HELLO) as stream:
        return await stream.get_final_message()


async def _expect(call: Awaitable[object], error: type[BaseException] | tuple[type[BaseException], ...]) -> None:
    with pytest.raises(error):
        await call


async def test_connections_are_refused_while_the_server_is_down_and_its_state_stays() -> None:
    """Calls that were running break off; afterwards the same port answers."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        await _whole(client)
        server.fail(faults.stall())
        async with client.messages.stream(model=MODEL, max_tokens=200, messages=HELLO) as stream:
            await anext(stream.text_stream)
            async with server.down():
                await _expect(stream.until_done(), httpx2.HTTPError)
                await _expect(_whole(client), anthropic.APIConnectionError)
        await _whole(client)

    assert [received.outcome for received in server.calls] == ["answered", "cancelled", "answered"]


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_a_slow_first_byte_outlasts_a_short_timeout(call: Call) -> None:
    """The client gives up and the server sees it leave; with patience the answer comes."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.slow_first_byte(0.15), times=2)
        await _expect(call(client.with_options(timeout=0.05)), anthropic.APITimeoutError)
        assert (await call(client)).stop_reason == "end_turn"

    assert [received.outcome for received in server.calls] == ["cancelled", "answered"]
    assert server.calls[0].usage is None


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_a_stall_in_mid_answer_lasts_until_the_client_leaves(call: Call) -> None:
    """A read timeout, not an error of the API; what was generated is charged."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.stall(after=2))
        await _expect(call(client.with_options(timeout=0.1)), (httpx2.ReadTimeout, anthropic.APITimeoutError))
        await server.settled()
        server.fail(faults.stall(seconds=0.05))
        assert (await call(client)).stop_reason == "end_turn"

    assert [received.outcome for received in server.calls] == ["cancelled", "answered"]
    assert server.calls[0].usage is not None
    assert server.calls[0].usage.output >= 10


async def test_a_client_that_cancels_is_seen_leaving_in_mid_stream() -> None:
    """The server stops generating: less is charged than the whole answer."""
    server = MessagesServer(output_tokens=60, token_delay=0.005)
    async with server, anthropic_client(server) as client:
        async with client.messages.stream(model=MODEL, max_tokens=200, messages=HELLO) as stream:
            await anext(stream.text_stream)
        await server.settled()

    assert server.calls[0].cancelled
    assert server.calls[0].usage is not None
    assert 0 < server.calls[0].usage.output < 60


async def test_a_client_that_cancels_is_seen_leaving_before_the_first_byte() -> None:
    """Nothing was charged."""
    async with MessagesServer(first_token_delay=5) as server, anthropic_client(server) as client:
        call = asyncio.create_task(_whole(client))
        await server.arrived(1)
        call.cancel()
        await server.settled()

    assert server.calls[0].cancelled
    assert server.calls[0].usage is None


async def test_a_voice_can_wait_for_the_test() -> None:
    """A coroutine function as voice holds the answer back until an event."""
    gate = asyncio.Event()

    async def voice(_body: object) -> str:
        await gate.wait()
        return "Now."

    async with MessagesServer(voice=voice) as server, anthropic_client(server) as client:
        call = asyncio.create_task(_whole(client))
        await server.arrived(1)
        assert not call.done()
        gate.set()
        assert (await call).stop_reason == "end_turn"
