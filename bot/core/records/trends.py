"""Verdicts over time, per target and persona. The minority voices of earlier panels are the signal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

COLUMNS = 8
"""Panels that a table shows side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One persona's verdict in one panel."""

    panel: str
    at: str
    """ISO 8601, when the panel started."""
    verdict: str
    final: str
    """What the panel came to."""

    @property
    def dissents(self) -> bool:
        """It stood against the panel's verdict; an abstention does not."""
        return self.verdict != self.final and self.verdict != "N/A"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One persona's verdicts on one target, oldest first."""

    target: str
    """The target's key."""
    title: str
    persona: str
    """Short name."""
    points: tuple[Point, ...]

    @property
    def dissent(self) -> int:
        """How often it stood against the panel's verdict."""
        return sum(point.dissents for point in self.points)

    @property
    def vindicated(self) -> bool:
        """It dissented once, and the newest panel came to what it had said."""
        newest = self.points[-1].final.casefold() if self.points else ""
        return any(point.dissents and point.verdict.casefold() == newest for point in self.points[:-1])


def trends(records: Iterable[Mapping[str, Any]]) -> tuple[Line, ...]:
    """The lines of all reviews and councils among the records that came to a verdict; by target, then persona."""
    found: dict[tuple[str, str], list[Point]] = {}
    titles: dict[str, str] = {}
    for record in sorted(records, key=lambda one: str(one.get("started", ""))):
        target, kept = record.get("target"), record.get("consolidation")
        if not target or not kept:
            continue
        titles[str(target["key"])] = str(target["title"])
        for output in record.get("outputs", []):
            point = Point(
                panel=str(record["run_id"]),
                at=str(record["started"]),
                verdict=str(output["verdict"]),
                final=str(kept["final_verdict"]),
            )
            found.setdefault((str(target["key"]), str(output["persona_name"])), []).append(point)
    return tuple(
        Line(target=target, title=titles[target], persona=persona, points=tuple(points))
        for (target, persona), points in sorted(found.items())
    )


def trends_table(lines: tuple[Line, ...]) -> str:
    """The lines as Markdown: a table a target, a numbered column a panel, dissenting verdicts in bold."""
    return "\n\n".join(
        _table([line for line in lines if line.target == target])
        for target in dict.fromkeys(line.target for line in lines)
    )


def _table(lines: list[Line]) -> str:
    """One target's table; the newest panels where there are many."""
    every = sorted({(point.at, point.panel, point.final) for line in lines for point in line.points})
    panels = every[-COLUMNS:]
    first = len(every) - len(panels) + 1
    numbers = [str(number) for number in range(first, len(every) + 1)]
    rows = [f"| persona | {' | '.join(numbers)} | dissent |", f"|---|{'---|' * len(panels)}---:|"]
    rows.append(f"| **panel** | {' | '.join(final for _, _, final in panels)} | |")
    rows += [_row(line, [panel for _, panel, _ in panels]) for line in lines]
    legend = [f"- {number}: {at[:10]}, {panel}" for number, (at, panel, _) in zip(numbers, panels, strict=True)]
    return f"**{lines[0].title}** (`{lines[0].target}`)\n\n" + "\n".join(rows) + "\n\n" + "\n".join(legend)


def _row(line: Line, panels: list[str]) -> str:
    said = {point.panel: point for point in line.points}
    cells = [_cell(said[panel]) if panel in said else "" for panel in panels]
    mark = ", then right" if line.vindicated else ""
    return f"| {line.persona} | {' | '.join(cells)} | {line.dissent}{mark} |"


def _cell(point: Point) -> str:
    return f"**{point.verdict}**" if point.dissents else point.verdict
