"""Changing a value on the shelf so that people who change it at once all keep what they did."""

from collections.abc import Callable

from bot.core.errors import StoreError
from bot.core.place import Person
from bot.core.store import Shelf

TRIES = 100

Change = Callable[[str | None], str | None]
"""From the value as it stands to the new one; may be asked again with another value."""


async def amend(shelf: Shelf, workspace: str, kind: str, name: str, change: Change, by: Person, now: float) -> None:
    """Put the changed value on the shelf; where somebody was faster, their value is what is changed.

    Raises what `change` raises; then nothing is written. Raises StoreError where there is no getting through.
    """
    for _ in range(TRIES):
        versions = await shelf.history(workspace, kind, name)
        seen, value = (versions[0][0], versions[0][3]) if versions else (0, None)
        changed = change(value)
        if changed == value or await shelf.put(workspace, kind, name, changed, by, now, after=seen):
            return
    raise StoreError(f"{name!r} is being changed by many others at the same time; try again")
