"""The moment at which a panel hears something, as the steering tables tell them apart."""

from typing import Literal

from bot.core.panel import Panel

Phase = Literal["go-ahead", "waiting", "running", "closing", "paused", "finished", "stopped", "failed"]
PHASES: tuple[Phase, ...] = ("go-ahead", "waiting", "running", "closing", "paused", "finished", "stopped", "failed")
"""`go-ahead`: before it began; `waiting`: for a higher cap, a provider or an answer; `closing`: running, with only the
closing phase left."""


def phase(panel: Panel) -> Phase:
    """The panel's phase now."""
    if panel.status == "waiting":
        return "go-ahead" if panel.reason.startswith("go-ahead") else "waiting"
    if panel.status == "running" and panel.closing:
        return "closing"
    return panel.status


def ended(panel: Panel) -> bool:
    """Finished, stopped or failed."""
    return panel.status in ("finished", "stopped", "failed")


def cold(panel: Panel) -> bool:
    """True while a cold round runs: a review's only round, a council's first. It hears control words alone."""
    if panel.closing or ended(panel) or phase(panel) == "go-ahead":
        return False
    if panel.format == "review":
        return True
    if panel.format != "council" or panel.round > 1:
        return False
    names = [seat.persona.short_name for seat in panel.speakers(1)]
    return not names or not all(panel.has("verdict", 1, name) for name in names)


def synthesized(panel: Panel) -> bool:
    """True when a synthesis stands for all that was said."""
    return any(kind == "synthesis" for kind, *_ in panel.done)
