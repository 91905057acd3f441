"""A Discord of our own on the loopback interface, for the real client library to talk to."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from . import cdn
from .acts import Acts
from .calls import Route
from .control import Control
from .faults import Faults
from .frontdoor import PREFIX, FrontDoor
from .gateway import Gateway
from .journal import Journal
from .ledger import Ledger, Request
from .limits import Limits
from .routes import application, channels, messages, webhooks
from .rules import Rules
from .state import Platform
from .world import Interaction

_ROUTES: list[Route] = [
    *application.ROUTES,
    *messages.ROUTES,
    *channels.ROUTES,
    *webhooks.ROUTES,
]


class DiscordServer(Acts):
    """Speaks REST v10, the gateway and the CDN on 127.0.0.1, and lets a test play everybody else.

    Leaving the block raises AssertionError when something was asked for that the server does not offer,
    so that no test passes on a silent gap.
    """

    def __init__(
        self, *, rules: Rules | None = None, log: Path | None = None, port: int = 0, token: str = "bot-token"
    ) -> None:
        self.platform = Platform(rules or Rules(), Journal(log), token=token)
        self.gateway = Gateway(self.platform)
        self.ledger = Ledger()
        self.limits = Limits(self.platform.clock)
        self.faults = Faults()
        self._port = port
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        FrontDoor(self.platform, self.ledger, self.limits, self.faults).mount(app, _ROUTES)
        app.router.add_get("/gw/", self.gateway.serve)
        cdn.mount(app, self.platform)
        Control(self).mount(app)
        self._runner = web.AppRunner(app, shutdown_timeout=0.2, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self.platform.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for session in self.gateway.connected:
            session.cut()
        if self._runner is not None:
            await self._runner.cleanup()
        self.platform.journal.close()
        if error is None:
            self._require_complete()

    def _require_complete(self) -> None:
        if self.ledger.broken:
            raise AssertionError("the test server failed") from self.ledger.broken[0]
        if self.ledger.unserved:
            raise AssertionError(f"not offered by the test server: {self.ledger.unserved}")

    @property
    def origin(self) -> str:
        return self.platform.origin

    @property
    def api(self) -> str:
        """The base of the REST interface, without a slash at the end."""
        return self.platform.origin + PREFIX

    @property
    def gateway_url(self) -> str:
        return self.platform.origin.replace("http", "ws", 1) + "/gw/"

    @property
    def token(self) -> str:
        return self.platform.app.token

    @property
    def requests(self) -> list[Request]:
        """Every REST request, in the order of the answers."""
        return self.ledger.requests

    @property
    def interactions(self) -> list[Interaction]:
        return list(self.platform.interactions.values())

    async def until(self, fact: Callable[[], object], timeout: float = 5.0) -> None:
        """Waits for something to become true; raises TimeoutError."""
        await self.platform.changed.until(fact, timeout)

    async def settle(self, quiet: float = 0.05) -> None:
        """Waits until no request and no event came for that many seconds."""
        count = -1
        while count != len(self.ledger.requests):
            count = len(self.ledger.requests)
            await asyncio.sleep(quiet)

    async def connected(self, shards: int = 1, timeout: float = 10.0) -> None:
        """Waits until the app's shards are on the gateway."""
        await self.until(lambda: len(self.gateway.connected) >= shards, timeout)
