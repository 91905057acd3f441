"""Posts that must stand once: one request each, its outcome known, and each known refusal mended once."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import aiohttp
import discord
from discord.http import Route

from adapters.discord.faults import ARCHIVED, BAD_FORM, UNKNOWN_CHANNEL, UNKNOWN_WEBHOOK, told, translated
from adapters.discord.identity import careful
from adapters.discord.one_shot import OneShot, wire
from adapters.discord.pacing import Limits, Pacing, Window
from adapters.discord.webhooks import Hook, Webhooks
from bot.core.errors import PostRefused, Throttled

Json = dict[str, Any]

NOBODY: Json = {"parse": []}
"""Allowed mentions: none, whatever a model wrote."""
SUPPRESS_EMBEDS = 1 << 2
"""No link previews: Discord would fetch an address that a model made up."""


class Posting:
    """Speaks for personas through webhooks, and for the host as the bot itself."""

    def __init__(self, client: discord.Client, webhooks: Webhooks, pacing: Pacing, limits: Limits) -> None:
        self._client, self._webhooks, self._pacing, self._limits = client, webhooks, pacing, limits
        self._own = OneShot()
        self._session: aiohttp.ClientSession | None = None
        self._careful: set[str] = set()
        """Names that Discord refused for a rule that it does not publish."""

    async def as_persona(self, channel: int, thread: int, key: str, said: Json) -> str:
        """Post through the channel's webhook into its thread; returns the message id."""
        mended: set[int] = set()
        while True:
            hook = await self._webhooks.of(channel)
            try:
                return await self._execute(hook, channel, thread, f"{key}:{len(mended)}", said)
            except discord.HTTPException as fault:
                if fault.code in mended or not await self._mended(fault, hook, channel, thread, said):
                    raise translated(fault, "posting as a persona") from fault
                mended.add(fault.code)

    async def as_host(self, channel: int, key: str, said: Json) -> str:
        """Post as the bot; returns the message id. The nonce lets Discord drop a second one for some minutes."""
        body = {"allowed_mentions": NOBODY, **said, "nonce": nonce(key), "enforce_nonce": True}
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        made = await self._as_bot(channel, key, route, body, "posting (Send Messages, Send Messages in Threads)")
        return str(made["id"])

    async def as_forum_post(self, forum: int, key: str, name: str, said: Json) -> str:
        """Open a forum post with the bot's first message; returns the id that both share."""
        body = {"name": name, "auto_archive_duration": 4320, "message": {"allowed_mentions": NOBODY, **said}}
        route = Route("POST", "/channels/{channel_id}/threads", channel_id=forum)
        made = await self._as_bot(forum, key, route, body, "opening a forum post (Send Messages)")
        return str(made["id"])

    async def close(self) -> None:
        """Let go of the connections."""
        if self._session:
            await self._session.close()

    async def _execute(self, hook: Hook, channel: int, thread: int, key: str, said: Json) -> str:
        name = said["username"]
        body = {
            **said,
            "username": careful(name) if name in self._careful else name,
            "allowed_mentions": NOBODY,
            "flags": SUPPRESS_EMBEDS,
        }
        route = Route("POST", "/webhooks/{webhook_id}/{webhook_token}", webhook_id=hook.id, webhook_token=hook.token)
        params = {"wait": "true", "thread_id": str(thread)}
        made = await self._sent(f"hook {channel}", self._limits.webhook, key, route, body, params=params)
        return str(made["id"])

    async def _as_bot(self, channel: int, key: str, route: Route, body: Json, doing: str) -> Json:
        async def send() -> Json:
            return await self._sent(f"bot {channel}", self._limits.bot, key, route, body, token=self._client.http.token)

        try:
            return await self._reopened(channel, send)
        except discord.HTTPException as fault:
            raise translated(fault, doing) from fault

    async def _reopened(self, thread: int, send: Callable[[], Awaitable[Json]]) -> Json:
        try:
            return await send()
        except discord.HTTPException as fault:
            if fault.code != ARCHIVED:
                raise
            await unarchive(self._client, thread)
            return await send()

    async def _sent(
        self,
        queue: str,
        windows: tuple[Window, ...],
        key: str,
        route: Route,
        body: Json,
        *,
        token: str | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Json:
        """One request at its moment. Raises Throttled, PostInDoubt, and the library's exception for a refusal."""
        await self._pacing.turn(queue, key, windows)
        sender = wire(self._own)
        connections: aiohttp.ClientSession = discord.utils.MISSING
        learn: dict[str, Any] = {}
        if sender is self._own:
            connections = self._connections()
            learn["learn"] = lambda headers: self._pacing.learn(queue, windows, headers)
        try:
            made: Json = await sender.request(
                route, connections, payload=body, auth_token=token, params=dict(params or {}), **learn
            )
        except Throttled as fault:
            self._pacing.hold(queue, windows, fault.retry_after)
            raise
        return made

    def _connections(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60.0))
        return self._session

    async def _mended(self, fault: discord.HTTPException, hook: Hook, channel: int, thread: int, said: Json) -> bool:
        """True where the same post may succeed now. Every refusal says that nothing was posted."""
        if fault.code == UNKNOWN_WEBHOOK:
            self._webhooks.bury(channel, hook)
        elif fault.code == UNKNOWN_CHANNEL:
            async with told("looking for the thread"):
                await self._client.fetch_channel(thread)  # raises PlaceGone where it is the thread that is gone
            self._webhooks.forget(channel)  # the webhook was moved to another channel
        elif fault.code == ARCHIVED:
            await unarchive(self._client, thread)
        elif fault.code == BAD_FORM and "username" in fault.text:
            if said["username"] in self._careful:
                raise PostRefused(f"Discord refuses the name {said['username']!r}: rename the persona") from fault
            self._careful.add(said["username"])
        else:
            return False
        return True


async def unarchive(client: discord.Client, thread_id: int) -> None:
    """Reopen an archived thread. Raises PostRefused for a locked one, PlaceGone."""
    async with told("reopening the thread (Manage Threads, where it is locked)"):
        thread = await client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and thread.archived:
            await thread.edit(archived=False)


def nonce(key: str) -> str:
    """25 characters that stand for a key."""
    return hashlib.sha256(key.encode()).hexdigest()[:25]
