"""The schema: what the migrations make is what the tables say, on both databases, and a broken one leaves nothing."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from bot.core.errors import StoreError, StoreNewer
from storage import schema
from storage.database import Database, connect
from storage.opening import open_store
from storage.store import SqlStore
from storage.tables import metadata
from tests.contracts.panels import spoken

_NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table("extra", sa.Column("id", sa.Integer(), primary_key=True))
    op.add_column("panel", sa.Column("color", sa.Text(), nullable=False, server_default="blue"))
    op.drop_column("panel", "verdict")
"""
_BROKEN = _NEXT + '    op.execute("INSERT INTO nowhere VALUES (1)")\n'


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> SqlStore:
    store = request.getfixturevalue(request.param)
    assert isinstance(store, SqlStore)
    return store


def _scripts(folder: Path, further: str) -> Path:
    """Our migrations and one more."""
    shutil.copytree(schema.SCRIPTS, folder / "100% ours")
    (folder / "100% ours" / "versions" / "v0002_next.py").write_text(further)
    return folder / "100% ours"


def _columns(connection: Connection) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns("panel")}


def _differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


async def test_the_migrations_make_what_the_tables_say(store: SqlStore) -> None:
    """Columns, types, keys and indexes: nothing is in one and not in the other."""
    async with store.database.read() as connection:
        assert await connection.run_sync(_differences) == []


def test_the_newest_migration_is_the_head() -> None:
    """There is one line of migrations, and the program knows its end without reading it."""
    assert ScriptDirectory(str(schema.SCRIPTS)).get_heads() == [schema.HEAD]


async def test_a_migration_keeps_what_is_there(store: SqlStore, tmp_path: Path) -> None:
    """An older database is brought on with its rows; the older program then refuses it."""
    await spoken(store)
    scripts = _scripts(tmp_path, _NEXT)

    assert await schema.migrate(store.database, scripts=scripts, head="0002")
    assert not await schema.migrate(store.database, scripts=scripts, head="0002")

    async with store.database.read() as connection:
        columns = await connection.run_sync(_columns)
        assert ("color" in columns, "verdict" in columns) == (True, False)
    assert len((await store.load("p1")).entries) == 2
    with pytest.raises(StoreNewer, match="0002"):
        await schema.migrate(store.database)


async def test_a_broken_migration_leaves_nothing_behind(store: SqlStore, tmp_path: Path) -> None:
    """Its tables and columns are gone again, and the store works as before."""
    await spoken(store)

    with pytest.raises(StoreError, match="nowhere"):
        await schema.migrate(store.database, scripts=_scripts(tmp_path, _BROKEN), head="0002")

    async with store.database.read() as connection:
        assert await connection.run_sync(_differences) == []
    assert not await schema.migrate(store.database)
    assert len((await store.load("p1")).entries) == 2


@pytest.fixture
async def empty(postgres_url: str) -> AsyncIterator[Database]:
    database = connect(postgres_url, busy_seconds=1)
    yield database
    await database.close()


async def test_a_postgres_database_of_another_program_is_left_alone(empty: Database, postgres_url: str) -> None:
    """Its tables are not ours, so none of ours are added."""
    async with empty.write() as connection:
        await connection.exec_driver_sql("CREATE TABLE photos (id INTEGER)")

    with pytest.raises(StoreError, match="belongs to another program"):
        await open_store(postgres_url)

    async with empty.read() as connection:
        assert await connection.run_sync(lambda sync: inspect(sync).get_table_names()) == ["photos"]
