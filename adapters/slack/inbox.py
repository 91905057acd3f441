"""What arrived and is not done yet: written down before it is confirmed to Slack, crossed out afterwards.

Slack counts an event as delivered once it is confirmed, so a process that dies behind that would lose it. A mention of
the bot is kept here by channel and time alone; its words are read from Slack again if need be.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass

from adapters.slack.errands import Errands
from bot.core.clock import Clock
from bot.core.errors import PlatformError, PostInDoubt, StoreError, Throttled
from bot.core.place import HOUSE
from bot.core.store import Shelf, Store

log = logging.getLogger("panelist.slack.inbox")

EVERYWHERE, KIND = "", "slack-inbox"
TRIES = 6
SECONDS = 600.0
"""For one mention: models may be asked who fits the topic."""
TOO_OLD = 26 * 3600.0
"""A mention that old is not answered any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A mention that is to be dealt with."""

    workspace: str
    channel: str
    ts: str
    thread: str
    """Empty outside threads."""

    @property
    def key(self) -> str:
        """One for both events of a mention."""
        return f"{self.workspace}:{self.channel}:{self.ts}"


Deal = Callable[[Arrived], Awaitable[None]]


class Inbox:
    """Deals with each mention once, in this process or in the next."""

    def __init__(self, *, store: Store, shelf: Shelf, clock: Clock, errands: Errands, deal: Deal) -> None:
        """`deal` does what the mention asks for; doing it again must change nothing."""
        self._store, self._shelf, self._clock = store, shelf, clock
        self._errands, self._deal = errands, deal
        self._under_way: dict[str, asyncio.Future[None]] = {}

    async def put(self, arrived: Arrived) -> None:
        """Return when it is written down; it is dealt with behind. Raises StoreError where it could not be."""
        if known := self._under_way.get(arrived.key):
            await asyncio.shield(known)
            return
        written = asyncio.get_running_loop().create_future()
        self._under_way[arrived.key] = written
        try:
            await self._keep(arrived, json.dumps(asdict(arrived)))
        except BaseException:
            self._under_way.pop(arrived.key, None)
            written.cancel()
            raise
        written.set_result(None)
        self._errands.run(self._once(arrived), "mention", SECONDS)

    async def take_up(self) -> None:
        """Deal with what an earlier process left, or this one could not finish. Raises StoreError."""
        for name in await self._shelf.names(EVERYWHERE, KIND):
            text = await self._shelf.take(EVERYWHERE, KIND, name)
            if not text or name in self._under_way:
                continue
            arrived = Arrived(**json.loads(text))
            written = self._under_way[name] = asyncio.get_running_loop().create_future()
            written.set_result(None)
            old = self._clock.now() - float(arrived.ts) > TOO_OLD
            self._errands.run(self._cross_out(arrived) if old else self._finish(arrived), "mention", SECONDS)

    async def _once(self, arrived: Arrived) -> None:
        """A copy that comes after all was done is crossed out only."""
        try:
            fresh = await self._store.first_seen(f"slack:{arrived.key}", self._clock.now())
        except StoreError:
            fresh = True
        if fresh:
            await self._finish(arrived)
        else:
            await self._cross_out(arrived)

    async def _finish(self, arrived: Arrived) -> None:
        for attempt in range(TRIES):
            try:
                await self._deal(arrived)
            except (Throttled, PostInDoubt, StoreError) as fault:
                log.info("a mention waits: %s", fault, extra={"channel": arrived.channel})
                wait = fault.retry_after if isinstance(fault, Throttled) else 0.5 * 2**attempt
                await self._clock.sleep(wait)
                continue
            except PlatformError as fault:
                log.warning("a mention can not be answered: %s", fault, extra={"channel": arrived.channel})
            await self._cross_out(arrived)
            return
        self._under_way.pop(arrived.key, None)  # it stays written down; the next look takes it up

    async def _cross_out(self, arrived: Arrived) -> None:
        try:
            await self._keep(arrived, None)
        finally:
            self._under_way.pop(arrived.key, None)

    async def _keep(self, arrived: Arrived, value: str | None) -> None:
        await self._shelf.put(EVERYWHERE, KIND, arrived.key, value, HOUSE, self._clock.now())
