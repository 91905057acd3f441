"""Creating, loading and committing: a panel's log is written whole, in order, by one writer."""

import asyncio

import pytest

from bot.core.entries import Control, Event, Revised, StatusChanged
from bot.core.errors import Fenced, NotFound, StoreError
from bot.core.store import Query, Store, Write
from tests.contracts.panels import ANN, NOW, PLACE, human, opened, post, running, said, spoken, summary, turn


class PanelsContract:
    """A panel's row and its log."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    async def test_a_new_panel_loads_with_its_first_entry_and_its_card(self, store: Store) -> None:
        """What was created is what is loaded: the place, epoch 0, the entry and the intent to post the card."""
        card = post(turn=1)

        await store.create(summary(), opened(), card)

        loaded = await store.load("p1")
        assert (loaded.place, loaded.epoch) == (PLACE, 0)
        assert loaded.entries == (opened(),)
        assert loaded.deliveries == (card,)

    async def test_an_id_is_given_once(self, store: Store) -> None:
        """A second panel of the same id is refused and changes nothing of the first."""
        await store.create(summary(), opened("first"), None)

        with pytest.raises(StoreError, match="p1"):
            await store.create(summary(topic="second"), opened("second"), post(turn=1))

        assert (await store.load("p1")).entries == (opened("first"),)
        assert (await store.load("p1")).deliveries == ()

    async def test_an_unknown_panel_is_named(self, store: Store) -> None:
        """Loading, claiming and committing all say which panel is not there."""
        with pytest.raises(NotFound, match="nobody"):
            await store.load("nobody")
        with pytest.raises(NotFound, match="nobody"):
            await store.claim("nobody", "ours", stale_before=NOW)
        with pytest.raises(NotFound, match="nobody"):
            await store.commit("nobody", 1, Write(entries=(turn(2),)))

    async def test_every_kind_of_value_comes_back_as_it_was(self, store: Store) -> None:
        """Text in any script, structured data, figures and absent figures survive the way to the disk and back."""
        epoch = await running(store)
        text = "Ünïcödé 漢字 🗣️ \u0000 \u2028 'quotes' \"double\" %s :name \\"
        data = {"verdict": "PASS", "findings": [{"line": 3, "text": "ß"}], "none": None, "share": 0.1}
        entries = (
            turn(2, text, data=data, cost_usd=None, label="Round 1 of 3"),
            Event(seq=3, at=NOW, name="interrupted", reason="kill"),
            StatusChanged(seq=4, at=NOW, status="paused", reason="human: Ann"),
        )

        await store.commit("p1", epoch, Write(entries=entries))

        assert (await store.load("p1")).entries[1:] == entries

    async def test_a_commit_is_there_whole(self, store: Store) -> None:
        """Entries, posts, what they took in and the row are there together afterwards."""
        epoch = await running(store)
        await store.signal(said())
        (waiting,) = await store.signals("p1")
        taken = waiting.entry.model_copy(update={"seq": 2})
        posts = (post(3, 1, 2), post(3, 2, 2, attempted_at=None))
        row = summary(status="paused", reason="human", turns=1, round=1, spent_usd=0.25, updated_at=NOW + 9)

        write = Write(entries=(taken, turn(3)), deliveries=posts, taken=(waiting.id,), summary=row)
        await store.commit("p1", epoch, write)

        loaded = await store.load("p1")
        assert loaded.entries == (opened(), taken, turn(3))
        assert loaded.deliveries == posts
        assert await store.signals("p1") == ()
        (listed,) = await store.summaries(Query())
        assert (listed.status, listed.reason, listed.spent_usd, listed.updated_at) == ("paused", "human", 0.25, NOW + 9)

    async def test_an_old_epoch_writes_nothing(self, store: Store) -> None:
        """A process that was taken over is told so, and none of its commit is there."""
        old = await running(store)
        await store.signal(said())
        (waiting,) = await store.signals("p1")
        new = await store.claim("p1", "ours", stale_before=NOW)

        write = Write(entries=(turn(2),), deliveries=(post(),), taken=(waiting.id,), summary=summary(status="stopped"))
        with pytest.raises(Fenced, match="p1"):
            await store.commit("p1", old, write)

        loaded = await store.load("p1")
        assert (loaded.epoch, loaded.entries, loaded.deliveries) == (new, (opened(),), ())
        assert await store.signals("p1") == (waiting,)
        assert (await store.summaries(Query()))[0].status == "running"

    async def test_an_old_epoch_is_fenced_without_entries_too(self, store: Store) -> None:
        """The fence also stands before a commit that only touches posts or the row."""
        old = await running(store)
        await store.claim("p1", "ours", stale_before=NOW)

        for write in (Write(), Write(deliveries=(post(1),)), Write(summary=summary(status="stopped"))):
            with pytest.raises(Fenced):
                await store.commit("p1", old, write)

        assert (await store.load("p1")).deliveries == ()
        assert (await store.summaries(Query()))[0].status == "running"

    @pytest.mark.parametrize("numbers", [(2,), (4,), (3, 5), (3, 3), (0,), (4, 3)])
    async def test_the_log_takes_no_entry_out_of_order(self, store: Store, numbers: tuple[int, ...]) -> None:
        """After entry 2 only entry 3 follows: a number that is there, or leaves a gap, stops the whole commit."""
        epoch = await spoken(store)
        write = Write(entries=tuple(turn(number) for number in numbers), deliveries=(post(3),))

        with pytest.raises(StoreError, match="p1"):
            await store.commit("p1", epoch, write)

        loaded = await store.load("p1")
        assert loaded.entries == (opened(), turn(2))
        assert loaded.deliveries == ()

    async def test_an_entry_that_is_no_json_is_refused_before_anything_is_written(self, store: Store) -> None:
        """Data that can not be written down is an error of that commit, and the panel goes on."""
        epoch = await running(store)

        with pytest.raises(StoreError, match="entry 2"):
            await store.commit("p1", epoch, Write(entries=(turn(2, data={"what": object()}),), deliveries=(post(),)))
        await store.commit("p1", epoch, Write(entries=(turn(2),)))

        assert (await store.load("p1")).entries == (opened(), turn(2))

    async def test_a_load_after_an_entry_gives_the_rest_and_what_is_open(self, store: Store) -> None:
        """Incremental: the entries that follow, and only the posts that still want something."""
        sent = post(2, 1, 3, ext_id="x1")
        due, waiting = post(2, 2, 3), post(2, 3, 3, attempted_at=None)
        gone = post(3, 1, 1, withdrawn=True)
        epoch = await spoken(store, sent, due, waiting)
        await store.commit("p1", epoch, Write(entries=(turn(3),), deliveries=(gone,)))

        rest = await store.load("p1", after=2)
        nothing = await store.load("p1", after=3)

        assert rest.entries == (turn(3),)
        assert rest.deliveries == nothing.deliveries == (due, waiting)
        assert nothing.entries == ()
        assert (await store.load("p1")).deliveries == (sent, due, waiting, gone)

    async def test_a_load_beside_commits_shows_no_post_without_its_entry(self, store: Store) -> None:
        """Whoever looks at a running panel sees a log, and posts of that log."""
        epoch = await running(store)

        async def speak() -> None:
            for seq in range(2, 60):
                await store.commit("p1", epoch, Write(entries=(turn(seq),), deliveries=(post(seq),)))

        speaking = asyncio.ensure_future(speak())
        while not speaking.done():
            loaded = await store.load("p1")
            assert {one.turn for one in loaded.deliveries} <= {one.seq for one in loaded.entries}
            await asyncio.sleep(0)
        await speaking

    async def test_panels_do_not_mix(self, store: Store) -> None:
        """Two panels with the same numbers in their logs keep their own."""
        first, second = await running(store, "p1"), await running(store, "p2")

        await store.commit("p1", first, Write(entries=(turn(2, "of one"),), deliveries=(post(2, text="one"),)))
        await store.commit("p2", second, Write(entries=(turn(2, "of two"),), deliveries=(post(2, text="two"),)))

        assert [(await store.load(panel)).entries[1] for panel in ("p1", "p2")] == [
            turn(2, "of one"),
            turn(2, "of two"),
        ]
        assert [(await store.load(panel)).deliveries[0].text for panel in ("p1", "p2")] == ["one", "two"]

    async def test_the_place_of_opening_stays(self, store: Store) -> None:
        """A thread made later shows in listings; where the panel was opened is still what the load says."""
        epoch = await running(store)
        thread = PLACE.model_copy(update={"thread": "t2"})

        await store.commit("p1", epoch, Write(summary=summary(place=thread)))

        assert (await store.load("p1")).place == PLACE
        assert (await store.summaries(Query(place=thread)))[0].id == "p1"

    async def test_a_long_log_comes_back_in_order(self, store: Store) -> None:
        """Hundreds of entries in one commit, and in the order of their numbers."""
        epoch = await running(store)
        entries = tuple(turn(seq, f"turn {seq}") for seq in range(2, 502))

        await store.commit("p1", epoch, Write(entries=entries, deliveries=tuple(post(seq) for seq in range(2, 502))))

        loaded = await store.load("p1")
        assert loaded.entries == (opened(), *entries)
        assert [one.turn for one in loaded.deliveries] == list(range(2, 502))

    @pytest.mark.parametrize("together", [False, True])
    async def test_a_deleted_message_leaves_the_log(self, store: Store, together: bool) -> None:
        """The commit that notes the deletion takes the words out, whether they came before it or with it."""
        epoch = await running(store)
        entries = (
            human("my secret", "m%1").model_copy(update={"seq": 2}),
            human("other words", "mX1").model_copy(update={"seq": 3}),
            turn(4, 'They said "m%1" aloud.'),
            Control(seq=5, at=NOW, author=ANN, text="ask ada: my secret?", word="ask", question="?", message_id="m%1"),
        )
        deletion = Revised(seq=6, at=NOW, message_id="m%1", text=None)
        writes = [Write(entries=(*entries, deletion))]
        if not together:
            writes = [Write(entries=entries), Write(entries=(deletion,))]

        for write in writes:
            await store.commit("p1", epoch, write)

        kept = (await store.load("p1")).entries
        assert [getattr(one, "text", "") for one in kept] == ["", "", "other words", 'They said "m%1" aloud.', "", None]
        assert "secret" not in "".join(one.model_dump_json() for one in kept)
        assert kept[1] == entries[0].model_copy(update={"text": "", "edited": True})

    async def test_an_edited_message_keeps_its_place_in_the_log(self, store: Store) -> None:
        """An edit is an entry of its own; what was written down before stays as it was."""
        epoch = await running(store)
        said = human(message_id="m1").model_copy(update={"seq": 2})
        edit = Revised(seq=3, at=NOW, message_id="m1", text="better words")

        await store.commit("p1", epoch, Write(entries=(said, edit)))

        assert (await store.load("p1")).entries == (opened(), said, edit)

    async def test_a_human_entry_keeps_its_message(self, store: Store) -> None:
        """The message id stays in the log, so that a later edit of the message finds its entry."""
        epoch = await running(store)
        entry = human(message_id="m7").model_copy(update={"seq": 2})

        await store.commit("p1", epoch, Write(entries=(entry,)))

        assert (await store.load("p1")).entries[1] == entry
