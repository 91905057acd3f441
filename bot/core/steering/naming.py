"""Which persona people mean in a message: an unambiguous part of a name is enough, a stray syllable is not."""

import difflib
import re
import unicodedata

from bot.core.entries import Seat
from bot.core.persona import Persona, named

_PRONOUNS = "a an the it its this that these those them they him her he she me us you we i one all everyone nobody"
_NO_NAMES = frozenset(_PRONOUNS.split())
LISTED = 30
"""So many names stand in a message at most."""
NAME_CHARS = 80
"""A name is no longer than this."""
MOST_WORDS = 6
"""So many words a name may have where it is followed by a question."""


def who(query: str, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats that the words may mean: one, or several where they are ambiguous, or none.

    A part counts from the start of a word and from three letters on, so that "drop it" drops no critic.
    """
    said = " ".join(unicodedata.normalize("NFKC", query).strip(" @\"'“”‘’").split()).casefold()
    forms = dict.fromkeys((said, said.removeprefix("the "), said.replace("-", " ")))
    return next((found for form in forms if (found := _matching(form, seats))), ())


def addressed(text: str, seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], str]:
    """The seats meant by the name at the start of the text, and the text behind it; the longest name that fits wins."""
    tokens = list(re.finditer(r"\S+", text))[:MOST_WORDS]
    unsure: tuple[tuple[Seat, ...], str] = ((), text)
    for count in range(len(tokens), 0, -1):
        end = tokens[count - 1].end()
        found = who(text[:end].rstrip(",:;.!?–—-"), seats)
        if len(found) == 1:
            return found, text[end:].lstrip(" ,:;–—-\n").strip()
        if found and not unsure[0]:
            unsure = (found, text[end:].strip())
    return unsure


def called(text: str, seats: tuple[Seat, ...]) -> tuple[Seat | None, str]:
    """The seat of the name before a comma or colon at the start of the text, and the text behind the mark."""
    for mark in reversed(list(re.finditer(r"[,:，：]", text[:NAME_CHARS]))):
        found = who(text[: mark.start()], seats)
        if len(found) == 1:
            return found[0], text[mark.end() :].strip()
    return None, text


def nobody(query: str, seats: tuple[Seat, ...]) -> str:
    """One sentence: nobody has that name; who is there, the nearest first."""
    names = [seat.persona.name for seat in seats]
    near = difflib.get_close_matches(query.casefold(), [name.casefold() for name in names], n=1, cutoff=0.6)
    hint = next((f" Did you mean {name}?" for name in names if near and name.casefold() == near[0]), "")
    return f"Nobody here is called “{query}”.{hint} Known: {listed(names)}."


def unsure(query: str, seats: tuple[Seat, ...]) -> str:
    """One sentence: several have that name."""
    names = " or ".join(seat.persona.name for seat in seats[:LISTED])
    return f"“{query}” may be {names}: say more of the name."


def listed(names: list[str]) -> str:
    """The names in one line, which may have commas of their own; of very many, the first."""
    shown = "; ".join(names[:LISTED])
    return f"{shown} and {len(names) - LISTED} more" if len(names) > LISTED else shown or "nobody"


def _matching(said: str, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if not said or all(word in _NO_NAMES for word in said.split()):
        return ()
    meant = {p.short_name for p in named(said, tuple(seat.persona for seat in seats)) if _starts_a_word(said, p)}
    return tuple(seat for seat in seats if seat.persona.short_name in meant)


def _starts_a_word(said: str, persona: Persona) -> bool:
    names = (persona.name.casefold(), persona.short_name, persona.short_name.replace("-", " "))
    if said in names or not said.isascii():
        return True
    end = "" if len(said) >= 3 else r"(?![^\W_])"
    return any(re.search(rf"(?<![^\W_]){re.escape(said)}{end}", name) for name in names)
