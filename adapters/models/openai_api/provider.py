"""Models behind any server that speaks OpenAI's Chat Completions: Ollama, vLLM, llama.cpp, gateways, the vendor."""

import httpx2
from openai import APIStatusError, AsyncOpenAI, NotFoundError

from adapters.models.openai_api.exchange import Exchange
from adapters.models.openai_api.faults import CAUGHT, PROVIDER, not_such_an_api, translated
from adapters.models.openai_api.translate import VENDOR, allowances_of
from bot.core.clock import Clock
from bot.core.errors import CallRetryable, NoModel, ProviderDown
from bot.core.model import ChatModel, ModelReply, ModelRequest, Progress
from bot.core.speech.model_names import near

TIMEOUT = httpx2.Timeout(connect=10.0, read=120.0, write=60.0, pool=30.0)
"""Seconds. Local servers read a long prompt for a while before their first token, and send no pings."""
LIST_TIMEOUT = 15.0


class OpenAIModels(ChatModel):
    """Streams every answer; never retries by itself."""

    def __init__(
        self, clock: Clock, *, base_url: str, api_key: str = "", timeout: httpx2.Timeout | float = TIMEOUT
    ) -> None:
        self._clock, self._base_url = clock, base_url or VENDOR
        self._client = AsyncOpenAI(api_key=api_key or "none", base_url=self._base_url, timeout=timeout, max_retries=0)
        self._listed: tuple[str, ...] | None = None

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        began = self._clock.monotonic()
        exchange = Exchange(self._client, request, progress, vendor=self._base_url.startswith(VENDOR))
        try:
            text, stop = await exchange.answer()
        except CAUGHT as fault:
            raise self._translated(fault, request.model.name, progress) from fault
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
            if self._listed is None:
                self._listed = await self._list()
            return self._listed
        except CAUGHT as fault:
            error = translated(fault, base_url=self._base_url)
        if isinstance(error, CallRetryable):
            raise ProviderDown(str(error), PROVIDER)
        raise NoModel(str(error))

    async def close(self) -> None:
        await self._client.close()

    async def _list(self) -> tuple[str, ...]:
        """The server's models; empty where it has no list. The SDK trips over web pages, so those are found before."""
        try:
            answer = await self._client.models.with_raw_response.list(timeout=LIST_TIMEOUT)
        except NotFoundError:
            return ()
        if "json" not in answer.headers.get("content-type", ""):
            raise not_such_an_api(self._base_url)
        data = getattr(answer.parse(), "data", None)
        if not isinstance(data, list):
            raise not_such_an_api(self._base_url)
        return tuple(str(model.id) for model in data)

    def _translated(self, fault: Exception, model: str, progress: Progress) -> Exception:
        if isinstance(fault, APIStatusError):
            progress.allowed(allowances_of(fault.response.headers))
        error = translated(fault, base_url=self._base_url, model=model)
        if isinstance(error, NoModel) and isinstance(fault, NotFoundError) and self._listed:
            return NoModel(f"{error}; {near(model, self._listed)}")
        return error
