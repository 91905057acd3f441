"""Other bodies of a persona: files that it names, and folders `…-v2` beside the catalog."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from bot.core.speech.cues import cues_section, is_cue
from personas.assembly import MAX_BODY, Draft
from personas.document import BadDocument, Document, has_front_matter, parts, taken_apart
from personas.findings import Findings, shown
from personas.folder import CONFIG, DOCUMENT, SKILL, Listing, beside
from personas.forms import slug, stem
from personas.json_config import parsed_config
from personas.reading import Unreadable, text_of
from personas.sources import Read


def declared_paths(reads: Iterable[Read]) -> set[str]:
    """The files that personas name as their variants, as real paths; they are no personas themselves."""
    paths: set[str] = set()
    for read in reads:
        if read.source is None or read.source.beside is None:
            continue
        folder, root = read.source.beside
        declared = read.source.front.values.get("variants")
        files = declared.values() if isinstance(declared, dict) else ()
        named = {os.path.realpath(folder / file) for file in files if isinstance(file, str) and "\0" not in file}
        paths |= named - {os.path.realpath(root / read.origin)}
    return paths


def declared_bodies(draft: Draft) -> dict[str, str]:
    """The bodies of the variants that a persona names; what is wrong with them is the persona's fault."""
    bodies: dict[str, str] = {}
    line = draft.source.front.lines.get("variants", 0)
    for name, file in draft.variant_files.items():
        if draft.source.beside is None:
            draft.findings.fault(line, f"variant '{name}': a persona in the store has no files beside it; remove it")
            continue
        folder, root = draft.source.beside
        try:
            bodies[name] = _body(folder / file, root)
        except (Unreadable, BadDocument) as problem:
            draft.findings.fault(line, f"variant '{name}', file '{shown(file)}': {problem}")
    return bodies


def sibling_bodies(listing: Listing) -> tuple[dict[str, dict[str, str]], list[Findings]]:
    """Short name → variant name → body, from the folders `personas-v2` and `<catalog>-v2` (v3, …) beside it."""
    bodies: dict[str, dict[str, str]] = {}
    found: list[Findings] = []
    own = "".join(char if char.isalnum() else f"\\{char}" for char in listing.root.name)
    for folder, name in beside(listing.root, rf"(?:personas|{own})-v[0-9]{{1,2}}"):
        variant = name.rpartition("-")[2]
        for path, short_name, file in _files(folder):
            findings = Findings(f"{name}/{file}")
            try:
                bodies.setdefault(short_name, {})[variant] = _body(path, folder)
            except (Unreadable, BadDocument) as problem:
                findings.fault(0, f"variant '{variant}' of {short_name}: {problem}")
            found.append(findings)
    return bodies, found


def unclaimed(bodies: Mapping[str, object], known: set[str], label: str) -> Findings:
    """What is said about variants of personas that are not there."""
    findings = Findings(label)
    for short_name in sorted(set(bodies) - known):
        findings.remark(0, f"a variant of '{shown(short_name)}' is left out: no such persona in the catalog")
    return findings


def _files(folder: Path) -> list[tuple[Path, str, str]]:
    """Each variant's file, the persona it belongs to, and its name within the folder."""
    files: list[tuple[Path, str, str]] = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "_")) or entry.name.casefold().startswith(("readme", "index")):
            continue
        if entry.is_dir():
            inner = next((name for name in (DOCUMENT, SKILL) if (entry / name).is_file()), "")
            if inner:
                files.append((entry / inner, _configured(entry, folder) or slug(entry.name), f"{entry.name}/{inner}"))
        elif entry.name.casefold().endswith(".md"):
            files.append((entry, slug(stem(entry.name)), entry.name))
    return files


def _configured(entry: Path, folder: Path) -> str:
    """The short name that a persona folder's config gives it; empty for none."""
    try:
        return (
            slug(parsed_config(text_of(entry / CONFIG, folder)).words.get("shortName", ""))
            if (entry / CONFIG).is_file()
            else ""
        )
    except (Unreadable, BadDocument):
        return ""


def _body(path: Path, root: Path) -> str:
    text = text_of(path, root)
    body = _with_cues(taken_apart(text)) if has_front_matter(text) else parts(text.split("\n"))[0]
    size = len(body.encode())
    if not body.strip():
        raise Unreadable("empty; write the variant's document into it")
    if size > MAX_BODY:
        raise Unreadable(f"{size} bytes large; at most {MAX_BODY} (64 KiB) fit")
    return body


def _with_cues(document: Document) -> str:
    """The document, with the cues of its front matter as a section, since a variant has no keys of its own."""
    stated = document.front.values.get("cues")
    cues = [str(cue) for cue in stated if is_cue(str(cue))] if isinstance(stated, list) else []
    return f"{document.body}\n\n{cues_section(cues)}" if cues else document.body
