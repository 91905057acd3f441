"""The port to read-only tools (Read, Grep, Glob) that a persona may use inside one allowed root."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.core.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as a model is told of it."""

    name: str
    description: str
    schema: Mapping[str, Any]
    """JSON Schema of the arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool gave back."""

    text: str
    outcome: str
    """In a few words for the record: counts and sizes, or the refusal."""
    refused: bool = False


class Toolbox(ABC):
    """Read-only tools, confined to one root."""

    @abstractmethod
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools, always in the same order."""

    @abstractmethod
    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Use one tool. Never raises for bad arguments or refused paths: the result says what was wrong."""


class Toolboxes(ABC):
    """Where a panel's tools come from."""

    @abstractmethod
    def of(self, documents: tuple[Document, ...]) -> Toolbox | None:
        """The tools for these targets; None where none of them lies under an allowed root."""
