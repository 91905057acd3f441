"""Ctrl-C once and twice, kill -9, words faster than turns, and two commands that want the same panel."""

import os
import pty
import random
import select
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.survival.command import ended, newest, panelist, stands, started, turns

PAIR = ("--with", "pm-lens,educator")
SLOW = {"PANELIST_REHEARSAL_DELAY": "0.15"}


def until(true: Callable[[], bool]) -> None:
    """Wait until it is true, for a while."""
    end = time.monotonic() + 40
    while not true():
        assert time.monotonic() < end, "it never became true"
        time.sleep(0.02)


def discussing(folder: Path, *more: str, said: int = 2, delay: str = "0.15", rounds: int = 4) -> subprocess.Popen[str]:
    """A discussion in which so many turns have been written down."""
    words = ("discuss", "Shall we?", *PAIR, "--rounds", str(rounds), *more)
    process = started(folder, *words, env={"PANELIST_REHEARSAL_DELAY": delay})
    until(lambda: turns(folder) >= said)
    return process


def test_ctrl_c_pauses_says_how_to_resume_and_loses_nothing(tmp_path: Path) -> None:
    """The running turn finishes; the exit code is that of an interruption."""
    process = discussing(tmp_path)

    process.send_signal(signal.SIGINT)
    paused = ended(process)
    panel = newest(tmp_path)
    record = panelist(tmp_path, "resume", "--json").json

    assert paused.code == 130
    assert f"panelist resume {panel}" in paused.out
    assert paused.sentence == ""
    stands(tmp_path, record, 9)
    assert [event["name"] for event in record["events"] if event["name"] in ("paused", "resumed")] == [
        "paused",
        "resumed",
    ]


def test_a_second_ctrl_c_quits_at_once(tmp_path: Path) -> None:
    """Nobody waits for a slow thought; it is lost, and asked for again at the next start."""
    process = discussing(tmp_path, delay="0.15")
    process.kill()
    ended(process)
    slow = started(tmp_path, "resume", env={"PANELIST_REHEARSAL_DELAY": "30"})
    until(lambda: _owned(tmp_path))
    time.sleep(0.5)

    began = time.monotonic()
    slow.send_signal(signal.SIGINT)
    time.sleep(0.3)
    slow.send_signal(signal.SIGINT)
    quit_ = ended(slow)
    took = time.monotonic() - began
    record = panelist(tmp_path, "resume", "--json").json

    assert quit_.code == 130
    assert took < 10
    assert "panelist resume" in quit_.out
    assert quit_.sentence == ""
    stands(tmp_path, record, 9)


def _owned(folder: Path) -> bool:
    """True while some process runs the newest panel."""
    connection = sqlite3.connect(folder / ".panelist" / "panelist.db")
    owner = connection.execute("select owner, epoch from panel order by created_at desc").fetchone()
    connection.close()
    return bool(owner[0]) and owner[1] >= 2


def test_ctrl_c_at_the_prompt_of_a_terminal_pauses_too(tmp_path: Path) -> None:
    """On a real terminal the key arrives as a byte, in the middle of the prompt."""
    ours, theirs = pty.openpty()
    words = ("discuss", "Shall we?", *PAIR, "--rounds", "30")
    env = {"PANELIST_REHEARSAL_DELAY": "0.2", "TERM": "xterm"}
    process = started(tmp_path, *words, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    until(lambda: bool(_shown(ours)) and turns(tmp_path) >= 2)

    os.write(ours, b"\x03")
    shown = ""
    while process.poll() is None:
        shown += _shown(ours)
    shown += _shown(ours)
    os.close(ours)

    assert process.returncode == 130
    assert "panelist resume" in shown
    assert "Traceback" not in shown


def _shown(terminal: int) -> str:
    """What came onto the screen since."""
    shown = b""
    while select.select([terminal], [], [], 0.05)[0]:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # nobody holds the other end any more
            break
    return shown.decode(errors="replace")


def test_lines_that_come_faster_than_turns_are_all_heard_in_order(tmp_path: Path) -> None:
    """Fifty lines a second while turns take longer: each stands in the record, in the order in which it was typed."""
    process = discussing(tmp_path, "--json", said=1, rounds=8)
    assert process.stdin is not None
    lines = [f"And what about point {number}?" for number in range(100)]

    for line in lines:
        process.stdin.write(line + "\n")
        process.stdin.flush()
        time.sleep(0.02)
    record = ended(process).json

    assert [human["text"] for human in record["humans"]] == lines
    stands(tmp_path, record, 17)


def test_piped_words_steer_from_the_start(tmp_path: Path) -> None:
    """`printf … | panelist discuss` is heard like a person, also when all of it comes at once."""
    words = ("discuss", "Shall we?", *PAIR, "--rounds", "6", "--json")
    process = started(tmp_path, *words, env=SLOW)

    told = ended(process, "steer: be brief\nWhat does it cost?\nwrap up\n")

    record = told.json
    assert told.code == 0
    assert [(h["text"], h["taken_as"]) for h in record["humans"]] == [
        ("be brief", "directive"),
        ("What does it cost?", "contribution"),
        ("wrap up", "control"),
    ]
    assert record["rounds_done"] == 1


def test_resumed_twice_at_once_one_command_runs_it_and_the_other_is_told(tmp_path: Path) -> None:
    """Two people, or one who is impatient: the panel is run once."""
    process = discussing(tmp_path)
    process.send_signal(signal.SIGINT)
    ended(process)
    panel = newest(tmp_path)

    both = [started(tmp_path, "resume", panel, "--json", env=SLOW) for _ in range(2)]
    results = sorted((ended(one) for one in both), key=lambda result: result.code)

    assert [result.code for result in results] == [0, 1]
    assert "is run by" in results[1].sentence
    stands(tmp_path, results[0].json, 9)


def _said_more(folder: Path, process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    """The process, once it has said something, or ended."""
    said = turns(folder)
    until(lambda: turns(folder) > said or process.poll() is not None)
    return process


def test_a_command_that_is_killed_is_resumed_with_nothing_lost_and_nothing_said_twice(tmp_path: Path) -> None:
    """kill -9 at random instants of the real program, three times over; then it comes to its end."""
    chance = random.Random(int(os.environ.get("SOAK_SEED", "20261130")))
    process = discussing(tmp_path, "--json", delay="0.02", rounds=20)
    for _ in range(3):
        time.sleep(chance.uniform(0.0, 0.3))
        process.kill()
        ended(process)
        process = _said_more(tmp_path, started(tmp_path, "resume", "--json", env={"PANELIST_REHEARSAL_DELAY": "0.02"}))

    record = ended(process).json

    stands(tmp_path, record, 41)
