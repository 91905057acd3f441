"""The way back to a client: status, bytes, and the means to break off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping

from starlette.types import Send

from tests.servers.messages_api.received import Received
from tests.servers.messages_api.usage import Json

DROP_TIMEOUT = 2.0


class Wire:
    """Sends one response and notes in the record when it began."""

    def __init__(self, *, received: Received, send: Send, drop: Callable[[], None], now: Callable[[], float]) -> None:
        self._received = received
        self._send = send
        self._drop = drop
        self._now = now
        self.left = asyncio.Event()
        """Set once the connection is gone."""

    @property
    def started(self) -> bool:
        return self._received.began is not None

    async def start(self, status: int, content_type: str, headers: Mapping[str, str], length: int | None) -> None:
        """Status line and headers; without a length the body is chunked."""
        received = self._received
        received.status, received.began = status, self._now()
        ids = {"request-id": received.request_id, "x-request-id": received.request_id}
        told = {"content-type": content_type, **ids, **headers}
        if length is not None:
            told["content-length"] = str(length)
        pairs = [(name.encode(), value.encode()) for name, value in told.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})

    async def write(self, data: bytes) -> None:
        """Some of the body; lets the loop turn, so that frames leave one by one and a leaving client is seen."""
        await self._send({"type": "http.response.body", "body": data, "more_body": True})
        await asyncio.sleep(0)

    async def finish(self, data: bytes = b"") -> None:
        """The last of the body; what was open until now is answered."""
        if self._received.outcome == "open":
            self._received.outcome = "answered"
        await self._send({"type": "http.response.body", "body": data, "more_body": False})

    async def whole(
        self, status: int, body: bytes, headers: Mapping[str, str], content_type: str = "application/json"
    ) -> None:
        """A response in one piece."""
        await self.start(status, content_type, headers, len(body))
        await self.finish(body)

    async def json(self, status: int, payload: Json, headers: Mapping[str, str]) -> None:
        """The same, of a JSON value."""
        await self.whole(status, json.dumps(payload, ensure_ascii=False).encode(), headers)

    async def cut(self) -> None:
        """Closes the connection after what was written, and waits until it is gone."""
        self._received.outcome = "broken"
        self._drop()
        async with asyncio.timeout(DROP_TIMEOUT):
            await self.left.wait()


async def pause(seconds: float | None) -> None:
    """Waits so many real seconds; nothing: for ever, so until the client leaves or the server closes."""
    if seconds is None:
        await asyncio.Event().wait()
    elif seconds > 0:
        await asyncio.sleep(seconds)
