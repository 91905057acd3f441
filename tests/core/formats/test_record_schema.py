"""The shipped schema: draft 2020-12, exact for what a panel came to, the same for another validator's eyes."""

import copy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bot.core.errors import RecordInvalid
from bot.core.records.record import record
from storage.record_schema import check_record, record_schema
from tests.core.formats.lenses import held
from tests.core.formats.reviewers import reviewed, verdict


def test_schema_is_itself_valid() -> None:
    """Against its own meta-schema."""
    Draft202012Validator.check_schema(record_schema())
    assert record_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


async def test_review_and_council_have_exactly_these_keys() -> None:
    """No more, no fewer; the council's on top."""
    review, _stage = await reviewed({"ada": verdict("fail"), "bo": "pass", "cy": "warn"})
    council, _stage = await held({"ada": ["FAIL"], "bo": ["PASS"]})

    common = {
        *("mode", "quorum", "threshold", "final_verdict", "pass_count", "fail_count", "warn_count"),
        *("dissenting_personas", "audit_reason", "aggregator_warning", "grounding_diff"),
    }
    assert set(record(review, ())["consolidation"]) == common
    assert set(record(council, ())["consolidation"]) == common | {"rounds", "concern_count", "na_count"}
    assert set(record(review, ())["outputs"][0]) == {
        *(
            "persona_name",
            "verdict",
            "rationale",
            "recommendations",
            "findings",
            "evidence",
            "derived_sources",
            "extra",
        ),
    }


def spoil(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The document with one value replaced, or removed where the value is None."""
    changed = copy.deepcopy(document)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("consolidation", "final_verdict"), "maybe"),
        (("consolidation", "mode"), "majority"),
        (("consolidation", "pass_count"), -1),
        (("consolidation", "audit_reason"), None),
        (("consolidation", "rounds"), []),
        (("consolidation", "dissenting_personas", 0, "verdict"), "PERHAPS"),
        (("outputs", 0, "verdict"), "ok"),
        (("outputs", 0, "findings", 0, "severity"), "terrible"),
        (("outputs", 0, "findings", 0, "anchor"), None),
        (("outputs", 0, "extra"), "none"),
        (("target", "key"), "/srv/secret.md"),
        (("target", "sha256"), "abc"),
        (("run_id",), "Not An Id"),
    ],
)
async def test_spoiled_record_is_never_written(path: tuple[Any, ...], value: Any) -> None:
    """The check before writing names the place."""
    panel, _stage = await reviewed({"ada": verdict("fail"), "bo": "pass", "cy": "pass"})
    document = record(panel, ())
    check_record(document)

    with pytest.raises(RecordInvalid, match=str(path[0])):
        check_record(spoil(document, path, value))
