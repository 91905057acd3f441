"""One workspace (team): its people, channels, files, and the app's installation in it."""

import itertools
import re
import time
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from tests.servers.slack.world import Channel, ChannelKind, Effects, Message, UploadedFile, User, UserKind

Standing: TypeAlias = Literal["active", "invalid_auth", "token_revoked", "account_inactive"]

_numbers = itertools.count(1)
_Named = TypeVar("_Named", User, Channel)


def fresh_id(prefix: str, label: str = "") -> str:
    """An id in Slack's alphabet, unique in this process, that shows what it names."""
    return f"{prefix}{next(_numbers):04d}{re.sub('[^A-Z0-9]', '', label.upper())}"


@dataclass(slots=True, kw_only=True)
class Installation:
    """The app's token here and what it may do."""

    token: str
    bot_user: str
    bot_id: str
    scopes: frozenset[str]
    standing: Standing = "active"
    """How the token is answered; anything but `active` is the error's code."""


@dataclass(slots=True, kw_only=True)
class Workspace:
    """A team. `enterprise` is the id of its Enterprise organisation, if it is part of one."""

    id: str
    name: str
    domain: str
    enterprise: str | None = None
    installation: Installation | None = None
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    files: dict[str, UploadedFile] = field(default_factory=dict)
    _last_microsecond: int = 0

    @property
    def bot_user(self) -> str:
        """The app's user here, or an empty string where it is not installed."""
        return self.installation.bot_user if self.installation else ""

    def next_ts(self) -> str:
        """A timestamp later than every earlier one of this workspace."""
        now = time.time_ns() // 1000
        self._last_microsecond = max(now, self._last_microsecond + 1)
        return f"{self._last_microsecond // 1_000_000}.{self._last_microsecond % 1_000_000:06d}"

    def add_user(self, name: str, kind: UserKind = "member", real_name: str | None = None) -> User:
        """A new person; a stranger gets another organisation's team id."""
        team = fresh_id("T", "other") if kind == "stranger" else self.id
        user = User(
            id=fresh_id("U", name),
            team_id=team,
            name=name,
            real_name=real_name or name.title(),
            kind=kind,
        )
        self.users[user.id] = user
        return user

    def add_channel(
        self,
        name: str,
        members: list[User],
        kind: ChannelKind = "public",
        *,
        bot: bool = True,
        shared: bool = False,
    ) -> Channel:
        """A new channel with these members, and the app's bot unless told otherwise."""
        prefix = {"public": "C", "private": "C", "im": "D"}[kind]
        channel = Channel(id=fresh_id(prefix, name), name=name, kind=kind, shared=shared)
        channel.members = [user.id for user in members]
        if bot and self.bot_user:
            channel.members.append(self.bot_user)
        self.channels[channel.id] = channel
        return channel

    def direct(self, user: User) -> Channel:
        """The direct message between the bot and someone."""
        for channel in self.channels.values():
            if channel.kind == "im" and user.id in channel.members:
                return channel
        return self.add_channel(user.name, [user], "im")

    def user(self, key: str | User) -> User:
        """A person by object, id or name; raises KeyError."""
        return _found(self.users, key.id if isinstance(key, User) else key)

    def channel(self, key: str | Channel) -> Channel:
        """A channel by object, id or name; raises KeyError."""
        return _found(self.channels, key.id if isinstance(key, Channel) else key)

    def names(self) -> dict[str, str]:
        """What Slack's composer completes: `@ada` and `#general` with their tokens' insides."""
        people = {f"@{user.name.lower()}": f"@{user.id}" for user in self.users.values()}
        places = {f"#{c.name.lower()}": f"#{c.id}|{c.name}" for c in self.channels.values() if c.kind != "im"}
        calls = {f"@{name}": f"!{name}" for name in ("here", "channel", "everyone")}
        return people | places | calls

    def put(self, channel: Channel, message: Message) -> Message:
        """Store a message, and hang a reply on its root."""
        message.team = self.id
        channel.messages[message.ts] = message
        root = channel.messages.get(message.thread_ts or "")
        if root is not None and root is not message:
            root.reply_tss.append(message.ts)
        return message

    def erase(self, channel: Channel, message: Message) -> bool:
        """Delete a message; a root with replies leaves a gravestone, and then the answer is False."""
        replies = [ts for ts in message.reply_tss if ts in channel.messages]
        if message.ts in channel.pins:
            channel.pins.remove(message.ts)
        if replies:
            message.text, message.subtype, message.user = (
                "This message was deleted.",
                "tombstone",
                "USLACKBOT",
            )
            message.blocks, message.files, message.metadata = [], [], None
            message.bot_id, message.username, message.effects = None, None, Effects()
            return False
        del channel.messages[message.ts]
        root = channel.messages.get(message.thread_ts or "")
        if root is not None and message.ts in root.reply_tss:
            root.reply_tss.remove(message.ts)
        return True

    def permalink(self, channel: Channel, message: Message) -> str:
        """https://docs.slack.dev/reference/methods/chat.getPermalink"""
        link = f"https://{self.domain}.slack.com/archives/{channel.id}/p{message.ts.replace('.', '')}"
        if message.thread_ts and message.thread_ts != message.ts:
            link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
        return link


def _found(table: dict[str, _Named], key: str) -> _Named:
    name = key.lstrip("@#")
    if name in table:
        return table[name]
    for item in table.values():
        if item.name.lower() == name.lower():
            return item
    raise KeyError(f"no {key!r}; there are: {', '.join(sorted(item.name for item in table.values()))}")
