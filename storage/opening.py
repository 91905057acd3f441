"""From an address to a store that is ready: folder, connection, schema."""

import asyncio
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from bot.core.errors import StoreError
from storage.database import connect
from storage.faults import fault
from storage.schema import migrate
from storage.store import SqlStore

BUSY_SECONDS = 10.0
"""How long another program's lock on a SQLite file is waited for."""
_TRIES = 50
"""Two processes that set WAL at the same moment: SQLite refuses one of them at once, without its own waiting."""


async def open_store(url: str, *, busy_seconds: float = BUSY_SECONDS) -> SqlStore:
    """The store at that address, its tables brought up to date; its `shelf` lies in the same database.

    `sqlite:///FOLDER/FILE` (made where it is missing, the folder for this user alone) or
    `postgresql://USER:PASSWORD@HOST/NAME`. Raises StoreError, and StoreNewer for the database of a newer program.
    """
    database = connect(url, busy_seconds=busy_seconds)
    try:
        if database.dialect == "sqlite":
            await asyncio.to_thread(_prepare, Path(database.place), busy_seconds)
        await migrate(database)
    except BaseException:
        await database.close()
        raise
    return SqlStore(database)


def _prepare(file: Path, busy_seconds: float) -> None:
    """Make the folder and the file, for this user alone since both will hold what people said, and set WAL for good.

    What is wrong with the file shows here, on a plain connection: aiosqlite leaves a thread behind where it fails.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder of the database {file} can not be made ({error.strerror}); make it, allow writing there, or "
            "name another database in DATABASE_URL"
        ) from error
    with suppress(OSError):  # SQLite says it better
        file.touch(mode=0o600, exist_ok=False)
    for tries_left in reversed(range(_TRIES)):
        try:
            with closing(sqlite3.connect(file, timeout=busy_seconds / _TRIES)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA schema_version").fetchone()
            return
        except sqlite3.Error as error:
            if not tries_left or not error.sqlite_errorname.startswith("SQLITE_BUSY"):
                raise fault(error, str(file)) from error
            time.sleep(busy_seconds / _TRIES)
