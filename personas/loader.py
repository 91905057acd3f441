"""Persona files become a catalog: from a folder, from the bundled files, from texts of the store.

Every fault of every file is found before anything is refused. Strict loading (for commands) refuses a folder with
any fault; lenient loading (for servers and workspaces) sets the broken files aside and lists them.
"""

import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from bot.core.errors import CatalogError, PersonaFileError
from bot.core.persona import Level, Note, Persona
from bot.core.starting.catalog import Catalog
from personas.assembly import Draft, assembled
from personas.findings import Findings
from personas.finishing import catalog_of, finished
from personas.folder import CONTEXT, Listing, beside, listed
from personas.notes import notes_from, notes_in
from personas.sources import NO_FRONT, Read, read_candidate, read_text
from personas.variants import declared_paths, sibling_bodies, unclaimed

BUNDLED = Path(__file__).resolve().parent


def load(folder: str | Path, *, today: date, level: Level = "deployment", strict: bool = True) -> Catalog:
    """The catalog in a folder, with the notes and variants beside it. `today` judges the dates of notes.

    Raises CatalogError for a folder that is missing or holds no personas, and where `strict`, PersonaFileError
    with all faults of all files. Blocks for seconds where contracts are hostile: call it from a thread.
    """
    listing = listed(Path(folder), str(folder))
    listing, reads, drafts = _read(listing, level, today)
    siblings, about_siblings = sibling_bodies(listing)
    personas = finished(drafts, siblings)
    known = {draft.persona.short_name for draft in drafts}
    notes, about_notes = _context(listing, known, today)
    _judge_bare(reads, only=not drafts)
    said = [*listing.others, *(read.findings for read in reads), *about_siblings, *about_notes]
    said.append(unclaimed(siblings, known, listing.label))
    catalog = catalog_of(personas, said, notes, level, listing.label)
    if strict and catalog.faults:
        raise PersonaFileError(catalog.faults)
    if not catalog.personas and not catalog.faults:
        raise CatalogError(_empty(listing))
    return catalog


def load_bundled() -> Catalog:
    """The personas that come with the program. Raises PersonaFileError where the installation is damaged."""
    listing = listed(BUNDLED, "personas")
    listing, reads, drafts = _read(listing, "bundled", date.min)
    personas = finished(drafts, {})
    said = [*listing.others, *(read.findings for read in reads)]
    catalog = catalog_of(personas, said, {}, "bundled", "the bundled cast")
    if catalog.faults:
        raise PersonaFileError(catalog.faults)
    return catalog


def load_texts(
    texts: Mapping[str, str], *, today: date, level: Level = "workspace", source: str = "this workspace"
) -> Catalog:
    """The catalog of persona files kept as texts, by file name; broken ones are set aside and listed."""
    reads = [read_text(file, texts[file], Findings(file)) for file in sorted(texts)]
    personas = finished(_drafts(reads, level, today), {})
    return catalog_of(personas, (read.findings for read in reads), {}, level, source)


def persona_from_text(file: str, text: str, *, today: date, level: Level = "workspace") -> Persona:
    """The persona in one text, as somebody attached or typed it. Raises PersonaFileError with all its faults."""
    catalog = load_texts({file: text}, today=today, level=level)
    if catalog.faults:
        raise PersonaFileError(catalog.faults)
    return catalog.personas[0]


def _read(listing: Listing, level: Level, today: date) -> tuple[Listing, list[Read], list[Draft]]:
    """All that was read, and drafts of it; files that a persona names as its variants are neither."""
    reads = [read_candidate(each, listing.root, listing.findings(each.origin)) for each in listing.candidates]
    variants = declared_paths(reads)
    reads = [read for read in reads if os.path.realpath(listing.root / read.origin) not in variants]
    return listing.without_folders({os.path.dirname(path) for path in variants}), reads, _drafts(reads, level, today)


def _drafts(reads: list[Read], level: Level, today: date) -> list[Draft]:
    drafts: list[Draft] = []
    for read in reads:
        if read.source is None:
            continue
        notes: tuple[Note, ...] = ()
        if read.context:
            notes = notes_from(read.context, today, read.findings, read.context_line + 1)
        drafts.append(assembled(read.source, level, notes, read.findings))
    return drafts


def _context(listing: Listing, known: set[str], today: date) -> tuple[dict[str, tuple[Note, ...]], list[Findings]]:
    """The notes of the `context` folders within and beside the catalog."""
    inner = listing.root / CONTEXT
    folders = [(inner, f"{listing.label}/{CONTEXT}")] if inner.is_dir() and not inner.is_symlink() else []
    folders += list(beside(listing.root, CONTEXT))
    notes: dict[str, tuple[Note, ...]] = {}
    found: list[Findings] = []
    for folder, label in folders:
        kept, findings = notes_in(folder, label, known, today)
        found += findings
        for short_name, more in kept.items():
            notes[short_name] = (*notes.get(short_name, ()), *more)
    return notes, found


def _judge_bare(reads: list[Read], *, only: bool) -> None:
    """Texts without front matter are papers beside personas, unless the folder holds nothing else."""
    for read in reads:
        if read.bare and only:
            read.findings.fault(1, NO_FRONT)
        elif read.bare:
            read.findings.remark(1, "left out: it has no front matter ('---', 'name: …', '---'), so it is no persona")


def _empty(listing: Listing) -> str:
    left_out = [str(remark) for findings in listing.others for remark in findings.remarks]
    text = f"{listing.label}: the folder holds no personas; 'panelist personas new NAME' writes one to put there"
    return "\n".join((text, *left_out))
