"""A review from its parallel verdicts to its report and record."""

import asyncio
from typing import Any

import pytest

from bot.cli.ending import exit_code
from bot.core.errors import CallFailed
from bot.core.records.record import record
from tests.core.formats.reviewers import consolidation, review, reviewed, reviewing, verdict
from tests.fakes.stage import Stage, speakers


async def test_verdicts_are_given_in_parallel_and_unseen() -> None:
    """Every persona sees the target and nobody else's words; all calls run at the same time."""
    model = reviewing({"ada": "pass", "bo": "warn", "cy": "fail"})
    gates = [model.hold(name) for name in ("ada", "bo", "cy")]
    stage = Stage(model=model)
    await stage.open(review())

    running = asyncio.create_task(stage.run())
    for name in ("ada", "bo", "cy"):
        await model.until_asked(name)
    for gate in reversed(gates):
        gate.set()
    panel = await running

    assert panel.status == "finished"
    assert all(not request.scene.transcript for request in model.requests)
    assert all("carries no idempotency key" in r.prompt.shared[0].text for r in model.requests)
    assert speakers(stage.thread()) == ["ada", "bo", "cy", "host"]


async def test_verdict_reads_as_speech_with_lines() -> None:
    """The verdict, the reason, the findings with their lines; no heading, no JSON."""
    quoted = {"anchor": "Card numbers are logged", "claim": "Anyone can read them.", "severity": "critical"}
    lined = {"anchor": "2-3", "claim": "It runs twice.", "severity": "low"}

    _panel, stage = await reviewed({"ada": verdict("fail", findings=[quoted, lined]), "bo": "pass", "cy": "pass"})

    assert stage.thread()[0][1] == (
        "**Fail.** It charges people twice, and nobody would know.\n\n"
        "- “Card numbers are logged” (line 4), critical: Anyone can read them.\n"
        "- lines 2–3, low: It runs twice.\n\n"
        "I would:\n- Add a key."
    )


@pytest.mark.parametrize(
    ("mode", "said", "final", "exit_"),
    [
        ("voting-quorum", ("pass", "pass", "fail"), "pass", 0),
        ("voting-quorum", ("pass", "warn", "warn"), "fail", 1),
        ("hard-gate-threshold", ("pass", "pass", "fail"), "fail", 1),
        ("hard-gate-threshold", ("pass", "pass", "warn"), "warn", 0),
        ("hard-gate-threshold", ("pass", "pass", "pass"), "pass", 0),
    ],
)
async def test_mode_decides_and_the_exit_code_follows(
    mode: str, said: tuple[str, str, str], final: str, exit_: int
) -> None:
    """Exit 1 on fail, 0 on warn and pass."""
    panel, _stage = await reviewed(dict(zip(("ada", "bo", "cy"), said, strict=True)), mode=mode)

    assert (panel.status, panel.verdict, exit_code(panel)) == ("finished", final, exit_)


async def test_report_has_counts_table_dissent_and_the_records_place() -> None:
    """It is the pinned synthesis."""
    panel, stage = await reviewed({"ada": "pass", "bo": "pass", "cy": "fail"})

    text = stage.thread()[-1][1]
    assert "Consolidation (voting-quorum): 2 pass / 1 fail / 0 warn — Final: **pass**" in text
    assert "| Cy Tan | custom | fail | It charges people twice, and nobody would know. |" in text
    assert "**Dissent**\n- Cy Tan (fail): It charges people twice, and nobody would know." in text
    assert f"-{panel.id}.json`" in text
    assert panel.artifacts["pin"] == stage.platform.standing("p1")[-1].id


async def test_every_verdict_that_differs_is_dissent_in_all_modes() -> None:
    """With its reason."""
    for mode in ("voting-quorum", "hard-gate-threshold"):
        panel, _stage = await reviewed({"ada": "pass", "bo": "warn", "cy": "fail"}, mode=mode)

        rows = consolidation(panel)["dissenting_personas"]
        assert {(row["name"], row["verdict"]) for row in rows} == {("ada", "pass"), ("bo", "warn")}
        assert rows[0]["reason"] == "I would let this go ahead as it stands."


@pytest.mark.parametrize(
    "said",
    [
        "no verdict from me",
        {"verdict": "maybe", "rationale": "hm"},
        {"verdict": "pass"},
        {"verdict": "pass", "rationale": ""},
        "x" * 1_000_000,
        CallFailed("declined"),
    ],
    ids=["prose", "unknown word", "no reason", "empty reason", "1 MB", "failed"],
)
async def test_missing_verdict_counts_as_fail_and_stands_in_the_dissent(said: Any) -> None:
    """After one repair; in the dissent even where the final verdict is a fail too."""
    panel, stage = await reviewed({"ada": "pass", "bo": said, "cy": "fail"})

    found = consolidation(panel)
    assert (found["pass_count"], found["fail_count"], found["final_verdict"]) == (1, 2, "fail")
    assert {"name": "bo", "verdict": "fail", "reason": "missing-verdict"} in found["dissenting_personas"]
    assert "| Bo Ridge | custom | fail | missing-verdict: " in stage.thread()[-1][1]
    outputs = {row["persona_name"]: row for row in record(panel, ())["outputs"]}
    assert outputs["bo"]["verdict"] == "fail"
    assert outputs["bo"]["rationale"].startswith("missing-verdict: ")
    assert len([r for r in stage.model.requests if r.scene.speaker and r.scene.speaker.short_name == "bo"]) <= 2


async def test_no_verdict_but_answers_is_a_fail_and_no_pause() -> None:
    """Everybody was reached, and nobody gave a verdict that can be used."""
    panel, _stage = await reviewed(dict.fromkeys(("ada", "bo", "cy"), "no verdict from me"))

    assert (panel.status, panel.verdict) == ("finished", "fail")
    assert consolidation(panel)["fail_count"] == 3


async def test_nobody_reachable_pauses_and_is_asked_again() -> None:
    """A lost key or line never turns into a verdict; `continue` asks everybody again."""
    said: dict[str, Any] = dict.fromkeys(("ada", "bo", "cy"), CallFailed("the line is dead"))
    stage = Stage(model=reviewing(said))
    await stage.open(review())

    paused = await stage.run()
    said.update(dict.fromkeys(said, "pass"))
    await stage.say("continue")
    panel = await stage.run()

    assert (paused.status, exit_code(paused)) == ("paused", 3)
    assert paused.reason == "failures: round 1: every turn failed: the line is dead"
    assert (panel.status, panel.verdict) == ("finished", "pass")
    assert [row["state"] for row in record(panel, ())["roster"]] == ["ok", "ok", "ok"]


async def test_one_reachable_persona_is_enough_for_a_verdict() -> None:
    """The others count as fails; nothing is asked again later."""
    dead = CallFailed("the line is dead")
    panel, _stage = await reviewed({"ada": "pass", "bo": dead, "cy": dead})

    assert (panel.status, panel.verdict) == ("finished", "fail")


async def test_skip_by_a_human_counts_as_a_missing_verdict() -> None:
    """Said during the cold round."""
    model = reviewing({"ada": "pass", "bo": "pass", "cy": "pass"})
    model.hold("bo")
    stage = Stage(model=model)
    await stage.open(review())

    running = asyncio.create_task(stage.run())
    await model.until_asked("bo")
    await stage.say("skip Bo Ridge")
    panel = await running

    found = consolidation(panel)
    assert (found["pass_count"], found["fail_count"], found["final_verdict"]) == (2, 1, "pass")
    assert found["dissenting_personas"] == [{"name": "bo", "verdict": "fail", "reason": "missing-verdict"}]


async def test_invented_quotation_of_the_target_is_asked_again_and_marked() -> None:
    """An anchor has to stand in the target."""
    invented = {"anchor": "The gateway is down on Sundays", "claim": "Nobody is there.", "severity": "high"}
    panel, stage = await reviewed({"ada": verdict("warn", findings=[invented]), "bo": "pass", "cy": "pass"})

    ada = next(t for t in panel.turns if t.persona == "ada")
    assert [(c.name, c.result) for c in ada.checks] == [("anchors_found", "failed")]
    complaints = [r.scene.complaint for r in stage.model.requests if r.scene.complaint]
    assert len(complaints) == 1
    assert "'The gateway is down on Sundays' does not stand in the target" in complaints[0]


async def test_report_by_code_costs_nothing_at_the_cap() -> None:
    """Once the verdicts are there, no cap keeps the report back."""
    said = {"ada": "pass", "bo": "pass", "cy": "pass"}
    panel, _stage = await reviewed(said, max_cost=0.0301)

    assert (panel.status, panel.verdict) == ("finished", "pass")
