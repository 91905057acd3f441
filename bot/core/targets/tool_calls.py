"""The read-only tools as data: their names, arguments and descriptions, and the check of what a model asked for."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.core.shown import shown
from bot.core.tools import ToolResult, ToolSpec


class ReadCall(BaseModel):
    """Read one text file, or the text of one PDF, Word or PowerPoint file, with line numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(description="Path of the file, relative to the root, for example docs/design.md")
    first_line: int = Field(default=1, ge=1, description="First line wanted, counted from 1")
    last_line: int = Field(default=0, ge=0, description="Last line wanted; 0: all that fit")


class GrepCall(BaseModel):
    """Search the text files below the root for a regular expression; answers path:line: text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str = Field(min_length=1, max_length=500, description="Python regular expression, matched in each line")
    path: str = Field(default="", description="File or folder to search; empty: all below the root")
    glob: str = Field(
        default="", max_length=500, description="Only files whose path matches, for example *.py, src/**/*.ts"
    )
    ignore_case: bool = Field(default=False, description="True to match upper and lower case alike")


class GlobCall(BaseModel):
    """List the files below the root whose path matches a pattern."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str = Field(min_length=1, max_length=500, description="For example *.md or src/**/*.py; ** is any depth")
    path: str = Field(default="", description="Folder that the pattern starts from; empty: the root")


AnyCall = ReadCall | GrepCall | GlobCall

_CALLS: Mapping[str, type[ReadCall] | type[GrepCall] | type[GlobCall]] = {
    "Read": ReadCall,
    "Grep": GrepCall,
    "Glob": GlobCall,
}


def _spec(name: str) -> ToolSpec:
    call = _CALLS[name]
    return ToolSpec(name=name, description=call.__doc__ or "", schema=_plain(call.model_json_schema()))


def _plain(schema: dict[str, Any]) -> dict[str, object]:
    properties = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in schema["properties"].items()
    }
    required = schema.get("required", [])
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


TOOLS: tuple[ToolSpec, ...] = tuple(_spec(name) for name in _CALLS)
"""Always these three in this order, so that every persona's prompt starts with the same bytes."""


def checked_call(name: str, arguments: Mapping[str, Any]) -> AnyCall | ToolResult:
    """The call that a model asked for, or the refusal that tells it what is wrong with it."""
    call = _CALLS.get(name)
    if call is None:
        return failed(f"There is no tool {shown(name, 40)!r}; the tools are {', '.join(_CALLS)}.")
    try:
        return call.model_validate(dict(arguments))
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:5])
        return failed(f"{name}: {shown('; '.join(faults), 400)}")


def failed(reason: str) -> ToolResult:
    """A result with nothing but the reason: the call is wrong, or the file can not be read."""
    return ToolResult(text=reason, outcome=f"failed: {shown(reason)}", refused=True)


def refused(reason: str) -> ToolResult:
    """A result with nothing but the reason: the path lies outside, is hidden, or looks like a secret."""
    return ToolResult(text=reason, outcome=f"refused: {shown(reason)}", refused=True)
