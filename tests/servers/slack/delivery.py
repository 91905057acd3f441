"""Brings events, commands and interactions to the app: redelivery, duplicates, holding back, other orders."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from tests.servers.slack.records import Ack
from tests.servers.slack.settings import Settings
from tests.servers.slack.world import JSON

DeliveryKind: TypeAlias = Literal["events_api", "slash_commands", "interactive"]


@dataclass(slots=True, kw_only=True)
class Delivery:
    """One thing to tell the app, in as many attempts as it takes."""

    kind: DeliveryKind
    name: str
    key: str
    body: JSON
    acks: list[Ack] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one attempt came to; `reason` is Slack's word for the failure."""

    ok: bool
    payload: JSON = field(default_factory=dict)
    reason: str = ""
    final: bool = False
    """The app asked for no redelivery (x-slack-no-retry)."""


class Carrier(Protocol):
    """A way to the app: Socket Mode or signed HTTP."""

    async def carry(self, delivery: Delivery, attempt: int, reason: str) -> Outcome:
        """Deliver once and wait for the answer, at most the time that the app has."""


class Courier:
    """Delivers, each delivery in a task of its own, and keeps every ack."""

    def __init__(self, settings: Settings, carrier: Carrier) -> None:
        self.acks: list[Ack] = []
        self.events: list[Delivery] = []
        """Every event sent so far, for replays."""
        self._settings = settings
        self._carrier = carrier
        self._held: list[Delivery] | None = None
        self._tasks: set[asyncio.Task[Ack]] = set()

    def send(self, delivery: Delivery) -> "asyncio.Task[Ack] | None":
        """Start delivering; None for an event while events are held back."""
        if delivery.kind == "events_api":
            self.events.append(delivery)
            if self._held is not None:
                self._held.append(delivery)
                return None
        return self._start(delivery, 0)

    def replay(self, delivery: Delivery) -> "asyncio.Task[Ack]":
        """Deliver the same event once more, as Slack does when it missed the ack."""
        return self._start(delivery, 1)

    def hold(self) -> None:
        """Keep new events back until `release`."""
        self._held = self._held if self._held is not None else []

    def release(self, order: Sequence[int] | None = None) -> int:
        """Let the held events go, in this order of their indices (default: as they came); how many went."""
        held, self._held = self._held or [], None
        for index in order if order is not None else range(len(held)):
            self._start(held[index], 0)
        return len(held)

    async def settled(self) -> None:
        """Wait until every delivery was acked or given up."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Give up everything that is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, delivery: Delivery, attempt: int) -> "asyncio.Task[Ack]":
        task = asyncio.create_task(self._deliver(delivery, attempt))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _deliver(self, delivery: Delivery, attempt: int) -> Ack:
        """Attempts until one is acked; only events are delivered again."""
        delays = iter(self._settings.retry_delays if delivery.kind == "events_api" else ())
        reason = "timeout" if attempt else ""
        while True:
            outcome, ack = await self._attempt(delivery, attempt, reason)
            if outcome.ok or outcome.final:
                return ack
            delay = next(delays, None)
            if delay is None:
                return ack
            await asyncio.sleep(delay)
            attempt, reason = attempt + 1, outcome.reason

    async def _attempt(self, delivery: Delivery, attempt: int, reason: str) -> tuple[Outcome, Ack]:
        begun = time.perf_counter()
        outcome = await self._carrier.carry(delivery, attempt, reason)
        states = {"timeout": "timeout", "http_timeout": "timeout", "connection_failed": "unreachable"}
        ack = Ack(
            kind=delivery.kind,
            name=delivery.name,
            key=delivery.key,
            attempt=attempt,
            state="acked" if outcome.ok else states.get(outcome.reason, "refused"),  # type: ignore[arg-type]  # mapped
            latency=time.perf_counter() - begun if outcome.ok else None,
            payload=outcome.payload,
        )
        delivery.acks.append(ack)
        self.acks.append(ack)
        return outcome, ack
