"""The desk's `trends`: verdicts over time, of the panels that the asker can read."""

from collections.abc import Callable

from bot.core.desk.answer import DeskAnswer
from bot.core.desk.asked import Asked
from bot.core.desk.panels import LOOKED_AT, readable
from bot.core.errors import NotFound
from bot.core.fold import opened
from bot.core.platform import Attachment
from bot.core.records.record import record
from bot.core.records.trends import Line, trends, trends_table
from bot.core.shown import shown
from bot.core.store import Store, Summary

Draw = Callable[[tuple[Line, ...]], bytes]
"""Trends as a PNG."""

JUDGING = ("review", "council")
MOST = 60
"""So many panels are read, the newest first."""


class DeskTrends:
    """Answers `trends [TARGET]`."""

    def __init__(self, *, store: Store, draw: Draw | None) -> None:
        """`draw` makes the chart; without it there is the table alone."""
        self._store, self._draw = store, draw

    async def answer(self, asked: Asked) -> DeskAnswer:
        """The table, with the chart as a file. Raises NotFound where no panel has a verdict."""
        rows = await readable(self._store, asked, frozenset(), LOOKED_AT)
        judged = [row for row in rows if row.format in JUDGING and row.verdict and _about(row, asked.rest)][:MOST]
        lines = trends([await self._record(row.id) for row in judged])
        if not lines:
            about = f" of “{shown(asked.rest.strip(), 60)}”" if asked.rest.strip() else ""
            raise NotFound(f"no review or council{about} has a verdict where you can read; `review TARGET` makes one")
        chart = Attachment(name="trends.png", media_type="image/png", content=self._draw(lines)) if self._draw else None
        return DeskAnswer(title="Trends", text=trends_table(lines), files=(chart,) if chart else ())

    async def _record(self, panel: str) -> dict[str, object]:
        loaded = await self._store.load(panel)
        return record(opened(panel, loaded.place, loaded.entries), ())


def _about(row: Summary, words: str) -> bool:
    return words.strip().strip("`").casefold() in row.target.casefold()
