"""The commands about panels that are there already."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.page import page
from bot.core.errors import NotFound, UsageError
from bot.core.fold import opened
from bot.core.panel import OPEN, Panel
from bot.core.records.record import record
from bot.core.records.transcript import transcript
from bot.core.store import Loaded, Query, Summary
from bot.settings import read_settings

if TYPE_CHECKING:
    from bot.cli.live import Command

PLATFORMS = frozenset({"terminal"})


@click.command()
@click.argument("panel", required=False, metavar="[ID]")
@click.option("--catalog", metavar="DIR", help="A folder with personas.")
@click.option("--model", metavar="M", help="The default model.")
@click.option("--json", "as_json", is_flag=True, help="Print the record, one JSON document, and nothing else.")
@click.option("--quiet", is_flag=True, help="Only what is said.")
@click.option("--yes", is_flag=True, help="Ask no questions.")
@click.pass_context
def resume(ctx: click.Context, /, panel: str | None, **given: str | bool | None) -> int:
    """Go on with a panel that was paused or interrupted; without an ID, the newest."""
    from bot.cli.live import Command

    or_rehearsal = bool((ctx.obj or {}).get("or_rehearsal"))
    command = Command(or_rehearsal=or_rehearsal, **given)  # type: ignore[arg-type]  # click's values fit by name
    return asyncio.run(_resume(command, panel))


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
@click.option("--limit", default=50, type=click.IntRange(1, 1000), help="How many, the newest first.")
def list_(as_json: bool, limit: int) -> int:
    """List the panels, the newest first."""
    rows = asyncio.run(_summaries(Query(limit=limit)))
    if as_json:
        click.echo(json.dumps([_row(row) for row in rows], ensure_ascii=False, indent=2))
    elif not rows:
        click.echo("No panels yet. Start one: panelist discuss TOPIC")
    for row in rows if not as_json else ():
        click.echo(_line(row))
    return 0


@click.command()
@click.argument("panel", metavar="ID")
@click.option("--format", "form", type=click.Choice(["md", "json", "html"]), default="md", help="In which form.")
def show(panel: str, form: str) -> int:
    """Show one panel, running ones too: its transcript, or its record."""
    click.echo(asyncio.run(_shown(panel, form)), nl=False)
    return 0


@click.command()
@click.argument("panel", metavar="ID")
@click.option("--to", "folder", default=".", metavar="DIR", help="The folder to write into.")
def export(panel: str, folder: str) -> int:
    """Write a panel's transcript and record into a folder."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"{folder} can not be made a folder ({fault.strerror}); name another with --to") from fault
    for path in asyncio.run(_exported(panel, Path(folder))):
        click.echo(path)
    return 0


async def _resume(command: "Command", panel: str | None) -> int:
    from bot.cli.live import run_again

    if panel is None:
        rows = await _summaries(Query(statuses=OPEN, platforms=PLATFORMS, limit=1))
        if not rows:
            raise NotFound("there is no panel to resume; `panelist list` shows them all")
        return await run_again(command, rows[0].id)
    _check_resumable(panel, [row for row in await _summaries(Query(limit=10_000)) if row.id == panel])
    return await run_again(command, panel)


def _check_resumable(panel: str, found: list[Summary]) -> None:
    if not found:
        raise NotFound(f"there is no panel {panel!r}; `panelist list` shows them all")
    if found[0].place.platform not in PLATFORMS:
        raise UsageError(f"{panel} runs on {found[0].place.platform}; resume it there")


async def _summaries(query: Query) -> tuple[Summary, ...]:
    from bot.wiring import library

    async with library(read_settings()) as shelves:
        return await shelves.store.summaries(query)


async def _stored(panel: str) -> tuple[Panel, Loaded]:
    from bot.wiring import library

    async with library(read_settings()) as shelves:
        loaded = await shelves.store.load(panel)
    return opened(panel, loaded.place, loaded.entries), loaded


async def _shown(panel: str, form: str) -> str:
    state, loaded = await _stored(panel)
    if form == "json":
        return json.dumps(record(state, loaded.deliveries), ensure_ascii=False, indent=2) + "\n"
    text = transcript(state, undelivered=_withdrawn(loaded))
    return page(state.topic, text) if form == "html" else text


async def _exported(panel: str, folder: Path) -> list[str]:
    from bot.wiring import archive

    state, loaded = await _stored(panel)
    kept = await archive(folder).keep(state, loaded.deliveries)
    return [str(folder / kept.transcript_path), str(folder / kept.record_path)]


def _withdrawn(loaded: Loaded) -> frozenset[int]:
    return frozenset(delivery.turn for delivery in loaded.deliveries if delivery.withdrawn)


def _row(row: Summary) -> dict[str, object]:
    return {
        "panel_id": row.id,
        "format": row.format,
        "topic": row.topic,
        "status": row.status,
        "reason": row.reason or None,
        "round": row.round,
        "rounds_max": row.rounds_max,
        "turns": row.turns,
        "cost_usd": round(row.spent_usd, 6),
        "verdict": row.verdict or None,
        "platform": row.place.platform,
        "started": row.created_at,
    }


def _line(row: Summary) -> str:
    topic = " ".join(row.topic.split())
    return (
        f"{row.id:<24} {row.status:<9} round {row.round}/{row.rounds_max:<3} ${row.spent_usd:<8.4f} "
        f"{topic[:70]}{'…' if len(topic) > 70 else ''}"
    )
