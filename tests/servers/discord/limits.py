"""Rate limits: per route, for everything, and the hidden one on a channel's webhooks.

https://docs.discord.com/developers/topics/rate-limits
"""

import hashlib
from collections import deque
from dataclasses import dataclass

from .calls import CALLBACK, EXECUTE_WEBHOOK, SEND_MESSAGE, Call
from .clock import ServerClock
from .world import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    count: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    retry_after: float
    # user, shared or global.
    scope: str = "user"

    def payload(self) -> Json:
        return {
            "message": "You are being rate limited.",
            "retry_after": round(self.retry_after, 3),
            "global": self.scope == "global",
        }

    def headers(self) -> dict[str, str]:
        named = {
            "Retry-After": str(max(1, round(self.retry_after))),
            "X-RateLimit-Scope": self.scope,
            "Via": "1.1 loopback",
        }
        return named | ({"X-RateLimit-Global": "true"} if self.scope == "global" else {})


class _Window:
    def __init__(self, limit: Limit, clock: ServerClock) -> None:
        self._limit = limit
        self._clock = clock
        self._used = 0
        self._ends = 0.0

    def take(self) -> bool:
        if self._clock.now() >= self._ends:
            self._used, self._ends = 0, self._clock.now() + self._limit.seconds
        self._used += 1
        return self._used <= self._limit.count

    @property
    def left(self) -> float:
        return max(0.0, self._ends - self._clock.now())

    def headers(self, name: str) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self._limit.count),
            "X-RateLimit-Remaining": str(max(0, self._limit.count - self._used)),
            "X-RateLimit-Reset": f"{self._ends:.3f}",
            "X-RateLimit-Reset-After": f"{self.left:.3f}",
            "X-RateLimit-Bucket": name,
        }


class Limits:
    """Off until a test sets them; `as_reported` sets what is documented or reported from the field."""

    def __init__(self, clock: ServerClock) -> None:
        self._clock = clock
        self.routes: dict[str, Limit] = {}
        self.everything: Limit | None = None
        # Webhook posts per channel, in no header.
        # https://github.com/discord/discord-api-docs/issues/1454
        self.channel_webhooks: Limit | None = None
        # Whether a thread's posts count for its parent; not documented.
        self.threads_share = True
        self._windows: dict[str, _Window] = {}
        self._posted: dict[str, deque[float]] = {}

    def as_reported(self) -> None:
        self.everything = Limit(count=50, seconds=1)
        self.channel_webhooks = Limit(count=30, seconds=60)
        self.routes = {
            EXECUTE_WEBHOOK: Limit(count=5, seconds=2),
            SEND_MESSAGE: Limit(count=5, seconds=5),
            "PATCH /channels/{channel}/messages/{message}": Limit(count=5, seconds=5),
            "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me": Limit(count=1, seconds=0.25),
            "PATCH /channels/{channel}": Limit(count=5, seconds=5),
            "POST /channels/{channel}/webhooks": Limit(count=10, seconds=60),
        }

    def take(self, call: Call) -> tuple[Refused | None, dict[str, str]]:
        """Counts the request; a refusal when it is one too many, and the headers for either answer."""
        if self.everything is not None and call.by_bot and call.route != CALLBACK:
            window = self._window("everything", self.everything)
            if not window.take():
                return Refused(retry_after=window.left, scope="global"), {}
        headers: dict[str, str] = {}
        limit = self.routes.get(call.route)
        if limit is not None:
            window = self._window(_bucket_key(call), limit)
            taken = window.take()
            headers = window.headers(_bucket_name(call.route))
            if not taken:
                return Refused(retry_after=window.left), headers
        return self._take_hidden(call), headers

    def _take_hidden(self, call: Call) -> Refused | None:
        limit = self.channel_webhooks
        if limit is None or call.route != EXECUTE_WEBHOOK:
            return None
        posted = self._posted.setdefault(self._place(call), deque())
        now = self._clock.now()
        while posted and posted[0] <= now - limit.seconds:
            posted.popleft()
        if len(posted) >= limit.count:
            return Refused(retry_after=posted[0] + limit.seconds - now)
        posted.append(now)
        return None

    def _place(self, call: Call) -> str:
        webhook = call.platform.webhooks.get(call.id("webhook"))
        thread = call.query.get("thread_id")
        if webhook is None or (thread and not self.threads_share):
            return f"thread {thread}"
        return f"channel {webhook.channel.id}"

    def _window(self, key: str, limit: Limit) -> _Window:
        if key not in self._windows:
            self._windows[key] = _Window(limit, self._clock)
        return self._windows[key]


def _bucket_key(call: Call) -> str:
    major = [call.params.get(name, "") for name in ("channel", "guild", "webhook", "token")]
    return f"{call.route} {'/'.join(major)}"


def _bucket_name(route: str) -> str:
    return hashlib.sha256(route.encode()).hexdigest()[:32]
