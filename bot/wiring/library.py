"""The database alone, for commands that only look."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.core.starting.catalogs import Catalogs
from bot.core.store import Shelf, Store
from bot.settings import Settings
from bot.wiring.parts import book
from bot.wiring.process import SystemClock
from storage.opening import open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The database alone, for commands that only look."""

    store: Store
    shelf: Shelf
    catalogs: Catalogs


@asynccontextmanager
async def library(settings: Settings, *, strict: bool = True) -> AsyncIterator[Library]:
    """The database and the catalogs, let go of at the end. Raises StoreError where the database can not be used."""
    store = await open_store(settings.database)
    try:
        yield Library(store=store, shelf=store.shelf, catalogs=book(settings, store.shelf, SystemClock(), strict))
    finally:
        await store.close()
