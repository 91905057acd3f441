"""From what somebody asked for to an opened debate: who debates, in which mode, how long. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from bot.core.entries import Opened, Seat
from bot.core.errors import Undecided, UsageError
from bot.core.formats.debate import TURN_WORDS
from bot.core.options import Options
from bot.core.starting.catalog import Catalog, at_hand, chosen
from bot.core.starting.choosing import choose, plausible
from bot.core.starting.discussion_start import Start, common_options, topic_from

FEWEST, MOST = 2, 3
"""So many personas are chosen where nobody names them."""
MANY_WORDS = 3500
"""A debate that is expected to have more waits for a go-ahead."""

LONG = "This is a long debate"

_INLINE = re.compile(
    r"(?:[\s,;:(\[–—-]+(?:in |run )?|^)(?:fast[ -]mode|single[- ]context(?: mode)?|inline mode)(?:[)\].,;:!]*\s*)"
    r"|\s*[,;:(\[–—-]\s*(?:run )?inline[)\]]?[.!]?\s*$"
    r"|^\s*[(\[]?inline[)\]]?\s*[:,–—-]\s+",
    re.IGNORECASE,
)
_NO_SYNTHESIS = re.compile(
    r"\s*[,;:(\[–—-]?\s*(?:with )?no synthesis[)\]]?[.!]?\s*$|\s*[,;:(\[–—-]\s*(?:with )?no synthesis[)\]]?(?=[,;.])",
    re.IGNORECASE,
)


def started_debate(start: Start, catalog: Catalog) -> Opened:
    """The debate that was asked for.

    Raises UsageError for a missing or blank topic and for one persona alone, NotFound for unknown names, Undecided
    where nobody clearly fits and somebody can be asked.
    """
    topic, options, note = _topic(start)
    seats, assumed = _seats(start, catalog, topic)
    if len(seats) < FEWEST:
        raise UsageError(f"a debate needs two voices, and only {seats[0].persona.name} was named; name another one")
    opened = Opened(
        format="debate",
        topic=topic,
        topic_note=start.topic_note or note,
        starter=start.starter,
        seats=seats,
        documents=start.documents,
        options=options,
        notes=assumed,
    )
    return sized(opened)


def sized(opened: Opened) -> Opened:
    """The debate with its size warning, if it needs one: then it waits for a go-ahead."""
    personas, rounds = len(opened.seats), opened.options.rounds
    size = expected_words(personas, rounds)
    notes = tuple(note for note in opened.notes if not note.startswith(LONG))
    if size > MANY_WORDS:
        notes += (f"{LONG}: about {size:,} words are expected ({personas} personas, {rounds} rounds).",)
    return opened.model_copy(update={"approval": size > MANY_WORDS, "notes": notes})


def expected_words(personas: int, rounds: int) -> int:
    """How many words a debate is expected to have."""
    return personas * rounds * TURN_WORDS


def debate_options(given: Mapping[str, Any]) -> Options:
    """Checked options of a debate."""
    return common_options(given).model_copy(
        update={
            "rounds": int(given.get("rounds", 3)),
            "mode": str(given.get("mode", "isolated")),
            "synthesis": not given.get("no-synthesis", False),
        }
    )


def spoken_options(topic: str) -> tuple[str, dict[str, Any]]:
    """The topic without the words that say how to debate it, and the options that those words stand for."""
    said: dict[str, Any] = {}
    if _INLINE.search(topic):
        topic, said["mode"] = _INLINE.sub(" ", topic).strip(" ,;:–—-"), "inline"
    if _NO_SYNTHESIS.search(topic):
        topic, said["no-synthesis"] = _NO_SYNTHESIS.sub("", topic).strip(" ,;:–—-"), True
    return topic.strip(), said


def _topic(start: Start) -> tuple[str, Options, str]:
    """The question, the options, and what was assumed about the topic."""
    if start.topic is None:
        if not start.documents:
            raise UsageError("a debate needs a question: say what it is about")
        topic, note = topic_from(start.documents[0])
        return topic, debate_options(start.options), note
    if not start.topic.strip():
        raise UsageError("the topic is blank; a debate needs a question")
    topic, said = spoken_options(start.topic.strip())
    if not topic:
        raise UsageError("a debate needs a question: say what it is about")
    return topic, debate_options({**said, **start.options}), ""


def _seats(start: Start, catalog: Catalog, topic: str) -> tuple[tuple[Seat, ...], tuple[str, ...]]:
    """Who debates, and what was assumed about that. Named personas are never overridden."""
    everybody = at_hand(catalog)
    names = tuple(start.options.get("personas", ()))
    if names:
        return tuple(Seat(persona=p, reason="named") for p in chosen(catalog, names)), ()
    if not everybody:
        raise UsageError("there is no catalog with personas, so nobody can debate; add personas first")
    if len(everybody) < FEWEST:
        raise UsageError(f"a debate needs two voices, and the catalog holds only {everybody[0].name}")
    text = f"{topic}\n" + "\n".join(document.text[:20_000] for document in start.documents)
    about = topic if len(topic.split()) > 3 or not start.documents else text
    candidates = plausible(about, everybody)
    assumed: tuple[str, ...] = ()
    if len(candidates) < FEWEST:
        if start.asks:
            raise Undecided(
                "nobody in the catalog clearly fits that question: name two or three of "
                + ", ".join(p.name for p in everybody[:20]),
                candidates=tuple((p.short_name, p.name) for p in everybody),
            )
        assumed = ("Nobody in the catalog clearly fits the question; the most different ones were taken.",)
    picked = choose(about, everybody, MOST, fewest=FEWEST)
    return tuple(Seat(persona=c.persona, reason=f"chosen: {c.reason}") for c in picked), assumed
