"""What stands out in a folder of files: how it is started, what it says it is for, what each file is."""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

_README = re.compile(r"(?:readme|intent|vision|about)(?:\.(?:md|rst|txt|adoc))?", re.IGNORECASE)
_STARTERS = re.compile(
    r"(?:__main__|manage|wsgi|asgi|cli|app|main|index|server)\.(?:py|go|rs|js|mjs|ts|tsx|jsx|rb|java|kt|c|cc|cpp|php|sh)"
)
_MAIN_BLOCK = re.compile(r"^if __name__ == ['\"]__main__['\"]|^func main\(\)|^fn main\(\)", re.MULTILINE)
_MAKE_TARGET = re.compile(r"^([A-Za-z][\w-]*)\s*:(?!=)", re.MULTILINE)
_DOCKER_START = re.compile(r"^\s*(?:CMD|ENTRYPOINT)\s+(.+)$", re.MULTILINE | re.IGNORECASE)
_PURPOSE = re.compile(
    r"\A(?:#![^\n]*\n)?\s*(?:[rR]?(?:\"\"\"|''')\s*([^\n\"']+)|/\*\*?\s*\n?\s*\*?\s*([^\n*]+)|(?://[/!]?|#+|--)\s*([^\n]+))"
)
_MOST_EACH = 20
_LINE = 160
_BOILERPLATE = re.compile(r"copyright|licen[cs]e|coding[:=]|eslint|generated|^use strict", re.IGNORECASE)
SOURCE_ENDINGS = frozenset(
    (
        *(
            "py",
            "pyi",
            "js",
            "mjs",
            "cjs",
            "ts",
            "tsx",
            "jsx",
            "vue",
            "svelte",
            "go",
            "rs",
            "rb",
            "php",
            "dart",
        ),
        *(
            "java",
            "kt",
            "kts",
            "scala",
            "clj",
            "cs",
            "swift",
            "m",
            "c",
            "h",
            "cc",
            "cpp",
            "hpp",
            "zig",
            "nim",
        ),
        *("ex", "exs", "erl", "hs", "ml", "lua", "pl", "r", "jl", "sh", "bash", "sql", "proto", "tf"),
    )
)


def readme_rank(path: str) -> tuple[int, str] | None:
    """A sort key for files that state the intent, the nearest to the top first; None for other files."""
    folder, _, name = path.rpartition("/")
    return (folder.count("/") + bool(folder), path) if _README.fullmatch(name) else None


def purpose(text: str) -> str:
    """The first line of a source file's opening comment or docstring; empty where there is none."""
    match = _PURPOSE.match(text[:2000])
    line = _one_line(next((group for group in match.groups() if group), "")) if match else ""
    return "" if _BOILERPLATE.search(line) else line


def entry_points(path: str, text: str) -> Iterator[str]:
    """How this file starts something, one line each."""
    name = path.rpartition("/")[2]
    lower = name.lower()
    if lower == "pyproject.toml":
        yield from _each(path, "script", _python_scripts(text))
    elif lower == "package.json":
        yield from _each(path, "script", _node_scripts(text))
    elif lower in ("makefile", "gnumakefile", "justfile"):
        targets = dict.fromkeys(_MAKE_TARGET.findall(text))
        if targets:
            yield f"{path}: targets {', '.join(list(targets)[:_MOST_EACH])}"
    elif lower == "procfile":
        yield from _each(path, "process", (line for line in text.splitlines() if ":" in line))
    elif lower.startswith("dockerfile") or lower.endswith(".dockerfile"):
        yield from _each(path, "starts", _DOCKER_START.findall(text))
    elif _STARTERS.fullmatch(name) or text.startswith("#!") or _MAIN_BLOCK.search(text):
        yield path


def _each(path: str, word: str, lines: Any) -> Iterator[str]:
    for _, line in zip(range(_MOST_EACH), lines, strict=False):
        yield f"{path}: {word} {_one_line(str(line))}"


def _python_scripts(text: str) -> list[str]:
    try:
        project = tomllib.loads(text).get("project", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    scripts = project.get("scripts", {}) if isinstance(project, dict) else {}
    return [f"{name} = {call}" for name, call in scripts.items()] if isinstance(scripts, dict) else []


def _node_scripts(text: str) -> list[str]:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(package, dict):
        return []
    lines = [f"main = {package['main']}"] if isinstance(package.get("main"), str) else []
    for group in ("bin", "scripts"):
        entries = package.get(group)
        if isinstance(entries, dict):
            lines += [f"{name} = {call}" for name, call in entries.items()]
    return lines


def _one_line(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LINE else f"{plain[: _LINE - 1]}…"
