"""The deployment's notes: `context/<short-name>.json` beside a catalog, read and changed from the command line.

Also: whether anything at that level has changed since it was last read.
"""

import os
from collections.abc import Callable, Mapping
from datetime import date
from itertools import islice
from pathlib import Path

from bot.core.desk.dated import value_of_notes
from bot.core.errors import NotAllowed, PersonaFileError
from bot.core.persona import Note
from personas.findings import Findings
from personas.folder import CONTEXT
from personas.notes import MAX_NOTES_FILE, notes_from, notes_in
from personas.reading import Unreadable, text_of

Stamp = tuple[tuple[str, int, int], ...]
"""Path, time of change and size of every file at the deployment's level, as far as it tells that one has changed."""

_STAMPED = 5000
"""So many entries of one folder are looked at."""


def stamp_of(catalog: Path | None, home: Path | None) -> Stamp:
    """The stamp of a catalog folder with its notes and variants, or of a home folder's notes."""
    if catalog is None:
        return _stamps(home / CONTEXT, 1) if home else ()
    beside = [catalog.parent / CONTEXT, *sorted(catalog.parent.glob("*-v[0-9]*"))]
    return _stamps(catalog, 2) + tuple(stamp for folder in beside for stamp in _stamps(folder, 2))


def _stamps(folder: Path, depth: int) -> Stamp:
    found: list[tuple[str, int, int]] = []
    for entry in _entries(folder):
        try:
            if entry.is_dir(follow_symlinks=False):
                found += _stamps(Path(entry.path), depth - 1) if depth > 1 else ()
            else:
                about = entry.stat()
                found.append((entry.path, about.st_mtime_ns, about.st_size))
        except OSError:  # loading says what is wrong with it
            found.append((entry.path, 0, 0))
    return tuple(sorted(found))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(islice((entry for entry in entries if not entry.name.startswith(".")), _STAMPED))
    except OSError:
        return []


def context_folder(catalog: str, home: Path) -> Path:
    """Where the notes of that catalog stand; those of a house without one stand in its home folder."""
    if not catalog:
        return home / CONTEXT
    inner = Path(catalog) / CONTEXT
    return inner if inner.is_dir() else Path(catalog).resolve().parent / CONTEXT


def home_notes(home: Path, today: date) -> Mapping[str, tuple[Note, ...]]:
    """The notes of a house without a catalog, by short name; files with faults are left out."""
    folder = home / CONTEXT
    if not folder.is_dir():
        return {}
    return {name: notes for name, notes in notes_in(folder.resolve(), CONTEXT, set(), today)[0].items() if notes}


def notes_of(folder: Path, short_name: str, today: date) -> tuple[Note, ...]:
    """The notes in that folder about one persona. Raises PersonaFileError for a file with faults."""
    path = folder / f"{short_name}.json"
    if not os.path.lexists(path):
        return ()
    findings = Findings(str(path))
    notes: tuple[Note, ...] = ()
    try:
        notes = notes_from(text_of(path, folder.resolve(), MAX_NOTES_FILE), today, findings)
    except Unreadable as fault:
        findings.fault(0, str(fault))
    if findings.faults:
        raise PersonaFileError(findings.faults)
    return notes


def change_notes(
    folder: Path, short_name: str, today: date, change: Callable[[tuple[Note, ...]], tuple[Note, ...]]
) -> tuple[Note, ...]:
    """The notes after the change, written whole or not at all.

    Raises PersonaFileError for a file with faults, NotAllowed where it can not be written, and what `change` raises.
    """
    notes = change(notes_of(folder, short_name, today))
    path = folder / f"{short_name}.json"
    fresh = path.with_name(f".{short_name}.{os.getpid()}.new")
    try:
        if not notes:
            path.unlink(missing_ok=True)
            return notes
        folder.mkdir(parents=True, exist_ok=True)
        fresh.write_text(f"{value_of_notes(notes, indent=2)}\n", encoding="utf-8")
        fresh.replace(path)
    except OSError as fault:
        raise NotAllowed(
            f"{path}: can not be written ({fault.strerror}); give this user the right to write there"
        ) from None
    return notes
