"""A catalog: the personas at hand, where each came from, what shadows what, and which files failed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from bot.core.errors import Fault, NotFound
from bot.core.persona import TIERS, Level, Note, Persona, named
from bot.core.shown import shown

NAME_SHOWN = 80
LISTED_AT_MOST = 12
"""Candidates that an ambiguous name is answered with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """One file that could not be used."""

    file: str
    """As the person named it."""
    level: Level
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Personas by short name, each once; the rest is what a listing and `personas check` tell about them."""

    personas: tuple[Persona, ...] = ()
    """Sorted by short name."""
    source: str = ""
    """Where they came from, as the person named it."""
    failed: tuple[Failed, ...] = ()
    """Set aside; none of them shadows anything."""
    remarks: tuple[Fault, ...] = ()
    """Said, not wrong: files left out, keys kept, values read liberally."""
    shadowed: tuple[Persona, ...] = ()
    """Personas of a farther level whose short name a nearer one has taken."""
    notes: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)
    """Dated notes by short name; also for personas that stand at another level."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault of every file."""
        return tuple(fault for failed in self.failed for fault in failed.faults)

    def persona(self, short_name: str) -> Persona | None:
        """The persona of exactly that short name."""
        return next((p for p in self.personas if p.short_name == short_name), None)


def at_hand(catalog: Catalog) -> tuple[Persona, ...]:
    """Whom automatic choice draws from: the configured personas where there are two or more, else everybody."""
    configured = tuple(persona for persona in catalog.personas if persona.level != "bundled")
    return configured if len(configured) > 1 else catalog.personas


def summary(catalog: Catalog) -> str:
    """The line said after loading: how many, from where, how many of each tier, how many files failed."""
    total = len(catalog.personas)
    counts = ((tier, sum(p.tier == tier for p in catalog.personas)) for tier in TIERS)
    tiers = ", ".join(f"{count} of tier {tier}" for tier, count in counts if count)
    line = f"{_counted(total, 'persona')} from {catalog.source or 'no catalog'}"
    if tiers:
        line += f": {tiers}"
    if catalog.failed:
        line += f"; {_counted(len(catalog.failed), 'file')} failed to load"
    return line


def merged(
    bundled: Catalog,
    deployment: Catalog | None = None,
    workspace: Catalog | None = None,
    *,
    notes: Mapping[str, tuple[Note, ...]] | None = None,
) -> Catalog:
    """One catalog of all levels: by short name the nearest wins, and dated notes of all levels are put together.

    `notes` are those that the workspace keeps beside its personas.
    """
    levels = [level for level in (workspace, deployment, bundled) if level is not None]
    winners: dict[str, Persona] = {}
    shadowed: list[Persona] = []
    for persona in (p for level in levels for p in level.personas):
        if persona.short_name in winners:
            shadowed.append(persona)
        else:
            winners[persona.short_name] = persona
    together = _notes_together([*(level.notes for level in reversed(levels)), notes or {}])
    return Catalog(
        personas=tuple(_with_notes(winners[name], together) for name in sorted(winners)),
        source=", ".join(level.source for level in levels if level.personas),
        failed=tuple(failed for level in levels for failed in level.failed),
        remarks=tuple(remark for level in levels for remark in level.remarks),
        shadowed=tuple(sorted(shadowed, key=lambda p: p.short_name)),
        notes=together,
    )


def with_notes(catalog: Catalog, notes: Mapping[str, tuple[Note, ...]]) -> Catalog:
    """The catalog with these notes added to its own, on its personas too."""
    together = _notes_together([catalog.notes, notes])
    personas = tuple(_with_notes(persona, together) for persona in catalog.personas)
    return replace(catalog, personas=personas, notes=together)


def found(catalog: Catalog, query: str) -> Persona:
    """The one persona that the words mean: its short name, its display name, or an unambiguous part of either.

    Raises NotFound: unknown, listing the known; or ambiguous, naming the candidates.
    """
    candidates = named(query, catalog.personas)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise NotFound(_ambiguous(query, candidates))
    raise NotFound(_unknown(query, catalog))


def chosen(catalog: Catalog, names: Iterable[str]) -> tuple[Persona, ...]:
    """The named personas in the order given, each once; `all` means the whole catalog.

    Raises NotFound with every name that is unknown or ambiguous.
    """
    picked: dict[str, Persona] = {}
    wrong: list[str] = []
    for name in names:
        if name.strip().casefold() == "all" and catalog.persona("all") is None:
            picked.update((p.short_name, p) for p in catalog.personas)
            continue
        try:
            persona = found(catalog, name)
        except NotFound as error:
            wrong.append(str(error))
        else:
            picked[persona.short_name] = persona
    if wrong:
        raise NotFound("\n".join(wrong))
    return tuple(picked.values())


def _ambiguous(query: str, candidates: tuple[Persona, ...]) -> str:
    listed = ", ".join(_titled(p) for p in candidates[:LISTED_AT_MOST])
    more = len(candidates) - LISTED_AT_MOST
    rest = f" and {more} more" if more > 0 else ""
    return f"'{shown(query.strip(), NAME_SHOWN)}' may mean {listed}{rest}; use one of these names in full"


def _unknown(query: str, catalog: Catalog) -> str:
    known = [p.short_name for p in catalog.personas]
    near = get_close_matches(query.strip().casefold().replace(" ", "-"), known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    listed = ", ".join(known) if known else "none; the catalog holds no personas"
    return f"No persona is called '{shown(query.strip(), NAME_SHOWN)}'.{hint} Known: {listed}"


def _titled(persona: Persona) -> str:
    if persona.name.casefold() == persona.short_name:
        return persona.short_name
    return f"{persona.short_name} ({persona.name})"


def _notes_together(several: Iterable[Mapping[str, tuple[Note, ...]]]) -> dict[str, tuple[Note, ...]]:
    together: dict[str, tuple[Note, ...]] = {}
    for notes in several:
        for short_name, added in notes.items():
            kept = together.get(short_name, ())
            together[short_name] = (*kept, *(note for note in added if note not in kept))
    return together


def _with_notes(persona: Persona, notes: Mapping[str, tuple[Note, ...]]) -> Persona:
    own = persona.notes
    added = tuple(note for note in notes.get(persona.short_name, ()) if note not in own)
    return persona.model_copy(update={"notes": (*own, *added)}) if added else persona


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
