"""`python -m benchmarks [NAME …]`: the measured ratios, all of them or those named.

All of them together are kept in `benchmarks/RESULTS.md`, with the machine on which they were measured.
"""

import io
import os
import platform
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"


def _of(module: str) -> Callable[[], int]:
    """That module's bench, imported when it is run."""

    def run() -> int:
        result: int = import_module(f"benchmarks.{module}").main()
        return result

    return run


NAMES = ("engine", "length", "command", "tokens", "slack", "discord")
BENCHES: Mapping[str, Callable[[], int]] = {name: _of(name) for name in NAMES}
"""Name → what prints its lines and returns 0 where all reach what they must."""


class _Both(io.StringIO):
    """Shows what is written, and keeps it."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)  # type: ignore[union-attr]  # a program with a terminal or a pipe
        sys.__stdout__.flush()  # type: ignore[union-attr]  # as above
        return super().write(text)


def main(names: list[str]) -> int:
    """Run the benches; the worst of their results."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"unknown bench: {', '.join(unknown)}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    found = {name: _run(name) for name in names or BENCHES}
    if not names:
        RESULTS.write_text(_page({name: text for name, (_, text) in found.items()}), encoding="utf-8")
    return max(code for code, _ in found.values())


def _run(name: str) -> tuple[int, str]:
    """The bench's result, and what it printed."""
    print(f"\n{name}")
    with redirect_stdout(_Both()) as kept:
        code = BENCHES[name]()
    return code, kept.getvalue()


def _page(texts: Mapping[str, str]) -> str:
    parts = [
        "# What `make bench` measured",
        "Ratios within one run; seconds tell of the machine and of what else it did at the time.",
        f"Machine: {machine()}. Day: {datetime.now(UTC):%Y-%m-%d}.",
    ]
    parts += [f"## {name}\n\n```\n{text.strip()}\n```" for name, text in texts.items()]
    return "\n\n".join(parts) + "\n"


def machine() -> str:
    """Processors, system and Python; nothing that names the machine."""
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} processors ({platform.machine()}), {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, load {load:.1f} at the end"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
