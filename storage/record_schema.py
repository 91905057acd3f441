"""The JSON Schema of a record, and the check before one is written."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from bot.core.errors import RecordInvalid


@cache
def record_schema() -> dict[str, Any]:
    """The schema that ships with the package (draft 2020-12)."""
    loaded: dict[str, Any] = json.loads(files("storage").joinpath("record.schema.json").read_text(encoding="utf-8"))
    return loaded


def check_record(document: dict[str, Any]) -> None:
    """Raises RecordInvalid that names the first places where the record does not fit its schema."""
    from jsonschema import Draft202012Validator  # slow to import, and most commands write no record

    plain = json.loads(json.dumps(document))
    faults = sorted(Draft202012Validator(record_schema()).iter_errors(plain), key=lambda fault: list(fault.path))
    if faults:
        places = "; ".join(f"{'/'.join(map(str, f.absolute_path)) or 'record'}: {f.message[:200]}" for f in faults[:5])
        raise RecordInvalid(f"the record does not fit its schema and was not written: {places}")
