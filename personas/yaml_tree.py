"""YAML front matter as plain values, with the line of every top-level key.

Built from parser events, so that depth, size and aliases are bounded before anything is built. Plain scalars
follow YAML 1.2 (`no` and `on` are words, dates are text); only numbers, true, false and null are not strings.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

MAX_DEPTH = 24
MAX_NODES = 10_000
"""Values in one front matter, each use of an alias counted with all that stands below it."""

_TOP_VALUE = 2
"""Depth of the value of a top-level key."""

_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,30})\.[0-9]{1,30}(?:[eE][-+]?[0-9]{1,2})?")
_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}
_STANDARD = "tag:yaml.org,2002:"
_TAGS = ("!", f"{_STANDARD}str", f"{_STANDARD}seq", f"{_STANDARD}map")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class BadYaml(Exception):
    """Text that is refused; `line` is 0-based within the front matter.

    `slip` is true where the text is no YAML at all, false where it is YAML that breaks a rule of ours.
    """

    def __init__(self, line: int, text: str, *, slip: bool = False) -> None:
        super().__init__(text)
        self.line = line
        self.slip = slip


@dataclass(slots=True)
class Tree:
    """A parsed mapping."""

    values: dict[str, object]
    lines: dict[str, int] = field(default_factory=dict)
    """Top-level key → 0-based line."""
    items: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Top-level key → the 0-based line of each item, where its value is a list."""
    words: dict[str, str] = field(default_factory=dict)
    """Top-level key → its value as written, where that is one scalar."""


def parsed(text: str) -> Tree:
    """The mapping that the text holds; empty text is an empty mapping. Raises BadYaml."""
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER)).tree()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, max(error.position, 0))
        raise BadYaml(line, "a control character stands in the front matter; remove it") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadYaml(mark.line if mark else 0, error.problem or "not YAML", slip=True) from None


def plain_value(word: str) -> object:
    """What a plain scalar means."""
    if word.lower() in _CONSTANTS:
        return _CONSTANTS[word.lower()]
    if _INT.fullmatch(word):
        return int(word)
    if _FLOAT.fullmatch(word):
        return float(word)
    return word


class _Builder:
    """Builds values from events; one use each."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._anchors: dict[str, tuple[object, int]] = {}
        self._nodes = 0
        self._line = 0
        self._item_lines: list[int] = []

    def tree(self) -> Tree:
        event = self._next()
        while isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
            event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            return Tree(values={})
        if isinstance(event, yaml.ScalarEvent) and not event.value.strip():
            return Tree(values={})
        if not isinstance(event, yaml.MappingStartEvent):
            raise BadYaml(0, "the front matter is no list of 'key: value' lines")
        tree = Tree(values={})
        self._mapping(event, 1, tree)
        while not isinstance(event, yaml.StreamEndEvent):
            event = self._next()
            if isinstance(event, yaml.DocumentStartEvent):
                raise BadYaml(self._line, "a second document starts here; one persona a file")
        return tree

    def _next(self) -> yaml.Event:
        event = next(self._events)
        if event.start_mark is not None:
            self._line = event.start_mark.line
        return event

    def _value(self, event: yaml.Event, depth: int) -> object:
        if depth > MAX_DEPTH:
            raise BadYaml(self._line, f"nested deeper than {MAX_DEPTH} levels; make it flatter")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event.anchor or "")
        before = self._nodes
        self._count(1)
        value = self._built(event, depth)
        anchor = getattr(event, "anchor", None)
        if anchor is not None:
            self._anchors[anchor] = (value, self._nodes - before)
        return value

    def _built(self, event: yaml.Event, depth: int) -> object:
        self._check_tag(event)
        if isinstance(event, yaml.ScalarEvent):
            plain = not event.style and event.implicit[0]
            return plain_value(event.value) if plain else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[object] = []
            while not isinstance(inner := self._next(), yaml.SequenceEndEvent):
                if depth == _TOP_VALUE:
                    self._item_lines.append(self._line)
                items.append(self._value(inner, depth + 1))
            return items
        tree = Tree(values={})
        self._mapping(event, depth, tree)
        return tree.values

    def _mapping(self, start: yaml.Event, depth: int, tree: Tree) -> None:
        self._check_tag(start)
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key, line = self._key(event), self._line
            if key in tree.values:
                raise BadYaml(line, f"the key '{key[:40]}' stands here twice; keep one")
            inner = self._next()
            if depth == 1:
                tree.lines[key] = line
                if isinstance(inner, yaml.ScalarEvent):
                    tree.words[key] = inner.value
                self._item_lines = []
            tree.values[key] = self._value(inner, depth + 1)
            if depth == 1 and self._item_lines:
                tree.items[key] = tuple(self._item_lines)

    def _key(self, event: yaml.Event) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            raise BadYaml(self._line, "a key must be one word, not a list, a mapping or an alias")
        self._check_tag(event)
        self._count(1)
        return event.value

    def _alias(self, name: str) -> object:
        if name not in self._anchors:
            raise BadYaml(self._line, f"the alias '*{name[:40]}' names nothing that is complete before it")
        value, size = self._anchors[name]
        self._count(size)
        return value

    def _count(self, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            raise BadYaml(self._line, f"more than {MAX_NODES} values, aliases counted in full; make it smaller")

    def _check_tag(self, event: yaml.Event) -> None:
        tag = str(getattr(event, "tag", None) or "!")
        if tag not in _TAGS:
            raise BadYaml(self._line, f"the tag '{tag.removeprefix(_STANDARD)[:60]}' is not allowed; remove it")
