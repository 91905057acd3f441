"""Which of the author's sources the personas found again, and which they found on their own. It moves no verdict."""

import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import Any

from bot.core.document import Document

_HEADED = re.compile(
    r"^(?:#{1,6}[ \t]*|\*\*)?(?:\d+[.)][ \t]*)?(?:sources?|references|bibliography|works cited|evidence|quellen)"
    r"(?:\*\*)?:?(?:\*\*)?[ \t]*$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^(?:#{1,6}[ \t]+\S|\*\*[^*]+\*\*:?[ \t]*$)")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)")
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?<![\w/@.:-])(?:\.{1,2}/)?(?:[\w.-]+/)*[\w.-]*\w")
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
_ENDING = re.compile(
    r"\.(?:md|markdown|rst|txt|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|conf|xml|html?|css|pdf|docx|pptx|xlsx|log|sql|py|pyi"
    r"|ipynb|[jt]sx?|mjs|go|rs|java|kts?|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|ps1|proto|tf|lock|diff|patch)$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?:#L?\d+(?:-L?\d+)?|:\d+(?:-\d+)?)$")


def author_sources(documents: Sequence[Document]) -> tuple[str, ...]:
    """The files and addresses that a target gives as its sources, in its order.

    Those of its section of sources where it has one, else every path in links, code marks and text.
    """
    found: dict[str, None] = {}
    for document in documents:
        section = _section(document.lines)
        named = _named(section, listed=True) if section else _named(document.text, listed=False)
        found.update(dict.fromkeys(named))
    return tuple(found)


def grounding_diff(documents: Sequence[Document], reports: Iterable[Sequence[str]]) -> dict[str, Any]:
    """Unconfirmed and newly derived sources, and how many personas reported any. `reports`: paths, by persona."""
    given = author_sources(documents)
    reported = [tuple(path for path in map(normal, report) if path) for report in reports]
    derived = tuple(dict.fromkeys(path for report in reported for path in report))
    return {
        "unconfirmed_author_sources": [source for source in given if not any(same(source, path) for path in derived)],
        "newly_derived": [path for path in derived if not any(same(source, path) for source in given)],
        "personas_reporting": sum(1 for report in reported if report),
    }


def normal(path: str) -> str:
    """A path as it is compared: forward slashes, no `./`, no line numbers, no marks around it."""
    bare = _PLACE.sub("", path.strip().strip("`'\"<>()[]").replace("\\", "/"))
    if _ADDRESS.match(bare):
        return bare.rstrip("/.,;")
    flat = posixpath.normpath(bare.rstrip(".,;")) if bare else ""
    return "" if flat == "." else flat.removeprefix("../")


def same(one: str, other: str) -> bool:
    """One path, or the end of the other at a slash."""
    left, right = one.casefold(), other.casefold()
    return left == right or left.endswith(f"/{right}") or right.endswith(f"/{left}")


def _section(lines: list[str]) -> str:
    """The text below a heading that names sources, down to the next heading; empty without one."""
    start = next((index for index, line in enumerate(lines) if _HEADED.match(line.strip())), None)
    if start is None:
        return ""
    kept: list[str] = []
    for line in lines[start + 1 :]:
        if _HEADING.match(line.strip()):
            break
        kept.append(line)
    return "\n".join(kept)


def _named(text: str, *, listed: bool) -> list[str]:
    """What is named there, in order. `listed`: the text is a list of sources, so addresses and any path count."""
    places = [(m.start(), m[0]) for m in _ADDRESS.finditer(text)] if listed else []
    bare = _ADDRESS.sub(lambda m: " " * len(m[0]), text)
    found = [(m.start(1), m[1]) for pattern in (_LINK, _CODE) for m in pattern.finditer(bare)]
    found += [(m.start(), m[0]) for m in _PATH.finditer(bare)]
    places += [(at, place) for at, place in found if _is_path(place, listed)]
    return list(dict.fromkeys(path for _, place in sorted(places) if (path := normal(place))))


def _is_path(text: str, listed: bool) -> bool:
    """A file's path: one word with the ending of a file, or in a list of sources one with a slash."""
    bare = _PLACE.sub("", text.strip())
    return len(bare.split()) == 1 and (bool(_ENDING.search(bare)) or (listed and "/" in bare.strip("/")))
