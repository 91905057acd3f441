"""The catalogs of a house: the bundled cast, the deployment's folder, and each workspace's own personas."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

from bot.core.clock import Clock
from bot.core.desk.dated import NOTES, notes_value
from bot.core.desk.persona_files import PERSONA
from bot.core.errors import CatalogError
from bot.core.persona import Note
from bot.core.place import Place
from bot.core.starting.catalog import Catalog, merged
from bot.core.starting.catalogs import Catalogs
from bot.core.store import Shelf
from personas.context import Stamp, home_notes, stamp_of
from personas.loader import load, load_bundled, load_texts

log = logging.getLogger("panelist.personas")

_WORKSPACES = 32
"""So many workspaces' personas are kept in memory as they were last read."""


class Book(Catalogs):
    """Loads each level anew where a file or a text of it has changed, so that edits need no restart.

    Loading runs in a thread: a hostile contract takes its two seconds without stalling anybody.
    """

    def __init__(self, *, shelf: Shelf, clock: Clock, folder: str, strict: bool, home: Path | None = None) -> None:
        """`home` has the deployment's notes where it has no catalog folder."""
        self._home = home
        self._shelf, self._clock, self._folder, self._strict = shelf, clock, folder, strict
        self._bundled: Catalog | None = None
        self._deployment: tuple[Stamp, Catalog] | None = None
        self._read: OrderedDict[str, tuple[dict[str, str], date, Catalog]] = OrderedDict()

    async def of(self, place: Place) -> Catalog:
        if self._bundled is None:
            self._bundled = await asyncio.to_thread(load_bundled)
        deployment = await asyncio.to_thread(self._installed)
        workspace, notes = await self._kept(place.workspace)
        return merged(self._bundled, deployment, workspace, notes=notes)

    def today(self) -> date:
        """The day by which notes are judged."""
        return datetime.fromtimestamp(self._clock.now(), UTC).date()

    def _installed(self) -> Catalog:
        """The deployment's level. A folder that is gone while the house runs leaves what was last read of it."""
        now = stamp_of(Path(self._folder) if self._folder else None, self._home)
        known = self._deployment
        if known is not None and known[0] == now:
            return known[1]
        try:
            catalog = self._load_folder()
        except CatalogError as fault:
            if known is None or self._strict:
                raise
            log.warning("the catalog folder is left as it was last read: %s", fault)
            catalog = known[1]
        self._deployment = (now, catalog)
        return catalog

    def _load_folder(self) -> Catalog:
        if not self._folder:
            return Catalog(notes=home_notes(self._home, self.today()) if self._home else {})
        return load(self._folder, today=self.today(), strict=self._strict)

    async def _kept(self, workspace: str) -> tuple[Catalog | None, dict[str, tuple[Note, ...]]]:
        notes = {name: notes_value(text) for name, text in (await self._shelf.values(workspace, NOTES)).items()}
        texts = await self._shelf.values(workspace, PERSONA)
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


def default_folder(named: str, home: Path, exists: Callable[[Path], bool] = Path.is_dir) -> str:
    """The deployment's catalog: the named folder, else the home's `personas` where there is one, else none."""
    if named:
        return named
    own = home / "personas"
    return str(own) if exists(own) else ""
