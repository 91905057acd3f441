"""Platform time, ids that carry it, and a signal for "something changed"."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

EPOCH_MS = 1_420_070_400_000
_GLANCE = 0.02


class ServerClock:
    """Real time plus what a test added, so that fifteen minutes pass without waiting."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += seconds

    def iso(self, at: float | None = None) -> str:
        return datetime.fromtimestamp(self.now() if at is None else at, UTC).isoformat()


class Snowflakes:
    """Ids that only grow and hold their time, as the platform's do."""

    def __init__(self, clock: ServerClock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        now = (int(self._clock.now() * 1000) - EPOCH_MS) << 22
        self._last = max(now, self._last + 1)
        return self._last

    def next_on_shard(self, shard: int, of: int) -> int:
        """An id whose guild belongs to that shard.

        https://docs.discord.com/developers/events/gateway#sharding
        """
        millis = (self.next() >> 22) + 1
        while millis % of != shard:
            millis += 1
        self._last = millis << 22
        return self._last


class Signal:
    """Wakes those who wait for a condition each time the platform's state changed."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        self._event.set()
        self._event = asyncio.Event()

    async def until(self, fact: Callable[[], object], timeout: float) -> None:
        """Raises TimeoutError when the fact is still false after `timeout` seconds.

        Facts on the app's side change without a signal, so it also looks every so often.
        """
        async with asyncio.timeout(timeout):
            while not fact():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._event.wait(), _GLANCE)
