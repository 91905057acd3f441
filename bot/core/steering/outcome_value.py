"""The value that says what a control word does, and how the rules make one."""

from dataclasses import dataclass

from bot.core.entries import AnyEntry, Control, Event, Status, StatusChanged
from bot.core.fold import CONTINUED
from bot.core.steering.grammar import UNCLEAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the log gets, the receipt, and the words for the one who said it."""

    entry: Control
    """The word as it goes into the log; it may differ from what was said (a number filled in, `refused`)."""
    follow: tuple[AnyEntry, ...] = ()
    """Entries to append right behind it, in the same commit."""
    sign: str
    answer: str = ""
    """For the one who said it alone; empty where the sign says enough."""


def did(control: Control, sign: str, *follow: AnyEntry, answer: str = "", number: float | None = None) -> Outcome:
    """The word has its effect; `number` replaces the one that was said."""
    entry = control if number is None else control.model_copy(update={"number": number})
    return Outcome(entry=entry, follow=follow, sign=sign, answer=answer)


def refused(control: Control, why: str) -> Outcome:
    """The word has no effect; it stays in the log with the reason."""
    return Outcome(entry=control.model_copy(update={"refused": why}), sign=UNCLEAR, answer=why)


def status(new: Status, control: Control, reason: str = "") -> StatusChanged:
    """A status by the word's author."""
    return StatusChanged(status=new, reason=reason, by=control.author.name)


def goes_on_after_the_end(control: Control, *, was_running: bool = False) -> tuple[AnyEntry, ...]:
    """A panel that ended, or was about to, is taken up again."""
    event = Event(name=CONTINUED, by=control.author.name)
    return (event,) if was_running else (event, status("running", control))
