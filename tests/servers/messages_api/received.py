"""What reached a server, and what became of it: the record that tests assert on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tests.servers.messages_api.prompt import Block
from tests.servers.messages_api.usage import Json, Usage

Route = Literal["messages", "count_tokens", "models", "chat"]
GENERATING: frozenset[Route] = frozenset({"messages", "chat"})
EVERY_ROUTE: frozenset[Route] = frozenset({"messages", "count_tokens", "models", "chat"})
Outcome = Literal["open", "answered", "refused", "broken", "cancelled"]


@dataclass(slots=True, kw_only=True)
class Received:
    """One request. The server fills it in while it answers; times are the server's clock in seconds."""

    number: int
    """Counts from 1 over all requests of a server."""
    route: Route
    method: str
    path: str
    headers: Mapping[str, str]
    arrived: float
    raw: bytes = b""
    body: Json = field(default_factory=dict)
    """Empty where `raw` is no JSON object."""
    model: str | None = None
    blocks: tuple[Block, ...] = ()
    """The prompt as it was counted, block by block."""
    usage: Usage | None = None
    """What the call was charged: set when the answer begins, its output grows as it is sent."""
    reply: str = ""
    """The text the server set out to send, whole even where it was cut off."""
    status: int | None = None
    fault: object | None = None
    """The fault committed on it."""
    began: float | None = None
    """When the first byte left."""
    ended: float | None = None
    outcome: Outcome = "open"
    """`refused`: an error status. `broken`: a fault struck after the answer began, or the line was cut.
    `cancelled`: the client left first."""
    message_id: str | None = None
    request_id: str = ""

    @property
    def generates(self) -> bool:
        return self.route in GENERATING

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def cancelled(self) -> bool:
        return self.outcome == "cancelled"

    def text(self) -> str:
        """Everything the request says, for a search: its body as readable JSON."""
        return json.dumps(self.body, ensure_ascii=False, indent=1)
