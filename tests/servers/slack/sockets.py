"""Socket Mode as the platform runs it: tickets, hello, envelopes, acks, pings, and its ways to fail.

https://docs.slack.dev/apis/events-api/using-socket-mode
"""

import asyncio
import contextlib
import json
import uuid
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from aiohttp import WSMsgType, web

from tests.servers.slack.delivery import Delivery, Outcome
from tests.servers.slack.settings import Settings
from tests.servers.slack.world import JSON

DisconnectReason: TypeAlias = Literal["warning", "refresh_requested", "link_disabled", "too_many_websockets"]
MOST_CONNECTIONS = 10


@dataclass(eq=False, slots=True)
class Link:
    """One open socket of the app."""

    ws: web.WebSocketResponse
    transport: asyncio.Transport | None
    waiting: dict[str, "asyncio.Future[JSON]"] = field(default_factory=dict)
    deaf: bool = False
    """Nothing reaches the app any more although the connection stands."""
    answers_pings: bool = True
    leaving: bool = False
    """A disconnect was announced; no new envelopes go here."""
    pings: int = 0
    pongs: int = 0


class Sockets:
    """All sockets of the app; each envelope goes to one of them, in turn."""

    def __init__(self, settings: Settings) -> None:
        self.links: list[Link] = []
        self.opened = 0
        """apps.connections.open calls that were answered."""
        self.connected = 0
        """Sockets accepted so far."""
        self.refusals = 0
        """The next so many sockets are refused though their ticket is good."""
        self.enabled = True
        self.ignored_acks: list[JSON] = []
        """Frames of the app that answered no envelope."""
        self._settings = settings
        self._tickets: set[str] = set()
        self._turn = 0
        self._arrival = asyncio.Event()

    def ticket(self) -> str:
        """A ticket for one socket."""
        ticket = uuid.uuid4().hex
        self._tickets.add(ticket)
        self.opened += 1
        return ticket

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The socket's life: hello, then frames until it closes. A ticket is good once."""
        ticket = request.query.get("ticket", "")
        if self.refusals > 0:
            self.refusals -= 1
            return web.Response(status=503, text="refused")
        if not self.enabled or ticket not in self._tickets:
            return web.Response(status=403, text="bad ticket")
        self._tickets.discard(ticket)
        ws = web.WebSocketResponse(autoping=False)
        await ws.prepare(request)
        link = Link(ws, request.transport)
        self.links.append(link)
        self.connected += 1
        try:
            await self._greet(link)
            await self._live(link)
        finally:
            self.links.remove(link)
            for future in link.waiting.values():
                if not future.done():
                    future.set_exception(ConnectionResetError("socket closed"))
        return ws

    async def carry(self, delivery: Delivery, attempt: int, reason: str) -> Outcome:
        """One envelope to one socket; unacked in time is a timeout, no socket is a failed connection."""
        link = self._next()
        if link is None:
            return Outcome(ok=False, reason="connection_failed")
        envelope_id = str(uuid.uuid4())
        answer: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()
        link.waiting[envelope_id] = answer
        try:
            if not link.deaf:
                await link.ws.send_json(self._envelope(delivery, envelope_id, attempt, reason))
            payload = await asyncio.wait_for(answer, self._settings.ack_timeout)
        except TimeoutError:
            return Outcome(ok=False, reason="timeout")
        except ConnectionError:
            return Outcome(ok=False, reason="connection_failed")
        finally:
            link.waiting.pop(envelope_id, None)
        return Outcome(ok=True, payload=payload)

    async def disconnect(self, reason: DisconnectReason) -> None:
        """Announce the end of every socket; `link_disabled` closes them and lets no new one in."""
        self.enabled = self.enabled and reason != "link_disabled"
        for link in list(self.links):
            link.leaving = True
            with contextlib.suppress(ConnectionError):
                await link.ws.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "applink"}})
            if reason == "link_disabled":
                await link.ws.close()

    def cut(self) -> None:
        """Break every connection without a closing frame, as a dying network does."""
        for link in self.links:
            if link.transport is not None:
                link.transport.abort()

    def fall_silent(self, *, answers_pings: bool) -> None:
        """The sockets stand, but nothing comes through; without answers to pings they look dead."""
        for link in self.links:
            link.deaf, link.answers_pings = True, answers_pings

    async def has_connected(self, total: int, seconds: float = 5.0) -> None:
        """Wait until so many sockets were accepted in all; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while self.connected < total or not any(not link.leaving for link in self.links):
                self._arrival.clear()
                await self._arrival.wait()

    def _next(self) -> Link | None:
        usable = [link for link in self.links if not link.leaving and not link.ws.closed]
        if not usable:
            return None
        self._turn += 1
        return usable[self._turn % len(usable)]

    def _envelope(self, delivery: Delivery, envelope_id: str, attempt: int, reason: str) -> JSON:
        envelope: JSON = {
            "envelope_id": envelope_id,
            "type": delivery.kind,
            "accepts_response_payload": delivery.kind != "events_api",
            "payload": delivery.body,
        }
        if delivery.kind == "events_api":
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        return envelope

    async def _greet(self, link: Link) -> None:
        live = [other for other in self.links if not other.leaving]
        if len(live) > MOST_CONNECTIONS:
            link.leaving = True
            await link.ws.send_json({"type": "disconnect", "reason": "too_many_websockets", "debug_info": {}})
            return
        await link.ws.send_json(
            {
                "type": "hello",
                "num_connections": len(live),
                "connection_info": {"app_id": self._settings.app_id},
                "debug_info": {"host": "applink", "build_number": 1, "approximate_connection_time": 18060},
            }
        )
        self._arrival.set()

    async def _live(self, link: Link) -> None:
        pinger = asyncio.create_task(self._ping(link))
        try:
            async for frame in link.ws:
                await self._frame(link, frame.type, frame.data)
        finally:
            pinger.cancel()

    async def _frame(self, link: Link, kind: WSMsgType, data: bytes | str) -> None:
        match kind:
            case WSMsgType.PING:
                link.pings += 1
                if link.answers_pings and isinstance(data, bytes):
                    await link.ws.pong(data)
            case WSMsgType.PONG:
                link.pongs += 1
            case WSMsgType.TEXT:
                answer = json.loads(data)
                future = link.waiting.get(answer.get("envelope_id", ""))
                if link.deaf or future is None or future.done():
                    self.ignored_acks.append(answer)
                else:
                    future.set_result(answer.get("payload") or {})

    async def _ping(self, link: Link) -> None:
        if self._settings.server_ping is None:
            return
        while not link.ws.closed:
            await asyncio.sleep(self._settings.server_ping)
            if not link.deaf:
                with contextlib.suppress(ConnectionError):
                    await link.ws.ping(b"Ping from applink")
