"""Rate limits: https://docs.slack.dev/apis/web-api/rate-limits"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tests.servers.slack.methods import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What the server allows; the defaults are Slack's documented ones."""

    enforced: bool = True
    post_interval: float = 1.0
    """Seconds between two posts in one channel, in the long run."""
    post_burst: int = 3
    """Posts that one channel takes at once after a rest."""
    per_minute: tuple[tuple[str, int], ...] = ()
    """Other tiers for methods by name."""
    history_per_minute: int | None = None
    """1 for an app that is sold outside the Marketplace; None for one's own app."""
    history_page: int | None = None
    """15 for an app that is sold outside the Marketplace; None for one's own app."""

    @classmethod
    def none(cls) -> "Rates":
        """No limits, for tests of other things."""
        return cls(enforced=False)

    @classmethod
    def outside_marketplace(cls) -> "Rates":
        """https://docs.slack.dev/reference/methods/conversations.replies: 1 a minute, 15 messages a page."""
        return cls(history_per_minute=1, history_page=15)


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float


class Limiter:
    """Token buckets: one for each method and workspace, and one for posts in each channel."""

    def __init__(self, rates: Rates, now: Callable[[], float]) -> None:
        self.rates = rates
        self._now = now
        self._buckets: dict[tuple[str, ...], _Bucket] = {}

    def wait(self, method: Method, team: str, channel: str | None) -> int | None:
        """Whole seconds for Retry-After, or None when the call may go on (and is counted)."""
        if not self.rates.enforced:
            return None
        per_minute = self._per_minute(method)
        keys = [(("method", team, method.name), float(per_minute), per_minute / 60)]
        if method.name == "chat.postMessage" and channel is not None:
            keys.append((("posts", team, channel), float(self.rates.post_burst), 1 / self.rates.post_interval))
        waits = [self._missing(*key) for key in keys]
        if any(waits):
            return max(1, math.ceil(max(waits)))
        for key, _, _ in keys:
            self._buckets[key].level -= 1
        return None

    def _per_minute(self, method: Method) -> int:
        if method.name in {"conversations.history", "conversations.replies"} and self.rates.history_per_minute:
            return self.rates.history_per_minute
        return dict(self.rates.per_minute).get(method.name, method.per_minute)

    def _missing(self, key: tuple[str, ...], capacity: float, refill: float) -> float:
        """Seconds until one token is there; 0 when it is."""
        now = self._now()
        bucket = self._buckets.setdefault(key, _Bucket(capacity, now))
        bucket.level = min(capacity, bucket.level + (now - bucket.at) * refill)
        bucket.at = now
        return 0.0 if bucket.level >= 1 - 1e-6 else (1 - bucket.level) / refill
