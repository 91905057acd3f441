"""Writes the table of what every word does in every phase of every format, as the code has it.

`python -m tests.core.steering_table > tests/core/steering_table.md` renews the file; read the difference before you
commit it.
"""

from bot.core.fold import fold
from bot.core.options import FormatName
from bot.core.panel import Panel
from bot.core.phases import PHASES, Phase
from bot.core.steering.outcome import entries_of
from bot.core.steering.taking import Taken, take
from tests.core.steered import in_phase, view_of

FORMATS: tuple[FormatName, ...] = ("discussion", "debate", "review", "council")

SAYINGS: tuple[str, ...] = (
    "stop",
    "end",
    "wrap up",
    "wrap up in 2 rounds",
    "pause",
    "continue",
    "resume",
    "extend 2",
    "rounds 1",
    "rounds 9",
    "skip",
    "skip ONE",
    "skip TWO",
    "ask TWO: why?",
    "@TWO why?",
    "add Dora",
    "add LAST",
    "drop TWO",
    "drop ONE",
    "mute TWO",
    "unmute LAST",
    "budget $5",
    "budget $0.01",
    "synthesize",
    "withdraw 1",
    "withdraw 9",
    "go",
    "yes",
    "cancel",
    "accept: it is sound",
    "reject",
    "defer",
    "status",
    "cost",
    "help",
    "steer: quote the numbers",
    "be more concise",
    "say: stop",
    "@panel what is open?",
    "TWO, what is open?",
    "we should stop retrying",
    "stpo",
    "skip Zed",
    "// between us",
)
NAMES: dict[FormatName, tuple[str, str, str]] = {
    "discussion": ("Ada", "Bo", "Cy"),
    "debate": ("Ada", "Bo", "Cy"),
    "review": ("Ada", "Bo", "Cy"),
    "council": ("Intent Keeper", "User Advocate", "Tester Breaker"),
}
"""Who stands for ONE, TWO and LAST: an ordinary speaker who has spoken in this round, one who has not, and the last."""


def said(saying: str, format_name: FormatName) -> str:
    """The saying with the format's own names."""
    for placeholder, name in zip(("ONE", "TWO", "LAST"), NAMES[format_name], strict=True):
        saying = saying.replace(placeholder, name)
    return saying


def cell(saying: str, phase: Phase, format_name: FormatName) -> tuple[str, str]:
    """What happens, in short, and what the asker is told."""
    panel = in_phase(phase, format_name)
    taken = take(said(saying, format_name), view_of(panel))
    return f"{taken.sign} {_effect(panel, taken)}".strip(), taken.answer


def _effect(panel: Panel, taken: Taken) -> str:
    if taken.entry is None:
        return taken.kind
    entries = entries_of(panel, taken.entry)
    after = fold(panel, (e.model_copy(update={"seq": panel.last_seq + n}) for n, e in enumerate(entries, 1)))
    if after.controls != panel.controls and after.controls[-1].refused:
        return "refused"
    return ", ".join(_changes(panel, after)) or "kept"


def _changes(before: Panel, after: Panel) -> list[str]:
    """The facts that differ."""
    facts = [
        (after.status != before.status, f"→ {after.status}"),
        (bool(after.closing and not before.closing), "closing"),
        (bool(before.closing and not after.closing), "goes on"),
        (after.rounds_max != before.rounds_max, f"rounds {after.rounds_max}"),
        (after.max_cost != before.max_cost, f"cap {after.max_cost}"),
        (len(after.humans) > len(before.humans), "contribution"),
        (len(after.standing) > len(before.standing), "directive"),
        (len(after.standing) < len(before.standing), "directive withdrawn"),
        (len(after.decisions) > len(before.decisions), "decision"),
    ]
    facts += [(True, f"asks {ask.persona}") for ask in after.asks[len(before.asks) :]]
    facts += [(True, f"skips {name or 'next'}") for name in after.skips[len(before.skips) :]]
    facts += [(True, f"{c.persona} {c.state} from {c.round}") for c in after.changes[len(before.changes) :]]
    return [text for holds, text in facts if holds]


def table() -> str:
    """The whole file."""
    parts = [
        "# What every word does, in every phase of every format\n",
        "Said by an admin, in round 2 of 3 (a review: in its one round), with one speaker done in this round, one "
        "directive standing and, in a discussion and a council, one speaker muted. `kept`: in the log without an "
        "effect on the plan; `refused`: in the log with the reason; `told`: answered at once; `aside`: not stored.\n",
        *(_section(format_name) for format_name in FORMATS),
    ]
    return "\n".join(parts)


def _section(format_name: FormatName) -> str:
    lines = [f"## {format_name}\n", f"| say | {' | '.join(PHASES)} |", "|---" * (len(PHASES) + 1) + "|"]
    told: dict[str, list[str]] = {}
    for saying in SAYINGS:
        cells = [cell(saying, phase, format_name) for phase in PHASES]
        text = said(saying, format_name)
        lines.append(f"| {text} | {' | '.join(effect for effect, _ in cells)} |")
        if saying in ("status", "cost", "help"):
            continue
        for phase, (_, answer) in zip(PHASES, cells, strict=True):
            if answer:
                told.setdefault(f"{text} → {answer}", []).append(phase)
    lines.append(f"\nWhat the asker of a {format_name} is told:\n")
    lines += [f"- {' / '.join(phases)}: {answer}" for answer, phases in told.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
