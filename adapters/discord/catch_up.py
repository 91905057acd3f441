"""What people said while nobody listened: read back from every open panel's thread, oldest first."""

import asyncio
import logging

from adapters.discord.client import Client
from adapters.discord.faults import told
from adapters.discord.gates import Gates
from adapters.discord.services import Services
from adapters.discord.translate import PLATFORM
from bot.core.errors import PanelistError, PlaceGone
from bot.core.panel import OPEN
from bot.core.store import Query, Summary

log = logging.getLogger("panelist.discord")

AT_ONCE = 8
"""Threads that are read at the same time."""


class CatchUp:
    """Reads what was missed; hearing a message again changes nothing, so it may read too much, never too little."""

    def __init__(self, client: Client, services: Services, gates: Gates) -> None:
        self._client, self._services, self._gates = client, services, gates

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
                await self._require(int(row.place.thread))
                await self._services.hearing.catch_up(row.id)
        except PlaceGone as fault:
            await self._services.hearing.lost(row.id, str(fault))
        except PanelistError as fault:
            log.warning("thread not caught up: %s", fault, extra={"panel": row.id})

    async def _require(self, thread: int) -> None:
        """Raises PlaceGone for a thread that was deleted meanwhile; archived ones are not in the library's cache."""
        if self._client.get_channel(thread) is None:
            async with told("looking for the thread"):
                await self._client.fetch_channel(thread)

    def _shard_of(self, row: Summary) -> int:
        return (int(row.place.workspace) >> 22) % (self._client.shard_count or 1)
