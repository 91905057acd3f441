"""The one retry policy: a wrapper over any `ChatModel` that waits, tries again, and in the end says how it failed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from bot.core.clock import Clock
from bot.core.errors import CallFailed, CallRetryable, ProviderDown
from bot.core.model import ChatModel, ModelReply, ModelRequest, Progress
from bot.core.speech.limiter import Limiter, Needs

CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Seconds, all of them."""

    first_wait: float = 1.0
    longest_wait: float = 20.0
    heeded: float = 60.0
    """A longer Retry-After is cut to this."""
    recent: float = 25.0
    """Where another call got its answer within this time, the provider is not down."""


class Retrying(ChatModel):
    """A provider that is asked again while there is hope and time."""

    def __init__(
        self, model: ChatModel, *, provider: str, clock: Clock, limiter: Limiter, policy: Policy | None = None
    ) -> None:
        self.is_ai = model.is_ai
        self._model, self._provider = model, provider
        self._clock, self._limiter, self._policy = clock, limiter, policy or Policy()
        self._succeeded = float("-inf")

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        """Like the wrapped call, with retries within `request.deadline`.

        Raises ProviderDown where nobody has got an answer from the provider of late, and CallFailed where only this
        turn got none.
        """
        if progress.until is None:
            progress.until = self._clock.monotonic() + request.deadline
        progress.on_allowance = partial(self._limiter.heed, request.model.name)
        attempt = 0
        failed: CallRetryable | None = None
        while True:
            attempt += 1
            try:
                return await self._attempt(request, progress)
            except CallRetryable as fault:
                # What kept failing before says more than that the time is over now.
                failed = failed if isinstance(fault, _Late) and failed else fault
                if isinstance(fault, _Tight):
                    request = replace(request, max_tokens=request.max_tokens * 2)
            wait = self._wait(attempt, failed)
            enough = isinstance(failed, _Empty) and attempt > failed.tries
            if enough or self._clock.monotonic() + wait >= progress.until:
                raise self._given_up(failed, attempt) from failed
            await self._clock.sleep(wait)

    async def models(self) -> tuple[str, ...]:
        return await self._model.models()

    async def window(self, model: str) -> int | None:
        return await self._model.window(model)

    async def count(self, model: str, text: str) -> int | None:
        return await self._model.count(model, text)

    async def close(self) -> None:
        await self._model.close()

    async def _attempt(self, request: ModelRequest, progress: Progress) -> ModelReply:
        queued = self._clock.monotonic()
        async with self._limiter.turn(request.model.name, _needs(request)):
            if progress.until is not None:
                # Standing in our own queue is no fault of the provider's, so the deadline moves with it.
                progress.until += self._clock.monotonic() - queued
            async with self._within(progress):
                reply = await self._model.call(request, progress)
        self._succeeded = self._clock.monotonic()
        if reply.text.strip() or reply.stop == "refusal":
            return reply
        if reply.stop == "max_tokens":
            raise _Tight("the limit was reached before a word was said")
        raise _Empty("the answer was empty")

    @asynccontextmanager
    async def _within(self, progress: Progress) -> AsyncIterator[None]:
        """The time that the turn still has. Raises CallRetryable when it is over."""
        left = (progress.until or 0.0) - self._clock.monotonic()
        try:
            async with asyncio.timeout(max(0.0, left)):
                yield
        except TimeoutError as fault:
            raise _Late("the turn's time was over before the answer was complete") from fault

    def _wait(self, attempt: int, fault: CallRetryable) -> float:
        """Seconds until the next attempt: doubled each time up to a bound, jittered, never less than Retry-After."""
        usual = min(self._policy.longest_wait, self._policy.first_wait * 2.0 ** (attempt - 1))
        jittered = usual * (0.5 + self._clock.jitter() / 2)
        asked = min(self._policy.heeded, fault.retry_after or 0.0)
        return max(jittered, asked)

    def _given_up(self, fault: CallRetryable, attempts: int) -> CallFailed | ProviderDown:
        tried = f"{fault} (tried {attempts} {'time' if attempts == 1 else 'times'})"
        if fault.provider_wide and self._succeeded < self._clock.monotonic() - self._policy.recent:
            return ProviderDown(tried, self._provider)
        return CallFailed(tried)


class _Late(CallRetryable):
    """The deadline came in the middle of an attempt."""


class _Empty(CallRetryable):
    """An answer without a word; it is asked for once more."""

    tries = 1


class _Tight(_Empty):
    """The model's thinking used the whole limit up; it gets twice as much, and once more twice that."""

    tries = 2


def _needs(request: ModelRequest) -> Needs:
    """What the call takes of each limit, roughly. What a cache gives is not counted by providers, so the shared
    part counts by its last block alone."""
    prompt = request.prompt
    newest = len(prompt.shared[-1].text) if prompt.shared else 0
    fresh = (newest + len(prompt.tail)) // CHARS_PER_TOKEN + 1
    return {"requests": 1, "input": fresh, "output": request.max_tokens // 4, "tokens": fresh}
