"""One line of a bench: what was measured, what must be reached, and whether it was."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One measured figure."""

    text: str
    reached: bool = True


def at_most(what: str, value: float, most: float, unit: str = "") -> Line:
    """A figure that must not be larger."""
    return Line(text=f"{what}: {value:.2f}{unit} (at most {most:g}{unit})", reached=value <= most)


def at_least(what: str, value: float, least: float, unit: str = "") -> Line:
    """A figure that must not be smaller."""
    return Line(text=f"{what}: {value:.2f}{unit} (at least {least:g}{unit})", reached=value >= least)


def shown(lines: Iterable[Line]) -> int:
    """Print the lines; 1 where one does not reach what it must."""
    found = list(lines)
    for line in found:
        print(f"{line.text}{'' if line.reached else '   <-- missed'}")
    return 0 if all(line.reached for line in found) else 1
