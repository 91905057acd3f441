"""The way to a database: addresses, lost connections, cancelled commits, and a server that does not play along."""

import asyncio
import sys
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from bot.core.errors import StoreError
from bot.core.store import Write
from storage.opening import open_store
from storage.store import SqlStore
from tests.contracts.panels import opened, post, running, said, summary, turn
from tests.storage.postgres import PostgresServer

_END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND "
_OPEN = """
import asyncio, sys
from storage.opening import open_store
async def main():
    store = await open_store(sys.argv[1])
    await store.close()
asyncio.run(main())
print("alembic" in sys.modules)
"""


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> SqlStore:
    store = request.getfixturevalue(request.param)
    assert isinstance(store, SqlStore)
    return store


async def test_a_cancelled_commit_is_there_whole_or_not_at_all(store: SqlStore) -> None:
    """Cancelled at any step; the store goes on, and the next commit follows what is there."""
    epoch = await running(store)
    last = 1
    for steps in range(60):
        write = Write(entries=(turn(last + 1),), deliveries=(post(last + 1),), summary=summary(turns=last))
        commit = asyncio.ensure_future(store.commit("p1", epoch, write))
        for _ in range(steps):
            await asyncio.sleep(0 if steps % 2 else 0.0002)
        commit.cancel()
        await asyncio.gather(commit, return_exceptions=True)

        loaded = await store.load("p1")
        assert len(loaded.deliveries) == len(loaded.entries) - 1
        assert len(loaded.entries) in (last, last + 1)
        last = len(loaded.entries)

    await store.commit("p1", epoch, Write(entries=(turn(last + 1),)))
    assert len((await store.load("p1")).entries) == last + 1


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "is no database address"),
        ("panelist.db", "is no database address"),
        ("sqlite://", "names no file and no database"),
        ("sqlite:///:memory:", "names no file and no database"),
        ("postgresql://localhost", "names no file and no database"),
        ("mysql://root@localhost/panels", "names 'mysql'"),
        ("nonsense://x/y", "names 'nonsense'"),
    ],
)
async def test_an_address_that_is_none_is_refused(url: str, words: str) -> None:
    """With the forms that an address can have."""
    with pytest.raises(StoreError, match=words) as caught:
        await open_store(url)

    assert "sqlite:///FOLDER/FILE" in str(caught.value)
    assert "postgresql://USER:PASSWORD@HOST/NAME" in str(caught.value)


async def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    """Host, name and remedy."""
    with pytest.raises(StoreError, match=r"'panels' on 127\.0\.0\.1 can not be reached; check that") as caught:
        await open_store("postgresql://ann:hunter2@127.0.0.1:1/panels")

    assert "hunter2" not in str(caught.value)


async def test_a_database_that_does_not_exist_is_named(server: PostgresServer) -> None:
    """The server runs, the name is wrong."""
    with pytest.raises(StoreError, match=r"'nowhere' .*check .* that the database is there"):
        await open_store(server.url("nowhere"))


async def test_both_spellings_of_the_scheme_are_understood(postgres_url: str) -> None:
    """Hosts hand out `postgres://` too."""
    store = await open_store(postgres_url.replace("postgresql://", "postgres://"))

    await running(store)
    await store.close()


async def test_a_read_only_server_is_named(postgres_url: str) -> None:
    """A standby, or a user's default: reading works, writing says what to do."""
    await (await open_store(postgres_url)).close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        name = make_url(postgres_url).database
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")

    store = await open_store(postgres_url)
    with pytest.raises(StoreError, match=r"is read-only: .*name the primary in DATABASE_URL"):
        await store.create(summary(), opened(), None)
    assert await store.signals("p1") == ()
    await store.close()


async def test_a_row_that_another_program_holds_is_waited_for_and_then_named(postgres_url: str) -> None:
    """As with a locked file: an error after the wait, and then everything works again."""
    store = await open_store(postgres_url, busy_seconds=0.05)
    epoch = await running(store)
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT * FROM panel FOR UPDATE")
        with pytest.raises(StoreError, match="is locked by another program; close that program"):
            await store.commit("p1", epoch, Write(entries=(turn(2),)))

    await store.commit("p1", epoch, Write(entries=(turn(2),)))
    await store.close()


async def test_lost_connections_are_made_again(server: PostgresServer, postgres: SqlStore) -> None:
    """The server restarted while nobody wrote: the next write and the next look just work."""
    epoch = await running(postgres)
    await postgres.load("p1")
    with psycopg.connect(server.url(), autocommit=True) as other:
        other.execute(_END_SESSIONS + "datname LIKE 'test_%'")

    await postgres.commit("p1", epoch, Write(entries=(turn(2),)))
    assert await postgres.signal(said())
    assert len((await postgres.load("p1")).entries) == 2


async def test_a_connection_lost_in_the_middle_writes_nothing(server: PostgresServer, postgres: SqlStore) -> None:
    """The error says that the server went away; nothing of the transaction is kept."""
    epoch = await running(postgres)

    async def interrupted() -> None:
        async with postgres.database.write() as connection:
            await connection.exec_driver_sql("UPDATE panel SET epoch = 99")
            with psycopg.connect(server.url(), autocommit=True) as other:
                other.execute(_END_SESSIONS + "state = 'idle in transaction'")
            await connection.exec_driver_sql("UPDATE panel SET epoch = 100")

    with pytest.raises(StoreError, match=r"PostgreSQL database .* Nothing was half-written"):
        await interrupted()

    assert (await postgres.load("p1")).epoch == epoch


async def test_a_new_file_can_be_opened_by_many_at_the_same_moment(tmp_path: Path) -> None:
    """SQLite refuses one of two that switch a file to WAL; that is waited out and never shown."""
    for number in range(20):
        stores = await asyncio.gather(*(open_store(f"sqlite:///{tmp_path}/{number}.db") for _ in range(6)))
        for store in stores:
            await store.close()


async def test_opening_a_current_database_loads_no_migration_tool(sqlite_url: str) -> None:
    """It is slow to import, and every start would pay for it."""
    await (await open_store(sqlite_url)).close()

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _OPEN, sqlite_url, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    stdout, _ = await process.communicate()

    assert stdout.decode().strip() == "False"
