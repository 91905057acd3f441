"""The commands over several panels of one target: verdicts over time, and findings fixed, open and new."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bot.core.errors import NotFound, UsageError
from bot.core.fold import opened
from bot.core.records.compare import compare, comparison_text
from bot.core.records.record import record
from bot.core.records.trends import Line, trends, trends_table
from bot.core.store import Query, Store
from bot.settings import read_settings

JUDGING = ("review", "council")


@click.command("trends")
@click.argument("target", required=False, metavar="[TARGET]")
@click.option("--persona", metavar="NAME", help="Only this persona, by its short name.")
@click.option("--chart", metavar="FILE", help="Also draw the chart, as a PNG, into this file.")
@click.option("--limit", default=200, type=click.IntRange(1, 10_000), help="How many panels, the newest first.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
def trends_(target: str | None, persona: str | None, chart: str | None, limit: int, as_json: bool) -> int:
    """Verdicts per persona and target over time; TARGET is a target's key or a part of it."""
    lines = _wanted(trends(asyncio.run(_records(limit))), target, persona)
    if chart is not None:
        _draw(lines, Path(chart))
    if as_json:
        click.echo(json.dumps([_row(line) for line in lines], ensure_ascii=False, indent=2))
        return 0
    _print(trends_table(lines))
    if chart is not None:
        click.echo(f"\nChart: {chart}")
    return 0


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
def compare_(first: str, second: str, as_json: bool) -> int:
    """Findings fixed, open and new between two records of one target; A and B are panel ids or record files."""
    found = compare(*asyncio.run(_both(first, second)))
    if as_json:
        click.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
    else:
        _print(comparison_text(found))
    return 0


def _wanted(lines: tuple[Line, ...], target: str | None, persona: str | None) -> tuple[Line, ...]:
    exact = [line for line in lines if line.target == target]
    found = exact or [line for line in lines if target is None or target.casefold() in line.target.casefold()]
    found = [line for line in found if persona is None or line.persona == persona.casefold()]
    if not found:
        known = ", ".join(dict.fromkeys(line.target for line in lines)) or "none yet; `panelist review` makes one"
        raise NotFound(f"no review or council of that target and persona has a verdict. Known targets: {known}")
    return tuple(found)


def _row(line: Line) -> dict[str, Any]:
    return {**asdict(line), "dissent": line.dissent, "vindicated": line.vindicated}


def _draw(lines: tuple[Line, ...], path: Path) -> None:
    from adapters.terminal.chart import trends_chart  # pillow takes its time to import

    if path.suffix.casefold() != ".png":
        raise UsageError(f"--chart draws a PNG; call it {path.stem}.png")
    try:
        path.write_bytes(trends_chart(lines))
    except OSError as fault:
        raise NotFound(f"{path} can not be written: {fault.strerror}") from fault


def _print(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    from adapters.terminal.view import shown

    Console(highlight=False).print(Markdown(shown(text), hyperlinks=False))


async def _records(limit: int) -> list[dict[str, Any]]:
    from bot.wiring import library

    async with library(read_settings()) as shelves:
        rows = await shelves.store.summaries(Query(limit=10_000))
        judged = [row.id for row in rows if row.format in JUDGING and row.verdict][:limit]
        return [await _record(shelves.store, panel) for panel in judged]


async def _both(first: str, second: str) -> tuple[dict[str, Any], dict[str, Any]]:
    from bot.wiring import library

    async with library(read_settings()) as shelves:
        return await _either(shelves.store, first), await _either(shelves.store, second)


async def _either(store: Store, name: str) -> dict[str, Any]:
    """The record of a panel, or of a file that holds one."""
    path = Path(name)
    return _from_file(path) if path.suffix == ".json" else await _record(store, name)


def _from_file(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise NotFound(f"{path} can not be read: {fault.strerror}") from fault
    except ValueError as fault:
        raise UsageError(f"{path} is no record: {fault}") from fault
    if not isinstance(found, dict) or "run_id" not in found:
        raise UsageError(f"{path} is no record of a panel")
    return found


async def _record(store: Store, panel: str) -> dict[str, Any]:
    loaded = await store.load(panel)
    return record(opened(panel, loaded.place, loaded.entries), loaded.deliveries)
