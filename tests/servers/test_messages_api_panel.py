"""A panel of four personas over twelve rounds costs, by the server's own account, what it costs on paper.

Sizes in tokens, one word each: rules 1,000; persona 500; cue 50; document 20,000; turn 250. The figures are those of
the cost table the prompt layout was chosen by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from anthropic import AsyncAnthropic

from tests.servers.messages_api import CATALOGUE, MessagesServer, Usage, anthropic_client, token_equivalents, words

PERSONAS = 4
ROUNDS = 12
MARK = {"type": "ephemeral"}

Layout = Callable[[int, int], dict[str, Any]]
"""System and messages of a call, from the speaker's number and the count of turns so far."""


def _text(name: str, size: int, *, marked: bool = False) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": " ".join([name] * size)}
    return block | {"cache_control": MARK} if marked else block


def _shared(turns: int, *, marked: bool) -> list[dict[str, Any]]:
    """Document and transcript, marked at the newest block or nowhere."""
    blocks = [_text("doc", 20_000), *(_text(f"turn{n}", 250) for n in range(turns))]
    return [*blocks[:-1], blocks[-1] | {"cache_control": MARK}] if marked else blocks


def naive(speaker: int, turns: int) -> dict[str, Any]:
    """Persona first, no cache."""
    system = [_text("rules", 1000), _text(f"persona{speaker}", 500)]
    content = [*_shared(turns, marked=False), _text("cue", 50)]
    return {"system": system, "messages": [{"role": "user", "content": content}]}


def persona_first(speaker: int, turns: int) -> dict[str, Any]:
    """Persona in the system text, cached up to the newest turn."""
    system = [_text("rules", 1000), _text(f"persona{speaker}", 500)]
    content = [*_shared(turns, marked=True), _text("cue", 50)]
    return {"system": system, "messages": [{"role": "user", "content": content}]}


def persona_last(speaker: int, turns: int) -> dict[str, Any]:
    """One shared prefix; persona and cue in a system message at the end."""
    tail = [_text(f"persona{speaker}", 500), _text("cue", 50)]
    shared = {"role": "user", "content": _shared(turns, marked=True)}
    return {"system": [_text("rules", 1000)], "messages": [shared, {"role": "system", "content": tail}]}


async def _speak(client: AsyncAnthropic, layout: Layout, speaker: int, turns: int, model: str) -> None:
    await client.messages.create(model=model, max_tokens=1000, **layout(speaker, turns))


async def _sequential(layout: Layout, *, seconds: float = 0, models: int = 1) -> Usage:
    """Everyone speaks in turn and hears all before; so many seconds from turn to turn."""
    async with _server() as server, anthropic_client(server) as client:
        for turns in range(PERSONAS * ROUNDS):
            model = CATALOGUE[turns % PERSONAS % models].id
            await _speak(client, layout, turns % PERSONAS, turns, model)
            server.advance(seconds)
    return server.usage


async def _parallel(layout: Layout) -> Usage:
    """All four hear the rounds before; the first call's answer begins, then the rest start at once."""
    async with _server() as server, anthropic_client(server) as client:
        for n in range(ROUNDS):
            turns = PERSONAS * n
            async with client.messages.stream(model=CATALOGUE[0].id, max_tokens=1000, **layout(0, turns)) as first:
                await anext(aiter(first))
                rest = (_speak(client, layout, speaker, turns, CATALOGUE[0].id) for speaker in (1, 2, 3))
                await asyncio.gather(first.until_done(), *rest)
    return server.usage


def _server() -> MessagesServer:
    return MessagesServer(tokens=words, output_tokens=1, now=lambda: 0.0)


@pytest.mark.parametrize(
    ("layout", "seconds", "models", "uncached", "written", "read", "equivalents"),
    [
        pytest.param(naive, 0, 1, 1_316_400, 0, 0, 1_316_400, id="naive"),
        pytest.param(persona_first, 0, 1, 2_400, 131_500, 1_182_500, 285_025, id="persona first"),
        pytest.param(persona_last, 0, 1, 26_400, 32_750, 1_257_250, 193_062.5, id="persona last"),
        pytest.param(persona_last, 0, 2, 26_400, 65_250, 1_224_750, 230_437.5, id="persona last, two models"),
        pytest.param(persona_first, 90, 1, 2_400, 1_314_000, 0, 1_644_900, id="persona first at 90 s a turn"),
        pytest.param(persona_last, 90, 1, 26_400, 32_750, 1_257_250, 193_062.5, id="persona last at 90 s a turn"),
    ],
)
async def test_turn_by_turn_the_account_is_that_of_the_paper(
    layout: Layout, seconds: float, models: int, uncached: int, written: int, read: int, equivalents: float
) -> None:
    """To the token; with 90 s a turn a persona comes back after the five minutes its own entry lives."""
    usage = await _sequential(layout, seconds=seconds, models=models)

    assert (usage.input, usage.write_5m, usage.read) == (uncached, written, read)
    assert token_equivalents(usage) == equivalents


async def test_a_parallel_round_warmed_by_its_first_call_writes_once() -> None:
    """The three others read what the first wrote, because its answer had begun."""
    usage = await _parallel(persona_last)

    assert (usage.input, usage.write_5m, usage.read) == (26_400, 32_000, 1_240_000)
    assert token_equivalents(usage) == 190_400
