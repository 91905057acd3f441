"""Slack over signed HTTP: what the paths below `/slack` and the avatars answer, whatever server carries them.

https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import asyncio
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import web
from slack_bolt import BoltResponse
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.slack.avatars import avatar_of
from adapters.slack.oauth import INSTALL, REDIRECT
from adapters.slack.platform import SLACK
from bot.core.errors import CatalogError
from bot.core.place import Place
from bot.core.starting.catalogs import Catalogs

log = logging.getLogger("panelist.slack.door")

EVENTS = "/slack/events"
MOST_BYTES = 4 * 1024 * 1024
_AVATAR = re.compile(r"/avatars/(?P<name>[a-z0-9][a-z0-9-]{0,79})\.png")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server sends back."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a server was asked."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


class Door:
    """Answers requests."""

    def __init__(
        self, app: AsyncApp, catalogs: Catalogs, flow: AsyncOAuthFlow | None = None, *, signed: bool = False
    ) -> None:
        """`signed`: the app checks signatures; without that no event is taken in over HTTP."""
        self._app, self._catalogs, self._flow, self._signed = app, catalogs, flow, signed

    async def answer(self, request: Request) -> Answer | None:
        """The answer, or None for a path that is not Slack's."""
        match request.method, request.path:
            case "POST", path if path == EVENTS and self._signed:
                return _answer(await self._app.async_dispatch(_bolt(request)))
            case "GET", path if path == INSTALL and self._flow is not None:
                return _answer(await self._flow.handle_installation(_bolt(request)))
            case "GET", path if path == REDIRECT and self._flow is not None:
                return _answer(await self._flow.handle_callback(_bolt(request)))
            case "GET", path if found := _AVATAR.fullmatch(path):
                return await self._avatar(found["name"])
        return None

    async def _avatar(self, name: str) -> Answer:
        """The face of a persona of the deployment; what workspaces keep for themselves is not shown to the world."""
        try:
            persona = (await self._catalogs.of(Place(platform=SLACK))).persona(name)
        except CatalogError:
            persona = None
        if persona is None:
            return Answer(status=404, body=b"no such persona")
        image = await asyncio.to_thread(avatar_of, persona)
        kind = (("content-type", "image/png"), ("cache-control", "public, max-age=86400"))
        return Answer(status=200, body=image, headers=kind)


async def serve(door: Door, host: str, port: int) -> None:
    """A small server for a house without a room, until cancelled."""

    async def handle(request: web.Request) -> web.Response:
        asked = Request(
            method=request.method,
            path=request.path,
            query=request.query_string,
            headers=dict(request.headers),
            body=await request.text(),
        )
        answer = await door.answer(asked) or Answer(status=404)
        response = web.Response(status=answer.status, body=answer.body)
        for name, value in answer.headers:
            response.headers.add(name, value)
        return response

    app = web.Application(client_max_size=MOST_BYTES)
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        log.info("Slack is served on port %d", port)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def _bolt(request: Request) -> AsyncBoltRequest:
    return AsyncBoltRequest(body=request.body, query=request.query, headers=dict(request.headers), mode="http")


def _answer(response: BoltResponse) -> Answer:
    headers = tuple((name, value) for name, values in response.headers.items() for value in values)
    return Answer(status=response.status, body=response.body.encode(), headers=headers)
