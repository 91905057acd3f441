"""The course of a council: cold, then facing each other's last words until nothing moves."""

from typing import Any

import pytest

from bot.cli.ending import exit_code
from bot.core.document import from_text
from bot.core.errors import CallFailed
from tests.core.formats.lenses import consolidation, council, council_model, found, held, word
from tests.core.formats.reviewers import TARGET
from tests.fakes.stage import Stage, seat, speakers


def rounds_of(stage: Stage) -> int:
    return max(r.scene.round for r in stage.model.requests)


async def test_first_round_is_cold_and_parallel() -> None:
    """No lens sees another; all see the target."""
    _panel, stage = await held({"ada": ["PASS"], "bo": ["CONCERN"], "cy": ["PASS"]})

    assert [r.scene.kind for r in stage.model.requests] == ["verdict"] * 3 + ["synthesis"]
    assert all(not r.scene.transcript for r in stage.model.requests[:3])
    assert all("idempotency" in r.prompt.shared[0].text for r in stage.model.requests[:3])


async def test_without_open_items_there_is_one_round() -> None:
    """No FAIL and no direct conflict: the synthesis comes at once."""
    panel, stage = await held({"ada": ["PASS"], "bo": ["CONCERN"], "cy": ["N/A"]})

    assert rounds_of(stage) == 1
    assert (panel.status, panel.verdict, exit_code(panel)) == ("finished", "CONCERN", 0)


async def test_a_fail_is_an_open_item() -> None:
    """It leads to a second round; stable after it, the council closes before its last round."""
    panel, stage = await held({"ada": ["PASS"], "bo": ["FAIL"], "cy": ["PASS"]})

    assert rounds_of(stage) == 2
    assert (panel.verdict, panel.closing, exit_code(panel)) == ("FAIL", "done", 1)


async def test_a_direct_conflict_is_an_open_item() -> None:
    """Different stances on overlapping anchors, although nobody fails it."""
    keep, remove = word("PASS", findings=[found("3-4", "keep")]), word("CONCERN", findings=[found("4", "remove")])

    _panel, stage = await held({"ada": [keep], "bo": [remove]})

    assert rounds_of(stage) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [(found("3", "keep"), found("4", "remove")), (found("3", "change"), found("3", "change"))],
)
async def test_other_findings_and_same_stances_are_no_conflict(one: dict[str, str], other: dict[str, str]) -> None:
    """Only the same finding with different stances is."""
    _panel, stage = await held({"ada": [word("PASS", findings=[one])], "bo": [word("CONCERN", findings=[other])]})

    assert rounds_of(stage) == 1


async def test_every_lens_gets_all_last_words_whole() -> None:
    """Verbatim and unabridged, from the second round on, however long; each lens's newest alone."""
    long = word("FAIL", rationale="The reason is long and every word of it counts. " * 120)
    moving = [word("CONCERN", findings=[found(str(n), "change")]) for n in (2, 4, 5)]

    panel, stage = await held({"ada": [long], "bo": moving, "cy": ["PASS"]})

    assert rounds_of(stage) == 3
    for request in stage.model.requests:
        if request.scene.kind == "cross_examination":
            before = {t.persona: t.text for t in panel.turns if t.round == request.scene.round - 1}
            assert {line.short_name: line.text for line in request.scene.transcript} == before
            shared = "".join(block.text for block in request.prompt.shared)
            assert all(text in shared for text in before.values())


async def test_single_pass_is_one_round() -> None:
    """`--max-rounds 1`, whatever is open."""
    panel, stage = await held({"ada": ["PASS"], "bo": ["FAIL"]}, rounds=1)

    assert (rounds_of(stage), panel.verdict) == (1, "FAIL")


async def test_it_stops_when_nothing_moves() -> None:
    """No verdict changed and no new finding; a new finding alone keeps it going."""
    same = word("FAIL")
    new = word("FAIL", findings=[found("3", "change"), found("5", "change")])

    _panel, stable = await held({"ada": ["PASS"], "bo": [same, same, same]}, rounds=9)
    _panel, moving = await held({"ada": ["PASS"], "bo": [same, new, new, new]}, rounds=9)

    assert (rounds_of(stable), rounds_of(moving)) == (2, 3)


async def test_it_stops_at_its_last_round_however_it_moves() -> None:
    """At max-rounds."""
    restless = ["FAIL", "CONCERN", "FAIL", "CONCERN", "FAIL"]

    panel, stage = await held({"ada": ["FAIL"], "bo": restless}, rounds=3)

    assert (rounds_of(stage), panel.closing) == (3, "rounds")


async def test_it_closes_once_no_item_is_open() -> None:
    """A FAIL that was conceded leaves nothing to exchange."""
    moved = word("CONCERN", position="concede", moved_by=[{"lens": "Ada Lowell", "claim": "stands against this"}])

    panel, stage = await held({"ada": ["PASS"], "bo": ["FAIL", moved]}, rounds=9)

    assert (rounds_of(stage), panel.verdict) == (2, "CONCERN")


async def test_tally_before_and_after_the_exchange_is_kept() -> None:
    """Round by round in the record, and in words in the synthesis."""
    moved = word("CONCERN", position="concede", moved_by=[{"lens": "Ada Lowell", "claim": "stands against this"}])

    panel, stage = await held({"ada": ["PASS"], "bo": ["FAIL", moved], "cy": ["N/A"]})

    kept = consolidation(panel)
    assert [row["verdicts"] for row in kept["rounds"]] == [
        {"ada": "PASS", "bo": "FAIL", "cy": "N/A"},
        {"ada": "PASS", "bo": "CONCERN", "cy": "N/A"},
    ]
    assert [kept[key] for key in ("pass_count", "concern_count", "fail_count", "na_count")] == [1, 1, 0, 1]
    assert "before the exchange 1 PASS, 1 FAIL, 1 N/A; after it 1 PASS, 1 CONCERN, 1 N/A" in stage.thread()[-1][1]


async def test_change_names_its_cause_and_one_without_is_marked() -> None:
    """Kept as it is, not asked again; the record marks it, and so does the turn."""
    cause = {"lens": "Ada Lowell", "claim": "A repeated call charges twice."}
    moved = word("FAIL", position="revise", moved_by=[cause])
    bare = word("CONCERN", position="concede")

    panel, stage = await held({"ada": ["FAIL"], "bo": ["PASS", moved], "cy": ["PASS", bare]}, rounds=2)

    assert consolidation(panel)["rounds"][1]["changes"] == [
        {"lens": "bo", "from": "PASS", "to": "FAIL", "position": "revise", "uncaused": False}
        | {"cause": {"lens": "ada", "claim": "A repeated call charges twice."}},
        {"lens": "cy", "from": "PASS", "to": "CONCERN", "position": "concede", "cause": None, "uncaused": True},
    ]
    marks = {t.persona: [c.result for c in t.checks if c.name == "cause_named"] for t in panel.turns if t.round == 2}
    assert (marks["bo"], marks["cy"], marks["ada"]) == (["passed"], ["failed"], ["passed"])
    assert all(not r.scene.complaint for r in stage.model.requests)


@pytest.mark.parametrize(
    "moved_by",
    [
        [{"lens": "Zed", "claim": "A repeated call charges twice."}],
        [{"lens": "Ada Lowell", "claim": "Elephants never forget a password"}],
        [{"lens": "Bo Ridge", "claim": "Nothing in my lens stands against this"}],
    ],
    ids=["nobody", "never said", "oneself"],
)
async def test_invented_cause_is_no_cause(moved_by: list[dict[str, Any]]) -> None:
    """The lens has to be another one, and to have said it."""
    moved = word("CONCERN", position="revise", moved_by=moved_by)

    panel, _stage = await held({"ada": ["FAIL"], "bo": ["PASS", moved]}, rounds=2)

    assert consolidation(panel)["rounds"][1]["changes"][0]["uncaused"] is True


async def test_a_changed_verdict_is_no_holding() -> None:
    """Whatever the answer calls itself, it reads as what it is."""
    panel, stage = await held({"ada": ["FAIL"], "bo": ["PASS", word("CONCERN", position="hold")]}, rounds=2)

    bo = next(t for t in panel.turns if t.persona == "bo" and t.round == 2)
    assert bo.text.startswith("**Revise: PASS → CONCERN.** ")
    assert (
        "ada",
        "**Hold: FAIL.** This charges people twice and must not go on.\n\n- line 3, change: A repeated call "
        "charges twice.",
    ) in stage.thread()


async def test_errored_lens_is_reported_loudly_and_the_verdict_is_incomplete() -> None:
    """No stand-in; the others go on."""
    panel, stage = await held({"ada": ["PASS"], "bo": [CallFailed("no answer in time")], "cy": ["PASS"]})

    text = stage.thread()[-1][1]
    assert "- **ERRORED, so this council is incomplete:** Bo Ridge (no answer in time)" in text
    assert "**Verdict: PASS** (incomplete): 2 PASS." in text
    kept = consolidation(panel)
    assert kept["rounds"][0]["verdicts"] == {"bo": "ERRORED", "ada": "PASS", "cy": "PASS"}
    assert kept["audit_reason"].endswith("incomplete, ERRORED: Bo Ridge: no answer in time")
    assert (panel.verdict, exit_code(panel)) == ("PASS", 0)


async def test_errored_lens_is_not_asked_again() -> None:
    """Its word of an earlier round stands where it has one."""
    panel, stage = await held({"ada": ["FAIL"], "bo": ["not a word", "PASS"], "cy": ["PASS", "not a word"]}, rounds=3)

    asked = [r.scene.round for r in stage.model.requests if r.scene.speaker and r.scene.speaker.short_name == "bo"]
    assert asked == [1, 1]
    assert "Cy Tan (" in stage.thread()[-1][1]
    assert "its word of before stands: PASS" in stage.thread()[-1][1]
    assert consolidation(panel)["pass_count"] == 1


async def test_no_verdict_at_all_is_incomplete() -> None:
    """Only abstentions and failures: exit 3, and code writes the synthesis."""
    panel, _stage = await held({"ada": ["N/A"], "bo": ["not a word"]})

    assert (panel.status, panel.verdict, exit_code(panel)) == ("finished", "incomplete", 3)
    assert consolidation(panel)["final_verdict"] == "incomplete"


async def test_nobody_reachable_pauses() -> None:
    """A dead line is no verdict; `continue` asks all again."""
    words: dict[str, list[Any]] = {"ada": [CallFailed("dead")], "bo": [CallFailed("dead")]}
    stage = Stage(model=council_model(words))
    await stage.open(council("ada", "bo"))

    paused = await stage.run()
    words.update(ada=["PASS"], bo=["PASS"])
    await stage.say("continue")
    panel = await stage.run()

    assert (paused.status, paused.reason, exit_code(paused)) == (
        "paused",
        "failures: round 1: every turn failed: dead",
        3,
    )
    assert (panel.status, panel.verdict) == ("finished", "PASS")


async def test_unavailable_lens_is_named_and_the_others_go_on() -> None:
    """With the reason why it could not be loaded."""
    lost = seat("cy", available=False).model_copy(update={"reason": "UNAVAILABLE: cy.md:3: unknown key"})

    panel, stage = await held({"ada": ["PASS"], "bo": ["PASS"]}, seats=(seat("ada"), seat("bo"), lost))

    assert "- **UNAVAILABLE:** Cy Tan (cy.md:3: unknown key)" in stage.thread()[-1][1]
    assert panel.verdict == "PASS"


async def test_folder_gets_one_neutral_digest_that_every_lens_has() -> None:
    """First of all, by the host; the cold lenses see it and nothing else."""
    folder = from_text("- src/app.py (90 lines)", kind="directory", title="proj", key="proj").model_copy(
        update={"root": ".", "path": "proj"}
    )

    _panel, stage = await held({"ada": ["PASS"], "bo": ["PASS"]}, documents=(folder,))

    assert speakers(stage.thread()) == ["host", "ada", "bo", "host"]
    cold = [r for r in stage.model.requests if r.scene.kind == "verdict"]
    assert [[line.text for line in r.scene.transcript] for r in cold] == [["A map of the folder."]] * 2
    assert all(r.toolbox is not None for r in stage.model.requests[:3])
    assert "The target is a folder: proj." in stage.model.requests[0].prompt.tail


async def test_continue_after_the_end_adds_a_round() -> None:
    """Stable or not: people want more."""
    stage = Stage(model=council_model({"ada": ["PASS"], "bo": ["FAIL"]}))
    await stage.open(council("ada", "bo", documents=(TARGET,)))
    await stage.run()

    await stage.say("continue")
    panel = await stage.run()

    assert (panel.round, panel.status) == (3, "finished")
    assert speakers(stage.thread()) == ["ada", "bo", "ada", "bo", "host", "ada", "bo", "host"]
