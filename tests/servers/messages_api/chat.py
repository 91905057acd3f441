"""The OpenAI-compatible part: Chat Completions, streamed or whole, with JSON schemas and cached prefixes.

Shapes after https://platform.openai.com/docs/api-reference/chat; unknown fields are ignored,
as local servers do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from tests.servers.messages_api.answers import Answer
from tests.servers.messages_api.cache import Charge, PromptCache
from tests.servers.messages_api.catalogue import Model
from tests.servers.messages_api.dialect import BROKEN_JSON
from tests.servers.messages_api.frames import Frame, pieces
from tests.servers.messages_api.limits import RateLimiter, RateLimits
from tests.servers.messages_api.prompt import Block, Tokens, chat_of
from tests.servers.messages_api.received import Received
from tests.servers.messages_api.refusals import RefusedError, invalid
from tests.servers.messages_api.schema import strict_faults_of
from tests.servers.messages_api.usage import Json

FINISHES = {"max_tokens": "length", "tool_use": "tool_calls", "refusal": "content_filter", "": None}
ROLES = ("system", "developer", "user", "assistant", "tool")


class Chat:
    """Chat Completions."""

    def check(self, body: Json, model: Model) -> None:
        messages = body.get("messages")
        if not isinstance(messages, list) or not messages:
            raise invalid("messages: at least one message is required")
        for n, message in enumerate(messages):
            if message.get("role") not in ROLES:
                raise invalid(f"messages[{n}].role: must be one of {', '.join(ROLES)}")
        _check_format(body.get("response_format") or {})

    def blocks(self, body: Json, count: Tokens) -> tuple[Block, ...]:
        return chat_of(body, count)

    def charge(self, cache: PromptCache, blocks: tuple[Block, ...], model: Model) -> Charge:
        return cache.charge_automatic(blocks, minimum=model.min_cacheable)

    def whole(self, answer: Answer, received: Received) -> Json:
        choice = {
            "index": 0,
            "message": _message(answer, received),
            "logprobs": None,
            "finish_reason": _finish(answer),
        }
        return {**_shell(received, "chat.completion"), "choices": [choice], "usage": answer.usage.as_chat()}

    def frames(self, answer: Answer, received: Received) -> Iterable[Frame]:
        shell = _shell(received, "chat.completion.chunk")
        with_usage = bool((received.body.get("stream_options") or {}).get("include_usage"))
        extra = {"usage": None} if with_usage else {}
        for delta, tokens in _deltas(answer, received):
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
            yield _line({**shell, "choices": [choice], **extra}, tokens=tokens, delta="role" not in delta)
        last = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": _finish(answer)}
        yield _line({**shell, "choices": [last], **extra})
        if with_usage:
            yield _line({**shell, "choices": [], "usage": answer.usage.as_chat()})
        yield Frame(data=b"data: [DONE]\n\n")

    def error(self, refused: RefusedError, request_id: str) -> Json:
        return refused.as_openai()

    def error_frame(self, refused: RefusedError, request_id: str) -> Frame:
        return _line(refused.as_openai())

    def broken_frame(self) -> Frame:
        return Frame(data=f"data: {BROKEN_JSON}\n\n".encode())

    def rate_headers(self, limiter: RateLimiter, model: str, limits: RateLimits) -> dict[str, str]:
        return limiter.openai_headers(model, limits)


def _check_format(asked: Json) -> None:
    kind = asked.get("type", "text")
    if kind not in ("text", "json_object", "json_schema"):
        raise invalid(f"response_format.type: '{kind}' is not one of text, json_object, json_schema")
    if kind != "json_schema":
        return
    named = asked.get("json_schema") or {}
    if not named.get("name"):
        raise invalid("response_format.json_schema.name: missing required parameter")
    faults = strict_faults_of(named.get("schema") or {}) if named.get("strict") else []
    if faults:
        raise invalid(f"Invalid schema for response_format '{named['name']}': {'; '.join(faults)}")


def _shell(received: Received, kind: str) -> Json:
    name = str(received.message_id).replace("msg_", "chatcmpl-")
    return {
        "id": name,
        "object": kind,
        "created": int(received.arrived),
        "model": received.model,
        "system_fingerprint": "fp_test",
        "service_tier": "default",
    }


def _message(answer: Answer, received: Received) -> Json:
    refused = answer.stop_reason == "refusal"
    message: Json = {
        "role": "assistant",
        "content": None if refused or answer.tools else answer.text,
        "refusal": (answer.text or "I can't help with that.") if refused else None,
        "annotations": [],
    }
    return {**message, "tool_calls": _tool_calls(answer, received)} if answer.tools else message


def _tool_calls(answer: Answer, received: Received) -> list[Json]:
    return [
        {
            "id": f"call_{received.number}_{n}",
            "type": "function",
            "function": {"name": tool.name, "arguments": json.dumps(tool.input)},
        }
        for n, tool in enumerate(answer.tools)
    ]


def _deltas(answer: Answer, received: Received) -> Iterator[tuple[Json, int]]:
    yield {"role": "assistant", "content": "", "refusal": None}, 0
    field = "refusal" if answer.stop_reason == "refusal" else "content"
    for text, tokens in pieces(answer.text, answer.usage.output) if answer.text else ():
        yield {field: text}, tokens
    for n, call in enumerate(_tool_calls(answer, received)):
        yield {"tool_calls": [{"index": n, **call}]}, answer.text_tokens // len(answer.tools)


def _finish(answer: Answer) -> str | None:
    return FINISHES.get(answer.stop_reason, "stop")


def _line(payload: Json, *, tokens: int = 0, delta: bool = False) -> Frame:
    return Frame(data=f"data: {json.dumps(payload, ensure_ascii=False)}\n\n".encode(), tokens=tokens, delta=delta)
