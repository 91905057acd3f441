"""The server itself: starts, answers, shows what it saw, stops."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from aiohttp import web

from tests.servers.slack.admin import Admin
from tests.servers.slack.api import Api
from tests.servers.slack.control import Control
from tests.servers.slack.manifest import MANIFEST, Manifest
from tests.servers.slack.people import Where
from tests.servers.slack.platform import Whisper
from tests.servers.slack.records import Call
from tests.servers.slack.settings import Settings
from tests.servers.slack.web_routes import Routes
from tests.servers.slack.world import Message

MOST_UPLOAD = 32 * 1024 * 1024


class SlackServer(Admin):
    """A Slack of one's own on 127.0.0.1: `async with SlackServer() as slack:`.

    It starts with the workspace Acme: members ada and ben, admin iris, guest gus, stranger zoe;
    #general (all of them but zoe, bot inside), #partners (ada, zoe, bot; shared), private #lab (ada, iris,
    bot), private #board (iris, no bot), archived #attic.
    Keyword arguments are those of `Settings`; `now` is the clock for limits and expiries, in seconds.
    """

    def __init__(
        self,
        *,
        manifest: Path | Manifest = MANIFEST,
        port: int = 0,
        now: Callable[[], float] = time.monotonic,
        settings: Settings | None = None,
        **knobs: Any,
    ) -> None:
        read = manifest if isinstance(manifest, Manifest) else Manifest.load(manifest)
        super().__init__(read, replace(settings or Settings(), **knobs), now)
        self._port = port
        self._runner: web.AppRunner | None = None
        ws = self.add_workspace("Acme")
        self.install(ws)
        ada, ben = ws.add_user("ada"), ws.add_user("ben")
        iris, gus, zoe = (
            ws.add_user("iris", "admin"),
            ws.add_user("gus", "guest"),
            ws.add_user("zoe", "stranger"),
        )
        ws.add_channel("general", [ada, ben, iris, gus])
        ws.add_channel("partners", [ada, zoe], shared=True)
        ws.add_channel("lab", [ada, iris], "private")
        ws.add_channel("board", [iris], "private", bot=False)
        ws.add_channel("attic", [ada, ben, iris]).archived = True

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def api_url(self) -> str:
        """The Web API's base, with a slash at the end, as the SDK's `base_url` wants it."""
        return f"{self.base_url}/api/"

    @property
    def bot_token(self) -> str:
        """The token in the first workspace."""
        return self.installation.token

    @property
    def app_token(self) -> str:
        """The app-level token for Socket Mode."""
        return self.settings.app_token

    async def start(self) -> None:
        """Listen on 127.0.0.1."""
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        """Give up deliveries, close sockets, stop listening."""
        await self.courier.stop()
        self.sockets.cut()
        await self.signed.close()
        if self._runner is not None:
            await self._runner.cleanup()
        self.journal.close()

    def posts(self, channel: Where, thread_ts: str | None = None) -> list[Message]:
        """The app's posts in a channel in order of time, or those of one thread, root included."""
        ws, place = self.home_of(channel)
        bot_id = ws.installation.bot_id if ws.installation else ""
        messages = sorted(place.messages.values(), key=lambda message: message.ts)
        mine = [message for message in messages if message.bot_id == bot_id]
        return [m for m in mine if thread_ts is None or thread_ts in {m.thread_ts, m.ts}]

    def calls_of(self, method: str, outcome: str | None = None) -> list[Call]:
        """The calls of a method, all or those with this outcome."""
        return [call for call in self.calls if call.method == method and outcome in {None, call.outcome}]

    def whispers_to(self, user: str) -> list[Whisper]:
        """What one person alone was shown, in order."""
        person = self.user(user).id
        return [whisper for whisper in self.whispers if whisper.user == person]

    def pings(self) -> list[tuple[Message, str]]:
        """Every post of the app that called somebody, with whom."""
        return [(m, ping) for ws in self.workspaces.values() for m in self._own(ws.id) for ping in m.effects.pings]

    def fetched(self) -> list[tuple[Message, str]]:
        """Every address that Slack or a reader's client loaded because of a post of the app, unasked."""
        posts = [m for ws in self.workspaces.values() for m in self._own(ws.id)]
        return [(m, address) for m in posts for address in (*m.effects.unfurls, *m.effects.images)]

    async def until(self, fact: Callable[[], Any], seconds: float = 5.0) -> Any:
        """Wait until `fact()` is true and return it; raises TimeoutError that shows the last calls."""
        end = asyncio.get_running_loop().time() + seconds
        while not (value := fact()):
            if asyncio.get_running_loop().time() > end:
                last = [(call.method, call.outcome) for call in self.calls[-8:]]
                raise TimeoutError(f"not within {seconds} s; the app's last calls: {last}; {self.complaints}")
            await asyncio.sleep(0.005)
        return value

    def _own(self, team: str) -> list[Message]:
        ws = self.workspaces[team]
        bot_id = ws.installation.bot_id if ws.installation else None
        return [m for channel in ws.channels.values() for m in channel.messages.values() if m.bot_id == bot_id]

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=MOST_UPLOAD)
        routes = Routes(self)
        app.router.add_route("*", "/api/{method}", Api(self).serve)
        app.router.add_get("/link/", self.sockets.serve)
        app.router.add_post("/upload/v1/{ticket}", routes.upload)
        app.router.add_get("/files-pri/{file}/{name:.*}", routes.download)
        app.router.add_get("/login", routes.login)
        app.router.add_get("/elsewhere", routes.elsewhere)
        app.router.add_post("/actions/{team}/{key}", routes.answer)
        app.router.add_post("/control/{verb}", Control(self).serve)
        return app
