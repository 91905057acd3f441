"""What the Messages API demands of `messages`, `system` and the marks on their blocks."""

from __future__ import annotations

from typing import Any

from tests.servers.messages_api.catalogue import Model
from tests.servers.messages_api.prompt import Part, as_blocks, parts_of
from tests.servers.messages_api.refusals import invalid
from tests.servers.messages_api.usage import Json

MAX_BREAKPOINTS = 4


def check_conversation(body: Json, model: Model) -> None:
    """Raises `RefusedError` with 400 where roles, blocks or cache marks break a rule."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise invalid("messages: at least one message is required")
    for n, message in enumerate(messages):
        _check_message(message, f"messages.{n}")
    _check_content(body.get("system", "-"), "system")
    _check_order(messages, model)
    _check_tool_results(messages)
    _check_marks(body)


def _check_message(message: Any, place: str) -> None:
    if not isinstance(message, dict) or message.get("role") not in ("user", "assistant", "system"):
        raise invalid(f"{place}.role: must be one of 'user', 'assistant', 'system'")
    _check_content(message.get("content"), f"{place}.content")
    if message["role"] == "system" and any(b["type"] != "text" for b in as_blocks(message["content"])):
        raise invalid(f"{place}.content: a system message holds text only")


def _check_content(content: Any, place: str) -> None:
    if not content or not isinstance(content, str | list):
        raise invalid(f"{place}: text content blocks must be non-empty")
    blocks: list[Any] = as_blocks(content)
    for n, block in enumerate(blocks):
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            raise invalid(f"{place}.{n}: each content block must be an object with a 'type'")
        if block["type"] == "text" and not str(block.get("text", "")).strip():
            raise invalid(f"{place}.{n}: text content blocks must contain non-whitespace text")


def _check_order(messages: list[Json], model: Model) -> None:
    roles = [message["role"] for message in messages]
    if roles[0] != "user":
        raise invalid("messages: first message must use the 'user' role")
    if roles[-1] == "assistant" and not model.prefill:
        raise invalid("This model does not support assistant message prefill")
    for n, role in enumerate(roles):
        if role == "system":
            _check_system_message(roles, n, model)


def _check_system_message(roles: list[str], n: int, model: Model) -> None:
    # https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
    if not model.system_tail:
        raise invalid(f"messages.{n}.role: '{model.id}' does not support system messages in the conversation")
    if roles[n - 1] != "user":
        raise invalid(f"messages.{n}: a system message must directly follow a user message")
    if roles[n + 1 : n + 2] not in ([], ["assistant"]):
        raise invalid(f"messages.{n}: a system message must be last or be followed by an assistant message")


def _check_tool_results(messages: list[Json]) -> None:
    asked: set[str] = set()
    for n, message in enumerate(messages):
        blocks = as_blocks(message["content"])
        answered = {str(b.get("tool_use_id")) for b in blocks if b["type"] == "tool_result"}
        if message["role"] == "user" and answered != asked:
            odd = sorted(answered ^ asked)
            raise invalid(f"messages.{n}: tool_use and tool_result blocks do not pair up: {odd}")
        if message["role"] != "system":
            asked = {b["id"] for b in blocks if b["type"] == "tool_use"}


def _check_marks(body: Json) -> None:
    marked = [part for part in parts_of(body) if part.value.get("cache_control") is not None]
    for part in marked:
        _check_mark(part)
    if len(marked) > MAX_BREAKPOINTS:
        raise invalid(f"A maximum of 4 blocks with cache_control may be provided. Found {len(marked)}.")
    lives = [part.ttl for part in marked]
    if "1h" in lives and "5m" in lives[: len(lives) - lives[::-1].index("1h")]:
        raise invalid("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block")


def _check_mark(part: Part) -> None:
    mark = part.value["cache_control"]
    if not isinstance(mark, dict) or mark.get("type") != "ephemeral" or part.ttl not in ("5m", "1h"):
        raise invalid(f"{part.section}: cache_control must be ephemeral with a ttl of '5m' or '1h'")
    if not part.markable:
        raise invalid(f"{part.section}: cache_control cannot be set on a {part.value.get('type')} block")
