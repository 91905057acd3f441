"""A database and the way to it: how it is opened, one transaction for writing, one look for reading.

SQLite gets two pools. The writing one has a single connection, which begins every transaction as IMMEDIATE (a deferred
one that turns to writing fails at once where another was quicker) and syncs at every commit, so that a committed turn
survives a power cut. The reading one can not write; in WAL mode neither waits for the other. PostgreSQL runs the same
code on two small pools. Who may write next is the gate's business (`gate.py`), so that no pool is ever waited for long.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import URL, event
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.core.errors import StoreError
from storage.faults import fault, known
from storage.gate import Gate

_WRITERS = 6
_READERS = 3
_NETWORK_SECONDS = 10
"""How long a server that does not answer is waited for."""


class Database:
    """One open database. Everything that leaves it as an error is a PanelistError."""

    def __init__(self, place: str, writing: AsyncEngine, reading: AsyncEngine, *, writers: int) -> None:
        self.place = place
        """How messages name it: a file, or a server and a name, never a password."""
        self.writing = writing
        self.reading = reading
        self._gate = Gate(writers)

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.writing.dialect.name

    @asynccontextmanager
    async def write(self, *, urgent: bool = False) -> AsyncIterator[AsyncConnection]:
        """One transaction: committed when the block ends, undone when it raises. Urgent ones go first."""
        async with self._gate.passage(urgent=urgent):
            try:
                async with self.writing.begin() as connection:
                    yield connection
            except Exception as error:
                if known(error):
                    raise fault(error, self.place) from error
                raise

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection on which each statement sees what is committed when it starts."""
        try:
            async with self.reading.connect() as connection:
                yield connection
        except Exception as error:
            if known(error):
                raise fault(error, self.place) from error
            raise

    async def close(self) -> None:
        await self.writing.dispose()
        await self.reading.dispose()


def connect(url: str, *, busy_seconds: float) -> Database:
    """The database that the address names; nothing is opened yet.

    `busy_seconds` is how long a lock held by another program is waited for. Raises StoreError for an address
    that is none, or names a kind of database that is not known here.
    """
    try:
        parsed = make_url(url)
        kind = parsed.get_backend_name()
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"DATABASE_URL is no database address; write {_FORMS}") from error
    if kind not in ("sqlite", "postgresql", "postgres"):
        raise StoreError(f"DATABASE_URL names {kind!r}, which is no database that is used here; write {_FORMS}")
    if not parsed.database or parsed.database == ":memory:":
        raise StoreError(f"DATABASE_URL names no file and no database; write {_FORMS}")
    if kind == "sqlite":
        return _sqlite(parsed.database, busy_seconds)
    return _postgres(parsed, busy_seconds)


_FORMS = "sqlite:///FOLDER/FILE, or postgresql://USER:PASSWORD@HOST/NAME"


def _sqlite(path: str, busy_seconds: float) -> Database:
    url = URL.create("sqlite+aiosqlite", database=path)
    writing = create_async_engine(
        url,
        connect_args={"timeout": busy_seconds, "isolation_level": "IMMEDIATE"},
        pool_size=1,
        max_overflow=0,
        pool_reset_on_return=None,  # closing a connection ends its transaction; a second rollback is a thread's trip
    )
    reading = create_async_engine(
        url,
        connect_args={"timeout": busy_seconds},
        pool_size=2,
        max_overflow=0,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
    )
    _on_connect(writing, "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON")
    _on_connect(reading, "PRAGMA query_only=ON")
    return Database(path, writing, reading, writers=1)


def _on_connect(engine: AsyncEngine, *statements: str) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: DBAPIConnection, _record: object) -> None:
        # Bytes that are no UTF-8 must reach the code that can say which entry is damaged.
        connection.driver_connection.text_factory = _lenient
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        cursor.close()


def _lenient(raw: bytes) -> str:
    return raw.decode(errors="surrogateescape")


def _postgres(parsed: URL, busy_seconds: float) -> Database:
    url = parsed.set(drivername="postgresql+psycopg")
    place = f"PostgreSQL database {parsed.database!r} on {parsed.host or 'this machine'}"
    options = {
        "connect_timeout": _NETWORK_SECONDS,
        "tcp_user_timeout": _NETWORK_SECONDS * 1000,
        "keepalives_idle": _NETWORK_SECONDS,
        "keepalives_interval": _NETWORK_SECONDS // 3,
        "keepalives_count": 3,
        "options": f"-c lock_timeout={round(busy_seconds * 1000)}",
    }
    try:
        writing = create_async_engine(url, connect_args=options, pool_size=_WRITERS, max_overflow=0, pool_pre_ping=True)
        reading = create_async_engine(
            url,
            connect_args=options,
            pool_size=_READERS,
            max_overflow=0,
            pool_pre_ping=True,
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
        )
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(f"{place} needs its driver; install it with `pip install 'psycopg[binary]'`") from error
    return Database(place, writing, reading, writers=_WRITERS)
