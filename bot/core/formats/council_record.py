"""What the record keeps of a council: counts, dissent, and verdicts and changes round by round."""

from typing import Any

from bot.core.formats.council_state import ERRORED, INCOMPLETE, changes, errored, final, verdicts
from bot.core.formats.verdicts import KINDS, standing, verdict_of, verdicts_in
from bot.core.panel import Panel
from bot.core.rounds import dropped


def record_of(panel: Panel) -> dict[str, Any]:
    """The record's `consolidation`."""
    given = list(verdicts(panel, panel.round).values())
    verdict = final(panel)
    return {
        "mode": "council",
        "quorum": None,
        "threshold": None,
        "final_verdict": verdict,
        "pass_count": given.count("PASS"),
        "fail_count": given.count("FAIL"),
        "warn_count": 0,
        "concern_count": given.count("CONCERN"),
        "na_count": given.count("N/A"),
        "dissenting_personas": _dissent(panel, verdict),
        "audit_reason": _why(panel, verdict),
        "aggregator_warning": None,
        "grounding_diff": None,
        "rounds": [
            {"verdicts": _round(panel, number), "changes": changes(panel, number) if number > 1 else []}
            for number in range(1, panel.round + 1)
        ],
    }


def _round(panel: Panel, number: int) -> dict[str, str]:
    """Each lens's verdict of that round, or ERRORED."""
    failed = {skip.persona: ERRORED for skip in dropped(panel, KINDS, number)}
    return failed | {lens: verdict_of(turn) for lens, turn in verdicts_in(panel, number).items()}


def _dissent(panel: Panel, final_verdict: str) -> list[dict[str, str]]:
    """Everybody whose verdict differs from the final one; N/A is an abstention and no dissent."""
    return [
        {
            "name": lens,
            "verdict": verdict_of(turn),
            "reason": " ".join(str((turn.data or {}).get("rationale", "")).split()),
        }
        for lens, turn in standing(panel, panel.round).items()
        if verdict_of(turn) not in (final_verdict, "N/A")
    ]


def _why(panel: Panel, verdict: str) -> str:
    given = verdicts(panel, panel.round)
    holders = ", ".join(panel.name_of(lens) for lens, one in given.items() if one == verdict)
    why = f"{verdict} stands by {holders}" if verdict != INCOMPLETE else "no lens gave PASS, CONCERN or FAIL"
    lost = ", ".join(f"{panel.name_of(lens)}: {reason}" for lens, reason in errored(panel).items())
    return f"{why}; incomplete, {ERRORED}: {lost}" if lost else why
