"""The log in the order in which it is spoken: a parallel round by speaking order, whichever call was ready first."""

from collections.abc import Iterable
from typing import TypeVar

from bot.core.entries import Artifact, Entry, Skipped, Turn

E = TypeVar("E", bound=Entry)


def as_spoken(entries: Iterable[E]) -> list[E]:
    """The entries with each parallel round in its speaking order; skips and artifacts stand where they are."""
    spoken: list[E] = []
    batch: list[tuple[int, E]] = []
    kind: tuple[str, int] | None = None
    for entry in entries:
        if isinstance(entry, Skipped | Artifact):
            spoken.append(entry)
            continue
        of = (entry.turn_kind, entry.round) if isinstance(entry, Turn) else None
        if batch and of != kind:
            spoken += _ordered(batch)
            batch = []
        kind = of
        if isinstance(entry, Turn):
            batch.append((entry.order, entry))
        else:
            spoken.append(entry)
    return [*spoken, *_ordered(batch)]


def _ordered(batch: list[tuple[int, E]]) -> list[E]:
    return [entry for _order, entry in sorted(batch, key=lambda pair: pair[0])]
