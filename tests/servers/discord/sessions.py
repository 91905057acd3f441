"""A gateway session: its intents, its sequence, and what it has been sent.

https://docs.discord.com/developers/events/gateway
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntFlag

from aiohttp import web

from . import message_payloads
from .permissions import sees
from .state import Event, Platform
from .world import ChannelKind, Json


class Intent(IntFlag):
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_WEBHOOKS = 1 << 5
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    MESSAGE_CONTENT = 1 << 15


_NEEDED: dict[str, tuple[Intent, Intent]] = {
    # In a guild, and in a direct channel.
    "MESSAGE_REACTION": (Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS),
    "MESSAGE": (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    "WEBHOOKS": (Intent.GUILD_WEBHOOKS, Intent.GUILD_WEBHOOKS),
    "GUILD_MEMBER": (Intent.GUILD_MEMBERS, Intent.GUILD_MEMBERS),
    "GUILD": (Intent.GUILDS, Intent.GUILDS),
    "CHANNEL": (Intent.GUILDS, Intent.DIRECT_MESSAGES),
    "THREAD": (Intent.GUILDS, Intent.GUILDS),
}


@dataclass(slots=True, kw_only=True)
class Session:
    id: str
    intents: int
    shard: int
    shards: int
    sequence: int = 0
    # Every dispatch so far, by its sequence number.
    sent: list[tuple[int, Json]] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None
    # Tears the connection down without a closing handshake.
    cut: Callable[[], None] = lambda: None
    outbox: asyncio.Queue[Json] = field(default_factory=asyncio.Queue)
    # False once it cannot be resumed any more.
    alive: bool = True

    def dispatch(self, name: str, data: Json) -> None:
        """Numbers the event, and sends it now or on RESUME."""
        self.sequence += 1
        frame = {"op": 0, "t": name, "s": self.sequence, "d": data}
        self.sent.append((self.sequence, frame))
        if self.socket is not None:
            self.outbox.put_nowait(frame)

    def after(self, sequence: int) -> list[Json]:
        return [frame for number, frame in self.sent if number > sequence]

    def wants(self, event: Event) -> bool:
        """Whether the event belongs to this shard and to the intents."""
        if (event.guild.id >> 22) % self.shards != self.shard if event.guild else self.shard != 0:
            return False
        if event.private:
            return True
        for prefix, (in_guild, direct) in _NEEDED.items():
            if event.name.startswith(prefix):
                return bool(self.intents & (in_guild if event.guild else direct))
        return True

    def fitted(self, event: Event, platform: Platform) -> Json:
        """The event's data, without the content that this session may not read."""
        readable = self.intents & Intent.MESSAGE_CONTENT
        if event.message is None or readable:
            return event.data
        return message_payloads.withheld(event.data, event.message, platform)


def within_sight(event: Event, platform: Platform) -> bool:
    """Whether the bot gets events of that channel; a guild that it left sends it none."""
    bot = platform.app.bot.id
    if event.private:
        return True
    if event.guild is not None and bot not in event.guild.members and event.name != "GUILD_DELETE":
        return False
    if event.channel is None:
        return True
    if event.channel.kind is ChannelKind.DM:
        return any(person.id == bot for person in event.channel.recipients)
    return sees(event.channel, bot)


async def pump(session: Session, socket: web.WebSocketResponse) -> None:
    """Writes the outbox to the socket until the socket is another one or closed."""
    while session.socket is socket and not socket.closed:
        frame = await session.outbox.get()
        if session.socket is not socket:
            return
        await socket.send_str(json.dumps(frame))
