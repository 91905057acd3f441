"""The gateway: identify, events, heartbeats, resume, and everything that can go wrong with them.

https://docs.discord.com/developers/events/gateway
"""

import asyncio
import json
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web

from . import payloads
from .sessions import Intent, Session, pump, within_sight
from .state import Event, Platform
from .world import Guild, Json

HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT, MEMBERS = 1, 2, 3, 6, 7, 8
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11
AUTHENTICATION_FAILED, INVALID_SHARD, INVALID_INTENTS, DISALLOWED_INTENTS = 4004, 4010, 4013, 4014


class Gateway:
    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self.sessions: dict[str, Session] = {}
        # Every event that at least one session was sent, in order.
        self.events: list[Event] = []
        # What the app did: identify, resume, resume refused.
        self.greetings: list[str] = []
        self.heartbeats = 0
        self._held: list[Event] | None = None
        platform.publish = self.publish

    @property
    def connected(self) -> list[Session]:
        return [one for one in self.sessions.values() if one.socket is not None]

    # Events

    def publish(self, event: Event) -> None:
        if self._held is not None:
            self._held.append(event)
            return
        if not within_sight(event, self._platform):
            return
        for session in self.sessions.values():
            if session.alive and session.wants(event):
                session.dispatch(event.name, session.fitted(event, self._platform))
                self.events.append(event)

    def hold(self) -> None:
        """Keeps events back until `release`."""
        self._held = []

    def release(self, *, backwards: bool = False) -> None:
        """Sends what was kept back, in order or in reverse."""
        held, self._held = self._held or [], None
        for event in reversed(held) if backwards else held:
            self.publish(event)

    def replay(self, last: int) -> None:
        """Sends the latest events a second time, under new numbers."""
        for session in self.connected:
            frames = [frame for _, frame in session.sent[-last:]]
            for frame in frames:
                session.dispatch(frame["t"], frame["d"])

    # Mishaps

    def drop(self) -> None:
        """Cuts every connection without a word; sessions can be resumed."""
        for session in self.connected:
            session.socket = None
            session.cut()

    async def close(self, code: int) -> None:
        """Closes every connection with that code."""
        for session in self.connected:
            socket, session.socket = session.socket, None
            if socket is not None:
                await socket.close(code=code)

    def ask_to_reconnect(self) -> None:
        for session in self.connected:
            session.outbox.put_nowait({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Ends the sessions, or claims so when they are resumable; nothing is replayed after an end."""
        for session in self.connected:
            session.alive = resumable
            session.outbox.put_nowait({"op": INVALID_SESSION, "d": resumable})

    def forget(self) -> None:
        """Sessions time out on the platform's side: the next RESUME is refused."""
        for session in self.sessions.values():
            session.alive = False

    # The wire

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=None, compress=False)
        await socket.prepare(request)
        interval = int(self._platform.rules.heartbeat_seconds * 1000)
        await _send(socket, {"op": HELLO, "d": {"heartbeat_interval": interval}})
        connection = _Connection(socket, request.transport)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._take(connection, json.loads(message.data))
        finally:
            connection.end()
        return socket

    async def _take(self, connection: "_Connection", frame: Json) -> None:
        code = frame["op"]
        if code == HEARTBEAT:
            self.heartbeats += 1
            if self._platform.rules.heartbeats_acknowledged:
                await _send(connection.socket, {"op": HEARTBEAT_ACK})
        elif code == IDENTIFY:
            await self._identify(connection, frame["d"])
        elif code == RESUME:
            await self._resume(connection, frame["d"])
        elif code == MEMBERS and connection.session is not None:
            self._send_members(connection.session, frame["d"])

    async def _identify(self, connection: "_Connection", data: Json) -> None:
        refusal = self._refusal(data)
        if refusal is not None:
            self.greetings.append(f"identify refused {refusal}")
            await connection.socket.close(code=refusal)
            return
        shard, shards = data.get("shard") or (0, 1)
        session = Session(id=self._platform.secret(), intents=data["intents"], shard=shard, shards=shards)
        self.sessions[session.id] = session
        self.greetings.append("identify")
        connection.begin(session)
        mine = [one for one in self._guilds() if (one.id >> 22) % shards == shard]
        session.dispatch("READY", self._ready(session, mine))
        for guild in mine:
            if not guild.unavailable:
                session.dispatch("GUILD_CREATE", self._guild(session, guild))
        self._platform.changed.notify()

    def _refusal(self, data: Json) -> int | None:
        rules, intents = self._platform.rules, int(data.get("intents") or 0)
        shard, shards = data.get("shard") or (0, 1)
        granted = (
            (Intent.MESSAGE_CONTENT, rules.message_content_granted),
            (Intent.GUILD_MEMBERS, rules.members_granted),
            (Intent.GUILD_PRESENCES, rules.presences_granted),
        )
        if data.get("token") != self._platform.app.token:
            return AUTHENTICATION_FAILED
        if not 0 <= shard < shards:
            return INVALID_SHARD
        if any(intents & intent and not on for intent, on in granted):
            return DISALLOWED_INTENTS
        return INVALID_INTENTS if intents >= 1 << 26 else None

    def _guilds(self) -> list[Guild]:
        bot = self._platform.app.bot.id
        return [one for one in self._platform.guilds.values() if bot in one.members]

    def _ready(self, session: Session, guilds: list[Guild]) -> Json:
        platform = self._platform
        return {
            "v": 10,
            "user": payloads.user(platform.app.bot) | {"verified": True, "mfa_enabled": True, "flags": 0},
            "guilds": [{"id": str(one.id), "unavailable": True} for one in guilds],
            "session_id": session.id,
            "resume_gateway_url": f"{platform.origin.replace('http', 'ws', 1)}/gw/",
            "shard": [session.shard, session.shards],
            "application": {"id": str(platform.app.id), "flags": 0},
        }

    def _guild(self, session: Session, guild: Guild) -> Json:
        everyone = bool(session.intents & Intent.GUILD_MEMBERS)
        bot = self._platform.app.bot.id
        return payloads.guild(guild, self._platform, bot_id=bot, everyone_listed=everyone)

    def announce_guild(self, guild: Guild) -> None:
        """GUILD_CREATE to the shard's sessions: the bot was added, or an outage is over."""
        event = Event(name="GUILD_CREATE", data={}, guild=guild)
        for session in self.sessions.values():
            if session.alive and session.wants(event):
                session.dispatch("GUILD_CREATE", self._guild(session, guild))

    async def _resume(self, connection: "_Connection", data: Json) -> None:
        session = self.sessions.get(data.get("session_id", ""))
        if session is None or not session.alive:
            self.greetings.append("resume refused")
            await _send(connection.socket, {"op": INVALID_SESSION, "d": False})
            return
        self.greetings.append("resume")
        missed = session.after(int(data["seq"]))
        connection.begin(session)
        for frame in missed:
            session.outbox.put_nowait(frame)
        session.dispatch("RESUMED", {})
        self._platform.changed.notify()

    def _send_members(self, session: Session, data: Json) -> None:
        guild_ids = data["guild_id"] if isinstance(data["guild_id"], list) else [data["guild_id"]]
        for guild_id in guild_ids:
            guild = self._platform.guilds.get(int(guild_id))
            if guild is not None:
                session.dispatch("GUILD_MEMBERS_CHUNK", _chunk(guild, data))


def _chunk(guild: Guild, data: Json) -> Json:
    found = list(guild.members.values())
    asked = data.get("user_ids")
    if asked:
        wanted = {int(one) for one in (asked if isinstance(asked, list) else [asked])}
        found = [one for one in found if one.user.id in wanted]
    elif data.get("query"):
        found = [one for one in found if one.user.name.startswith(str(data["query"]))]
    limit = int(data.get("limit") or 0)
    body: Json = {
        "guild_id": str(guild.id),
        "members": [payloads.member(one) for one in (found[:limit] if limit else found)],
        "chunk_index": 0,
        "chunk_count": 1,
    }
    return body | ({"nonce": data["nonce"]} if data.get("nonce") else {})


class _Connection:
    """One socket and, once the app said who it is, the session behind it."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None) -> None:
        self.socket = socket
        self.session: Session | None = None
        self._transport = transport
        self._pump: asyncio.Task[None] | None = None

    def begin(self, session: Session) -> None:
        session.socket, session.outbox = self.socket, asyncio.Queue()
        if self._transport is not None:
            session.cut = self._transport.abort
        self.session = session
        self._pump = asyncio.create_task(pump(session, self.socket))

    def end(self) -> None:
        if self.session is not None and self.session.socket is self.socket:
            self.session.socket = None
        if self._pump is not None:
            self._pump.cancel()


async def _send(socket: web.WebSocketResponse, frame: Any) -> None:
    with suppress(ConnectionError):
        await socket.send_str(json.dumps(frame))
