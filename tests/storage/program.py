"""A process of its own that opens a store: `python -m tests.storage.program ACTION URL ...`; prints what came of it."""

import asyncio
import os
import resource
import sys
from collections.abc import Awaitable, Callable

from bot.core.errors import NotAllowed, StoreError
from bot.core.store import Write
from storage.opening import open_store
from tests.contracts.panels import NOW, opened, post, running, summary, turn

_NOBODY = 65534


async def join(url: str, name: str) -> None:
    """Say `ready`, wait for a line, open, and try for the panel that all the others want too: `won`, `lost`."""
    print("ready", flush=True)
    sys.stdin.readline()
    store = await open_store(url)
    await store.create(summary(name), opened(), None)
    await store.beat(name, NOW)
    try:
        await store.create(summary("wanted"), opened(), None)
    except StoreError:
        print("found", end=" ")
    try:
        await store.claim("wanted", name, stale_before=NOW)
        print("won")
    except NotAllowed:
        print("lost")
    await store.close()


async def unprivileged(url: str, other: str) -> None:
    """Open and write as a user who is not root; prints how far it came and the error."""
    await (await open_store(other)).close()  # what is imported late must be there before the rights are gone
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    try:
        store = await open_store(url)
        print("opened", len((await store.load("p1")).entries), end=" ")
        try:
            await store.create(summary("p2"), opened(), None)
        finally:
            await store.close()
    except StoreError as error:
        print(error)


async def limited(url: str) -> None:
    """Write until no file may grow any more, then go on once it may; prints the error and what was kept."""
    store = await open_store(url)
    epoch = await running(store)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    done = 1
    try:
        while done < 1000:
            write = Write(entries=(turn(done + 1, "word " * 800),), deliveries=(post(done + 1),))
            await store.commit("p1", epoch, write)
            done += 1
    except StoreError as error:
        print(error)
    loaded = await store.load("p1")
    print(done == len(loaded.entries) == len(loaded.deliveries) + 1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    await store.commit("p1", epoch, Write(entries=(turn(done + 1),)))
    print(len((await store.load("p1")).entries) == done + 1)
    await store.close()


_ACTIONS: dict[str, Callable[..., Awaitable[None]]] = {"join": join, "unprivileged": unprivileged, "limited": limited}

if __name__ == "__main__":
    asyncio.run(_ACTIONS[sys.argv[1]](*sys.argv[2:]))  # type: ignore[arg-type]  # a coroutine function, as all actions are
