"""The server tests use: a service on a port of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

from tests.servers.messages_api.answers import ScriptError
from tests.servers.messages_api.app import app_of
from tests.servers.messages_api.listener import HOST, Listener
from tests.servers.messages_api.service import Service


class MessagesServer(Service):
    """`async with MessagesServer() as server:` serves until the block ends; takes what `Service` takes.
    Leaving the block raises `ScriptError` where a voice failed, whatever the client made of it."""

    _listener: Listener

    @property
    def url(self) -> str:
        """Base URL for the Anthropic SDK, without a trailing slash."""
        return f"http://{HOST}:{self.port}"

    @property
    def openai_url(self) -> str:
        """Base URL for the OpenAI SDK."""
        return f"{self.url}/v1"

    async def __aenter__(self) -> Self:
        self._listener = Listener(app_of(self, self._drop), self.port)
        self.port = self._listener.port
        await self._listener.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._listener.stop()
        self._listener.close()
        if error is None and self.script_errors:
            raise ScriptError(f"{len(self.script_errors)} replies failed") from self.script_errors[0]

    @asynccontextmanager
    async def down(self) -> AsyncIterator[None]:
        """Inside the block every connection is refused, and those open were cut; cache and record stay."""
        await self._listener.stop()
        try:
            yield
        finally:
            await self._listener.start()

    def _drop(self, client: tuple[str, int]) -> None:
        self._listener.drop(client)

    async def settled(self, *, timeout: float = 5.0) -> None:
        """Waits until no request is open: then outcomes and usages are final. `timeout` in real seconds."""
        await self._until(lambda: all(received.ended is not None for received in self.requests), timeout)

    async def arrived(self, calls: int, *, timeout: float = 5.0) -> None:
        """Waits until so many calls have reached the server, answered or not."""
        await self._until(lambda: len(self.calls) >= calls, timeout)

    async def _until(self, condition: Callable[[], bool], timeout: float) -> None:
        async with asyncio.timeout(timeout):
            while not condition():
                self.news.clear()
                await self.news.wait()
