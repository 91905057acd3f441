"""A clock whose time passes only when somebody sleeps on it."""

import asyncio

from bot.core.clock import Clock


class FakeClock(Clock):
    """Sleeping takes no real time; `slept` holds how long each sleep was."""

    def __init__(self, now: float = 1_800_000_000.0, jitter: float = 1.0) -> None:
        self.time, self.slept = now, list[float]()
        self._jitter = jitter

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        if seconds > 0:
            self.slept.append(seconds)
            self.time += seconds

    def jitter(self) -> float:
        return self._jitter
