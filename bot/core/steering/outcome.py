"""What a control word does: one table of every word in every phase, and the rules that it names.

`outcome` is pure. It says what the log gets for a word, with which receipt, and what the one who said it is told. A
word that can have no effect is kept in the log with the reason in `refused`; nothing that was said is lost.
"""

from bot.core.entries import AnyEntry, Control
from bot.core.panel import Panel
from bot.core.phases import PHASES, phase
from bot.core.steering.outcome_course import (
    Rule,
    begins,
    begun,
    budgets,
    closes,
    closing,
    continues,
    extends,
    hushes,
    not_begun,
    over,
    paused,
    pauses,
    resumes,
    retries,
    running,
    sets,
    stops,
    wraps_up,
)
from bot.core.steering.outcome_roster import adds, answers, asks, drops, mutes, skips, unmutes, withdraws
from bot.core.steering.outcome_value import Outcome, refused

# fmt: off
TABLE: dict[str, tuple[Rule, ...]] = {
    #              go-ahead   waiting    running    closing    paused     finished   stopped    failed
    "stop":       (stops,     stops,     stops,     stops,     stops,     hushes,    hushes,    hushes),
    "wrap up":    (not_begun, wraps_up,  wraps_up,  closing,   wraps_up,  over,      over,      over),
    "pause":      (not_begun, pauses,    pauses,    pauses,    paused,    over,      over,      over),
    "continue":   (begins,    retries,   running,   running,   resumes,   continues, continues, over),
    "extend":     (extends,   extends,   extends,   extends,   extends,   extends,   extends,   over),
    "rounds":     (sets,      sets,      sets,      sets,      sets,      sets,      sets,      over),
    "skip":       (not_begun, skips,     skips,     skips,     skips,     answers,   answers,   answers),
    "ask":        (asks,      asks,      asks,      asks,      asks,      asks,      asks,      over),
    "add":        (adds,      adds,      adds,      closing,   adds,      adds,      adds,      over),
    "drop":       (drops,     drops,     drops,     closing,   drops,     drops,     drops,     over),
    "mute":       (mutes,     mutes,     mutes,     closing,   mutes,     mutes,     mutes,     over),
    "unmute":     (unmutes,   unmutes,   unmutes,   closing,   unmutes,   unmutes,   unmutes,   over),
    "budget":     (budgets,   budgets,   budgets,   budgets,   budgets,   budgets,   budgets,   over),
    "synthesize": (not_begun, closes,    closes,    closing,   closes,    closes,    closes,    over),
    "withdraw":   (withdraws, withdraws, withdraws, withdraws, withdraws, withdraws, withdraws, withdraws),
    "go":         (begins,    begun,     begun,     begun,     begun,     begun,     begun,     begun),
}
# fmt: on
"""Word → its rule in each of `PHASES`."""


def outcome(panel: Panel, control: Control) -> Outcome:
    """What follows from the word in this state of the panel, which is the state before it. Never raises."""
    if control.refused:
        return refused(control, control.refused)
    row = TABLE.get(control.word)
    if row is None:
        return refused(control, f"`{control.word}` is no word that leads a panel; `help` lists them.")
    return row[PHASES.index(phase(panel))](panel, control)


def entries_of(panel: Panel, entry: AnyEntry) -> tuple[AnyEntry, ...]:
    """What the log gets for one thing that a human said: the entry, and what follows from it, unnumbered."""
    if not isinstance(entry, Control):
        return (entry,)
    result = outcome(panel, entry)
    return (result.entry, *result.follow)
