"""The test server's webhooks, limits and faults, seen through the real client library."""

import asyncio
import time

import aiohttp
import discord
import pytest

from .discord import EXECUTE_WEBHOOK, SEND_MESSAGE, DiscordServer, Limit, Permission
from .discord_clients import Bot, platform_and_bot

NONE = discord.AllowedMentions.none()


def _text_channel(server: DiscordServer, bot: Bot, name: str = "general") -> discord.TextChannel:
    channel = bot.get_channel(server.place(name).id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_persona_speaks_in_a_thread_under_its_own_name_and_picture() -> None:
    """One webhook speaks in the channel's threads; posts keep name, picture and the flags sent."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        hook = await channel.create_webhook(name="Panelist")
        thread = await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
        sent = await hook.send(
            "hi", username="Ada", avatar_url="https://a.test/ada.png", thread=thread, wait=True, suppress_embeds=True
        )
        post = server.posts("talk")[0]

        assert (post.author.name, post.avatar_url, post.flags) == ("Ada", "https://a.test/ada.png", 4)
        assert sent.id == post.id
        assert server.ledger.to(EXECUTE_WEBHOOK)[0].query["thread_id"] == str(thread.id)
        assert [one.token for one in await channel.webhooks()] == [hook.token]


@pytest.mark.parametrize("name", ["Discord Clyde", "clyde", "everyone", "HERE", "```", " ", "x" * 81])
async def test_forbidden_names_are_refused_by_field(name: str) -> None:
    """50035 names the field, so that a bot can tell a bad name from other faults.

    https://docs.discord.com/developers/resources/webhook#create-webhook
    """
    async with platform_and_bot() as (server, bot):
        hook = await _text_channel(server, bot).create_webhook(name="Panelist")
        with pytest.raises(discord.HTTPException) as caught:
            await hook.send("hi", username=name, wait=True)

        assert caught.value.code == 50035
        assert "username" in caught.value.text
        assert server.posts("general") == []


async def test_caps_moves_and_deletions_of_webhooks_are_told_by_code() -> None:
    """30007 at fifteen; a moved webhook does not know the thread; a deleted one is 10015; both are announced."""
    async with platform_and_bot() as (server, bot):
        guild = bot.guilds[0]
        server.text_channel(server.platform.guilds[guild.id], "other")
        channel = _text_channel(server, bot)
        hook = await channel.create_webhook(name="Panelist")
        for number in range(14):
            server.webhook("general", f"Relay {number}", "ann")
        thread = await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
        full = await _code(channel.create_webhook(name="One more"))
        stored = server.platform.webhooks[hook.id]
        server.move_webhook(stored, "other")
        moved = await _code(hook.send("hi", thread=thread, wait=True))
        server.delete_webhook(stored)
        gone = await _code(hook.send("hi", wait=True))
        await server.until(lambda: "webhooks of other" in bot.log)

        assert (full, moved, gone) == (30007, 10003, 10015)


async def _code(request: object) -> int:
    with pytest.raises(discord.HTTPException) as caught:
        await request  # type: ignore[misc]  # any of the library's coroutines
    return caught.value.code


async def test_other_apps_tokens_stay_hidden_and_peoples_do_not() -> None:
    """A listed webhook shows its token to the app that made it, and to all when a person did."""
    async with platform_and_bot() as (server, bot):
        server.webhook("general", "Relay", "ann")
        server.webhook("general", "Proxy", "ben").application_id = 77
        tokens = {one.name: one.token for one in await _text_channel(server, bot).webhooks()}

        assert tokens["Relay"] is not None
        assert tokens["Proxy"] is None


async def test_mentions_count_only_when_they_would_notify() -> None:
    """Webhooks notify users unless told otherwise; an edit that says nothing parses anew with defaults.

    https://docs.discord.com/developers/resources/webhook#edit-webhook-message
    """
    async with platform_and_bot() as (server, bot):
        hook = await _text_channel(server, bot).create_webhook(name="Panelist")
        text = f"@everyone {server.mention('ann')}"
        await hook.send(text, wait=True)
        async with aiohttp.ClientSession() as session:
            bare = discord.Webhook.partial(hook.id, hook.token or "", session=session)
            loud = await bare.send(text, wait=True)
            quiet = await bare.send("quiet", wait=True, allowed_mentions=NONE)
            await quiet.edit(content=text)
        pinged = {one.id: one.pings for one in server.pinging}

        assert set(pinged) == {loud.id, quiet.id}
        assert pinged[loud.id].users == {server.person("ann").id}
        assert not pinged[loud.id].everyone


async def test_a_forum_takes_a_post_by_name_or_thread_never_both_or_neither() -> None:
    """220001, 220002, 220003."""
    async with platform_and_bot() as (server, bot):
        forum = server.forum(next(iter(server.platform.guilds.values())))
        hook_in_text = await _text_channel(server, bot).create_webhook(name="Panelist")
        await server.until(lambda: bot.get_channel(forum.id))
        library_forum = bot.get_channel(forum.id)
        assert isinstance(library_forum, discord.ForumChannel)
        hook = await library_forum.create_webhook(name="Panelist")
        post = await hook.send("opener", thread_name="A post", wait=True)

        assert post.id == server.place("A post").id
        assert await _code(hook.send("x", wait=True)) == 220001
        assert await _code(hook_in_text.send("x", thread_name="n", wait=True)) == 220003


async def test_rate_limit_headers_count_down_and_the_hidden_limit_shows_in_none_of_them() -> None:
    """The route's bucket is told; thirty a minute and channel come as a 429 with Remaining above zero.

    https://github.com/discord/discord-api-docs/issues/1454
    """
    async with platform_and_bot() as (server, bot):
        hook = await _text_channel(server, bot).create_webhook(name="Panelist")
        server.limits.routes[EXECUTE_WEBHOOK] = Limit(count=50, seconds=60)
        server.limits.channel_webhooks = Limit(count=2, seconds=60)
        for _ in range(2):
            await hook.send("x", wait=True)
        address = f"{server.api}/webhooks/{hook.id}/{hook.token}"
        async with aiohttp.ClientSession() as session, session.post(address, json={"content": "x"}) as answer:
            status, remaining = answer.status, answer.headers["X-RateLimit-Remaining"]
            body = await answer.json()
        server.platform.clock.advance(61)
        await hook.send("x", wait=True)

        assert (status, remaining) == (429, "47")
        assert 55 < body["retry_after"] <= 60
        assert len(server.posts("general")) == 3


async def test_an_exhausted_bucket_holds_the_librarys_next_request_back() -> None:
    """The library heeds Remaining and Reset-After, so the headers are what it expects."""
    async with platform_and_bot() as (server, bot):
        server.limits.routes[SEND_MESSAGE] = Limit(count=2, seconds=0.4)
        channel = _text_channel(server, bot)
        began = time.monotonic()
        for _ in range(3):
            await channel.send("x")

        assert time.monotonic() - began >= 0.35
        assert server.ledger.refused(429) == []


async def test_a_5xx_after_the_commit_makes_the_librarys_own_webhook_retry_double_the_post() -> None:
    """The trap that an adapter must avoid: the default webhook adapter sends again on every 5xx."""
    async with platform_and_bot() as (server, bot):
        hook = await _text_channel(server, bot).create_webhook(name="Panelist")
        server.faults.server_error(503)
        await hook.send("said once", username="Ada", wait=True)

        assert [one.content for one in server.posts("general")] == ["said once", "said once"]
        assert [(one.status, one.committed) for one in server.ledger.to(EXECUTE_WEBHOOK)] == [(503, True), (200, True)]


async def test_the_bots_own_retry_after_a_5xx_is_absorbed_by_its_nonce() -> None:
    """`channel.send` carries an enforced nonce, so its retry finds the first message."""
    async with platform_and_bot() as (server, bot):
        server.faults.server_error(500, on=SEND_MESSAGE)
        await _text_channel(server, bot).send("said once")

        assert [one.content for one in server.posts("general")] == ["said once"]
        assert len(server.ledger.to(SEND_MESSAGE)) == 2


async def test_a_cut_connection_after_the_commit_leaves_the_sender_in_doubt() -> None:
    """The post stands although the request failed."""
    async with platform_and_bot() as (server, bot):
        hook = await _text_channel(server, bot).create_webhook(name="Panelist")
        server.faults.cut()
        with pytest.raises(aiohttp.ClientError):
            await hook.send("said", username="Ada", wait=True)

        assert [one.content for one in server.posts("general")] == ["said"]
        assert server.ledger.to(EXECUTE_WEBHOOK)[0].status == 0


async def test_an_answer_can_be_held_while_the_post_already_stands() -> None:
    """Events arrive before the answer does, as they may on the real platform."""
    async with platform_and_bot() as (server, bot):
        hook = await _text_channel(server, bot).create_webhook(name="Panelist")
        held = server.faults.hold()
        sending = asyncio.create_task(hook.send("said", wait=True))
        await server.until(lambda: bot.heard)
        answered_early = sending.done()
        assert held.gate is not None
        held.gate.set()
        sent = await sending

        assert not answered_early
        assert bot.heard[0].id == sent.id


async def test_scripted_refusals_limits_and_bans_answer_in_place_of_the_platform() -> None:
    """A listed webhook that is 10015 on use, a name rule nobody knows, and the page in front that bans."""
    async with platform_and_bot() as (server, bot):
        hook = await _text_channel(server, bot).create_webhook(name="Panelist")
        server.faults.refuse(10015)
        ghost = await _code(hook.send("x", wait=True))
        server.faults.refuse_name()
        name = await _code(hook.send("x", username="Ada", wait=True))
        server.faults.ban()
        with pytest.raises(discord.HTTPException) as banned:
            await hook.send("x", wait=True)
        server.faults.limit(0.05)
        await hook.send("x", wait=True)

        assert (ghost, name, banned.value.status) == (10015, 50035, 429)
        assert [one.status for one in server.ledger.to(EXECUTE_WEBHOOK)] == [404, 400, 429, 429, 200]
        assert server.ledger.invalid == 2


async def test_without_the_right_no_webhook_is_made_or_listed() -> None:
    """50013 for MANAGE_WEBHOOKS; speaking needs the token alone."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        hook = await channel.create_webhook(name="Panelist")
        server.forbid_bot("general", deny=Permission.MANAGE_WEBHOOKS)

        assert await _code(channel.create_webhook(name="Another")) == 50013
        assert await _code(channel.webhooks()) == 50013
        await hook.send("still heard", wait=True)
        assert server.posts("general")[0].content == "still heard"


async def test_a_webhook_reads_edits_and_deletes_only_its_own_messages() -> None:
    """Messages of another webhook are unknown to it; the bot itself may not edit them."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        hook = await channel.create_webhook(name="Panelist")
        sent = await hook.send("one", wait=True)
        await sent.edit(content="two")
        other = server.say_by_webhook(server.webhook("general", "Relay", "ann"), "theirs")

        assert (await hook.fetch_message(sent.id)).content == "two"
        assert await _code(hook.fetch_message(other.id)) == 10008
        assert await _code(channel.get_partial_message(sent.id).edit(content="no")) == 50005
        await sent.delete()
        assert [one.content for one in server.messages("general")] == ["theirs"]
