"""What people said while nobody listened: read back from every open panel's thread, oldest first."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from adapters.discord.client import Client
from adapters.discord.gates import Gates
from adapters.discord.platform import DiscordPlatform
from adapters.discord.services import Services
from adapters.discord.translate import PLATFORM
from bot.core.entries import AnyEntry, Control, Decision, Directive, Human
from bot.core.errors import PanelistError, PlaceGone
from bot.core.panel import OPEN
from bot.core.platform import Heard
from bot.core.store import Query, Summary

log = logging.getLogger("panelist.discord")

AT_ONCE = 8
"""Threads that are read at the same time."""

Hear = Callable[[Heard], Awaitable[None]]


class CatchUp:
    """Reads what was missed; hearing a message again changes nothing, so it may read too much, never too little."""

    def __init__(self, client: Client, platform: DiscordPlatform, services: Services, gates: Gates, hear: Hear) -> None:
        self._client, self._platform, self._services = client, platform, services
        self._gates, self._hear = gates, hear

    async def run(self, shard: int) -> None:
        """Catch up in all threads of that shard's servers that have an open panel."""
        query = Query(statuses=OPEN, platforms=frozenset({PLATFORM}), limit=10_000)
        rows = [row for row in await self._services.store.summaries(query) if row.place.thread]
        mine = [row for row in rows if self._shard_of(row) == shard]
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(row: Summary) -> None:
            async with limit:
                await self._thread(row)

        await asyncio.gather(*(one(row) for row in mine))

    async def _thread(self, row: Summary) -> None:
        try:
            async with self._gates.queue(int(row.place.thread)):
                after = await self._seen(row)
                async for heard in self._platform.missed(row.place, after):
                    await self._hear(heard)
        except PlaceGone as fault:
            await self._services.hearing.lost(row.id, str(fault))
        except PanelistError as fault:
            log.warning("thread not caught up: %s", fault, extra={"panel": row.id})

    async def _seen(self, row: Summary) -> str:
        """The newest message of a human that the panel has; the card where it has none."""
        loaded = await self._services.store.load(row.id)
        inbox = [signal.entry for signal in await self._services.store.signals(row.id)]
        said = [number for entry in (*loaded.entries, *inbox) if (number := _message_of(entry))]
        return str(max(said, default=int(row.place.thread)))

    def _shard_of(self, row: Summary) -> int:
        return (int(row.place.workspace) >> 22) % (self._client.shard_count or 1)


def _message_of(entry: AnyEntry) -> int:
    """The Discord message behind an entry; 0 for one that came from a button or form."""
    if isinstance(entry, Human | Directive | Control | Decision) and entry.message_id.isdigit():
        return int(entry.message_id)
    return 0
