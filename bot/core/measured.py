"""What is counted about a turn: tokens, checks, tool calls; and what was expected of a panel."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value that takes no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Usage(Value):
    """Tokens of all attempts of one call. `input` is what was neither read from nor written to a cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_creation=self.cache_creation + other.cache_creation,
        )


class Check(Value):
    """One decidable check on what was said."""

    name: str
    result: Literal["passed", "failed", "not_run"]
    detail: str = ""


class ToolCall(Value):
    """One use of a read-only tool by a persona."""

    tool: str
    arguments: dict[str, Any]
    outcome: str
    """What came back, in a few words: counts and sizes, or the refusal; never the content."""


class Forecast(Value):
    """What the panel was expected to take, before it started."""

    turns: int
    words: int
    minutes: float
    cost_usd: float | None
    """None where a model has no known price."""
