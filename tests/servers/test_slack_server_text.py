"""What a post does to people: pings, links, previews, pictures; and how text is escaped both ways."""

from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import SlackServer

QUIET: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("<!channel> look", ["channel"]),
        ("<!here|here>", ["here"]),
        ("<@U123>, see `<@U456>`", ["U123", "U456"]),
        ("<!subteam^S123>", ["S123"]),
        ("&lt;!channel&gt; and @channel and <!date^1392734382^{date}|then>", []),
    ],
)
async def test_live_tokens_call_people(slack: SlackServer, bot: AsyncWebClient, text: str, called: list[str]) -> None:
    """In the text, in mrkdwn objects and in markdown blocks; escaped ones are dead."""
    general = slack.channel("general").id
    await bot.chat_postMessage(channel=general, text=text)
    mrkdwn = {"type": "section", "text": {"type": "mrkdwn", "text": text}}
    await bot.chat_postMessage(channel=general, text="x", blocks=[mrkdwn])
    await bot.chat_postMessage(channel=general, text="x", blocks=[{"type": "markdown", "text": text}])

    assert [list(post.effects.pings) for post in slack.posts("general")] == [called] * 3


async def test_plain_text_objects_call_nobody(slack: SlackServer, bot: AsyncWebClient) -> None:
    """A header shows the token's characters."""
    header = {"type": "header", "text": {"type": "plain_text", "text": "<!channel>"}}
    await bot.chat_postMessage(channel=slack.channel("general").id, text="x", blocks=[header])

    assert slack.pings() == []


async def test_bare_names_live_with_link_names_and_in_edits(slack: SlackServer, bot: AsyncWebClient) -> None:
    """chat.update reads names unless parse is none."""
    general = slack.channel("general").id
    sent = await bot.chat_postMessage(channel=general, text="@channel", link_names=True)
    other = await bot.chat_postMessage(channel=general, text="fine")
    assert [who for _, who in slack.pings()] == ["channel"]

    await bot.chat_update(channel=general, ts=sent["ts"], text="@channel", parse="none")
    await bot.chat_update(channel=general, ts=other["ts"], text="@here")

    assert [who for _, who in slack.pings()] == ["here"]


@pytest.mark.parametrize(
    ("flags", "fetched"),
    [
        ({}, ["https://evil.example/?q=1", "https://evil.example/x.png"]),
        ({"unfurl_links": False}, ["https://evil.example/x.png"]),
        ({"unfurl_media": False}, ["https://evil.example/?q=1"]),
        (QUIET, []),
    ],
)
async def test_previews_are_on_unless_both_flags_say_no(
    slack: SlackServer, bot: AsyncWebClient, flags: dict[str, Any], fetched: list[str]
) -> None:
    """For an app's posts too."""
    text = "see https://evil.example/?q=1 and https://evil.example/x.png"
    await bot.chat_postMessage(channel=slack.channel("general").id, text=text, **flags)

    assert [address for _, address in slack.fetched()] == fetched


async def test_links_and_pictures_of_a_markdown_block(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Named, bare and bracketed links are clickable, in code they are not; an image is loaded."""
    text = (
        "[a](https://a.example) https://b.example <https://c.example|c> `https://d.example` ![e](https://e.example/e)"
    )
    await bot.chat_postMessage(
        channel=slack.channel("general").id, text="x", blocks=[{"type": "markdown", "text": text}], **QUIET
    )

    [post] = slack.posts("general")
    assert post.effects.links == ("https://a.example", "https://c.example", "https://b.example")
    assert post.effects.images == ("https://e.example/e",)


async def test_dead_brackets_are_escaped_in_an_apps_text(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Entities are not read twice; a live token stays."""
    answer = await bot.chat_postMessage(channel=slack.channel("general").id, text="a < b & c &amp; <d> <!here>")

    assert answer["message"]["text"] == "a &lt; b &amp; c &amp; &lt;d&gt; <!here>"


async def test_what_a_human_types_arrives_escaped(slack: SlackServer) -> None:
    """Known names become tokens, addresses links, and the three characters entities."""
    ada, general = slack.user("ada"), slack.channel("general")

    message = slack.say("ben", "general", "@ada & @nobody: a<b in #general, https://x.example/?a=1&b=2 @here")

    assert message.text == (
        f"<@{ada.id}> &amp; @nobody: a&lt;b in <#{general.id}|general>, <https://x.example/?a=1&amp;b=2> <!here>"
    )


async def test_shown_is_what_a_reader_sees(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The blocks' words; the text is for notifications then."""
    header = {"type": "header", "text": {"type": "plain_text", "text": "Round 1"}}
    button = {"type": "button", "action_id": "a", "value": "secret", "text": {"type": "plain_text", "text": "Stop"}}
    blocks: list[dict[str, Any]] = [header, {"type": "actions", "elements": [button]}]
    await bot.chat_postMessage(channel=slack.channel("general").id, text="fallback", blocks=blocks)

    assert slack.posts("general")[0].shown == "Round 1\nStop"


async def test_an_edit_previews_new_links_alone(slack: SlackServer, bot: AsyncWebClient) -> None:
    """chat.update has no unfurl flags; a button's address is a link, never a preview."""
    general = slack.channel("general").id
    button = {"type": "button", "text": {"type": "plain_text", "text": "Go"}, "url": "https://button.example"}
    blocks = [{"type": "actions", "elements": [button]}]
    sent = await bot.chat_postMessage(channel=general, text="https://old.example", **QUIET)
    await bot.chat_update(channel=general, ts=sent["ts"], text="https://old.example https://new.example")
    await bot.chat_postMessage(channel=general, text="x", blocks=blocks)

    assert [address for _, address in slack.fetched()] == ["https://new.example"]
    assert slack.posts("general")[1].effects.links == ("https://button.example",)
