"""`@panel …`: the same words in channels and threads; one mention is two events and one answer."""

from pathlib import Path

import pytest

from tests.servers.slack import Message, SlackServer
from tests.slack.house import house
from tests.slack.stages import server
from tests.slack.talk import SHORT, TWO, begun, buttons, shown, status, told


async def root_of(slack: SlackServer, channel: str = "general") -> Message:
    await slack.until(lambda: slack.posts(channel), 10)
    return slack.posts(channel)[0]


async def test_a_mention_in_a_channel_starts_one_panel(tmp_path: Path) -> None:
    """Its two events, and both again, start nothing twice."""
    async with server() as slack, house(slack, tmp_path) as it:
        said = slack.say("ada", "general", f"@panel {SHORT}")
        await slack.until(lambda: slack.channel("general").pins, 15)
        slack.replay(said)
        await it.settled()
        rows = await it.panels()

    assert len(rows) == 1
    assert rows[0].topic == "Shall we rewrite billing?"
    assert "eyes" in said.reactions


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
async def test_whichever_event_comes_first(tmp_path: Path, order: list[int]) -> None:
    """Slack gives no order between `message` and `app_mention`."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.hold_events()
        slack.say("ada", "general", f"@panel {SHORT}")
        slack.release_events(order)
        await slack.until(lambda: slack.channel("general").pins, 15)
        await it.settled()
        rows = await it.panels()

    assert len(rows) == 1


async def test_in_a_thread_the_thread_is_the_topic(tmp_path: Path) -> None:
    """And the card says so; the panel stands in that thread."""
    async with server() as slack, house(slack, tmp_path) as it:
        root = slack.say("ben", "general", "Our invoices are late since March.")
        slack.say("iris", "general", "It is the exporter.", thread_ts=root.ts)
        slack.say("ada", "general", f"@panel discuss --rounds 1 {TWO}", thread_ts=root.ts)
        card = await root_of(slack)
        await status(it, "finished")
        loaded = await it.store.load((await it.panels())[0].id)

    assert card.thread_ts == root.ts
    text = str(loaded.entries[0])
    assert "ben: Our invoices are late since March." in text
    assert "iris: It is the exporter." in text
    assert "@panel discuss" not in text
    assert "thread" in card.shown


async def test_council_this_judges_the_thread(tmp_path: Path) -> None:
    """`@panel council this`."""
    async with server() as slack, house(slack, tmp_path) as it:
        root = slack.say("ben", "general", "Proposal: move billing to events, drop the nightly batch.")
        slack.say("ada", "general", "@panel council this --max-rounds 1", thread_ts=root.ts)
        await root_of(slack)
        await status(it, "finished", 30)
        loaded = await it.store.load((await it.panels())[0].id)

    assert "Proposal: move billing to events" in str(loaded.entries[0])
    assert slack.complaints == []


async def test_another_panel_in_the_same_thread_is_refused_with_the_remedy(tmp_path: Path) -> None:
    """One open panel a thread; the running one is not disturbed."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        asked = slack.say("ben", "general", "@panel discuss lunch", thread_ts=card.ts)
        await slack.until(lambda: slack.whispers_to("ben"))
        await slack.until(lambda: asked.reactions)
        rows = await it.panels()

    assert "a panel is open in this thread" in told(slack, "ben").casefold()
    assert list(asked.reactions) == ["question"]
    assert len(rows) == 1


async def test_a_mention_in_a_panel_s_thread_is_steering(tmp_path: Path) -> None:
    """`@panel stop`, and after the end a question to the host."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        card = await begun(it)
        slack.say("ada", "general", "@panel stop", thread_ts=card.ts)
        await status(it, "stopped")
        before = len(slack.posts("general", card.ts))
        slack.say("ben", "general", "@panel what was the strongest point?", thread_ts=card.ts)
        await slack.until(lambda: len(slack.posts("general", card.ts)) > before, 10)
        rows = await it.panels()

    assert len(rows) == 1


async def test_called_without_words_it_offers_the_form(tmp_path: Path) -> None:
    """To the one who called alone."""
    async with server() as slack, house(slack, tmp_path):
        slack.say("ada", "general", "@panel")
        whisper = (await slack.until(lambda: slack.whispers_to("ada")))[0]
        await slack.press("ada", whisper, "Fill in the form")
        view = (await slack.until(lambda: [view for view in slack.views.values() if view.open]))[0]

    assert "discuss" in shown(whisper)
    assert view.body["title"]["text"] == "New panel"
    assert len(slack.whispers) == 1


async def test_a_bot_that_is_only_spoken_of_starts_nothing(tmp_path: Path) -> None:
    """In the middle of a sentence its name is a name; a command behind it is one."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.say("ada", "general", "I liked what @panel said yesterday")
        await slack.until(lambda: slack.whispers_to("ada"))
        none = await it.panels()
        slack.say("ben", "general", f"Good idea! @panel {SHORT}")
        await status(it, "finished", 15)
        rows = await it.panels()

    assert none == ()
    assert "fill in the form" in shown(slack.whispers_to("ada")[0])
    assert rows[0].topic == "Shall we rewrite billing?"


async def test_the_desk_is_asked_by_mention_too(tmp_path: Path) -> None:
    """A form opens by a button, because a message brings no right to open one."""
    async with server() as slack, house(slack, tmp_path):
        slack.say("iris", "general", "@panel settings")
        whisper = (await slack.until(lambda: slack.whispers_to("iris")))[0]
        await slack.press("iris", whisper, buttons(whisper)[0])
        view = (await slack.until(lambda: [view for view in slack.views.values() if view.open]))[0]

    assert "`who-starts`" in shown(whisper)
    assert view.body["title"]["text"] == "Settings"


async def test_wrong_words_are_told_and_shown_by_a_sign(tmp_path: Path) -> None:
    """❓ and a line for the author."""
    async with server() as slack, house(slack, tmp_path) as it:
        said = slack.say("ada", "general", "@panel discuss X --wih ada")
        await slack.until(lambda: said.reactions and slack.whispers_to("ada"))
        slack.replay(said)
        await it.settled()

    assert list(said.reactions) == ["question"]
    assert "Did you mean --with" in told(slack, "ada")
    assert len(slack.whispers) == 1


async def test_talk_about_the_bot_elsewhere_is_left_alone(tmp_path: Path) -> None:
    """Messages that neither call it nor stand in its threads: nothing is asked, said or stored."""
    async with server() as slack, house(slack, tmp_path) as it:
        await it.settled()
        calls = len(slack.calls)
        slack.say("ada", "general", "the panel was right yesterday")
        await it.settled()

    assert slack.posts("general") == []
    assert len(slack.calls) == calls
