"""A neutral map of a folder: intent, structure, entry points, main modules, file index. It judges nothing."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from adapters.documents.encoding import tidy, unicode_text
from adapters.documents.faults import Unreadable
from adapters.documents.landmarks import SOURCE_ENDINGS, entry_points, purpose, readme_rank
from adapters.documents.limits import size_words
from adapters.documents.opening import content
from adapters.documents.walk import Found, Walk
from bot.core.shown import shown

_READ_EACH = 1024 * 1024
_READ_ALL = 64 * 1024 * 1024
_INTENT_CHARS = 6_000
_INDEX_FILES = 1_500
_FOLDERS = 300
_MODULES = 25
_STARTS = 40


@dataclass(slots=True, kw_only=True)
class _Seen:
    """One file as far as it was looked at."""

    path: str
    bytes: int
    lines: int | None = None
    """None for what is no text, or too large to count."""
    purpose: str = ""


@dataclass(slots=True, kw_only=True)
class _Survey:
    files: list[_Seen] = field(default_factory=list)
    starts: list[str] = field(default_factory=list)
    readmes: dict[tuple[int, str], str] = field(default_factory=dict)
    digest: Any = field(default_factory=hashlib.sha256)
    read: int = 0


def survey(*, root: str, start: str, title: str) -> dict[str, Any]:
    """{text, bytes, sha256, files}; raises Unreadable where there is no readable file."""
    walk = Walk(root=root, start=start)
    seen = _Survey()
    for found in walk.files():
        _look(seen, root, start, found)
    if not any(file.lines is not None for file in seen.files):
        raise Unreadable("holds no readable files")
    parts = [_head(seen, title, walk), _intent(seen), _structure(seen.files), _starts(seen), _modules(seen)]
    text = "\n\n".join([*(part for part in parts if part), _index(seen.files)]) + "\n"
    size = sum(file.bytes for file in seen.files)
    return {"text": text, "bytes": size, "sha256": seen.digest.hexdigest(), "files": len(seen.files)}


def _look(seen: _Survey, root: str, start: str, found: Found) -> None:
    below = found.path[len(start) + 1 :] if start else found.path
    file = _Seen(path=shown(below), bytes=found.bytes)
    seen.files.append(file)
    data = b""
    if found.bytes <= _READ_EACH and seen.read < _READ_ALL:
        data = content(root, found.path, _READ_EACH)
        seen.read += len(data)
    _add(seen.digest, below, found.bytes, data)
    text = _text(data)
    if text is None:
        return
    file.lines = text.count("\n") + (not text.endswith("\n"))
    seen.starts.extend(entry_points(file.path, text))
    if _ending(below) in SOURCE_ENDINGS:
        file.purpose = shown(purpose(text))
    rank = readme_rank(below)
    if rank is not None:
        seen.readmes[rank] = text


def _add(digest: Any, path: str, size: int, data: bytes) -> None:
    line = [path.encode("utf-8", "surrogateescape").hex(), size, hashlib.sha256(data).hexdigest()]
    digest.update(json.dumps(line).encode() + b"\n")


def _text(data: bytes) -> str | None:
    if not data:
        return None
    try:
        text = unicode_text(data)
    except Unreadable:
        return None
    return tidy(text if text is not None else data.decode("cp1252", "replace"))


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def _head(seen: _Survey, title: str, walk: Walk) -> str:
    size = size_words(sum(file.bytes for file in seen.files))
    lines = [
        f"# Folder {title}",
        "",
        f"{len(seen.files):,} files, {size}. This is a map; read the files for more.",
    ]
    if walk.refused:
        lines.append(f"Left out, because their names look like secrets: {walk.refused:,}.")
    if walk.unseen:
        lines.append("There are more files than are counted here: the folder is too large to be mapped whole.")
    return "\n".join(lines)


def _intent(seen: _Survey) -> str:
    if not seen.readmes:
        return "## Stated intent\n\nNo README was found."
    rank = min(seen.readmes)
    text = seen.readmes[rank].strip()
    more = f"\n\n(The first {_INTENT_CHARS:,} of {len(text):,} characters.)" if len(text) > _INTENT_CHARS else ""
    quoted = "\n".join(f"> {line}" for line in text[:_INTENT_CHARS].splitlines())
    return f"## Stated intent, from {shown(rank[1])}\n\n{quoted}{more}"


def _structure(files: list[_Seen]) -> str:
    folders: dict[str, Counter[str]] = {}
    for file in files:
        folder = file.path.rpartition("/")[0] or "."
        folders.setdefault(folder, Counter())[_ending(file.path) or "other"] += 1
    lines = [f"- {folder}: {_counts(kinds)}" for folder, kinds in sorted(folders.items())]
    return _section("Structure", lines, _FOLDERS, "folders")


def _counts(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {shown(kind, 20)}" for kind, count in kinds.most_common(6))


def _starts(seen: _Survey) -> str:
    return _section("Entry points", [f"- {shown(line)}" for line in seen.starts], _STARTS, "entry points")


def _modules(seen: _Survey) -> str:
    sources = [file for file in seen.files if file.lines and _ending(file.path) in SOURCE_ENDINGS]
    largest = sorted(sources, key=lambda file: (-(file.lines or 0), file.path))[:_MODULES]
    lines = [f"- {file.path} ({_lines(file.lines)}){f': {file.purpose}' if file.purpose else ''}" for file in largest]
    return _section("Main modules, the longest first", lines, _MODULES, "modules")


def _index(files: list[_Seen]) -> str:
    lines = [
        f"- {file.path} ({size_words(file.bytes) if file.lines is None else _lines(file.lines)})" for file in files
    ]
    return _section("File index", lines, _INDEX_FILES, "files")


def _lines(count: int | None) -> str:
    return "1 line" if count == 1 else f"{count or 0:,} lines"


def _section(title: str, lines: Iterable[str], most: int, things: str) -> str:
    rows = list(lines)
    if not rows:
        return ""
    left = [f"- … and {len(rows) - most:,} more {things} that are not listed"] if len(rows) > most else []
    return "\n".join([f"## {title}", "", *rows[:most], *left])
