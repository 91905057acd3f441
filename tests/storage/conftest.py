"""The databases of the storage tests: a SQLite file a test, and one PostgreSQL server with a database a test."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from storage.opening import open_store
from storage.store import SqlStore
from tests.storage.postgres import PostgresServer


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/panelist.db"


@pytest.fixture
async def sqlite(sqlite_url: str) -> AsyncIterator[SqlStore]:
    store = await open_store(sqlite_url)
    yield store
    await store.close()


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(server: PostgresServer) -> Iterator[str]:
    url = server.fresh()
    yield url
    server.drop(url)


@pytest.fixture(scope="session")
def migrated(server: PostgresServer) -> str:
    """The name of a database with our tables, to copy."""
    url = server.fresh()

    async def prepare() -> None:
        await (await open_store(url)).close()

    asyncio.run(prepare())
    return str(make_url(url).database)


@pytest.fixture
async def postgres(server: PostgresServer, migrated: str) -> AsyncIterator[SqlStore]:
    url = server.fresh(migrated)
    store = await open_store(url)
    yield store
    await store.close()
    server.drop(url)
