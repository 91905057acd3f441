"""What each workspace set, kept for a moment: every post asks."""

from bot.core.clock import Clock
from bot.core.desk.workspace import WorkspaceSettings, settings_at
from bot.core.errors import StoreError
from bot.core.store import Shelf

KEPT = 5.0
"""Seconds after which a workspace's settings are read again: another process may have changed them."""


class RuleBook:
    """The settings of all workspaces."""

    def __init__(self, shelf: Shelf, clock: Clock, defaults: WorkspaceSettings | None = None) -> None:
        self._shelf, self._clock, self._defaults = shelf, clock, defaults or WorkspaceSettings()
        self._known: dict[str, tuple[float, WorkspaceSettings]] = {}

    async def of(self, workspace: str) -> WorkspaceSettings:
        """The workspace's settings; while the store can not be read, those known last."""
        at, known = self._known.get(workspace, (-KEPT, self._defaults))
        if self._clock.monotonic() - at < KEPT:
            return known
        try:
            known = await settings_at(self._shelf, workspace, self._defaults)
        except StoreError:
            return known
        self._known[workspace] = (self._clock.monotonic(), known)
        return known

    def changed(self, workspace: str) -> None:
        """Somebody changed them here: they are read again at once."""
        self._known.pop(workspace, None)
