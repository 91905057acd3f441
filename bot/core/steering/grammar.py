"""The steering grammar as one table: what people can say, who may, and what it does.

The parser (`spoken.py`), the help text and the table in the docs are all made from it. A control word counts only when
it is the whole message, so that talk about stopping never stops anything.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bot.core.steering.permissions import Right

HEARD, NOTED, PAUSE, GO, STOP, UNCLEAR = "👀", "🧭", "⏸", "▶️", "⏹", "❓"
SIGNS: dict[str, str] = {
    HEARD: "heard: it joined the transcript",
    NOTED: "taken as a directive",
    PAUSE: "control: the panel pauses",
    GO: "control: the panel goes on, as you said",
    STOP: "control: the panel ends",
    UNCLEAR: "not understood, or not possible: a line to you says why",
}
"""Sign of a receipt → what it means."""

Takes = Literal["nothing", "rounds", "within", "name", "name?", "money", "number?", "question", "reason"]
Moment = Literal["always", "go-ahead", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One control word."""

    word: str
    """The canonical one, as it stands in the log."""
    heads: tuple[str, ...]
    """The ways to say it, arguments left out."""
    takes: Takes = "nothing"
    say: str
    """With its arguments, for people."""
    effect: str
    right: Right = "steer"
    moment: Moment = "always"
    """When it is a control word at all; at any other moment the same words are a contribution."""
    told: bool = False
    """True: it changes nothing and is answered to the asker alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Something else that can be said."""

    say: str
    effect: str


WORDS: tuple[Word, ...] = (
    Word(
        word="stop",
        heads=("stop", "end"),
        say="`stop`, `end`",
        effect="ends it at once: what is being thought is cancelled, nothing more is posted",
        right="stop",
    ),
    Word(
        word="wrap up",
        heads=("wrap up", "wrap-up", "wrapup"),
        takes="within",
        say="`wrap up`, `wrap up in N rounds`",
        effect="finishes this round (or N more), then closes with a synthesis",
    ),
    Word(
        word="pause",
        heads=("pause",),
        say="`pause`",
        effect="the running turn finishes, then the panel waits",
    ),
    Word(
        word="continue",
        heads=("continue", "resume"),
        say="`continue`, `resume`",
        effect="goes on after a pause; after the end, takes the panel up again",
    ),
    Word(
        word="extend",
        heads=("extend",),
        takes="rounds",
        say="`extend N`",
        effect="N more rounds; after the end, takes the panel up again for them",
    ),
    Word(word="rounds", heads=("rounds",), takes="rounds", say="`rounds N`", effect="a new maximum of rounds"),
    Word(
        word="skip",
        heads=("skip",),
        takes="name?",
        say="`skip`, `skip NAME`",
        effect="drops the next turn, or that persona's; in a review or a council's first round it counts as a "
        "missing verdict",
    ),
    Word(
        word="ask",
        heads=("ask",),
        takes="question",
        say="`ask NAME: question`, `@NAME question`",
        effect="that persona answers next; after the end too",
    ),
    Word(
        word="add", heads=("add",), takes="name", say="`add NAME`", effect="joins (or rejoins) from the next round on"
    ),
    Word(word="drop", heads=("drop",), takes="name", say="`drop NAME`", effect="leaves from the next round on"),
    Word(word="mute", heads=("mute",), takes="name", say="`mute NAME`", effect="is silent from the next round on"),
    Word(
        word="unmute",
        heads=("unmute",),
        takes="name",
        say="`unmute NAME`",
        effect="speaks again from the next round on",
    ),
    Word(
        word="budget",
        heads=("budget",),
        takes="money",
        say="`budget $N`",
        effect="a new cap in US dollars; a panel that waits at its cap goes on",
        right="budget",
    ),
    Word(
        word="synthesize",
        heads=("synthesize", "synthesise"),
        say="`synthesize`",
        effect="closes now with what there is; after a stop, too",
    ),
    Word(
        word="withdraw",
        heads=("withdraw",),
        takes="number?",
        say="`withdraw N`",
        effect="takes back the standing directive with that number",
    ),
    Word(
        word="go",
        heads=("go", "go ahead", "yes"),
        say="`go`, `go ahead`, `yes`",
        effect="starts a panel that waits for a go-ahead",
        right="start",
        moment="go-ahead",
    ),
    Word(
        word="cancel",
        heads=("cancel", "no"),
        say="`cancel`, `no`",
        effect="ends a panel that waits for a go-ahead, before it began",
        right="stop",
        moment="go-ahead",
    ),
    Word(
        word="accept",
        heads=("accept",),
        takes="reason",
        say="`accept`, `accept: reason`",
        effect="the humans' decision; the newest counts, earlier ones are its history",
        moment="ended",
    ),
    Word(
        word="reject",
        heads=("reject",),
        takes="reason",
        say="`reject`, `reject: reason`",
        effect="the humans' decision against it",
        moment="ended",
    ),
    Word(
        word="defer",
        heads=("defer",),
        takes="reason",
        say="`defer`, `defer: reason`",
        effect="the humans decide later",
        moment="ended",
    ),
    Word(word="status", heads=("status",), say="`status`", effect="where it stands", right="read", told=True),
    Word(word="cost", heads=("cost",), say="`cost`", effect="what it has cost", right="read", told=True),
    Word(word="help", heads=("help",), say="`help`", effect="this list", right="read", told=True),
)

BY_WORD: dict[str, Word] = {word.word: word for word in WORDS}

DIRECTIVES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "`be concise`, `be more specific` …",
        re.compile(r"be (?:(?:more|less|very) )?(?:concise|brief|specific|concrete|critical|formal|technical)"),
    ),
    ("`focus on …`", re.compile(r"focus on \S.*")),
    ("`answer in French`", re.compile(r"(?:answer|reply|respond) in (?:[^\W\d_]+)(?: [^\W\d_]+)?")),
    ("`keep it short`", re.compile(r"keep (?:it|answers) (?:short|brief|simple|concrete)|(?:short|shorter) answers")),
    ("`give examples`", re.compile(r"give (?:more |concrete )?examples")),
    ("`no jargon`", re.compile(r"(?:no|less|avoid) jargon")),
)
"""The whole-message forms that are directives without a prefix: (as documented, pattern)."""

FORMS: tuple[Form, ...] = (
    Form(say="`steer: …`, `note: …`", effect="a standing instruction; it stands in every later prompt"),
    Form(
        say=", ".join(say for say, _ in DIRECTIVES),
        effect="standing instructions too, when they are the whole message",
    ),
    Form(say="`say: …`", effect="a contribution, whatever it looks like"),
    Form(say="`// …`", effect="an aside among people: never stored, never shown to a persona"),
    Form(
        say="anything else",
        effect="a contribution: later turns answer it; after the end, `@panel …` asks the host and `NAME, …` a persona",
    ),
)

REQUESTS: tuple[str, ...] = ("transcript", "record", "run again")
"""What a card's buttons can ask for that is no steering; whoever drew the card does it."""


def help_text() -> str:
    """Everything that can be said, one a line, Markdown."""
    lines = [f"- {say}: {effect}" for say, effect, _ in _rows()]
    return "Say it as the whole message:\n" + "\n".join(lines)


def words_table() -> str:
    """The same as a Markdown table, for the docs."""
    lines = ["| say | effect | who, by default |", "|---|---|---|"]
    lines += [f"| {say} | {effect} | {who} |" for say, effect, who in _rows()]
    return "\n".join(lines) + "\n"


_WHO: dict[Right, str] = {
    "start": "members",
    "steer": "members",
    "stop": "the starter, admins",
    "budget": "admins",
    "personas": "admins",
    "read": "everyone",
}


def _rows() -> Iterator[tuple[str, str, str]]:
    for word in WORDS:
        yield word.say, word.effect, _WHO[word.right]
    for form in FORMS:
        yield form.say, form.effect, "members" if "instruction" in form.effect else "everyone"
