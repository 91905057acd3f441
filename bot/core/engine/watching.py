"""The watch of one process: it says that it lives, hears what others stored, and takes up what nobody runs."""

import logging
from collections.abc import Awaitable, Callable

from bot.core.clock import Clock
from bot.core.engine.driver import Driver
from bot.core.entries import Control, Status
from bot.core.errors import StoreError
from bot.core.orchestrator import PASSING, Orchestrator
from bot.core.panel import OPEN
from bot.core.place import HOUSE
from bot.core.store import Query, Signal, Store, Summary
from bot.core.timing import Timing

log = logging.getLogger("panelist.watch")

LONGEST_REVIVE = 600.0
MOST = 1000


class Watch:
    """Keeps the panels of some platforms going, beside other processes that do the same."""

    def __init__(
        self,
        *,
        store: Store,
        orchestrator: Orchestrator,
        driver: Driver,
        clock: Clock,
        timing: Timing,
        owner: str,
        platforms: frozenset[str],
        catch_up: Callable[[str], Awaitable[object]],
    ) -> None:
        """`platforms`: whose panels are taken up here. `catch_up` reads what was written in a panel's thread."""
        self._store, self._orchestrator, self._driver = store, orchestrator, driver
        self._clock, self._timing, self._owner, self._platforms = clock, timing, owner, platforms
        self._catch_up = catch_up
        self._waits: dict[str, float] = {}

    async def live(self) -> None:
        """Say that this process lives, until cancelled."""
        await self._again_and_again(self.beat, self._timing.beat)

    async def listen(self) -> None:
        """Ring the panels that run here for what other processes stored, until cancelled."""
        await self._again_and_again(self._ring, self._timing.poll)

    async def patrol(self) -> None:
        """Take up what nobody runs, until cancelled."""
        await self._again_and_again(self.take_up, self._timing.beat)

    async def beat(self) -> None:
        await self._store.beat(self._owner, self._clock.now())

    async def arrive(self) -> None:
        """Once, at the start: take in what people wrote in the threads of open panels while nobody listened."""
        oldest = self._clock.now() - self._timing.too_old
        for row in await self._rows(*OPEN):
            if row.updated_at >= oldest:
                await self._catch_up(row.id)

    async def take_up(self) -> None:
        """One look: panels whose process died go on, and those that an outage paused try again."""
        now = self._clock.now()
        stale_before = now - self._timing.stale
        too_old = {row.id for row in await self._rows("running") if row.updated_at < now - self._timing.too_old}
        for panel in await self._store.ownerless(self._platforms, stale_before=stale_before):
            if panel in too_old:
                await self._say(panel, "pause", "pause: nobody has touched this panel for days", now)
            await self._driver.kick(panel)
        await self._revive(now)

    async def _revive(self, now: float) -> None:
        """Let panels that an outage paused try again, after ever longer waits."""
        rows = [row for row in await self._rows("paused") if row.reason.startswith(PASSING)]
        self._waits = {row.id: self._waits.get(row.id, self._timing.revive) for row in rows}
        for row in rows:
            if now - row.updated_at >= self._waits[row.id]:
                self._waits[row.id] = min(LONGEST_REVIVE, self._waits[row.id] * 2)
                await self._say(row.id, "continue", "continue: it may work again", row.updated_at)
                await self._driver.kick(row.id)

    async def _rows(self, *statuses: Status) -> tuple[Summary, ...]:
        query = Query(statuses=frozenset(statuses), platforms=self._platforms, limit=MOST)
        return await self._store.summaries(query)

    async def _say(self, panel: str, word: str, text: str, since: float) -> None:
        entry = Control(at=self._clock.now(), author=HOUSE, text=text, word=word)
        await self._store.signal(Signal(panel=panel, message_id=f"watch:{word}:{since}", entry=entry))

    async def _ring(self) -> None:
        if self._orchestrator.listens:
            for panel in await self._store.rung():
                self._orchestrator.ring(panel)

    async def _again_and_again(self, look: Callable[[], Awaitable[None]], seconds: float) -> None:
        """A database that can not be reached for a while ends no watch."""
        while True:
            try:
                await look()
            except StoreError as fault:
                log.warning("the watch could not look: %s", fault)
            await self._clock.sleep(seconds)
