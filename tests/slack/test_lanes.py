"""Queues per channel, and the budget of edits, on a clock that a test moves."""

import asyncio

import pytest

from adapters.slack.card_edits import CardEdits
from adapters.slack.errands import Errands
from adapters.slack.lanes import Lanes, Tokens
from bot.core.card import Card
from bot.core.errors import PostInDoubt, Throttled
from bot.core.place import Place
from tests.contracts.platform import a_card
from tests.fakes.clock import FakeClock

PLACE = Place(platform="slack", workspace="T", channel="C", thread="1.2")


async def sent(lanes: Lanes, lane: str, key: str, clock: FakeClock) -> float:
    """When that post went out; its sender waits as it is told."""
    while True:
        try:
            await lanes.turn(lane, key)
        except Throttled as wait:
            await clock.sleep(wait.retry_after)
        else:
            return clock.monotonic()


async def test_posts_of_one_channel_go_out_a_second_apart() -> None:
    """Whoever waits keeps the place that was given."""
    clock = FakeClock(now=0.0)
    lanes = Lanes(clock)
    times = [await sent(lanes, "C", f"p{n}", clock) for n in range(5)]

    assert times == [0, 1, 2, 3, 4]


async def test_places_are_kept_for_those_who_asked_first() -> None:
    """Ten panels in one channel: each has its second, none is passed by."""
    clock = FakeClock(now=0.0)
    lanes = Lanes(clock)
    waits = {}
    for key in ("a", "b", "c"):
        try:
            await lanes.turn("C", key)
        except Throttled as wait:
            waits[key] = wait.retry_after
    with pytest.raises(Throttled) as again:
        await lanes.turn("C", "c")

    assert waits == {"b": 1.0, "c": 2.0}
    assert again.value.retry_after == 2.0


async def test_one_channel_holds_up_no_other() -> None:
    """A limit is that channel's alone."""
    clock = FakeClock(now=0.0)
    lanes = Lanes(clock)
    lanes.hold("C", 30.0)
    with pytest.raises(Throttled) as held:
        await lanes.turn("C", "a")
    await lanes.turn("D", "b")

    assert held.value.retry_after == 30.0


async def test_after_a_limit_places_are_given_out_anew() -> None:
    """They do not all rush in at its end."""
    clock = FakeClock(now=0.0)
    lanes = Lanes(clock)
    for key in ("a", "b", "c"):
        try:
            await lanes.turn("C", key)
        except Throttled:
            continue
    lanes.hold("C", 10.0)
    times = [await sent(lanes, "C", key, clock) for key in ("b", "c")]

    assert times == [10, 11]


async def test_a_budget_fills_up_again() -> None:
    """A burst, then as many as come in."""
    clock = FakeClock(now=0.0)
    tokens = Tokens(clock, most=2, per_second=0.5)
    first = [tokens.take("T"), tokens.take("T"), tokens.take("T")]
    clock.time = 2.0

    assert first == [0.0, 0.0, 2.0]
    assert tokens.take("T") == 0.0
    assert tokens.take("other") == 0.0


class Wall:
    """Where cards are shown; it may fail."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []
        self.faults: list[Exception] = []

    async def show(self, place: Place, card_id: str, card: Card) -> None:
        if self.faults:
            raise self.faults.pop()
        self.shown.append((card_id, card.status_line))


async def test_the_newest_state_is_shown_and_those_between_are_left_out() -> None:
    """The first at once, the last in the end."""
    wall, clock, errands = Wall(), FakeClock(now=0.0), Errands()
    edits = CardEdits(wall.show, clock, errands)
    for number in range(50):
        await edits.want(PLACE, "1.2", a_card(status_line=f"state {number}"))
    await errands.settled()

    assert wall.shown[0] == ("1.2", "state 0")
    assert wall.shown[-1] == ("1.2", "state 49")
    assert len(wall.shown) == 2


async def test_an_unchanged_card_is_not_edited() -> None:
    """Nothing is asked of Slack."""
    wall, errands = Wall(), Errands()
    edits = CardEdits(wall.show, FakeClock(now=0.0), errands)
    for _ in range(3):
        await edits.want(PLACE, "1.2", a_card())
        await errands.settled()

    assert len(wall.shown) == 1


async def test_an_edit_that_failed_for_the_moment_is_tried_again() -> None:
    """Until it stands."""
    wall, errands = Wall(), Errands()
    wall.faults = [PostInDoubt("no answer"), Throttled("slower", 3.0)]
    edits = CardEdits(wall.show, FakeClock(now=0.0), errands)
    await edits.want(PLACE, "1.2", a_card(status_line="the end"))
    await errands.settled()

    assert wall.shown == [("1.2", "the end")]


async def test_of_many_cards_those_with_wrong_buttons_go_first() -> None:
    """Figures can wait; a Stop button that does nothing can not."""
    wall, clock, errands = Wall(), FakeClock(now=0.0), Errands()
    edits = CardEdits(wall.show, clock, errands)
    for number in range(20):
        await edits.want(PLACE, f"{number}", a_card(status_line="begun"))
    for number in range(20):
        await edits.want(PLACE, f"{number}", a_card(status_line="figures"))
    await edits.want(PLACE, "19", a_card(status="stopped", buttons=(), status_line="stopped"))
    await errands.settled()

    later = wall.shown[20:]
    assert later[0] == ("19", "stopped")
    assert len(later) == 20


async def test_errands_of_a_house_that_closes_are_given_up() -> None:
    """And none begins afterwards."""
    errands = Errands()
    begun: list[str] = []

    async def errand(name: str) -> None:
        begun.append(name)
        await asyncio.Event().wait()

    errands.run(errand("first"), "first")
    await asyncio.sleep(0)
    await errands.stop()
    errands.run(errand("second"), "second")
    await errands.settled()

    assert begun == ["first"]
