"""The store in SQL. Each method is one transaction or one look; which statements it sends stands in `statements.py`.

What exactly-once rests on: a commit's first statement moves the panel's row only where epoch and log's end are as the
writer believes, so a writer that was taken over, or that missed an entry, changes nothing; `confirm` and `rearm` are
compare-and-set on the one post. Both databases hold the row that a transaction has changed until it ends.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.entries import Opened
from bot.core.errors import PanelistError
from bot.core.store import Delivery, Loaded, Query, Signal, Store, Summary, Write
from storage import statements as sql
from storage.database import Database
from storage.erasing import deleted, erase, erased
from storage.rows import (
    delivery_of,
    delivery_row,
    entries_of,
    place_of,
    signal_of,
    summary_of,
    summary_row,
)
from storage.rules import (
    EVENT_SECONDS,
    OWNER_SECONDS,
    SWEEP_SECONDS,
    as_json,
    check_order,
    fenced,
    no_panel,
    no_post,
    out_of_order,
    owned,
    taken_id,
)
from storage.shelf import SqlShelf


class SqlStore(Store):
    """The store on SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.shelf = SqlShelf(database)
        """The named values in the same database."""
        self._upserts = sql.Upserts(database.dialect)
        self._swept: dict[str, float] = {}

    async def create(self, summary: Summary, opened: Opened, card: Delivery | None) -> None:
        check_order(summary.id, 0, (opened,))
        row = summary_row(summary) | {
            "id": summary.id,
            "owner": summary.owner,
            "epoch": 0,
            "last_seq": opened.seq,
            "opened_at_place": summary.place.model_dump_json(),
        }
        first = {"panel": summary.id, "seq": opened.seq, "body": as_json(summary.id, opened)}
        async with self.database.write() as connection:
            if (await connection.execute(self._upserts.panel, row)).rowcount != 1:
                raise taken_id(summary.id)
            await connection.execute(sql.APPEND, first)
            if card is not None:
                await connection.execute(self._upserts.post, delivery_row(summary.id, card))

    async def load(self, panel: str, after: int = 0) -> Loaded:
        async with self.database.read() as connection:
            rows = (await connection.execute(sql.LOG, {"b_panel": panel, "b_after": after})).all()
            posts = sql.OPEN_POSTS if after else sql.POSTS
            sent = (await connection.execute(posts, {"b_panel": panel})).mappings().all()
        if not rows:
            raise no_panel(panel)
        epoch, opened_at, last = rows[0][:3]
        found = [(seq, text) for _, _, _, seq, text in rows if seq is not None]
        # The posts were read a moment later: what belongs to entries that came in between is left to the next look.
        return Loaded(
            place=place_of(panel, opened_at),
            epoch=epoch,
            entries=entries_of(panel, after, last, found),
            deliveries=tuple(delivery_of(row) for row in sent if row["turn"] <= last),
        )

    async def claim(self, panel: str, owner: str, *, stale_before: float) -> int:
        values = {"b_panel": panel, "b_owner": owner, "b_stale_before": stale_before}
        async with self.database.write() as connection:
            taken = (await connection.execute(sql.CLAIM, values)).rowcount == 1
            row = (await connection.execute(sql.STANDING, {"b_panel": panel})).one_or_none()
            if row is None:
                raise no_panel(panel)
            if not taken:
                raise owned(panel, row.owner)
            return int(row.epoch)

    async def release(self, panel: str, epoch: int) -> None:
        async with self.database.write() as connection:
            await connection.execute(sql.RELEASE, {"b_panel": panel, "b_epoch": epoch})

    async def commit(self, panel: str, epoch: int, write: Write) -> None:
        gone = deleted(write.entries)
        entries = erased(write.entries, gone)
        last = entries[0].seq - 1 if entries else 0
        check_order(panel, last, entries)
        fence: dict[str, Any] = {"b_panel": panel, "b_epoch": epoch}
        if entries:
            fence |= {"b_last_seq": last, "last_seq": entries[-1].seq}
        if write.summary is not None:
            fence |= summary_row(write.summary)
        log = [{"panel": panel, "seq": one.seq, "body": as_json(panel, one)} for one in entries]
        posts = [delivery_row(panel, one) for one in write.deliveries]
        taken = [{"b_panel": panel, "b_id": number, "taken": last + len(entries)} for number in write.taken]
        async with self.database.write() as connection:
            holds = await connection.execute(sql.FENCES[bool(entries), write.summary is not None], fence)
            if holds.rowcount != 1:
                raise await _refusal(connection, panel, epoch, last)
            await erase(connection, panel, gone)
            await _each(connection, sql.APPEND, log)
            await _each(connection, self._upserts.post, posts)
            await _each(connection, sql.TAKE_IN, taken)

    async def confirm(self, panel: str, turn: int, part: int, ext_id: str, *, next_at: float | None) -> str:
        post = {"b_panel": panel, "b_turn": turn, "b_part": part}
        async with self.database.write() as connection:
            if (await connection.execute(sql.CONFIRM, post | {"ext_id": ext_id})).rowcount == 1:
                if next_at is not None:
                    await connection.execute(sql.ARM, post | {"b_part": part + 1, "attempted_at": next_at})
                return ext_id
            row = (await connection.execute(sql.POST, post)).mappings().one_or_none()
            if row is None:
                raise no_post(panel, turn, part)
            return str(row["ext_id"])

    async def rearm(self, panel: str, turn: int, part: int, *, seen: float, now: float) -> bool:
        values = {"b_panel": panel, "b_turn": turn, "b_part": part, "b_seen": seen, "attempted_at": now}
        async with self.database.write() as connection:
            return (await connection.execute(sql.REARM, values)).rowcount == 1

    async def delivery(self, panel: str, turn: int, part: int) -> Delivery | None:
        async with self.database.read() as connection:
            result = await connection.execute(sql.POST, {"b_panel": panel, "b_turn": turn, "b_part": part})
            row = result.mappings().one_or_none()
        return None if row is None else delivery_of(row)

    async def signal(self, signal: Signal) -> bool:
        row = {
            "panel": signal.panel,
            "message_id": signal.message_id,
            "body": as_json(signal.panel, signal.entry),
        }
        async with self.database.write(urgent=True) as connection:
            try:
                return (await connection.execute(self._upserts.signal, row)).rowcount == 1
            except IntegrityError as error:
                raise no_panel(signal.panel) from error

    async def signals(self, panel: str) -> tuple[Signal, ...]:
        async with self.database.read() as connection:
            rows = (await connection.execute(sql.WAITING, {"b_panel": panel})).all()
        return tuple(signal_of(panel, *row) for row in rows)

    async def rung(self) -> frozenset[str]:
        async with self.database.read() as connection:
            return frozenset((await connection.execute(sql.RUNG)).scalars())

    async def summaries(self, query: Query) -> tuple[Summary, ...]:
        async with self.database.read() as connection:
            rows = (await connection.execute(sql.listing(query))).mappings().all()
        return tuple(summary_of(row) for row in rows)

    async def beat(self, owner: str, now: float) -> None:
        async with self.database.write(urgent=True) as connection:
            await connection.execute(self._upserts.beat, {"id": owner, "beat": now})
            await self._sweep(connection, sql.FORGET_OWNERS, now, OWNER_SECONDS)

    async def ownerless(self, platforms: frozenset[str], *, stale_before: float) -> tuple[str, ...]:
        values = {"b_platforms": sorted(platforms), "b_stale_before": stale_before}
        async with self.database.read() as connection:
            return tuple((await connection.execute(sql.OWNERLESS, values)).scalars())

    async def first_seen(self, event: str, now: float) -> bool:
        async with self.database.write(urgent=True) as connection:
            first = (await connection.execute(self._upserts.event, {"event": event, "at": now})).rowcount == 1
            await self._sweep(connection, sql.FORGET_EVENTS, now, EVENT_SECONDS)
            return first

    async def close(self) -> None:
        await self.database.close()

    async def _sweep(self, connection: AsyncConnection, forget: Executable, now: float, keep: float) -> None:
        """Drop what is older than `keep` seconds, once an hour."""
        name = str(keep)
        if now - self._swept.get(name, -SWEEP_SECONDS) >= SWEEP_SECONDS:
            await connection.execute(forget, {"b_before": now - keep})
            self._swept[name] = now


async def _each(connection: AsyncConnection, statement: Executable, rows: Sequence[dict[str, Any]]) -> None:
    """Run it for every row, in one trip to the driver; a single row goes the shorter way."""
    if rows:
        await connection.execute(statement, rows if len(rows) > 1 else rows[0])


async def _refusal(connection: AsyncConnection, panel: str, epoch: int, last: int) -> PanelistError:
    """Why the fence did not let a commit through."""
    row = (await connection.execute(sql.STANDING, {"b_panel": panel})).one_or_none()
    if row is None:
        return no_panel(panel)
    if row.epoch != epoch:
        return fenced(panel, epoch, row.epoch)
    return out_of_order(panel, row.last_seq, last + 1)
