"""The connection to Discord: intents, addresses, and who is told about what happens there."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

if TYPE_CHECKING:
    from adapters.discord.surface import Surface

log = logging.getLogger("panelist.discord")

BROKEN = "Something is broken here, and the log says what. Nothing was started; please tell whoever runs Panelist."


class Watcher(ABC):
    """What the client tells; each may be called again for the same thing."""

    @abstractmethod
    async def connected(self, shard: int) -> None:
        """That shard is ready, or has resumed; what happened before is known or lost."""

    @abstractmethod
    async def disconnected(self, shard: int) -> None:
        """That shard hears nothing for now."""

    @abstractmethod
    async def said(self, message: discord.Message) -> None:
        """A message stands in a channel or thread."""

    @abstractmethod
    async def edited(self, change: discord.RawMessageUpdateEvent) -> None:
        """A message was edited."""

    @abstractmethod
    async def deleted(self, guild: int | None, channel: int, messages: frozenset[int]) -> None:
        """Messages were deleted."""

    @abstractmethod
    async def thread_gone(self, guild: int, parent: int, thread: int) -> None:
        """A thread was deleted."""

    @abstractmethod
    async def channel_gone(self, guild: int, channel: int) -> None:
        """A channel was deleted with all its threads."""

    @abstractmethod
    async def guild_gone(self, guild: int) -> None:
        """The bot is no longer in that server."""

    @abstractmethod
    async def webhooks_changed(self, channel: int) -> None:
        """A webhook of that channel was made, changed, moved or deleted."""


def intents(*, message_content: bool) -> discord.Intents:
    """Servers, their messages, and (privileged) what those say."""
    wanted = discord.Intents.none()
    wanted.guilds = True
    wanted.guild_messages = True
    wanted.webhooks = True
    wanted.message_content = message_content
    return wanted


class Tree(app_commands.CommandTree["Client"]):
    """Commands; whoever meets a fault of ours is told so."""

    async def on_error(
        self, interaction: "discord.Interaction[Client]", error: app_commands.AppCommandError, /
    ) -> None:
        log.error("a command failed", exc_info=error, extra={"channel": interaction.channel_id})
        try:
            if not interaction.response.is_done():
                await interaction.response.defer(ephemeral=True)
            await interaction.followup.send(BROKEN, ephemeral=True)
        except discord.DiscordException:
            log.info("nor could that be said")


class Client(discord.AutoShardedClient):
    """One client over all shards. Nobody is ever pinged by anything it sends."""

    def __init__(
        self, *, message_content: bool = True, shard_count: int | None = None, ready_seconds: float = 1.0
    ) -> None:
        """`ready_seconds`: how long a start waits for one more server to arrive."""
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks aloud
        super().__init__(
            intents=intents(message_content=message_content),
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=shard_count,
            guild_ready_timeout=ready_seconds,
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_ratelimit_timeout=60.0,
        )
        self.tree = Tree(self)
        self.watcher: Watcher | None = None
        self.surface: Surface | None = None
        self.prepare: Callable[[], Awaitable[None]] | None = None
        """Awaited between the login and the connection."""
        self.finds_gateway = False
        """True where the API is not Discord's own: then its gateway is not either."""

    async def setup_hook(self) -> None:
        if self.finds_gateway:
            _, gateway, _ = await self.http.get_bot_gateway()
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
        if self.prepare:
            await self.prepare()

    async def do_without_content(self) -> None:
        """Begin anew without the privileged intent.

        The library offers no other way once a client is made: what it keeps of a closed connection is put back by hand.
        """
        self.clear()
        self.http.connector = discord.utils.MISSING
        self._connection._intents.message_content = False
        await self._async_setup_hook()

    async def on_shard_ready(self, shard_id: int) -> None:
        if self.watcher:
            await self.watcher.connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        if self.watcher:
            await self.watcher.connected(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        if self.watcher:
            await self.watcher.disconnected(shard_id)

    async def on_message(self, message: discord.Message) -> None:
        if self.watcher:
            await self.watcher.said(message)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        if self.watcher:
            await self.watcher.edited(payload)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        if self.watcher:
            await self.watcher.deleted(payload.guild_id, payload.channel_id, frozenset({payload.message_id}))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        if self.watcher:
            await self.watcher.deleted(payload.guild_id, payload.channel_id, frozenset(payload.message_ids))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        if self.watcher:
            await self.watcher.thread_gone(payload.guild_id, payload.parent_id, payload.thread_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        if self.watcher:
            await self.watcher.channel_gone(channel.guild.id, channel.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        if self.watcher:
            await self.watcher.guild_gone(guild.id)

    async def on_webhooks_update(self, channel: discord.abc.GuildChannel) -> None:
        if self.watcher:
            await self.watcher.webhooks_changed(channel.id)


Pressed = discord.Interaction[Client]
"""A command, a form or a button."""


@contextmanager
def addressed(api_url: str) -> Iterator[None]:
    """The library talks to that address until the block ends; nothing changes for an empty one.

    The library keeps its addresses in class attributes, for the whole process.
    """
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    if api_url:
        Route.BASE = api_url.rstrip("/")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before
