"""Who runs a panel: claimed by one process at a time, taken over from the dead, found when nobody runs it."""

import asyncio

import pytest

from bot.core.errors import NotAllowed
from bot.core.place import Place
from bot.core.store import Query, Store, Write
from tests.contracts.panels import NOW, opened, summary

_TERMINAL = frozenset({"terminal"})


async def _new(store: Store, panel: str = "p1", **changes: object) -> None:
    await store.create(summary(panel, **changes), opened(), None)


async def _owner(store: Store, panel: str = "p1") -> str:
    return {one.id: one.owner for one in await store.summaries(Query())}[panel]


class OwnersContract:
    """Claims, beats and what has no owner."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    async def test_each_claim_gives_a_higher_epoch(self, store: Store) -> None:
        """The epoch is the fence: it grows with every claim, also by the same process, and the load shows it."""
        await _new(store)
        await store.beat("ours", NOW)

        first = await store.claim("p1", "ours", stale_before=NOW - 10)
        second = await store.claim("p1", "ours", stale_before=NOW - 10)

        assert 0 < first < second
        assert (await store.load("p1")).epoch == second
        assert await _owner(store) == "ours"

    async def test_a_living_owner_keeps_its_panel(self, store: Store) -> None:
        """The refusal names the owner; its epoch still writes."""
        await _new(store)
        await store.beat("theirs", NOW)
        epoch = await store.claim("p1", "theirs", stale_before=NOW - 10)

        with pytest.raises(NotAllowed, match="theirs"):
            await store.claim("p1", "ours", stale_before=NOW)

        await store.commit("p1", epoch, Write(summary=summary(turns=1)))
        assert await _owner(store) == "theirs"

    async def test_a_dead_owner_is_taken_over(self, store: Store) -> None:
        """Its last beat is too old."""
        await _new(store)
        await store.beat("theirs", NOW)
        old = await store.claim("p1", "theirs", stale_before=NOW - 10)

        new = await store.claim("p1", "ours", stale_before=NOW + 0.001)

        assert new > old
        assert await _owner(store) == "ours"

    async def test_an_owner_that_never_beat_is_dead(self, store: Store) -> None:
        """A process that died before its first beat holds nothing up."""
        await _new(store, owner="theirs")

        assert await store.claim("p1", "ours", stale_before=NOW) > 0

    async def test_a_beat_moves_on(self, store: Store) -> None:
        """The newest beat counts."""
        await _new(store)
        await store.beat("theirs", NOW)
        await store.claim("p1", "theirs", stale_before=NOW)
        await store.beat("theirs", NOW + 20)

        with pytest.raises(NotAllowed):
            await store.claim("p1", "ours", stale_before=NOW + 15)

    async def test_of_many_claims_at_once_one_wins(self, store: Store) -> None:
        """Eight living processes want the same panel: one gets it, seven are told who did."""
        await _new(store)
        names = [f"process {n}" for n in range(8)]
        for name in names:
            await store.beat(name, NOW)

        claims = (store.claim("p1", name, stale_before=NOW - 10) for name in names)
        got = await asyncio.gather(*claims, return_exceptions=True)

        assert sum(isinstance(one, int) for one in got) == 1
        assert sum(isinstance(one, NotAllowed) for one in got) == 7
        winner = next(name for name, one in zip(names, got, strict=True) if isinstance(one, int))
        assert await _owner(store) == winner
        assert all(winner in str(one) for one in got if isinstance(one, NotAllowed))

    async def test_a_released_panel_is_free(self, store: Store) -> None:
        """Another process may claim it at once."""
        await _new(store)
        await store.beat("theirs", NOW)
        epoch = await store.claim("p1", "theirs", stale_before=NOW - 10)

        await store.release("p1", epoch)

        assert await _owner(store) == ""
        assert await store.claim("p1", "ours", stale_before=NOW - 10) > epoch

    async def test_an_old_epoch_releases_nothing(self, store: Store) -> None:
        """A process that was taken over does not throw its successor out."""
        await _new(store)
        await store.beat("ours", NOW)
        old = await store.claim("p1", "theirs", stale_before=NOW - 10)
        await store.claim("p1", "ours", stale_before=NOW - 10)

        await store.release("p1", old)

        assert await _owner(store) == "ours"

    async def test_a_commit_leaves_the_owner_alone(self, store: Store) -> None:
        """Only claiming and releasing change who runs a panel, whatever the row in a commit says."""
        await _new(store)
        epoch = await store.claim("p1", "ours", stale_before=NOW)

        await store.commit("p1", epoch, Write(summary=summary(owner="somebody")))

        assert await _owner(store) == "ours"

    async def test_a_panel_can_be_created_with_its_owner(self, store: Store) -> None:
        """Its process lives, so nobody takes it up between its creation and its claim."""
        await store.beat("ours", NOW)

        await _new(store, owner="ours")

        assert await _owner(store) == "ours"
        assert await store.ownerless(_TERMINAL, stale_before=NOW) == ()

    async def test_running_panels_without_a_living_owner_are_found(self, store: Store) -> None:
        """Never claimed, released, or the owner's beat too old: found, oldest first. Owned by the living: not."""
        await store.beat("dead", NOW - 100)
        await store.beat("alive", NOW)
        owners = {"c": "dead", "a": "", "b": "never beat", "d": "alive"}
        for age, (panel, owner) in enumerate(owners.items()):
            await _new(store, panel, owner=owner, created_at=NOW + age)

        assert await store.ownerless(_TERMINAL, stale_before=NOW - 10) == ("c", "a", "b")

    async def test_only_running_panels_of_the_platforms_asked_for_are_found(self, store: Store) -> None:
        """Paused, waiting and ended panels are left alone, and so are those that another program posts for."""
        for status in ("waiting", "paused", "finished", "stopped", "failed"):
            await _new(store, status, status=status)
        await _new(store, "slack", place=Place(platform="slack"))
        await _new(store, "here")

        assert await store.ownerless(_TERMINAL, stale_before=NOW) == ("here",)
        assert await store.ownerless(frozenset({"terminal", "slack"}), stale_before=NOW) == ("here", "slack")
        assert await store.ownerless(frozenset(), stale_before=NOW) == ()
