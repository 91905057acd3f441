"""Compiling a contract and holding answers against it, with jsonschema.

Runs in the caller for harmless contracts, and as a program of its own for the others: it says `ready`, reads one
JSON line `{contract, answer}` (answer null: compile only) and prints the faults as one JSON line. It imports
nothing of this package, so that it can be started by its path with an isolated interpreter.
"""

import json
import re
import sys
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.exceptions import ValidationError

FAULTS_AT_MOST = 10
MEMORY = 512 * 1024 * 1024
"""Bytes that the program may allocate."""


def compile_faults(contract: Mapping[str, Any]) -> list[str]:
    """Why the contract is no usable schema; empty when it is one."""
    try:
        Draft202012Validator.check_schema(contract)
    except SchemaError as error:
        return [f"{_place('output_contract', error)}: {_short(error.message)}"]
    return list(_pattern_faults(contract))


def answer_faults(contract: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """Where the answer does not fit, ten places at most."""
    faults: list[str] = []
    for error in Draft202012Validator(contract).iter_errors(answer):
        faults.append(f"{_place('answer', error)}: {_short(error.message)}")
        if len(faults) == FAULTS_AT_MOST:
            break
    return faults


def _pattern_faults(schema: object) -> list[str]:
    faults: list[str] = []
    stack = [schema]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack.extend(value.values())
            named = value.get("patternProperties")
            expressions = [value.get("pattern"), *(named if isinstance(named, dict) else ())]
            faults += [fault for each in expressions if isinstance(each, str) and (fault := _broken(each))]
        elif isinstance(value, list):
            stack.extend(value)
    return faults


def _broken(expression: str) -> str:
    try:
        re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        return f"the pattern {_short(repr(expression))} is no regular expression: {_short(str(error))}"
    return ""


def _place(root: str, error: ValidationError | SchemaError) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    return _short(root + "".join(parts))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:199]}…"


def _confined() -> None:
    """No more memory or processor time than one job needs, where the system can limit it."""
    try:
        import resource
    except ImportError:  # not on this system; the caller's time limit still holds
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def _main() -> None:
    _confined()
    print("ready", flush=True)
    job = json.loads(sys.stdin.readline())
    contract, answer = job["contract"], job["answer"]
    faults = compile_faults(contract) if answer is None else answer_faults(contract, answer)
    print(json.dumps(faults), flush=True)


if __name__ == "__main__":
    _main()
