"""Requests the Messages API turns down, and the test server with it."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest

from tests.servers.messages_api import MessagesServer, anthropic_client

USER = {"role": "user", "content": "Hello"}
ASSISTANT = {"role": "assistant", "content": "Hi"}
SYSTEM = {"role": "system", "content": "You are Bo."}
MARK = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}
OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
TOOL = {"name": "t", "input_schema": {"type": "object"}}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "t", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}


def _marked(mark: dict[str, str], count: int = 1, text: str = "x") -> list[dict[str, Any]]:
    return [{"type": "text", "text": text, "cache_control": mark} for _ in range(count)]


def _user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def _says(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def _format(schema: Any) -> dict[str, Any]:
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"messages": []}, "at least one message"),
        ({"messages": [ASSISTANT, USER]}, "first message must use the 'user' role"),
        ({"messages": [USER, ASSISTANT]}, "prefill"),
        ({"messages": [_user({"type": "text", "text": " \n"})]}, "non-whitespace"),
        ({"messages": [{"role": "user", "content": ""}]}, "non-empty"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "role"),
        ({"messages": [SYSTEM, USER]}, "first message"),
        ({"messages": [USER, SYSTEM, SYSTEM]}, "directly follow a user message|must be last"),
        ({"messages": [USER, SYSTEM, USER]}, "must be last or be followed by an assistant"),
        ({"messages": [USER, ASSISTANT, SYSTEM]}, "directly follow a user message"),
        ({"messages": [USER, {"role": "system", "content": [RESULT]}]}, "text only"),
        ({"messages": [USER, SYSTEM], "model": "claude-haiku-4-5"}, "does not support system messages"),
        ({"messages": [USER, _says(CALL), USER], "tools": [TOOL]}, "do not pair up"),
        ({"messages": [_user(RESULT)]}, "do not pair up"),
        ({"messages": [_user(*_marked(MARK, 5))]}, "maximum of 4 blocks with cache_control.*Found 5"),
        ({"messages": [_user(*_marked(MARK, 4))], "cache_control": HOUR}, "must not come after"),
        ({"messages": [_user(*_marked(MARK), *_marked(HOUR))]}, "must not come after"),
        ({"system": _marked({"type": "ephemeral", "ttl": "1d"})}, "ttl of '5m' or '1h'"),
        ({"system": _marked(MARK, text="")}, "non-whitespace"),
        ({"temperature": 1}, "temperature: not supported"),
        ({"max_token": 9}, "max_token: Extra inputs"),
        ({"tools": [TOOL, TOOL]}, "names must be unique"),
        ({"tools": [TOOL | {"name": "a b"}]}, "should match pattern"),
        ({"tools": [TOOL], "tool_choice": {"type": "any"}}, "forced tool use is not supported"),
        ({"thinking": {"type": "disabled"}}, "'disabled' is not supported"),
        (
            {"model": "claude-haiku-4-5", "thinking": {"type": "enabled", "budget_tokens": 2000}},
            "less than max_tokens",
        ),
        ({"model": "claude-haiku-4-5", "output_config": {"effort": "low"}}, "effort: 'low' is not supported"),
        (_format({"type": "object", "properties": {}}), "'additionalProperties' must be explicitly"),
        (_format(OBJECT | {"properties": {"a": {"type": "integer", "maximum": 3}}}), "'maximum' is not supp"),
        (_format({"type": "array", "items": OBJECT, "minItems": 2}), "'minItems' values other than"),
        (_format({"type": "thing"}), "not a JSON schema"),
    ],
)
async def test_a_request_that_breaks_a_rule_gets_400(change: dict[str, Any], complaint: str) -> None:
    """The message names the rule; the model is not asked."""
    body: dict[str, Any] = {"model": "claude-opus-5-5", "max_tokens": 100, "messages": [USER]} | change
    extra = {name: body.pop(name) for name in ("temperature", "max_token") if name in body}
    async with MessagesServer() as server, anthropic_client(server) as client:
        with pytest.raises(anthropic.BadRequestError, match=complaint) as caught:
            await client.messages.create(**body, extra_body=extra)

    assert caught.value.type == "invalid_request_error"
    assert (server.calls[0].outcome, server.calls[0].usage) == ("refused", None)


@pytest.mark.parametrize(
    "change",
    [
        {"messages": [USER, USER]},
        {"messages": [USER, SYSTEM]},
        {"messages": [USER, SYSTEM, ASSISTANT, USER, SYSTEM]},
        {"messages": [USER, _says(CALL), _user(RESULT)], "tools": [TOOL]},
        {"messages": [USER, ASSISTANT], "model": "claude-haiku-4-5"},
        {"messages": [_user(*_marked(HOUR), *_marked(MARK, 3))]},
        {"system": "Be brief.", "cache_control": MARK},
        {"tools": [TOOL], "tool_choice": {"type": "tool", "name": "t"}, "model": "claude-opus-5"},
        {"output_config": {"effort": "low", "format": {"type": "json_schema", "schema": OBJECT}}},
    ],
)
async def test_a_request_within_the_rules_is_answered(change: dict[str, Any]) -> None:
    """Consecutive user messages, a system message at the end, paired tool results, four marks."""
    body: dict[str, Any] = {"model": "claude-opus-5-5", "max_tokens": 100, "messages": [USER]} | change
    async with MessagesServer() as server, anthropic_client(server) as client:
        message = await client.messages.create(**body)

    assert message.type == "message"


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b'{"model": ', "not valid JSON"),
        (b"[]", "expected an object"),
        (b'{"model":"claude-opus-5-5","max_tokens":9,"messages":[{"role":"user","content":"\\ud800"}]}', "JSON"),
        (b'{"model":"claude-opus-5-5","messages":[]}', "max_tokens: Field required"),
        (b'{"max_tokens":9}', "model: Field required"),
        (b'{"model":"claude-opus-5-5","max_tokens":9,"messages":[{"role":"user","content":[3]}]}', "object"),
        (b'{"model":"claude-opus-5-5","max_tokens":9,"tools":[3],"messages":[]}', "malformed"),
    ],
)
async def test_a_body_that_is_no_request_gets_400(raw: bytes, complaint: str) -> None:
    """Whatever the bytes are."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        with pytest.raises(anthropic.BadRequestError, match=complaint):
            await client.post(
                "/v1/messages",
                cast_to=object,
                content=raw,
                options={"headers": {"content-type": "application/json"}},
            )


async def test_a_version_of_the_api_must_be_named() -> None:
    """As Anthropic's servers demand and its SDK does."""
    async with MessagesServer() as server, anthropic_client(server) as client:
        with pytest.raises(anthropic.BadRequestError, match="header is required"):
            await client.messages.create(
                model="claude-opus-5-5",
                max_tokens=9,
                messages=[{"role": "user", "content": "x"}],
                extra_headers={"anthropic-version": anthropic.omit},
            )
