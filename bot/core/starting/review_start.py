"""From what somebody asked for to an opened review: who reviews, in which mode, with how many passes needed. Pure."""

from collections.abc import Mapping
from typing import Any

from bot.core.entries import Opened, Seat
from bot.core.errors import UsageError
from bot.core.formats.consolidation import COORDINATOR, GATE, QUORUM, majority
from bot.core.formats.review_report import EXTRA_CALL
from bot.core.options import Options
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog, chosen
from bot.core.starting.discussion_start import Start, common_options

TRIO = ("pm-lens", "designer-lens", "engineer-lens")
"""Who reviews where no catalog is configured."""
MOST = 20


def started_review(start: Start, catalog: Catalog) -> Opened:
    """The review that was asked for; its target is the first document.

    Raises UsageError for a missing target and options that do not go together, NotFound for unknown names.
    """
    if not start.documents:
        raise UsageError("a review needs a target: name a path, paste the text or attach the file")
    options = review_options(start.options)
    seats, notes = _seats(start, catalog)
    count = sum(seat.included for seat in seats)
    _refuse(start, options, count)
    target = start.documents[0]
    line = f"{_counted(count)} in parallel on “{target.title}”, mode {_mode(options, count)}."
    warning = (f"Warning: {EXTRA_CALL}",) if options.mode == COORDINATOR else ()
    return Opened(
        format="review",
        topic=f"{target.title} ({' '.join(start.focus.split())})" if start.focus else target.title,
        topic_note=start.topic_note,
        starter=start.starter,
        seats=seats,
        documents=start.documents,
        options=options.model_copy(update={"lines": start.lines}),
        notes=(line, *notes, *warning),
    )


def review_options(given: Mapping[str, Any]) -> Options:
    """Checked options of a review. Raises UsageError for those that do not go together."""
    mode = str(given.get("mode", QUORUM))
    if "quorum" in given and mode != QUORUM:
        raise UsageError(f"--quorum is for --mode {QUORUM}, not for {mode}")
    if "threshold" in given and mode != GATE:
        raise UsageError(f"--threshold is for --mode {GATE}, not for {mode}")
    return common_options(given).model_copy(
        update={
            "rounds": 1,
            "mode": mode,
            "quorum": given.get("quorum"),
            "threshold": given.get("threshold"),
            "grounding": str(given.get("grounding", "off")),
        }
    )


def _refuse(start: Start, options: Options, count: int) -> None:
    for name, needed in (("quorum", options.quorum), ("threshold", options.threshold)):
        if needed is not None and needed > count:
            raise UsageError(f"--{name} {needed} can not be reached: {_counted(count)} in this review; at most {count}")
    if options.grounding == "re-derive" and not start.documents[0].root:
        raise UsageError(
            "--grounding re-derive needs a target below an allowed root, where personas can look sources up; "
            f"“{start.documents[0].title}” lies under none"
        )


def _seats(start: Start, catalog: Catalog) -> tuple[tuple[Seat, ...], tuple[str, ...]]:
    """The roster, those left out included, and what has to be said about it."""
    names = tuple(start.options.get("personas", ()))
    if names and not (len(names) == 1 and names[0].casefold() == "all"):
        return _capped(chosen(catalog, names), "named")
    configured = tuple(p for p in catalog.personas if p.level != "bundled")
    if configured:
        return _capped(configured, "of the configured catalog")
    trio = tuple(p for name in TRIO if (p := catalog.persona(name)) is not None)
    if not trio:
        raise UsageError("there is no catalog with personas, so nobody can review; add personas first")
    seats, notes = _capped(trio, "of the product trio")
    return seats, ("No catalog is configured, so the product trio reviews.", *notes)


def _capped(personas: tuple[Persona, ...], reason: str) -> tuple[tuple[Seat, ...], tuple[str, ...]]:
    """At most twenty: the first by name; the others stand in the roster as left out."""
    if len(personas) <= MOST:
        return tuple(Seat(persona=persona, reason=reason) for persona in personas), ()
    by_name = sorted(personas, key=lambda persona: persona.short_name)
    kept = tuple(Seat(persona=persona, reason=reason) for persona in by_name[:MOST])
    why = f"left out: a review has at most {MOST} personas"
    out = tuple(Seat(persona=persona, included=False, reason=why) for persona in by_name[MOST:])
    listed = ", ".join(seat.persona.name for seat in out)
    return kept + out, (f"{len(personas)} personas are too many; the first {MOST} by name review. Left out: {listed}.",)


def _mode(options: Options, count: int) -> str:
    if options.mode == QUORUM:
        return f"{QUORUM} ({options.quorum or majority(count)} of {count} passes needed)"
    return f"{GATE} ({options.threshold or count} of {count} passes needed)" if options.mode == GATE else options.mode


def _counted(count: int) -> str:
    return "1 persona" if count == 1 else f"{count} personas"
