"""Output contracts: what they may hold, that hostile ones cost nobody else time, and answers held against them."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from bot.core.speech.contract import ContractCheck, added_fields
from personas.contract_check import BoundedContracts, compile_all, contract_faults
from personas.contract_rules import shape_faults
from tests.contracts.contract_check import CLOSED, ContractCheckContract
from tests.personas.catalogs import OWN, loaded, own
from tests.personas.samples import GERMAN_REVIEW

SLOW_TO_COMPILE = {
    "type": "object",
    "properties": {"x": {"type": "string", "pattern": "(?i:" + "[\\u0001-\\U0010fffe]" * 750 + ")"}},
}
SLOW_TO_MATCH = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}


class TestBoundedContracts(ContractCheckContract):
    """The real implementation."""

    def check(self) -> ContractCheck:
        return BoundedContracts()


@pytest.mark.parametrize("key", ["$ref", "$defs", "allOf", "anyOf", "$dynamicRef"])
@pytest.mark.parametrize("depth", [0, 1, 5])
def test_forbidden_keys_are_found_at_any_depth(key: str, depth: int) -> None:
    """Checked on the shape alone; the place is told."""
    contract: object = {key: "#"}
    for _ in range(depth):
        contract = {"items": contract}
    faults = shape_faults(contract)

    assert faults == [f"holds '{key}' at output_contract{'.items' * depth}; write the schema out in full instead"]


@pytest.mark.parametrize(
    ("contract", "said"),
    [
        ({"type": "object", "description": "x" * 16384}, "at most 16384 (16 KiB)"),
        ({"properties": {"a": {"items": {"items": {"items": {"items": {"items": {"items": {}}}}}}}}}, "9 levels deep"),
        (["a"], "must be a JSON Schema"),
        ({"type": "array"}, "an answer is an object"),
    ],
)
def test_size_depth_and_kind_are_limited(contract: object, said: str) -> None:
    """16 KiB, eight levels, and an object at the top."""
    (fault,) = shape_faults(contract)

    assert said in fault


def test_contract_at_its_limits_is_allowed() -> None:
    """Eight levels and 16 KiB are still fine."""
    contract: dict[str, object] = {"properties": {"a": {"items": {"items": {"items": {"items": {"items": {}}}}}}}}
    room = 16 * 1024 - len(json.dumps(contract, separators=(",", ":"))) - len(',"title":""')

    assert shape_faults({**contract, "title": "x" * room}) == []


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("{type: object, properties: {a: {type: strng}}}", "output_contract.properties.a.type"),
        ("{type: object, required: verdict}", "output_contract.required"),
        ('{type: object, properties: {a: {pattern: "("}}}', "output_contract.properties.a.pattern"),
        ('{type: object, patternProperties: {"(": {}}}', "patternProperties"),
        ("{type: object, anyOf: [{}]}", "holds 'anyOf'"),
    ],
)
def test_contract_that_is_no_schema_is_a_fault_at_its_line(tmp_path: Path, schema: str, said: str) -> None:
    """The persona is refused with the key's line and the place inside the contract."""
    (fault,) = loaded(tmp_path, {"ada.md": own(f"output_contract: {schema}")}, strict=False).faults

    assert fault.line == 4
    assert said in fault.text


def test_foreign_contracts_are_checked_alike(tmp_path: Path) -> None:
    """Who published a contract makes no difference to what it can do."""
    text = GERMAN_REVIEW.replace("  properties:\n", "  $defs: {}\n  properties:\n")
    (fault,) = loaded(tmp_path, {"brandschutz-gutachterin.md": text}, strict=False).faults

    assert (fault.line, "$defs" in fault.text) == (12, True)


def test_hostile_contract_is_refused_and_the_rest_loads(tmp_path: Path) -> None:
    """A contract that takes too long to compile is killed; its neighbours load."""
    text = own("output_contract: " + json.dumps(SLOW_TO_COMPILE))
    catalog = loaded(tmp_path, {"ada.md": text, "eve.md": OWN.replace("Ada", "Eve")}, strict=False)

    (fault,) = catalog.faults
    assert "did not compile within 2 s" in fault.text
    assert [persona.short_name for persona in catalog.personas] == ["eve"]


def test_hostile_contracts_are_compiled_side_by_side() -> None:
    """Four of them take little more than one."""
    started = time.monotonic()
    faults = compile_all([SLOW_TO_COMPILE] * 4, limit=0.5)

    assert all(faults)
    assert time.monotonic() - started < 20


def test_expression_that_backtracks_for_ever_is_a_fault() -> None:
    """The answer comes from a model; together with such a pattern it could stall everything."""
    assert contract_faults(SLOW_TO_MATCH, {"x": "aaaa"}) == []
    assert contract_faults(SLOW_TO_MATCH, {"x": "a" * 60 + "b"}, limit=0.3) == [
        "answer: did not end its check within 0.3 s and 512 MiB; make it simpler"
    ]


def test_costly_answer_is_bounded() -> None:
    """A harmless contract and a huge answer are costly together."""
    contract = {"type": "object", "properties": {"x": {"type": "array", "uniqueItems": True}}}
    faults = contract_faults(contract, {"x": [{"a": number} for number in range(30_000)]}, limit=0.3)

    assert "did not end its check" in faults[0]


async def test_waiting_for_a_hostile_check_stalls_nobody() -> None:
    """While one check runs into its limit, the event loop goes on."""
    slow = asyncio.create_task(BoundedContracts(limit=0.5).faults(SLOW_TO_MATCH, {"x": "a" * 60 + "b"}))
    quick = await BoundedContracts().faults(CLOSED, {"verdict": "pass", "class": 1})

    assert quick == []
    assert not slow.done()
    assert await slow != []


@pytest.mark.parametrize("answer", [{"x": float("nan")}, {"x": {1, 2}}, {"x": "y" * (1024 * 1024)}])
def test_answer_that_is_no_json_or_too_large_is_a_fault(answer: dict[str, object]) -> None:
    """What can not be checked does not pass."""
    assert len(contract_faults(CLOSED | {"properties": {}}, answer)) == 1


def test_fields_that_a_contract_adds_are_named(tmp_path: Path) -> None:
    """The record keeps them apart from our own."""
    persona = loaded(tmp_path, {"brandschutz-gutachterin.md": GERMAN_REVIEW}).personas[0]

    assert added_fields(persona.output_contract) == ("maengelklasse",)
    assert added_fields(None) == ()
