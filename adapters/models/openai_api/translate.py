"""Between the house's request and Chat Completions: bodies out, usage and limits in.

One user message holds the shared blocks and then the persona, as text: the prefix caches of these servers work on
tokens and need no marks, and many chat templates take neither two user messages in a row nor a system message at the
end. The schema goes through `response_format`, which is no part of these caches, and in words as well, since a grammar
alone does not tell a small model what the fields mean.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from openai.types import CompletionUsage

from adapters.models.limits import modest
from bot.core.measured import Usage
from bot.core.model import Allowance, ModelRequest

VENDOR = "https://api.openai.com/v1"
_DROPPED = ("title", "default", "minLength", "maxLength")
"""Keywords that strict schemas may not have."""
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def body_of(request: ModelRequest, later: list[dict[str, Any]], *, vendor: bool) -> dict[str, Any]:
    """The parameters of one call; `later` are the messages of tool rounds so far."""
    limit = {"max_completion_tokens": request.max_tokens} if vendor else {"max_tokens": modest(request.max_tokens)}
    body: dict[str, Any] = {
        "model": request.model.name,
        **limit,
        "messages": [
            {"role": "system", "content": request.prompt.system},
            {"role": "user", "content": _content(request)},
            *later,
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.schema is not None:
        schema = {"name": request.scene.answer or "answer", "schema": strict(request.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.toolbox:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": spec.name, "description": spec.description, "parameters": dict(spec.schema)},
            }
            for spec in request.toolbox.specs()
        ]
    return body


def _content(request: ModelRequest) -> str:
    prompt = request.prompt
    tail = f"{prompt.tail}\n\n{prompt.schema_words}" if request.schema is not None else prompt.tail
    return "\n\n".join([*(block.text for block in prompt.shared), f"<persona>\n{tail}\n</persona>"])


def strict(schema: Any) -> Any:
    """The schema as these servers enforce it: every object closed, all of its properties required."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    named = ("properties", "$defs")
    made = {
        key: {name: strict(inner) for name, inner in value.items()} if key in named else strict(value)
        for key, value in schema.items()
        if key not in _DROPPED
    }
    if "properties" in made:
        made |= {"additionalProperties": False, "required": list(made["properties"])}
    return made


def usage_of(told: CompletionUsage) -> Usage:
    """The bill; `prompt_tokens` includes what was read from a cache."""
    details = told.prompt_tokens_details
    cached = (details.cached_tokens or 0) if details else 0
    return Usage(input=max(0, told.prompt_tokens - cached), cache_read=cached, output=told.completion_tokens)


def allowances_of(headers: Mapping[str, str]) -> tuple[Allowance, ...]:
    """The limits in the headers `x-ratelimit-*`, where the server sends them."""
    kinds: tuple[Literal["requests", "tokens"], ...] = ("requests", "tokens")
    found = (_allowance(headers, kind) for kind in kinds)
    return tuple(allowance for allowance in found if allowance)


def _allowance(headers: Mapping[str, str], kind: Literal["requests", "tokens"]) -> Allowance | None:
    try:
        limit, left = int(headers[f"x-ratelimit-limit-{kind}"]), int(headers[f"x-ratelimit-remaining-{kind}"])
    except (KeyError, ValueError):
        return None
    resets = seconds(headers.get(f"x-ratelimit-reset-{kind}", ""))
    return Allowance(kind=kind, limit=limit, left=left, resets_in=resets)


def seconds(duration: str) -> float:
    """`6m0s`, `1.5s`, `20ms` as seconds; 0 for anything else."""
    return sum(float(number) * _SECONDS[unit] for number, unit in _DURATION.findall(duration))
