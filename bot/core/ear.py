"""How a running panel hears at once: a bell in the same process, a slow look into the inbox for other processes."""

import asyncio
from dataclasses import dataclass, field

from bot.core.clock import Clock


@dataclass(slots=True)
class Ear:
    """One panel's bell."""

    clock: Clock
    poll: float
    """Seconds between looks into the inbox while nothing rings."""
    _bell: asyncio.Event = field(default_factory=asyncio.Event)

    def ring(self) -> None:
        """Somebody said something to this panel."""
        self._bell.set()

    async def hears(self) -> None:
        """Return when the bell rings, or when it is time to look into the inbox."""
        tick = asyncio.ensure_future(self.clock.sleep(self.poll))
        bell = asyncio.ensure_future(self._bell.wait())
        try:
            await asyncio.wait({tick, bell}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tick.cancel()
            bell.cancel()
        self._bell.clear()


async def beside(work: "asyncio.Future[object]", ear: Ear) -> bool:
    """Wait until the work is done (True) or somebody should be listened to (False); the work goes on."""
    hearing = asyncio.ensure_future(ear.hears())
    try:
        await asyncio.wait({work, hearing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hearing.cancel()
    return work.done()


async def cancelled(work: "asyncio.Future[object]") -> None:
    """Cancel the work and wait until it has let go."""
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
