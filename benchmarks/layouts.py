"""The two layouts that ours is measured against, made from the same prompts."""

from collections.abc import Callable
from typing import Any

from anthropic import AsyncAnthropic

from adapters.models.anthropic_api.translate import text_of, usage_of
from benchmarks.matter import PERSONA
from bot.core.model import ChatModel, ModelReply, ModelRequest, Progress

MARK = {"type": "ephemeral"}
Layout = Callable[[ModelRequest], dict[str, Any]]


def naive(request: ModelRequest) -> dict[str, Any]:
    """The persona before everything else, and no cache at all."""
    who, ask = _split(request)
    shared = [_text(block.text) for block in request.prompt.shared]
    return {
        "system": [_text(f"{request.prompt.system}\n\n{who}")],
        "messages": [{"role": "user", "content": [*shared, _text(ask)]}],
    }


def persona_first(request: ModelRequest) -> dict[str, Any]:
    """The persona before everything else, cached up to the newest turn: each persona has a cache of its own."""
    body = naive(request)
    content = body["messages"][0]["content"]
    content[-2] |= {"cache_control": MARK}
    return body


def _split(request: ModelRequest) -> tuple[str, str]:
    """Who speaks, and what is asked: the tail's first 500 words, and the rest."""
    prompt = request.prompt
    tail = f"{prompt.tail}\n\n{prompt.schema_words}" if request.schema is not None else prompt.tail
    parts = tail.split("\n\n")
    who: list[str] = []
    while parts and len(" ".join(who).split()) < PERSONA:
        who.append(parts.pop(0))
    return "\n\n".join(who), "\n\n".join(parts)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


class OtherLayout(ChatModel):
    """A provider that sends the same matter in another order."""

    def __init__(self, client: AsyncAnthropic, layout: Layout) -> None:
        self._client, self._layout = client, layout

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        body = self._layout(request)
        async with self._client.messages.stream(
            model=request.model.name, max_tokens=request.max_tokens, output_config={"effort": "low"}, **body
        ) as stream:
            async for event in stream:
                if event.type == "message_start":
                    progress.started.set()
            message = await stream.get_final_message()
        usage = usage_of(message.usage)
        progress.spent(usage)
        return ModelReply(text=text_of(message), usage=usage, model=str(request.model))
