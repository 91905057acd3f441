"""Words that reach a panel while somebody thinks or posts: they take effect at once, and nothing is lost."""

import asyncio

from bot.core.entries import Skipped
from bot.core.measured import Usage
from bot.core.platform import Capabilities, Post
from tests.fakes.model import TOKENS
from tests.fakes.stage import MARIA, Stage, opening, seat, speakers


async def _thinking(stage: Stage, speaker: str) -> asyncio.Task[object]:
    """A running panel whose speaker is thinking, and will not come to an end."""
    stage.model.hold(speaker)
    running: asyncio.Task[object] = asyncio.create_task(stage.run())
    await stage.model.until_asked(speaker)
    return running


async def test_stop_cancels_the_call_and_nothing_is_posted_afterwards() -> None:
    """A stop is obeyed in the middle of a thought; what the call cost is counted."""
    stage = Stage()
    await stage.open()
    running = await _thinking(stage, "bo")

    await stage.say("stop")
    await running
    panel = await stage.state()

    assert (panel.status, stage.model.cancelled) == ("stopped", ["bo"])
    assert speakers(stage.thread()) == ["ada"]
    assert panel.usage == TOKENS + TOKENS
    assert [(s.persona, s.withdrawn) for s in panel.entries if isinstance(s, Skipped)] == [("bo", True)]


async def test_stop_in_a_parallel_round_cancels_every_call_and_starts_no_other() -> None:
    """Those who wait for the first call's cache are not asked any more."""
    stage = Stage()
    await stage.open(opening(seat("ada"), seat("bo"), seat("cy"), rounds=1, final_summary=True))
    stage.model.hold_start("ada").set()
    running = asyncio.create_task(stage.run())
    await stage.model.until_asked("cy")
    stage.model.hold_start("ada").clear()
    await stage.model.until_asked("ada", times=2)

    await stage.say("stop")
    panel = await running

    assert panel.status == "stopped"
    assert stage.model.asked == ["ada", "bo", "cy", "ada"]
    assert stage.model.cancelled == ["ada"]


async def test_stop_while_a_post_is_under_way_lets_it_arrive_and_withdraws_the_rest() -> None:
    """The part that was on its way stands; the parts behind it are withdrawn, and stay in the log."""
    stage = Stage()
    stage.platform.able = Capabilities(max_chars=40)
    await stage.open()
    stage.platform.before_post = lambda post: _stop_at(stage, post)

    panel = await stage.run()
    loaded = await stage.store.load("p1")

    assert panel.status == "stopped"
    assert len(stage.thread()) == 1
    parts = [(d.part, d.withdrawn, d.ext_id is not None) for d in loaded.deliveries if d.turn > 1]
    assert parts == [(1, False, True), (2, True, False)]
    assert "Withdrawn before it was posted" in stage.archive.transcripts["p1"]


async def _stop_at(stage: Stage, post: Post) -> None:
    """Somebody says stop when the first turn's first part is on its way, and is heard at once."""
    if post.turn > 1 and post.part == 1:
        stage.platform.before_post = None
        await stage.say("stop")
        await stage.until(lambda panel: panel.status == "stopped")


async def test_stop_while_a_refused_post_is_under_way_leaves_the_panel_stopped() -> None:
    """A refusal that comes after the stop pauses nothing: the post is withdrawn."""
    stage = Stage()
    await stage.open()
    stage.platform.faults.extend(["ok", "refused"])
    stage.platform.before_post = lambda post: _stop_at(stage, post)

    panel = await stage.run()
    loaded = await stage.store.load("p1")

    assert (panel.status, stage.thread()) == ("stopped", [])
    assert [d.withdrawn for d in loaded.deliveries if d.turn > 1] == [True]


async def test_stop_before_the_card_stands_posts_nothing_at_all() -> None:
    """Cancelled before it began, a panel leaves nothing in the channel."""
    stage = Stage()
    await stage.open()
    await stage.say("stop")

    panel = await stage.run()

    assert panel.status == "stopped"
    assert stage.platform.messages == []
    assert stage.platform.files == {}


async def test_skip_drops_the_one_who_is_thinking_and_the_round_goes_on() -> None:
    """`skip` drops the next unposted turn, which is that of the one who thinks now."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    running = await _thinking(stage, "ada")

    await stage.say("skip")
    await running
    panel = await stage.state()

    assert [(s.persona, s.by_human) for s in panel.skipped] == [("ada", True)]
    assert speakers(stage.thread()) == ["bo", "host"]
    assert panel.skips == ()


async def test_skip_by_name_waits_for_that_persona() -> None:
    """`skip NAME` drops that persona's next turn, whoever is thinking now."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    running = await _thinking(stage, "ada")

    await stage.say("skip Bo")
    stage.model.hold("ada").set()
    await running

    assert stage.model.asked == ["ada", "host"]
    assert speakers(stage.thread()) == ["ada", "host"]


async def test_skip_does_not_drop_the_hosts_synthesis() -> None:
    """Turns of the host are not skippable, also while the host is thinking."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    running = await _thinking(stage, "host")

    await stage.say("skip")
    await asyncio.sleep(0.02)
    stage.model.hold("host").set()
    await running

    assert stage.model.cancelled == []
    assert speakers(stage.thread())[-1] == "host"


async def test_skip_in_a_parallel_round_drops_one_call_and_the_others_stand() -> None:
    """The dropped one holds nobody's post up."""
    stage = Stage()
    await stage.open(opening(seat("ada"), seat("bo"), seat("cy"), rounds=1, final_summary=True, synthesis=False))
    stage.model.hold("bo").set()
    running = asyncio.create_task(stage.run())
    await stage.model.until_asked("cy")
    stage.model.hold("bo").clear()
    await stage.model.until_asked("bo", times=2)

    await stage.say("skip Bo")
    panel = await running

    assert speakers(stage.thread()) == ["ada", "bo", "cy", "ada", "cy"]
    assert [(s.persona, s.turn_kind) for s in panel.skipped] == [("bo", "summary")]


async def test_pause_lets_the_running_turn_finish_and_continue_goes_on_after_it() -> None:
    """Nothing is said twice, nothing is left out."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    running = await _thinking(stage, "ada")

    await stage.say("pause")
    stage.model.hold("ada").set()
    await running
    paused = (await stage.state(), speakers(stage.thread()))
    await stage.say("continue")
    panel = await stage.run()

    assert (paused[0].status, paused[1]) == ("paused", ["ada"])
    assert panel.status == "finished"
    assert stage.model.asked == ["ada", "bo", "host"]


async def test_a_question_is_answered_next_and_in_the_panels_round() -> None:
    """`ask NAME: …` is out of order; the round then goes on where it was."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    running = await _thinking(stage, "ada")

    await stage.say("ask Bo: what does it cost?")
    stage.model.hold("ada").set()
    await running
    panel = await stage.state()

    assert speakers(stage.thread()) == ["ada", "bo", "bo", "host"]
    answer = next(turn for turn in panel.turns if turn.turn_kind == "answer")
    assert (answer.persona, answer.round) == ("bo", 1)
    assert stage.model.requests[1].scene.question == "what does it cost?"


async def test_a_question_never_overtakes_a_turn_that_is_written_but_not_posted() -> None:
    """A process died between writing a turn and posting it; the question that came meanwhile waits for that post."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    stage.platform.faults.extend(["ok", "refused"])
    await stage.run()
    await stage.say("ask Bo: what does it cost?")
    await stage.say("continue")

    await stage.run()

    assert speakers(stage.thread()) == ["ada", "bo", "bo", "host"]
    assert stage.thread()[1][1].endswith("(answer).")


async def test_a_finished_panel_answers_questions_and_stays_finished() -> None:
    """After the end replies go to the latest panel; its transcript is kept anew."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    await stage.run()

    await stage.say("ask Ada: are you sure?")
    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "host", "ada"]
    assert stage.archive.transcripts["p1"].count("### Ada Lowell") == 2
    assert len(stage.platform.files) == 1


async def test_a_stopped_panel_answers_what_is_asked_afterwards_alone() -> None:
    """The stop withdrew what was not yet posted; a later question is a new wish."""
    stage = Stage()
    await stage.open()
    running = await _thinking(stage, "ada")
    await stage.say("stop")
    await running

    stage.model.hold("ada").set()
    await stage.say("ask Ada: what did you want to say?")
    panel = await stage.run()

    assert panel.status == "stopped"
    assert [text for _, text in stage.thread()] == [
        "Ada Lowell says in round 0 what there is to say about it (answer)."
    ]


async def test_words_faster_than_turns_are_all_taken_in_and_in_order() -> None:
    """Two hundred lines during one thought: none is lost; the next speaker sees a recap of the older half, then all."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    running = await _thinking(stage, "ada")

    lines = [f"And what about point {number}?" for number in range(200)]
    for line in lines:
        await stage.say(line)
    stage.model.hold("ada").set()
    await running
    panel = await stage.state()

    assert [human.text for human in panel.humans] == lines
    recap, turn = stage.model.requests[1:3]
    seen = [line.text for request in (recap, turn) for line in request.scene.transcript if line.kind == "human"]
    assert seen == lines


async def test_what_another_process_stored_is_heard_at_the_watchs_next_look() -> None:
    """A stop that came in elsewhere cancels the call here."""
    stage = Stage()
    await stage.open()
    running = await _thinking(stage, "ada")
    elsewhere = stage.another("two")

    await elsewhere.say("stop", author=MARIA)
    unheard = stage.model.cancelled.copy()
    for panel in await stage.store.rung():
        stage.orchestrator.ring(panel)
    await running

    assert unheard == []
    assert stage.model.cancelled == ["ada"]


async def test_a_cancelled_run_leaves_a_panel_that_goes_on_elsewhere_at_once() -> None:
    """Letting go at Ctrl-C gives the panel back; only the thought is lost."""
    stage = Stage()
    await stage.open(opening(rounds=1))
    running = await _thinking(stage, "ada")

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    stage.model.hold("ada").set()
    panel = await stage.another("two").run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "host"]
    assert panel.usage.input == 3 * Usage(input=100).input
