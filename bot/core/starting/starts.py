"""Starting panels, for every surface: words and options in, an opened panel out."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.core.clock import Clock
from bot.core.desk.workspace import WorkspaceSettings, with_default_model
from bot.core.document import Document
from bot.core.engine.opening import new_panel_id, open_panel, panel_id_for
from bot.core.entries import Opened
from bot.core.errors import NotFound
from bot.core.formats.council_bench import spoken_everyone
from bot.core.options import FormatName
from bot.core.place import Person, Place
from bot.core.speech.casting import Casting
from bot.core.starting.catalog import Catalog
from bot.core.starting.catalogs import Catalogs
from bot.core.starting.council_start import started_council
from bot.core.starting.debate_start import started_debate
from bot.core.starting.discussion_start import Start, started_discussion
from bot.core.starting.review_start import started_review
from bot.core.starting.selecting import Selecting
from bot.core.starting.targeting import Asked, Read, target_of
from bot.core.store import Store
from bot.core.targets.port import AnyFile, Reach, Source, TargetRef, Targets

Starter = Callable[[Start, Catalog], Opened]

STARTERS: Mapping[FormatName, Starter] = {
    "discussion": started_discussion,
    "debate": started_debate,
    "review": started_review,
    "council": started_council,
}
"""Format → from what was asked for to the opened panel."""
TARGETED: tuple[FormatName, ...] = ("review", "council")
"""Formats whose words name a target."""


class Starts:
    """Opens panels."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        catalogs: Catalogs,
        targets: Targets,
        casting: Casting,
        selecting: Selecting | None = None,
    ) -> None:
        """`selecting`: lets a model choose rosters; without it the rules do."""
        self._store, self._clock = store, clock
        self._catalogs, self._targets = catalogs, targets
        self._casting, self._selecting = casting, selecting

    async def opened(
        self,
        format_name: FormatName,
        words: str | tuple[str, ...] | None,
        options: Mapping[str, Any],
        starter: Person,
        place: Place,
        reach: Reach,
        documents: tuple[Document, ...] = (),
        *,
        sources: tuple[Source, ...] = (),
        conversation: Read | None = None,
        asks: bool = False,
        settings: WorkspaceSettings | None = None,
    ) -> Opened:
        """What was asked for, checked, with documents read and models named; nothing is stored yet.

        `words`: None where none were said; several are the words of a command line. `documents` and `sources` are at
        hand already: attachments, standard input. `conversation` reads the thread that the words stand in. `asks`: a
        person can be asked what is left open (Undecided). `settings` are the workspace's: its model for personas that
        name none, its amount for a go-ahead. Raises any error of the tree that a person can cause.
        """
        catalog = await self._catalogs.of(place)
        asked = Asked(
            words=(words,) if isinstance(words, str) else words or (),
            options=options,
            reach=reach,
            sources=sources,
            documents=documents,
            conversation=conversation,
        )
        start = Start(format=format_name, topic=_joined(words), starter=starter, options=options, asks=asks)
        read = self._targeted if format_name in TARGETED else self._shared
        start = await read(start, asked)
        opened = await self._cast(STARTERS[format_name](start, catalog), settings)
        if self._selecting is None:
            return opened
        refined = await self._selecting.refined(opened, start, catalog)
        return opened if refined is opened else await self._cast(refined, settings)

    async def _cast(self, begun: Opened, settings: WorkspaceSettings | None) -> Opened:
        """With models and forecast, by the workspace's settings where there are any."""
        if settings is None:
            return await self._casting.cast(begun)
        cast = await self._casting.cast(with_default_model(begun, settings.model))
        return cast.model_copy(update={"approval": begun.approval or settings.wants_go_ahead(cast.forecast)})

    async def _targeted(self, start: Start, asked: Asked) -> Start:
        """With the target that the words name."""
        options = start.options
        if start.format == "council" and start.topic is not None:
            words, everyone = spoken_everyone(start.topic)
            if everyone:
                asked = replace(asked, words=(words,))
                options = {**options, "everyone": True}
        target = await target_of(asked, self._targets)
        return replace(
            start,
            options=options,
            documents=target.documents,
            topic_note=target.note,
            focus=target.focus,
            lines=target.lines,
        )

    async def _shared(self, start: Start, asked: Asked) -> Start:
        """With the documents that everyone sees; without a topic, the thread is the topic."""
        files = tuple(AnyFile(path=path) for path in asked.options.get("file", ()))
        sources = (*asked.sources, *files)
        documents = asked.documents
        if sources:
            documents += await self._targets.read(TargetRef(sources=sources, reach=asked.reach))
        if start.topic is None and asked.conversation and (thread := await asked.conversation()):
            documents = (thread, *documents)
        return replace(start, documents=documents)

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


def _joined(words: str | tuple[str, ...] | None) -> str | None:
    """One text of what was said; None where nothing was."""
    if isinstance(words, tuple):
        return " ".join(words) if words else None
    return words
