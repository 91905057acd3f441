"""How soon the command line answers: `python -m benchmarks command`.

`--help` is compared with importing pydantic and click, the two libraries that every command needs (the command line is
built on click alone, without typer).
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

from benchmarks.line import Line, at_most, shown

TRIES = 7
BASE = ("-c", "import pydantic, click")


def main() -> int:
    """Print the lines; 1 where one does not reach what it must."""
    with TemporaryDirectory() as folder:
        return shown(_lines(folder))


def _lines(folder: str) -> list[Line]:
    helps, bases = [], []
    for _ in range(TRIES):
        helps.append(_seconds(folder, "-m", "bot", "--help"))
        bases.append(_seconds(folder, *BASE))
    ratio = statistics.median(helps) / statistics.median(bases)
    words = sorted(_first_words(folder) for _ in range(TRIES))
    return [
        at_most("`panelist --help`, in imports of pydantic and click", ratio, 2),
        at_most("first persona's words after Enter (rehearsal), the quickest", words[0], 2, " s"),
        Line(text=f"  the same, median of {TRIES}: {statistics.median(words):.2f} s"),
    ]


def _seconds(folder: str, *arguments: str) -> float:
    """How long Python takes for that, start and end included."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, check=True)
    return time.perf_counter() - began


def _first_words(folder: str) -> float:
    """Seconds until the first line that a persona says stands on the screen."""
    command = [sys.executable, "-m", "bot", "discuss", "Shall we rewrite it?", "--rounds", "1", "--model", "rehearsal"]
    began = time.perf_counter()
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        took = _said(process.stdout.readline, began)
        process.stdout.read()
    return took


def _said(line: Callable[[], str], began: float) -> float:
    """Behind the round's rule come an empty line, the speaker's name, and then the words."""
    after = 0
    while text := line():
        after += bool(after) or "Round 1" in text
        if after == 4:
            return time.perf_counter() - began
    raise RuntimeError("nobody said anything")


if __name__ == "__main__":
    sys.exit(main())
