"""A persona put together from the parts of its file."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from bot.core.persona import Level, Note, Persona
from bot.core.speech.cues import is_cue, read_cues
from bot.core.speech.persona_text import CUES, section, sections, without_section
from personas.avatar import avatar_of
from personas.contract_rules import shape_faults
from personas.fields import Fields, judge_keys
from personas.findings import Findings, shown
from personas.forms import RESERVED, SHORT_NAME, Form, slug
from personas.visible import without_hidden
from personas.yaml_tree import Tree

MAX_BODY = 64 * 1024
"""Bytes of a persona document, sources left out."""
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")
DESCRIBED_IN = 100
"""Words of the document that stand for a missing description."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What was read of one persona, before it is judged."""

    form: Form
    front: Tree
    body: str
    body_line: int
    origin: str
    """The file's name within its catalog."""
    stem: str
    """The short name that the file or folder name stands for."""
    beside: tuple[Path, Path] | None = None
    """The persona's folder and the catalog's resolved root; None for a text from the store."""


@dataclass(slots=True, kw_only=True)
class Draft:
    """A persona on its way into a catalog; with any fault in `findings` it does not get there."""

    findings: Findings
    source: Source
    persona: Persona
    variant_files: dict[str, str] = field(default_factory=dict)
    """Variant name → file name beside the persona, as declared."""


def assembled(source: Source, level: Level, notes: tuple[Note, ...], findings: Findings) -> Draft:
    """The persona that the source describes; everything wrong with it is in the findings."""
    fields = Fields(source.front, source.form, findings)
    extra = judge_keys(source.front, source.form, findings)
    name = fields.name()
    pictured = "emoji" if "emoji" in source.form.keys and not fields.has("avatar") else "avatar"
    emoji, image = avatar_of(fields.raw(pictured), source.form, source.beside, findings, fields.line(pictured))
    body = _body(source, fields, findings)
    persona = Persona(
        short_name=_short_name(source, fields, findings),
        name=name or "?",
        description=_description(fields, body),
        tier=fields.tier(),
        version=fields.text("version") or "1",
        tags=fields.words("tags"),
        model=fields.model(),
        emoji=emoji,
        image=image,
        color=fields.text("color"),
        evaluation_criteria=fields.sentences("evaluation_criteria"),
        output_contract=_contract(fields, findings),
        cues=_cues(fields, findings),
        body=body,
        notes=notes,
        level=level,
        origin=source.origin,
        extra=extra,
        front_matter=_hashed(source.front),
    )
    _remark_schema(source, fields, findings)
    return Draft(findings=findings, source=source, persona=persona, variant_files=_variants(fields, findings))


def description_from(body: str) -> str:
    """What stands for a missing description: the document's first words, without headings and cues."""
    prose = "\n".join(part.text for part in sections(without_section(body, CUES)))
    return without_hidden(first_words(prose, DESCRIBED_IN) or first_words(body, DESCRIBED_IN))


def first_words(text: str, count: int) -> str:
    """The document's first words as one line, headings' marks left out; two CJK characters count as one word."""
    taken: list[str] = []
    left = float(count)
    for word in (word for line in text.split("\n") for word in line.strip().lstrip("#>*-").split()):
        wide = [] if word.isascii() else [at for at, char in enumerate(word) if _WIDE.match(char)]
        weight = max(1.0, len(wide) / 2)
        if weight > left:
            taken += [word[: wide[int(left * 2)]]] if wide and left >= 1 else []
            break
        taken.append(word)
        left -= weight
    return " ".join(taken)


def _short_name(source: Source, fields: Fields, findings: Findings) -> str:
    key = "short_name" if fields.has("short_name") else "shortName"
    stated = fields.text(key) if key in source.form.keys else ""
    wanted = stated or source.stem
    if SHORT_NAME.fullmatch(wanted) and wanted not in RESERVED:
        return wanted
    made = slug(wanted)
    made = f"{made}-persona" if made in RESERVED else made
    if source.form.strict:
        where = "change 'short_name'" if stated else "rename the file or add 'short_name'"
        text = f"'{shown(wanted)}' can not be a short name (a-z, 0-9 and '-', at most 40); {where}, for example {made}"
        findings.fault(fields.line(key), text)
    else:
        findings.remark(fields.line(key), f"'{shown(wanted)}' is called {made} here")
    return made


def _body(source: Source, fields: Fields, findings: Findings) -> str:
    size = len(source.body.encode())
    if size > MAX_BODY:
        findings.fault(
            source.body_line, f"the document is {size} bytes large; at most {MAX_BODY} (64 KiB) fit; shorten it"
        )
    if source.form.strict:
        _remark_cues(source, findings)
    if source.body.strip():
        return source.body
    instead = "" if source.form.strict else fields.text("description") or fields.text("role")
    if not instead:
        findings.fault(source.body_line, "the document is empty; describe below the front matter how it thinks")
    else:
        findings.remark(source.body_line, "the document is empty; the description stands for it")
    return instead


def _description(fields: Fields, body: str) -> str:
    role = fields.text("role") if fields.has("role") else ""
    return fields.text("description") or role or description_from(body)


def _contract(fields: Fields, findings: Findings) -> dict[str, object] | None:
    if not fields.has("output_contract"):
        return None
    contract = fields.raw("output_contract")
    faults = shape_faults(contract)
    for fault in faults:
        findings.fault(fields.line("output_contract"), f"output_contract {fault}")
    return contract if isinstance(contract, dict) and not faults else None


def _cues(fields: Fields, findings: Findings) -> tuple[str, ...]:
    """The cues that can be read; the others are faults in our own form, elsewhere remarks."""
    stated = fields.sentences("cues")
    wrong = [cue for cue in stated if not is_cue(cue)]
    for cue in wrong:
        text = f"'{shown(cue)}' is no cue; write '! phrase, phrase → remark' (! fault, ? doubt, + merit, or no sign)"
        (findings.fault if fields.strict else findings.remark)(fields.line_of("cues", cue), text)
    return tuple(cue for cue in stated if cue not in wrong)


def _variants(fields: Fields, findings: Findings) -> dict[str, str]:
    declared: dict[str, str] = {}
    for name, file in fields.mapping("variants").items():
        if SHORT_NAME.fullmatch(name) and isinstance(file, str) and file.strip():
            declared[name] = file.strip()
            continue
        text = f"the variant '{shown(name)}' must be 'name: file', the name in a-z, 0-9 and '-'"
        findings.fault(fields.line("variants"), text)
    return declared


def _remark_schema(source: Source, fields: Fields, findings: Findings) -> None:
    if source.form is not Form.REVIEW:
        return
    version, name = fields.text("schema_version"), source.front.words.get("name", "").strip()
    if version not in ("", "1"):
        findings.remark(fields.line("schema_version"), f"schema_version {shown(version)} is read like 1")
    if SHORT_NAME.fullmatch(name) and name != source.stem:
        text = f"'name' differs from the file name; here it is called by the file name, {source.stem}"
        findings.remark(fields.line("name"), text)


def _remark_cues(source: Source, findings: Findings) -> None:
    text = section(source.body, CUES)
    for number in read_cues(text)[1] if text is not None else ():
        line = text.split("\n")[number] if text is not None else ""
        at = source.body.split("\n").index(line) if line in source.body.split("\n") else 0
        findings.remark(source.body_line + at, "not read as a cue; write '- ! phrase, phrase → remark'")


def _hashed(front: Tree) -> dict[str, object]:
    """The front matter as it goes into the prompt hash; a version keeps the digits it was written with."""
    values = dict(front.values)
    if isinstance(values.get("version"), float):
        values["version"] = front.words["version"]
    return values
