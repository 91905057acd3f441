"""The driver over HTTP, for a server that runs as a process of its own.

`POST /control/{verb}` with a JSON object of arguments. People, channels and guilds go by name or id,
messages, webhooks and interactions by id.
"""

import base64
import inspect
import json
from typing import TYPE_CHECKING, Any

from aiohttp import web

from . import message_payloads, payloads
from .drafts import Upload
from .people import file
from .permissions import Permission
from .refusals import ImpossibleActError
from .world import Channel, Guild, Interaction, Json, Message, Role, User, Webhook

if TYPE_CHECKING:
    from .server import DiscordServer

_VERBS = frozenset(
    [
        "guild",
        "member",
        "text_channel",
        "announcement_channel",
        "forum",
        "permit_bot",
        "forbid_bot",
        "remove_member",
        "kick_bot",
        "delete_channel",
        "change_thread",
        "webhook",
        "move_webhook",
        "delete_webhook",
        "webhooks",
        "say",
        "edit",
        "delete",
        "react",
        "unreact",
        "pin",
        "unpin",
        "start_thread",
        "start_post",
        "join",
        "messages",
        "posts",
        "pinned",
        "slash",
        "autocomplete",
        "context_menu",
        "press",
        "select",
        "submit_modal",
    ]
)
_FAULTS = frozenset(["server_error", "cut", "slow", "refuse", "refuse_name", "limit", "ban", "clear"])
_GATEWAY = frozenset(["drop", "close", "ask_to_reconnect", "invalidate", "forget", "replay", "hold", "release"])


class Control:
    def __init__(self, server: "DiscordServer") -> None:
        self._server = server

    def mount(self, app: web.Application) -> None:
        app.router.add_post("/control/{verb}", self._serve)

    async def _serve(self, request: web.Request) -> web.Response:
        raw = await request.read()
        given = json.loads(raw) if raw else {}
        try:
            shown = self._shown(await self._do(request.match_info["verb"], given))
        except (ImpossibleActError, LookupError, TypeError) as error:
            return web.json_response({"error": f"{type(error).__name__}: {error}"}, status=400)
        return web.json_response({"result": shown})

    async def _do(self, verb: str, given: Json) -> Any:
        server = self._server
        match verb:
            case "about":
                return {"api": server.api, "gateway": server.gateway_url, "token": server.token}
            case "advance":
                return server.platform.clock.advance(given["seconds"])
            case "limits":
                return server.limits.as_reported()
            case "requests":
                return [_request(one) for one in server.requests]
            case "fault":
                return await _call(server.faults, given.pop("name"), _FAULTS, given)
            case "gateway":
                return await _call(server.gateway, given.pop("name"), _GATEWAY, given)
        arguments = {name: self._meant(name, value) for name, value in given.items()}
        return await _call(server, verb, _VERBS, arguments)

    def _meant(self, name: str, value: Any) -> Any:
        """An argument as the driver takes it."""
        platform = self._server.platform
        if name in {"message", "reply_to", "under"} and value is not None:
            return next(one for one in platform.created if str(one.id) == str(value))
        if name == "guild" and not isinstance(value, Guild):
            return next(one for one in platform.guilds.values() if value in (one.name, str(one.id)))
        if name == "webhook":
            return platform.webhook(int(value))
        if name == "opened":
            return next(one for one in platform.interactions.values() if str(one.id) == str(value))
        if name in {"permissions", "deny", "allow", "bot_permissions"} and value is not None:
            return Permission(int(value))
        if name == "files":
            return [_file(one) for one in value]
        if name in {"options", "fields"}:
            return {key: _option(one) for key, one in value.items()}
        return value

    def _shown(self, value: Any) -> Any:
        platform = self._server.platform
        match value:
            case list() | tuple():
                return [self._shown(one) for one in value]
            case Message():
                return message_payloads.event(value, platform) | {"pings": bool(value.pings)}
            case Channel():
                return payloads.channel(value)
            case User():
                return payloads.user(value)
            case Role():
                return payloads.role(value)
            case Guild():
                return {"id": str(value.id), "name": value.name}
            case Webhook():
                return payloads.webhook(value, token_for_app=platform.app.id)
            case Interaction():
                return self._interaction(value)
            case Upload():
                return value.filename
        return value

    def _interaction(self, one: Interaction) -> Json:
        return {
            "id": str(one.id),
            "answered_after": one.answered_after,
            "answer_kind": one.answer_kind,
            "ephemeral": one.ephemeral,
            "modal": one.modal,
            "answers": [self._shown(message) for message in one.answers],
        }


async def _call(target: object, verb: str, allowed: frozenset[str], arguments: Json) -> Any:
    if verb not in allowed:
        raise LookupError(f"no such act: {verb!r}; there are {sorted(allowed)}")
    result = getattr(target, verb)(**arguments)
    result = await result if inspect.isawaitable(result) else result
    return None if type(result).__name__ == "Fault" else result


def _option(value: Any) -> Any:
    if isinstance(value, dict):
        return _file(value)
    return [_option(one) for one in value] if isinstance(value, list) else value


def _file(value: Json) -> Upload:
    content = base64.b64decode(value["base64"]) if "base64" in value else value["text"]
    return file(value["name"], content, content_type=value.get("content_type", "guess"))


def _request(one: Any) -> Json:
    return {
        "number": one.number,
        "at": one.at,
        "route": one.route,
        "path": one.path,
        "query": one.query,
        "body": one.body,
        "status": one.status,
        "code": one.code,
        "committed": one.committed,
    }
