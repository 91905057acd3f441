"""Listing: which panels there are, the newest first."""

import pytest

from bot.core.place import Place
from bot.core.store import Query, Store, Write
from tests.contracts.panels import NOW, PLACE, opened, running, summary


async def _ids(store: Store, query: Query) -> list[str]:
    return [one.id for one in await store.summaries(query)]


class ListingContract:
    """Summaries."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    async def test_a_row_comes_back_as_it_was_written(self, store: Store) -> None:
        """Every field of a new panel's row, and after a commit every field of that."""
        first = summary(
            status="waiting",
            reason="go-ahead",
            round=0,
            rounds_max=12,
            target="docs/rfc.md",
            starter="u1",
            updated_at=NOW,
            model_is_ai=False,
        )
        await store.create(first, opened(), None)
        assert await store.summaries(Query()) == (first,)

        epoch = await store.claim("p1", "ours", stale_before=NOW)
        moved = PLACE.model_copy(update={"channel": "c2", "thread": "t2"})
        second = summary(
            place=moved,
            status="finished",
            reason="",
            round=12,
            rounds_max=14,
            turns=60,
            spent_usd=1.75,
            target="docs/rfc.md",
            verdict="PASS",
            starter="u1",
            updated_at=NOW + 60,
            owner="ours",
            model_is_ai=False,
        )
        await store.commit("p1", epoch, Write(summary=second))

        assert await store.summaries(Query()) == (second,)

    async def test_the_newest_come_first(self, store: Store) -> None:
        """By creation, not by the last change; the limit keeps the newest."""
        for age, panel in ((1, "old"), (3, "new"), (2, "middle")):
            await running(store, panel, created_at=NOW + age)

        assert await _ids(store, Query()) == ["new", "middle", "old"]
        assert await _ids(store, Query(limit=2)) == ["new", "middle"]

    async def test_a_query_restricts_by_state_and_platform(self, store: Store) -> None:
        """Empty fields do not restrict; those given must all fit."""
        for panel, status, platform in (
            ("a", "running", "slack"),
            ("b", "paused", "slack"),
            ("c", "running", "discord"),
        ):
            await store.create(summary(panel, status=status, place=Place(platform=platform)), opened(), None)

        running_ones = Query(statuses=frozenset({"running", "waiting"}))
        assert sorted(await _ids(store, running_ones)) == ["a", "c"]
        assert sorted(await _ids(store, Query(platforms=frozenset({"slack"})))) == ["a", "b"]
        both = Query(statuses=frozenset({"running"}), platforms=frozenset({"slack"}))
        assert await _ids(store, both) == ["a"]
        assert await _ids(store, Query(statuses=frozenset({"failed"}))) == []

    async def test_a_query_by_workspace_leaves_the_others_out(self, store: Store) -> None:
        """An empty one is a workspace like any other."""
        for name, workspace in (("p1", "w1"), ("p2", ""), ("p3", "w1")):
            place = PLACE.model_copy(update={"workspace": workspace, "thread": name})
            await store.create(summary(name, place=place), opened(), None)

        assert sorted(await _ids(store, Query(workspace="w1"))) == ["p1", "p3"]
        assert await _ids(store, Query(workspace="")) == ["p2"]

    async def test_a_query_by_place_means_exactly_that_thread(self, store: Store) -> None:
        """Another thread, channel, workspace or platform is another place."""
        await running(store, "here")
        for field in ("platform", "workspace", "channel", "thread"):
            await running(store, field, place=PLACE.model_copy(update={field: "other"}))

        assert await _ids(store, Query(place=PLACE)) == ["here"]
        assert await _ids(store, Query(place=Place(platform="terminal"))) == []

    @pytest.mark.parametrize("words", ["rÜckzahlung", "100%", "a_b", "back\\slash", "STRASSE", "docs/RFC", "P1"])
    async def test_words_are_found_in_topic_target_and_id(self, store: Store, words: str) -> None:
        """In any case of letters, of any script; signs that mean something to a database mean themselves."""
        await running(store, "p1", topic="Rückzahlung 100% a_b back\\slash Straße", target="docs/rfc.md")
        await running(store, "other", topic="100 percent aXb backslash")

        assert await _ids(store, Query(text=words)) == ["p1"]

    async def test_a_query_by_target_means_that_key(self, store: Store) -> None:
        """All panels over one document, for trends; a part of the key is another key."""
        for age, (panel, target) in enumerate((("a", "docs/rfc.md"), ("b", "docs/rfc.md2"), ("c", "docs/rfc.md"))):
            await running(store, panel, target=target, created_at=NOW + age)

        assert await _ids(store, Query(target="docs/rfc.md")) == ["c", "a"]
