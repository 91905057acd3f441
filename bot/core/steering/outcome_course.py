"""The rules of the words about the panel's course: stop, pause, continue, rounds, the closing phase, the budget."""

from collections.abc import Callable

from bot.core.entries import AnyEntry, Closing, Control
from bot.core.options import MAX_COUNCIL_ROUNDS, MAX_ROUNDS
from bot.core.panel import Panel
from bot.core.phases import cold, ended, synthesized
from bot.core.steering.grammar import GO, PAUSE, STOP
from bot.core.steering.outcome_value import Outcome, did, goes_on_after_the_end, refused, status
from bot.core.steering.told import dollars, rounds

Rule = Callable[[Panel, Control], Outcome]

MORE = {"discussion": 3, "debate": 1, "council": 1}
"""Rounds that `continue` adds to a panel that has used up its own."""


def refuse(text: str) -> Rule:
    return lambda _panel, control: refused(control, text)


def over(panel: Panel, control: Control) -> Outcome:
    for_good = panel.status == "failed" or (panel.format == "review" and panel.status == "finished")
    remedy = "start a new one" if for_good else "`continue` takes it up again"
    return refused(control, f"The panel has {_ended(panel)}; {remedy}.")


def _ended(panel: Panel) -> str:
    if panel.status == "failed":
        return f"failed ({panel.reason})" if panel.reason else "failed"
    return "been stopped" if panel.status == "stopped" else "finished"


def closing(panel: Panel, control: Control) -> Outcome:
    remedy = "" if panel.format == "review" else "; `extend N` adds rounds instead"
    return refused(control, f"It is closing already{remedy}.")


def stops(_panel: Panel, control: Control) -> Outcome:
    return did(control, STOP, status("stopped", control, "human"))


def hushes(panel: Panel, control: Control) -> Outcome:
    """After the end only answers can be under way."""
    if panel.asks:
        return did(control, STOP, answer="The answers under way are dropped.")
    return refused(control, f"Nothing is running: the panel has {_ended(panel)}.")


def pauses(_panel: Panel, control: Control) -> Outcome:
    return did(control, PAUSE, status("paused", control, "human"))


def begins(_panel: Panel, control: Control) -> Outcome:
    return did(control, GO, status("running", control))


def retries(panel: Panel, control: Control) -> Outcome:
    """A panel that waits tries again; one at its own cap needs a higher cap."""
    if panel.reason.startswith("budget") and panel.max_cost is not None:
        spent = f"{dollars(panel.spent_usd)} of {dollars(panel.max_cost)}"
        return refused(control, f"It waits at its cap ({spent} spent): `budget $N` raises it.")
    return did(control, GO, status("running", control))


def resumes(_panel: Panel, control: Control) -> Outcome:
    return did(control, GO, status("running", control))


def continues(panel: Panel, control: Control) -> Outcome:
    """Takes a finished or stopped panel up again, with more rounds where it has used up its own."""
    if panel.format == "review" and panel.status == "finished":
        return refused(control, "A review has one round, and it is over: start a new one.")
    if why := _capped(panel):
        return refused(control, why)
    spent = panel.round >= panel.rounds_max and (panel.closing != "" or panel.status == "finished")
    more = MORE.get(panel.format, 0) if spent else 0
    if panel.rounds_max + more > _most(panel):
        return refused(control, f"A {panel.format} has at most {_most(panel)} rounds, and they are over.")
    answer = f"{rounds(more)} more." if more else ""
    return did(control, GO, *goes_on_after_the_end(control), answer=answer, number=more or None)


def _capped(panel: Panel) -> str:
    """Why a panel that closed at its cap can not go on yet; empty where it can."""
    if panel.closing != "budget" or panel.max_cost is None:
        return ""
    if any(c.word == "budget" and not c.refused and c.seq > panel.closing_since for c in panel.controls):
        return ""
    return f"Its cap of {dollars(panel.max_cost)} is used up: `budget $N` first."


def _most(panel: Panel) -> int:
    return MAX_COUNCIL_ROUNDS if panel.format == "council" else MAX_ROUNDS


def extends(panel: Panel, control: Control) -> Outcome:
    base = panel.round if panel.closing else panel.rounds_max
    total = base + int(control.number or 0)
    return _lengthened(panel, control, total)


def sets(panel: Panel, control: Control) -> Outcome:
    total = int(control.number or 0)
    if (panel.closing or ended(panel)) and total <= panel.round and panel.format != "review":
        return refused(control, f"It has come to round {panel.round} already: say a higher number.")
    result = _lengthened(panel, control, max(total, panel.round, 1))
    if total > panel.round or result.entry.refused or not panel.round:
        return result
    return did(control, GO, answer=f"Round {panel.round} has begun: it is the last one.")


def _lengthened(panel: Panel, control: Control, total: int) -> Outcome:
    """A new maximum of rounds; what was closing or had ended goes on."""
    if panel.format == "review":
        return refused(control, "A review has one round.")
    if total > _most(panel):
        return refused(control, f"A {panel.format} has at most {_most(panel)} rounds; this would be {total}.")
    reopens = bool(panel.closing) or ended(panel)
    if reopens and (why := _capped(panel)):
        return refused(control, why)
    follow = goes_on_after_the_end(control, was_running=not ended(panel)) if reopens else ()
    return did(control, GO, *follow, answer=f"Now {rounds(total)} at most.")


def wraps_up(panel: Panel, control: Control) -> Outcome:
    if panel.format == "review":
        return refused(control, "A review has one round and closes by itself; `synthesize` closes it now.")
    if panel.closing:
        return refused(control, "It is closing already.")
    left, wanted = max(panel.rounds_max - panel.round, 0), int(control.number or 0)
    count = min(left, wanted)
    answer = f"It closes after {rounds(count)} more." if count else "It closes after this round."
    follow = (status("running", control),) if panel.status == "paused" else ()
    if panel.status == "waiting":
        answer = f"{answer} It still waits: {panel.reason}."
    return did(control, STOP, *follow, answer=answer if wanted or panel.status == "waiting" else "")


def closes(panel: Panel, control: Control) -> Outcome:
    if synthesized(panel):
        return refused(control, "The synthesis stands already.")
    if not any(turn.text for turn in panel.turns):
        return refused(control, "Nothing has been said yet.")
    lost = {"review": "Verdicts that are missing count as fails.", "council": "Missing verdicts count as ERRORED."}
    follow: tuple[AnyEntry, ...] = (Closing(reason="synthesize"),)
    if panel.status != "running":
        follow += (status("running", control),)
    return did(control, STOP, *follow, answer=lost.get(panel.format, "") if cold(panel) else "")


def budgets(panel: Panel, control: Control) -> Outcome:
    cap = control.number or 0.0
    if cap < panel.spent_usd:
        spent = dollars(panel.spent_usd)
        return refused(control, f"{spent} are spent already: a cap can not be lower; `stop` ends it now.")
    said = f"The cap is {dollars(cap)}; {dollars(panel.spent_usd)} are spent."
    if panel.status == "waiting" and panel.reason.startswith("budget"):
        if panel.max_cost is not None and cap <= panel.max_cost:
            return did(control, GO, answer=f"{said} It still waits: say more than {dollars(panel.max_cost)}.")
        return did(control, GO, status("running", control), answer=said)
    return did(control, GO, answer=said)


not_begun = refuse("It has not begun: `go` starts it, `cancel` ends it.")
running = refuse("It is running.")
paused = refuse("It is paused already; `continue` goes on.")
begun = refuse("There is nothing to go ahead with: it has begun.")
