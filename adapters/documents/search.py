"""Grep and Glob, for the child process: a model's pattern may be as slow as it likes there."""

import fnmatch
import functools
import re
from typing import Any

from adapters.documents.encoding import unicode_text
from adapters.documents.faults import Unreadable
from adapters.documents.opening import content
from adapters.documents.walk import Walk

_MOST_HITS = 200
_MOST_PATHS = 500
_FILE_BYTES = 2 * 1024 * 1024
_LINE_CHARS = 300


def grep(*, root: str, start: str, single: bool, pattern: str, only: str, ignore_case: bool) -> dict[str, Any]:
    """Lines that match: {hits: [[path, number, line]], more, searched, large}."""
    try:
        wanted = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError, RecursionError) as error:
        raise Unreadable(f"is no regular expression: {error}") from error
    walk = Walk(root=root, start=start)
    paths = [start] if single else [found.path for found in walk.files() if not only or _chosen(only, found.path)]
    hits: list[tuple[str, int, str]] = []
    searched = large = 0
    for path in paths:
        data = content(root, path, _FILE_BYTES + 1)
        if len(data) > _FILE_BYTES:
            large += 1
            continue
        searched += 1
        hits.extend(_hits(wanted, path, data, _MOST_HITS + 1 - len(hits)))
        if len(hits) > _MOST_HITS:
            break
    more = len(hits) > _MOST_HITS or walk.unseen
    return {"hits": hits[:_MOST_HITS], "more": more, "searched": searched, "large": large}


def _hits(wanted: re.Pattern[str], path: str, data: bytes, most: int) -> list[tuple[str, int, str]]:
    found: list[tuple[str, int, str]] = []
    for number, line in enumerate(_lines(data), 1):
        match = wanted.search(line)
        if match is None:
            continue
        found.append((path, number, _around(line, match.start())))
        if len(found) == most:
            break
    return found


def _lines(data: bytes) -> list[str]:
    try:
        text = unicode_text(data)
    except Unreadable:
        return []
    if text is None:
        text = data.decode("cp1252", "replace")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _around(line: str, place: int) -> str:
    if len(line) <= _LINE_CHARS:
        return line
    first = max(0, place - _LINE_CHARS // 3)
    shown = line[first : first + _LINE_CHARS]
    return f"{'…' if first else ''}{shown}{'…' if first + _LINE_CHARS < len(line) else ''}"


def glob(*, root: str, start: str, pattern: str) -> dict[str, Any]:
    """Files whose path below `start` matches: {paths, more}."""
    walk = Walk(root=root, start=start)
    paths: list[str] = []
    for found in walk.files():
        below = found.path[len(start) + 1 :] if start else found.path
        if matches(pattern, below):
            paths.append(found.path)
        if len(paths) > _MOST_PATHS:
            break
    return {"paths": paths[:_MOST_PATHS], "more": len(paths) > _MOST_PATHS or walk.unseen}


def _chosen(pattern: str, path: str) -> bool:
    """For Grep, a pattern without a slash is about the file's name, at any depth."""
    return matches(pattern, path if "/" in pattern else path.rpartition("/")[2])


def matches(pattern: str, path: str) -> bool:
    """Whether the path matches; `*` stays within a part, `**` is any number of folders, `{a,b}` is either."""
    parts = tuple(path.split("/"))
    return any(_match(tuple(choice.removeprefix("./").split("/")), parts) for choice in _choices(pattern))


@functools.lru_cache(maxsize=16)
def _choices(pattern: str) -> tuple[str, ...]:
    choices = [pattern]
    while brace := next((found for choice in choices if (found := _BRACE.search(choice))), None):
        wide = brace.string
        choices.remove(wide)
        choices += [wide[: brace.start()] + part + wide[brace.end() :] for part in brace[1].split(",")]
        if len(choices) > _MOST_CHOICES:
            raise Unreadable(f"means more than {_MOST_CHOICES} patterns; write fewer alternatives")
    return tuple(choices)


_BRACE = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_CHOICES = 64


def _match(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """One row of a table for each part of the pattern: which prefixes of the path it can have eaten."""
    reached = [True] + [False] * len(parts)
    for index, piece in enumerate(pattern):
        if piece == "**":
            # A last `**` means the files below, not the folder itself.
            least = 1 if index == len(pattern) - 1 else 0
            first = reached.index(True) if True in reached else len(reached)
            reached = [place >= first + least for place in range(len(reached))]
        else:
            fits = [False, *(_part(piece, part) for part in parts)]
            reached = [False, *(reached[place] and fits[place + 1] for place in range(len(parts)))]
    return reached[-1]


@functools.lru_cache(maxsize=4096)
def _part(piece: str, part: str) -> bool:
    return fnmatch.fnmatchcase(part, piece)
