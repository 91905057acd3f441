"""What the Messages API demands of everything in a request but its conversation."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.servers.messages_api.catalogue import Model
from tests.servers.messages_api.conversation import check_conversation
from tests.servers.messages_api.refusals import RefusedError, invalid
from tests.servers.messages_api.schema import faults_of
from tests.servers.messages_api.usage import Json

COUNTED = frozenset(
    {"model", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "cache_control"}
)
SAMPLING = frozenset({"temperature", "top_p", "top_k"})
FIELDS = (
    COUNTED
    | SAMPLING
    | {"max_tokens", "stream", "stop_sequences", "metadata", "service_tier", "container", "diagnostics"}
    | {"inference_geo", "speed"}
)


def parsed(raw: bytes) -> Json:
    """The JSON object of a request body; 400 where it is none."""
    try:
        body = json.loads(raw)
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise invalid(f"The request body is not valid JSON: {error}") from error
    if not isinstance(body, dict):
        raise invalid("The request body is not valid JSON: expected an object")
    return body


def find_model(models: dict[str, Model], name: object) -> Model:
    """The model of a call: 400 without a name, 404 where unknown or retired, 403 where not permitted."""
    if not isinstance(name, str):
        raise invalid("model: Field required")
    model = models.get(name)
    if model is None or model.lifecycle == "retired":
        raise RefusedError(type="not_found_error", message=f"model: {name}")
    if not model.permitted:
        raise RefusedError(type="permission_error", message=f"Your API key does not have permission to use {name}")
    return model


def check_message(body: Json, model: Model) -> None:
    """Raises `RefusedError` where `POST /v1/messages` would."""
    limit = body.get("max_tokens")
    if not isinstance(limit, int) or limit < 0:
        raise invalid("max_tokens: Field required")
    if limit > model.max_tokens:
        raise invalid(f"max_tokens: {limit} > {model.max_tokens}, the maximum for {model.id}")
    sampled = SAMPLING & body.keys()
    if sampled and not model.sampling:
        raise invalid(f"{min(sampled)}: not supported by {model.id}")
    _check_fields(body, FIELDS)
    _check_thinking(body.get("thinking"), model, limit)
    _check_rest(body, model)


def check_count(body: Json, model: Model) -> None:
    """Raises `RefusedError` where `POST /v1/messages/count_tokens` would."""
    _check_fields(body, COUNTED | {"speed"})
    _check_rest(body, model)


def check_size(total: int, model: Model) -> None:
    """400 where a prompt is larger than the model's window."""
    if total > model.max_input_tokens:
        raise invalid(f"prompt is too long: {total} tokens > {model.max_input_tokens} maximum")


def _check_rest(body: Json, model: Model) -> None:
    _check_tools(body.get("tools") or [])
    choice = body.get("tool_choice") or {"type": "auto"}
    if choice.get("type") in ("any", "tool") and not model.forced_tools:
        raise invalid(f"tool_choice: forced tool use is not supported by {model.id}")
    _check_output(body.get("output_config") or {}, model)
    check_conversation(body, model)


def _check_fields(body: Json, known: frozenset[str]) -> None:
    for name in body.keys() - known:
        raise invalid(f"{name}: Extra inputs are not permitted")


def _check_tools(tools: list[Any]) -> None:
    names = [tool.get("name") for tool in tools]
    for n, tool in enumerate(tools):
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", str(names[n])):
            raise invalid(f"tools.{n}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if "type" not in tool and (tool.get("input_schema") or {}).get("type") != "object":
            raise invalid(f"tools.{n}.input_schema.type: must be 'object'")
    if len(set(names)) < len(names):
        raise invalid("tools: Tool names must be unique.")


def _check_thinking(thinking: Any, model: Model, limit: int) -> None:
    if thinking is None:
        return
    if thinking.get("type") not in model.thinking:
        raise invalid(f"thinking.type: '{thinking.get('type')}' is not supported by {model.id}")
    budget = thinking.get("budget_tokens")
    if thinking["type"] == "enabled" and not (isinstance(budget, int) and 1024 <= budget < limit):
        raise invalid("thinking.enabled.budget_tokens: must be at least 1024 and less than max_tokens")


def _check_output(config: Json, model: Model) -> None:
    effort = config.get("effort")
    if effort is not None and effort not in model.efforts:
        raise invalid(f"output_config.effort: '{effort}' is not supported by {model.id}")
    wanted = config.get("format")
    if wanted is None:
        return
    if not model.structured_outputs:
        raise invalid(f"output_config.format: structured outputs are not supported by {model.id}")
    faults = faults_of(wanted.get("schema")) if wanted.get("type") == "json_schema" else ["type must be json_schema"]
    if faults:
        raise invalid(f"output_config.format.schema: {'; '.join(faults)}")
