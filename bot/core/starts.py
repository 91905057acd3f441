"""Starting panels, for every surface: words and options in, an opened panel out."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.core.casting import Casting
from bot.core.catalog import Catalog
from bot.core.catalogs import Catalogs
from bot.core.clock import Clock
from bot.core.document import Document
from bot.core.entries import Opened
from bot.core.errors import NotFound
from bot.core.opening import new_panel_id, open_panel, panel_id_for
from bot.core.options import FormatName
from bot.core.place import Person, Place
from bot.core.starting import Start, started_discussion
from bot.core.store import Store
from bot.core.targets import AnyFile, Reach, TargetRef, Targets
from bot.core.workspace import WorkspaceSettings, with_default_model

Starter = Callable[[Start, Catalog], Opened]

STARTERS: Mapping[FormatName, Starter] = {"discussion": started_discussion}
"""Format → from what was asked for to the opened panel."""


class Starts:
    """Opens panels."""

    def __init__(self, *, store: Store, clock: Clock, catalogs: Catalogs, targets: Targets, casting: Casting) -> None:
        self._store, self._clock = store, clock
        self._catalogs, self._targets, self._casting = catalogs, targets, casting

    async def opened(
        self,
        format_name: FormatName,
        words: str | None,
        options: Mapping[str, Any],
        starter: Person,
        place: Place,
        reach: Reach,
        documents: tuple[Document, ...] = (),
        settings: WorkspaceSettings | None = None,
    ) -> Opened:
        """What was asked for, checked, with documents read and models named; nothing is stored yet.

        `settings` are the workspace's: its model for personas that name none, its amount for a go-ahead.

        Raises any error of the tree that a person can cause.
        """
        catalog = await self._catalogs.of(place)
        files = tuple(AnyFile(path=path) for path in options.get("file", ()))
        if files:
            documents += await self._targets.read(TargetRef(sources=files, reach=reach))
        start = Start(format=format_name, topic=words, starter=starter, options=options, documents=documents)
        begun = STARTERS[format_name](start, catalog)
        if settings is None:
            return await self._casting.cast(begun)
        cast = await self._casting.cast(with_default_model(begun, settings.model))
        return cast.model_copy(update={"approval": begun.approval or settings.wants_go_ahead(cast.forecast)})

    async def open(self, opened: Opened, place: Place, *, named: bool = False, cause: str = "") -> str:
        """Store the panel; returns its id. `named`: its thread has the panel's own id, so that replies find it at once.

        `cause`: what asked for it, where that may be delivered more than once; the same cause opens one panel.

        Raises NotAllowed while another panel is open in that thread.
        """
        panel = panel_id_for(opened.format, cause) if cause else new_panel_id(opened.format)
        if cause and await self._stands(panel):
            return panel
        place = place.model_copy(update={"thread": panel}) if named else place
        await open_panel(self._store, self._clock, place, opened, panel_id=panel)
        return panel

    async def _stands(self, panel: str) -> bool:
        try:
            await self._store.load(panel)
        except NotFound:
            return False
        return True
