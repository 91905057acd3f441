"""Rounds: who speaks when, and in which order it is posted."""

import asyncio

from bot.core.entries import Skipped
from bot.core.errors import CallFailed
from bot.core.model import ModelRequest
from bot.core.platform import Capabilities
from tests.fakes.model import Said, ScriptedModel, plain, speaker_of
from tests.fakes.stage import Stage, opening, seat, speakers


async def test_sequential_turns_are_posted_in_roster_order_round_after_round() -> None:
    """Each participant once a round, in the order of the roster; the synthesis last."""
    stage = Stage()
    await stage.open()

    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "ada", "bo", "host"]


async def test_each_speaker_sees_all_earlier_turns() -> None:
    """Sequential turns see every earlier one."""
    stage = Stage()
    await stage.open()

    await stage.run()

    seen = [[line.short_name for line in request.scene.transcript] for request in stage.model.requests]
    assert seen[:4] == [[], ["ada"], ["ada", "bo"], ["ada", "bo", "ada"]]


async def test_a_round_carries_its_label_on_its_first_post_alone() -> None:
    """The muted line stands above the first post of a round, and is never a post of its own."""
    stage = Stage()
    stage.platform.able = Capabilities(max_chars=60)
    await stage.open()

    await stage.run()

    labelled = [(message.speaker, message.label) for message in stage.platform.standing() if message.label]
    assert labelled == [("ada", "Round 1 of 2"), ("ada", "Round 2 of 2")]


async def test_where_the_first_speaker_was_skipped_the_next_one_carries_the_label() -> None:
    """A round has its label once, whoever speaks first."""
    stage = Stage(model=ScriptedModel(_ada_fails_at_first))
    await stage.open()

    await stage.run()

    labelled = [(message.speaker, message.label) for message in stage.platform.standing() if message.label]
    assert labelled == [("bo", "Round 1 of 2"), ("ada", "Round 2 of 2")]


def _ada_fails_at_first(request: ModelRequest) -> Said:
    if speaker_of(request) == "ada" and request.scene.round == 1:
        return CallFailed("the model declined to answer")
    return plain(request)


async def test_a_long_turn_is_posted_in_parts_that_follow_each_other() -> None:
    """The parts of a turn stand together, in order, and joined they are the turn."""
    stage = Stage()
    stage.platform.able = Capabilities(max_chars=40)
    await stage.open(opening(rounds=1, synthesis=False))

    panel = await stage.run()

    keys = [message.key for message in stage.platform.standing()]
    assert keys == sorted(keys)
    assert len(keys) > 2
    joined = [" ".join(m.text for m in stage.platform.standing() if m.speaker == name) for name in ("ada", "bo")]
    assert [text.split() for text in joined] == [turn.text.split() for turn in panel.turns]


async def test_parallel_turns_are_thought_at_once_and_posted_in_speaking_order() -> None:
    """The last to be asked may be the first to be ready; its post waits for those before it."""
    stage = Stage()
    await stage.open(opening(seat("ada"), seat("bo"), seat("cy"), rounds=1, final_summary=True, synthesis=False))
    gates = {name: stage.model.hold(name) for name in ("ada", "bo")}
    for gate in gates.values():
        gate.set()
    running = asyncio.create_task(stage.run())
    await stage.model.until_asked("cy")
    for gate in gates.values():
        gate.clear()
    await stage.model.until_asked("cy", times=2)
    await _written(stage, "cy")
    before = speakers(stage.thread())
    gates["bo"].set()
    await _written(stage, "bo")
    between = speakers(stage.thread())
    gates["ada"].set()
    await running

    assert before == between == ["ada", "bo", "cy"]
    assert speakers(stage.thread()) == ["ada", "bo", "cy", "ada", "bo", "cy"]


async def _written(stage: Stage, persona: str) -> None:
    """Wait until that persona's summary is in the log."""
    await stage.until(lambda panel: (persona, "summary") in [(t.persona, t.turn_kind) for t in panel.turns])


async def test_the_first_parallel_call_to_a_model_starts_alone() -> None:
    """The others start at its first event, so that they read its cache; another model's first does not wait."""
    seats = (seat("ada"), seat("bo"), seat("cy", model="scripted:two"))
    stage = Stage()
    await stage.open(opening(*seats, rounds=1, final_summary=True, synthesis=False))
    for name in ("ada", "bo", "cy"):
        stage.model.hold_start(name).set()
    running = asyncio.create_task(stage.run())
    await stage.model.until_asked("cy")
    cold = stage.model.hold_start("ada")
    cold.clear()
    await stage.model.until_asked("cy", times=2)
    asked_while_cold = stage.model.asked[3:]
    cold.set()
    await running

    assert asked_while_cold == ["ada", "cy"]
    assert stage.model.asked[3:] == ["ada", "cy", "bo"]


async def test_a_first_call_that_fails_holds_the_others_up_no_longer() -> None:
    """A failure is an end too: those who wait for the cache start without it."""
    stage = Stage(model=ScriptedModel(_ada_fails_in_summaries))
    await stage.open(opening(rounds=1, final_summary=True, synthesis=False))

    panel = await stage.run()

    assert [(skip.persona, skip.turn_kind) for skip in panel.skipped] == [("ada", "summary")]
    assert speakers(stage.thread()) == ["ada", "bo", "bo"]


def _ada_fails_in_summaries(request: ModelRequest) -> Said:
    if speaker_of(request) == "ada" and request.scene.kind == "summary":
        return CallFailed("the model declined to answer")
    return plain(request)


async def test_a_turn_that_fails_is_skipped_with_its_reason_and_the_others_go_on() -> None:
    """One call that fails for good costs its own turn, never the panel."""
    stage = Stage(model=ScriptedModel(_ada_fails_at_first))
    await stage.open()

    panel = await stage.run()

    assert [(s.persona, s.reason) for s in panel.skipped] == [("ada", "the model declined to answer")]
    assert panel.status == "finished"


async def test_a_persona_whose_provider_is_missing_is_skipped_and_named() -> None:
    """The settings may have changed since the panel opened."""
    stage = Stage()
    await stage.open(opening(seat("ada", model="gone:model"), seat("bo"), rounds=1, final_summary=True))

    panel = await stage.run()

    reasons = {entry.reason for entry in panel.entries if isinstance(entry, Skipped)}
    assert panel.status == "finished"
    assert reasons == {"Ada Lowell wants the model 'gone:model', but the provider is not configured"}
