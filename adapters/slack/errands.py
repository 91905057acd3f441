"""Small things that nobody waits for: receipts, whispers, the card's newest state. Best effort, each with an end."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from bot.core.errors import PanelistError

log = logging.getLogger("panelist.slack.errands")

MOST = 2000
"""So many at once; more are dropped, and said so."""
SECONDS = 30.0


class Errands:
    """Tasks of this process that may be lost with it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._over = False

    def run(self, errand: Coroutine[Any, Any, object], name: str, seconds: float = SECONDS) -> None:
        """Start it; what goes wrong, or takes longer, is logged."""
        if self._over or len(self._tasks) >= MOST:
            log.warning("an errand is dropped: %s", name)
            errand.close()
            return
        task = asyncio.create_task(self._run(errand, name, seconds), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: errand.close())  # where it was cancelled before it began

    async def settled(self) -> None:
        """Return when none is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Give up all that is under way, and take nothing more."""
        self._over = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, errand: Coroutine[Any, Any, object], name: str, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await errand
        except (PanelistError, TimeoutError) as fault:
            log.info("%s: %s", name, fault)
        except Exception:
            log.exception("%s failed", name)
