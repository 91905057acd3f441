"""What can be wrong with a SQLite file: a sentence that names the file and the remedy, and nothing half-written."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.core.errors import StoreError
from bot.core.store import Query, Write
from storage.opening import open_store
from storage.store import SqlStore
from tests.contracts.panels import opened, post, running, said, spoken, summary, turn

_ROOT = Path(__file__).parents[2]


def _run(action: str, *arguments: str) -> str:
    """What the program printed; it must not have printed a warning or a traceback beside it."""
    command = [sys.executable, "-W", "error", "-m", "tests.storage.program", action, *arguments]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can reach, which pytest's own is not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


async def _with_a_panel(file: Path) -> str:
    url = f"sqlite:///{file}"
    store = await open_store(url)
    await running(store)
    await store.close()
    return url


async def test_a_full_disk_undoes_the_whole_commit(sqlite: SqlStore) -> None:
    """Entries, posts and row are as before; once there is room the same commit goes through."""
    epoch = await spoken(sqlite, post())
    before = await sqlite.load("p1")
    write = Write(
        entries=(turn(3, "word " * 50_000),), deliveries=(post(3), post(2, withdrawn=True)), summary=summary(turns=9)
    )
    async with sqlite.database.write() as connection:
        await connection.exec_driver_sql("PRAGMA max_page_count = 30")

    with pytest.raises(StoreError, match=r"panelist\.db can not grow: the disk is full; free some space"):
        await sqlite.commit("p1", epoch, write)

    assert await sqlite.load("p1") == before
    assert (await sqlite.summaries(Query()))[0].turns == 0
    async with sqlite.database.write() as connection:
        await connection.exec_driver_sql("PRAGMA max_page_count = 100000")
    await sqlite.commit("p1", epoch, write)
    assert len((await sqlite.load("p1")).entries) == 3


def test_a_file_that_may_not_grow_keeps_every_commit_that_was_done(folder: Path) -> None:
    """A quota: the error names file and remedy, all finished commits are there, and afterwards the store goes on."""
    error, kept, went_on = _run("limited", f"sqlite:///{folder}/panelist.db").splitlines()

    assert f"{folder}/panelist.db can not be read or written: the disk is full, over its quota" in error
    assert "free some space" in error
    assert (kept, went_on) == ("True", "True")


def test_a_read_only_folder_is_named(folder: Path) -> None:
    """A database that can not be made leaves no file behind."""
    (folder / "home").mkdir()
    (folder / "home").chmod(0o555)

    said = _run("unprivileged", f"sqlite:///{folder}/home/panelist.db", f"sqlite:///{folder}/other.db")

    assert said.startswith(f"{folder}/home/panelist.db can not be opened: this user may not write")
    assert "allow writing there, or name another database in DATABASE_URL" in said
    assert list((folder / "home").iterdir()) == []


def test_a_folder_that_can_not_be_made_is_named(folder: Path) -> None:
    """The folder above it is read-only."""
    (folder / "home").mkdir()
    (folder / "home").chmod(0o555)

    said = _run("unprivileged", f"sqlite:///{folder}/home/deep/panelist.db", f"sqlite:///{folder}/other.db")

    assert said.startswith(f"the folder of the database {folder}/home/deep/panelist.db can not be made")
    assert list((folder / "home").iterdir()) == []


async def test_a_read_only_file_can_be_read_and_refuses_to_be_written(folder: Path) -> None:
    """Listing and showing work; the first write says what to do."""
    home = folder / "home"
    url = await _with_a_panel(home / "panelist.db")
    (home / "panelist.db").chmod(0o444)
    home.chmod(0o777)

    said = _run("unprivileged", url, f"sqlite:///{folder}/other.db")

    assert said.startswith(f"opened 1 {home}/panelist.db is read-only for this user; allow writing")
    home.chmod(0o700)


async def test_a_file_in_a_read_only_folder_is_named(folder: Path) -> None:
    """SQLite needs two more files beside it, so it can not even be read there."""
    home = folder / "home"
    url = await _with_a_panel(home / "panelist.db")
    (home / "panelist.db").chmod(0o666)
    home.chmod(0o555)

    said = _run("unprivileged", url, f"sqlite:///{folder}/other.db")

    assert f"{home}/panelist.db" in said
    assert "allow writing" in said
    assert [path.name for path in home.iterdir()] == ["panelist.db"]


async def test_a_new_database_is_for_its_user_alone(tmp_path: Path) -> None:
    """It will hold what people said: neither the folder nor the file is open to others."""
    store = await open_store(f"sqlite:///{tmp_path}/home/panelist.db")
    await store.close()

    assert (tmp_path / "home").stat().st_mode & 0o077 == 0
    assert (tmp_path / "home" / "panelist.db").stat().st_mode & 0o077 == 0


async def test_a_locked_database_is_waited_for_and_then_named(tmp_path: Path) -> None:
    """Reading goes on meanwhile; after the wait the error says what to close; then everything works again."""
    url = await _with_a_panel(tmp_path / "panelist.db")
    store = await open_store(url, busy_seconds=0.05)
    other = sqlite3.connect(tmp_path / "panelist.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match=r"panelist\.db is locked by another program; close that program"):
        await store.commit("p1", 1, Write(entries=(turn(2),), deliveries=(post(),)))
    with pytest.raises(StoreError, match="is locked"):
        await store.signal(said())
    assert (await store.load("p1")).entries == (opened(),)

    other.close()
    await store.commit("p1", 1, Write(entries=(turn(2),), deliveries=(post(),)))
    assert len((await store.load("p1")).entries) == 2
    await store.close()


async def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    """It is somebody's file: named, and not a byte of it changed."""
    file = tmp_path / "notes.txt"
    file.write_text("These are notes, and not a database at all. " * 100)
    before = file.read_bytes()

    with pytest.raises(StoreError, match=r"notes\.txt is not a database; move that file away"):
        await open_store(f"sqlite:///{file}")

    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["notes.txt"]


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    """Named, with the remedy."""
    with pytest.raises(StoreError, match=r"can not be opened: .*it is a folder"):
        await open_store(f"sqlite:///{tmp_path}")


async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """Its tables are not ours, so none of ours are added."""
    other = sqlite3.connect(tmp_path / "panelist.db")
    other.execute("CREATE TABLE photos (id INTEGER)")
    other.close()

    with pytest.raises(StoreError, match=r"panelist\.db belongs to another program \(it holds the table 'photos'\)"):
        await open_store(f"sqlite:///{tmp_path}/panelist.db")

    other = sqlite3.connect(tmp_path / "panelist.db")
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]
    other.close()


async def test_damaged_pages_are_named(tmp_path: Path) -> None:
    """A disk that wrote nonsense: the error says that the file is damaged and how to save what is left."""
    file = tmp_path / "panelist.db"
    url = await _with_a_panel(file)
    raw = file.read_bytes()
    file.write_bytes(raw[:4096] + b"\xa5" * (len(raw) - 4096))

    with pytest.raises(StoreError, match=r"panelist\.db is damaged; restore it from a backup"):
        await open_store(url)


async def test_a_commit_is_synced_before_it_returns(sqlite: SqlStore) -> None:
    """WAL with full synchronisation and foreign keys, and a reading connection that can not write."""
    async with sqlite.database.write() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys")
        found = [await connection.scalar(text(f"PRAGMA {name}")) for name in names]
    async with sqlite.database.read() as connection:
        query_only = await connection.scalar(text("PRAGMA query_only"))

    assert found == ["wal", 2, 1]
    assert query_only == 1
