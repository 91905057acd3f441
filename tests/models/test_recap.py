"""The recap: rare, in one big step, paid for and written down; what people asked for is never cut."""

import pytest

from bot.core.entries import Recap
from bot.core.errors import CallFailed
from bot.core.model import ModelRequest
from bot.core.panel import Panel
from bot.core.speech.recap import MOST_LINES
from tests.fakes.model import TOKENS, Said, ScriptedModel, plain
from tests.fakes.stage import Stage, opening, seat

FOUR = tuple(seat(name) for name in ("ada", "bo", "cy", "di"))


def recaps(panel: Panel) -> list[Recap]:
    return [entry for entry in panel.entries if isinstance(entry, Recap)]


def shared(request: ModelRequest) -> list[str]:
    return [block.text for block in request.prompt.shared]


def is_recap(request: ModelRequest) -> bool:
    return request.prompt.tail.rstrip().endswith("no quotation longer than a sentence.")


def debated(request: ModelRequest) -> Said:
    """A turn that challenges, or concedes to, the other one by name."""
    scene = request.scene
    if scene.answer not in ("rebuttal", "closing"):
        return plain(request) if scene.answer or scene.speaker is None else "I hold this to be so. " * 20
    said = next(line for line in scene.transcript if scene.speaker and line.short_name != scene.speaker.short_name)
    quoted = {"persona": said.speaker, "quote": " ".join(said.text.split()[:6])}
    text = f"{said.speaker}, not so. " + "It is otherwise in my view. " * 20
    return {"text": text, "challenges": [quoted], "concedes": [quoted]}


class Small(ScriptedModel):
    """A model with a window of a few pages."""

    async def window(self, model: str) -> int | None:
        return 12_600


async def test_sixty_lines_need_no_recap() -> None:
    """Four personas and fifteen rounds are read whole."""
    stage = Stage()
    await stage.open(opening(*FOUR, rounds=15))

    assert recaps(await stage.run()) == []


async def test_the_older_half_is_cut_in_one_step() -> None:
    """The next recap is due half a transcript later, not at the next turn."""
    stage = Stage()
    await stage.open(opening(*FOUR, rounds=25))

    panel = await stage.run()

    assert len(recaps(panel)) == 2
    assert panel.status == "finished"
    longest = max(len(shared(request)) for request in stage.model.requests)
    assert longest == 1 + MOST_LINES + 1


async def test_after_a_recap_its_text_stands_for_what_was_cut() -> None:
    """Right behind the documents; later lines follow whole, and the prefix stays the same from turn to turn."""
    stage = Stage()
    await stage.open(opening(*FOUR, rounds=17))
    panel = await stage.run()
    (recap,) = recaps(panel)
    at = next(index for index, request in enumerate(stage.model.requests) if is_recap(request))
    before, after = stage.model.requests[at - 1], stage.model.requests[at + 1]

    assert shared(after)[0] == shared(before)[0]
    assert shared(after)[1] == f"<recap>\n{recap.text}\n</recap>"
    assert shared(after)[2:-1] == shared(before)[-len(shared(after)[2:-1]) :]
    for one, other in zip(stage.model.requests[at + 1 :], stage.model.requests[at + 2 :], strict=False):
        assert shared(other)[: len(shared(one))] == shared(one)


async def test_the_host_reads_what_is_cut_and_nothing_after_it() -> None:
    """It reads a prefix that stands in the cache already."""
    stage = Stage()
    await stage.open(opening(*FOUR, rounds=17))
    await stage.run()
    at = next(index for index, request in enumerate(stage.model.requests) if is_recap(request))
    asked, before = stage.model.requests[at], stage.model.requests[at - 1]

    assert shared(asked) == shared(before)[: len(shared(asked))]
    assert len(shared(asked)) == 1 + (MOST_LINES + 1) - MOST_LINES // 2
    assert asked.scene.speaker is None


async def test_a_recap_is_paid_for_and_written_down() -> None:
    """Its usage and cost are the panel's; it is never posted."""
    stage = Stage()
    await stage.open(opening(*FOUR, rounds=17))

    panel = await stage.run()

    (recap,) = recaps(panel)
    assert recap.usage == TOKENS
    assert recap.cost_usd == pytest.approx(0.01)
    assert panel.spent_usd == pytest.approx(0.01 * len(stage.model.requests))
    assert recap.text not in [text for _, text in stage.thread()]


async def test_directives_and_topic_are_never_cut() -> None:
    """They stand in every later prompt."""
    stage = Stage()
    await stage.open(opening(*FOUR, rounds=17, topic="Should we retry?"))
    await stage.say("steer: think of the night shift")
    await stage.run()

    last = stage.model.requests[-2]
    assert any(text.startswith("<recap>") for text in shared(last))
    assert "think of the night shift" in last.prompt.tail
    assert "Should we retry?" in shared(last)[0]


async def test_a_transcript_that_outgrows_the_window_is_cut_sooner() -> None:
    """The smallest window of those who speak counts."""

    def long_winded(request: ModelRequest) -> Said:
        return plain(request) if request.scene.answer else "word " * 200

    stage = Stage(model=Small(long_winded))
    await stage.open(opening(*FOUR, rounds=2))

    panel = await stage.run()

    assert len(recaps(panel)) >= 1
    assert panel.status == "finished"


async def test_a_recap_that_fails_is_put_together_by_rule() -> None:
    """The panel goes on."""

    def no_recap(request: ModelRequest) -> Said:
        return CallFailed("no") if is_recap(request) else plain(request)

    stage = Stage(model=ScriptedModel(no_recap))
    await stage.open(opening(*FOUR, rounds=17))

    panel = await stage.run()

    (recap,) = recaps(panel)
    assert "Put together by rule" in recap.text
    assert panel.status == "finished"


async def test_a_debate_recaps_after_its_fifth_round() -> None:
    """So that nobody echoes its own phrasing: from then on a recap stands for all but the last round."""
    stage = Stage(model=ScriptedModel(debated))
    await stage.open(opening(*FOUR[:2], format_="debate", rounds=7, mode="isolated"))

    panel = await stage.run()

    assert len(recaps(panel)) == 2
    last = [request for request in stage.model.requests if request.scene.kind == "closing"][-1]
    assert [line.round for line in last.scene.transcript] == [6, 6]
    assert panel.status == "finished"


async def test_stopping_while_the_recap_is_written_cancels_it() -> None:
    """What it cost until then is counted."""
    stage = Stage()
    stage.model.hold("host")
    await stage.open(opening(*FOUR, rounds=17))
    await stage.driver.kick("p1")
    await stage.model.until_asked("host")
    await stage.say("stop")
    await stage.driver.all_settled()

    panel = await stage.state()

    assert panel.status == "stopped"
    assert stage.model.cancelled == ["host"]
    assert recaps(panel) == []
    assert panel.spent_usd == pytest.approx(0.01 * len(stage.model.requests))
