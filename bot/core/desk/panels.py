"""Panels as the desk shows them: only those in places that the asker can read."""

from collections.abc import Awaitable, Callable

from bot.core.clock import Clock
from bot.core.desk.answer import DeskAnswer, Reads
from bot.core.desk.asked import Asked
from bot.core.desk.listing import day_and_time
from bot.core.entries import Status
from bot.core.errors import NotFound, UsageError
from bot.core.fold import opened
from bot.core.panel import OPEN
from bot.core.place import Place
from bot.core.platform import Heard
from bot.core.shown import shown
from bot.core.steering.taking import Taken
from bot.core.steering.told import dollars, status_text
from bot.core.store import Query, Store, Summary

Hear = Callable[[Heard], Awaitable[Taken]]

SHOWN = 20
LOOKED_AT = 1000
STATUSES: tuple[Status, ...] = ("waiting", "running", "paused", "finished", "stopped", "failed")


class DeskPanels:
    """Answers `list`, `status` and `resume`."""

    def __init__(self, *, store: Store, clock: Clock, hear: Hear) -> None:
        self._store, self._clock, self._hear = store, clock, hear

    async def listed(self, asked: Asked) -> DeskAnswer:
        """`list [STATUS]`: the newest panels."""
        wanted = asked.rest.strip().casefold()
        statuses = {status for status in STATUSES if status == wanted} or (OPEN if wanted == "open" else frozenset())
        if wanted and not statuses:
            raise UsageError(f"`list` takes open, {', '.join(STATUSES)}, or nothing")
        rows = await readable(self._store, asked, frozenset(statuses))
        none = "There are no panels yet where you can read. Start one: `discuss TOPIC`."
        return DeskAnswer(title="Panels", text="\n".join(map(_line, rows)) or none)

    async def status(self, asked: Asked) -> DeskAnswer:
        """`status [ID]`: the panel of this thread, or that one; elsewhere the open ones."""
        row = await self._named(asked) if asked.rest.strip() else await self._here(asked.place)
        if row is not None:
            loaded = await self._store.load(row.id)
            text = status_text(opened(row.id, loaded.place, loaded.entries))
            return DeskAnswer(title=row.id, text=text, panel=row.id)
        rows = await readable(self._store, asked, OPEN)
        return DeskAnswer(
            title="Open panels", text="\n".join(map(_line, rows)) or "No panel is open where you can read."
        )

    async def resume(self, asked: Asked) -> DeskAnswer:
        """`resume [ID]`: goes on with the panel of this thread, that one, or the only one that waits.

        Raises NotFound, UsageError where several wait.
        """
        row = await self._named(asked) if asked.rest.strip() else await self._here(asked.place)
        if row is None:
            rows = await readable(self._store, asked, frozenset({"paused", "waiting"}))
            if len(rows) > 1:
                raise UsageError("\n".join(["several panels wait; say which: `resume ID`", *map(_line, rows)]))
            if not rows:
                raise NotFound("no panel waits where you can read; `list` shows them all")
            row = rows[0]
        taken = await self._hear(
            Heard(
                place=row.place,
                message_id=f"resume:{row.id}:{self._clock.now()}",
                author=asked.person,
                text="continue",
                at=self._clock.now(),
                addressed=True,
                pressed=True,
            )
        )
        refused = getattr(taken.entry, "refused", "")
        text = refused or taken.answer or f"`{row.id}` goes on: {_topic(row)}"
        return DeskAnswer(title=row.id, text=text, panel=row.id)

    async def _here(self, place: Place) -> Summary | None:
        rows = await self._store.summaries(Query(place=place, limit=1)) if place.thread else ()
        return rows[0] if rows else None

    async def _named(self, asked: Asked) -> Summary:
        wanted = asked.rest.strip().casefold().strip("`")
        rows = await self._store.summaries(
            Query(text=wanted, platforms=frozenset({asked.place.platform}), workspace=asked.workspace, limit=LOOKED_AT)
        )
        for row in rows:
            if row.id == wanted and await asked.reads(row.place):
                return row
        raise NotFound(f"there is no panel `{shown(wanted, 40)}` where you can read; `list` shows those that are")


async def readable(store: Store, asked: Asked, statuses: frozenset[Status], most: int = SHOWN) -> list[Summary]:
    """The newest panels of the asker's workspace that they can read."""
    query = Query(
        statuses=statuses, platforms=frozenset({asked.place.platform}), workspace=asked.workspace, limit=LOOKED_AT
    )
    may = _Remembered(asked.reads)
    found: list[Summary] = []
    for row in await store.summaries(query):
        if await may.reads(row.place):
            found.append(row)
            if len(found) == most:
                break
    return found


class _Remembered:
    """Asks a platform once per channel."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._known: dict[str, bool] = {}

    async def reads(self, place: Place) -> bool:
        if place.channel not in self._known:
            self._known[place.channel] = await self._reads(place)
        return self._known[place.channel]


def _line(row: Summary) -> str:
    verdict = f", verdict {row.verdict}" if row.verdict else ""
    where = f"round {row.round}/{row.rounds_max}, {dollars(row.spent_usd)}{verdict}"
    return f"- `{row.id}` {row.status}, {where}, since {day_and_time(row.created_at)}: {_topic(row)}"


def _topic(row: Summary) -> str:
    return shown(" ".join(row.topic.split()), 80)
