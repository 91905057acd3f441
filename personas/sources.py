"""One candidate of a catalog folder, or one text of the store, read into its parts."""

import re
from dataclasses import dataclass
from pathlib import Path

from personas.assembly import Source
from personas.document import BadDocument, Document, has_front_matter, parts, taken_apart
from personas.findings import Findings
from personas.folder import CONFIG, DOCUMENT, Candidate
from personas.forms import Form, recognised, stem
from personas.json_config import parsed_config
from personas.reading import Unreadable, text_of

_HALF = re.compile(r"[\ud800-\udfff]")
"""Half a character, as broken transports leave it; it can not be written anywhere."""
NO_FRONT = "no front matter; start the file with '---', a line 'name: …', and another '---'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What came of one file."""

    findings: Findings
    origin: str
    """The file's name within its catalog."""
    source: Source | None = None
    """None where the file could not be taken apart; the findings say why."""
    context: str = ""
    """JSON of the notes in the file."""
    context_line: int = 0
    bare: bool = False
    """A text without front matter: no persona, or one whose head was forgotten."""


def read_candidate(candidate: Candidate, root: Path, findings: Findings) -> Read:
    """The parts of a candidate in the folder; everything wrong is in the findings."""
    try:
        text = text_of(candidate.path, root)
        if candidate.kind == "folder":
            return _folder_form(candidate, text, root, findings)
        if not has_front_matter(text):
            return Read(findings=findings, origin=candidate.origin, bare=True)
        document = taken_apart(text)
    except Unreadable as problem:
        findings.fault(0, str(problem))
        return Read(findings=findings, origin=candidate.origin)
    except BadDocument as problem:
        findings.fault(problem.line, str(problem))
        return Read(findings=findings, origin=candidate.origin)
    form = Form.SKILL if candidate.kind == "skill" else recognised(document.front.values)
    return _read(document, form, candidate.origin, candidate.stem, (candidate.path.parent, root), findings)


def read_text(file: str, text: str, findings: Findings) -> Read:
    """The parts of a text that has no folder around it."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in plain or _HALF.search(plain):
        findings.fault(0, "binary content; a persona file is UTF-8 text")
        return Read(findings=findings, origin=file)
    if not has_front_matter(plain):
        findings.fault(1, NO_FRONT)
        return Read(findings=findings, origin=file)
    try:
        document = taken_apart(plain)
    except BadDocument as problem:
        findings.fault(problem.line, str(problem))
        return Read(findings=findings, origin=file)
    name = file.rpartition("/")[2]
    return _read(document, recognised(document.front.values), file, stem(name), None, findings)


def _read(
    document: Document,
    form: Form,
    origin: str,
    short_name: str,
    beside: tuple[Path, Path] | None,
    findings: Findings,
) -> Read:
    for line, problem in document.slips:
        if form.strict:
            findings.fault(line, problem)
        else:
            findings.remark(line, f"{problem} (read as if it were quoted)")
    if form.strict and document.slips:
        return Read(findings=findings, origin=origin)
    source = Source(
        form=form,
        front=document.front,
        body=document.body,
        body_line=document.body_line,
        origin=origin,
        stem=short_name,
        beside=beside,
    )
    return Read(
        findings=findings,
        origin=origin,
        source=source,
        context=document.context,
        context_line=document.context_line,
    )


def _folder_form(candidate: Candidate, config: str, root: Path, findings: Findings) -> Read:
    front = parsed_config(config)
    path = candidate.path.parent / DOCUMENT
    try:
        text = text_of(path, root)
    except Unreadable as problem:
        findings.fault(0, f"{DOCUMENT} beside {CONFIG}: {problem}")
        return Read(findings=findings, origin=candidate.origin)
    body, _, _ = parts(text.split("\n"))
    if has_front_matter(text):
        body = taken_apart(text).body
    source = Source(
        form=Form.FOLDER,
        front=front,
        body=body,
        body_line=0,
        origin=candidate.origin,
        stem=candidate.stem,
        beside=(candidate.path.parent, root),
    )
    return Read(findings=findings, origin=candidate.origin, source=source)
