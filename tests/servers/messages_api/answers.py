"""A reply made ready for the wire: counted, cut to the request's limit, checked against its schema."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from tests.servers.messages_api.prompt import Tokens
from tests.servers.messages_api.schema import misfit
from tests.servers.messages_api.usage import Json, Usage
from tests.servers.messages_api.voices import Reply, ToolUse, schema_of


class ScriptError(Exception):
    """A test's own voice failed or broke a promise of the real API; raised again when the server closes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent, and what it costs."""

    text: str
    """Empty: no text block at all, as the real API does."""
    tools: tuple[ToolUse, ...]
    thinking: str | None
    """Nothing: no thinking block; empty: a block whose text is withheld."""
    stop_reason: str
    stop_sequence: str | None
    stop_details: Json | None
    usage: Usage
    text_tokens: int
    """The part of the output that the text, or the tools, make up."""

    def without_stop(self) -> Answer:
        """The same, as an answer that never says why it ended."""
        return replace(self, stop_reason="", stop_sequence=None, stop_details=None)


def answer_of(reply: Reply, body: Json, charged: Usage, count: Tokens) -> Answer:
    """Raises `ScriptError` where the reply misses the request's schema and is not meant to."""
    thought = count(reply.thinking) if reply.thinking and _thinks(body) else 0
    spoken = count(reply.said) + sum(count(json.dumps(tool.input)) for tool in reply.tools)
    text, stop_sequence = _stopped(reply.said, body.get("stop_sequences") or body.get("stop") or [])
    if stop_sequence is not None:
        spoken = count(text)
    total = thought + spoken if reply.output_tokens is None else reply.output_tokens
    limit = body.get("max_tokens", body.get("max_completion_tokens"))
    cut = isinstance(limit, int) and total > limit
    if isinstance(limit, int) and cut:
        text, total, thought = _shortened(text, spoken, limit - thought), limit, min(thought, limit)
    stop_reason = "max_tokens" if cut else "stop_sequence" if stop_sequence else reply.stop_reason
    answer = Answer(
        text=text,
        tools=() if cut else reply.tools,
        thinking=_shown(reply.thinking, body) if thought else None,
        stop_reason=stop_reason or ("tool_use" if reply.tools else "end_turn"),
        stop_sequence=None if cut else stop_sequence,
        stop_details=None if cut else reply.stop_details,
        usage=replace(charged, output=total, thinking=thought),
        text_tokens=total - thought,
    )
    _check(answer, reply, body)
    return answer


def _check(answer: Answer, reply: Reply, body: Json) -> None:
    schema = schema_of(body)
    if schema is None or not reply.checked or reply.tools or answer.stop_reason in ("max_tokens", "refusal"):
        return
    fault = misfit(answer.text, schema)
    if fault:
        raise ScriptError(f"the reply does not answer the request's schema ({fault}); meant so? Reply(checked=False)")


def _stopped(text: str, sequences: list[str] | str) -> tuple[str, str | None]:
    wanted = [sequences] if isinstance(sequences, str) else sequences
    found = re.search("|".join(re.escape(sequence) for sequence in wanted), text) if wanted else None
    return (text[: found.start()], found.group()) if found else (text, None)


def _shortened(text: str, tokens: int, room: int) -> str:
    return text[: max(0, len(text) * room // max(1, tokens))]


def _thinks(body: Json) -> bool:
    return (body.get("thinking") or {}).get("type") not in ("disabled", "between_tools")


def _shown(thinking: str, body: Json) -> str:
    asked = body.get("thinking") or {}
    shown = asked.get("display", "summarized" if asked.get("type") == "enabled" else "omitted")
    return thinking if shown == "summarized" else ""
