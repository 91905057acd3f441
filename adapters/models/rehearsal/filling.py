"""The least that a JSON Schema demands, for fields that a persona's own contract adds to an answer."""

from collections.abc import Mapping
from typing import Any

NOT_JUDGED = "rehearsal: not judged"


def filled(schema: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The data, with every required property that it lacks."""
    properties = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if name not in data and name in properties]
    return {**data, **{name: least(properties[name]) for name in missing}}


def least(schema: Mapping[str, Any]) -> Any:
    """A value that the schema allows, as small as it can be."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    kinds = schema.get("type", "string")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    match kind:
        case "object":
            return filled(schema, {})
        case "array":
            return [least(schema.get("items", {}))] * int(schema.get("minItems", 0))
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return False
        case "null":
            return None
    return _text(schema)


def _number(schema: Mapping[str, Any]) -> int | float:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    value: int | float = 0 if low is None or low < 0 else low + ("exclusiveMinimum" in schema)
    high = schema.get("maximum")
    return value if high is None or value <= high else high


def _text(schema: Mapping[str, Any]) -> str:
    text = NOT_JUDGED.ljust(int(schema.get("minLength", 0)), ".")
    return text[: int(schema.get("maxLength", len(text)))]
