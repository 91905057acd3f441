"""An answer as bytes, frame by frame: the Messages API's event stream, and its message in one piece."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.servers.messages_api.answers import Answer
from tests.servers.messages_api.usage import Json

WORDS_A_DELTA = 6
"""Words of text in one delta of a stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Bytes sent at once."""

    data: bytes
    tokens: int = 0
    """Output tokens this frame delivers; its share of the generation time."""
    delta: bool = False
    """Whether it carries a piece of the answer; faults count these."""


def message_of(answer: Answer, *, message_id: str, model: str) -> Json:
    """The whole message of an answer that is not streamed; a missing stop reason is null."""
    return {
        **_shell(message_id, model),
        "content": list(_blocks(answer, message_id)),
        "stop_reason": answer.stop_reason or None,
        "stop_sequence": answer.stop_sequence,
        "stop_details": answer.stop_details,
        "usage": answer.usage.as_message(),
    }


def stream_of(answer: Answer, *, message_id: str, model: str) -> Iterator[Frame]:
    """The events of a streamed message, in the order the API sends them."""
    usage = replace(answer.usage, output=min(1, answer.usage.output), thinking=0).as_message()
    empty: Json = {"content": [], "stop_reason": None, "stop_sequence": None, "stop_details": None}
    yield event("message_start", {"message": {**_shell(message_id, model), **empty, "usage": usage}})
    yield event("ping", {})
    for index, block in enumerate(_blocks(answer, message_id)):
        yield from _block_events(index, block, answer)
    yield event(
        "message_delta",
        {
            "delta": {
                "stop_reason": answer.stop_reason,
                "stop_sequence": answer.stop_sequence,
                "stop_details": answer.stop_details,
                "container": None,
            },
            "usage": answer.usage.as_delta(),
        },
    )
    yield event("message_stop", {})


def event(name: str, data: Json, *, tokens: int = 0, delta: bool = False) -> Frame:
    """One server-sent event of that name."""
    line = json.dumps({"type": name, **data}, ensure_ascii=False)
    return Frame(data=f"event: {name}\ndata: {line}\n\n".encode(), tokens=tokens, delta=delta)


def pieces(text: str, tokens: int) -> list[tuple[str, int]]:
    """A text in deltas of a few words, its tokens spread over them; joined they are the text."""
    words = text.split(" ")
    spaced = [word if n == 0 else f" {word}" for n, word in enumerate(words)]
    groups = ["".join(spaced[n : n + WORDS_A_DELTA]) for n in range(0, len(spaced), WORDS_A_DELTA)]
    edges = [tokens * n // len(groups) for n in range(len(groups) + 1)]
    return [(group, edges[n + 1] - edges[n]) for n, group in enumerate(groups)]


def _shell(message_id: str, model: str) -> Json:
    return {"id": message_id, "type": "message", "role": "assistant", "model": model, "container": None}


def _blocks(answer: Answer, message_id: str) -> Iterator[Json]:
    if answer.thinking is not None:
        signature = hashlib.sha256(f"{message_id}/{answer.thinking}".encode()).hexdigest()
        yield {"type": "thinking", "thinking": answer.thinking, "signature": signature}
    if answer.text:
        yield {"type": "text", "text": answer.text, "citations": None}
    for n, tool in enumerate(answer.tools):
        call = {"type": "tool_use", "id": f"toolu_{message_id.removeprefix('msg_')}{n}", "name": tool.name}
        yield {**call, "input": tool.input, "caller": {"type": "direct"}}


def _block_events(index: int, block: Json, answer: Answer) -> Iterator[Frame]:
    hollow = {"text": "", "thinking": "", "signature": "", "input": {}}
    start = {name: hollow.get(name, value) for name, value in block.items()}
    yield event("content_block_start", {"index": index, "content_block": start})
    for delta, tokens in _deltas(block, answer):
        yield event("content_block_delta", {"index": index, "delta": delta}, tokens=tokens, delta=True)
    yield event("content_block_stop", {"index": index})


def _deltas(block: Json, answer: Answer) -> Iterator[tuple[Json, int]]:
    if block["type"] == "thinking":
        if block["thinking"]:
            yield {"type": "thinking_delta", "thinking": block["thinking"]}, answer.usage.thinking
        yield {"type": "signature_delta", "signature": block["signature"]}, 0
    elif block["type"] == "text":
        for piece, tokens in pieces(block["text"], 0 if answer.tools else answer.text_tokens):
            yield {"type": "text_delta", "text": piece}, tokens
    else:
        yield from _tool_deltas(block, answer)


def _tool_deltas(block: Json, answer: Answer) -> Iterator[tuple[Json, int]]:
    yield {"type": "input_json_delta", "partial_json": ""}, 0
    for piece, tokens in pieces(json.dumps(block["input"]), answer.text_tokens // len(answer.tools)):
        yield {"type": "input_json_delta", "partial_json": piece}, tokens
