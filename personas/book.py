"""The catalogs of a house: the bundled cast, the deployment's folder, and each workspace's own personas."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

from bot.core.catalog import Catalog, merged
from bot.core.catalogs import Catalogs
from bot.core.clock import Clock
from bot.core.persona import Note
from bot.core.place import Place
from bot.core.store import Shelf
from personas.loader import load, load_bundled, load_texts

PERSONA, NOTES = "persona", "notes"
"""Kinds on the shelf: a persona file's text by file name; a list of notes by short name."""


class Book(Catalogs):
    """Loads folders once; reads the workspace's personas anew each time, they are few."""

    def __init__(self, *, shelf: Shelf, clock: Clock, folder: str, strict: bool) -> None:
        self._shelf, self._clock, self._folder, self._strict = shelf, clock, folder, strict
        self._bundled: Catalog | None = None
        self._deployment: Catalog | None = None

    async def of(self, place: Place) -> Catalog:
        if self._bundled is None:
            self._bundled = await asyncio.to_thread(load_bundled)
        if self._folder and self._deployment is None:
            self._deployment = await asyncio.to_thread(self._load_folder)
        workspace, notes = await self._kept(place.workspace)
        return merged(self._bundled, self._deployment, workspace, notes=notes)

    def today(self) -> date:
        """The day by which notes are judged."""
        return datetime.fromtimestamp(self._clock.now(), UTC).date()

    def _load_folder(self) -> Catalog:
        return load(self._folder, today=self.today(), strict=self._strict)

    async def _kept(self, workspace: str) -> tuple[Catalog | None, dict[str, tuple[Note, ...]]]:
        files = await self._shelf.names(workspace, PERSONA)
        texts = {name: await self._shelf.take(workspace, PERSONA, name) for name in files}
        kept = {name: text for name, text in texts.items() if text is not None}
        catalog = load_texts(kept, today=self.today()) if kept else None
        return catalog, {
            name: tuple(Note(**note) for note in json.loads(text))
            for name in await self._shelf.names(workspace, NOTES)
            if (text := await self._shelf.take(workspace, NOTES, name))
        }


def default_folder(named: str, home: Path, exists: Callable[[Path], bool] = Path.is_dir) -> str:
    """The deployment's catalog: the named folder, else the home's `personas` where there is one, else none."""
    if named:
        return named
    own = home / "personas"
    return str(own) if exists(own) else ""
