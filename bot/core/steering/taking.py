"""How one message in a panel's thread is taken: the entry it becomes, the receipt it gets, the words for its author.

Nothing that was said is lost. What only looks like a command (a slip of the fingers, a name that nobody has, a number
that can not be) is kept as a contribution and gets ❓ with the reason, so that neither the words nor the wish are gone.
A command that its author may not give, or that can have no effect, is kept in the log with the reason. A guest's
directive or question joins as a contribution, which guests may make. Left out are only asides, blank messages, and
`status`, `cost` and `help`, which are answered at once.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from bot.core.entries import AnyEntry, Control, Decision, Directive, Human, Seat
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.phases import cold, ended, phase
from bot.core.place import Person
from bot.core.steering.grammar import BY_WORD, HEARD, NOTED, REQUESTS, UNCLEAR, Moment, Word, help_text
from bot.core.steering.grammar import SIGNS as SIGNS
from bot.core.steering.naming import addressed, called, nobody, unsure, who
from bot.core.steering.outcome import outcome
from bot.core.steering.permissions import DEFAULTS, Permissions, refusal
from bot.core.steering.spoken import Spoken, read
from bot.core.steering.told import cost_text, status_text

TakenAs = Literal[
    "contribution", "directive", "control", "decision", "revision", "told", "aside", "request", "blank", "nobody"
]
SHORT_NAME = 3
"""A name of so many words at most is taken for a misspelt one; more words are talk."""

_ASK_WITHOUT_COLON = re.compile(r"ask\s+(?P<text>[^:\n]{1,120})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """How a message was taken."""

    kind: TakenAs
    """`told`: answered at once, nothing is kept. `request`: a button of the card that is no steering; the caller does
    it. `revision`: an edit or a deletion. `nobody`: there is no panel in that thread."""
    entry: AnyEntry | None = None
    """For the panel's inbox; None where nothing is kept."""
    sign: str = ""
    """One of `SIGNS`, or empty."""
    answer: str = ""
    """For the author alone, Markdown; empty where the sign says enough."""
    word: str = ""
    """The canonical word of a control, a decision, a request or what was told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a message is read against."""

    panel: Panel
    author: Person
    at: float = 0.0
    message_id: str = ""
    addressed: bool = False
    """It mentions the bot."""
    pressed: bool = False
    """It comes from a button or a form."""
    bench: tuple[Seat, ...] = ()
    """Who could be added: the catalog's personas, each with its model. Looked at for `add` alone."""
    rules: Permissions = DEFAULTS


def moment_of(panel: Panel) -> Moment:
    """Which of the grammar's words count now."""
    if phase(panel) == "go-ahead":
        return "go-ahead"
    return "ended" if ended(panel) else "always"


def take(text: str, view: View) -> Taken:
    """The message as this panel takes it. Pure; never raises."""
    if view.pressed and text in REQUESTS:
        return _requested(text, view)
    spoken = read(text, moment_of(view.panel))
    match spoken.kind:
        case "blank":
            return Taken(kind="blank")
        case "aside":
            return Taken(kind="aside")
        case "directive":
            return _directive(spoken, view)
        case "control":
            return _control(spoken, view)
        case "address":
            return _addressed(spoken, view)
    return _contribution(spoken, view)


def _requested(word: str, view: View) -> Taken:
    why = refusal("start", view.author, view.panel.opened.starter.id, view.rules) if word == "run again" else ""
    return Taken(kind="told", sign=UNCLEAR, answer=why, word=word) if why else Taken(kind="request", word=word)


def _may_not(word: Word, view: View) -> str:
    """Why the author may not say it; empty where they may. Whoever takes an ended panel up starts it anew."""
    reopens = ended(view.panel) and word.word in ("continue", "extend", "rounds")
    return refusal("start" if reopens else word.right, view.author, view.panel.opened.starter.id, view.rules)


def _heard(text: str, view: View, answer: str = "", sign: str = HEARD) -> Taken:
    entry = Human(at=view.at, author=view.author, text=text, message_id=view.message_id)
    if not answer and cold(view.panel):
        answer = "Heard; it reaches everyone after this round, which each takes alone."
    return Taken(kind="contribution", entry=entry, sign=sign, answer=answer)


def _unclear(text: str, view: View, why: str) -> Taken:
    return _heard(text, view, f"{why} Nothing was changed; your words joined the panel as they are.", UNCLEAR)


def _directive(spoken: Spoken, view: View) -> Taken:
    if why := refusal("steer", view.author, view.panel.opened.starter.id, view.rules):
        return _heard(spoken.text, view, f"{why} It joined as a contribution.")
    entry = Directive(at=view.at, author=view.author, text=spoken.text, message_id=view.message_id)
    answer = ""
    if cold(view.panel):
        answer = "It stands from the next round on; in this one each speaks alone."
    elif ended(view.panel):
        over = view.panel.status == "failed"
        answer = "It is kept, but the panel failed." if over else "It stands once the panel is continued."
    return Taken(kind="directive", entry=entry, sign=NOTED, answer=answer)


def _control(spoken: Spoken, view: View) -> Taken:
    word = BY_WORD[spoken.word]
    if word.told:
        texts = {"status": status_text, "cost": cost_text}
        answer = texts[word.word](view.panel) if word.word in texts else help_text()
        return Taken(kind="told", answer=answer, word=word.word)
    if word.takes == "reason":
        return _decided(spoken, view)
    if not spoken.name:
        return _led(word, spoken, view, "")
    found = _meant(spoken.name, word, view)
    if len(found) > 1:
        return _unclear(spoken.whole, view, unsure(spoken.name, found))
    if not found:
        misspelt = word.word == "ask" or len(spoken.name.split()) <= SHORT_NAME
        known = _roster(view) + (view.bench if word.word == "add" else ())
        return _unclear(spoken.whole, view, nobody(spoken.name, known)) if misspelt else _heard(spoken.whole, view)
    if word.word == "ask" and not spoken.text:
        return _unclear(spoken.whole, view, f"Ask {found[0].persona.name} what? `ask NAME: your question`.")
    return _led(word, spoken, view, found[0].persona.short_name, found[0])


def _roster(view: View) -> tuple[Seat, ...]:
    return tuple(seat for seat in view.panel.seats if seat.included)


def _meant(name: str, word: Word, view: View) -> tuple[Seat, ...]:
    """Whom the name means: somebody in the roster, or left out of it; for `add` somebody of the catalog too."""
    seats = view.panel.seats
    if word.word != "add":
        return who(name, _roster(view)) or who(name, seats)
    names = {seat.persona.short_name for seat in seats}
    return who(name, seats + tuple(seat for seat in view.bench if seat.persona.short_name not in names))


def _led(word: Word, spoken: Spoken, view: View, persona: str, seat: Seat | None = None) -> Taken:
    question = spoken.text if word.word == "ask" else ""
    why = _may_not(word, view)
    if why and question:
        return _heard(spoken.whole, view, f"{why} Your question joined as a contribution.")
    new = seat if word.word == "add" and seat is not None and view.panel.seat(persona) is None else None
    entry = Control(
        at=view.at,
        author=view.author,
        text=spoken.whole,
        word="stop" if word.word == "cancel" else word.word,
        persona=persona,
        number=spoken.number,
        question=question,
        seat=new,
        refused=why,
        message_id=view.message_id,
    )
    result = outcome(view.panel, entry)
    return Taken(kind="control", entry=entry, sign=result.sign, answer=result.answer, word=entry.word)


def _decided(spoken: Spoken, view: View) -> Taken:
    """`spoken.text` is the reason."""
    if view.panel.status == "failed":
        return _unclear(spoken.whole, view, "The panel failed: there is nothing to decide.")
    if why := refusal("steer", view.author, view.panel.opened.starter.id, view.rules):
        return _heard(spoken.whole, view, f"{why} It joined as a contribution.")
    choice = next(choice for choice in _CHOICES if choice == spoken.word)
    entry = Decision(at=view.at, choice=choice, reason=spoken.text, author=view.author, message_id=view.message_id)
    return Taken(kind="decision", entry=entry, sign=HEARD, word=spoken.word)


_CHOICES: tuple[Literal["accept", "reject", "defer"], ...] = ("accept", "reject", "defer")


def _addressed(spoken: Spoken, view: View) -> Taken:
    """`@NAME question`. A name that no persona has is a person's: then people talk among themselves."""
    found, question = addressed(spoken.text, _roster(view))
    if len(found) > 1:
        return _unclear(spoken.whole, view, unsure(spoken.text.split()[0], found))
    if not found:
        return _contribution(replace(spoken, text=spoken.whole), view)
    if not question:
        return _unclear(spoken.whole, view, f"Ask {found[0].persona.name} what? `@NAME your question`.")
    return _led(BY_WORD["ask"], replace(spoken, text=question), view, found[0].persona.short_name)


def _contribution(spoken: Spoken, view: View) -> Taken:
    if spoken.fault and (not spoken.guess or _guessed(spoken.guess, view)):
        return _unclear(spoken.text, view, spoken.fault)
    if spoken.forced:
        return _heard(spoken.text, view)
    if found := _ASK_WITHOUT_COLON.fullmatch(spoken.text):
        seats, question = addressed(found["text"], _roster(view))
        if len(seats) == 1 and question:
            return _unclear(spoken.text, view, f"Did you mean `ask {seats[0].persona.name}: {question}`?")
    return (_follow_up(spoken, view) if ended(view.panel) else None) or _heard(spoken.text, view)


def _guessed(guess: str, view: View) -> bool:
    """False where the command that it may have been is about a name that nobody has: then it was no command."""
    meant = read(guess, moment_of(view.panel))
    return meant.kind == "control" and (not meant.name or bool(_meant(meant.name, BY_WORD[meant.word], view)))


def _follow_up(spoken: Spoken, view: View) -> Taken | None:
    """After the end: `NAME, …` asks that persona, a mention of the bot asks the host; else people talk undisturbed."""
    ask = BY_WORD["ask"]
    seat, question = called(spoken.text, _roster(view))
    if seat is not None and question:
        return _led(ask, replace(spoken, text=question), view, seat.persona.short_name)
    return _led(ask, spoken, view, HOST) if view.addressed or spoken.mentions else None
