"""JSON schemas of structured replies: what the API takes, what fits, and a value that fits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema

from tests.servers.messages_api.usage import Json

REFUSED = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "maxItems", "uniqueItems"}
)
"""Bounds the Messages API does not take in an output schema."""


def faults_of(schema: object) -> list[str]:
    """Why the Messages API would refuse an output schema; empty where it takes it."""
    if not isinstance(schema, dict):
        return ["schema must be an object"]
    found = [fault for part in _subschemas(schema) for fault in _faults(part)]
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        found.append(f"not a JSON schema: {error.message}")
    return found


def strict_faults_of(schema: Json) -> list[str]:
    """Why Chat Completions would refuse a schema sent with `strict: true`."""
    found = []
    for part in _subschemas(schema):
        named, needed = set(part.get("properties") or ()), set(part.get("required") or ())
        if named and part.get("additionalProperties") is not False:
            found.append("'additionalProperties' is required to be supplied and to be false")
        if named - needed:
            found.append(f"'required' must include every key in properties; missing {sorted(named - needed)}")
    return found


def misfit(text: str, schema: Json) -> str | None:
    """Why a reply does not answer a schema; nothing where it does."""
    try:
        jsonschema.validate(json.loads(text), schema, cls=jsonschema.Draft202012Validator)
    except (json.JSONDecodeError, jsonschema.ValidationError) as error:
        return str(error).splitlines()[0]
    return None


def conforming(schema: Json, *, root: Json | None = None) -> Any:
    """The plainest value that fits: first choice, zero, empty list, `word` for a string."""
    root = root or schema
    if "$ref" in schema:
        return conforming(_resolve(schema["$ref"], root), root=root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return conforming(schema[choice][0], root=root)
    return _of_type(schema, root)


def _of_type(schema: Json, root: Json) -> Any:
    named = schema.get("type", "object")
    kind = named[0] if isinstance(named, list) else named
    if kind == "object":
        needed = schema.get("required") or ()
        return {name: conforming(schema["properties"][name], root=root) for name in needed}
    if kind == "array":
        return [conforming(schema["items"], root=root) for _ in range(schema.get("minItems", 0))]
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return {"boolean": False, "null": None}.get(kind, "word")


def _resolve(reference: str, root: Json) -> Json:
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)


def _subschemas(schema: Any) -> Iterator[Json]:
    if isinstance(schema, dict):
        yield schema
        for name, value in schema.items():
            if name in ("properties", "$defs", "definitions"):
                for inner in value.values():
                    yield from _subschemas(inner)
            elif name not in ("enum", "const", "default", "examples"):
                yield from _subschemas(value)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _subschemas(inner)


def _faults(part: Json) -> Iterator[str]:
    if part.get("type") == "object" and part.get("additionalProperties") is not False:
        yield "for 'object' type, 'additionalProperties' must be explicitly set to false"
    for name in sorted(REFUSED & part.keys()):
        yield f"for '{part.get('type')}' type, property '{name}' is not supported"
    if part.get("minItems", 0) > 1:
        yield "for 'array' type, 'minItems' values other than 0 or 1 are not supported"
