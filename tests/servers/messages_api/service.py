"""The state of a server: its models, its cache, its script of faults, its record of requests."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from tests.servers.messages_api.cache import PromptCache
from tests.servers.messages_api.catalogue import CATALOGUE, Model
from tests.servers.messages_api.faults import Fault
from tests.servers.messages_api.limits import RateLimiter, RateLimits
from tests.servers.messages_api.prompt import Tokens, quarters
from tests.servers.messages_api.received import GENERATING, Received, Route
from tests.servers.messages_api.usage import Json, Usage
from tests.servers.messages_api.voices import Reply, Voice, steady

KEY = "test-key"


@dataclass(slots=True, kw_only=True)
class _Planned:
    fault: Fault
    times: int | None
    when: Callable[[Received], bool]
    on: Collection[Route]


class Service:
    """Everything but the socket. Public attributes may be changed between requests.

    `port` 0 is a free one; `now` gives UNIX seconds; delays are real seconds; `news` is set whenever a
    request arrives or ends."""

    def __init__(
        self,
        *,
        models: Iterable[Model] = CATALOGUE,
        key: str = KEY,
        voice: Voice | None = None,
        tokens: Tokens = quarters,
        output_tokens: int = 40,
        first_token_delay: float = 0.0,
        token_delay: float = 0.0,
        limits: RateLimits | None = None,
        max_body_bytes: int = 32 * 2**20,
        now: Callable[[], float] = time.time,
        port: int = 0,
    ) -> None:
        self.models = {model.id: model for model in models}
        self.key = key
        self.voice = voice or steady(output_tokens)
        self.tokens = tokens
        self.first_token_delay = first_token_delay
        self.token_delay = token_delay
        self.limits = limits or RateLimits()
        self.max_body_bytes = max_body_bytes
        self.port = port
        self.news = asyncio.Event()
        self.cache = PromptCache(self.now)
        self.limiter = RateLimiter(self.now)
        self.requests: list[Received] = []
        self.script_errors: list[Exception] = []
        self._clock = now
        self._ahead = 0.0
        self._planned: list[_Planned] = []

    def now(self) -> float:
        """The server's clock, in UNIX seconds."""
        return self._clock() + self._ahead

    def advance(self, seconds: float) -> None:
        """Sets the server's clock forward: cache entries and rate windows age, nothing sleeps."""
        self._ahead += seconds

    def fail(
        self,
        fault: Fault,
        *,
        times: int | None = 1,
        when: Callable[[Received], bool] = lambda _received: True,
        on: Collection[Route] = GENERATING,
    ) -> None:
        """Plans a fault for the next `times` valid requests (nothing: for all from now on) to the routes `on`
        for which `when` holds. The plan made first strikes first; a request suffers one fault at most."""
        self._planned.append(_Planned(fault=fault, times=times, when=when, on=on))

    def heal(self) -> None:
        """Drops every planned fault."""
        self._planned.clear()

    def take_fault(self, received: Received) -> Fault | None:
        """The fault a request is to suffer; counts it."""
        for plan in self._planned:
            if received.route in plan.on and plan.when(received):
                if plan.times is not None:
                    plan.times -= 1
                if plan.times == 0:
                    self._planned.remove(plan)
                received.fault = plan.fault
                return plan.fault
        return None

    def record(self, route: Route, method: str, path: str, headers: Mapping[str, str]) -> Received:
        """A new entry of `requests`."""
        number = len(self.requests) + 1
        received = Received(
            number=number,
            route=route,
            method=method,
            path=path,
            headers=headers,
            arrived=self.now(),
            request_id=f"req_{number:024d}",
        )
        self.requests.append(received)
        self.news.set()
        return received

    async def reply_to(self, body: Json) -> Reply:
        """What the voice says; its exceptions pass."""
        said = self.voice(body)
        said = await said if inspect.isawaitable(said) else said
        return Reply(text=said) if isinstance(said, str) else said

    @property
    def calls(self) -> list[Received]:
        """The requests that ask for an answer of a model."""
        return [received for received in self.requests if received.generates]

    @property
    def usage(self) -> Usage:
        """Everything charged so far, failed and cancelled calls included."""
        return sum((received.usage for received in self.requests if received.usage), Usage())
