"""Who runs a panel: here one process that runs all of its own. A driver for many processes keeps the same promise:

after `kick(panel)` returns, that panel is run at least once afterwards, and normally by one process at a time.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

from bot.core.clock import Clock
from bot.core.errors import NotAllowed, NotFound

log = logging.getLogger("panelist.driver")

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0


class Driver(ABC):
    """Picks who runs a panel."""

    @abstractmethod
    async def kick(self, panel: str) -> None:
        """See to it that the panel is run once more."""


class LocalDriver(Driver):
    """One task a panel that runs, none for one that rests."""

    def __init__(self, run: Callable[[str], Awaitable[None]], clock: Clock, *, drives: bool = True) -> None:
        """`drives` false: panels are run by somebody else in this process, and a kick does nothing."""
        self._run, self._clock, self._drives = run, clock, drives
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    async def kick(self, panel: str) -> None:
        if not self._drives:
            return
        if panel in self._tasks:
            self._again.add(panel)
            return
        self._tasks[panel] = asyncio.create_task(self._loop(panel), name=f"panel {panel}")

    async def settled(self, panel: str) -> None:
        """Return when that panel rests."""
        while task := self._tasks.get(panel):
            await asyncio.gather(task, return_exceptions=True)

    async def all_settled(self) -> None:
        """Return when nothing runs here any more."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def running(self) -> tuple[str, ...]:
        """The panels that run here now."""
        return tuple(self._tasks)

    async def stop(self) -> None:
        """Let go of every panel, wherever it is; all of it is written down."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()

    async def _loop(self, panel: str) -> None:
        wait = FIRST_WAIT
        try:
            while True:
                self._again.discard(panel)
                try:
                    await self._run(panel)
                    wait = FIRST_WAIT
                except (NotAllowed, NotFound) as fault:
                    log.info("not run here: %s", fault, extra={"panel": panel})
                except Exception:  # the one broad catch: a panel that fails must not take others down
                    log.exception("panel failed; trying again", extra={"panel": panel})
                    await self._clock.sleep(wait)
                    wait = min(LONGEST_WAIT, wait * 2)
                    continue
                if panel not in self._again:
                    return
        finally:
            # No await between the look at `_again` and this: no kick is lost.
            self._tasks.pop(panel, None)
