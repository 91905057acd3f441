"""One Web API call on its way through a method: who calls, with which arguments, in which workspace."""

from dataclasses import dataclass

from tests.servers.slack.errors import SlackError, missing_scope
from tests.servers.slack.platform import Platform
from tests.servers.slack.workspace import Installation, Workspace
from tests.servers.slack.world import JSON, Channel, Message

HISTORY = {"public": "channels:history", "private": "groups:history", "im": "im:history"}
READ = {"public": "channels:read", "private": "groups:read", "im": "im:read"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call that passed authentication and argument checks."""

    platform: Platform
    ws: Workspace
    installation: Installation
    method: str
    arguments: JSON

    def require(self, scope: str) -> None:
        """Raises `missing_scope` unless the scope was granted."""
        if scope not in self.installation.scopes:
            raise missing_scope(scope, self.installation.scopes)

    def text(self, name: str, default: str = "") -> str:
        """A string argument."""
        return str(self.arguments.get(name, default))

    def channel(self, key: str | None = None, *, member: bool = False) -> Channel:
        """The call's channel, by id or #name; a private one exists only for its members."""
        key = self.text("channel") if key is None else key
        channel = self.ws.channels.get(key)
        if channel is None and key.startswith("#"):
            channel = next((c for c in self.ws.channels.values() if c.name == key[1:]), None)
        inside = channel is not None and self.installation.bot_user in channel.members
        if channel is None or (channel.kind != "public" and not inside):
            raise SlackError("channel_not_found")
        if member and not inside:
            raise SlackError("not_in_channel")
        return channel

    def message(self, channel: Channel, ts: str) -> Message:
        """A message of the channel; raises `message_not_found`."""
        message = channel.messages.get(ts)
        if message is None or message.deleted:
            raise SlackError("message_not_found")
        return message

    def own(self, message: Message) -> bool:
        """True for the app's own posts."""
        return message.bot_id == self.installation.bot_id

    def page(self, items: list[JSON], key: str, most: int = 1000, default: int = 100) -> JSON:
        """One page of a list with Slack's cursor; raises `invalid_cursor` and `invalid_limit`."""
        limit = self.arguments.get("limit", default)
        if not 1 <= limit <= most:
            raise SlackError("invalid_limit")
        cursor = self.text("cursor")
        try:
            start = int(cursor.removeprefix("next:")) if cursor else 0
        except ValueError:
            raise SlackError("invalid_cursor") from None
        end = start + limit
        answer: JSON = {"ok": True, key: items[start:end]}
        answer["response_metadata"] = {"next_cursor": f"next:{end}" if end < len(items) else ""}
        return answer
