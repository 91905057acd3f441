"""How a command ends: its exit code, and its last line."""

from pathlib import Path

from bot.core.panel import Panel
from bot.core.records.record import rounds_done
from bot.core.steering.told import rounds, state

FAILED_VERDICTS = ("fail", "FAIL")


def exit_code(panel: Panel) -> int:
    """0 pass, warn, done or stopped by a human; 1 fail; 3 no model; 4 budget; 130 paused by a human."""
    if panel.status == "stopped":
        return 0
    if panel.status == "failed":
        return 1
    if panel.status == "finished":
        if panel.verdict in FAILED_VERDICTS:
            return 1
        if panel.verdict == "incomplete":
            return 3
        return 4 if panel.closing == "budget" else 0
    reason = panel.reason
    if reason.startswith(("provider", "failures")):
        return 3
    return 4 if reason.startswith("budget") else 130


def last_line(panel: Panel, home: Path) -> str:
    """Rounds, tokens and cost; where the transcript is, or how to go on."""
    usage = panel.usage
    tokens = usage.input + usage.cache_read + usage.cache_creation
    spent = "n/a" if panel.unpriced and not panel.spent_usd else f"${panel.spent_usd:.4f}"
    voices = "" if panel.opened.model_is_ai else " · rehearsal: no AI"
    done = rounds(rounds_done(panel))
    line = f"\n{state(panel)}. {done} done · {tokens} tokens in, {usage.output} out · {spent}{voices}"
    if panel.status in ("paused", "waiting", "running"):
        return f"{line}\nGo on with: panelist resume {panel.id}"
    transcript = panel.artifacts.get("transcript")
    record = panel.artifacts.get("record")
    if transcript and record:
        line += f"\nTranscript: {home / transcript}\nRecord: {home / record}"
    return line
