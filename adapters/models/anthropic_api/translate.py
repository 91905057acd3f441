"""Between the house's request and the Messages API: bodies out, usage and limits in.

Structured answers: `output_config.format` can be part of the cache key, so asking through it in one turn of a panel
would write the whole shared prefix once more. So the schema is asked for in words at the end of the tail, which is
never cached, and every turn of a panel, spoken or structured, reads the same entry. Only a repair, where words did not
suffice, asks through `output_config.format` and pays for that.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from anthropic import transform_schema
from anthropic.types import Message

from adapters.models.anthropic_api.abilities import Abilities
from adapters.models.broken import estimated_tokens
from adapters.models.limits import modest
from bot.core.measured import Usage
from bot.core.model import Allowance, Block, ModelRequest

MARK = {"type": "ephemeral"}
MOST_MARKS = 4
KINDS: Mapping[str, Literal["requests", "input", "output", "tokens"]] = {
    "requests": "requests",
    "input-tokens": "input",
    "output-tokens": "output",
    "tokens": "tokens",
}


def body_of(request: ModelRequest, abilities: Abilities, later: list[dict[str, Any]]) -> dict[str, Any]:
    """The parameters of one call; `later` are the messages of tool rounds so far."""
    enforced = bool(request.schema and request.enforce and abilities.structured)
    body: dict[str, Any] = {
        "model": request.model.name,
        "max_tokens": min(request.max_tokens, abilities.max_tokens or modest(request.max_tokens)),
        "system": [{"type": "text", "text": request.prompt.system}],
        "messages": _messages(request, abilities, later, in_words=not enforced),
    }
    config = _output_config(request, abilities, enforced=enforced)
    if config:
        body["output_config"] = config
    if request.toolbox:
        body["tools"] = [
            {"name": spec.name, "description": spec.description, "input_schema": dict(spec.schema)}
            for spec in request.toolbox.specs()
        ]
    return body


def _messages(
    request: ModelRequest, abilities: Abilities, later: list[dict[str, Any]], *, in_words: bool
) -> list[dict[str, Any]]:
    prompt = request.prompt
    tail = f"{prompt.tail}\n\n{prompt.schema_words}" if in_words and request.schema is not None else prompt.tail
    shared = _marked(prompt.shared, MOST_MARKS - bool(later))
    if abilities.system_tail:
        ends: list[dict[str, Any]] = [{"role": "system", "content": [_text(tail)]}]
    else:
        shared.append(_text(f"<persona>\n{tail}\n</persona>"))
        ends = []
    return [{"role": "user", "content": shared}, *ends, *_with_moving_mark(later)]


def _marked(blocks: Iterable[Block], most: int) -> list[dict[str, Any]]:
    """The shared blocks; of their breakpoints the newest ones and the first, where not all find room."""
    kept = list(blocks)
    marks = [index for index, block in enumerate(kept) if block.breakpoint]
    if len(marks) > most:
        marks = marks[:1] + marks[len(marks) - most + 1 :]
    return [_text(block.text) | ({"cache_control": MARK} if i in marks else {}) for i, block in enumerate(kept)]


def _with_moving_mark(later: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A breakpoint on the newest tool result, so that each round of tools reads the one before."""
    if not later or later[-1]["role"] != "user":
        return later
    newest = later[-1]
    content = [*newest["content"][:-1], newest["content"][-1] | {"cache_control": MARK}]
    return [*later[:-1], newest | {"content": content}]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _output_config(request: ModelRequest, abilities: Abilities, *, enforced: bool) -> dict[str, Any]:
    config: dict[str, Any] = {"effort": "low"} if abilities.low_effort else {}
    if enforced and request.schema is not None:
        config["format"] = {"type": "json_schema", "schema": transform_schema(dict(request.schema))}
    return config


def usage_of(told: Any) -> Usage:
    """A `usage` of the API, of a message or a delta; counts that it leaves out are zero."""
    return Usage(
        input=getattr(told, "input_tokens", None) or 0,
        output=getattr(told, "output_tokens", None) or 0,
        cache_read=getattr(told, "cache_read_input_tokens", None) or 0,
        cache_creation=getattr(told, "cache_creation_input_tokens", None) or 0,
    )


def text_of(message: Message) -> str:
    """What was said: text alone, no thinking."""
    return "".join(block.text for block in message.content if block.type == "text")


def estimated_output(message: Message) -> int:
    """Tokens of an answer that broke off before its bill came."""
    return estimated_tokens(text_of(message))


def allowances_of(headers: Mapping[str, str], now: float) -> tuple[Allowance, ...]:
    """The limits in the headers `anthropic-ratelimit-*`; `now` is in seconds since 1970.

    https://platform.claude.com/docs/en/api/rate-limits#response-headers
    """
    found = (_allowance(headers, name, kind, now) for name, kind in KINDS.items())
    return tuple(allowance for allowance in found if allowance)


def _allowance(
    headers: Mapping[str, str], name: str, kind: Literal["requests", "input", "output", "tokens"], now: float
) -> Allowance | None:
    prefix = f"anthropic-ratelimit-{name}"
    try:
        limit, left = int(headers[f"{prefix}-limit"]), int(headers[f"{prefix}-remaining"])
        resets = datetime.fromisoformat(headers[f"{prefix}-reset"].replace("Z", "+00:00"))
    except (KeyError, ValueError):
        return None
    at = resets if resets.tzinfo else resets.replace(tzinfo=UTC)
    return Allowance(kind=kind, limit=limit, left=left, resets_in=max(0.0, at.timestamp() - now))
