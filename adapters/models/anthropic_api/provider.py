"""Models behind the Anthropic Messages API, the vendor's own or any server that speaks it."""

import asyncio
from dataclasses import replace

import httpx2
from anthropic import APIStatusError, AsyncAnthropic, NotFoundError
from anthropic.pagination import AsyncPage
from anthropic.types import ModelInfo

from adapters.models.anthropic_api.abilities import Abilities, by_name, from_list
from adapters.models.anthropic_api.exchange import Exchange
from adapters.models.anthropic_api.faults import CAUGHT, PROVIDER, not_such_an_api, translated
from adapters.models.anthropic_api.translate import allowances_of
from bot.core.clock import Clock
from bot.core.errors import CallRetryable, NoModel, ProviderDown
from bot.core.model import ChatModel, ModelReply, ModelRequest, Progress
from bot.core.speech.model_names import near

VENDOR = "https://api.anthropic.com"
TIMEOUT = httpx2.Timeout(connect=10.0, read=60.0, write=60.0, pool=30.0)
"""Seconds. `read` is the longest silence within an answer; the service sends pings in between."""
LIST_TIMEOUT = 15.0
REFUSED_TAIL = (400, 422)


class AnthropicModels(ChatModel):
    """Streams every answer; never retries by itself."""

    def __init__(
        self, clock: Clock, *, api_key: str, base_url: str = "", timeout: httpx2.Timeout | float = TIMEOUT
    ) -> None:
        """`base_url` empty: the vendor's own service."""
        self._clock, self._base_url = clock, base_url or VENDOR
        # Servers that copy an older version of the API read the key from x-api-key.
        headers = {"X-Api-Key": api_key or "none"} if base_url else None
        self._client = AsyncAnthropic(
            api_key=api_key or "none",
            base_url=self._base_url,
            timeout=timeout,
            max_retries=0,
            default_headers=headers,
        )
        self._listed: dict[str, Abilities] | None = None
        self._listing = asyncio.Lock()
        self._without_tail: set[str] = set()

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        name, began = request.model.name, self._clock.monotonic()
        abilities = await self._abilities(name)
        try:
            exchange = Exchange(self._client, self._clock, request, abilities, progress)
            try:
                text, stop = await exchange.answer()
            except APIStatusError as fault:
                if not self._refuses_tail(fault, abilities):
                    raise
                self._without_tail.add(name)
                abilities = replace(abilities, system_tail=False)
                exchange = Exchange(self._client, self._clock, request, abilities, progress)
                text, stop = await exchange.answer()
        except CAUGHT as fault:
            raise await self._translated(fault, name, progress) from fault
        return ModelReply(
            text=text,
            stop=stop,
            usage=exchange.usage,
            model=str(request.model),
            latency_ms=round((self._clock.monotonic() - began) * 1000),
            tool_calls=exchange.tools.calls,
        )

    async def models(self) -> tuple[str, ...]:
        try:
            return tuple(await self._list())
        except CAUGHT as fault:
            error = translated(fault, base_url=self._base_url)
        if isinstance(error, CallRetryable):
            raise ProviderDown(str(error), PROVIDER)
        raise NoModel(str(error))

    async def window(self, model: str) -> int | None:
        return (await self._abilities(model)).max_input_tokens

    async def count(self, model: str, text: str) -> int | None:
        try:
            counted = await self._client.messages.count_tokens(
                model=model, messages=[{"role": "user", "content": text}], timeout=LIST_TIMEOUT
            )
        except CAUGHT:
            return None
        return getattr(counted, "input_tokens", None)

    async def close(self) -> None:
        await self._client.close()

    async def _list(self) -> dict[str, Abilities]:
        """The service's models; empty where it has no list. Raises what the SDK raises, NoModel for another API."""
        async with self._listing:
            if self._listed is None:
                found: dict[str, Abilities] = {}
                try:
                    async for info in await self._first_page():
                        found[info.id] = from_list(info)
                except NotFoundError:
                    pass
                self._listed = found
            return self._listed

    async def _first_page(self) -> AsyncPage[ModelInfo]:
        """The first page of the list; the SDK trips over answers of another kind, so they are looked at before."""
        answer = await self._client.models.with_raw_response.list(limit=1000, timeout=LIST_TIMEOUT)
        if "json" not in answer.headers.get("content-type", ""):
            raise not_such_an_api(self._base_url)
        page = await answer.parse()
        if not isinstance(getattr(page, "data", None), list):
            raise not_such_an_api(self._base_url)
        return page

    async def _abilities(self, model: str) -> Abilities:
        """What is known of a model; by its name alone while the list can not be had."""
        try:
            listed = await self._list()
        except (*CAUGHT, NoModel):
            listed = {}
        abilities = listed.get(model) or by_name(model)
        return replace(abilities, system_tail=False) if model in self._without_tail else abilities

    def _refuses_tail(self, fault: APIStatusError, abilities: Abilities) -> bool:
        """True where the server does not take a system message at the end, which only trying tells."""
        said = str(fault).lower()
        return abilities.system_tail and fault.status_code in REFUSED_TAIL and ("system" in said or "role" in said)

    async def _translated(self, fault: Exception, model: str, progress: Progress) -> Exception:
        if isinstance(fault, APIStatusError):
            progress.allowed(allowances_of(fault.response.headers, self._clock.now()))
        error = translated(fault, base_url=self._base_url, model=model)
        if isinstance(error, NoModel) and isinstance(fault, NotFoundError) and self._listed:
            return NoModel(f"{error}; {near(model, tuple(self._listed))}")
        return error
