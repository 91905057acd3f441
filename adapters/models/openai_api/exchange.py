"""One call: a streamed answer, and as many rounds of tools as the model asks for within the bound."""

import json
from dataclasses import dataclass, field
from typing import Any

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionChunk

from adapters.models.broken import estimated_tokens
from adapters.models.openai_api.faults import not_such_an_api
from adapters.models.openai_api.translate import allowances_of, body_of, usage_of
from adapters.models.tool_rounds import ToolRounds
from bot.core.errors import CallFailed, CallRetryable
from bot.core.measured import Usage
from bot.core.model import ModelRequest, Progress, Stop

STOPS: dict[str, Stop] = {"stop": "end", "length": "max_tokens", "content_filter": "refusal"}


@dataclass(slots=True, kw_only=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True, kw_only=True)
class _Answer:
    """An answer as it comes in."""

    text: str = ""
    refusal: str = ""
    stop: str | None = None
    tools: dict[int, _Call] = field(default_factory=dict)
    usage: Usage | None = None

    def take(self, chunk: ChatCompletionChunk) -> None:
        if chunk.usage is not None:
            self.usage = usage_of(chunk.usage)
        for choice in chunk.choices[:1]:
            self.text += choice.delta.content or ""
            self.refusal += choice.delta.refusal or ""
            self.stop = choice.finish_reason or self.stop
            for part in choice.delta.tool_calls or ():
                call = self.tools.setdefault(part.index, _Call())
                call.id = part.id or call.id
                if part.function:
                    call.name = part.function.name or call.name
                    call.arguments += part.function.arguments or ""

    @property
    def made(self) -> str:
        """Everything that was generated, for an estimate."""
        return self.text + self.refusal + "".join(call.arguments for call in self.tools.values())


class Exchange:
    """A call on its way; `usage` and `tools` hold what it took, whatever comes of it."""

    def __init__(self, client: AsyncOpenAI, request: ModelRequest, progress: Progress, *, vendor: bool) -> None:
        self._client, self._request, self._progress, self._vendor = client, request, progress, vendor
        self._later: list[dict[str, Any]] = []
        self.tools = ToolRounds(request.toolbox)
        self.usage = Usage()

    async def answer(self) -> tuple[str, Stop]:
        """The text and why it ended. Raises what the SDK raises, CallRetryable and CallFailed."""
        while True:
            answer = await self._streamed(body_of(self._request, self._later, vendor=self._vendor))
            if answer.tools and answer.stop != "length":
                await self._take_tools(answer)
            elif answer.refusal:
                return answer.refusal, "refusal"
            else:
                return answer.text, _stop(answer)

    async def _streamed(self, body: dict[str, Any]) -> _Answer:
        """One answer of the server, complete; what it used is told even where it breaks off."""
        answer = _Answer()
        async with await self._client.chat.completions.create(**body) as stream:
            self._progress.allowed(allowances_of(stream.response.headers))
            if not stream.response.headers.get("content-type", "").startswith("text/event-stream"):
                raise not_such_an_api(str(self._client.base_url))
            begun = False
            try:
                async for chunk in stream:
                    begun = True
                    self._progress.started.set()
                    answer.take(chunk)
            finally:
                self._spend(answer, begun=begun)
        if answer.stop is None:
            raise CallRetryable("the answer ended without saying why")
        return answer

    def _spend(self, answer: _Answer, *, begun: bool) -> None:
        """The bill comes last; without it, what was sent and generated is estimated."""
        if not begun:
            return
        usage = answer.usage or Usage(input=self._estimated_input(), output=estimated_tokens(answer.made))
        self.usage = self.usage + usage
        self._progress.spent(usage)

    def _estimated_input(self) -> int:
        prompt = self._request.prompt
        texts = (prompt.system, prompt.tail, *(block.text for block in prompt.shared))
        return sum(estimated_tokens(text) for text in texts)

    async def _take_tools(self, answer: _Answer) -> None:
        """Run what the model asked for, and put both into the next request."""
        asked = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments or "{}"}}
            for call in answer.tools.values()
        ]
        self._later.append({"role": "assistant", "content": answer.text or None, "tool_calls": asked})
        for call in answer.tools.values():
            result = await self.tools.use(call.name, _arguments(call.arguments))
            self._later.append({"role": "tool", "tool_call_id": call.id, "content": result.text or "(nothing)"})


def _arguments(text: str) -> object:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def _stop(answer: _Answer) -> Stop:
    stop = STOPS.get(str(answer.stop))
    if stop is None:
        raise CallFailed(f"the model stopped for a reason that is not known here: {answer.stop}")
    return stop
