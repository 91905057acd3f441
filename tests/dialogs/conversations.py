"""Which conversations are kept, and how one is made: the command line in a process of its own, rehearsed."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
DOCUMENTS = ("instant-refunds.md", "quiet-receipts.md")
TOPIC = "Should we refund customers before their parcel is back?"
WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One command and what it prints."""

    name: str
    arguments: tuple[str, ...]
    exit_code: int
    typed: str = ""
    """Lines on standard input."""

    @property
    def path(self) -> Path:
        return HERE / f"{self.name}.txt"


CONVERSATIONS = (
    Conversation(name="discussion", arguments=("discuss", TOPIC, "--rounds", "2", "--with", "yuki,imani"), exit_code=0),
    Conversation(name="debate", arguments=("debate", TOPIC), exit_code=0),
    Conversation(name="review-fail", arguments=("review", "instant-refunds.md"), exit_code=1),
    Conversation(name="review-pass", arguments=("review", "quiet-receipts.md"), exit_code=0),
    Conversation(
        name="review-coordinated",
        arguments=("review", "instant-refunds.md", "--mode", "coordinator-summary", "--personas", "yuki,sam"),
        exit_code=1,
    ),
    Conversation(name="council-fail", arguments=("council", "instant-refunds.md"), exit_code=1),
    Conversation(name="council-pass", arguments=("council", "quiet-receipts.md"), exit_code=0),
)


def spoken(conversation: Conversation, folder: Path) -> str:
    """What the command prints, ids and times made alike. Raises AssertionError for another exit code."""
    for name in DOCUMENTS:
        shutil.copy(HERE / name, folder / name)
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "SYSTEMROOT") if key in os.environ}
    settings = {"PANELIST_HOME": "home", "COLUMNS": str(WIDTH), "PANELIST_USER": "maria", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "bot", *conversation.arguments, "--model", "rehearsal", "--quiet"],
        cwd=folder,
        env={**kept, **settings, "PYTHONPATH": str(HERE.parents[1])},
        input=conversation.typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == conversation.exit_code, done.stderr
    command = " ".join(f"“{word}”" if " " in word else word for word in conversation.arguments)
    return f"$ panelist {command}\n\n{_alike(done.stdout)}{_alike(done.stderr)}[exit {done.returncode}]\n"


def _alike(text: str) -> str:
    """The same for every run: no id, no time, no blanks at the ends of lines."""
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-([a-z]+)-[a-z0-9]{8}", r"TIME-\1-ID", text)
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n") + ("\n" if text.strip() else "")
