"""From drafts to a catalog: contracts compiled, names that clash, variants put in, broken files set aside."""

from collections.abc import Iterable, Mapping

from bot.core.errors import Fault
from bot.core.persona import Level, Note, Persona
from bot.core.starting.catalog import Catalog, Failed, with_notes
from personas.assembly import Draft
from personas.contract_check import compile_all
from personas.findings import Findings
from personas.variants import declared_bodies
from personas.visible import look

VariantBodies = Mapping[str, Mapping[str, str]]
"""Short name → variant name → body."""


def finished(drafts: list[Draft], siblings: VariantBodies) -> tuple[Persona, ...]:
    """The personas that nothing is wrong with, sorted by short name; the drafts' findings tell of the others."""
    _judge_contracts(drafts)
    personas: list[Persona] = []
    bodies = [declared_bodies(draft) for draft in drafts]
    _judge_names(drafts)
    for draft, declared in zip(drafts, bodies, strict=True):
        if draft.findings.faults:
            continue
        variants = {**siblings.get(draft.persona.short_name, {}), **declared}
        personas.append(draft.persona.model_copy(update={"variants": variants}) if variants else draft.persona)
    return tuple(sorted(personas, key=lambda persona: persona.short_name))


def catalog_of(
    personas: tuple[Persona, ...],
    said: Iterable[Findings],
    notes: Mapping[str, tuple[Note, ...]],
    level: Level,
    source: str,
) -> Catalog:
    """The catalog value; findings with faults become failed files."""
    by_file: dict[str, list[Fault]] = {}
    remarks: list[Fault] = []
    for findings in said:
        remarks += findings.remarks
        if findings.faults:
            by_file.setdefault(findings.file, []).extend(findings.faults)
    failed = tuple(Failed(file=file, level=level, faults=tuple(by_file[file])) for file in sorted(by_file))
    remarks.sort(key=lambda remark: (remark.file, remark.line))
    return with_notes(Catalog(personas=personas, source=source, failed=failed, remarks=tuple(remarks)), notes)


def _judge_contracts(drafts: list[Draft]) -> None:
    sound = [draft for draft in drafts if draft.persona.output_contract is not None and not draft.findings.faults]
    contracts = [draft.persona.output_contract or {} for draft in sound]
    for draft, faults in zip(sound, compile_all(contracts), strict=True):
        line = draft.source.front.lines.get("output_contract", 0)
        for fault in faults:
            draft.findings.fault(line, fault)


def _judge_names(drafts: list[Draft]) -> None:
    """The first sound file keeps a name; a later one with the same name, or one that looks the same, is at fault."""
    holders: dict[str, str] = {}
    shown_as: dict[str, str] = {}
    for draft in sorted(drafts, key=lambda each: bool(each.findings.faults)):
        short_name, name = draft.persona.short_name, draft.persona.name
        line = draft.source.front.lines.get("name", 0)
        holder = holders.setdefault(short_name, draft.source.origin)
        if holder != draft.source.origin:
            draft.findings.fault(0, f"the short name '{short_name}' is taken by {holder}; rename one of the files")
            continue
        if name == "?":
            continue
        twins = {shown_as.setdefault(key, draft.source.origin) for key in (look(name), name.casefold())}
        for twin in sorted(twins - {draft.source.origin}):
            draft.findings.fault(line, f"'{name}' looks the same as the name in {twin}; give one of them another name")
