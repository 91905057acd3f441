"""One call: a streamed answer, and as many rounds of tools as the model asks for within the bound."""

from typing import Any

from anthropic import AsyncAnthropic, omit
from anthropic.lib.streaming import AsyncMessageStream
from anthropic.types import Message, ToolUseBlock

from adapters.models.anthropic_api.abilities import Abilities
from adapters.models.anthropic_api.faults import not_such_an_api
from adapters.models.anthropic_api.translate import allowances_of, body_of, estimated_output, text_of, usage_of
from adapters.models.tool_rounds import ToolRounds
from bot.core.clock import Clock
from bot.core.errors import CallFailed, CallRetryable
from bot.core.measured import Usage
from bot.core.model import ModelRequest, Progress, Stop

STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "refusal": "refusal",
}
MOST_PAUSES = 3
"""How often a `pause_turn` is taken up again."""


class Exchange:
    """A call on its way; `usage` and `tools` hold what it took, whatever comes of it."""

    def __init__(
        self, client: AsyncAnthropic, clock: Clock, request: ModelRequest, abilities: Abilities, progress: Progress
    ) -> None:
        self._client, self._clock = client, clock
        self._request, self._abilities, self._progress = request, abilities, progress
        self._later: list[dict[str, Any]] = []
        self.tools = ToolRounds(request.toolbox)
        self.usage = Usage()

    async def answer(self) -> tuple[str, Stop]:
        """The text and why it ended. Raises what the SDK raises, CallRetryable and CallFailed."""
        pauses = 0
        while True:
            message = await self._streamed(body_of(self._request, self._abilities, self._later))
            if message.stop_reason == "tool_use":
                await self._take_tools(message)
            elif message.stop_reason == "pause_turn" and pauses < MOST_PAUSES:
                pauses += 1
                self._later.append({"role": "assistant", "content": _content(message)})
            else:
                return text_of(message), _stop(message)

    async def _streamed(self, body: dict[str, Any]) -> Message:
        """One answer of the service, complete."""
        told: Usage | None = None
        tools = body.pop("tools", omit)
        config = body.pop("output_config", omit)
        async with self._client.messages.stream(**body, tools=tools, output_config=config) as stream:
            self._progress.allowed(allowances_of(stream.response.headers, self._clock.now()))
            if not stream.response.headers.get("content-type", "").startswith("text/event-stream"):
                raise not_such_an_api(str(self._client.base_url))
            try:
                async for event in stream:
                    if event.type in ("message_start", "message_delta"):
                        told = self._tell(told, usage_of(_snapshot(stream).usage))
            except BaseException:
                self._tell_unbilled(stream, told)
                raise
            if told is None:
                raise CallRetryable("the answer ended before it began")
            message = _snapshot(stream)
        if message.stop_reason is None:
            self._tell_unbilled(stream, told)
            raise CallRetryable("the answer ended without saying why")
        return message

    def _tell(self, told: Usage | None, now: Usage) -> Usage:
        """Pass on what came on top of what was told before; the API's counts are cumulative."""
        self._progress.started.set()
        before = told or Usage()
        self._spend(
            Usage(
                input=max(0, now.input - before.input),
                output=max(0, now.output - before.output),
                cache_read=max(0, now.cache_read - before.cache_read),
                cache_creation=max(0, now.cache_creation - before.cache_creation),
            )
        )
        return now

    def _tell_unbilled(self, stream: AsyncMessageStream[None], told: Usage | None) -> None:
        """An answer that broke off was paid for as far as it came, though no bill says so."""
        if told is not None:
            self._spend(Usage(output=max(0, estimated_output(_snapshot(stream)) - told.output)))

    def _spend(self, usage: Usage) -> None:
        self.usage = self.usage + usage
        self._progress.spent(usage)

    async def _take_tools(self, message: Message) -> None:
        """Run what the model asked for, and put both into the next request."""
        results = []
        for block in message.content:
            if isinstance(block, ToolUseBlock):
                result = await self.tools.use(block.name, block.input)
                shown = {"type": "tool_result", "tool_use_id": block.id, "content": result.text or "(nothing)"}
                results.append(shown | ({"is_error": True} if result.refused else {}))
        if not results:
            raise CallFailed("the model stopped to use a tool and named none")
        self._later.append({"role": "assistant", "content": _content(message)})
        self._later.append({"role": "user", "content": results})


def _snapshot(stream: AsyncMessageStream[None]) -> Message:
    return stream.current_message_snapshot


def _stop(message: Message) -> Stop:
    stop = STOPS.get(str(message.stop_reason))
    if stop is None:
        raise CallFailed(f"the model stopped for a reason that is not known here: {message.stop_reason}")
    return stop


def _content(message: Message) -> list[dict[str, Any]]:
    """The answer as it is sent back: thinking and its signature too, without which a tool round is refused."""
    kept = [block.model_dump(mode="json", exclude_none=True, exclude={"parsed_output"}) for block in message.content]
    return [block for block in kept if block.get("type") != "text" or block.get("text", "").strip()]
