"""A full disk, a locked, newer or damaged database, a read-only folder: clear words, and nothing half-written."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.survival.command import (
    ENV,
    ended,
    newest,
    no_file_grows_beyond,
    panelist,
    stands,
    started,
    turns,
)

SHORT = ("discuss", "Shall we?", "--with", "pm-lens,educator", "--rounds", "1", "--json")
SHORT_TURNS = 3


def test_a_disk_that_fills_up_ends_the_command_and_the_panel_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """The sentence names file and remedy; every finished commit is there; the panel then comes to its whole end."""
    long = ("discuss", "Shall we?", "--with", "pm-lens,educator", "--rounds", "12", "--json")

    full = panelist(tmp_path, *long, preexec_fn=no_file_grows_beyond(400_000))
    written = turns(tmp_path)
    record = panelist(tmp_path, "resume", "--json").json

    assert full.code == 1
    assert "disk is full" in full.sentence
    assert "free some space" in full.sentence
    assert 0 < written < 25
    assert list(tmp_path.rglob(".writing-*")) == []
    stands(tmp_path, record, 25)


def test_a_disk_without_room_for_the_transcript_ends_the_panel_and_says_so(tmp_path: Path) -> None:
    """No half of a file is left; the log keeps the reason, and the next run keeps the files."""
    home = tmp_path / ".panelist"
    home.mkdir()
    (home / "transcripts").write_text("a file where the folder should be")

    first = panelist(tmp_path, *SHORT)
    (home / "transcripts").unlink()
    again = panelist(tmp_path, "resume", newest(tmp_path), "--json")

    assert "transcripts" in next(event["reason"] for event in first.json["events"] if event["name"] == "not kept")
    assert (first.code, first.json["transcript_path"]) == (0, None)
    assert (again.code, (home / again.json["transcript_path"]).exists()) == (0, True)


def test_a_database_that_another_program_locks_in_the_middle_ends_the_command(tmp_path: Path) -> None:
    """After the time for which a lock is waited for; the panel then goes on where it was."""
    process = started(
        tmp_path, *SHORT[:-2], "6", "--json", env={"PANELIST_REHEARSAL_DELAY": "0.1", "PANELIST_BEAT": "60"}
    )
    _until(lambda: turns(tmp_path) >= 2)
    blocker = sqlite3.connect(tmp_path / ".panelist" / "panelist.db", isolation_level=None)
    blocker.execute("begin immediate")

    locked = ended(process)
    blocker.execute("rollback")
    blocker.close()
    record = panelist(tmp_path, "resume", "--json").json

    assert locked.code == 1
    assert "is locked by another program" in locked.sentence
    stands(tmp_path, record, 13)


def _until(true: object) -> None:
    """Wait until it is true, for a while."""
    end = time.monotonic() + 30
    while not true():  # type: ignore[operator]  # a condition
        assert time.monotonic() < end, "it never became true"
        time.sleep(0.02)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="panelist-nobody-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_read_only_folder_is_named_and_stays_as_it_was(open_folder: Path) -> None:
    """As an unprivileged user: the home folder can not be made there."""
    warm_up, home = open_folder / "warm", open_folder / "home"
    warm_up.mkdir()
    home.mkdir()
    home.chmod(0o555)

    command = [sys.executable, "-m", "tests.survival.as_nobody", str(warm_up), str(home), *SHORT[:-1]]
    env = {**os.environ, **ENV, "PANELIST_MODEL": "rehearsal"}
    refused = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)

    assert refused.returncode == 1
    assert "panelist.db can not be made" in refused.stderr
    assert "allow writing there" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("words", [("list",), ("resume",), SHORT], ids=["list", "resume", "discuss"])
def test_a_database_of_a_newer_version_is_left_alone(words: tuple[str, ...], tmp_path: Path) -> None:
    """An older program neither reads nor writes it, and says which way on."""
    panelist(tmp_path, *SHORT)
    file = tmp_path / ".panelist" / "panelist.db"
    _sql(file, "update alembic_version set version_num = 'v9999'")
    before = hashlib.sha256(file.read_bytes()).hexdigest()

    refused = panelist(tmp_path, *words)

    assert refused.code == 1
    assert "newer" in refused.sentence
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before


def test_a_damaged_entry_is_named_and_the_other_panels_can_still_be_read(tmp_path: Path) -> None:
    """Panel and entry are named; nothing of what it said is shown; listing and other panels work."""
    panelist(tmp_path, *SHORT)
    damaged = newest(tmp_path)
    panelist(tmp_path, *SHORT)
    sound = newest(tmp_path)
    file = tmp_path / ".panelist" / "panelist.db"
    _sql(file, f"update entry set body = replace(body, '\"kind\"', '\"secret') where panel = '{damaged}' and seq = 3")

    shown, resumed = panelist(tmp_path, "show", damaged), panelist(tmp_path, "resume", damaged)

    for refused in (shown, resumed):
        assert refused.code == 1
        assert f"panel {damaged}: entry 3 is damaged" in refused.sentence
    assert panelist(tmp_path, "show", sound).code == 0
    assert {row["panel_id"] for row in panelist(tmp_path, "list", "--json").json} == {damaged, sound}


def _sql(file: Path, statement: str) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(statement)
    connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()
