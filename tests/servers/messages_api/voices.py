"""Replies: what a server answers, as a value, and the voices that choose it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.servers.messages_api.prompt import as_blocks
from tests.servers.messages_api.schema import conforming
from tests.servers.messages_api.usage import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A call of one tool by the model."""

    name: str
    input: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. Give `text` or `json`, tools or both; the server counts, cuts and streams it."""

    text: str = ""
    json: Any = None
    """A value to send as compact JSON in place of `text`."""
    tools: tuple[ToolUse, ...] = ()
    thinking: str = ""
    """Billed always; shown only where the request asks for it."""
    stop_reason: str | None = None
    """Nothing: `tool_use` where tools are called, else `end_turn`."""
    stop_details: Json | None = None
    output_tokens: int | None = None
    """Nothing: counted from text, tools and thinking."""
    first_token_delay: float | None = None
    """Seconds before the first byte; nothing: the server's."""
    token_delay: float | None = None
    """Seconds for each token; nothing: the server's."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Response headers in place of, or beside, the server's own."""
    checked: bool = True
    """Whether it must answer the schema the request asks for; the real API sees to that."""

    @property
    def said(self) -> str:
        """The text as it is sent."""
        if self.json is None:
            return self.text
        return json.dumps(self.json, ensure_ascii=False, separators=(",", ":"))


Voice = Callable[[Json], Reply | str | Awaitable[Reply | str]]
"""Chooses the reply to a parsed request; a string is a reply of that text. May be a coroutine function."""

WORDS = ("cap", "log", "fix", "row", "key", "job", "run", "map", "set", "bar", "raw", "net", "new", "old")
"""Words of three letters: with the space or stop after it, each is four bytes."""


def sentence(seed: str, tokens: int) -> str:
    """A deterministic sentence of exactly so many tokens, by four bytes a token and by words alike."""
    digest = hashlib.sha256(seed.encode()).digest()
    chosen = [WORDS[(digest[n % 32] + n) % len(WORDS)] for n in range(tokens)]
    return " ".join(chosen).capitalize() + "." if chosen else ""


def steady(tokens: int) -> Voice:
    """The default voice: a value that fits where a schema is asked for, a call where a tool is forced, else
    a sentence of `tokens` tokens that differs with the request's last words."""

    def voice(body: Json) -> Reply:
        schema = schema_of(body)
        if schema is not None:
            return Reply(json=conforming(schema))
        forced = _forced_tool(body)
        if forced is not None:
            return Reply(tools=(forced,))
        thinks = (body.get("thinking") or {}).get("display") == "summarized"
        return Reply(text=sentence(last_words(body), tokens), thinking="It adds up." if thinks else "")

    return voice


def scripted(*replies: Reply | str, then: Voice | None = None) -> Voice:
    """Each reply once, in order; afterwards `then`, or an error that names the lack."""
    waiting = list(replies)

    def voice(body: Json) -> Reply | str | Awaitable[Reply | str]:
        if waiting:
            return waiting.pop(0)
        if then is None:
            raise LookupError("the script of replies is used up; give scripted() more of them, or then=")
        return then(body)

    return voice


def last_words(body: Json) -> str:
    """The text of a request's last message, in either API's form."""
    blocks = as_blocks(body["messages"][-1].get("content") or "")
    return "\n".join(str(block.get("text", "")) for block in blocks)


def schema_of(body: Json) -> Json | None:
    """The JSON schema a request asks its answer in, in either API's form."""
    asked = (body.get("output_config") or {}).get("format") or body.get("response_format") or {}
    if asked.get("type") != "json_schema":
        return None
    found = asked.get("schema") or (asked.get("json_schema") or {}).get("schema")
    return dict(found) if found else None


def _forced_tool(body: Json) -> ToolUse | None:
    choice = body.get("tool_choice") or "auto"
    kind = choice if isinstance(choice, str) else choice.get("type")
    if kind not in ("any", "tool", "required", "function"):
        return None
    tools = [tool.get("function", tool) for tool in body["tools"]]
    named = None if isinstance(choice, str) else choice.get("name") or choice.get("function", {}).get("name")
    tool = next(tool for tool in tools if named in (None, tool["name"]))
    return ToolUse(name=tool["name"], input=conforming(tool.get("input_schema") or tool.get("parameters")))
