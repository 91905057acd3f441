"""The Web API methods that a panel bot may call: arguments, scopes, rate tiers.

https://docs.slack.dev/reference/methods and https://docs.slack.dev/apis/web-api/rate-limits
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["str", "bool", "int", "json", "ts"]
TokenKind: TypeAlias = Literal["bot", "app", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One method; `per_minute` is its tier, per workspace."""

    name: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    scope: str | None = None
    """The scope without which it is refused; methods on conversations check theirs by the channel's kind."""
    per_minute: int
    token: TokenKind = "bot"

    @property
    def arguments(self) -> frozenset[str]:
        """Every argument the documentation names, and team_id, which Bolt's clients add to each call."""
        return frozenset((*self.required, *self.optional, "team_id"))


T1, T2, T3, T4 = 1, 20, 50, 100
_POST = ("text", "blocks", "attachments", "markdown_text", "thread_ts", "link_names", "parse", "metadata")
_FACE = ("username", "icon_emoji", "icon_url")
_RANGE = ("cursor", "limit", "oldest", "latest", "inclusive", "include_all_metadata")

_TABLE = (
    Method(name="auth.test", per_minute=600),
    Method(name="auth.revoke", optional=("test",), per_minute=T3),
    Method(name="apps.connections.open", per_minute=T2, token="app"),
    Method(name="apps.uninstall", required=("client_id", "client_secret"), per_minute=T1),
    Method(
        name="chat.postMessage",
        required=("channel",),
        optional=(*_POST, *_FACE, "reply_broadcast", "unfurl_links", "unfurl_media", "mrkdwn", "as_user"),
        scope="chat:write",
        per_minute=600,
    ),
    Method(
        name="chat.postEphemeral",
        required=("channel", "user"),
        optional=(*_POST, *_FACE, "as_user"),
        scope="chat:write",
        per_minute=T4,
    ),
    Method(
        name="chat.update",
        required=("channel", "ts"),
        optional=(
            *("text", "blocks", "attachments", "markdown_text", "link_names", "parse", "metadata"),
            *("reply_broadcast", "file_ids", "as_user"),
        ),
        scope="chat:write",
        per_minute=T3,
    ),
    Method(
        name="chat.delete",
        required=("channel", "ts"),
        optional=("as_user",),
        scope="chat:write",
        per_minute=T3,
    ),
    Method(name="chat.getPermalink", required=("channel", "message_ts"), per_minute=600),
    Method(name="conversations.history", required=("channel",), optional=_RANGE, per_minute=T3),
    Method(name="conversations.replies", required=("channel", "ts"), optional=_RANGE, per_minute=T3),
    Method(
        name="conversations.info",
        required=("channel",),
        optional=("include_locale", "include_num_members"),
        per_minute=T3,
    ),
    Method(name="conversations.members", required=("channel",), optional=("cursor", "limit"), per_minute=T4),
    Method(
        name="conversations.list",
        optional=("cursor", "limit", "types", "exclude_archived", "team_id"),
        per_minute=T2,
    ),
    Method(
        name="users.conversations",
        optional=("cursor", "limit", "types", "exclude_archived", "team_id", "user"),
        per_minute=T3,
    ),
    Method(
        name="conversations.open",
        optional=("channel", "users", "return_im", "prevent_creation"),
        scope="im:write",
        per_minute=T3,
    ),
    Method(name="conversations.join", required=("channel",), scope="channels:join", per_minute=T3),
    Method(name="users.info", required=("user",), optional=("include_locale",), scope="users:read", per_minute=T4),
    Method(
        name="users.list",
        optional=("cursor", "limit", "include_locale", "team_id"),
        scope="users:read",
        per_minute=T2,
    ),
    Method(name="bots.info", optional=("bot", "team_id"), scope="users:read", per_minute=T3),
    Method(name="team.info", optional=("team", "domain"), scope="team:read", per_minute=T3),
    Method(
        name="reactions.add",
        required=("channel", "timestamp", "name"),
        scope="reactions:write",
        per_minute=T3,
    ),
    Method(
        name="reactions.remove",
        required=("name",),
        optional=("channel", "timestamp", "file", "file_comment"),
        scope="reactions:write",
        per_minute=T2,
    ),
    Method(name="pins.add", required=("channel",), optional=("timestamp",), scope="pins:write", per_minute=T2),
    Method(name="pins.list", required=("channel",), scope="pins:read", per_minute=T2),
    Method(name="pins.remove", required=("channel",), optional=("timestamp",), scope="pins:write", per_minute=T2),
    Method(
        name="files.getUploadURLExternal",
        required=("filename", "length"),
        optional=("alt_txt", "snippet_type"),
        scope="files:write",
        per_minute=T4,
    ),
    Method(
        name="files.completeUploadExternal",
        required=("files",),
        optional=("channel_id", "channels", "thread_ts", "initial_comment", "blocks", *_FACE),
        scope="files:write",
        per_minute=T4,
    ),
    Method(
        name="files.info",
        required=("file",),
        optional=("cursor", "limit", "count", "page"),
        scope="files:read",
        per_minute=T4,
    ),
    Method(
        name="views.open",
        required=("view",),
        optional=("trigger_id", "interactivity_pointer"),
        per_minute=T4,
    ),
    Method(
        name="views.push",
        required=("view",),
        optional=("trigger_id", "interactivity_pointer"),
        per_minute=T4,
    ),
    Method(name="views.update", required=("view",), optional=("view_id", "external_id", "hash"), per_minute=T4),
    Method(name="views.publish", required=("user_id", "view"), optional=("hash",), per_minute=T4),
    Method(
        name="oauth.v2.access",
        optional=("client_id", "client_secret", "code", "redirect_uri", "grant_type", "refresh_token"),
        per_minute=600,
        token="none",
    ),
)

METHODS = {method.name: method for method in _TABLE}

KINDS: dict[str, Kind] = {
    **dict.fromkeys(("thread_ts", "ts", "timestamp", "message_ts", "oldest", "latest"), "ts"),
    **dict.fromkeys(("limit", "length", "count", "page"), "int"),
    **dict.fromkeys(("blocks", "attachments", "metadata", "view", "files"), "json"),
    **dict.fromkeys(
        (
            *(
                "unfurl_links",
                "unfurl_media",
                "link_names",
                "mrkdwn",
                "reply_broadcast",
                "as_user",
                "inclusive",
            ),
            *(
                "include_all_metadata",
                "include_locale",
                "include_num_members",
                "exclude_archived",
                "return_im",
            ),
            *("prevent_creation", "test"),
        ),
        "bool",
    ),
}
"""How an argument is read; what is not listed is a string."""
