"""What only a database can get wrong, or has to get right among processes: for SQLite and PostgreSQL alike."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, text, update

from bot.core.errors import StoreError, StoreNewer
from bot.core.store import Query, Write
from storage import schema
from storage.opening import open_store
from storage.store import SqlStore
from storage.tables import entry, panel, signal
from tests.contracts.panels import opened, post, running, said, spoken, turn

_ROOT = Path(__file__).parents[2]
_RESTORE = "restore the database from a backup"


def _crowd(url: str, size: int) -> list[tuple[str, str]]:
    """What that many processes printed, and warned of, that opened the database at the same moment."""
    command = [sys.executable, "-W", "error", "-m", "tests.storage.program", "join", url]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    processes = [
        subprocess.Popen([*command, f"process-{number}"], cwd=_ROOT, text=True, **pipes) for number in range(size)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [process.communicate(timeout=60) for process in processes]


class SqlContract:
    """A subclass gives `store`, and `url`, the address of an empty database."""

    @pytest.fixture
    def store(self) -> SqlStore:
        raise NotImplementedError

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    @pytest.mark.parametrize(
        "body",
        ["{broken", "", "null", '{"kind":"nonsense","seq":2}', '{"kind":"turn","seq":2,"at":1.0}', '{"kind":"turn"'],
    )
    async def test_a_damaged_entry_is_named(self, store: SqlStore, body: str) -> None:
        """The error names panel and entry and gives the remedy; other panels can still be read."""
        await spoken(store)
        await running(store, "p2")
        async with store.database.write() as connection:
            await connection.execute(update(entry).where(entry.c.panel == "p1", entry.c.seq == 2).values(body=body))

        with pytest.raises(StoreError, match=f"panel p1: entry 2 is damaged .*{_RESTORE}"):
            await store.load("p1")

        assert (await store.load("p2")).entries == (opened(),)
        assert [one.id for one in await store.summaries(Query())] == ["p2", "p1"]

    async def test_a_damaged_entry_does_not_show_its_words(self, store: SqlStore) -> None:
        """What people said stays out of error messages."""
        await spoken(store)
        async with store.database.write() as connection:
            await connection.execute(update(entry).values(body='{"kind":"turn","seq":"a secret"}'))

        with pytest.raises(StoreError) as caught:
            await store.load("p1")

        assert "secret" not in str(caught.value)

    async def test_a_missing_entry_is_named(self, store: SqlStore) -> None:
        """A gap, or an end that is gone, is no shorter log."""
        epoch = await spoken(store)
        await store.commit("p1", epoch, Write(entries=(turn(3),)))

        for seq, rest in ((3, 2), (1, 1)):
            async with store.database.write() as connection:
                await connection.execute(delete(entry).where(entry.c.panel == "p1", entry.c.seq == seq))
            with pytest.raises(StoreError, match=f"panel p1: entry {seq} is missing; {_RESTORE}"):
                await store.load("p1", after=0 if rest == 1 else rest)

    async def test_an_entry_with_another_number_is_named(self, store: SqlStore) -> None:
        """Row and entry must agree on the number."""
        await spoken(store)
        async with store.database.write() as connection:
            body = turn(7).model_dump_json()
            await connection.execute(update(entry).where(entry.c.seq == 2).values(body=body))

        with pytest.raises(StoreError, match="panel p1: entry 2 says that it is entry 7"):
            await store.load("p1")

    async def test_a_damaged_row_is_named(self, store: SqlStore) -> None:
        """The panel's own row, and a message in its inbox."""
        await running(store)
        await store.signal(said(message_id="m4"))
        async with store.database.write() as connection:
            await connection.execute(update(panel).values(opened_at_place="{"))
            await connection.execute(update(signal).values(body="{"))

        with pytest.raises(StoreError, match="panel p1: its row is damaged"):
            await store.load("p1")
        with pytest.raises(StoreError, match="panel p1: message 'm4' in its inbox is damaged"):
            await store.signals("p1")

    async def test_what_was_taken_in_leaves_no_words_in_the_inbox(self, store: SqlStore) -> None:
        """The row stays to know the message again; its text stands in the log alone."""
        epoch = await running(store)
        await store.signal(said())
        (waiting,) = await store.signals("p1")

        taken = waiting.entry.model_copy(update={"seq": 2})
        await store.commit("p1", epoch, Write(entries=(taken,), taken=(waiting.id,)))

        async with store.database.read() as connection:
            rows = (await connection.execute(text("SELECT message_id, body, taken FROM signal"))).all()
        assert [tuple(row) for row in rows] == [("m1", "", 2)]

    async def test_text_that_is_no_unicode_is_refused(self, store: SqlStore) -> None:
        """Half a surrogate pair can not be stored; the error says so, and nothing of the commit is kept."""
        epoch = await running(store)

        with pytest.raises(StoreError, match="not valid Unicode"):
            await store.commit("p1", epoch, Write(entries=(turn(2),), deliveries=(post(text="\ud800"),)))

        assert (await store.load("p1")).entries == (opened(),)

    async def test_a_newer_database_is_left_alone(self, url: str) -> None:
        """Named with both numbers and the remedy; every row is as it was."""
        store = await open_store(url)
        await spoken(store, post())
        async with store.database.write() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

        with pytest.raises(StoreNewer, match=rf"by a newer version .*9999.*{schema.HEAD}.*install that version"):
            await open_store(url)

        async with store.database.read() as connection:
            assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
        assert len((await store.load("p1")).entries) == 2
        await store.close()

    async def test_a_store_opened_again_holds_what_was_written(self, url: str) -> None:
        """Nothing of the schema is done twice, and nothing is lost."""
        first = await open_store(url)
        epoch = await spoken(first, post())
        await first.close()

        second = await open_store(url)

        assert not await schema.migrate(second.database)
        assert ((await second.load("p1")).epoch, len((await second.load("p1")).entries)) == (epoch, 2)
        await second.close()

    async def test_eight_processes_open_a_new_database_at_once(self, url: str) -> None:
        """All of them migrate, none fails; one panel is created once and claimed by one of them."""
        results = _crowd(url, 8)

        assert [stderr for _, stderr in results] == [""] * 8
        words = " ".join(stdout for stdout, _ in results).split()
        assert (words.count("won"), words.count("lost"), words.count("found")) == (1, 7, 7)
        store = await open_store(url)
        assert len(await store.summaries(Query())) == 9
        await store.close()
