"""Socket Mode with a watchdog: a connection that has gone deaf is replaced by a fresh one.

The SDK's client reconnects by itself, but it can die silently (https://github.com/slackapi/bolt-python/issues/1529) and
tries a refused address for ever, so after a while a new client with a new address takes its place.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp

from bot.core.clock import Clock
from bot.core.errors import PanelistError

log = logging.getLogger("panelist.slack.socket")


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """How patient the watchdog is, in seconds."""

    ping: float = 10.0
    """Between our pings; the SDK gives up after four without an answer."""
    tick: float = 2.0
    """Between looks."""
    connect: float = 15.0
    """For one try to connect."""
    grace: float = 20.0
    """Without a connection before a fresh client is made."""
    deaf: float = 60.0
    """Without a message and without an answered ping."""
    quiet: float = 900.0
    """Without a message although pings are answered."""
    rest: float = 3.0
    """Between two tries, growing with each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How the connection to Slack is."""

    connected: bool
    heard_ago: float | None
    """Seconds since the last sign of life; None before the first."""
    connections: int
    """Fresh clients so far, the first included."""
    why: str = ""
    """Why the last one was replaced."""


class Socket:
    """Keeps one connection that hears."""

    def __init__(
        self,
        app: AsyncApp,
        app_token: str,
        clock: Clock,
        *,
        watch: Watch | None = None,
        back: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`back` is called after each connection but the first: something may have been missed."""
        self._app, self._token, self._clock = app, app_token, clock
        self._watch = watch or Watch()
        self._back = back
        self._handler: AsyncSocketModeHandler | None = None
        self._heard: float | None = None
        self._message: float = clock.monotonic()
        self._ponged: float | None = None
        self._lost_at: float | None = None
        self._connected = False
        self._count = 0
        self._why = ""
        self._backs: set[asyncio.Task[None]] = set()

    @property
    def health(self) -> Health:
        """For the health page, and for whoever wonders."""
        ago = None if self._heard is None else self._clock.monotonic() - self._heard
        return Health(connected=self._connected, heard_ago=ago, connections=self._count, why=self._why)

    async def run(self) -> None:
        """Stay connected until cancelled."""
        try:
            await self._replace("")
            while True:
                await self._clock.sleep(self._watch.tick)
                if why := await self._trouble():
                    await self._replace(why)
        finally:
            for task in self._backs:
                task.cancel()
            await self._close(self._handler)

    async def _trouble(self) -> str:
        """Why the connection must be replaced; empty while it is well, or the SDK may still mend it."""
        handler = self._handler
        if handler is None:
            return "not connected"
        now = self._clock.monotonic()
        ponged = handler.client.last_ping_pong_time
        if ponged is not None and ponged != self._ponged:
            self._ponged, self._heard = ponged, now
        was, self._connected = self._connected, await handler.client.is_connected()
        if not self._connected:
            self._lost_at = now if was or self._lost_at is None else self._lost_at
            return "not connected" if now - self._lost_at > self._watch.grace else ""
        if not was:
            self._lost_at = None
            self._missed()
        if self._heard is not None and now - self._heard > self._watch.deaf:
            return f"nothing heard for {now - self._heard:.0f} s"
        if now - self._message > self._watch.quiet:
            self._message = now
            return f"no message for {self._watch.quiet:.0f} s"
        return ""

    async def _replace(self, why: str) -> None:
        """Connect afresh, then let go of the old connection."""
        old, self._why = self._handler, why or self._why
        if why:
            log.warning("a fresh connection to Slack: %s", why)
        wait = self._watch.rest
        while (fresh := await self._connection()) is None:
            await self._close(old)
            old, self._handler, self._connected = None, None, False
            await self._clock.sleep(wait + self._clock.jitter())
            wait = min(wait * 2, 60.0)
        self._handler, self._connected, self._lost_at = fresh, True, None
        self._heard = self._message = self._clock.monotonic()
        self._count += 1
        await self._close(old)
        if self._count > 1:
            self._missed()

    async def _connection(self) -> AsyncSocketModeHandler | None:
        """A fresh client that is connected; None where that did not work in time."""
        handler = AsyncSocketModeHandler(self._app, self._token, logger=log, ping_interval=self._watch.ping)
        handler.client.message_listeners.append(self._listen)
        try:
            async with asyncio.timeout(self._watch.connect):
                await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt's
        except TimeoutError:
            await self._close(handler)
            return None
        except BaseException:
            await self._close(handler)
            raise
        return handler

    async def _listen(self, _client: Any, _message: dict[str, Any], _raw: str | None = None) -> None:
        self._heard = self._message = self._clock.monotonic()

    def _missed(self) -> None:
        if self._back is not None:
            task = asyncio.create_task(self._come_back(self._back), name="slack catch-up")
            self._backs.add(task)
            task.add_done_callback(self._backs.discard)

    async def _come_back(self, back: Callable[[], Awaitable[None]]) -> None:
        try:
            await back()
        except PanelistError as fault:
            log.warning("not caught up: %s", fault)

    async def _close(self, handler: AsyncSocketModeHandler | None) -> None:
        if handler is None:
            return
        try:
            async with asyncio.timeout(5.0):
                await handler.close_async()  # type: ignore[no-untyped-call]  # Bolt's
        except (TimeoutError, OSError, RuntimeError) as fault:
            log.info("an old connection did not close: %s", type(fault).__name__)
