"""A queue for each channel: posts go out in order, one a second, and one throttled channel holds up no other.

A post that is not due soon is sent away with `Throttled` and its place in the queue is kept for it, so that whoever
waits can still be stopped. https://docs.slack.dev/apis/web-api/rate-limits
"""

from collections.abc import Hashable
from dataclasses import dataclass, field

from bot.core.clock import Clock
from bot.core.errors import Throttled

PATIENCE = 0.25
"""Seconds that a post waits here; a longer wait is its sender's, who can be stopped meanwhile."""
FORGOTTEN = 60.0
"""Seconds after which a place that nobody took is given up."""


@dataclass(slots=True)
class _Lane:
    free_at: float = 0.0
    """When the next place is."""
    booked: dict[str, float] = field(default_factory=dict)


class Lanes:
    """Gives out places in the channels' queues."""

    def __init__(self, clock: Clock, interval: float = 1.0) -> None:
        """`interval`: seconds between two posts in one channel."""
        self._clock, self._interval = clock, interval
        self._lanes: dict[Hashable, _Lane] = {}

    async def turn(self, lane: Hashable, key: str) -> None:
        """Return when this post may be sent. Raises Throttled with the seconds to wait where that is not soon."""
        place = self._place(self._lanes.setdefault(lane, _Lane()), key)
        wait = place - self._clock.monotonic()
        if wait > PATIENCE:
            raise Throttled("other posts of this channel go first", wait)
        self._lanes[lane].booked.pop(key, None)
        await self._clock.sleep(wait)

    def hold(self, lane: Hashable, seconds: float) -> None:
        """Slack wants a pause here: nothing goes out before it is over, and places are given out anew."""
        one = self._lanes.setdefault(lane, _Lane())
        one.booked.clear()
        one.free_at = max(one.free_at, self._clock.monotonic() + seconds)

    def _place(self, lane: _Lane, key: str) -> float:
        now = self._clock.monotonic()
        if key not in lane.booked:
            lane.booked = {other: at for other, at in lane.booked.items() if at > now - FORGOTTEN}
            lane.booked[key] = max(now, lane.free_at)
            lane.free_at = lane.booked[key] + self._interval
        return lane.booked[key]


class Tokens:
    """A budget of calls that fills up again: for methods whose limit is per workspace."""

    def __init__(self, clock: Clock, *, most: float, per_second: float) -> None:
        self._clock, self._most, self._rate = clock, most, per_second
        self._level: dict[Hashable, tuple[float, float]] = {}

    def take(self, key: Hashable) -> float:
        """Zero where a call may go out now (it is then counted), else the seconds until one may."""
        now = self._clock.monotonic()
        level, at = self._level.get(key, (self._most, now))
        level = min(self._most, level + (now - at) * self._rate)
        if level < 1:
            self._level[key] = (level, now)
            return (1 - level) / self._rate
        self._level[key] = (level - 1, now)
        return 0.0
