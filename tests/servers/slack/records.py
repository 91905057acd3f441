"""What the server remembers of the app under test: its calls, its acks, its slips; also on disk."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TextIO, TypeAlias

from tests.servers.slack.world import JSON

AckState: TypeAlias = Literal["acked", "timeout", "refused", "unreachable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One Web API call as it came in, and how it ended."""

    method: str
    arguments: JSON
    team: str
    at: float
    """Seconds on the server's clock."""
    outcome: str
    """`ok`, the error's code, or `ratelimited`."""
    fault: str | None = None
    """The scripted fault that struck it."""
    seen: bool = True
    """False when the caller could not learn the outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """How the app answered one delivery attempt of an event, a command or an interaction."""

    kind: str
    """`events_api`, `slash_commands` or `interactive`."""
    name: str
    """Event type, command, callback or action."""
    key: str
    """The event's id, or the trigger's."""
    attempt: int
    """0 for the first delivery."""
    state: AckState
    latency: float | None = None
    """Seconds until the answer."""
    payload: JSON = field(default_factory=dict)
    """What the app answered with: a command's text, a form's errors."""

    @property
    def ok(self) -> bool:
        """True when the app answered in time with success."""
        return self.state == "acked"


class Journal:
    """An append-only file of what was carried out, one JSON object a line, complete after each entry."""

    def __init__(self, path: Path | None) -> None:
        self._file: TextIO | None = path.open("a", encoding="utf-8") if path else None

    def write(self, kind: str, **fields: Any) -> None:
        """Append one entry and flush it."""
        if self._file is not None:
            self._file.write(json.dumps({"at": time.time(), "kind": kind, **fields}, ensure_ascii=False) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def entries(path: Path) -> list[JSON]:
    """Everything in a journal."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
