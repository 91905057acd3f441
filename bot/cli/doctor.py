"""`panelist doctor`: what is set up, what is missing, and the remedy for each."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from bot.core.errors import PanelistError
from bot.core.place import Place
from bot.settings import Settings, read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the report."""

    sign: str
    """`ok`, `note` (works, but somebody should know) or `fault`."""
    subject: str
    text: str


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
def doctor(as_json: bool) -> int:
    """Check settings, database, catalog, models and platforms; exit 1 where something is broken."""
    settings = read_settings()
    findings = asyncio.run(examined(settings))
    code = 1 if any(finding.sign == "fault" for finding in findings) else 0
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
        return code
    for finding in findings:
        mark = {"ok": "✓", "note": "·", "fault": "✗"}[finding.sign]
        click.echo(f"{mark} {finding.subject}: {finding.text}")
    return code


async def examined(settings: Settings) -> list[Finding]:
    """Every finding, the broken ones too."""
    version = ".".join(map(str, sys.version_info[:3]))
    findings = [Finding(sign="ok", subject="Python", text=version)]
    for subject, examine in (("Database", _database), ("Personas", _personas), ("Roots", _roots), ("Model", _model)):
        findings.append(await _safely(subject, examine, settings))
    return findings + await _platforms(settings)


async def _platforms(settings: Settings) -> list[Finding]:
    """What the chat platforms say; that none is set up is no fault."""
    from bot.wiring import SystemClock, configured, library
    from bot.wiring.surfaces import examined as asked

    if not configured(settings):
        return [Finding(sign="note", subject="Platforms", text="none is set up; the terminal room works (README)")]
    try:
        async with library(settings, strict=False) as shelves:
            rows = await asked(settings, shelves.shelf, SystemClock())
    except PanelistError as fault:
        return [Finding(sign="fault", subject="Platforms", text=str(fault))]
    return [Finding(sign=sign, subject=subject, text=text) for sign, subject, text in rows]


async def _safely(subject: str, examine: Callable[[Settings], Awaitable[Finding]], settings: Settings) -> Finding:
    try:
        return await examine(settings)
    except PanelistError as fault:
        return Finding(sign="fault", subject=subject, text=str(fault))


async def _database(settings: Settings) -> Finding:
    from bot.wiring import library

    async with library(settings):
        where = "SQLite" if settings.database.startswith("sqlite") else "PostgreSQL"
        return Finding(sign="ok", subject="Database", text=f"{where}, up to date")


async def _personas(settings: Settings) -> Finding:
    from bot.core.starting.catalog import summary
    from bot.wiring import library

    async with library(settings) as shelves:
        return Finding(
            sign="ok", subject="Personas", text=summary(await shelves.catalogs.of(Place(platform="terminal")))
        )


async def _roots(settings: Settings) -> Finding:
    missing = [name for name, folder in settings.roots.items() if not await asyncio.to_thread(Path(folder).is_dir)]
    if missing:
        return Finding(sign="fault", subject="Roots", text=f"no folder for {', '.join(missing)}; mend PANELIST_ROOTS")
    return Finding(sign="ok", subject="Roots", text=", ".join(settings.roots) or "none besides the working folder")


async def _model(settings: Settings) -> Finding:
    from bot.core.speech.model_names import NOTHING_CONFIGURED

    if settings.model == "rehearsal":
        return Finding(sign="note", subject="Model", text="rehearsal: no AI")
    if not settings.has_provider:
        return Finding(sign="fault", subject="Model", text=NOTHING_CONFIGURED)
    return Finding(sign="ok", subject="Model", text="configured")
