"""A `config.json` as plain values with the line of every top-level key."""

import json
import re

from personas.contract_rules import depth
from personas.document import MAX_FRONT, BadDocument
from personas.yaml_tree import MAX_DEPTH, Tree

_LOCATED = 200
"""Keys whose line is looked up."""


def parsed_config(text: str) -> Tree:
    """The object that the text holds; lines are 1-based. Raises BadDocument."""
    if len(text.encode()) > MAX_FRONT:
        raise BadDocument(1, f"larger than {MAX_FRONT} bytes; keep the document in persona.md")
    values = parsed_json(text)
    if not isinstance(values, dict):
        raise BadDocument(1, 'must be a JSON object: {"name": "…", "shortName": "…"}')
    words = {key: str(value) for key, value in values.items() if isinstance(value, str | int | float)}
    located = {key: line_of(text, key) for key in list(values)[:_LOCATED]}
    return Tree(values=values, lines=located, words=words)


def parsed_json(text: str) -> object:
    """Any JSON value; keys that stand twice and numbers that are none are refused. Raises BadDocument."""
    try:
        value: object = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise BadDocument(error.lineno, f"no JSON: {error.msg}; see column {error.colno}") from None
    except RecursionError:
        raise BadDocument(1, "nested too deep; make it flatter") from None
    except UnicodeEncodeError:
        raise BadDocument(1, "half a character stands in it (a lone \\ud800–\\udfff); write the whole one") from None
    except ValueError as error:
        key = str(error)
        raise BadDocument(line_of(text, key), f"{key[:40]!r} stands here twice or is no number; keep one") from None
    if depth(value) > MAX_DEPTH:
        raise BadDocument(1, f"nested deeper than {MAX_DEPTH} levels; make it flatter")
    return value


def line_of(text: str, key: str) -> int:
    """The 1-based line where a key (or word) first stands; 1 where it does not."""
    found = re.search(rf'"?{re.escape(json.dumps(key, ensure_ascii=False)[1:-1])}"?', text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(key)
        values[key] = value
    return values


def _no_number(word: str) -> object:
    raise ValueError(word)
