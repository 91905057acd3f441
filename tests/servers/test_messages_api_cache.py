"""The prompt cache of the Messages API test server: what is written, read and charged."""

from __future__ import annotations

import asyncio
from typing import Any

from anthropic import AsyncAnthropic

from tests.servers.messages_api import (
    MessagesServer,
    Model,
    Usage,
    anthropic_client,
    faults,
    token_equivalents,
    words,
)

MODELS = [
    Model(id="m", min_cacheable=100, forced_tools=True, thinking=("adaptive", "disabled")),
    Model(id="n", min_cacheable=100),
]
FIVE_MINUTES = {"type": "ephemeral"}
ONE_HOUR = {"type": "ephemeral", "ttl": "1h"}


def _server() -> MessagesServer:
    """Its clock stands still but for `advance`; a word is a token."""
    return MessagesServer(models=MODELS, tokens=words, output_tokens=1, now=lambda: 0.0)


def _block(size: int, name: str = "w", mark: dict[str, str] | None = None) -> dict[str, Any]:
    text = " ".join([name] * size)
    return {"type": "text", "text": text} | ({"cache_control": mark} if mark else {})


async def _call(client: AsyncAnthropic, *blocks: dict[str, Any], **rest: Any) -> Usage:
    """What one call with these blocks in a user message was charged, by the client's own account."""
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": blocks}]}
    message = await client.messages.create(**(body | rest))
    return Usage.of(message.usage)


def _input(usage: Usage) -> tuple[int, int, int, int]:
    return usage.input, usage.write_5m, usage.write_1h, usage.read


async def test_a_prefix_is_written_once_and_read_after() -> None:
    """Up to and with the marked block; what follows is paid in full each time."""
    async with _server() as server, anthropic_client(server) as client:
        first = await _call(client, _block(150, mark=FIVE_MINUTES), _block(7, "a"))
        second = await _call(client, _block(150, mark=FIVE_MINUTES), _block(9, "b"))

    assert _input(first) == (7, 150, 0, 0)
    assert _input(second) == (9, 0, 0, 150)
    assert [received.usage for received in server.calls] == [first, second]


async def test_a_moving_mark_writes_only_what_is_new() -> None:
    """The longest known prefix is read, the rest up to the mark written."""
    async with _server() as server, anthropic_client(server) as client:
        await _call(client, _block(150, mark=FIVE_MINUTES))
        usage = await _call(client, _block(150), _block(20, "a", FIVE_MINUTES), _block(3, "b"))

    assert _input(usage) == (3, 20, 0, 150)


async def test_nothing_is_cached_without_a_mark_or_under_the_minimum() -> None:
    """No error either way."""
    async with _server() as server, anthropic_client(server) as client:
        unmarked = [await _call(client, _block(150)) for _ in range(2)]
        small = [await _call(client, _block(99, mark=FIVE_MINUTES)) for _ in range(2)]
        enough = [await _call(client, _block(100, mark=FIVE_MINUTES)) for _ in range(2)]

    assert [_input(usage) for usage in unmarked] == [(150, 0, 0, 0)] * 2
    assert [_input(usage) for usage in small] == [(99, 0, 0, 0)] * 2
    assert [_input(usage) for usage in enough] == [(0, 100, 0, 0), (0, 0, 0, 100)]


async def test_an_entry_lives_five_minutes_from_its_last_read() -> None:
    """Each read gives it five more."""
    async with _server() as server, anthropic_client(server) as client:
        usages = []
        for wait in (0, 299, 299, 300):
            server.advance(wait)
            usages.append(_input(await _call(client, _block(150, mark=FIVE_MINUTES))))

    assert usages == [(0, 150, 0, 0), (0, 0, 0, 150), (0, 0, 0, 150), (0, 150, 0, 0)]


async def test_an_hour_costs_more_and_lasts() -> None:
    """Mixed marks: one hour up to the last of its marks, five minutes for the rest."""
    async with _server() as server, anthropic_client(server) as client:
        blocks = _block(150, mark=ONE_HOUR), _block(60, "a", FIVE_MINUTES)
        first = await _call(client, *blocks)
        server.advance(1800)
        second = await _call(client, *blocks)

    assert _input(first) == (0, 60, 150, 0)
    assert _input(second) == (0, 60, 0, 150)


async def test_a_read_of_the_longer_prefix_keeps_the_shorter_alive() -> None:
    """What is used is refreshed, at every mark inside it."""
    document, turn = _block(150, mark=FIVE_MINUTES), _block(10, "a", FIVE_MINUTES)
    async with _server() as server, anthropic_client(server) as client:
        await _call(client, document, turn)
        server.advance(200)
        await _call(client, document, turn)
        server.advance(200)
        usage = await _call(client, document, _block(10, "b", FIVE_MINUTES))

    assert _input(usage) == (0, 10, 0, 150)


async def test_a_mark_looks_back_twenty_blocks_itself_among_them() -> None:
    """An entry 19 blocks before the mark is found, one at 20 is not."""
    async with _server() as server, anthropic_client(server) as client:
        await _call(client, _block(150, mark=FIVE_MINUTES))
        found = await _call(client, _block(150), *_turns(19))
        server.cache = MessagesServer(now=lambda: 0.0).cache
        await _call(client, _block(150, mark=FIVE_MINUTES))
        missed = await _call(client, _block(150), *_turns(20))

    assert _input(found) == (0, 19, 0, 150)
    assert _input(missed) == (0, 170, 0, 0)


async def test_a_second_mark_reaches_further_back() -> None:
    """Each mark looks back on its own."""
    async with _server() as server, anthropic_client(server) as client:
        await _call(client, _block(150, mark=FIVE_MINUTES))
        usage = await _call(client, _block(150, mark=FIVE_MINUTES), *_turns(30))

    assert _input(usage) == (0, 30, 0, 150)


async def test_one_changed_byte_ends_the_shared_prefix() -> None:
    """In any block before the mark, in the system text, in a tool."""
    tool = {"name": "t", "input_schema": {"type": "object"}, "description": "one"}
    known: dict[str, Any] = {"system": [_block(200, "s", FIVE_MINUTES)], "tools": [tool]}
    async with _server() as server, anthropic_client(server) as client:
        first = await _call(client, _block(150, mark=FIVE_MINUTES), **known)
        same = await _call(client, _block(150, mark=FIVE_MINUTES), **known)
        document = await _call(client, _block(150, "W", FIVE_MINUTES), **known)
        other = await _call(client, _block(150, mark=FIVE_MINUTES), **known | {"tools": [tool | {"name": "u"}]})

    assert same.read == first.write_5m == 350 + 1
    assert (document.read, document.write_5m) == (same.read - 150, 150)
    assert (other.read, other.write_5m) == (0, same.read)


async def test_each_model_has_its_own_cache_and_format_and_effort_split_it() -> None:
    """Everything is written again; going back, the old entries are still there."""
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    settings: list[dict[str, Any]] = [
        {},
        {"model": "n"},
        {"output_config": {"effort": "low"}},
        {"output_config": {"effort": "low", "format": {"type": "json_schema", "schema": schema}}},
        {},
    ]
    async with _server() as server, anthropic_client(server) as client:
        reads = [(await _call(client, _block(150, mark=FIVE_MINUTES), **rest)).read for rest in settings]

    assert reads == [0, 0, 0, 0, 150]


async def test_tool_choice_and_thinking_keep_the_system_and_lose_the_messages() -> None:
    """tools -> system -> messages: those settings belong to the last part."""
    known: dict[str, Any] = {
        "system": [_block(200, "s", FIVE_MINUTES)],
        "tools": [{"name": "t", "input_schema": {"type": "object"}}],
    }
    async with _server() as server, anthropic_client(server) as client:
        first = await _call(client, _block(150, mark=FIVE_MINUTES), **known)
        forced = await _call(client, _block(150, mark=FIVE_MINUTES), **known, tool_choice={"type": "any"})
        calm = await _call(client, _block(150, mark=FIVE_MINUTES), **known, thinking={"type": "disabled"})

    assert _input(first)[1] > 350
    assert (forced.read, forced.write_5m) == (first.write_5m - 150, 150)
    assert (calm.read, calm.write_5m) == (first.write_5m - 150, 150)


async def test_a_string_and_one_text_block_are_the_same_bytes() -> None:
    """As the API documents its shorthand."""
    async with _server() as server, anthropic_client(server) as client:
        await _call(client, _block(150), cache_control=FIVE_MINUTES)
        usage = await _call(
            client,
            cache_control=FIVE_MINUTES,
            messages=[{"role": "user", "content": _block(150)["text"]}],
        )

    assert _input(usage) == (0, 0, 0, 150)


async def test_calls_that_start_together_all_pay_for_the_write() -> None:
    """An entry is readable once its first answer has begun, not before."""
    async with _server() as server, anthropic_client(server) as client:
        server.first_token_delay = 0.05
        together = await asyncio.gather(*(_call(client, _block(150, mark=FIVE_MINUTES), _block(n)) for n in (1, 2, 3)))
        after = await _call(client, _block(150, mark=FIVE_MINUTES), _block(4))

    assert [usage.write_5m for usage in together] == [150, 150, 150]
    assert after.read == 150


async def test_a_stream_s_entry_is_readable_from_its_first_event_on() -> None:
    """Long before it ends."""
    messages: Any = [{"role": "user", "content": [_block(150, mark=FIVE_MINUTES)]}]
    async with _server() as server, anthropic_client(server) as client:
        server.fail(faults.stall(seconds=0.2))
        async with client.messages.stream(model="m", max_tokens=9, messages=messages) as stream:
            await anext(aiter(stream))
            usage = await _call(client, _block(150, mark=FIVE_MINUTES), _block(4))
            running = server.calls[0].ended is None

    assert (usage.read, running) == (150, True)


async def test_a_call_that_fails_before_its_answer_writes_nothing() -> None:
    """And is charged nothing."""
    async with _server() as server, anthropic_client(server) as client:
        server.fail(faults.overloaded())
        await asyncio.gather(_call(client, _block(150, mark=FIVE_MINUTES)), return_exceptions=True)
        usage = await _call(client, _block(150, mark=FIVE_MINUTES))

    assert _input(usage) == (0, 150, 0, 0)
    assert server.usage == usage


def test_a_usage_weighs_as_the_price_list_does() -> None:
    """Writes 1.25 and 2, reads a tenth or what a model's list says; output only where told."""
    usage = Usage(input=1000, write_5m=400, write_1h=100, read=2000, output=10)

    assert token_equivalents(usage) == 1000 + 500 + 200 + 200
    assert token_equivalents(usage, read=0.05, output=5) == 1000 + 500 + 200 + 100 + 50


def _turns(count: int) -> list[dict[str, Any]]:
    """One word each, the last one marked."""
    return [_block(1, f"t{n}") for n in range(count - 1)] + [_block(1, "last", FIVE_MINUTES)]
