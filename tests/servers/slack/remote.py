"""A Slack server in a process of its own, driven from a test."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, Self

import aiohttp

from tests.servers.slack.records import entries
from tests.servers.slack.world import JSON


class RemoteSlack:
    """`async with RemoteSlack(log=path) as slack:`; the bot may die, this platform lives on."""

    def __init__(self, *, log: Path, options: tuple[str, ...] = ()) -> None:
        self.log = log
        self.facts: JSON = {}
        """What the process printed: its addresses and tokens, and the ids of users and channels."""
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.servers.slack", "--log", str(self.log), *self._options),
            stdout=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[3],
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            self.facts = json.loads(await self._process.stdout.readline())
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()

    async def do(self, verb: str, **arguments: Any) -> Any:
        """Call one of the driver's methods; raises RuntimeError with the server's reason."""
        assert self._session is not None
        timeout = aiohttp.ClientTimeout(total=60)
        url = f"{self.facts['url']}/control/{verb}"
        async with self._session.post(url, json=arguments, timeout=timeout) as answer:
            result = await answer.json()
        if answer.status != 200:
            raise RuntimeError(f"{verb}: {result['error']}")
        return result

    def journal(self) -> list[JSON]:
        """Everything that was carried out so far."""
        return entries(self.log)
