"""A contract check without a JSON Schema library: required fields, types, enumerations, closed objects."""

from collections.abc import Mapping

from bot.core.speech.contract import ContractCheck, described

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


class PlainContracts(ContractCheck):
    """Knows what most contracts use, on the first level."""

    async def faults(self, contract: Mapping[str, object], answer: Mapping[str, object]) -> list[str]:
        part = described(contract, answer)
        known = contract.get("properties")
        properties: Mapping[str, object] = known if isinstance(known, dict) else {}
        required = contract.get("required")
        missing = [name for name in required if name not in part] if isinstance(required, list) else []
        faults = [f"answer: '{name}' is a required property" for name in missing]
        if contract.get("additionalProperties") is False:
            faults += [f"answer: '{name}' was unexpected" for name in part if name not in properties]
        for name, value in part.items():
            faults += _value_faults(name, properties.get(name), value)
        return faults


def _value_faults(name: str, schema: object, value: object) -> list[str]:
    if not isinstance(schema, dict):
        return []
    kind = _TYPES.get(str(schema.get("type")))
    if kind is not None and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)):
        return [f"answer.{name}: {value!r} is not of type '{schema['type']}'"]
    allowed = schema.get("enum")
    if isinstance(allowed, list) and value not in allowed:
        return [f"answer.{name}: {value!r} is not one of {allowed}"]
    return []
