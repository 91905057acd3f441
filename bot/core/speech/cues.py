"""What the rehearsal reads of a persona: words that make it speak up, and the questions it asks.

The words stand in the front matter's `cues`, or under a heading `Cues` of the document, which then counts instead.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bot.core.persona import Persona
from bot.core.speech.persona_text import CUES, section

Sign = Literal["!", "?", "+", ""]

QUESTIONS = "three questions i always ask"
MOST_QUESTIONS = 3
MOST_PHRASES = 6
"""Phrases taken from one sentence of a persona that names no cues."""

_CUE = re.compile(r"\s*[-*+]\s+(?:\[?([!?+])\]?\s+)?(.+?)\s*(?:→|->|=>)\s*(\S.*)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)")
_ASKED = re.compile(r"[^.!?\u3002\uff01\uff1f\u061f\n]*[?\uff1f\u061f]")
_WORDS = re.compile(r"\w[\w'’/+-]*")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMON_WORDS = (
    "about above after again against always because before being between could does doing during each else every "
    "from have having here into itself made make many more most much must never only other over really same "
    "should since some such than that their them then there these they this those through under until very what "
    "when where which while with within without would your yours aber auch auf dass durch eine einem einen einer "
    "eines für haben ihre kann keine mehr nach nicht oder ohne sein sich sind über unter wenn werden wird avec "
    "cette dans elle leur mais même nous pour quand sans sont sous tous toute vous como cuando desde donde entre "
    "este esta para pero porque sobre tiene todo todos una"
)
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """Words of a topic or target, and what the persona says when it meets them."""

    sign: Sign
    """`!` a fault, `?` a doubt, `+` a merit; empty where the persona's file does not say."""
    phrases: tuple[str, ...]
    """Lower case; any of them is enough."""
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """All that a persona's document gives to the rehearsal."""

    cues: tuple[Cue, ...]
    questions: tuple[str, ...]
    """At most three; empty where the document asks nothing."""


def cues_of(persona: Persona) -> Cues:
    """The cues and questions that the persona states, else those that its criteria and description suggest."""
    text = section(persona.body, CUES) or _listed(persona.cues)
    stated = read_cues(text)[0]
    return Cues(cues=stated or _suggested(persona), questions=_questions(persona.body))


def read_cues(text: str) -> tuple[tuple[Cue, ...], tuple[int, ...]]:
    """The cues of a list, one a line, and the 0-based numbers of the lines that are none."""
    cues: list[Cue] = []
    strange: list[int] = []
    for number, line in enumerate(text.split("\n")):
        found = _CUE.fullmatch(line.rstrip())
        phrases = _phrases(found[2]) if found else ()
        if found and phrases:
            cues.append(Cue(sign=_sign(found[1]), phrases=phrases, remark=found[3]))
        elif line.strip():
            strange.append(number)
    return tuple(cues), tuple(strange)


def is_cue(text: str) -> bool:
    """Whether one item of the front matter's `cues` can be read."""
    return "\n" not in text and bool(read_cues(_listed((text,)))[0])


def cues_section(cues: Iterable[str]) -> str:
    """The items as a section of a document."""
    return f"## Cues\n\n{_listed(cues)}"


def _listed(cues: Iterable[str]) -> str:
    return "\n".join(f"- {cue}" for cue in cues)


def _sign(mark: str | None) -> Sign:
    return "!" if mark == "!" else "?" if mark == "?" else "+" if mark == "+" else ""


def _phrases(text: str) -> tuple[str, ...]:
    parts = (part.strip().strip("\"'`“”").casefold() for part in re.split(r"[,\uff0c\u3001\u060c]", text))
    return tuple(dict.fromkeys(part for part in parts if part))


def _questions(document: str) -> tuple[str, ...]:
    stated = section(document, QUESTIONS)
    if stated is not None:
        items = [found[1] for line in stated.split("\n") if (found := _ITEM.fullmatch(line))]
        if items:
            return tuple(_plain(item) for item in items[:MOST_QUESTIONS])
    asked = (_plain(found[0]) for line in document.split("\n") for found in _ASKED.finditer(line))
    return tuple(dict.fromkeys(question for question in asked if len(question) > 3))[:MOST_QUESTIONS]


def _plain(text: str) -> str:
    """A line of Markdown as speech: no list mark, heading mark, emphasis or quotes around it."""
    item = _ITEM.fullmatch(text)
    bare = item[1] if item else text
    return re.sub(r"\*\*|__|`", "", bare).strip(' \t#>*_"“”„«»')


def _suggested(persona: Persona) -> tuple[Cue, ...]:
    sources = persona.evaluation_criteria or ((persona.description,) if persona.description else ())
    made = (Cue(sign="", phrases=_telling_words(text), remark=text) for text in sources)
    return tuple(cue for cue in made if cue.phrases)


def _telling_words(text: str) -> tuple[str, ...]:
    words = (word.casefold() for word in _WORDS.findall(text))
    telling = (w for w in words if w not in _COMMON and not w.isdigit() and (len(w) > 3 or _WIDE.search(w)))
    return tuple(dict.fromkeys(telling))[:MOST_PHRASES]
