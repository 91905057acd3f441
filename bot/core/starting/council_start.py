"""From what somebody asked for to an opened council: its bench, its rounds. Pure."""

from bot.core.entries import Opened
from bot.core.errors import UsageError
from bot.core.formats.council_bench import bench
from bot.core.starting.catalog import Catalog
from bot.core.starting.discussion_start import Start, common_options

ROUNDS = 3
FEWEST = 2
"""Lenses without which there is no council."""


def started_council(start: Start, catalog: Catalog) -> Opened:
    """The council that was asked for; its target is the first document.

    Raises UsageError without a target, and where fewer than two lenses could be loaded.
    """
    if not start.documents:
        raise UsageError("a council needs a target: give an idea that stands alone, a path, a diff, or say `here`")
    everyone = bool(start.options.get("everyone", False))
    seats = bench(catalog, start.documents, everyone=everyone)
    sitting = [seat for seat in seats if seat.included and seat.available]
    if len(sitting) < FEWEST:
        lost = "; ".join(f"{seat.persona.name}: {seat.reason}" for seat in seats if not seat.available)
        raise UsageError(f"a council needs at least two lenses, and {len(sitting)} could be loaded ({lost})")
    title = start.documents[0].title
    options = common_options(start.options).model_copy(
        update={"rounds": int(start.options.get("max-rounds", ROUNDS)), "everyone": everyone, "lines": start.lines}
    )
    return Opened(
        format="council",
        topic=f"{title} ({' '.join(start.focus.split())})" if start.focus else title,
        topic_note=start.topic_note,
        starter=start.starter,
        seats=seats,
        documents=start.documents,
        options=options,
    )
