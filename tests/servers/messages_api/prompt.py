"""A request as the prompt cache sees it: blocks in order, each with its key, size and mark."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.servers.messages_api.usage import Json

Tokens = Callable[[str], int]
"""Counts the tokens of a text; must give the same number for the same text."""


def quarters(text: str) -> int:
    """One token for every four bytes of UTF-8, rounded up: the server's own rule."""
    return -(-len(text.encode()) // 4)


def words(text: str) -> int:
    """One token for every word: for tests that state sizes exactly."""
    return len(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    key: str
    """Hash of the model, the settings and every byte up to the end of this block."""
    tokens: int
    total: int
    """Tokens from the start of the prompt to the end of this block."""
    ttl: str | None
    """`5m` or `1h` where the request marks a cache breakpoint here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A block as it stands in the request, before it is hashed."""

    section: str
    value: Json

    @property
    def ttl(self) -> str | None:
        mark = self.value.get("cache_control")
        return mark.get("ttl", "5m") if isinstance(mark, dict) else None

    @property
    def markable(self) -> bool:
        """Thinking and empty text carry no breakpoint."""
        return "thinking" not in str(self.value.get("type")) and self.value.get("text") != ""

    def content(self) -> str:
        """The bytes that count: everything sent but the mark itself, keys in the order they were sent."""
        kept = {name: value for name, value in self.value.items() if name != "cache_control"}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))

    def tokens(self, count: Tokens) -> int:
        """A text block counts by its text, any other block by its compact JSON."""
        text = self.value.get("text") if self.value.get("type") == "text" else None
        return count(text if isinstance(text, str) else self.content())


def parts_of(body: Json) -> list[Part]:
    """Every block of a Messages request: output format, tools, system, messages. A top-level
    `cache_control` marks the last block that can carry a mark."""
    parts = [*_head(body), *_conversation(body)]
    automatic = body.get("cache_control")
    if automatic:
        last = max((n for n, part in enumerate(parts) if part.markable), default=None)
        if last is not None:
            marked = {**parts[last].value, "cache_control": automatic}
            parts[last] = Part(section=parts[last].section, value=marked)
    return parts


def prompt_of(body: Json, count: Tokens) -> tuple[Block, ...]:
    """The blocks of a valid Messages request. The model, its speed and the whole `output_config` (format
    and effort) are part of every key; `tool_choice` and `thinking` only of the keys of messages."""
    settings = [body.get(name) for name in ("model", "speed", "output_config")]
    late = [body.get(name) for name in ("tool_choice", "thinking")]
    return _chain(parts_of(body), count, seed=json.dumps(settings), late=json.dumps(late))


def chat_of(body: Json, count: Tokens) -> tuple[Block, ...]:
    """The blocks of a Chat Completions request: its response format, its tools, one block a message."""
    head = [Part(section="tools", value=tool) for tool in body.get("tools") or ()]
    chat_format = body.get("response_format")
    if chat_format:
        head.insert(0, Part(section="format", value=chat_format))
    messages = [Part(section="messages", value=_chat_text(message)) for message in body["messages"]]
    return _chain([*head, *messages], count, seed=json.dumps([body["model"]]), late="")


def _chat_text(message: Json) -> Json:
    if not isinstance(message.get("content"), str):
        return message
    rest = {name: value for name, value in message.items() if name != "content"}
    return {**rest, "type": "text", "text": message["content"]}


def _chain(parts: list[Part], count: Tokens, *, seed: str, late: str) -> tuple[Block, ...]:
    blocks: list[Block] = []
    digest, total, section = hashlib.sha256(seed.encode()), 0, ""
    for part in parts:
        if part.section.startswith("messages") and not section.startswith("messages"):
            digest.update(late.encode())
        digest.update(f"\0{part.section}\0{part.content()}".encode())
        section, tokens = part.section, part.tokens(count)
        total += tokens
        blocks.append(Block(key=digest.hexdigest(), tokens=tokens, total=total, ttl=part.ttl))
    return tuple(blocks)


def _head(body: Json) -> Iterator[Part]:
    output_format = (body.get("output_config") or {}).get("format")
    if output_format:
        yield Part(section="format", value=output_format)
    for tool in body.get("tools") or ():
        yield Part(section="tools", value=tool)
    for block in as_blocks(body.get("system") or []):
        yield Part(section="system", value=block)


def _conversation(body: Json) -> Iterator[Part]:
    for message in body.get("messages") or ():
        for block in as_blocks(message["content"]):
            yield Part(section=f"messages/{message['role']}", value=block)


def as_blocks(content: str | list[Json]) -> list[Json]:
    """A string is short for one text block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
