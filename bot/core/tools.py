"""The read-only tools that personas may use: their definitions as data, and the port that runs them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.core.shown import shown


class ReadCall(BaseModel):
    """Read one text file, or the text of one PDF, Word or PowerPoint file, with line numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(description="Path of the file, relative to the root, for example docs/design.md")
    first_line: int = Field(default=1, ge=1, description="First line wanted, counted from 1")
    last_line: int = Field(default=0, ge=0, description="Last line wanted; 0: all that fit")


class GrepCall(BaseModel):
    """Search the text files below the root for a regular expression; answers path:line: text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str = Field(
        min_length=1, max_length=500, description="Python regular expression, matched in each line"
    )
    path: str = Field(default="", description="File or folder to search; empty: all below the root")
    glob: str = Field(default="", description="Only files whose path matches, for example *.py, src/**/*.ts")
    ignore_case: bool = Field(default=False, description="True to match upper and lower case alike")


class GlobCall(BaseModel):
    """List the files below the root whose path matches a pattern."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str = Field(
        min_length=1, max_length=500, description="For example *.md or src/**/*.py; ** is any depth"
    )
    path: str = Field(default="", description="Folder that the pattern starts from; empty: the root")


CALLS: Mapping[str, type[ReadCall] | type[GrepCall] | type[GlobCall]] = {
    "Read": ReadCall,
    "Grep": GrepCall,
    "Glob": GlobCall,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One tool as a model is told about it."""

    name: str
    description: str
    schema: Mapping[str, object]
    """JSON Schema of the arguments."""


def _spec(name: str) -> ToolSpec:
    call = CALLS[name]
    return ToolSpec(name=name, description=call.__doc__ or "", schema=_plain(call.model_json_schema()))


def _plain(schema: dict[str, Any]) -> dict[str, object]:
    properties = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in schema["properties"].items()
    }
    required = schema.get("required", [])
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


TOOLS: tuple[ToolSpec, ...] = tuple(_spec(name) for name in CALLS)
"""Always these three in this order, so that every persona's prompt starts with the same bytes."""


class ToolLog(BaseModel):
    """One tool call as the record keeps it; the caller adds the persona."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str
    arguments: dict[str, str]
    """As the model gave them, each at most 200 characters."""
    outcome: Literal["ok", "refused", "failed"]
    """`refused`: outside the root, hidden, or a secret by its name. `failed`: all other faults."""
    summary: str
    """One line, for example `lines 1-40 of docs/design.md`; no content of files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What one call gives back to the model, and to the record."""

    text: str
    log: ToolLog

    @property
    def failed(self) -> bool:
        return self.log.outcome != "ok"


class Toolbox(ABC):
    """Runs the read-only tools, confined to one root."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools on offer."""
        return TOOLS

    @abstractmethod
    async def run(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Run one tool; wrong names, wrong arguments and refusals are failed results, never raised.

        The text is capped and says so where it is; paths in it are relative to the root.
        """


def checked_call(name: str, arguments: Mapping[str, object]) -> ReadCall | GrepCall | GlobCall | ToolResult:
    """The call that a model asked for, or the failed result that tells it what is wrong."""
    call = CALLS.get(name)
    if call is None:
        reason = f"There is no tool {shown(name, 40)!r}; the tools are {', '.join(CALLS)}."
        return tool_failure(name, arguments, reason)
    try:
        return call.model_validate(dict(arguments))
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in error.errors()[:5]
        )
        return tool_failure(name, arguments, f"{name}: {faults}")


def tool_success(name: str, arguments: Mapping[str, object], text: str, summary: str) -> ToolResult:
    """A result with its log line."""
    log = ToolLog(tool=name, arguments=_short(arguments), outcome="ok", summary=summary)
    return ToolResult(text=text, log=log)


def tool_failure(
    name: str,
    arguments: Mapping[str, object],
    reason: str,
    outcome: Literal["refused", "failed"] = "failed",
) -> ToolResult:
    """A result that tells the model, and the record, why there is nothing."""
    log = ToolLog(tool=name[:40], arguments=_short(arguments), outcome=outcome, summary=reason[:200])
    return ToolResult(text=reason, log=log)


def _short(arguments: Mapping[str, object]) -> dict[str, str]:
    return {str(key)[:40]: str(value)[:200] for key, value in list(arguments.items())[:10]}
