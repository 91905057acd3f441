"""A persona file taken apart: front matter, document, and the parts that stay out of the prompt."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from personas.yaml_tree import BadYaml, Tree, parsed

MAX_FRONT = 64 * 1024
"""Bytes of front matter."""
MARK = "---"
SOURCES = "<!-- SOURCES -->"
CONTEXT = "<!-- CONTEXT -->"

_KEY_LINE = re.compile(r"([A-Za-z_][\w-]*):[ \t]+([^\s|>&*!].*)")
_SLIPS_AT_MOST = 8


class BadDocument(Exception):
    """A file that can not be taken apart; `line` is 1-based in the file."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The parts of one file."""

    front: Tree
    """Its lines are 1-based in the file."""
    body: str
    body_line: int
    """Number of the body's first line in the file."""
    context: str = ""
    """JSON of dated notes that travel with the file; empty for none."""
    context_line: int = 0
    slips: tuple[tuple[int, str], ...] = ()
    """Lines whose value had to be quoted before the front matter parsed, each with what YAML said about it."""


def has_front_matter(text: str) -> bool:
    """Whether the first line that is not blank is the mark of front matter."""
    return text.lstrip().partition("\n")[0].rstrip() == MARK


def taken_apart(text: str) -> Document:
    """The parts of a file's text. Raises BadDocument."""
    lines = text.split("\n")
    start, end = _marks(lines)
    front = "\n".join(lines[start + 1 : end])
    size = len(front.encode())
    if size > MAX_FRONT:
        raise BadDocument(start + 1, f"the front matter is {size} bytes large; at most {MAX_FRONT} are read")
    tree, slips = _parsed(front, start + 2)
    body, context, context_line = parts(lines[end + 1 :])
    return Document(
        front=tree,
        body=body,
        body_line=end + 2 + next((at for at, line in enumerate(lines[end + 1 :]) if line.strip()), 0),
        context=context,
        context_line=end + 1 + context_line if context_line else 0,
        slips=slips,
    )


def parts(lines: list[str]) -> tuple[str, str, int]:
    """The document without its sources, the notes' JSON, and the 1-based line of the notes' mark (0 for none)."""
    marks = {line.strip(): at for at, line in reversed(list(enumerate(lines))) if line.strip() in (SOURCES, CONTEXT)}
    ends = min(marks.values(), default=len(lines))
    body = "\n".join(lines[:ends]).strip("\n")
    at = marks.get(CONTEXT)
    if at is None:
        return body.rstrip(), "", 0
    until = marks.get(SOURCES, 0)
    context = lines[at + 1 : until if until > at else len(lines)]
    return body.rstrip(), "\n".join(context).strip(), at + 1


def _marks(lines: list[str]) -> tuple[int, int]:
    start = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[start].rstrip() != MARK:
        raise BadDocument(start + 1, "no front matter; start the file with '---', a line 'name: …', and another '---'")
    for at in range(start + 1, len(lines)):
        if lines[at].rstrip() in (MARK, "..."):
            return start, at
    raise BadDocument(start + 1, "the front matter has no end mark; put a line '---' after its last key")


def _parsed(front: str, first: int) -> tuple[Tree, tuple[tuple[int, str], ...]]:
    """The front matter's tree, values that YAML trips over quoted where that is all it takes."""
    written = front.split("\n")
    lines = list(written)
    slips: dict[int, str] = {}
    problem: BadYaml | None = None
    while True:
        try:
            tree = parsed("\n".join(lines))
        except BadYaml as error:
            problem = problem or error
            at = _quotable(lines, error, slips)
            if at is None:
                raise BadDocument(first + problem.line, _explained(problem, written)) from None
            key, _, value = lines[at].partition(":")
            lines[at] = f"{key}: {json.dumps(value.strip(), ensure_ascii=False)}"
            slips[at] = _explained(error, written)
        else:
            numbered = {key: first + line for key, line in tree.lines.items()}
            explained = tuple((first + at, text) for at, text in sorted(slips.items()))
            items = {key: tuple(first + line for line in lines) for key, lines in tree.items.items()}
            return Tree(values=tree.values, lines=numbered, items=items, words=tree.words), explained


def _quotable(lines: list[str], error: BadYaml, slips: Mapping[int, str]) -> int | None:
    """The line of the top-level key at or before the error, when quoting its value may help."""
    if not error.slip or len(slips) == _SLIPS_AT_MOST:
        return None
    for at in range(min(error.line, len(lines) - 1), -1, -1):
        if _KEY_LINE.fullmatch(lines[at]):
            return None if at in slips else at
    return None


def _explained(problem: BadYaml, lines: list[str]) -> str:
    line = lines[problem.line] if problem.line < len(lines) else ""
    if line[: len(line) - len(line.lstrip())].count("\t"):
        return "front matter does not parse: a tab indents this line; indent with spaces"
    if not problem.slip:
        return f"front matter is refused: {problem}"
    cure = "quote the value" if ":" in line else "write 'key: value', one a line"
    return f"front matter does not parse: {problem}; {cure}"
