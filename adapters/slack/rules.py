"""What a workspace set for Slack: one value on the shelf, with the defaults of a fresh workspace."""

import json

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.core.clock import Clock
from bot.core.errors import StoreError
from bot.core.store import Shelf

SETTINGS, SLACK = "settings", "slack"
"""Kind and name on the shelf."""
KEPT = 5.0
"""Seconds after which a workspace's rules are read again: another process may have changed them."""


class Rules(BaseModel):
    """How the bot behaves in one workspace."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    suffix: bool = True
    """Personas have ` (AI)` behind their names; one that is named like a member has it always."""
    channels: tuple[str, ...] = ()
    """Ids of the only channels where panels may start; empty allows all."""
    pins: bool = True
    """Syntheses are pinned."""
    keep_pins: int = Field(default=0, ge=0, le=100)
    """So many of our pins stay in a channel, the newest; 0 keeps all."""
    bots: tuple[str, ...] = ()
    """Ids of other bots whose messages count as a guest's."""


class RuleBook:
    """The rules of all workspaces."""

    def __init__(self, shelf: Shelf, clock: Clock) -> None:
        self._shelf, self._clock = shelf, clock
        self._known: dict[str, tuple[float, Rules]] = {}

    async def of(self, workspace: str) -> Rules:
        """The workspace's rules; while the store can not be read, those known last."""
        at, known = self._known.get(workspace, (-KEPT, Rules()))
        if self._clock.monotonic() - at < KEPT:
            return known
        try:
            known = rules(await self._shelf.take(workspace, SETTINGS, SLACK))
        except StoreError:
            return known
        self._known[workspace] = (self._clock.monotonic(), known)
        return known


def rules(value: str | None) -> Rules:
    """The stored value (JSON), or the defaults where there is none or it can not be read."""
    try:
        return Rules.model_validate(json.loads(value)) if value else Rules()
    except (ValueError, ValidationError):
        return Rules()
