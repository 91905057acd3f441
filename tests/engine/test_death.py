"""A process that dies at any act, and another that takes its panel over: nothing is lost, nothing is said twice."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.core.entries import Opened
from bot.core.panel import Panel
from bot.core.platform import Capabilities, Post
from tests.engine.fates import Death, Fate, Frost, Killed, under
from tests.fakes.stage import Stage, opening, seat

LATER = 100.0
"""Seconds; long enough for a silent process to count as dead."""
SMALL = Capabilities(max_chars=60, edits_card=True, pins=True, files=True)
PANELS: dict[str, Callable[[], Opened]] = {
    "sequential": lambda: opening(rounds=2),
    "moderated, with summaries in parallel": lambda: opening(
        seat("ada"), seat("bo"), seat("cy", moderates=True), rounds=2, final_summary=True, style="structured"
    ),
}


def process(stage: Stage, fate: Fate, owner: str) -> Stage:
    """A process on the stage's store, platform and archive, under that fate."""
    return stage.another(
        owner,
        store=under(fate, stage.store),
        port=under(fate, stage.platform),
        archive_port=under(fate, stage.archive),
    )


async def prepared(name: str) -> Stage:
    """A stage with that panel written down; some answers of its platform get lost on the way."""
    stage = Stage()
    stage.platform.able = SMALL
    stage.platform.faults.extend(["ok", "ok", "ok", "unconfirmed", "ok", "lost", "ok", "throttled", "ok", "late"])
    await stage.open(PANELS[name]())
    return stage


def told(panel: Panel) -> list[tuple[str, str, str]]:
    """What was said, in the order of the log."""
    return [(turn.turn_kind, turn.persona, turn.text) for turn in panel.turns]


def stands(stage: Stage, panel: Panel) -> None:
    """Every turn of the log stands in the thread: once, whole, in order; one synthesis is pinned, one file attached."""
    spoken = sorted(panel.turns, key=lambda turn: (turn.round, turn.turn_kind == "synthesis", turn.seq))
    by_turn: dict[int, list[str]] = {}
    for message in stage.platform.standing("p1"):
        by_turn.setdefault(int(message.key.split(":")[1]), []).append(message.text)
    assert [" ".join(parts).split() for parts in by_turn.values()] == [
        turn.text.split() for turn in sorted(spoken, key=lambda turn: list(by_turn).index(turn.seq))
    ]
    assert list(by_turn) == in_speaking_order(panel)
    keys = [message.key for message in stage.platform.messages if not message.removed]
    assert len(keys) == len(set(keys))
    assert len(stage.platform.pinned) == 1
    assert len(stage.platform.files) == 1


def in_speaking_order(panel: Panel) -> list[int]:
    """The turns' numbers as they have to stand in the thread: parallel ones by their place in the order."""
    numbers: list[int] = []
    batch: list[tuple[int, int]] = []
    kind = ""
    for turn in panel.turns:
        if turn.turn_kind != "summary" or kind != "summary":
            numbers += [seq for _, seq in sorted(batch)]
            batch = []
        kind = turn.turn_kind
        batch.append((turn.order, turn.seq))
    return numbers + [seq for _, seq in sorted(batch)]


async def _undisturbed(name: str) -> tuple[Panel, int]:
    stage, fate = await prepared(name), Fate()
    panel = await process(stage, fate, "one").run()
    stands(stage, panel)
    return panel, fate.acts


@pytest.mark.parametrize("after", [False, True], ids=["before the act", "after the act"])
@pytest.mark.parametrize("name", PANELS)
async def test_a_process_may_die_at_any_act(name: str, after: bool) -> None:
    """Whichever act is the last, the next process brings the panel to the same end."""
    undisturbed, acts = await _undisturbed(name)

    for at in range(1, acts + 1):
        stage = await prepared(name)
        with pytest.raises(Killed):
            await process(stage, Death(at, after=after), "one").run()
        stage.clock.time += LATER
        panel = await stage.another("two").run()

        assert panel.status == "finished", f"died at act {at}"
        assert sorted(told(panel)) == sorted(told(undisturbed)), f"died at act {at}"
        stands(stage, panel)


@pytest.mark.parametrize("after", [False, True], ids=["before the act", "after the act"])
@pytest.mark.parametrize("name", PANELS)
async def test_a_process_may_freeze_at_any_act_and_wake_up_when_another_has_its_panel(name: str, after: bool) -> None:
    """A zombie writes nothing more, and what it still posts it takes back."""
    undisturbed, acts = await _undisturbed(name)

    for at in range(1, acts + 1):
        stage, frost = await prepared(name), Frost(at, after=after)
        await _frozen_and_thawed(stage, frost, process(stage, frost, "one").run)
        panel = await stage.state()

        assert panel.status == "finished", f"froze at act {at}"
        assert sorted(told(panel)) == sorted(told(undisturbed)), f"froze at act {at}"
        stands(stage, panel)


async def _frozen_and_thawed(stage: Stage, frost: Frost, run: Callable[[], Awaitable[Panel]]) -> None:
    """Let the process freeze, another one finish its panel, and the first one wake up."""
    zombie = asyncio.ensure_future(run())
    frozen = asyncio.ensure_future(frost.frozen.wait())
    await asyncio.wait({zombie, frozen}, return_when=asyncio.FIRST_COMPLETED)
    stage.clock.time += LATER
    await stage.another("two").run()
    frost.thaw.set()
    await zombie
    frozen.cancel()


async def stopped_on_the_way() -> Stage:
    """A panel in parts, to which somebody says stop while its second turn's first part is on its way."""
    stage = await prepared("sequential")

    async def say_stop(post: Post) -> None:
        if post.turn == 4 and post.part == 1:
            stage.platform.before_post = None
            await stage.say("stop")

    stage.platform.before_post = say_stop
    return stage


@pytest.mark.parametrize("after", [False, True], ids=["before the act", "after the act"])
async def test_a_process_may_die_at_any_act_of_obeying_a_stop(after: bool) -> None:
    """The next process obeys it: what was on its way stands once, the rest is withdrawn, the transcript is kept."""
    stage, fate = await stopped_on_the_way(), Fate()
    await process(stage, fate, "one").run()

    for at in range(1, fate.acts + 1):
        stage = await stopped_on_the_way()
        with pytest.raises(Killed):
            await process(stage, Death(at, after=after), "one").run()
        heard = stage.platform.before_post is None
        stage.clock.time += LATER
        panel = await stage.another("two").run()
        loaded = await stage.store.load("p1")

        assert panel.status == "stopped", f"died at act {at}, before the stop was said: {not heard}"
        assert not [delivery for delivery in loaded.deliveries if delivery.open]
        posted = [f"p1:{d.turn}:{d.part}" for d in loaded.deliveries if d.ext_id and d.turn > 1]
        assert [message.key for message in stage.platform.standing("p1")] == posted
        assert "p1" in stage.archive.transcripts
