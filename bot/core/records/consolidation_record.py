"""The record's `consolidation`: what became of the verdicts of a review or a council."""

from typing import Any

from bot.core.panel import Panel


def consolidation_of(panel: Panel) -> dict[str, Any] | None:
    """As the format's synthesis wrote it down; None for formats without verdicts and before there is one."""
    for turn in reversed(panel.turns):
        if turn.turn_kind == "synthesis" and turn.data and "final_verdict" in turn.data:
            return dict(turn.data)
    return None
