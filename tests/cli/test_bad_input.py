"""Wrong words, files and settings: one clear sentence, the right exit code, no traceback, and no panel left behind."""

import json
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.cli.app import run

GOOD = "---\nname: Ada Lowell\nshort_name: ada\ndescription: Counts.\n---\nSpeaks plainly.\n"
BROKEN = "---\nname: Bo Ridge\nshort_name: bo\ncolour: blue\n---\nSpeaks plainly.\n"
REHEARSED = ("--model", "rehearsal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One wrong call."""

    arguments: tuple[str, ...]
    code: int
    says: tuple[str, ...]
    """What the sentence holds: the thing, the place, the remedy."""
    files: dict[str, bytes] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)


def discuss(*more: str) -> tuple[str, ...]:
    """A discussion that would run, but for what is wrong with it."""
    return ("discuss", "Shall we?", *REHEARSED, *more)


ROWS: dict[str, Row] = {
    "unknown persona": Row(arguments=discuss("--with", "ada,pm-lens"), code=1, says=("'ada'", "Known: ", "pm-lens")),
    "ambiguous persona": Row(arguments=discuss("--with", "lens,educator"), code=1, says=("lens", "pm-lens")),
    "unknown moderator": Row(arguments=discuss("--moderator", "nobody"), code=1, says=("'nobody'", "Known: ")),
    "one voice": Row(arguments=discuss("--with", "pm-lens"), code=2, says=("needs two voices", "--with")),
    "broken front matter": Row(
        arguments=discuss("--catalog", "cast"),
        code=1,
        says=("cast/bo.md:4: ", "'colour'", "known keys"),
        files={"cast/bo.md": BROKEN.encode(), "cast/ada.md": GOOD.encode()},
    ),
    "missing catalog": Row(arguments=discuss("--catalog", "nowhere"), code=2, says=("nowhere", "create it")),
    "empty catalog": Row(
        arguments=discuss("--catalog", "cast"), code=2, says=("cast", "no personas"), files={"cast/.keep": b""}
    ),
    "missing file": Row(arguments=discuss("--file", "gone.md"), code=1, says=("not found: gone.md",)),
    "folder as file": Row(arguments=discuss("--file", "f"), code=1, says=("f is a folder",), files={"f/a": b"a"}),
    "binary file": Row(
        arguments=discuss("--file", "a.bin"),
        code=1,
        says=("a.bin is binary", "text"),
        files={"a.bin": bytes(range(256)) * 9},
    ),
    "huge file": Row(
        arguments=discuss("--file", "big.txt"),
        code=1,
        says=("big.txt is too large", "at most"),
        files={"big.txt": b"word " * 2_200_000},
    ),
    "undecodable file": Row(
        arguments=discuss("--file", "odd.txt"),
        code=1,
        says=("odd.txt",),
        files={"odd.txt": b"\xff\xfe\x00\xd8\x00\xd8"},
    ),
    "empty file": Row(
        arguments=discuss("--file", "e.txt"), code=1, says=("e.txt holds no text",), files={"e.txt": b" \n"}
    ),
    "blank topic": Row(arguments=("discuss", "  ", *REHEARSED), code=2, says=("topic is blank", "leave it out")),
    "no rounds": Row(arguments=discuss("--rounds", "0"), code=2, says=("--rounds", "from 1 to 200", "'0'")),
    "too many rounds": Row(arguments=discuss("--rounds", "10000"), code=2, says=("--rounds", "from 1 to 200")),
    "rounds in words": Row(arguments=discuss("--rounds", "many"), code=2, says=("--rounds", "'many'")),
    "negative cost": Row(arguments=discuss("--max-cost", "-1"), code=2, says=("--max-cost", "above 0", "'-1'")),
    "cost that is no number": Row(arguments=discuss("--max-cost", "nan"), code=2, says=("--max-cost", "'nan'")),
    "unknown option": Row(arguments=discuss("--modrator", "x"), code=2, says=("--modrator", "--moderator", "--help")),
    "option without a value": Row(arguments=discuss("--rounds"), code=2, says=("--rounds",)),
    "unknown command": Row(arguments=("discus",), code=2, says=("'discus'", "--help")),
    "style without a moderator": Row(arguments=discuss("--style", "loose"), code=2, says=("--style", "--moderator")),
    "until-done without a moderator": Row(
        arguments=discuss("--duration", "until-done"), code=2, says=("until-done", "--moderator")
    ),
    "unknown duration": Row(arguments=discuss("--duration", "eternal"), code=2, says=("--duration", "standard")),
    "no model configured": Row(
        arguments=("discuss", "Shall we?"), code=3, says=("no model is configured", "ANTHROPIC_API_KEY", "rehearsal")
    ),
    "unknown panel to resume": Row(arguments=("resume", "nothing"), code=1, says=("'nothing'", "panelist list")),
    "no panel to resume": Row(arguments=("resume",), code=1, says=("no panel to resume",)),
    "unknown panel to show": Row(arguments=("show", "nothing"), code=1, says=("'nothing'", "panelist list")),
    "unknown panel to export": Row(arguments=("export", "nothing"), code=1, says=("'nothing'",)),
    "unknown persona to show": Row(arguments=("personas", "show", "nobody"), code=1, says=("'nobody'",)),
    "setting that is no number": Row(
        arguments=("list",), code=2, says=("PANELIST_SETTLE", "number"), env={"PANELIST_SETTLE": "soon"}
    ),
    "here without a thread": Row(arguments=("council", "here"), code=2, says=("no conversation here",)),
    "persona's name with a slash": Row(arguments=("personas", "new", "../x"), code=2, says=("slash", "--to")),
    "roots that are no JSON": Row(
        arguments=("list",), code=2, says=("PANELIST_ROOTS", "JSON"), env={"PANELIST_ROOTS": "docs"}
    ),
    "unknown database": Row(
        arguments=("list",), code=1, says=("DATABASE_URL", "sqlite:///"), env={"DATABASE_URL": "mysql://me@here/x"}
    ),
    "file that is no database": Row(
        arguments=("list",),
        code=1,
        says=("not.db", "is not a database"),
        files={"not.db": b"This is a letter, and no database at all. " * 40},
        env={"DATABASE_URL": "sqlite:///not.db"},
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_is_wrong_is_said_in_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The thing, the place and the remedy on stderr; nothing on stdout; the exit code of its kind."""
    row = ROWS[name]
    _prepare(row, tmp_path, monkeypatch)

    code = run(list(row.arguments))
    shown = capsys.readouterr()

    assert code == row.code, shown.err
    assert shown.out == ""
    assert shown.err.startswith("Error: ")
    for words in row.says:
        assert words in shown.err
    assert "Traceback" not in shown.err
    assert len(shown.err.strip().splitlines()) <= 3
    assert _panels(tmp_path) == 0


@pytest.mark.parametrize("name", ["no rounds", "unknown persona", "no model configured"])
def test_with_json_the_error_is_a_document_of_its_own(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script finds the sentence and the code on stdout, and nothing else there."""
    row = ROWS[name]
    _prepare(row, tmp_path, monkeypatch)

    code = run([*row.arguments, "--json"])
    told = json.loads(capsys.readouterr().out)

    assert told["error"]["exit_code"] == code == row.code
    assert row.says[0] in told["error"]["message"]


def _prepare(row: Row, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in row.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    for name, value in row.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(folder)


def _panels(folder: Path) -> int:
    """So many panels are in the default database, if there is one."""
    file = folder / ".panelist" / "panelist.db"
    if not file.exists():
        return 0
    with sqlite3.connect(file) as connection:
        count: int = connection.execute("select count(*) from panel").fetchone()[0]
    connection.close()
    return count
