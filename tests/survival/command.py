"""The command line as a process of its own, in a folder of its own."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENV = {"PANELIST_SETTLE": "1", "PANELIST_STALE": "2", "PANELIST_BEAT": "0.2"}
PATIENCE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A command that came to its end."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """What stderr says; it is never a traceback."""
        assert "Traceback" not in self.err, self.err
        return self.err.strip()


def started(folder: Path, *arguments: str, env: Mapping[str, str] | None = None, **more: Any) -> subprocess.Popen[str]:
    """`panelist …`, running in that folder with the rehearsal voices; input and output are pipes."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    command = [sys.executable, "-m", "bot", *arguments]
    environment = {**os.environ, **ENV, "PANELIST_MODEL": "rehearsal", **(env or {})}
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes)


def ended(process: subprocess.Popen[str], said: str = "") -> Ended:
    """How it ended, after these lines were typed and the input was closed."""
    out, err = process.communicate(said, timeout=PATIENCE)
    return Ended(code=process.returncode, out=out, err=err)


def panelist(folder: Path, *arguments: str, env: Mapping[str, str] | None = None, **more: Any) -> Ended:
    """One command from its start to its end, with nothing typed."""
    return ended(started(folder, *arguments, env=env, **more))


def no_file_grows_beyond(size: int) -> Callable[[], None]:
    """For `preexec_fn`: what a full disk or a quota does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def newest(folder: Path) -> str:
    """The id of the newest panel."""
    rows = panelist(folder, "list", "--json").json
    return str(rows[0]["panel_id"])


def turns(folder: Path) -> int:
    """So many turns are written down in that folder's database."""
    file = folder / ".panelist" / "panelist.db"
    if not file.exists():
        return 0
    connection = sqlite3.connect(file)
    try:
        count: int = connection.execute('select count(*) from entry where body like \'%"kind":"turn"%\'').fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()
    return count


def thread(folder: Path, panel: str) -> list[str]:
    """The keys of what was said in the panel's thread, the card left out."""
    lines = (folder / ".panelist" / "threads" / f"{panel}.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines if line.endswith("}")]
    return [row["key"] for row in rows if row["kind"] != "card" and not row["removed"]]


def stands(folder: Path, record: Mapping[str, Any], expected: int) -> None:
    """The record's turns are complete, each stands in the thread once, in the order of the log."""
    assert record["status"] == "finished"
    seqs = [turn["seq"] for turn in record["turns"]]
    assert len(seqs) == expected
    assert {turn["status"] for turn in record["turns"]} == {"posted"}
    keys = thread(folder, record["panel_id"])
    assert keys == [f"{record['panel_id']}:{seq}:1" for seq in seqs]
    assert max(Counter(keys).values()) == 1
