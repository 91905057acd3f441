"""Panels that a model provider's outage has paused go on by themselves once it is back, after a restart too."""

import logging
from collections.abc import Mapping

from bot.core.clock import Clock
from bot.core.driver import Driver
from bot.core.errors import NotAllowed, NotFound
from bot.core.model import ChatModel
from bot.core.session import Session
from bot.core.store import Query, Store
from bot.core.timing import Timing

log = logging.getLogger("panelist.reviving")

CAUSE = "provider"
"""How the reason of such a pause begins."""
LONGEST_WAIT = 600.0
MOST = 1000


class Reviver:
    """Looks for paused panels of this process's platforms."""

    def __init__(
        self,
        *,
        store: Store,
        driver: Driver,
        models: Mapping[str, ChatModel],
        platforms: frozenset[str],
        clock: Clock,
        timing: Timing,
        owner: str,
    ) -> None:
        self._store, self._driver, self._models = store, driver, models
        self._platforms, self._clock, self._timing, self._owner = platforms, clock, timing, owner
        self._tries: dict[str, int] = {}
        self._next: dict[str, float] = {}

    async def watch(self) -> None:
        """Look every `timing.revive` seconds, until cancelled."""
        while True:
            await self._clock.sleep(self._timing.revive)
            await self.look()

    async def look(self) -> tuple[str, ...]:
        """One look; the panels that go on. A panel that is paused again and again is tried less and less often."""
        query = Query(statuses=frozenset({"paused"}), platforms=self._platforms, limit=MOST)
        paused = [row for row in await self._store.summaries(query) if row.reason.startswith(CAUSE)]
        self._forget_all_but({row.id for row in paused})
        now = self._clock.now()
        due = [row.id for row in paused if self._next.get(row.id, 0.0) <= now]
        if not due or not await self._anyone_answers():
            return ()
        return tuple([panel for panel in due if await self._woken(panel, now)])

    def _forget_all_but(self, paused: set[str]) -> None:
        """A panel that has gone on well starts with short waits at its next pause, once it was seen running."""
        for panel in set(self._tries) - paused:
            self._tries.pop(panel, None)
            self._next.pop(panel, None)

    async def _anyone_answers(self) -> bool:
        for model in self._models.values():
            if model.is_ai and await model.answers():
                return True
        return False

    async def _woken(self, panel: str, now: float) -> bool:
        """Set it running, unless somebody has paused, stopped or taken it meanwhile."""
        self._tries[panel] = tries = self._tries.get(panel, 0) + 1
        self._next[panel] = now + min(LONGEST_WAIT, self._timing.revive * 2.0**tries)
        stale_before = now - self._timing.stale
        try:
            epoch = await self._store.claim(panel, f"{self._owner}/reviver", stale_before=stale_before)
        except (NotAllowed, NotFound):
            return False
        session = await Session.claimed(self._store, self._clock, panel, epoch)
        wakes = session.is_("paused") and session.panel.reason.startswith(CAUSE)
        if wakes:
            await session.become("running", by=CAUSE)
        await self._store.release(panel, epoch)
        if wakes:
            log.info("the provider is back", extra={"panel": panel})
            await self._driver.kick(panel)
        return wakes
