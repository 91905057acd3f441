"""From what somebody asked for to an opened panel: names, options, defaults, refusals. Pure; nothing is stored here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.core.document import Document
from bot.core.entries import Opened, Seat
from bot.core.errors import UsageError
from bot.core.options import DEFAULT_TOPIC, DURATIONS, FormatName, Options
from bot.core.persona import Persona
from bot.core.place import Person
from bot.core.starting.catalog import Catalog, at_hand, chosen, found
from bot.core.starting.choosing import choose

DEFAULT_SIZE = 4
"""How many take part in a discussion that names nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What somebody asked for, words already turned into values (`options.value_of`)."""

    format: FormatName
    topic: str | None
    """None: left out. Blank is an error."""
    starter: Person
    options: Mapping[str, Any] = field(default_factory=dict)
    """Option name (with dashes) → value; only those that were given."""
    documents: tuple[Document, ...] = ()
    topic_note: str = ""
    focus: str = ""
    """What to look at in the target, in the starter's words."""
    lines: str = ""
    """`A-B` where the target was narrowed to these."""
    asks: bool = False
    """A person can be asked what is left open."""


def started_discussion(start: Start, catalog: Catalog) -> Opened:
    """The discussion that was asked for.

    Raises UsageError for options that do not go together, NotFound for unknown names.
    """
    options = discussion_options(start.options)
    moderator = found(catalog, str(start.options["moderator"])) if start.options.get("moderator") else None
    topic, note = topic_of(start)
    seats = _discussion_seats(start, catalog, topic, moderator)
    if moderator:
        options = options.model_copy(update={"moderator": moderator.short_name, "style": options.style or "structured"})
    return Opened(
        format="discussion",
        topic=topic,
        topic_note=start.topic_note or note,
        starter=start.starter,
        seats=seats,
        documents=start.documents,
        options=options,
    )


def topic_of(start: Start) -> tuple[str, str]:
    """The topic and what was assumed about it. Raises UsageError for a blank one."""
    if start.topic is None:
        if start.documents:
            return topic_from(start.documents[0])
        return DEFAULT_TOPIC, "no topic was given, so the default one is used"
    if not start.topic.strip():
        raise UsageError("the topic is blank; give one, or leave it out for the default")
    return start.topic.strip(), ""


def topic_from(document: Document) -> tuple[str, str]:
    """The topic of a panel that was given nothing but this document, and what was assumed."""
    what = "thread" if document.kind == "thread" else "document"
    return f"What should we make of “{document.title}”?", f"no topic was given, so the {what} is the topic"


def discussion_options(given: Mapping[str, Any]) -> Options:
    """Checked options of a discussion. Raises UsageError for those that do not go together."""
    duration = str(given.get("duration", "standard"))
    if duration == "until-done" and not given.get("moderator"):
        raise UsageError("--duration until-done needs a --moderator, who says when the discussion is done")
    if given.get("style") and not given.get("moderator"):
        raise UsageError("--style is how a moderator leads; name one with --moderator")
    return common_options(given).model_copy(
        update={
            "rounds": int(given.get("rounds", DURATIONS[duration])),
            "duration": duration,
            "style": str(given.get("style", "")).strip(),
            "final_summary": bool(given.get("final-summary", False)),
        }
    )


def common_options(given: Mapping[str, Any]) -> Options:
    """The options that every format has."""
    return Options(
        max_cost=given.get("max-cost"),
        context=bool(given.get("context", False)),
        verbose=bool(given.get("verbose", False)),
        variant=str(given.get("variant", "")),
    )


def _discussion_seats(start: Start, catalog: Catalog, topic: str, moderator: Persona | None) -> tuple[Seat, ...]:
    names = tuple(start.options.get("with", ()))
    everyone = len(names) == 1 and names[0].casefold() == "all"
    pool = tuple(p for p in at_hand(catalog) if p != moderator)
    if everyone:
        seats = tuple(Seat(persona=p, reason="the whole catalog was asked for") for p in pool)
    elif names:
        seats = tuple(Seat(persona=p, reason="named") for p in chosen(catalog, names) if p != moderator)
    else:
        text = f"{topic}\n" + "\n".join(document.text[:20_000] for document in start.documents)
        picked = choose(topic if len(topic.split()) > 3 else text, pool, DEFAULT_SIZE)
        seats = tuple(Seat(persona=c.persona, reason=f"chosen: {c.reason}") for c in picked)
    if not seats:
        raise UsageError("nobody is left to speak: name at least one participant besides the moderator")
    if len(seats) == 1 and moderator is None:
        name = seats[0].persona.name
        raise UsageError(f"a discussion needs two voices, and only {name} was named; add another with --with")
    if moderator is None:
        return seats
    return (*seats, Seat(persona=moderator, reason="moderates", moderates=True))


def with_models(opened: Opened, models: Mapping[str, str], host_model: str, *, is_ai: bool) -> Opened:
    """The same panel with each seat's model written down: short name → `provider:id`."""
    seats = tuple(seat.model_copy(update={"model": models.get(seat.persona.short_name, "")}) for seat in opened.seats)
    return opened.model_copy(update={"seats": seats, "host_model": host_model, "model_is_ai": is_ai})
