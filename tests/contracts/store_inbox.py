"""The inbox: what people said is taken in once, in order; an event that is delivered twice is known."""

import asyncio

import pytest

from bot.core.entries import Control
from bot.core.errors import NotFound
from bot.core.store import Signal, Store, Write
from tests.contracts.panels import ANN, NOW, opened, running, said

_HOUR = 3600.0


class InboxContract:
    """Signals and event ids."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    async def test_signals_wait_in_the_order_of_their_arrival(self, store: Store) -> None:
        """Each keeps its entry whole and gets a number that grows."""
        await running(store)
        stop = Signal(panel="p1", message_id="m0", entry=Control(at=NOW, author=ANN, text="Stop!", word="stop"))

        for signal in (said(message_id="m9"), stop, said(message_id="m5")):
            assert await store.signal(signal)

        waiting = await store.signals("p1")
        assert [signal.message_id for signal in waiting] == ["m9", "m0", "m5"]
        assert waiting[1].entry == stop.entry
        assert 0 < waiting[0].id < waiting[1].id < waiting[2].id

    async def test_the_panels_whose_inbox_is_not_empty_are_known(self, store: Store) -> None:
        """A process finds by one look what others put into the inboxes of the panels that it runs."""
        epoch = await running(store, "p1")
        for panel in ("p2", "p3"):
            await running(store, panel)
        for panel, message in (("p1", "m1"), ("p3", "m1"), ("p3", "m2")):
            await store.signal(said(panel, message))
        before = await store.rung()

        (waiting,) = await store.signals("p1")
        entry = waiting.entry.model_copy(update={"seq": 2})
        await store.commit("p1", epoch, Write(entries=(entry,), taken=(waiting.id,)))

        assert (sorted(before), sorted(await store.rung())) == (["p1", "p3"], ["p3"])

    async def test_the_same_message_is_put_in_once(self, store: Store) -> None:
        """Delivered again, even with other words, it is known; in another panel it is another message."""
        await running(store, "p1")
        await running(store, "p2")

        first = [await store.signal(said("p1", "m1", "one")), await store.signal(said("p1", "m1", "other"))]
        other = await store.signal(said("p2", "m1"))

        assert (first, other) == ([True, False], True)
        assert [signal.entry for signal in await store.signals("p1")] == [said("p1", "m1", "one").entry]

    async def test_of_the_same_message_at_once_one_is_put_in(self, store: Store) -> None:
        """Both platforms deliver twice at the same moment."""
        await running(store)

        put = await asyncio.gather(*(store.signal(said()) for _ in range(8)))

        assert sorted(put) == [False] * 7 + [True]
        assert len(await store.signals("p1")) == 1

    async def test_a_message_that_was_taken_in_stays_known(self, store: Store) -> None:
        """Delivered again after the commit that took it in, it is not taken in a second time."""
        epoch = await running(store)
        await store.signal(said())
        (waiting,) = await store.signals("p1")
        entry = waiting.entry.model_copy(update={"seq": 2})

        await store.commit("p1", epoch, Write(entries=(entry,), taken=(waiting.id,)))

        assert await store.signals("p1") == ()
        assert not await store.signal(said())
        assert await store.signals("p1") == ()

    async def test_what_a_commit_did_not_take_in_waits_on(self, store: Store) -> None:
        """A message that arrived meanwhile is left for the next look."""
        epoch = await running(store)
        await store.signal(said(message_id="m1"))
        (first,) = await store.signals("p1")
        await store.signal(said(message_id="m2"))

        await store.commit("p1", epoch, Write(entries=(first.entry.model_copy(update={"seq": 2}),), taken=(first.id,)))

        assert [signal.message_id for signal in await store.signals("p1")] == ["m2"]

    async def test_a_commit_takes_in_nothing_of_another_panel(self, store: Store) -> None:
        """A number that belongs to another panel's inbox is left alone."""
        epoch = await running(store, "p1")
        await running(store, "p2")
        await store.signal(said("p2"))
        (theirs,) = await store.signals("p2")

        await store.commit("p1", epoch, Write(taken=(theirs.id,)))

        assert await store.signals("p2") == (theirs,)

    async def test_many_messages_are_taken_in_at_once(self, store: Store) -> None:
        """Lines that arrive faster than turns: all of them in one commit."""
        epoch = await running(store)
        for number in range(100):
            await store.signal(said(message_id=f"m{number}"))
        waiting = await store.signals("p1")
        entries = tuple(signal.entry.model_copy(update={"seq": seq}) for seq, signal in enumerate(waiting, 2))

        await store.commit("p1", epoch, Write(entries=entries, taken=tuple(signal.id for signal in waiting)))

        assert await store.signals("p1") == ()
        assert (await store.load("p1")).entries == (opened(), *entries)

    async def test_nothing_is_said_to_a_panel_that_is_not_there(self, store: Store) -> None:
        """A message to an unknown panel is refused by name; its inbox is empty."""
        with pytest.raises(NotFound, match="nobody"):
            await store.signal(said("nobody"))

        assert await store.signals("nobody") == ()

    async def test_an_event_is_new_once(self, store: Store) -> None:
        """The id is kept when it is asked about first; other ids are their own."""
        asked = [await store.first_seen(event, NOW) for event in ("e1", "e1", "e2", "e1")]

        assert asked == [True, False, True, False]

    async def test_of_the_same_event_at_once_one_is_new(self, store: Store) -> None:
        """However many connections deliver it."""
        asked = await asyncio.gather(*(store.first_seen("e1", NOW) for _ in range(8)))

        assert sorted(asked) == [False] * 7 + [True]

    async def test_an_event_is_remembered_for_a_day_and_two_hours(self, store: Store) -> None:
        """Whatever else comes in meanwhile, and however often: for 26 hours it is not new."""
        assert await store.first_seen("e1", NOW)

        for hour in range(1, 27):
            assert await store.first_seen(f"other {hour}", NOW + hour * _HOUR)
            assert not await store.first_seen("e1", NOW + hour * _HOUR)

    async def test_old_events_are_forgotten(self, store: Store) -> None:
        """What is kept does not grow for ever: after three days with other events the id is new again."""
        assert await store.first_seen("e1", NOW)

        assert await store.first_seen("e2", NOW + 72 * _HOUR)

        assert await store.first_seen("e1", NOW + 72 * _HOUR)
