"""Reads a call's arguments from query, form or JSON body, and refuses what the method does not know."""

import json
import re
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from tests.servers.slack.errors import SlackError, invalid_arguments
from tests.servers.slack.methods import KINDS, Method
from tests.servers.slack.world import JSON

_TS = re.compile(r"\d{10}\.\d{6}")
_OPEN_TS = re.compile(r"\d{1,10}(\.\d{1,6})?|now")
_NAME = re.compile(r"\w{1,64}")


async def received(request: web.Request) -> JSON:
    """Query and body together; raises SlackError for a body that can not be read."""
    arguments: JSON = dict(request.query)
    if request.method == "POST" and request.can_read_body:
        match request.content_type:
            case "application/json":
                body = _decoded(await request.text(), "invalid_json")
                if not isinstance(body, dict):
                    raise SlackError("json_not_object")
                arguments |= body
            case "application/x-www-form-urlencoded" | "multipart/form-data":
                arguments |= dict(await request.post())
            case _:
                raise SlackError("invalid_post_type")
    return {name: value for name, value in arguments.items() if value is not None}


def checked(method: Method, arguments: Mapping[str, Any], *, strict: bool) -> JSON:
    """The arguments in their types; raises SlackError for unknown, missing and ill-typed ones."""
    faults = [f"missing required field: {name}" for name in method.required if arguments.get(name) in (None, "")]
    if strict:
        faults += [
            f"{method.name} has no argument {name!r} in Slack's documentation"
            for name in sorted(arguments.keys() - method.arguments)
        ]
    values: JSON = {}
    for name, value in arguments.items():
        if not _NAME.fullmatch(name):
            raise SlackError("invalid_arg_name")
        try:
            values[name] = _typed(name, value)
        except ValueError as fault:
            faults.append(f"{name}: {fault}")
    if faults:
        raise invalid_arguments(*faults)
    return values


def _typed(name: str, value: Any) -> Any:
    match KINDS.get(name, "str"):
        case "bool":
            return _boolean(value)
        case "int":
            return int(value)
        case "json":
            return _structure(name, value)
        case "ts":
            return _timestamp(name, value)
        case _:
            if not isinstance(value, str):
                raise ValueError("must provide a string")
            return value


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in {"1", "true", "0", "false"}:
        return str(value).lower() in {"1", "true"}
    raise ValueError("must provide a boolean")


def _structure(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return _decoded(value, "invalid_blocks_format" if name == "blocks" else "invalid_arguments")
    return value


def _timestamp(name: str, value: Any) -> str:
    """A ts is a string: as a number it loses digits (https://github.com/slackapi/python-slack-sdk/issues/840)."""
    pattern = _OPEN_TS if name in {"oldest", "latest"} else _TS
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError("must be a timestamp as a string, like 1503435956.000247")
    return value


def _decoded(text: str, code: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise SlackError(code) from None
