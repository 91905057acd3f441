"""Each fault of the Messages API test server, as Anthropic's SDK meets it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

import anthropic
import httpx2
import pytest
from anthropic import AsyncAnthropic
from anthropic.types import Message, MessageParam

from tests.servers.messages_api import (
    EVERY_ROUTE,
    MessagesServer,
    anthropic_client,
    faults,
    last_words,
    scripted,
)
from tests.servers.messages_api.faults import Fault

MODEL = "claude-opus-5-5"
HELLO: list[MessageParam] = [{"role": "user", "content": "Hello there"}]


Call = Callable[[AsyncAnthropic], Awaitable[Message]]


async def _whole(client: AsyncAnthropic) -> Message:
    return await client.messages.create(model=MODEL, max_tokens=200, messages=HELLO)


async def _streamed(client: AsyncAnthropic) -> Message:
    async with client.messages.stream(model=MODEL, max_tokens=200, messages=HELLO) as stream:
        return await stream.get_final_message()


def _text(message: Message) -> str:
    return "".join(block.text for block in message.content if block.type == "text")


async def _expect(call: Awaitable[object], error: type[BaseException] | tuple[type[BaseException], ...]) -> None:
    with pytest.raises(error):
        await call


@pytest.mark.parametrize("call", [_whole, _streamed])
@pytest.mark.parametrize(
    ("fault", "error", "kind", "status"),
    [
        (faults.rate_limited(7), anthropic.RateLimitError, "rate_limit_error", 429),
        (faults.server_error(), anthropic.InternalServerError, "api_error", 500),
        (faults.server_error(503), anthropic.InternalServerError, "api_error", 503),
        (faults.overloaded(), anthropic.InternalServerError, "overloaded_error", 529),
        (faults.no_permission(), anthropic.PermissionDeniedError, "permission_error", 403),
    ],
)
async def test_an_error_status_comes_as_often_as_planned_and_costs_nothing(
    fault: Fault, error: type[anthropic.APIStatusError], kind: str, status: int, call: Call
) -> None:
    """Twice the error with its type, then an answer; nothing is charged for what failed."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(fault, times=2)
        for _ in range(2):
            with pytest.raises(error) as caught:
                await call(client)
        assert (await call(client)).stop_reason == "end_turn"

    assert (caught.value.type, caught.value.status_code) == (kind, status)
    assert [received.outcome for received in server.calls] == ["refused", "refused", "answered"]
    assert [received.usage is None for received in server.calls] == [True, True, False]


async def test_retry_after_is_told_in_seconds() -> None:
    """On the 429 that was given one."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.rate_limited(7))
        server.fail(faults.rate_limited(None))
        with pytest.raises(anthropic.RateLimitError) as told:
            await _whole(client)
        with pytest.raises(anthropic.RateLimitError) as untold:
            await _whole(client)

    assert told.value.response.headers["retry-after"] == "7"
    assert "retry-after" not in untold.value.response.headers


async def test_faults_strike_the_requests_they_are_planned_for() -> None:
    """By a condition on the request, on the routes named, for ever until healed."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.overloaded(), times=None, when=lambda received: "Bye" in last_words(received.body))
        server.fail(faults.server_error(), on=EVERY_ROUTE)
        await _expect(client.models.list(), anthropic.InternalServerError)
        for _ in range(2):
            bye: list[MessageParam] = [{"role": "user", "content": "Bye"}]
            await _expect(client.messages.create(model=MODEL, max_tokens=9, messages=bye), anthropic.OverloadedError)
        await _whole(client)
        server.heal()
        healed = await client.messages.create(model=MODEL, max_tokens=9, messages=bye)

    assert healed.type == "message"


async def test_an_invalid_request_uses_up_no_fault() -> None:
    """It gets its 400; the fault waits for a valid one."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.overloaded())
        await _expect(client.messages.create(model=MODEL, max_tokens=9, messages=[]), anthropic.BadRequestError)
        await _expect(_whole(client), anthropic.OverloadedError)


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_a_web_page_comes_in_place_of_json(call: Call) -> None:
    """Status 200 and text/html, as from a wrong base URL; strict clients refuse it, lax ones find no message."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.html(), times=None)
        if call is _whole:
            await _expect(_whole(client), anthropic.APIResponseValidationError)
        else:
            await _expect(_streamed(client), AssertionError)

    assert server.calls[0].outcome == "broken"


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_the_connection_closes_before_an_answer(call: Call) -> None:
    """The client has sent its request and hears nothing."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.hang_up())
        await _expect(call(client), anthropic.APIConnectionError)
        await call(client)

    assert [received.outcome for received in server.calls] == ["broken", "answered"]


async def test_a_cut_stream_breaks_the_connection_after_some_deltas() -> None:
    """A protocol error of the HTTP client; the output sent so far is charged."""
    async with MessagesServer(output_tokens=36) as server, anthropic_client(server) as client:
        server.fail(faults.cut(after=2))
        seen: list[str] = []
        async with client.messages.stream(model=MODEL, max_tokens=200, messages=HELLO) as stream:
            with pytest.raises(httpx2.RemoteProtocolError):
                seen.extend([text async for text in stream.text_stream])
        server.fail(faults.cut())
        await _expect(_whole(client), anthropic.APIConnectionError)

    assert server.calls[0].outcome == "broken"
    assert server.calls[0].usage is not None
    assert server.calls[0].usage.output == 12


async def test_a_stream_that_ends_early_has_text_and_no_stop_reason() -> None:
    """No exception: only the missing reason tells."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.end_early(), times=2)
        streamed = await _streamed(client)
        whole = await _whole(client)

    assert (streamed.stop_reason, whole.stop_reason) == (None, None)
    assert _text(streamed)
    assert [received.outcome for received in server.calls] == ["broken", "broken"]


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_a_broken_chunk_is_no_json(call: Call) -> None:
    """The decoder's own exception reaches the caller."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.broken_chunk())
        await _expect(call(client), json.JSONDecodeError)


async def test_an_error_after_200_is_told_apart_by_its_type_alone() -> None:
    """The SDK raises a status error of status 200."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.error_event("overloaded_error"))
        with pytest.raises(anthropic.APIStatusError) as caught:
            await _streamed(client)

    assert (caught.value.status_code, caught.value.type) == (200, "overloaded_error")
    assert server.calls[0].usage is not None


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_a_refusal_has_its_reason_and_details(call: Call) -> None:
    """With text or without."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.refusal("cyber"))
        server.fail(faults.refusal(text="I will not."))
        silent, spoken = await call(client), await call(client)

    assert (silent.stop_reason, silent.content) == ("refusal", [])
    assert silent.stop_details is not None
    assert silent.stop_details.category == "cyber"
    assert (spoken.stop_reason, _text(spoken)) == ("refusal", "I will not.")


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_running_out_of_tokens_leaves_half_the_text_or_thinking_alone(call: Call) -> None:
    """All of max_tokens is billed."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.out_of_tokens())
        server.fail(faults.out_of_tokens(text=False))
        half, none = await call(client), await call(client)

    assert (half.stop_reason, half.usage.output_tokens) == ("max_tokens", 200)
    assert len(_text(half)) == 80
    assert (none.stop_reason, none.usage.output_tokens) == ("max_tokens", 200)
    assert [block.type for block in none.content] == ["thinking"]


@pytest.mark.parametrize("call", [_whole, _streamed])
async def test_an_empty_answer_ends_its_turn_and_says_nothing(call: Call) -> None:
    """No content block at all."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.empty_text())
        message = await call(client)

    assert (message.stop_reason, message.content) == ("end_turn", [])


async def test_a_schema_can_be_ignored() -> None:
    """Prose where JSON was asked for, in a complete answer."""
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    async with MessagesServer() as server, anthropic_client(server) as client:
        server.fail(faults.ignore_schema("Sure!"))
        message = await client.messages.create(
            model=MODEL,
            max_tokens=99,
            messages=HELLO,
            output_config={"format": {"type": "json_schema", "schema": schema}},
        )

    assert (_text(message), message.stop_reason) == ("Sure!", "end_turn")


async def test_two_faults_wait_their_turn_in_the_order_they_were_planned() -> None:
    """One request suffers one fault."""
    async with MessagesServer(voice=scripted("Yes.")) as server, anthropic_client(server) as client:
        server.fail(faults.server_error())
        server.fail(faults.overloaded())
        await _expect(_whole(client), anthropic.InternalServerError)
        await _expect(_whole(client), anthropic.OverloadedError)
        await _whole(client)

    assert [received.status for received in server.calls] == [500, 529, 200]
