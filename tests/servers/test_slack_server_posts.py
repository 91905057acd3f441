"""chat.* as the SDK's client meets it."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import Rates, SlackServer
from tests.servers.slack_app import client, refused


async def test_plain_post_carries_the_bots_user(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Without a custom name the answer has user, bot_id and no subtype."""
    answer = await bot.chat_postMessage(channel=slack.channel("general").id, text="hello")

    assert answer["message"]["user"] == slack.installation.bot_user
    assert answer["message"]["bot_id"] == slack.installation.bot_id
    assert "subtype" not in answer["message"]


async def test_customised_post_has_no_user(slack: SlackServer, bot: AsyncWebClient) -> None:
    """A custom name makes a bot_message without `user`; the emoji wins over the picture's address."""
    answer = await bot.chat_postMessage(
        channel=slack.channel("general").id, text="hi", username="Ada (AI)", icon_emoji=":owl:", icon_url="http://x/y"
    )

    message = answer["message"]
    assert (message["subtype"], message["username"]) == ("bot_message", "Ada (AI)")
    assert message["icons"] == {"emoji": ":owl:"}
    assert "user" not in message


async def test_identity_without_its_scope_is_ignored_or_refused() -> None:
    """Both behaviours are reported of Slack; the server has both."""
    async with SlackServer(rates=Rates.none()) as lenient:
        lenient.drop_scope("chat:write.customize")
        general = lenient.channel("general").id
        answer = await client(lenient).chat_postMessage(channel=general, text="hi", username="Ada (AI)")
    async with SlackServer(rates=Rates.none(), unlicensed_face="refused") as strict:
        strict.drop_scope("chat:write.customize")
        general = strict.channel("general").id
        code = await refused(client(strict).chat_postMessage(channel=general, text="hi", username="Ada (AI)"))

    assert "username" not in answer["message"]
    assert code == "missing_scope"


async def test_update_drops_identity_and_unsent_blocks(slack: SlackServer, bot: AsyncWebClient) -> None:
    """An edit goes out under the app's own name, with the blocks that were sent again and no others."""
    general = slack.channel("general")
    block = {"type": "section", "text": {"type": "mrkdwn", "text": "x"}}
    sent = await bot.chat_postMessage(channel=general.id, text="x", blocks=[block], username="Ada (AI)")

    await bot.chat_update(channel=general.id, ts=sent["ts"], text="y")

    [message] = slack.posts("general")
    assert (message.username, message.blocks, message.text) == (None, [], "y")


async def test_update_refuses_an_identity(slack: SlackServer, bot: AsyncWebClient) -> None:
    """username is no documented argument of chat.update."""
    general = slack.channel("general").id
    sent = await bot.chat_postMessage(channel=general, text="x")

    code = await refused(bot.chat_update(channel=general, ts=sent["ts"], text="y", username="Ada"))

    assert code == "invalid_arguments"


async def test_text_limits(slack: SlackServer, bot: AsyncWebClient) -> None:
    """chat.postMessage cuts at 40,000 characters; chat.update refuses more than 4,000."""
    general = slack.channel("general").id
    sent = await bot.chat_postMessage(channel=general, text="a" * 40_001)

    code = await refused(bot.chat_update(channel=general, ts=sent["ts"], text="a" * 4_001))

    assert len(slack.posts("general")[0].text) == 40_000
    assert code == "msg_too_long"


@pytest.mark.parametrize(
    ("blocks", "code"),
    [
        ([{"type": "divider"}] * 51, "invalid_blocks"),
        ([{"type": "section", "text": {"type": "mrkdwn", "text": "a" * 3001}}], "invalid_blocks"),
        ([{"type": "header", "text": {"type": "plain_text", "text": "a" * 151}}], "invalid_blocks"),
        ([{"type": "header", "text": {"type": "mrkdwn", "text": "a"}}], "invalid_blocks"),
        ([{"type": "markdown", "text": "a" * 12_001}], "invalid_blocks"),
        ([{"type": "markdown", "text": "a" * 6_001}, {"type": "markdown", "text": "b" * 6_000}], "msg_blocks_too_long"),
        ([{"type": "divider", "colour": "red"}], "invalid_blocks"),
        ([{"type": "divider", "block_id": "a"}, {"type": "divider", "block_id": "a"}], "invalid_blocks"),
        ([{"type": "divider", "block_id": "a" * 256}], "invalid_blocks"),
        ([{"type": "context", "elements": [{"type": "mrkdwn", "text": "a"}] * 11}], "invalid_blocks"),
        ([{"type": "marquee"}], "invalid_blocks"),
    ],
)
async def test_blocks_over_the_limits_are_refused(
    slack: SlackServer, bot: AsyncWebClient, blocks: list[dict[str, object]], code: str
) -> None:
    """Block Kit's limits hold for messages."""
    assert await refused(bot.chat_postMessage(channel=slack.channel("general").id, text="x", blocks=blocks)) == code


@pytest.mark.parametrize(
    "button",
    [
        {"text": {"type": "plain_text", "text": "a" * 76}},
        {"text": {"type": "mrkdwn", "text": "a"}},
        {"text": {"type": "plain_text", "text": "a"}, "value": "a" * 2001},
        {"text": {"type": "plain_text", "text": "a"}, "action_id": "a" * 256},
        {"text": {"type": "plain_text", "text": "a"}, "url": "a" * 3001},
        {"text": {"type": "plain_text", "text": "a"}, "style": "blue"},
        {"text": {"type": "plain_text", "text": ""}},
    ],
)
async def test_a_buttons_limits(slack: SlackServer, bot: AsyncWebClient, button: dict[str, object]) -> None:
    """Label 75, value 2,000, address 3,000, action_id 255, two styles."""
    blocks = [{"type": "actions", "elements": [{"type": "button", **button}]}]

    assert await refused(bot.chat_postMessage(channel=slack.channel("general").id, text="x", blocks=blocks)) == (
        "invalid_blocks"
    )


async def test_a_reply_goes_to_the_root_only(slack: SlackServer, bot: AsyncWebClient) -> None:
    """A reply's ts is no thread."""
    general = slack.channel("general").id
    root = slack.say("ada", "general", "root")
    reply = slack.say("ben", "general", "reply", thread_ts=root.ts)

    code = await refused(bot.chat_postMessage(channel=general, text="x", thread_ts=reply.ts))

    assert code == "cannot_reply_to_message"


async def test_thread_ts_must_be_a_string(slack: SlackServer, bot: AsyncWebClient) -> None:
    """A float loses digits; it is refused before it can."""
    root = slack.say("ada", "general", "root")

    call = bot.chat_postMessage(channel=slack.channel("general").id, text="x", thread_ts=float(root.ts))  # type: ignore[arg-type]  # the point

    assert await refused(call) == "invalid_arguments"


async def test_reply_to_a_deleted_root_lands_in_the_channel(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Slack un-threads it silently: only the missing thread_ts in the answer tells."""
    root = slack.say("ada", "general", "root")
    slack.delete(root)

    answer = await bot.chat_postMessage(channel=slack.channel("general").id, text="x", thread_ts=root.ts)

    assert "thread_ts" not in answer["message"]


async def test_a_deleted_root_with_replies_leaves_a_gravestone(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The thread lives on under it."""
    root = slack.say("ada", "general", "root")
    slack.say("ben", "general", "reply", thread_ts=root.ts)
    slack.delete(root)

    answer = await bot.chat_postMessage(channel=slack.channel("general").id, text="x", thread_ts=root.ts)
    thread = await bot.conversations_replies(channel=slack.channel("general").id, ts=root.ts)

    assert answer["message"]["thread_ts"] == root.ts
    assert [m.get("subtype") for m in thread["messages"]] == ["tombstone", None, None]


@pytest.mark.parametrize(
    ("where", "code"),
    [("attic", "is_archived"), ("board", "channel_not_found"), ("C0NOWHERE", "channel_not_found")],
)
async def test_places_where_the_bot_may_not_post(
    slack: SlackServer, bot: AsyncWebClient, where: str, code: str
) -> None:
    """Archived, private without the bot, unknown."""
    channel = where if where.startswith("C0N") else slack.channel(where).id

    assert await refused(bot.chat_postMessage(channel=channel, text="x")) == code


async def test_a_bot_that_was_removed_is_not_in_the_channel(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Public: not_in_channel."""
    slack.kick_bot("general")

    assert await refused(bot.chat_postMessage(channel=slack.channel("general").id, text="x")) == "not_in_channel"


async def test_unknown_arguments_are_refused(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The documentation names every argument there is."""
    code = await refused(bot.chat_postMessage(channel=slack.channel("general").id, text="x", colour="red"))

    assert code == "invalid_arguments"


async def test_metadata_is_checked_and_measured(slack: SlackServer, bot: AsyncWebClient) -> None:
    """event_type and event_payload, within the size."""
    general = slack.channel("general").id
    bad = await refused(bot.chat_postMessage(channel=general, text="x", metadata={"event_type": "turn"}))
    big = {"event_type": "turn", "event_payload": {"x": "a" * 3000}}
    large = await refused(bot.chat_postMessage(channel=general, text="x", metadata=big))

    assert (bad, large) == ("invalid_metadata_format", "metadata_too_large")


async def test_another_authors_message_is_not_the_bots_to_change(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Neither edit nor delete."""
    theirs = slack.say("ada", "general", "mine")
    general = slack.channel("general").id

    edit = await refused(bot.chat_update(channel=general, ts=theirs.ts, text="x"))
    delete = await refused(bot.chat_delete(channel=general, ts=theirs.ts))

    assert (edit, delete) == ("cant_update_message", "cant_delete_message")


async def test_missing_scope_names_needed_and_provided(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The answer tells which scope; auth.test shows those granted in a header."""
    slack.drop_scope("chat:write")
    granted = (await bot.auth_test()).headers["x-oauth-scopes"]

    with pytest.raises(SlackApiError) as caught:
        await bot.chat_postMessage(channel=slack.channel("general").id, text="x")

    assert caught.value.response["needed"] == "chat:write"
    assert caught.value.response["provided"] == granted
    assert "chat:write" not in granted.split(",")


@pytest.mark.parametrize("standing", ["token_revoked", "account_inactive"])
async def test_dead_tokens(slack: SlackServer, standing: str) -> None:
    """Revoked and uninstalled tokens have errors of their own; a wrong one is invalid_auth."""
    bot = client(slack)
    slack.installation.standing = standing  # type: ignore[assignment]  # one of the literals

    assert await refused(bot.auth_test()) == standing
    assert await refused(client(slack, "xoxb-wrong").auth_test()) == "invalid_auth"
    assert await refused(client(slack, "").auth_test()) == "not_authed"


async def test_an_ephemeral_post_reaches_one_member_alone(slack: SlackServer, bot: AsyncWebClient) -> None:
    """It is in no history, and strangers to the channel can not get one."""
    general, lab = slack.channel("general").id, slack.channel("lab").id
    await bot.chat_postEphemeral(channel=general, user=slack.user("ada").id, text="only you")

    outside = await refused(bot.chat_postEphemeral(channel=lab, user=slack.user("ben").id, text="x"))

    assert [whisper.text for whisper in slack.whispers_to("ada")] == ["only you"]
    assert slack.posts("general") == []
    assert outside == "user_not_in_channel"


async def test_permalinks_have_slacks_form(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The ts without its dot; a reply's link names its thread."""
    root = slack.say("ada", "general", "root")
    reply = slack.say("ben", "general", "reply", thread_ts=root.ts)
    general = slack.channel("general").id

    answer = await bot.chat_getPermalink(channel=general, message_ts=reply.ts)

    digits = reply.ts.replace(".", "")
    assert answer["permalink"] == (
        f"https://acme.slack.com/archives/{general}/p{digits}?thread_ts={root.ts}&cid={general}"
    )


async def test_an_icon_must_be_an_emojis_name(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Slack shows the app's own icon instead, and says nothing; the server does."""
    general = slack.channel("general").id
    for icon in (":compass:", "🧭", ":no_such_emoji:"):
        await bot.chat_postMessage(channel=general, text="x", username="Ada (AI)", icon_emoji=icon)

    assert [post.icons for post in slack.posts("general")] == [{"emoji": ":compass:"}, None, None]
    assert len(slack.complaints) == 2


async def test_a_users_id_stands_for_the_direct_message(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The app may write to a person without any im scope."""
    answer = await bot.chat_postMessage(channel=slack.user("ada").id, text="hello")

    assert answer["channel"].startswith("D")
    assert [post.text for post in slack.posts(answer["channel"])] == ["hello"]
