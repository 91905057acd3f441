"""The order in which people are heard: thread by thread, and what was missed before what is said now."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LONGEST = 60.0
"""Seconds that a message waits for the ones before it; then it is heard all the same."""


class Gates:
    """One queue a thread, and one gate a shard that is shut while its past is not caught up."""

    def __init__(self) -> None:
        self._queues: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._shut: dict[int, asyncio.Event] = {}

    def shut(self, shard: int) -> None:
        """From now on something may be missed."""
        self._shut.setdefault(shard, asyncio.Event())

    def open(self, shard: int) -> None:
        """Nothing is missing any more."""
        if gate := self._shut.pop(shard, None):
            gate.set()

    @asynccontextmanager
    async def turn(self, thread: int, shard: int) -> AsyncIterator[None]:
        """The thread's next turn, once its shard has caught up."""
        if gate := self._shut.get(shard):
            await _opened(gate)
        async with self.queue(thread):
            yield

    @asynccontextmanager
    async def queue(self, thread: int) -> AsyncIterator[None]:
        """The thread's next turn, whatever is missing."""
        lock = self._queues[thread]
        try:
            async with lock:
                yield
        finally:
            if not lock.locked() and self._queues.get(thread) is lock:
                del self._queues[thread]


async def _opened(gate: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(LONGEST):
            await gate.wait()
    except TimeoutError:
        return
