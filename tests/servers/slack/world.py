"""The things in a workspace: people, channels, messages, files. Mutable, as a platform's state is."""

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

JSON: TypeAlias = dict[str, Any]

UserKind: TypeAlias = Literal["member", "admin", "owner", "guest", "stranger", "bot"]
ChannelKind: TypeAlias = Literal["public", "private", "im"]


@dataclass(slots=True, kw_only=True)
class User:
    """A person or a bot; a `stranger` belongs to another organisation (Slack Connect)."""

    id: str
    team_id: str
    name: str
    real_name: str
    kind: UserKind = "member"
    deleted: bool = False

    def public(self) -> JSON:
        """The user object of users.info."""
        return {
            "id": self.id,
            "team_id": self.team_id,
            "name": self.name,
            "real_name": self.real_name,
            "deleted": self.deleted,
            "is_admin": self.kind in {"admin", "owner"},
            "is_owner": self.kind == "owner",
            "is_restricted": self.kind == "guest",
            "is_ultra_restricted": False,
            "is_stranger": self.kind == "stranger",
            "is_bot": self.kind == "bot",
            "is_app_user": False,
            "tz": "Europe/Berlin",
            "profile": {"real_name": self.real_name, "display_name": self.name, "team": self.team_id},
        }


@dataclass(slots=True, kw_only=True)
class UploadedFile:
    """A file and its bytes. `size` is what Slack says it is, which a test may falsify."""

    id: str
    name: str
    title: str
    owner: str
    content: bytes
    mimetype: str
    filetype: str
    size: int
    mode: str = "hosted"
    uploaded: bool = True
    """False between files.getUploadURLExternal and the POST of the bytes."""
    completed: bool = True
    external: str | None = None
    """Where an external file lies; Slack keeps no bytes of it."""
    check_info: bool = False
    """Events carry only its id, as in Slack Connect channels; files.info has the rest."""
    shares: list[str] = field(default_factory=list)
    """Channels it was shared to."""

    def public(self, base_url: str, team: str) -> JSON:
        """The file object of files.info."""
        private = self.external or f"{base_url}/files-pri/{team}-{self.id}/{self.name}"
        shown = {
            "id": self.id,
            "name": self.name,
            "title": self.title,
            "mimetype": self.mimetype,
            "filetype": self.filetype,
            "pretty_type": self.filetype.upper(),
            "user": self.owner,
            "size": self.size,
            "mode": "external" if self.external else self.mode,
            "is_external": self.external is not None,
            "url_private": private,
            "channels": list(self.shares),
        }
        if not self.external:
            shown["url_private_download"] = private.replace(f"/{self.name}", f"/download/{self.name}")
        if self.mode == "snippet":
            shown["preview"] = self.content.decode("utf-8", "replace")[:200]
            shown["preview_is_truncated"] = len(self.content) > 200
        return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What a text does to people and their privacy once Slack shows it."""

    pings: tuple[str, ...] = ()
    """Whom it calls: `channel`, `here`, `everyone`, a user's or a user group's id."""
    links: tuple[str, ...] = ()
    """Every address that a reader could click."""
    unfurls: tuple[str, ...] = ()
    """Addresses that Slack fetches by itself for a preview."""
    images: tuple[str, ...] = ()
    """Pictures that readers' clients load."""


@dataclass(slots=True, kw_only=True)
class Message:
    """One message; `public` is its form in events and answers."""

    ts: str
    channel: str
    text: str
    user: str | None = None
    bot_id: str | None = None
    subtype: str | None = None
    thread_ts: str | None = None
    username: str | None = None
    icons: dict[str, str] | None = None
    blocks: list[JSON] = field(default_factory=list)
    attachments: list[JSON] = field(default_factory=list)
    metadata: JSON | None = None
    files: list[UploadedFile] = field(default_factory=list)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    edits: list[str] = field(default_factory=list)
    """Earlier texts, oldest first."""
    edited_by: str | None = None
    broadcast: bool = False
    team: str = ""
    app_id: str | None = None
    client_msg_id: str | None = None
    effects: Effects = Effects()
    reply_tss: list[str] = field(default_factory=list)

    @property
    def author(self) -> str:
        """The name over the message."""
        return self.username or self.user or self.bot_id or ""

    @property
    def shown(self) -> str:
        """What a reader sees: the blocks' words, or the text where there are no blocks."""
        return "\n".join(words(self.blocks)) if self.blocks else self.text

    @property
    def deleted(self) -> bool:
        """True for the gravestone of a thread's root."""
        return self.subtype == "tombstone"


def words(node: Any) -> list[str]:
    """Every text in a tree of blocks, in reading order."""
    if isinstance(node, list):
        return [text for item in node for text in words(item)]
    if not isinstance(node, dict):
        return []
    own = [node["text"]] if isinstance(node.get("text"), str) else []
    inner = [value for key, value in node.items() if key not in {"value", "private_metadata"}]
    return own + [text for value in inner if isinstance(value, dict | list) for text in words(value)]


@dataclass(slots=True, kw_only=True)
class Channel:
    """A conversation; `shared` means Slack Connect."""

    id: str
    name: str
    kind: ChannelKind = "public"
    members: list[str] = field(default_factory=list)
    archived: bool = False
    shared: bool = False
    messages: dict[str, Message] = field(default_factory=dict)
    pins: list[str] = field(default_factory=list)
    """Timestamps of pinned messages, oldest first."""

    def public(self, bot_user: str) -> JSON:
        """The channel object of conversations.info."""
        return {
            "id": self.id,
            "name": self.name,
            "is_channel": self.kind == "public",
            "is_group": self.kind == "private",
            "is_im": self.kind == "im",
            "is_mpim": False,
            "is_private": self.kind != "public",
            "is_archived": self.archived,
            "is_general": self.name == "general",
            "is_shared": self.shared,
            "is_ext_shared": self.shared,
            "is_member": bot_user in self.members,
            "topic": {"value": ""},
            "purpose": {"value": ""},
        }

    def thread(self, root_ts: str) -> list[Message]:
        """The root and its replies in order of time; empty when there is no such root."""
        root = self.messages.get(root_ts)
        if root is None:
            return []
        return [root, *(self.messages[ts] for ts in sorted(root.reply_tss) if ts in self.messages)]
