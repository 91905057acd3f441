"""Posts: confirmed once, sent again by one sender only, part after part. What exactly-once rests on."""

import asyncio

import pytest

from bot.core.errors import NotFound
from bot.core.store import Store, Write
from tests.contracts.panels import NOW, post, spoken, turn


class PostsContract:
    """Deliveries: intents that become confirmed, withdrawn, or sent again."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    async def test_the_first_confirmation_stands(self, store: Store) -> None:
        """The second caller learns the id that stands, and so that its own post is one too many."""
        await spoken(store, post())

        first = await store.confirm("p1", 2, 1, "x1", next_at=None)
        second = await store.confirm("p1", 2, 1, "x2", next_at=None)

        assert (first, second) == ("x1", "x1")
        assert await store.delivery("p1", 2, 1) == post(ext_id="x1")

    async def test_of_many_confirmations_at_once_one_stands(self, store: Store) -> None:
        """However many report at the same moment, all are given the same id."""
        await spoken(store, post())

        stands = await asyncio.gather(*(store.confirm("p1", 2, 1, f"x{n}", next_at=None) for n in range(8)))

        assert len(set(stands)) == 1
        posted = await store.delivery("p1", 2, 1)
        assert posted is not None
        assert posted.ext_id == stands[0]

    async def test_a_confirmation_arms_the_next_part(self, store: Store) -> None:
        """The next part of the same turn, and no other, becomes due in the same commit."""
        parts = [post(2, part, 3, attempted_at=NOW if part == 1 else None) for part in (1, 2, 3)]
        await spoken(store, *parts)

        await store.confirm("p1", 2, 1, "x1", next_at=NOW + 5)

        due = [(one.ext_id, one.attempted_at) for one in (await store.load("p1")).deliveries]
        assert due == [("x1", NOW), (None, NOW + 5), (None, None)]

    async def test_a_late_confirmation_arms_nothing(self, store: Store) -> None:
        """Whoever was not first leaves the next part as the first one armed it, even while it is still to be sent."""
        await spoken(store, post(2, 1, 2), post(2, 2, 2, attempted_at=None))

        await store.confirm("p1", 2, 1, "x1", next_at=NOW + 5)
        await store.confirm("p1", 2, 1, "x2", next_at=NOW + 50)

        following = await store.delivery("p1", 2, 2)
        assert following is not None
        assert following.attempted_at == NOW + 5

    async def test_a_part_that_is_due_withdrawn_or_sent_is_not_armed_again(self, store: Store) -> None:
        """Arming touches only a part that waits for its turn."""
        await spoken(
            store,
            *(post(turn, 1, 2) for turn in (2, 3, 4)),
            post(2, 2, 2, attempted_at=NOW + 1),
            post(3, 2, 2, attempted_at=None, withdrawn=True),
            post(4, 2, 2, attempted_at=None, ext_id="x"),
        )
        before = [await store.delivery("p1", turn, 2) for turn in (2, 3, 4)]

        for number in (2, 3, 4):
            await store.confirm("p1", number, 1, "x1", next_at=NOW + 5)

        assert [await store.delivery("p1", turn, 2) for turn in (2, 3, 4)] == before

    async def test_the_last_part_arms_nothing_of_the_next_turn(self, store: Store) -> None:
        """Turns are armed by the commit that makes them due, not by the turn before."""
        epoch = await spoken(store, post(2))
        await store.commit("p1", epoch, Write(entries=(turn(3),), deliveries=(post(3, attempted_at=None),)))

        await store.confirm("p1", 2, 1, "x1", next_at=NOW + 5)

        assert await store.delivery("p1", 3, 1) == post(3, attempted_at=None)

    async def test_a_zombie_may_still_confirm(self, store: Store) -> None:
        """Confirming is not fenced: the post is there, whoever sent it."""
        await spoken(store, post())
        await store.claim("p1", "ours", stale_before=NOW)

        assert await store.confirm("p1", 2, 1, "x1", next_at=None) == "x1"

    async def test_a_post_that_was_never_written_down_is_not_confirmed(self, store: Store) -> None:
        """No id is kept for a post that the store does not know."""
        await spoken(store, post())

        with pytest.raises(NotFound, match="entry 9"):
            await store.confirm("p1", 9, 1, "x1", next_at=None)

    async def test_one_sender_gets_to_send_again(self, store: Store) -> None:
        """Of all that saw the same attempt, one may send; the next one must have seen that attempt."""
        await spoken(store, post())

        tries = [store.rearm("p1", 2, 1, seen=NOW, now=NOW + 30 + n) for n in range(8)]
        won = await asyncio.gather(*tries)

        assert sorted(won) == [False] * 7 + [True]
        armed = await store.delivery("p1", 2, 1)
        assert armed is not None
        assert armed.attempted_at == NOW + 30 + won.index(True)
        assert await store.rearm("p1", 2, 1, seen=NOW + 30 + won.index(True), now=NOW + 90)

    @pytest.mark.parametrize("seen", [NOW - 1, NOW + 1])
    async def test_who_saw_another_attempt_does_not_send_again(self, store: Store, seen: float) -> None:
        """Neither an older attempt nor one that never was gives the right to send."""
        await spoken(store, post())

        assert not await store.rearm("p1", 2, 1, seen=seen, now=NOW + 30)
        assert await store.delivery("p1", 2, 1) == post()

    async def test_what_is_confirmed_withdrawn_or_not_yet_due_is_not_sent_again(self, store: Store) -> None:
        """Only an attempt in doubt can be repeated."""
        await spoken(store, post(2, ext_id="x"), post(3, withdrawn=True), post(4, attempted_at=None))

        assert [await store.rearm("p1", turn, 1, seen=NOW, now=NOW + 30) for turn in (2, 3, 4, 5)] == [False] * 4

    async def test_a_commit_changes_known_posts(self, store: Store) -> None:
        """The same turn and part with other values replaces them: withdrawing, arming, another text."""
        epoch = await spoken(store, post(2, 1, 2), post(2, 2, 2, attempted_at=None))
        changed = (post(2, 1, 2, withdrawn=True), post(2, 2, 2, text="shorter", attempted_at=NOW + 3))

        await store.commit("p1", epoch, Write(deliveries=changed))

        assert (await store.load("p1")).deliveries == changed

    async def test_a_commit_does_not_undo_a_confirmation(self, store: Store) -> None:
        """A confirmation is not fenced, so it may come between a load and the commit that withdraws: the id stays."""
        epoch = await spoken(store, post())
        await store.confirm("p1", 2, 1, "x1", next_at=None)

        await store.commit("p1", epoch, Write(deliveries=(post(withdrawn=True),)))

        assert await store.delivery("p1", 2, 1) == post(ext_id="x1")

    async def test_a_withdrawn_post_that_arrived_is_there(self, store: Store) -> None:
        """A stop came while the send was under way: once the platform names the message it counts as posted."""
        await spoken(store, post(withdrawn=True))

        assert await store.confirm("p1", 2, 1, "x1", next_at=None) == "x1"
        assert await store.delivery("p1", 2, 1) == post(ext_id="x1")

    async def test_an_unknown_post_is_none(self, store: Store) -> None:
        """Asking for a post that is not there is no error."""
        await spoken(store, post())

        assert await store.delivery("p1", 2, 2) is None
        assert await store.delivery("nobody", 2, 1) is None
