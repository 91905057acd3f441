"""What lies in a catalog folder: which entries are personas of which kind, and which are left out."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from bot.core.errors import CatalogError
from personas.findings import Findings
from personas.forms import stem
from personas.reading import Unreadable, inside, reason

Kind = Literal["file", "folder", "skill"]

SKILL = "SKILL.md"
CONFIG = "config.json"
DOCUMENT = "persona.md"
CONTEXT = "context"

_PAPERS = re.compile(
    r"(readme|index|licen[cs]e|changelog|contributing|authoring|template|_).*|(agents|claude|gemini)\.md",
    re.IGNORECASE,
)
"""Files that stand in many catalogs and are never personas."""
_MARKDOWN = (".md", ".markdown")
_NEARLY = (".mdx", ".txt", ".yaml", ".yml", ".toml", ".json")
"""Files that somebody may take for personas; they are left out, and that is said."""
_SILENT = (CONTEXT, "__pycache__")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One entry that may be a persona."""

    kind: Kind
    path: Path
    """The file that is read first."""
    origin: str
    """Its name within the catalog, `/` between parts."""
    stem: str
    """The short name that the file or folder stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A folder's entries, sorted by name."""

    root: Path
    """Resolved."""
    label: str
    """The folder as the person named it."""
    candidates: tuple[Candidate, ...]
    others: tuple[Findings, ...]
    """What is said about the rest."""

    def findings(self, origin: str) -> Findings:
        """An empty collection for one of its files."""
        return Findings(f"{self.label.rstrip('/')}/{origin}")

    def without_folders(self, used: set[str]) -> "Listing":
        """The listing with nothing said about folders (real paths) that serve a persona."""
        names = {self.findings(os.path.relpath(path, self.root)).file for path in used}
        return replace(self, others=tuple(other for other in self.others if other.file not in names))


def listed(folder: Path, label: str) -> Listing:
    """The folder's entries. Raises CatalogError: missing, no folder, not allowed."""
    try:
        root = folder.resolve(strict=True)
        entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    except (OSError, RuntimeError) as error:
        raise CatalogError(_missing(label, error)) from None
    bare = Listing(root=root, label=label, candidates=(), others=())
    candidates: list[Candidate] = []
    others: list[Findings] = []
    for entry in entries:
        findings = bare.findings(entry.name)
        candidate = _candidate(Path(entry.path), root, findings)
        if candidate is not None:
            candidates.append(candidate)
        if findings.faults or findings.remarks:
            others.append(findings)
    return Listing(root=root, label=label, candidates=tuple(candidates), others=tuple(others))


def beside(root: Path, pattern: str) -> Iterator[tuple[Path, str]]:
    """Folders next to the catalog whose name fits the pattern, resolved, with that name; none outside its parent."""
    try:
        entries = sorted(os.scandir(root.parent), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if not re.fullmatch(pattern, entry.name):
            continue
        try:
            real = inside(Path(entry.path), root.parent)
        except Unreadable:
            continue
        if real.is_dir() and real != root:
            yield real, entry.name


def _candidate(path: Path, root: Path, findings: Findings) -> Candidate | None:
    name = path.name
    if name.startswith(".") or name in _SILENT or name.endswith((".py", ".pyc")):
        return None
    try:
        real = inside(path, root)
    except Unreadable as problem:
        findings.fault(0, str(problem))
        return None
    if real.is_dir():
        return _in_folder(path, findings)
    lower = name.casefold()
    if lower.endswith(_NEARLY):
        findings.remark(0, "left out: personas are .md files, or folders with config.json and persona.md, or SKILL.md")
    if not lower.endswith(_MARKDOWN):
        return None
    if _PAPERS.fullmatch(name):
        findings.remark(0, "left out: a paper about the catalog, not a persona")
        return None
    if name == SKILL:
        return Candidate(kind="skill", path=path, origin=name, stem=root.name)
    return Candidate(kind="file", path=path, origin=name, stem=stem(name))


def _in_folder(path: Path, findings: Findings) -> Candidate | None:
    kinds: tuple[tuple[str, Kind], ...] = ((CONFIG, "folder"), (SKILL, "skill"), (DOCUMENT, "file"))
    for file, kind in kinds:
        if os.path.lexists(path / file):
            return Candidate(kind=kind, path=path / file, origin=f"{path.name}/{file}", stem=stem(path.name))
    findings.remark(0, "left out: no persona in this folder (config.json with persona.md, or SKILL.md)")
    return None


def _missing(label: str, error: OSError | RuntimeError) -> str:
    if isinstance(error, NotADirectoryError):
        return f"{label}: a catalog is a folder, not a file; name the folder that the personas are in"
    if isinstance(error, FileNotFoundError):
        return f"{label}: there is no such catalog folder; create it or name another"
    why = reason(error) if isinstance(error, OSError) else "links in a circle; remove the link"
    return f"{label}: the catalog folder {why}"
