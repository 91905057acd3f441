"""The coordinator of a review, bound by every fail; and the grounding, which moves no verdict."""

from typing import Any

import pytest

from tests.core.formats.reviewers import TARGET, consolidation, reviewed, verdict


def point(speaker: str, quote: str) -> dict[str, Any]:
    """One attributed point."""
    return {"text": "This weighs most.", "speakers": [speaker], "quote": quote}


async def test_coordinator_writes_the_verdict_and_the_warning_is_kept() -> None:
    """One more call; the warning stands in the record."""
    said = {"ada": "pass", "bo": "warn", "cy": "pass"}
    panel, stage = await reviewed(said, coordinated="warn", mode="coordinator-summary")

    found = consolidation(panel)
    assert (found["final_verdict"], found["quorum"], found["threshold"]) == ("warn", None, None)
    assert "one more model call" in found["aggregator_warning"]
    assert "**Coordinator:** Weighed against each other." in stage.thread()[-1][1]
    assert not panel.turns[-1].deterministic


COORDINATOR_BREAKS: list[tuple[str, str, dict[str, Any]]] = [
    ("no_pass_over_a_fail", "pass", {}),
    (
        "fails_named",
        "fail",
        {"points": [{"text": "x", "speakers": ["Ada Lowell"], "quote": "I would let this go ahead"}]},
    ),
    ("speakers_exist", "fail", {"points": [{"text": "x", "speakers": ["Zed"], "quote": "I would let this go ahead"}]}),
    ("quotes_verbatim", "fail", {"points": [{"text": "x", "speakers": ["Cy Tan"], "quote": "it is quite all right"}]}),
]


@pytest.mark.parametrize(("check", "word", "changed"), COORDINATOR_BREAKS)
async def test_coordinator_who_breaks_a_rule_twice_is_replaced_by_rule(
    check: str, word: str, changed: dict[str, Any]
) -> None:
    """A pass over a fail, a fail left out, an invented speaker or quotation: the report says that it is by rule."""
    said = {"ada": "pass", "bo": "pass", "cy": "fail"}
    panel, stage = await reviewed(said, coordinated=word, changed=changed, mode="coordinator-summary")

    last = panel.turns[-1]
    assert last.deterministic
    assert check in [c.name for c in last.checks if c.result == "failed"]
    assert "_Consolidated by rule: no coordinator's verdict could be used._" in stage.thread()[-1][1]
    assert panel.verdict == "fail"
    assert len([r for r in stage.model.requests if r.scene.kind == "synthesis"]) == 2


async def test_coordinator_is_bound_by_a_missing_verdict_too() -> None:
    """It counts as a fail, so pass is out of reach."""
    said = {"ada": "pass", "bo": "no verdict from me", "cy": "pass"}
    panel, _stage = await reviewed(said, coordinated="pass", mode="coordinator-summary")

    assert panel.verdict == "fail"


async def test_regrounding_reports_sources_and_moves_no_verdict() -> None:
    """Unconfirmed, newly found, and how many reported."""
    target = TARGET.model_copy(update={"root": ".", "path": "docs/retry.md"})
    sources = [{"path": "src/worker.py", "supports_claim": "It calls the gateway hourly."}]
    panel, stage = await reviewed(
        {"ada": verdict("pass", derived_sources=sources), "bo": "pass", "cy": "pass"},
        grounding="re-derive",
        documents=(target,),
    )

    found = consolidation(panel)
    assert found["grounding_diff"] == {
        "unconfirmed_author_sources": ["docs/gateway.md"],
        "newly_derived": ["src/worker.py"],
        "personas_reporting": 1,
    }
    assert found["final_verdict"] == "pass"
    assert all("Do not trust the target's own list of sources" in r.prompt.tail for r in stage.model.requests)
    assert all(request.toolbox is not None for request in stage.model.requests)


async def test_without_regrounding_there_is_no_diff() -> None:
    """Null in the record, nothing in the report, no instruction in the prompt."""
    panel, stage = await reviewed({"ada": "pass", "bo": "pass", "cy": "pass"})

    assert consolidation(panel)["grounding_diff"] is None
    assert all("Do not trust" not in r.prompt.tail for r in stage.model.requests)
