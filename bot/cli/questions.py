"""What a person at a terminal is asked before a panel starts. Where nobody can be asked, the defaults stand."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import click

from bot.core.options import DURATIONS, FormatName
from bot.core.panel import OPEN
from bot.core.store import Query, Store, Summary

HERE = frozenset({"terminal"})


def moderated(format_name: FormatName, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with style and duration asked for, where a moderator leads and they were not given."""
    asked = dict(options)
    if format_name != "discussion" or not options.get("moderator"):
        return asked
    if "style" not in asked:
        asked["style"] = click.prompt("Style (structured, loose, devil, or your own words)", default="structured")
    if "duration" not in asked and "rounds" not in asked:
        asked["duration"] = click.prompt("Duration", type=click.Choice(list(DURATIONS)), default="standard")
    return asked


async def interrupted(store: Store, format_name: FormatName, *, stale_before: float) -> Summary | None:
    """The newest panel of this terminal and format that rests, or that a crash cut off."""
    dead = await store.ownerless(HERE, stale_before=stale_before)
    for row in await store.summaries(Query(statuses=OPEN, platforms=HERE, limit=20)):
        if row.format == format_name and (row.status != "running" or row.id in dead):
            return row
    return None


def resumes(row: Summary) -> bool:
    """Whether the person wants to go on with that panel instead of starting a fresh one."""
    started = datetime.fromtimestamp(row.created_at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    click.echo(f"A {row.format} is {row.status}: “{row.topic}”, started {started}, ", nl=False)
    click.echo(f"round {row.round} of {row.rounds_max}, ${row.spent_usd:.2f} spent.")
    return click.confirm("Resume it? (No starts a fresh one.)", default=True)
