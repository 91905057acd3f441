"""Keeping within Discord's limits on posts: each post gets its moment, first come first served.

A webhook takes 5 posts in 2 seconds (told in headers) and a channel 30 a minute from all its webhooks and threads (told
nowhere: https://github.com/discord/discord-api-docs/issues/1454). The margins are for a request that takes longer than
the one before it.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from bot.core.clock import Clock
from bot.core.errors import Throttled

AT_ONCE = 0.25
"""A wait of up to so many seconds is waited for here; longer ones are the caller's."""
FORGOTTEN = 120.0
"""A moment that nobody used for so long was given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """At most `count` posts in any `seconds`."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is kept to."""

    webhook: tuple[Window, ...] = (Window(count=5, seconds=2.3), Window(count=30, seconds=61.0))
    """Posts of a channel's webhook, in all its threads."""
    bot: tuple[Window, ...] = (Window(count=5, seconds=5.3),)
    """The bot's own posts in one channel or thread."""


LIMITS = Limits()


class Queue:
    """The posts of one channel in one voice: the webhook's, or the bot's own."""

    def __init__(self, windows: tuple[Window, ...]) -> None:
        self._windows = windows
        self._given: deque[float] = deque(maxlen=max(window.count for window in windows))
        self._kept: dict[str, float] = {}
        self._not_before = 0.0

    def wait(self, key: str, now: float) -> float:
        """Seconds until the post of that key may go; it keeps its moment until then. 0: it goes now."""
        at = self._kept.get(key)
        if at is None or at < now - FORGOTTEN:
            at = self._next(now)
            self._given.append(at)
        at = max(at, self._not_before)
        if at <= now:
            self._kept.pop(key, None)
            return 0.0
        self._kept[key] = at
        return at - now

    def hold(self, until: float) -> None:
        """Nothing goes before that moment."""
        self._not_before = max(self._not_before, until)

    def _next(self, now: float) -> float:
        at = max(now, self._not_before, self._given[-1] if self._given else 0.0)
        for window in self._windows:
            if len(self._given) >= window.count:
                at = max(at, self._given[-window.count] + window.seconds)
        return at


class Pacing:
    """Every channel's queues."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._queues: dict[str, Queue] = {}

    async def turn(self, queue: str, key: str, windows: tuple[Window, ...]) -> None:
        """Return when the post may go. Raises Throttled, with its moment kept, where that is not about now."""
        wait = self._queue(queue, windows).wait(key, self._clock.monotonic())
        if wait > AT_ONCE:
            raise Throttled("in the queue for this channel", wait)
        while wait > 0:
            await self._clock.sleep(wait)
            wait = self._queue(queue, windows).wait(key, self._clock.monotonic())

    def learn(self, queue: str, windows: tuple[Window, ...], headers: Mapping[str, str]) -> None:
        """What Discord says about its own count: nothing goes before the window that it closed opens again."""
        try:
            if int(headers["X-RateLimit-Remaining"]) == 0:
                self.hold(queue, windows, float(headers["X-RateLimit-Reset-After"]))
        except (KeyError, ValueError):
            return

    def hold(self, queue: str, windows: tuple[Window, ...], seconds: float) -> None:
        """Nothing goes in that queue for so long."""
        self._queue(queue, windows).hold(self._clock.monotonic() + seconds)

    def _queue(self, name: str, windows: tuple[Window, ...]) -> Queue:
        if name not in self._queues:
            self._queues[name] = Queue(windows)
        return self._queues[name]
