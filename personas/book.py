"""The catalogs of a house: the bundled cast, the deployment's folder, and each workspace's own personas."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

from bot.core.catalog import Catalog, merged
from bot.core.catalogs import Catalogs
from bot.core.clock import Clock
from bot.core.notes import NOTES, notes_value
from bot.core.persona import Note
from bot.core.persona_files import PERSONA
from bot.core.place import Place
from bot.core.store import Shelf
from personas.loader import load, load_bundled, load_texts

_WORKSPACES = 32
"""So many workspaces' personas are kept in memory as they were last read."""


class Book(Catalogs):
    """Loads folders once; reads the workspace's texts each time, and loads them anew where one has changed.

    Loading runs in a thread: a hostile contract takes its two seconds without stalling anybody.
    """

    def __init__(self, *, shelf: Shelf, clock: Clock, folder: str, strict: bool) -> None:
        self._shelf, self._clock, self._folder, self._strict = shelf, clock, folder, strict
        self._bundled: Catalog | None = None
        self._deployment: Catalog | None = None
        self._read: OrderedDict[str, tuple[dict[str, str], date, Catalog]] = OrderedDict()

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
        notes = {name: notes_value(text) for name, text in (await self._texts(workspace, NOTES)).items()}
        texts = await self._texts(workspace, PERSONA)
        return await self._loaded(workspace, texts) if texts else None, notes

    async def _loaded(self, workspace: str, texts: dict[str, str]) -> Catalog:
        today = self.today()
        known = self._read.get(workspace)
        if known is None or known[:2] != (texts, today):
            known = (texts, today, await asyncio.to_thread(load_texts, texts, today=today))
            self._read[workspace] = known
        self._read.move_to_end(workspace)
        while len(self._read) > _WORKSPACES:
            self._read.popitem(last=False)
        return known[2]

    async def _texts(self, workspace: str, kind: str) -> dict[str, str]:
        names = await self._shelf.names(workspace, kind)
        texts = {name: await self._shelf.take(workspace, kind, name) for name in names}
        return {name: text for name, text in texts.items() if text is not None}


def default_folder(named: str, home: Path, exists: Callable[[Path], bool] = Path.is_dir) -> str:
    """The deployment's catalog: the named folder, else the home's `personas` where there is one, else none."""
    if named:
        return named
    own = home / "personas"
    return str(own) if exists(own) else ""
