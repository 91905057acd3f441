"""How the desk reads what stands behind its words: verbs, names with and without quotation marks, texts."""

import re
from difflib import get_close_matches

from bot.core.entries import Seat
from bot.core.errors import UsageError
from bot.core.persona import Persona
from bot.core.shown import shown
from bot.core.starting.catalog import Catalog, found
from bot.core.steering.naming import MOST_WORDS, who

_WORD = re.compile(r"\S+")
_FIRST = re.compile(r"\s*(\S+)")
_QUOTED = re.compile(r"\s*(?:\"([^\"\n]*)\"|“([^”\n]*)”)\s*:?\s*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
MAX_NAME = 80
SHORT_LINE = 4
"""So many words may be one unknown name; of more, the first is taken for it."""


def split_verb(rest: str) -> tuple[str, str]:
    """The first word in lower case, and what follows it."""
    head = _FIRST.match(rest)
    return (head[1].casefold(), rest[head.end() :].strip()) if head else ("", "")


def known_verb(verb: str, verbs: tuple[str, ...], word: str) -> str:
    """The verb, where it is one. Raises UsageError that lists them, with the nearest."""
    if verb in verbs:
        return verb
    near = get_close_matches(verb, verbs, n=1)
    hint = f" Did you mean `{word} {near[0]}`?" if near else ""
    listed = ", ".join(f"`{word} {each}`" for each in verbs)
    raise UsageError(
        f"`{word} {shown(verb, 40)}` is nothing that I know.{hint} There is {listed}; to discuss these words as a "
        "topic, put `discuss` in front of them"
    )


def named_text(rest: str) -> tuple[str, str]:
    """A new name and the text behind it: `"NAME" text`, `NAME: text`, or the name in a line of its own.

    Words that begin a file (`---`) are text without a name.
    """
    rest = rest.strip()
    if rest.startswith("---"):
        return "", rest
    quoted = _QUOTED.match(rest)
    if quoted:
        return (quoted[1] or quoted[2] or "").strip(), rest[quoted.end() :].strip()
    line, _, below = rest.partition("\n")
    name, colon, behind = line.partition(":")
    if colon and len(name) <= MAX_NAME:
        return name.strip(), f"{behind.strip()}\n{below}".strip()
    return line.strip(), below.strip()


def persona_and_text(rest: str, catalog: Catalog) -> tuple[Persona, str]:
    """The persona that the first words name, by an unambiguous part, and the text behind.

    Raises UsageError without any words, NotFound for a name that nobody or several have.
    """
    rest = rest.strip()
    if not rest:
        raise UsageError("whose? Name a persona; `personas` lists them")
    quoted = _QUOTED.match(rest)
    if quoted:
        return found(catalog, quoted[1] or quoted[2] or ""), rest[quoted.end() :].strip()
    seats = tuple(Seat(persona=persona) for persona in catalog.personas)
    first = rest.split("\n", 1)[0]
    for token in reversed(list(_WORD.finditer(first))[:MOST_WORDS]):
        meant = who(first[: token.end()].rstrip(",:;."), seats)
        if len(meant) == 1:
            return meant[0].persona, rest[token.end() :].strip()
    line = first.split()
    return found(catalog, shown(" ".join(line if len(line) <= SHORT_LINE else line[:1]), MAX_NAME)), ""


def cleaned(text: str) -> str:
    """A text without control and direction characters, LF line ends."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
