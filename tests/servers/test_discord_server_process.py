"""The Discord test server as a process of its own: it outlives the bot and keeps its own record."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from .discord import EXECUTE_WEBHOOK, ImpossibleActError, RemoteDiscord
from .discord.library import library_at
from .discord_clients import Bot, running


@asynccontextmanager
async def _process(log: Path) -> AsyncIterator[RemoteDiscord]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.servers.discord", "--log", str(log), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    async with asyncio.timeout(20):
        origin = (await process.stdout.readline()).decode().strip()
    try:
        async with RemoteDiscord(origin) as remote:
            yield remote
    finally:
        process.terminate()
        await process.wait()


async def test_a_bot_comes_and_goes_while_the_platform_lives_on(tmp_path: Path) -> None:
    """People speak while the bot is away, and the next bot finds it in the history."""
    async with _process(tmp_path / "posts.jsonl") as remote:
        with library_at(remote.origin):
            async with running(Bot()):
                await remote.do("say", who="ann", where="general", text="hello")
            await remote.do("say", who="ben", where="general", text="while it was away")
            async with running(Bot()):
                shown = await remote.do("slash", who="ann", where="general", command="panel card")
                seen = [one["content"] for one in await remote.do("messages", where="general")]

    assert seen == ["hello", "while it was away", "running"]
    assert shown["answers"][0]["content"] == "running"
    lines = [json.loads(line) for line in (tmp_path / "posts.jsonl").read_text().splitlines()]
    assert [(one["event"], one["content"]) for one in lines] == [("created", text) for text in seen]


async def test_a_sender_that_dies_before_the_answer_has_posted_all_the_same(tmp_path: Path) -> None:
    """The crash window: the platform took the post, and nobody was there to be told."""
    async with _process(tmp_path / "posts.jsonl") as remote:
        webhook = await remote.do("webhook", where="general", name="Relay", creator="ann")
        await remote.do("fault", name="slow", seconds=60, on=EXECUTE_WEBHOOK)
        address = f"{remote.origin}/api/v10/webhooks/{webhook['id']}/{webhook['token']}"
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=0.2)) as session:
            with pytest.raises(TimeoutError):
                await session.post(address, json={"content": "said"})
        said = [one["content"] for one in await remote.do("messages", where="general")]
        requests = await remote.do("requests")

    assert said == ["said"]
    assert [(one["status"], one["committed"]) for one in requests] == [(0, True)]


async def test_acts_that_can_not_be_done_are_told_over_the_wire(tmp_path: Path) -> None:
    """The same error as in the process."""
    async with _process(tmp_path / "posts.jsonl") as remote:
        with pytest.raises(ImpossibleActError, match="nobody called 'zoe'"):
            await remote.do("say", who="zoe", where="general", text="x")
        with pytest.raises(ImpossibleActError, match="no such act"):
            await remote.do("dance")
