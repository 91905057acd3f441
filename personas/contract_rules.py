"""What an `output_contract` may hold, judged on its shape alone, before anything compiles it."""

import json
import re
from collections.abc import Iterator

FORBIDDEN = ("$ref", "$defs", "allOf", "anyOf")
REFERENCES = ("$dynamicRef", "$recursiveRef")
"""Also references, so that a contract could call itself; refused like `$ref`."""
MAX_BYTES = 16 * 1024
MAX_DEPTH = 8

_COSTLY = ("uniqueItems", "unevaluatedItems", "unevaluatedProperties", "contains", "oneOf", "not", "if")
_PLAIN_PATTERNS = 2_000
"""Characters of regular expressions that compile at once as long as they set no flags."""


def shape_faults(contract: object) -> list[str]:
    """Every rule that the contract breaks, one sentence each; empty for a contract that may be compiled."""
    if not isinstance(contract, dict):
        return ["must be a JSON Schema, written as a mapping (type: object, properties: …)"]
    size = len(canonical(contract).encode())
    if size > MAX_BYTES:
        return [f"is {size} bytes large; at most {MAX_BYTES} (16 KiB) are allowed"]
    faults = [f"holds '{key}' at {place}; write the schema out in full instead" for key, place in _forbidden(contract)]
    deepest = depth(contract)
    if deepest > MAX_DEPTH:
        faults.append(f"is nested {deepest} levels deep; at most {MAX_DEPTH} are allowed")
    kind = contract.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        faults.append(f"describes {json.dumps(kind)[:40]}, but an answer is an object; write 'type: object'")
    return faults


def canonical(contract: object) -> str:
    """The contract as one line of JSON that is the same for the same contract."""
    return json.dumps(contract, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def patterns(contract: object) -> Iterator[str]:
    """Every regular expression in the contract."""
    for key, value in _pairs(contract):
        if key == "pattern" and isinstance(value, str):
            yield value
        elif key == "patternProperties" and isinstance(value, dict):
            yield from value


def compiles_at_once(contract: object) -> bool:
    """Whether compiling can not take long: no regular expression that sets flags or is very large."""
    expressions = list(patterns(contract))
    flags = any(re.search(r"\(\?[^:=!<]", expression) for expression in expressions)
    return not flags and sum(map(len, expressions)) <= _PLAIN_PATTERNS


def checks_at_once(contract: object, answer: object) -> bool:
    """Whether holding the answer against the contract can not take long."""
    if any(True for _ in patterns(contract)):
        return False
    costly = any(key in _COSTLY for key, _ in _pairs(contract))
    work = _nodes(contract) * _nodes(answer)
    return work <= (2_000 if costly else 200_000)


def _forbidden(contract: object) -> Iterator[tuple[str, str]]:
    stack: list[tuple[object, str]] = [(contract, "output_contract")]
    while stack:
        value, place = stack.pop()
        if isinstance(value, dict):
            yield from ((key, place) for key in value if key in FORBIDDEN or key in REFERENCES)
            stack.extend((inner, f"{place}.{key}") for key, inner in reversed(value.items()))
        elif isinstance(value, list):
            stack.extend((inner, f"{place}[{at}]") for at, inner in reversed(list(enumerate(value))))


def depth(value: object) -> int:
    """How deep mappings and lists are nested in a value; 0 for a word or a number."""
    deepest, stack = 0, [(value, 1)]
    while stack:
        inner, level = stack.pop()
        below = inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()
        if isinstance(inner, dict | list):
            deepest = max(deepest, level)
        stack.extend((each, level + 1) for each in below)
    return deepest


def _pairs(value: object) -> Iterator[tuple[str, object]]:
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, dict):
            yield from inner.items()
            stack.extend(inner.values())
        elif isinstance(inner, list):
            stack.extend(inner)


def _nodes(value: object) -> int:
    count, stack = 0, [value]
    while stack:
        inner = stack.pop()
        count += 1
        if isinstance(inner, dict):
            stack.extend(inner.values())
        elif isinstance(inner, list):
            stack.extend(inner)
    return count
