"""The driver over HTTP, for a server in its own process: `POST /control/<verb>` with JSON arguments."""

import base64
import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.slack.faults import KINDS
from tests.servers.slack.forms import GestureError
from tests.servers.slack.world import JSON

if TYPE_CHECKING:
    from tests.servers.slack.server import SlackServer

VERBS = frozenset(
    {
        *("say", "bot_says", "edit", "delete", "react", "replay", "hold_events", "release_events", "settled"),
        *("slash", "shortcut", "message_shortcut", "press", "submit", "close", "open_home", "modal", "home"),
        *(
            "archive",
            "unarchive",
            "kick_bot",
            "invite_bot",
            "drop_scope",
            "grant_scope",
            "revoke_token",
            "uninstall",
        ),
        *(
            "add_user",
            "add_channel",
            "delete_channel",
            "fault",
            "posts",
            "calls_of",
            "whispers_to",
            "pings",
            "fetched",
        ),
    }
)


class Control:
    """Calls the driver's methods by name; messages are given as `{"channel": …, "ts": …}`."""

    def __init__(self, slack: "SlackServer") -> None:
        self._slack = slack

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One verb: its result, or 400 with what was wrong."""
        verb = request.match_info["verb"]
        arguments = await request.json() if request.can_read_body else {}
        if verb == "acks":
            return web.json_response([jsonable(ack) for ack in self._slack.acks])
        if verb not in VERBS:
            return web.json_response({"error": f"unknown verb {verb}; known: {sorted(VERBS)}"}, status=400)
        try:
            result = getattr(self._slack, verb)(**self._restored(verb, arguments))
            if inspect.isawaitable(result):
                result = await result
        except (KeyError, TypeError, GestureError) as fault:
            return web.json_response({"error": str(fault)}, status=400)
        return web.json_response(jsonable(result))

    def _restored(self, verb: str, arguments: JSON) -> JSON:
        """The arguments with messages, files and faults made from their JSON form."""
        restored = dict(arguments)
        for key in ("message", "where"):
            if isinstance(restored.get(key), dict):
                _, channel = self._slack.home_of(restored[key]["channel"])
                restored[key] = channel.messages[restored[key]["ts"]]
        if verb == "press" and "where" not in restored:
            restored["where"] = self._slack.modal(restored["user"])
        if "files" in restored:
            restored["files"] = [(name, base64.b64decode(content)) for name, content in restored["files"]]
        if verb == "fault":
            restored["fault"] = KINDS[restored.pop("kind")](**restored.pop("how", {}))
        return restored


def jsonable(value: Any) -> Any:
    """Dataclasses, tuples and sets as plain JSON; bytes as their number."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: jsonable(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(item) for item in value]
    return len(value) if isinstance(value, bytes) else value
