"""This process: its clock, its name, and whether others of this machine still live."""

import asyncio
import os
import random
import secrets
import socket
import time

from bot.core.clock import Clock
from bot.core.panel import OPEN
from bot.core.store import Query, Store


class SystemClock(Clock):
    """The machine's time."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    def jitter(self) -> float:
        return random.random()


def process_name() -> str:
    """This process among all that may run panels: machine, process id, and a token that no later process has."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


async def bury_the_dead(store: Store) -> None:
    """Say of owners that were processes of this machine and are gone that they are dead: nobody need wait for them."""
    for row in await store.summaries(Query(statuses=OPEN, limit=1000)):
        host, _, rest = row.owner.partition("/")
        pid = rest.partition("/")[0]
        if host == socket.gethostname() and pid.isdigit() and not _lives(int(pid)):
            await store.beat(row.owner, 0.0)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
