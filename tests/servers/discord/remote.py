"""Drives a server that runs as another process."""

from types import TracebackType
from typing import Any, Self

import aiohttp

from .refusals import ImpossibleActError


class RemoteDiscord:
    """`await remote.do("say", who="ann", where="general", text="hi")`: the driver's verbs by name."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def do(self, verb: str, **arguments: Any) -> Any:
        """What the act led to, as JSON; raises ImpossibleActError when it could not be done."""
        assert self._session is not None
        async with self._session.post(f"{self.origin}/control/{verb}", json=arguments) as answer:
            body = await answer.json()
        if "error" in body:
            raise ImpossibleActError(body["error"])
        return body["result"]
