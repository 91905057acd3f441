"""Which kinds of event arrive at all, so that the doctor can name one that was never subscribed to."""

import logging

from adapters.slack.errands import Errands
from adapters.slack.translate import JSON
from bot.core.clock import Clock
from bot.core.place import HOUSE
from bot.core.store import Shelf

log = logging.getLogger("panelist.slack.seen")

WORKSPACE, KIND = "", "slack-events"
EVENTS = (
    "app_home_opened",
    "app_mention",
    "app_uninstalled",
    "message.channels",
    "message.groups",
    "tokens_revoked",
)
"""The subscriptions of slack-manifest.yaml, no more and no fewer."""
_KINDS = {"channel": "message.channels", "group": "message.groups"}


class SeenEvents:
    """Writes down the first event of each kind that this process hears."""

    def __init__(self, shelf: Shelf, clock: Clock, errands: Errands) -> None:
        self._shelf, self._clock, self._errands = shelf, clock, errands
        self._seen: set[str] = set()

    def note(self, event: JSON) -> None:
        """Best effort, behind whatever the event is about."""
        name = str(event.get("type") or "")
        if name == "message":
            name = _KINDS.get(str(event.get("channel_type") or ""), "")
        if name in EVENTS and name not in self._seen:
            self._seen.add(name)
            self._errands.run(self._keep(name), "seen event")

    async def _keep(self, name: str) -> None:
        now = self._clock.now()
        await self._shelf.put(WORKSPACE, KIND, name, str(now), HOUSE, now)


async def last_seen(shelf: Shelf) -> dict[str, float]:
    """Kind of event → when a process last heard its first one, seconds since 1970. Raises StoreError."""
    values = {name: await shelf.take(WORKSPACE, KIND, name) for name in EVENTS}
    return {name: float(value) for name, value in values.items() if value}
