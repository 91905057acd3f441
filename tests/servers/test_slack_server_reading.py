"""conversations.*, users.*, pins.* and reactions.* as the SDK's client meets them."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import Rates, SlackServer
from tests.servers.slack_app import client, refused


async def test_metadata_is_whole_only_when_asked_for(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Without include_all_metadata the event_type alone comes back."""
    general = slack.channel("general").id
    metadata = {"event_type": "turn", "event_payload": {"turn": 3}}
    sent = await bot.chat_postMessage(channel=general, text="x", metadata=metadata)

    short = await bot.conversations_replies(channel=general, ts=sent["ts"])
    full = await bot.conversations_replies(channel=general, ts=sent["ts"], include_all_metadata=True)

    assert short["messages"][0]["metadata"] == {"event_type": "turn"}
    assert full["messages"][0]["metadata"] == metadata


async def test_a_thread_comes_oldest_first_in_pages(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The cursor leads through every page, to the last message."""
    root = slack.say("ada", "general", "root")
    for number in range(5):
        slack.say("ben", "general", str(number), thread_ts=root.ts)

    pages = await bot.conversations_replies(channel=root.channel, ts=root.ts, limit=2)
    texts = [message["text"] async for page in pages for message in page["messages"]]

    assert texts == ["root", "0", "1", "2", "3", "4"]


async def test_replies_since_a_moment_keep_the_root(slack: SlackServer, bot: AsyncWebClient) -> None:
    """`oldest` leaves out what was read already, yet the root stays in front."""
    root = slack.say("ada", "general", "root")
    seen = slack.say("ben", "general", "seen", thread_ts=root.ts)
    slack.say("ben", "general", "new", thread_ts=root.ts)

    answer = await bot.conversations_replies(channel=root.channel, ts=root.ts, oldest=seen.ts)

    assert [message["text"] for message in answer["messages"]] == ["root", "new"]


async def test_one_reply_by_its_link(slack: SlackServer, bot: AsyncWebClient) -> None:
    """oldest and latest at the reply's ts, inclusive, find it alone."""
    root = slack.say("ada", "general", "root")
    reply = slack.say("ben", "general", "this one", thread_ts=root.ts)

    answer = await bot.conversations_replies(
        channel=root.channel, ts=reply.ts, oldest=reply.ts, latest=reply.ts, inclusive=True, limit=1
    )

    assert [message["text"] for message in answer["messages"]] == ["this one"]


async def test_history_shows_roots_newest_first(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Replies stand in their thread alone."""
    first = slack.say("ada", "general", "first")
    slack.say("ben", "general", "reply", thread_ts=first.ts)
    slack.say("ada", "general", "second")

    answer = await bot.conversations_history(channel=first.channel)

    assert [message["text"] for message in answer["messages"]] == ["second", "first"]
    assert answer["messages"][1]["reply_count"] == 1


async def test_an_app_outside_the_marketplace_gets_fifteen_a_page_once_a_minute() -> None:
    """The limit of 2025 for distributed apps."""
    clock = [0.0]
    async with SlackServer(rates=Rates.outside_marketplace(), now=lambda: clock[0]) as slack:
        root = slack.say("ada", "general", "root")
        for number in range(20):
            slack.say("ben", "general", str(number), thread_ts=root.ts)
        bot = client(slack)

        page = await bot.conversations_replies(channel=root.channel, ts=root.ts, limit=200)
        again = await refused(bot.conversations_replies(channel=root.channel, ts=root.ts))
        clock[0] += 60
        later = await bot.conversations_replies(channel=root.channel, ts=root.ts)

    assert len(page["messages"]) == len(later["messages"]) == 15
    assert page["has_more"]
    assert again == "ratelimited"


async def test_private_channels_exist_for_their_members_alone(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The bot sees #lab, where it is, and not #board; each kind has its scope."""
    inside = await bot.conversations_info(channel=slack.channel("lab").id)
    outside = await refused(bot.conversations_members(channel=slack.channel("board").id))
    slack.drop_scope("groups:read")
    scopeless = await refused(bot.conversations_info(channel=slack.channel("lab").id))

    assert inside["channel"]["is_member"]
    assert outside == "channel_not_found"
    assert scopeless == "missing_scope"


async def test_members_and_lists(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Members by id; lists leave out foreign private channels, and archived ones when asked."""
    members = await bot.conversations_members(channel=slack.channel("lab").id)
    channels = await bot.conversations_list(types="public_channel,private_channel", exclude_archived=True)

    assert members["members"] == [slack.user("ada").id, slack.user("iris").id, slack.installation.bot_user]
    assert [channel["name"] for channel in channels["channels"]] == ["general", "partners", "lab"]


@pytest.mark.parametrize(
    ("name", "fact"), [("iris", "is_admin"), ("gus", "is_restricted"), ("zoe", "is_stranger"), ("Panel", "is_bot")]
)
async def test_kinds_of_people(slack: SlackServer, bot: AsyncWebClient, name: str, fact: str) -> None:
    """Admin, guest, stranger, bot: each by its own flag."""
    user = (await bot.users_info(user=slack.user(name).id))["user"]

    flags = ("is_admin", "is_restricted", "is_stranger", "is_bot")
    assert [flag for flag in flags if user[flag]] == [fact]
    assert (user["team_id"] != slack.workspace.id) == (fact == "is_stranger")


async def test_methods_whose_scope_the_manifest_lacks(slack: SlackServer, bot: AsyncWebClient) -> None:
    """What the app did not ask for is refused."""
    assert await refused(bot.team_info()) == "missing_scope"
    assert await refused(bot.conversations_join(channel=slack.channel("general").id)) == "missing_scope"
    assert await refused(bot.conversations_open(users=slack.user("ada").id)) == "missing_scope"


async def test_pins_have_a_limit(bot: AsyncWebClient) -> None:
    """Twice is already_pinned, one too many is too_many_pins, and one unpinned makes room."""
    async with SlackServer(rates=Rates.none(), pins=1) as slack:
        first, second = slack.say("ada", "general", "1"), slack.say("ada", "general", "2")
        general, here = first.channel, client(slack)
        await here.pins_add(channel=general, timestamp=first.ts)
        again = await refused(here.pins_add(channel=general, timestamp=first.ts))
        full = await refused(here.pins_add(channel=general, timestamp=second.ts))
        await here.pins_remove(channel=general, timestamp=first.ts)
        await here.pins_add(channel=general, timestamp=second.ts)
        gone = await refused(here.pins_remove(channel=general, timestamp=first.ts))
        pins = await here.pins_list(channel=general)

    assert (again, full, gone) == ("already_pinned", "too_many_pins", "no_pin")
    assert [item["message"]["ts"] for item in pins["items"]] == [second.ts]


async def test_what_can_not_be_pinned_or_reacted_to(slack: SlackServer, bot: AsyncWebClient) -> None:
    """System messages, missing messages, archived channels."""
    system = slack.system_message("general")
    general = system.channel

    assert await refused(bot.pins_add(channel=general, timestamp=system.ts)) == "not_pinnable"
    assert await refused(bot.pins_add(channel=general)) == "no_item_specified"
    assert await refused(bot.pins_add(channel=general, timestamp="1503435956.000247")) == "message_not_found"
    slack.archive("general")
    assert await refused(bot.reactions_add(channel=general, timestamp=system.ts, name="eyes")) == "is_archived"


async def test_reactions(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Once each; a name without colons; only one's own can be taken back."""
    message = slack.say("ada", "general", "hm")
    where = {"channel": message.channel, "timestamp": message.ts}

    await bot.reactions_add(name="eyes", **where)
    twice = await refused(bot.reactions_add(name="eyes", **where))
    colons = await refused(bot.reactions_add(name=":eyes:", **where))
    await bot.reactions_remove(name="eyes", **where)
    none = await refused(bot.reactions_remove(name="eyes", **where))

    assert (twice, colons, none) == ("already_reacted", "invalid_name", "no_reaction")
    assert message.reactions == {}
