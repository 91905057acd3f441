"""Values for the store's tests: the least that a panel, an entry and a post need."""

from typing import Any

from bot.core.entries import Human, Opened, Turn
from bot.core.place import Person, Place
from bot.core.store import Delivery, Signal, Store, Summary, Write

PLACE = Place(platform="terminal", workspace="w", channel="c", thread="t1")
ANN = Person(id="u1", name="Ann")
NOW = 1_800_000_000.0


def summary(panel: str = "p1", **changes: Any) -> Summary:
    values: dict[str, Any] = {
        "place": PLACE,
        "format": "discussion",
        "topic": "Should we retry payments?",
        "status": "running",
        "created_at": NOW,
    }
    return Summary(id=panel, **(values | changes))


def opened(topic: str = "Should we retry payments?") -> Opened:
    return Opened(seq=1, at=NOW, format="discussion", topic=topic, starter=ANN, seats=())


def turn(seq: int, text: str = "Retries need a key.", **changes: Any) -> Turn:
    values: dict[str, Any] = {"turn_kind": "statement", "round": 1, "persona": "ada"}
    return Turn(seq=seq, at=NOW + seq, text=text, **(values | changes))


def human(text: str = "And who pays?", message_id: str = "m1") -> Human:
    return Human(at=NOW, author=ANN, text=text, message_id=message_id)


def said(panel: str = "p1", message_id: str = "m1", text: str = "And who pays?") -> Signal:
    return Signal(panel=panel, message_id=message_id, entry=human(text, message_id))


def post(turn: int = 2, part: int = 1, parts: int = 1, **changes: Any) -> Delivery:
    values: dict[str, Any] = {"text": f"part {part} of {turn}", "attempted_at": NOW}
    return Delivery(turn=turn, part=part, parts=parts, **(values | changes))


async def running(store: Store, panel: str = "p1", **changes: Any) -> int:
    """A panel in the store, claimed; returns its epoch."""
    await store.create(summary(panel, **changes), opened(), None)
    return await store.claim(panel, "ours", stale_before=NOW)


async def spoken(store: Store, *posts: Delivery, panel: str = "p1") -> int:
    """A running panel with one turn, entry 2, and these posts; returns its epoch."""
    epoch = await running(store, panel)
    await store.commit(panel, epoch, Write(entries=(turn(2),), deliveries=posts))
    return epoch
