"""The Web API's door: token, faults by script, rate limits, scopes, arguments, the method, the answer."""

import asyncio
import base64
import secrets
from collections.abc import Callable

from aiohttp import web

from tests.servers.slack import (
    api_chat,
    api_conversations,
    api_files,
    api_install,
    api_marks,
    api_people,
    api_views,
)
from tests.servers.slack.arguments import checked, received
from tests.servers.slack.errors import SlackError, missing_scope
from tests.servers.slack.faults import Broken, Delayed, Fault, Limited, Lost, Refused, Slow
from tests.servers.slack.methods import METHODS, Method
from tests.servers.slack.platform import Platform
from tests.servers.slack.records import Call
from tests.servers.slack.request import Request
from tests.servers.slack.workspace import Installation, Workspace
from tests.servers.slack.world import JSON

_ROUTES: dict[str, Callable[[Request], JSON]] = {
    "auth.test": api_people.auth_test,
    "auth.revoke": api_people.auth_revoke,
    "apps.uninstall": api_install.apps_uninstall,
    "chat.postMessage": api_chat.post_message,
    "chat.postEphemeral": api_chat.post_ephemeral,
    "chat.update": api_chat.update,
    "chat.delete": api_chat.delete,
    "chat.getPermalink": api_chat.permalink,
    "conversations.history": api_conversations.history,
    "conversations.replies": api_conversations.replies,
    "conversations.info": api_conversations.info,
    "conversations.members": api_conversations.members,
    "conversations.list": api_conversations.listing,
    "conversations.open": api_conversations.opened,
    "conversations.join": api_conversations.join,
    "users.conversations": api_conversations.mine,
    "users.info": api_people.users_info,
    "users.list": api_people.users_list,
    "bots.info": api_people.bots_info,
    "team.info": api_people.team_info,
    "reactions.add": api_marks.add_reaction,
    "reactions.remove": api_marks.remove_reaction,
    "pins.add": api_marks.add_pin,
    "pins.list": api_marks.list_pins,
    "pins.remove": api_marks.remove_pin,
    "files.getUploadURLExternal": api_files.upload_url,
    "files.completeUploadExternal": api_files.complete_upload,
    "files.info": api_files.info,
    "views.open": api_views.open_view,
    "views.push": api_views.push_view,
    "views.update": api_views.update_view,
    "views.publish": api_views.publish_view,
}


class Api:
    """Answers `/api/<method>`; every call is recorded with its outcome."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One call from end to end, scripted faults included."""
        name = request.match_info["method"]
        arguments: JSON = {}
        try:
            arguments = await received(request)
            method = METHODS.get(name)
            if method is None:
                raise SlackError("unknown_method", req_method=name)
            fault = self._platform.faults.take(name, arguments)
            early = await self._before(request, fault)
            if early is not None:
                self._record(name, arguments, "", type(fault).__name__.lower(), fault)
                return early
            return await self._carried_out(request, method, arguments, fault)
        except SlackError as error:
            self._record(name, arguments, "", error.code, None)
            return web.json_response(error.body())

    async def _carried_out(
        self, request: web.Request, method: Method, arguments: JSON, fault: Fault | None
    ) -> web.StreamResponse:
        headers = {"x-slack-req-id": secrets.token_hex(8)}
        team = ""
        try:
            if isinstance(fault, Refused):
                raise SlackError(fault.error)
            if method.token == "none":
                body = api_install.oauth_access(self._platform, arguments, _basic(request))
            elif method.token == "app":
                body = self._with_app_token(request, arguments)
            else:
                ws, installation = self._authenticated(request, arguments)
                team = ws.id
                headers["x-oauth-scopes"] = ",".join(sorted(installation.scopes))
                headers["x-accepted-oauth-scopes"] = method.scope or ""
                limited = self._limited(method, arguments, team)
                if limited is not None:
                    return limited
                body = self._run(method, arguments, ws, installation)
        except SlackError as error:
            self._record(method.name, arguments, team, error.code, fault)
            return web.json_response(error.body(), headers=headers)
        self._record(method.name, arguments, team, "ok", fault)
        return await self._answered(request, body, headers, fault)

    def _run(self, method: Method, arguments: JSON, ws: Workspace, installation: Installation) -> JSON:
        if method.scope is not None and method.scope not in installation.scopes:
            raise missing_scope(method.scope, installation.scopes)
        arguments = {name: value for name, value in arguments.items() if name != "token"}
        values = checked(method, arguments, strict=self._platform.settings.strict)
        call = Request(platform=self._platform, ws=ws, installation=installation, method=method.name, arguments=values)
        return _ROUTES[method.name](call)

    def _authenticated(self, request: web.Request, arguments: JSON) -> tuple[Workspace, Installation]:
        token = _bearer(request) or arguments.get("token")
        if not token:
            raise SlackError("not_authed")
        for ws in self._platform.workspaces.values():
            installation = ws.installation
            if installation is not None and installation.token == token:
                if installation.standing != "active":
                    raise SlackError(installation.standing)
                return ws, installation
        raise SlackError("not_allowed_token_type" if str(token).startswith("xapp-") else "invalid_auth")

    def _with_app_token(self, request: web.Request, arguments: JSON) -> JSON:
        token = _bearer(request) or arguments.get("token")
        if not token:
            raise SlackError("not_authed")
        if not str(token).startswith("xapp-"):
            raise SlackError("not_allowed_token_type")
        if token != self._platform.settings.app_token:
            raise SlackError("invalid_auth")
        return api_install.connections_open(self._platform)

    def _limited(self, method: Method, arguments: JSON, team: str) -> web.Response | None:
        wait = self._platform.limiter.wait(method, team, arguments.get("channel"))
        if wait is None:
            return None
        self._record(method.name, arguments, team, "ratelimited", None)
        return too_many(wait)

    async def _before(self, request: web.Request, fault: Fault | None) -> web.StreamResponse | None:
        """What happens instead of the call, if anything."""
        match fault:
            case Limited(retry_after=seconds):
                return too_many(seconds)
            case Broken(status=0):
                return reset(request)
            case Broken(status=status):
                return web.Response(status=status, text="<html>Server Error</html>", content_type="text/html")
            case Slow(seconds=seconds):
                await asyncio.sleep(seconds)
        return None

    async def _answered(
        self, request: web.Request, body: JSON, headers: dict[str, str], fault: Fault | None
    ) -> web.StreamResponse:
        """The confirmation of what was carried out, unless it is lost or late."""
        match fault:
            case Lost(how="reset"):
                return reset(request)
            case Lost(how="500"):
                return web.Response(status=500, text="<html>Server Error</html>", content_type="text/html")
            case Lost(how="silence", seconds=seconds):
                await asyncio.sleep(seconds)
                return reset(request)
            case Delayed(seconds=seconds):
                await asyncio.sleep(seconds)
        return web.json_response(body, headers=headers)

    def _record(self, method: str, arguments: JSON, team: str, outcome: str, fault: Fault | None) -> None:
        self._platform.calls.append(
            Call(
                method=method,
                arguments={name: value for name, value in arguments.items() if name not in _SECRETS},
                team=team,
                at=self._platform.now(),
                outcome=outcome,
                fault=type(fault).__name__ if fault else None,
                seen=not isinstance(fault, Lost),
            )
        )


_SECRETS = {"token", "client_secret", "code"}


def too_many(seconds: int) -> web.Response:
    """https://docs.slack.dev/apis/web-api/rate-limits: 429 and the whole seconds to wait."""
    body = {"ok": False, "error": "ratelimited"}
    return web.json_response(body, status=429, headers={"Retry-After": str(seconds)})


def reset(request: web.Request) -> web.StreamResponse:
    """Break the connection; what is returned reaches nobody."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


def _bearer(request: web.Request) -> str | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def _basic(request: web.Request) -> tuple[str, str] | None:
    header = request.headers.get("Authorization", "")
    if not header.startswith("Basic "):
        return None
    login, _, password = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
    return login, password
