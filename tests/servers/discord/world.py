"""What exists on the platform: people, guilds, channels, messages, webhooks, interactions.

These are the server's state and therefore mutable; only the server's own operations change them.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Json = dict[str, Any]


class ChannelKind(IntEnum):
    TEXT = 0
    DM = 1
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


THREADS = frozenset({ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD, ChannelKind.ANNOUNCEMENT_THREAD})


@dataclass(slots=True, kw_only=True)
class User:
    id: int
    name: str
    bot: bool = False
    # The visible name; None shows `name`.
    display: str | None = None
    avatar: str | None = None


@dataclass(slots=True, kw_only=True)
class Role:
    id: int
    name: str
    permissions: int
    position: int = 1
    mentionable: bool = False
    managed: bool = False


@dataclass(slots=True, kw_only=True)
class Overwrite:
    id: int
    # 0 for a role, 1 for a member.
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True, kw_only=True)
class Member:
    user: User
    joined_at: str
    roles: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True, kw_only=True)
class Guild:
    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, "Channel"] = field(default_factory=dict)
    # An outage on the platform's side: the guild is known and empty.
    unavailable: bool = False


@dataclass(slots=True, kw_only=True)
class ThreadState:
    owner_id: int
    created: str
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    archive_timestamp: str = ""
    invitable: bool = True
    members: set[int] = field(default_factory=set)
    tags: list[int] = field(default_factory=list)
    total_messages: int = 0


@dataclass(slots=True, kw_only=True)
class Channel:
    id: int
    kind: ChannelKind
    guild: Guild | None = None
    name: str = ""
    topic: str | None = None
    position: int = 0
    # The channel a thread belongs to.
    parent: "Channel | None" = None
    thread: ThreadState | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: dict[int, "Message"] = field(default_factory=dict)
    recipients: list[User] = field(default_factory=list)
    tags: list[Json] = field(default_factory=list)
    last_message_id: int | None = None

    @property
    def root(self) -> "Channel":
        """The channel that carries permissions and webhooks: a thread's parent, else itself."""
        return self.parent if self.thread is not None and self.parent is not None else self


@dataclass(slots=True, kw_only=True)
class Attachment:
    id: int
    channel_id: int
    filename: str
    content: bytes
    # None when the client that uploaded it did not say.
    content_type: str | None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pings:
    """Who is notified by a message."""

    users: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    everyone: bool = False

    def __bool__(self) -> bool:
        return bool(self.users or self.roles or self.everyone)


@dataclass(slots=True, kw_only=True)
class Message:
    id: int
    channel: Channel
    author: User
    content: str
    at: str
    kind: int = 0
    flags: int = 0
    edited_at: str | None = None
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    # The message that this one answers, or that a thread's stub or a pin notice points at.
    refers_to: "Message | None" = None
    pings: Pings = Pings()
    # The author of the answered message, when the answer notifies them.
    reply_ping: int | None = None
    webhook_id: int | None = None
    application_id: int | None = None
    # The picture a webhook post asked for.
    avatar_url: str | None = None
    nonce: str | None = None
    pinned_at: str | None = None
    reactions: dict[str, list[int]] = field(default_factory=dict)
    interaction: Json | None = None
    thread: Channel | None = None
    # Set on ephemeral messages: the one who sees it.
    visible_to: int | None = None
    deleted: bool = False


@dataclass(slots=True, kw_only=True)
class Webhook:
    id: int
    channel: Channel
    name: str
    token: str
    creator: User
    # The app that made it; None for one made by a person.
    application_id: int | None = None


@dataclass(slots=True, kw_only=True)
class Interaction:
    """One press, command or form, and everything the app answered to it."""

    id: int
    # 2 command, 3 component, 4 autocomplete, 5 form.
    kind: int
    token: str
    user: User
    channel: Channel
    data: Json
    at: float
    message: Message | None = None
    # The interaction whose form was sent in.
    opened_by: "Interaction | None" = None
    by_user_install: bool = False
    # Seconds from the event to the first response; None while there is none.
    answered_after: float | None = None
    answer_kind: int | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
    # The deferral promised an ephemeral answer.
    ephemeral: bool = False

    @property
    def answers(self) -> list[Message]:
        """Every message that answered, first one first, without the loading placeholder."""
        shown = [self.original] if self.original is not None and not self.original.flags & 128 else []
        return [*shown, *self.followups]


@dataclass(slots=True, kw_only=True)
class Application:
    id: int
    bot: User
    owner: User
    token: str
