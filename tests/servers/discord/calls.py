"""One request to the REST interface, and who serves it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .drafts import Draft, Upload, draft
from .messages import guessed_type
from .refusals import RefusalError
from .state import Platform
from .world import Channel, Guild, Json, Message

EXECUTE_WEBHOOK = "POST /webhooks/{webhook}/{token}"
SEND_MESSAGE = "POST /channels/{channel}/messages"
CREATE_WEBHOOK = "POST /channels/{channel}/webhooks"
START_THREAD = "POST /channels/{channel}/messages/{message}/threads"
PIN = "PUT /channels/{channel}/messages/pins/{message}"
CALLBACK = "POST /interactions/{interaction}/{token}/callback"


@dataclass(slots=True, kw_only=True)
class Call:
    platform: Platform
    # Method and template, as in EXECUTE_WEBHOOK.
    route: str
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: Any = None
    files: list[tuple[str, bytes, str | None]] = field(default_factory=list)
    # Whether the bot's token came with it.
    by_bot: bool = False

    def id(self, name: str) -> int:
        return int(self.params[name])

    def asked(self, name: str) -> int | None:
        """A number from the query."""
        return int(self.query[name]) if self.query.get(name) else None

    def flag(self, name: str) -> bool:
        return self.query.get(name, "").lower() in {"1", "true"}

    @property
    def fields(self) -> Json:
        return dict(self.body) if isinstance(self.body, dict) else {}

    @property
    def uploads(self) -> list[Upload]:
        return [
            Upload(filename=name, content=content, content_type=guessed_type(name)) for name, content, _ in self.files
        ]

    def channel(self) -> Channel:
        return self.platform.channel(self.id("channel"))

    def visible_channel(self) -> Channel:
        """Raises 50001 when the bot does not see it."""
        channel = self.channel()
        self.platform.require(channel)
        return channel

    def message(self, channel: Channel) -> Message:
        return self.platform.message(channel, self.id("message"))

    def guild(self) -> Guild:
        """Raises 50001 for a guild that the bot is not in."""
        guild = self.platform.guilds.get(self.id("guild"))
        if guild is None:
            raise RefusalError(10004)
        if self.platform.app.bot.id not in guild.members:
            raise RefusalError(50001)
        return guild

    def draft(self, *, flags_allowed: int, body: Json | None = None) -> Draft:
        return draft(
            self.fields if body is None else body,
            self.uploads,
            self.platform.rules,
            flags_allowed=flags_allowed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    method: str
    template: str
    serve: Callable[[Call], Any]
    # False where a token in the address is the key.
    needs_bot: bool = True

    @property
    def name(self) -> str:
        return f"{self.method} {self.template}"


def route(method: str, template: str, serve: Callable[[Call], Any], *, needs_bot: bool = True) -> Route:
    return Route(method=method, template=template, serve=serve, needs_bot=needs_bot)
