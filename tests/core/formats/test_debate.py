"""The course of a debate: who speaks when, who sees what, and how it ends."""

import pytest

from bot.core.entries import Opened, Recap
from bot.core.errors import CallFailed
from bot.core.formats.debate import Debate
from bot.core.words import words
from tests.core.formats.debaters import debate, sound, spoiled, synthesis, turn
from tests.fakes.model import ScriptedModel
from tests.fakes.stage import Stage, speakers


async def test_first_speaker_rotates_from_round_to_round() -> None:
    """A B C, then B C A, then C A B; the synthesis last."""
    stage = Stage(model=sound())
    await stage.open(debate())

    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "cy", "bo", "cy", "ada", "cy", "ada", "bo", "host"]


@pytest.mark.parametrize(
    ("rounds", "kinds"),
    [
        (1, ["opening"]),
        (2, ["opening", "closing"]),
        (3, ["opening", "rebuttal", "closing"]),
        (5, ["opening", "rebuttal", "rebuttal", "rebuttal", "closing"]),
    ],
)
async def test_more_rounds_are_more_rebuttals(rounds: int, kinds: list[str]) -> None:
    """Opening first, closing last, rebuttals between; one round is the opening alone."""
    stage = Stage(model=sound())
    await stage.open(debate(rounds=rounds))

    panel = await stage.run()

    assert [t.turn_kind for t in panel.turns if t.persona == "ada"] == kinds


async def test_isolated_speakers_see_earlier_rounds_alone() -> None:
    """Nobody sees a turn of the same round, whoever is ready first."""
    stage = Stage(model=sound())
    await stage.open(debate())

    await stage.run()

    for request in stage.model.requests:
        if request.scene.kind != "synthesis":
            assert {line.round for line in request.scene.transcript} == set(range(1, request.scene.round))


async def test_tail_says_which_turns_were_ones_own() -> None:
    """The tail of an isolated speaker's prompt names its own turns by number."""
    stage = Stage(model=sound())
    await stage.open(debate())

    panel = await stage.run()

    closing = next(r for r in stage.model.requests if r.scene.kind == "closing" and "Ada Lowell" in r.prompt.tail[:40])
    own = [str(t.seq) for t in panel.turns if t.persona == "ada" and t.round < 3]
    assert f"Your own earlier turns are n = {', '.join(own)}" in closing.prompt.tail


async def test_inline_speakers_see_this_rounds_earlier_speakers() -> None:
    """Inline turns come one after the other, each with the persona's own document."""
    stage = Stage(model=sound())
    await stage.open(debate(mode="inline"))

    await stage.run()

    seen = [[line.short_name for line in request.scene.transcript] for request in stage.model.requests]
    assert seen[:5] == [[], ["ada"], ["ada", "bo"], ["ada", "bo", "cy"], ["ada", "bo", "cy", "bo"]]
    assert all("Speaks plainly." in r.prompt.tail for r in stage.model.requests if r.scene.speaker)


async def test_first_post_of_a_round_carries_its_label() -> None:
    """`Round 2 of 3 · Rebuttal`, above the first post alone."""
    stage = Stage(model=sound())
    await stage.open(debate())

    await stage.run()

    labels = [message.label for message in stage.platform.standing("p1")]
    assert labels == [
        *("Round 1 of 3 · Opening", "", ""),
        *("Round 2 of 3 · Rebuttal", "", ""),
        *("Round 3 of 3 · Closing", "", "", ""),
    ]


async def test_no_synthesis_ends_without_one() -> None:
    """The synthesis can be turned off."""
    stage = Stage(model=sound())
    await stage.open(debate(rounds=1, synthesis=False))

    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "cy"]


async def test_synthesis_stays_under_two_hundred_words() -> None:
    """A longer one is asked again once; the second, short one stands."""
    long = spoiled("host", "synthesis", lambda scene: synthesis(scene, open_questions=["Is it so? " * 80]), times=1)
    stage = Stage(model=long)
    await stage.open(debate(rounds=1))

    panel = await stage.run()

    assert panel.turns[-1].deterministic is False
    assert words(panel.turns[-1].text) < 200
    assert "199" in stage.model.requests[-1].prompt.tail


async def test_failed_turn_is_skipped_and_the_round_goes_on() -> None:
    """One speaker's failure is shown with its reason; the others speak."""
    stage = Stage(model=spoiled("bo", "", lambda _scene: CallFailed("no answer in time")))
    await stage.open(debate())

    panel = await stage.run()

    assert panel.status == "finished"
    assert [(s.persona, s.reason) for s in panel.skipped] == [("bo", "no answer in time")]
    assert speakers(stage.thread())[:2] == ["ada", "cy"]


async def test_round_in_which_everybody_failed_pauses_and_is_tried_again() -> None:
    """The pause says why; after `continue` the same round is given."""
    down = [True]

    def script(request):  # type: ignore[no-untyped-def]  # the fake's own type
        return CallFailed("the line is dead") if down[0] else turn(request.scene)

    stage = Stage(model=ScriptedModel(script))
    await stage.open(debate(rounds=2))

    paused = await stage.run()
    down[0] = False
    await stage.say("continue")
    panel = await stage.run()

    assert (paused.status, paused.reason) == ("paused", "failures: round 1: every turn failed: the line is dead")
    assert panel.status == "finished"
    assert [t.turn_kind for t in panel.turns if t.persona == "bo"] == ["opening", "closing"]


async def test_a_round_that_has_begun_stays_what_it_is() -> None:
    """`extend` after the closings adds a round whose turns are closings again, not rebuttals to closings."""
    stage = Stage(model=sound())
    await stage.open(debate(rounds=2))
    await stage.run()

    await stage.say("extend 2")
    panel = await stage.run()

    assert [t.turn_kind for t in panel.turns if t.persona == "ada"] == ["opening", "closing", "rebuttal", "closing"]


async def test_after_five_rounds_a_recap_stands_for_all_but_the_last_round() -> None:
    """From round six on, nobody sees older turns in their own words."""
    stage = Stage(model=sound())
    await stage.open(debate(rounds=7, synthesis=False))

    panel = await stage.run()

    last_of = {n: max(t.seq for t in panel.turns if t.round == n) for n in range(1, 8)}
    assert [entry.until for entry in panel.entries if isinstance(entry, Recap)] == [last_of[4], last_of[5]]
    for request in stage.model.requests:
        if request.scene.round > 5 and request.scene.kind in ("rebuttal", "closing"):
            assert {line.round for line in request.scene.transcript} == {request.scene.round - 1}
            assert "<recap>" in request.prompt.shared[1].text


def test_plan_has_every_turn_and_the_synthesis() -> None:
    """The forecast is made from this plan."""
    opened: Opened = debate()

    plan = Debate().plan(opened.options, opened.seats)

    assert [(t.kind, t.persona) for t in plan[:4]] == [
        ("opening", "ada"),
        ("opening", "bo"),
        ("opening", "cy"),
        ("rebuttal", "bo"),
    ]
    assert (len(plan), plan[-1].kind, all(t.parallel for t in plan[:-1])) == (10, "synthesis", True)
