"""What a turn of a debate has to do: its length, no preamble, somebody challenged, something conceded."""

import re

from bot.core.formats.answer import Answer
from bot.core.formats.answers_debate import Addressed, ClosingSpeech, Rebuttal
from bot.core.formats.format import Cue
from bot.core.measured import Check
from bot.core.panel import Panel
from bot.core.said import said_by, short_name_of
from bot.core.words import quotes, words

FEWEST_WORDS, MOST_WORDS = 80, 400
PREAMBLES = (
    "great question",
    "good question",
    "what a question",
    "thank you",
    "thanks",
    "sure,",
    "certainly",
    "of course,",
    "absolutely",
    "as an ai",
    "as a language model",
    "ladies and gentlemen",
    "opening statement",
    "opening argument",
    "my opening statement",
    "rebuttal:",
    "my rebuttal",
    "closing statement",
    "my closing statement",
    "here is my",
    "here's my",
    "let me start by",
    "let me begin by",
    "i would like to start",
    "i would like to begin",
    "i'd like to start",
    "i'd like to begin",
    "in this debate",
    "in this rebuttal",
    "in this closing",
)
"""Beginnings that are none: a turn that starts with one of them, in any case, is asked again."""

_HEADING = re.compile(r"#{1,6}\s|\*\*[^*\n]+[^*\n.!?…:]:?\*\*:?[ \t]*(?:\n|$)|[^\n]+\n(?:={3,}|-{3,})[ \t]*(?:\n|$)")
_LEADING = " \t\r\n*_>\"“”'‘’"
_NAME_PART = 3


def debated_length(_panel: Panel, _cue: Cue, text: str, _answer: Answer | None) -> Check:
    """80 to 400 words."""
    count = words(text)
    if FEWEST_WORDS <= count <= MOST_WORDS:
        return Check(name="debated_length", result="passed", detail=f"{count} words")
    detail = f"{count} words; say it in 150 to 300, never under {FEWEST_WORDS} or over {MOST_WORDS}"
    return Check(name="debated_length", result="failed", detail=detail)


def no_heading(_panel: Panel, _cue: Cue, text: str, _answer: Answer | None) -> Check:
    """The turn does not start with a heading, neither marked as one nor a first line in bold."""
    if _HEADING.match(text.lstrip()):
        first_line = text.strip().split("\n")[0].strip()
        detail = f"it starts with the heading {first_line[:60]!r}; just speak"
        return Check(name="no_heading", result="failed", detail=detail)
    return Check(name="no_heading", result="passed")


def no_preamble(_panel: Panel, _cue: Cue, text: str, _answer: Answer | None) -> Check:
    """The turn does not start with one of `PREAMBLES`."""
    start = text.lstrip(_LEADING).casefold().replace("’", "'")
    for phrase in PREAMBLES:
        if start.startswith(phrase) and not start[len(phrase) : len(phrase) + 1].isalnum():
            detail = f"it starts with the preamble {phrase!r}; begin with the argument"
            return Check(name="no_preamble", result="failed", detail=detail)
    return Check(name="no_preamble", result="passed")


def challenges(panel: Panel, cue: Cue, text: str, answer: Answer | None) -> Check:
    """A rebuttal challenges a specific argument of at least one other persona, quoted, and says whose it is."""
    given = answer.challenges if isinstance(answer, Rebuttal) else None
    return _answers(panel, cue, text, given, "challenges", "challenge an argument")


def concedes(panel: Panel, cue: Cue, text: str, answer: Answer | None) -> Check:
    """A closing concedes at least one specific point of another persona, quoted, and says whose it is."""
    given = answer.concedes if isinstance(answer, ClosingSpeech) else None
    return _answers(panel, cue, text, given, "concedes", "concede a point")


def _answers(panel: Panel, cue: Cue, text: str, given: tuple[Addressed, ...] | None, name: str, what: str) -> Check:
    if given is None:
        return Check(name=name, result="not_run", detail="no structured answer")
    spoken = said_by(panel)
    if not any(other != cue.persona for other in spoken):
        return Check(name=name, result="not_run", detail="nobody else has spoken yet")
    faults = [fault for one in given if (fault := _fault(panel, cue, text, one, spoken))]
    if given and not faults:
        return Check(name=name, result="passed")
    others = ", ".join(panel.name_of(other) for other in spoken if other != cue.persona)
    detail = faults[0] if faults else f"nobody is named; {what} of at least one of {others}, quoted word for word"
    return Check(name=name, result="failed", detail=detail)


def _fault(panel: Panel, cue: Cue, text: str, one: Addressed, spoken: dict[str, str]) -> str:
    short_name = short_name_of(panel, one.persona)
    if short_name == cue.persona:
        return "you can not answer yourself; name another persona"
    if short_name not in spoken:
        return f"{one.persona!r} did not speak in this debate"
    if not quotes(one.quote, spoken[short_name]):
        return f"{one.quote[:120]!r} was not said by {panel.name_of(short_name)}; quote word for word"
    if not _named_in(panel.name_of(short_name), short_name, text):
        return f"the text does not name {panel.name_of(short_name)}"
    return ""


def _named_in(name: str, short_name: str, text: str) -> bool:
    """The text says the persona's name, or a part of it that is no small word."""
    said = frozenset(re.findall(r"[^\W_]+", text.casefold()))
    parts = [part for part in re.findall(r"[^\W_]+", f"{name} {short_name}".casefold()) if len(part) >= _NAME_PART]
    return any(part in said for part in parts) or name.casefold() in text.casefold()
