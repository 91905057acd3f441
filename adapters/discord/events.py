"""From what happens on Discord to what the house hears. Every event may come twice, late, or not at all."""

import logging
from collections.abc import Callable

import discord

from adapters.discord.catch_up import CatchUp
from adapters.discord.client import Client, Watcher
from adapters.discord.faults import told
from adapters.discord.gates import Gates
from adapters.discord.mentions import Mentions
from adapters.discord.platform import DiscordPlatform
from adapters.discord.receipts import answering
from adapters.discord.services import Services
from adapters.discord.translate import PLATFORM, place_in, place_of
from bot.core.errors import NotFound, PanelistError, PlatformError, StoreError
from bot.core.panel import OPEN
from bot.core.place import Person, Place
from bot.core.platform import Heard
from bot.core.store import Query

log = logging.getLogger("panelist.discord")

AGAIN = (1.0, 5.0, 30.0)
"""Seconds before each further try to take a message in that could not be stored."""
NOBODY = Person(id="", name="somebody", role="guest")
"""Of a deleted message Discord tells the id alone."""


class Events(Watcher):
    """Hears people in threads, takes mentions as commands, and ends panels whose thread is gone."""

    def __init__(self, client: Client, platform: DiscordPlatform, services: Services, mentions: Mentions) -> None:
        self._client, self._platform, self._services, self._mentions = client, platform, services, mentions
        self._gates = Gates()
        self._catch_up = CatchUp(client, services, self._gates)

    async def connected(self, shard: int) -> None:
        self._platform.connected = True
        try:
            await self._catch_up.run(shard)
        except PanelistError as fault:
            log.warning("not caught up: %s", fault)
        finally:
            self._gates.open(shard)

    async def disconnected(self, shard: int) -> None:
        self._gates.shut(shard)

    async def said(self, message: discord.Message) -> None:
        people = self._platform.people
        if message.guild is None or not await people.counts(message):
            return
        addressed = people.addressed(message)
        thread = await self._thread(message)
        if thread is not None:
            async with self._gates.turn(thread.id, message.guild.shard_id):
                if not (addressed and await self._mentions.take(message, place_in(thread))):
                    await self._hear_message(message, thread)
        elif addressed and (place := place_of(message.channel)):
            await self._mentions.take(message, place)

    async def _thread(self, message: discord.Message) -> discord.Thread | None:
        """The thread of a message; an archived one that the library has not seen is asked for."""
        if isinstance(message.channel, discord.PartialMessageable):
            try:
                async with told("looking for the thread"):
                    found = await self._client.fetch_channel(message.channel.id)
            except PlatformError as fault:
                log.info("a message in an unknown place: %s", fault, extra={"channel": message.channel.id})
                return None
            return found if isinstance(found, discord.Thread) else None
        return message.channel if isinstance(message.channel, discord.Thread) else None

    async def edited(self, change: discord.RawMessageUpdateEvent) -> None:
        message = change.message
        if message.edited_at is None or message.guild is None:
            return  # without an edit time it is Discord that unfolded a link or pinned it
        if not await self._platform.people.counts(message):
            return
        if (thread := await self._thread(message)) is not None:
            async with self._gates.turn(thread.id, message.guild.shard_id):
                await self._hear_message(message, thread, edited=True)

    async def deleted(self, guild: int | None, channel: int, messages: frozenset[int]) -> None:
        thread = self._client.get_channel(channel)
        if not isinstance(thread, discord.Thread):
            return
        async with self._gates.turn(channel, thread.guild.shard_id):
            for message in sorted(messages):
                at = discord.utils.snowflake_time(message).timestamp()
                heard = Heard(
                    place=place_in(thread), message_id=str(message), author=NOBODY, text="", at=at, deleted=True
                )
                await self.hear(heard)

    async def thread_gone(self, guild: int, parent: int, thread: int) -> None:
        place = Place(platform=PLATFORM, workspace=str(guild), channel=str(parent), thread=str(thread))
        await self._lost(lambda other: other == place, "the thread was deleted")

    async def channel_gone(self, guild: int, channel: int) -> None:
        self._platform.webhooks.forget(channel)
        await self._lost(lambda other: other.channel == str(channel), "the channel was deleted")

    async def guild_gone(self, guild: int) -> None:
        await self._lost(lambda other: other.workspace == str(guild), "Panelist was removed from the server")

    async def webhooks_changed(self, channel: int) -> None:
        self._platform.webhooks.forget(channel)

    async def hear(self, heard: Heard, message: discord.Message | None = None) -> None:
        """Hand it to the house; again, where it could not be stored."""
        token = answering.set(message)
        try:
            for wait in (*AGAIN, 0.0):
                try:
                    await self._services.hearing.hear(heard)
                    return
                except StoreError as fault:
                    log.error("not taken in: %s", fault, extra={"channel": heard.place.channel})
                    await self._services.clock.sleep(wait)
        finally:
            answering.reset(token)

    async def _hear_message(self, message: discord.Message, thread: discord.Thread, *, edited: bool = False) -> None:
        """What people say in threads without a panel is not read."""
        place = place_in(thread)
        if await self._services.store.summaries(Query(place=place, limit=1)):
            await self.hear(await self._platform.people.heard(message, place, edited=edited), message)

    async def _lost(self, where: Callable[[Place], bool], reason: str) -> None:
        query = Query(statuses=OPEN, platforms=frozenset({PLATFORM}), limit=10_000)
        for row in await self._services.store.summaries(query):
            if where(row.place):
                try:
                    await self._services.hearing.lost(row.id, reason)
                except (NotFound, StoreError) as fault:
                    log.error("not ended: %s", fault, extra={"panel": row.id})
