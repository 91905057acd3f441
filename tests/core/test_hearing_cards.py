"""A thread may have the cards of several panels; a button is for the panel whose card it stands on."""

from bot.core.place import Place
from bot.core.platform import Heard
from tests.core.steered import MARIA, in_phase
from tests.core.threads import Thread


async def test_a_pressed_card_is_heard_by_its_own_panel() -> None:
    """Accepting the older result decides nothing about the newer one."""
    thread = Thread()
    await thread.open(in_phase("finished"), "p1")
    await thread.open(in_phase("running"), "p2")
    taken = await thread.hear("accept: fine", MARIA, pressed=True, panel="p1")

    assert taken.kind == "decision"
    assert thread.rung == ["p1"]


async def test_a_card_of_nowhere_is_nobody_s() -> None:
    """An unknown panel, and one of another channel, hear nothing."""
    thread = Thread()
    await thread.open(in_phase("running"), "p1")
    unknown = await thread.hear("stop", pressed=True, panel="p9")
    there = Place(platform="fake", channel="elsewhere", thread="t")
    elsewhere = await thread.hearing.hear(
        Heard(place=there, message_id="m", author=MARIA, text="stop", at=2000.0, pressed=True, panel="p1")
    )

    assert (unknown.kind, elsewhere.kind) == ("nobody", "nobody")
    assert thread.rung == []
