"""Values to rows and back. Pure, but for what it raises: a row that can not be read names its panel and its entry."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from sqlalchemy import RowMapping

from bot.core.entries import ENTRY, AnyEntry
from bot.core.errors import StoreError
from bot.core.place import Place
from bot.core.store import Delivery, Signal, Summary
from storage.rules import words_of

_SUMMARY = (
    "format",
    "topic",
    "status",
    "reason",
    "round",
    "rounds_max",
    "turns",
    "spent_usd",
    "target",
    "verdict",
    "starter",
    "created_at",
    "updated_at",
    "model_is_ai",
)


SUMMARY_COLUMNS = (*_SUMMARY, "platform", "workspace", "channel", "thread", "words")
"""The columns of `panel` that listings read, but for the id and the owner, which only claiming and releasing change."""


def summary_row(summary: Summary) -> dict[str, Any]:
    """The values of SUMMARY_COLUMNS."""
    place = summary.place
    return {name: getattr(summary, name) for name in _SUMMARY} | {
        "platform": place.platform,
        "workspace": place.workspace,
        "channel": place.channel,
        "thread": place.thread,
        "words": words_of(summary),
    }


def summary_of(row: RowMapping) -> Summary:
    place = Place(platform=row["platform"], workspace=row["workspace"], channel=row["channel"], thread=row["thread"])
    return Summary(id=row["id"], place=place, owner=row["owner"], **{name: row[name] for name in _SUMMARY})


def place_of(panel: str, text: str) -> Place:
    try:
        return Place.model_validate_json(text)
    except ValueError as error:
        raise _damaged(f"panel {panel}: its row", error) from error


def entries_of(panel: str, after: int, last: int, rows: Sequence[tuple[int, str]]) -> tuple[AnyEntry, ...]:
    """The log's entries from `after + 1` to `last`. Raises StoreError where one is damaged or missing."""
    found = []
    for expected, (seq, text) in enumerate(rows, after + 1):
        if seq != expected:
            break
        found.append(_entry(f"panel {panel}: entry {seq}", text))
        if found[-1].seq != seq:
            raise StoreError(f"panel {panel}: entry {seq} says that it is entry {found[-1].seq}; {_RESTORE}")
    if len(found) != max(0, last - after):
        raise StoreError(f"panel {panel}: entry {after + len(found) + 1} is missing; {_RESTORE}")
    return tuple(found)


def _entry(what: str, text: str) -> AnyEntry:
    try:
        return ENTRY.validate_json(text)
    except ValueError as error:
        raise _damaged(what, error) from error


def signal_of(panel: str, number: int, message_id: str, text: str) -> Signal:
    entry = _entry(f"panel {panel}: message {message_id!r} in its inbox", text)
    return Signal(panel=panel, message_id=message_id, entry=entry, id=number)


_RESTORE = "restore the database from a backup; the other panels can still be read"


def _damaged(what: str, error: ValueError) -> StoreError:
    """Says where in the row it broke, and never what it said: that may be anybody's words."""
    reason = str(error).splitlines()[0]
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_url=False)[0]
        reason = ": ".join(part for part in (".".join(map(str, first["loc"])), first["msg"]) if part)
    return StoreError(f"{what} is damaged ({reason[:200]}); {_RESTORE}")


def delivery_row(panel: str, delivery: Delivery) -> dict[str, Any]:
    return {
        "panel": panel,
        "turn": delivery.turn,
        "part": delivery.part,
        "parts": delivery.parts,
        "text": delivery.text,
        "attempted_at": delivery.attempted_at,
        "ext_id": delivery.ext_id,
        "withdrawn": delivery.withdrawn,
    }


def delivery_of(row: RowMapping) -> Delivery:
    return Delivery(
        turn=row["turn"],
        part=row["part"],
        parts=row["parts"],
        text=row["text"],
        attempted_at=row["attempted_at"],
        ext_id=row["ext_id"],
        withdrawn=row["withdrawn"],
    )
