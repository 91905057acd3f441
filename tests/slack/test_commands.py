"""`/panel …`: every form of it, and every way in which it can be wrong."""

from pathlib import Path

import pytest

from tests.servers.slack import Message, SlackServer, Slow
from tests.slack.house import house
from tests.slack.stages import server
from tests.slack.talk import SHORT, begun, buttons, shown, status, told


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("discuss X --wih ada", "Did you mean --with"),
        ("discuss X --rounds 0", "from 1 to 200"),
        ("discuss X --with nobody-of-that-name", "No persona is called"),
        ("discuss X --with engineer-lens", "two voices"),
        ("discuss X --max-cost -1", "US dollars above 0"),
        ("debate", "needs a question"),
        ("review", "There is no target"),
        ("review https://example.com/spec", "paste the text or attach the file"),
        ("review docs:design/auth.md", "root"),
        ("persona show nobody", "No persona is called"),
        ("settings who-starts everybody", "members"),
    ],
)
async def test_what_is_wrong_is_told_to_the_asker_alone(tmp_path: Path, words: str, remedy: str) -> None:
    """One sentence with the remedy; nothing is posted."""
    async with server() as slack, house(slack, tmp_path) as it:
        ack = await slack.slash("iris", "general", words)
        await slack.until(lambda: slack.whispers_to("iris"))
        await it.settled()

    assert ack.ok
    assert remedy in told(slack, "iris")
    assert slack.posts("general") == []
    assert [whisper.via for whisper in slack.whispers] == ["response_url"]


async def test_a_word_of_the_desk_matches_only_alone(tmp_path: Path) -> None:
    """ "status of our API" is a topic."""
    async with server() as slack, house(slack, tmp_path) as it:
        card = await begun(it, "status of our API --rounds 1 --with engineer-lens,pm-lens")
        await slack.slash("ada", "general", "status")
        await slack.until(lambda: slack.whispers_to("ada"))

    assert "status of our API" in card.shown
    assert "Open panels" in told(slack, "ada")


async def test_the_desk_answers_the_asker(tmp_path: Path) -> None:
    """Personas, help, list; presets are kept and run."""
    async with server() as slack, house(slack, tmp_path) as it:
        for words in ("personas", "help", "list", f"preset save weekly {SHORT}"):
            await slack.slash("ada", "general", words)
        await slack.until(lambda: "`/panel weekly`" in told(slack, "ada"))
        card = await begun(it, "weekly")

    assert "engineer-lens" in told(slack, "ada")
    assert "Say it as the whole message" in told(slack, "ada")
    assert "no panels yet" in told(slack, "ada")
    assert "Shall we rewrite billing?" in card.shown
    assert slack.complaints == []


async def test_settings_are_shown_with_a_form_and_changed_in_it(tmp_path: Path) -> None:
    """Only by those who may; the change counts at once."""
    async with server() as slack, house(slack, tmp_path) as it:
        await slack.slash("iris", "general", "settings")
        await slack.until(lambda: [view for view in slack.views.values() if view.open])
        wrong = await slack.submit("iris", {"max-cost": "much"})
        right = await slack.submit("iris", {"max-cost": "1.50", "ai-suffix": "off"})
        await slack.until(lambda: "1.50" in told(slack, "iris"))
        card = await begun(it)
        await slack.slash("ada", "general", "settings ai-suffix on")
        await slack.until(lambda: slack.whispers_to("ada"))

    assert "dollars" in next(iter(wrong.errors.values()))
    assert right.errors == {}
    assert "of $1.50 spent" in card.shown
    assert {post.username for post in slack.posts("general") if post.username} <= {
        "Yuki, Engineer Lens",
        "Odile, PM Lens",
    }
    assert "Only admins" in told(slack, "ada")


async def test_a_persona_is_written_and_edited_in_a_form(tmp_path: Path) -> None:
    """Its file stands in fields that Slack takes."""
    async with server() as slack, house(slack, tmp_path) as it:
        await slack.slash("iris", "general", "persona add")
        await slack.until(lambda: [view for view in slack.views.values() if view.open])
        done = await slack.submit("iris", {"name": "Otto", "text#1": "Counts every cent, twice. Hates leases."})
        await slack.until(lambda: "otto" in told(slack, "iris").casefold())
        card = await begun(it, "discuss Leases? --rounds 1 --with otto,engineer-lens")

    assert done.errors == {}
    assert "Otto" in card.shown


async def test_where_the_bot_is_not_it_says_how_to_invite_it(tmp_path: Path) -> None:
    """Private channels, archived ones, direct messages."""
    async with server() as slack, house(slack, tmp_path):
        slack.add_channel("plaza", ["ada"], bot=False)
        for channel in ("plaza", "board"):
            await slack.slash("iris" if channel == "board" else "ada", channel, SHORT)
        await slack.slash("ben", "attic", SHORT)
        direct = slack.workspace.direct(slack.user("gus"))
        await slack.slash("gus", direct, SHORT)
        await slack.until(lambda: len(slack.whispers) == 4)

    assert ["/invite" in shown(whisper) for whisper in slack.whispers[:2]] == [True, True]
    assert "archived" in told(slack, "ben")
    assert "channels" in told(slack, "gus")


async def test_guests_and_strangers_do_not_start_panels(tmp_path: Path) -> None:
    """They are told who can."""
    async with server() as slack, house(slack, tmp_path):
        await slack.slash("gus", "general", SHORT)
        slack.say("zoe", "partners", "@panel discuss the price --rounds 1")
        await slack.until(lambda: slack.whispers_to("gus") and slack.whispers_to("zoe"))

    assert "Guests can contribute" in told(slack, "gus")
    assert "Guests can contribute" in told(slack, "zoe")
    assert slack.posts("partners") == []


async def test_a_command_is_confirmed_although_slack_is_slow_elsewhere(tmp_path: Path) -> None:
    """Nothing that takes long stands between the command and its confirmation."""
    async with server() as slack, house(slack, tmp_path):
        slack.fault("users.info", Slow(seconds=1.0), times=3)
        slack.fault("conversations.info", Slow(seconds=1.0), times=3)
        ack = await slack.slash("ada", "general", SHORT)

    assert ack.ok
    assert (ack.latency or 9) < 0.3


async def test_a_paused_panel_of_the_channel_is_asked_about_first(tmp_path: Path) -> None:
    """Go on with it, or start the new one all the same."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        slack.say("ada", "general", "pause", thread_ts=card.ts)
        await status(it, "paused")
        await slack.slash("ada", "general", SHORT.replace("billing", "search"))
        question = (await slack.until(lambda: slack.whispers_to("ada")))[-1]
        await slack.press("ada", question, "Start mine")
        await slack.until(lambda: len(cards(slack)) == 2)
        await slack.slash("ben", "general", SHORT)
        other = (await slack.until(lambda: slack.whispers_to("ben")))[-1]
        await slack.press("ben", other, "Go on with it")
        await slack.until(lambda: len(slack.whispers_to("ben")) > 1)

    assert "round 1 of 8" in shown(question)
    assert buttons(question) == ["Go on with it", "Start mine"]
    assert "goes on" in told(slack, "ben").casefold() or "round" in told(slack, "ben")


def cards(slack: SlackServer) -> list[Message]:
    """The cards in #general."""
    return [post for post in slack.posts("general") if post.blocks[:1] and post.blocks[0]["type"] == "header"]
