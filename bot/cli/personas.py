"""The commands about personas."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import click

from bot.core.catalog import Catalog, found, summary
from bot.core.errors import NotAllowed
from bot.core.persona import Persona
from bot.core.place import Place
from bot.settings import read_settings

HERE = Place(platform="terminal", channel="terminal")


@click.group()
def personas() -> None:
    """List, show and check personas."""


@personas.command("list")
@click.option("--catalog", metavar="DIR", help="A folder with personas.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
def list_(catalog: str | None, as_json: bool) -> int:
    """List the personas at hand, with their level."""
    loaded = asyncio.run(_catalog(catalog))
    if as_json:
        click.echo(json.dumps([_row(persona) for persona in loaded.personas], ensure_ascii=False, indent=2))
        return 0
    for persona in loaded.personas:
        click.echo(f"{persona.emoji} {persona.short_name:<26} {persona.level:<11} {persona.name}")
        click.echo(f"   {'':<26} {persona.description}")
    for shadowed in loaded.shadowed:
        click.echo(f"shadowed: {shadowed.short_name} ({shadowed.level})")
    click.echo(summary(loaded))
    return 0


@personas.command()
@click.argument("name")
@click.option("--catalog", metavar="DIR", help="A folder with personas.")
def show(name: str, catalog: str | None) -> int:
    """Show one persona: what it is, and its document."""
    from personas.writing import export

    persona = found(asyncio.run(_catalog(catalog)), name)
    click.echo(f"{persona.emoji} {persona.name} ({persona.short_name}, {persona.level}, version {persona.version})\n")
    click.echo(export(persona))
    return 0


@personas.command()
@click.argument("folder", metavar="DIR")
def check(folder: str) -> int:
    """Check every file of a catalog folder, and report all faults at once."""
    from personas.report import check as checked

    report = checked(folder, today=datetime.now(UTC).date())
    for line in report.lines:
        click.echo(line)
    return 0 if report.sound else 1


@personas.command()
@click.argument("name")
@click.option("--to", "folder", default=".", metavar="DIR", help="The folder to write into.")
def new(name: str, folder: str) -> int:
    """Write a fresh persona file to start from."""
    from personas.writing import file_name
    from personas.writing import new as fresh

    path = Path(folder) / file_name(name)
    if path.exists():
        raise NotAllowed(f"{path} is there already; choose another name or folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(fresh(name), encoding="utf-8")
    click.echo(f"{path}: fill it in, then try it with --catalog {folder}")
    return 0


async def _catalog(folder: str | None) -> Catalog:
    from bot.wiring import library

    async with library(read_settings(catalog=folder)) as shelves:
        return await shelves.catalogs.of(HERE)


def _row(persona: Persona) -> dict[str, object]:
    return {
        "short_name": persona.short_name,
        "name": persona.name,
        "description": persona.description,
        "tier": persona.tier,
        "tags": list(persona.tags),
        "version": persona.version,
        "level": persona.level,
        "model": persona.model or None,
    }
