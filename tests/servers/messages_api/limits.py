"""Rate limits of an account, per model and minute, and the headers that tell of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from tests.servers.messages_api.usage import Usage

MINUTE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """What one model allows in a minute. Input read from the cache does not count."""

    requests: int = 4_000
    input_tokens: int = 4_000_000
    output_tokens: int = 800_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    ends: float
    requests: int = 0
    usage: Usage = field(default_factory=Usage)


class RateLimiter:
    """Counts each model's minute on the server's clock. A minute starts with its first call; when it is over
    everything is free again."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._windows: dict[str, _Window] = {}

    def seconds_over(self, model: str, charge: Usage, limits: RateLimits) -> int:
        """Counts a call and says 0; where it would go over a limit, the seconds until it may come again."""
        window = self._window(model)
        used = window.usage + charge
        over = (
            window.requests + 1 > limits.requests
            or used.total_input - used.read > limits.input_tokens
            or window.usage.output >= limits.output_tokens
        )
        if over:
            return max(1, math.ceil(window.ends - self._now()))
        self._windows[model] = replace(window, requests=window.requests + 1, usage=used)
        return 0

    def add_output(self, model: str, tokens: int) -> None:
        """Counts what was generated."""
        window = self._window(model)
        self._windows[model] = replace(window, usage=window.usage + Usage(output=tokens))

    def anthropic_headers(self, model: str, limits: RateLimits) -> dict[str, str]:
        """`anthropic-ratelimit-*`, as https://platform.claude.com/docs/en/api/rate-limits names them."""
        reset = datetime.fromtimestamp(self._window(model).ends, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        told = {}
        for kind, (limit, left) in self._left(model, limits).items():
            for name, value in (("limit", limit), ("remaining", left), ("reset", reset)):
                told[f"anthropic-ratelimit-{kind}-{name}"] = str(value)
        return told

    def openai_headers(self, model: str, limits: RateLimits) -> dict[str, str]:
        """`x-ratelimit-*`; resets are durations."""
        reset = f"{max(0.0, self._window(model).ends - self._now()):.3f}s"
        left = self._left(model, limits)
        told = {}
        for kind in ("requests", "tokens"):
            values = {"limit": left[kind][0], "remaining": left[kind][1], "reset": reset}
            told.update({f"x-ratelimit-{name}-{kind}": str(value) for name, value in values.items()})
        return told

    def _left(self, model: str, limits: RateLimits) -> dict[str, tuple[int, int]]:
        window = self._window(model)
        taken = window.usage.total_input - window.usage.read
        inputs = limits.input_tokens, max(0, limits.input_tokens - taken)
        outputs = limits.output_tokens, max(0, limits.output_tokens - window.usage.output)
        return {
            "requests": (limits.requests, max(0, limits.requests - window.requests)),
            "input-tokens": inputs,
            "output-tokens": outputs,
            "tokens": (inputs[0] + outputs[0], inputs[1] + outputs[1]),
        }

    def _window(self, model: str) -> _Window:
        window = self._windows.get(model)
        if window is None or self._now() >= window.ends:
            window = self._windows[model] = _Window(ends=self._now() + MINUTE)
        return window
