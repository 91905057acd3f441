"""The bound on what a persona may look up during one call, the same for every provider."""

import json
from collections.abc import Mapping
from typing import Any

from bot.core.errors import CallFailed
from bot.core.measured import ToolCall
from bot.core.tools import Toolbox, ToolResult

MOST_CALLS = 16
GRACE = 4
"""Calls beyond the bound that are answered with a reminder before the turn is given up."""
ENOUGH = "No more look-ups: the limit of this turn is reached. Give your answer now from what you have."


class ToolRounds:
    """Runs the tools that a model asks for, and keeps account of them."""

    def __init__(self, toolbox: Toolbox | None) -> None:
        self._toolbox = toolbox
        self.calls: tuple[ToolCall, ...] = ()

    async def use(self, name: str, arguments: object) -> ToolResult:
        """One use of a tool. Raises CallFailed for a model that does not stop."""
        if len(self.calls) >= MOST_CALLS + GRACE:
            raise CallFailed(f"the model kept using tools after {MOST_CALLS} look-ups and gave no answer")
        given = dict(arguments) if isinstance(arguments, Mapping) else {}
        result = await self._result(name, given, arguments)
        self.calls += (ToolCall(tool=name, arguments=given, outcome=result.outcome),)
        return result

    async def _result(self, name: str, given: dict[str, Any], arguments: object) -> ToolResult:
        if len(self.calls) >= MOST_CALLS:
            return ToolResult(text=ENOUGH, outcome="refused: the limit of this turn is reached", refused=True)
        if not isinstance(arguments, Mapping):
            shown = json.dumps(arguments, default=str)[:200]
            return ToolResult(text=f"The arguments must be an object, not {shown}.", outcome="refused", refused=True)
        if self._toolbox is None:
            return ToolResult(text="There are no tools in this turn.", outcome="refused", refused=True)
        return await self._toolbox.run(name, given)
