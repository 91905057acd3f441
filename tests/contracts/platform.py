"""What every chat platform keeps to. A subclass stages its platform; the tests are the port's promises."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, replace

import pytest

from bot.core.card import Button, Card, CardSeat
from bot.core.engine.splitting import split
from bot.core.errors import PostInDoubt, Throttled
from bot.core.place import Person, Place
from bot.core.platform import Attachment, ChatPlatform, Post, Speaker

PANEL = "discussion-abcd2345"
HOST = Speaker(short_name="host", name="Panelist", emoji="🎙️", is_host=True)
ADA = Speaker(short_name="ada", name="Ada", emoji="🦉")
BO = Speaker(short_name="bo", name="Bo", emoji="🐻")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One message of ours as people see it in the thread."""

    id: str
    name: str
    """As shown above the message, or in front of its words."""
    text: str


class Stage(ABC):
    """A platform with a place in it, and what a test must see and do there."""

    platform: ChatPlatform
    place: Place
    """Where a panel may start; its thread is made from the card."""

    @abstractmethod
    async def standing(self, place: Place) -> list[Standing]:
        """Our messages in the thread, oldest first, the card left out."""

    @abstractmethod
    async def shown_card(self, place: Place, card_id: str) -> str:
        """Everything that is written on the card now."""

    @abstractmethod
    async def lose_the_answer(self) -> None:
        """The next post takes effect, and its confirmation is lost; nothing where every answer arrives."""

    async def wait(self, seconds: float) -> None:
        """Let so much of the platform's time pass."""
        await asyncio.sleep(seconds)

    async def says(self, place: Place, text: str) -> str | None:
        """A human writes there; returns the message id, or None where nobody can write but through the program."""
        _ = place, text
        return None


def a_card(**changes: object) -> Card:
    """A card as the core makes it."""
    one = Card(
        panel=PANEL,
        format="discussion",
        title="Panel discussion",
        topic="Shall we rewrite it?",
        status="running",
        status_line="Running: before the first round · $0.00 spent",
        seats=(
            CardSeat(short_name="ada", name="Ada", emoji="🦉", reason="named", state="ok"),
            CardSeat(short_name="bo", name="Bo", emoji="🐻", reason="named", state="ok"),
        ),
        round=0,
        rounds_max=3,
        progress=0.0,
        turns=0,
        spent_usd=0.0,
        max_cost=None,
        priced=True,
        directives=(),
        notes=("rehearsal: no AI",),
        forecast="About 12 turns",
        decision="",
        buttons=(Button(label="Pause", word="pause"), Button(label="Stop", word="stop", style="danger")),
    )
    return replace(one, **changes)  # type: ignore[arg-type]  # the names are the card's own


def card_post() -> Post:
    return Post(
        panel=PANEL,
        turn=1,
        part=1,
        parts=1,
        kind="card",
        speaker=HOST,
        text="Panel discussion: Shall we rewrite it?",
        card=a_card(),
    )


def speech(turn: int, speaker: Speaker, text: str, *, part: int = 1, parts: int = 1, label: str = "") -> Post:
    return Post(
        panel=PANEL, turn=turn, part=part, parts=parts, kind="statement", speaker=speaker, text=text, label=label
    )


async def posted(stage: Stage, place: Place, post: Post) -> str:
    """The post's id, after as many waits as the platform asks for."""
    while True:
        try:
            return await stage.platform.post(place, post)
        except Throttled as fault:
            await stage.wait(fault.retry_after)


class PlatformContract(ABC):
    """Subclass it, and stage the platform."""

    @abstractmethod
    def staged(self) -> AbstractAsyncContextManager[Stage]:
        """The stage, for one test."""

    @pytest.fixture
    async def stage(self) -> AsyncIterator[Stage]:
        async with self.staged() as stage:
            yield stage

    @pytest.fixture
    async def thread(self, stage: Stage) -> Place:
        """A panel's thread: the card stands, the thread is made."""
        card_id = await stage.platform.post(stage.place, card_post())
        return await stage.platform.thread(stage.place, card_id)

    async def test_the_card_stands_first_and_is_found_by_its_key(self, stage: Stage) -> None:
        """A process that died behind the post must find it."""
        card_id = await stage.platform.post(stage.place, card_post())
        found = await stage.platform.find(stage.place, (card_post(),))

        assert found == {card_post().key: card_id}
        assert "Shall we rewrite it?" in await stage.shown_card(stage.place, card_id)

    async def test_the_thread_is_made_once_however_often_it_is_asked_for(self, stage: Stage) -> None:
        """A process may die between making the thread and writing it down."""
        card_id = await stage.platform.post(stage.place, card_post())
        first = await stage.platform.thread(stage.place, card_id)
        second = await stage.platform.thread(stage.place, card_id)

        assert first == second
        assert first.thread

    async def test_each_speaks_under_its_own_name_and_posts_keep_their_order(self, stage: Stage, thread: Place) -> None:
        """Two personas and the host, one after the other."""
        for turn, speaker in enumerate((ADA, BO, HOST), 2):
            await stage.platform.post(thread, speech(turn, speaker, f"I am number {turn}."))
        stand = await stage.standing(thread)

        assert [one.text for one in stand] == ["I am number 2.", "I am number 3.", "I am number 4."]
        assert ["Ada" in stand[0].name, "Bo" in stand[1].name] == [True, True]
        assert len({one.name for one in stand}) == 3

    async def test_the_round_s_line_stands_in_front_of_its_first_post(self, stage: Stage, thread: Place) -> None:
        """Never a post of its own."""
        await stage.platform.post(thread, speech(2, ADA, "I begin.", label="Round 1 of 3"))

        assert len(await stage.standing(thread)) == 1

    async def test_a_confirmed_post_is_found_and_one_never_sent_is_not(self, stage: Stage, thread: Place) -> None:
        """Reading back tells the two apart."""
        here, missing = speech(2, ADA, "I was sent."), speech(3, BO, "I was not.")
        message = await stage.platform.post(thread, here)

        assert await stage.platform.find(thread, (here, missing)) == {here.key: message}

    async def test_a_post_whose_confirmation_was_lost_is_found(self, stage: Stage, thread: Place) -> None:
        """It raises that it is in doubt, or it returns; it stands once either way."""
        post = speech(2, ADA, "Did you hear me? **I** said `so`.\n\n- twice\n- thrice", label="Round 1 of 3")
        await stage.lose_the_answer()
        with suppress(PostInDoubt):
            await stage.platform.post(thread, post)
        found = await stage.platform.find(thread, (post,))
        stand = await stage.standing(thread)

        assert found == {post.key: stand[0].id}
        assert len(stand) == 1

    async def test_the_same_words_of_another_turn_are_not_taken_for_this_one(self, stage: Stage, thread: Place) -> None:
        """The panel names its other messages."""
        before = speech(2, ADA, "I agree.")
        message = await stage.platform.post(thread, before)
        later = replace(speech(4, ADA, "I agree."), others=frozenset({message}))

        assert await stage.platform.find(thread, (later,)) == {}

    async def test_the_same_words_of_somebody_else_are_not_taken_for_this_one(
        self, stage: Stage, thread: Place
    ) -> None:
        """The speaker counts, too."""
        await stage.platform.post(thread, speech(2, ADA, "I agree."))

        assert await stage.platform.find(thread, (speech(3, BO, "I agree."),)) == {}

    async def test_parts_of_a_long_speech_fit_and_stand_in_order(self, stage: Stage, thread: Place) -> None:
        """`measure` and `max_chars` are what a post really takes."""
        able = await stage.platform.capabilities(thread)
        text = "\n\n".join(f"Paragraph {n}. " + "The longest of words & <signs> stay. " * 8 for n in range(30))
        pieces = split(text, min(able.max_chars, 4000), stage.platform.measure)
        for number, piece in enumerate(pieces, 1):
            post = speech(2, ADA, piece, part=number, parts=len(pieces), label="Round 1 of 3" if number == 1 else "")
            await posted(stage, thread, post)
        said = "".join(one.text for one in await stage.standing(thread))

        assert len(pieces) > 1
        assert [f"Paragraph {n}." in said for n in range(30)] == [True] * 30
        assert said.index("Paragraph 3.") < said.index("Paragraph 25.")

    async def test_what_is_measured_grows_with_the_text(self, stage: Stage) -> None:
        """Cutting searches for the longest head that fits."""
        text = "Words, **bold** & <marks>; `code` — 漢字 and 🦉 too. [a](https://a.test)"
        lengths = [stage.platform.measure(text[:end]) for end in range(len(text) + 1)]

        assert lengths == sorted(lengths)
        assert lengths[0] == 0

    async def test_a_card_s_new_state_is_shown_where_cards_can_be_edited(self, stage: Stage, thread: Place) -> None:
        """Best effort, and never an error."""
        card_id = next(iter((await stage.platform.find(stage.place, (card_post(),))).values()))
        able = await stage.platform.capabilities(thread)
        await stage.platform.edit_card(thread, card_id, a_card(status="paused", status_line="Paused: round 2 of 3"))

        if able.edits_card:
            for _ in range(500):
                if "Paused: round 2 of 3" in await stage.shown_card(thread, card_id):
                    return
                await asyncio.sleep(0.01)
            pytest.fail("the card's new state was never shown")

    async def test_a_post_can_be_pinned_and_unpinned_where_there_are_pins(self, stage: Stage, thread: Place) -> None:
        """An empty answer, or why not."""
        message = await stage.platform.post(thread, speech(2, HOST, "What we found."))
        able = await stage.platform.capabilities(thread)
        why_not = await stage.platform.pin(thread, message)
        await stage.platform.unpin(thread, message)

        assert (why_not == "") is able.pins

    async def test_what_is_taken_back_is_gone(self, stage: Stage, thread: Place) -> None:
        """A zombie's post must not stay."""
        post = speech(2, ADA, "Not me.")
        message = await stage.platform.post(thread, post)
        await stage.platform.take_back(thread, message)
        await stage.platform.take_back(thread, message)

        assert await stage.platform.find(thread, (post,)) == {}

    async def test_files_are_attached_once(self, stage: Stage, thread: Place) -> None:
        """A process that died behind it attaches them again under the same key."""
        files = (Attachment(name="talk.md", media_type="text/markdown", content=b"# Talk\n"),)
        first = await stage.platform.attach(thread, f"{PANEL}:files", files)
        second = await stage.platform.attach(thread, f"{PANEL}:files", files)

        assert first == second

    async def test_receipts_and_whispers_never_fail(self, stage: Stage, thread: Place) -> None:
        """Even for a message or a person that is gone."""
        person = Person(id="1", name="Nobody")
        await stage.platform.react(thread, "1", "👀")
        await stage.platform.whisper(thread, person, "The panel is paused already.")
        await stage.platform.thinking(thread, ADA)

        assert isinstance(await stage.platform.permalink(thread, "1"), str)

    async def test_what_was_missed_comes_once_in_order_and_none_of_our_own(self, stage: Stage, thread: Place) -> None:
        """After the message that was seen last."""
        seen = await stage.says(thread, "seen before")
        await stage.platform.post(thread, speech(2, ADA, "ours"))
        await stage.platform.post(thread, speech(3, HOST, "ours, too"))
        said = [await stage.says(thread, text) for text in ("one", "two", "three")]
        missed = [heard async for heard in stage.platform.missed(thread, seen or "")]

        if seen is None:
            assert missed == []
        else:
            assert [(heard.message_id, heard.text) for heard in missed] == list(
                zip(said, ("one", "two", "three"), strict=True)
            )
            assert all(heard.place == thread for heard in missed)
