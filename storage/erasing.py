"""A deleted message's words leave the log: the one change that an entry can meet after it was written down.

Nothing else of the entry changes, so the log folds to the same state as before: the fold leaves these words out anyway.
"""

from collections.abc import Sequence

from pydantic_core import to_json
from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.entries import ENTRY, AnyEntry, Revised
from bot.core.revising import revised
from storage.rules import as_json
from storage.tables import entry

Deleted = dict[str, str | None]
"""Message id → None, as `revised` takes it."""

_REWRITE = (
    update(entry)
    .where(entry.c.panel == bindparam("b_panel"), entry.c.seq == bindparam("b_seq"))
    .values(body=bindparam("body"))
)


def deleted(entries: Sequence[AnyEntry]) -> Deleted:
    """The messages that these entries say were deleted."""
    return {one.message_id: None for one in entries if isinstance(one, Revised) and one.text is None and one.message_id}


def erased(entries: Sequence[AnyEntry], messages: Deleted) -> tuple[AnyEntry, ...]:
    """The entries without what those messages said."""
    return tuple(revised(one, messages) for one in entries) if messages else tuple(entries)


async def erase(connection: AsyncConnection, panel: str, messages: Deleted) -> None:
    """Take what those messages said out of the panel's log, in the transaction under way."""
    for message_id in messages:
        mentioned = entry.c.body.contains(to_json(message_id).decode(), autoescape=True)
        rows = await connection.execute(select(entry.c.seq, entry.c.body).where(entry.c.panel == panel, mentioned))
        for seq, text in rows.all():
            known: AnyEntry = ENTRY.validate_json(text)
            changed = revised(known, messages)
            if changed != known:
                await connection.execute(_REWRITE, {"b_panel": panel, "b_seq": seq, "body": as_json(panel, changed)})
