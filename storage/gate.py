"""Who writes next: so many writers at a time as there are connections, and what came in from people passes first."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Gate:
    """Lets `places` writers in at once; the others wait in order, urgent ones before all others.

    SQLite has one writer. Left to itself the file lock is polled, and two hundred panels that commit keep a chat's
    event waiting for longer than the chat waits for its answer.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def passage(self, *, urgent: bool) -> AsyncIterator[None]:
        """Wait for a place, and give it up afterwards."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(self._urgent if urgent else self._others)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, queue: deque[asyncio.Future[None]]) -> None:
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                queue.remove(turn)
            else:  # the place was given to us in the moment in which we were cancelled
                self._leave()
            raise

    def _leave(self) -> None:
        """Hand the place on; cancelled waiters take themselves out of the queue when they next run."""
        for queue in (self._urgent, self._others):
            for turn in queue:
                if not turn.done():
                    queue.remove(turn)
                    turn.set_result(None)
                    return
        self._free += 1
