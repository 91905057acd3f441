"""The commands about personas."""

import asyncio
import json
from datetime import UTC, date, datetime
from pathlib import Path

import click

from bot.core.desk.dated import with_changed, with_note, without
from bot.core.errors import Fault, NotAllowed, UsageError
from bot.core.persona import Note, Persona
from bot.core.place import Place
from bot.core.starting.catalog import Catalog, found, summary
from bot.settings import read_settings

HERE = Place(platform="terminal", channel="terminal")

catalog_option = click.option("--catalog", metavar="DIR", help="A folder with personas.")
json_option = click.option("--json", "as_json", is_flag=True, help="As one JSON document.")


@click.group(invoke_without_command=True)
@click.pass_context
def personas(ctx: click.Context) -> int:
    """List, show, check and make personas, and keep notes about them."""
    return int(ctx.invoke(list_, catalog=None, as_json=False)) if ctx.invoked_subcommand is None else 0


@personas.command("list")
@catalog_option
@json_option
def list_(catalog: str | None, as_json: bool) -> int:
    """List the personas at hand, with their level and what they stand in place of."""
    loaded = asyncio.run(_catalog(catalog))
    if as_json:
        _print([{**_row(persona), "in_place_of": _hidden(persona, loaded)} for persona in loaded.personas])
        return 0
    for persona in loaded.personas:
        click.echo(f"{persona.emoji} {persona.short_name:<26} {persona.level:<11} {persona.name}")
        click.echo(f"   {'':<26} {persona.description}")
    for shadowed in loaded.shadowed:
        click.echo(f"shadowed: {shadowed.short_name} ({shadowed.level})")
    for fault in loaded.faults:
        click.echo(f"failed to load: {fault}", err=True)
    click.echo(summary(loaded))
    return 0


@personas.command()
@click.argument("name")
@catalog_option
@json_option
def show(name: str, catalog: str | None, as_json: bool) -> int:
    """Show one persona: what it is, and its file."""
    from personas.writing import export

    persona = found(asyncio.run(_catalog(catalog)), name)
    if as_json:
        notes = [note.model_dump() for note in persona.notes]
        _print({**_row(persona), "variants": sorted(persona.variants), "notes": notes, "document": persona.body})
        return 0
    click.echo(f"{persona.emoji} {persona.name} ({persona.short_name}, {persona.level}, version {persona.version})\n")
    click.echo(export(persona), nl=False)
    return 0


@personas.command()
@click.argument("folder", metavar="DIR")
@json_option
def check(folder: str, as_json: bool) -> int:
    """Check every file of a catalog folder, and report all faults at once. Exit code 1 where there are any."""
    from personas.report import check as checked

    report = checked(folder, today=_today())
    if as_json:
        catalog = report.catalog
        _print(
            {
                "sound": report.sound,
                "personas": [_row(persona) for persona in catalog.personas],
                "faults": [_fault(fault) for fault in catalog.faults],
                "remarks": [_fault(remark) for remark in catalog.remarks],
                "summary": summary(catalog),
            }
        )
    for line in report.lines if not as_json else ():
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
    text = fresh(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise NotAllowed(f"{path} is there already; choose another name or folder") from None
    except OSError as fault:
        raise NotAllowed(f"{path}: can not be written ({fault.strerror}); name another folder with --to") from None
    click.echo(f"{path}: fill it in, then try it with --catalog {folder}")
    return 0


@personas.command()
@click.argument("name")
@click.argument("words", nargs=-1, metavar="[TEXT]")
@click.option("--edit", metavar="ID", help="Replace the text of this note.")
@click.option("--remove", metavar="ID", help="Remove this note.")
@catalog_option
@json_option
def note(
    name: str, words: tuple[str, ...], edit: str | None, remove: str | None, catalog: str | None, as_json: bool
) -> int:
    """Add a dated note about a persona beside the catalog; without a text, list its notes."""
    from personas.context import change_notes, context_folder, notes_of

    text = " ".join(words) or None
    if (
        (edit is not None) + (remove is not None) > 1
        or (remove is not None and text)
        or (edit is not None and not text)
    ):
        raise UsageError("give a TEXT to add, --edit ID with a TEXT, or --remove ID alone")
    settings = read_settings(catalog=catalog)
    persona = found(asyncio.run(_catalog(catalog)), name)
    folder = context_folder(_folder(settings.catalog, settings.home), settings.home)
    today = _today()
    if text is None and remove is None:
        return _listed(persona, notes_of(folder, persona.short_name, today), as_json)

    def change(notes: tuple[Note, ...]) -> tuple[Note, ...]:
        if remove is not None:
            return without(notes, remove)
        if edit is not None:
            return with_changed(notes, edit, text or "", today.isoformat())
        return with_note(notes, text or "", today.isoformat(), frozenset(each.id for each in persona.notes))

    return _listed(persona, change_notes(folder, persona.short_name, today, change), as_json)


def _listed(persona: Persona, notes: tuple[Note, ...], as_json: bool) -> int:
    if as_json:
        _print({"short_name": persona.short_name, "notes": [each.model_dump() for each in notes]})
        return 0
    for each in notes:
        click.echo(f"{each.id:<6} {each.added[:10]}  {' '.join(each.text.split())}")
    if not notes:
        click.echo(f"{persona.name} has no notes here. Add one: panelist personas note {persona.short_name} TEXT")
    return 0


async def _catalog(folder: str | None) -> Catalog:
    from bot.wiring import library

    async with library(read_settings(catalog=folder)) as shelves:
        return await shelves.catalogs.of(HERE)


def _folder(named: str, home: Path) -> str:
    from personas.book import default_folder

    return default_folder(named, home)


def _today() -> date:
    return datetime.now(UTC).date()


def _print(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


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


def _hidden(persona: Persona, catalog: Catalog) -> list[str]:
    """The farther levels that have a persona of this name."""
    return [other.level for other in catalog.shadowed if other.short_name == persona.short_name]


def _fault(fault: Fault) -> dict[str, object]:
    return {"file": fault.file, "line": fault.line or None, "text": fault.text}
