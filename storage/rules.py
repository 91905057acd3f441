"""What holds for every store, in SQL or in memory: a log's order, how long things are kept, the words of a refusal."""

from collections.abc import Sequence

from pydantic_core import PydanticSerializationError

from bot.core.entries import ENTRY, AnyEntry
from bot.core.errors import Fenced, NotAllowed, NotFound, StoreError
from bot.core.store import Summary

HOUR = 3600.0
EVENT_SECONDS = 26 * HOUR
"""How long an event id is remembered: a platform that lost us for a day delivers that day again."""
OWNER_SECONDS = 7 * 24 * HOUR
"""How long the last beat of a process is kept; a process without one counts as dead, so nothing hangs on it."""
SWEEP_SECONDS = HOUR
"""How often what is too old is dropped."""


def check_order(panel: str, last: int, entries: Sequence[AnyEntry]) -> None:
    """Raises StoreError unless the entries are numbered from `last + 1` without a gap."""
    for expected, entry in enumerate(entries, last + 1):
        if entry.seq != expected or expected < 1:
            raise out_of_order(panel, expected - 1, entry.seq)


def out_of_order(panel: str, last: int, seq: int) -> StoreError:
    return StoreError(
        f"panel {panel}: entry {seq} does not follow the last one, {last}; load the log again before writing to it"
    )


def as_json(panel: str, entry: AnyEntry) -> str:
    """The entry as JSON. Raises StoreError where it holds something that JSON can not."""
    try:
        return ENTRY.dump_json(entry).decode()
    except PydanticSerializationError as error:
        what = f"panel {panel}: entry {entry.seq} ({entry.kind})"
        raise StoreError(f"{what} can not be written as JSON: {error}") from error


def words_of(summary: Summary) -> str:
    """What a listing's text is looked for in: id, topic and target, in any case of letters."""
    return "\n".join((summary.id, summary.topic, summary.target)).casefold()


def no_panel(panel: str) -> NotFound:
    return NotFound(f"no panel {panel!r} in this database; `panelist list` shows those that are there")


def no_post(panel: str, turn: int, part: int) -> NotFound:
    return NotFound(f"panel {panel}: part {part} of entry {turn} was never written down as a post")


def taken_id(panel: str) -> StoreError:
    return StoreError(f"panel {panel!r} is in this database already; choose another id")


def owned(panel: str, owner: str) -> NotAllowed:
    return NotAllowed(f"panel {panel} is run by {owner}, which is alive; stop it there, or wait until it has ended")


def fenced(panel: str, epoch: int, now: int) -> Fenced:
    return Fenced(f"panel {panel} was taken over (epoch {now}, ours was {epoch}); this process leaves it alone")
