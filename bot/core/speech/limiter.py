"""How fast this process may ask one provider: a bound on calls at once, and a brake that heeds the provider's limits.

One limiter serves the whole deployment. What is left of a limit slows calls down before the provider has to refuse one.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from bot.core.clock import Clock
from bot.core.model import Allowance

AT_ONCE = 16
EASY = 8
"""As long as so many calls of the same size would still fit, nobody waits."""
LONGEST_WAIT = 60.0
"""Seconds that a call waits for a limit at most; limits are told per minute."""
Needs = Mapping[str, int]
"""Kind of allowance → how much of it one call takes, as far as can be told before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    allowance: Allowance
    at: float


class Limiter:
    """Lets calls through. Limits are kept per model, as providers count them."""

    def __init__(self, clock: Clock, *, at_once: int = AT_ONCE) -> None:
        self._clock = clock
        self._room = asyncio.Semaphore(at_once)
        self._told: dict[str, dict[str, _Told]] = {}
        self._gates: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def turn(self, model: str, needs: Needs) -> AsyncIterator[None]:
        """Inside the block a call may run; first come, first served."""
        async with self._room:
            async with self._gates.setdefault(model, asyncio.Lock()):
                wait = self.wait_for(model, needs)
                if wait > 0:
                    await self._clock.sleep(wait)
                self._take(model, needs)
            yield

    def heed(self, model: str, allowances: tuple[Allowance, ...]) -> None:
        """The provider has told what is left for that model."""
        now = self._clock.monotonic()
        self._told[model] = {told.kind: _Told(allowance=told, at=now) for told in allowances}

    def wait_for(self, model: str, needs: Needs) -> float:
        """Seconds that the next call to that model should wait."""
        told = self._told.get(model, {}).values()
        waits = (self._pace(each, needs.get(each.allowance.kind, 0)) for each in told)
        return min(LONGEST_WAIT, max(waits, default=0.0))

    def _pace(self, told: _Told, need: int) -> float:
        """Spread what is left over the time until it is whole again; wait for that where no call fits any more."""
        rest = told.allowance.resets_in - (self._clock.monotonic() - told.at)
        if rest <= 0 or need <= 0:
            return 0.0
        calls = min(told.allowance.left, told.allowance.limit) // need
        if need > told.allowance.limit:
            calls = int(told.allowance.left >= told.allowance.limit)
        if calls >= EASY:
            return 0.0
        return rest if calls == 0 else rest / (calls + 1)

    def _take(self, model: str, needs: Needs) -> None:
        """Count a call that starts now, until the provider tells the new state."""
        for kind, told in self._told.get(model, {}).items():
            left = max(0, told.allowance.left - needs.get(kind, 0))
            self._told[model][kind] = replace(told, allowance=replace(told.allowance, left=left))
