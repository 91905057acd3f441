"""Changing a value on the shelf so that two people who change it at once both keep what they did."""

from collections.abc import Callable

from bot.core.place import Person
from bot.core.store import Shelf

Change = Callable[[str | None], str | None]
"""From the value as it stands to the new one; may be asked again with another value."""


async def amend(shelf: Shelf, workspace: str, kind: str, name: str, change: Change, by: Person, now: float) -> None:
    """Put the changed value on the shelf. Somebody else's version that came in between is changed too.

    Raises what `change` raises; then nothing is written.
    """
    versions = await shelf.history(workspace, kind, name)
    seen = versions[0][0] if versions else 0
    value = versions[0][3] if versions else None
    while True:
        changed = change(value)
        if changed == value:
            return
        put = await shelf.put(workspace, kind, name, changed, by, now)
        if put == seen + 1:
            return
        between = {number: text for number, _, _, text in await shelf.history(workspace, kind, name)}
        seen, value = put, between[put - 1]
