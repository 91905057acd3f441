"""The test server's rights, threads, forums, direct channels and files, through the real client library."""

from collections.abc import Awaitable

import aiohttp
import discord
import pytest

from .discord import INVITED, PIN, DiscordServer, ImpossibleActError, Permission, Rules, file
from .discord_clients import Bot, platform, platform_and_bot, running


def _text_channel(server: DiscordServer, bot: Bot) -> discord.TextChannel:
    channel = bot.get_channel(server.place("general").id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def _code(request: Awaitable[object]) -> int:
    with pytest.raises(discord.HTTPException) as caught:
        await request
    return caught.value.code


@pytest.mark.parametrize(
    ("denied", "code"),
    [
        (Permission.VIEW_CHANNEL, 50001),
        (Permission.SEND_MESSAGES, 50013),
        (Permission.ATTACH_FILES, 50013),
        (Permission.EMBED_LINKS, 50013),
    ],
)
async def test_a_missing_right_to_speak_is_told_by_code(denied: Permission, code: int) -> None:
    """50001 for a channel out of sight, 50013 for a right that is missing in it."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        server.forbid_bot("general", deny=denied)
        card = discord.Embed(title="Card")
        sending = channel.send("x", embed=card, file=discord.File(__file__, "t.md"))

        assert await _code(sending) == code
        assert server.posts("general") == []


async def test_in_threads_another_right_counts_and_the_parent_decides() -> None:
    """SEND_MESSAGES has no effect in a thread; SEND_MESSAGES_IN_THREADS does."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        thread = await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
        server.forbid_bot("general", deny=Permission.SEND_MESSAGES)
        await thread.send("allowed")
        server.forbid_bot("general", deny=Permission.SEND_MESSAGES_IN_THREADS)

        assert await _code(thread.send("refused")) == 50013
        assert [one.content for one in server.posts("talk")] == ["allowed"]


async def test_threads_without_a_message_are_private_unless_said_otherwise() -> None:
    """The platform's default, and the library's; public ones leave a notice of type 18 in the parent."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        quiet = await channel.create_thread(name="quiet")
        loud = await channel.create_thread(name="loud", type=discord.ChannelType.public_thread)

        assert (quiet.type, loud.type) == (discord.ChannelType.private_thread, discord.ChannelType.public_thread)
        assert [(one.kind, one.content) for one in server.messages("general")] == [(18, "loud")]


async def test_starting_threads_needs_the_right_and_happens_once_a_message() -> None:
    """50013 without CREATE_PUBLIC_THREADS, 160004 for a second thread."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        opener = await channel.fetch_message(server.say("ann", "general", "opener").id)
        await opener.create_thread(name="first")
        second = await _code(
            bot.http.start_thread_with_message(channel.id, opener.id, name="b", auto_archive_duration=60)
        )
        server.forbid_bot("general", deny=Permission.CREATE_PUBLIC_THREADS)

        assert second == 160004
        assert await _code(channel.create_thread(name="c", type=discord.ChannelType.public_thread)) == 50013


async def test_a_message_reopens_an_archived_thread_and_nothing_else_does() -> None:
    """Reactions and edits fail with 50083 until somebody speaks; a locked one stays shut."""
    async with platform_and_bot() as (server, bot):
        channel = _text_channel(server, bot)
        server.permit_bot(next(iter(server.platform.guilds.values())), INVITED & ~Permission.MANAGE_THREADS)
        thread = await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
        said = await thread.send("one")
        server.change_thread("talk", archived=True)
        edited, reacted = await _code(said.edit(content="two")), await _code(said.add_reaction("👀"))
        await thread.send("wakes it")
        server.change_thread("talk", locked=True)
        locked = await _code(thread.send("no"))
        server.change_thread("talk", archived=True)
        hook = await channel.create_webhook(name="Panelist")

        assert (edited, reacted, locked) == (50083, 50083, 160005)
        assert await _code(hook.send("no", thread=thread, wait=True)) == 50083


async def test_a_deleted_thread_is_told_by_ids_alone() -> None:
    """THREAD_DELETE carries ids; writing there is 10003."""
    async with platform_and_bot() as (server, bot):
        thread = await _text_channel(server, bot).create_thread(name="talk", type=discord.ChannelType.public_thread)
        server.delete_channel("talk")
        await server.until(lambda: f"thread {thread.id} deleted" in bot.log)

        assert await _code(thread.send("x")) == 10003


async def test_pinning_needs_its_own_right_and_ends_at_the_cap() -> None:
    """MANAGE_MESSAGES is not enough since 23 February 2026; 30003 when the channel is full."""
    async with platform(rules=Rules(pins=1)) as server:
        bot = Bot()
        async with running(bot):
            channel = _text_channel(server, bot)
            first, second = await channel.send("1"), await channel.send("2")
            await first.pin()
            full = await _code(second.pin())
            await first.unpin()
            server.permit_bot(next(iter(server.platform.guilds.values())), INVITED & ~Permission.PIN_MESSAGES)

            assert full == 30003
            assert await _code(second.pin()) == 50013
            assert len(server.ledger.to(PIN)) == 3


async def test_history_without_the_right_is_empty_and_not_an_error() -> None:
    """https://github.com/discord/discord-api-docs/issues/455"""
    async with platform_and_bot() as (server, bot):
        said = server.say("ann", "general", "hello")
        channel = _text_channel(server, bot)
        server.forbid_bot("general", deny=Permission.READ_MESSAGE_HISTORY)

        assert [one async for one in channel.history()] == []
        assert await _code(channel.fetch_message(said.id)) == 50013


async def test_a_forum_post_and_its_opener_share_an_id() -> None:
    """SEND_MESSAGES is enough, and an opener is needed."""
    async with platform_and_bot() as (server, bot):
        forum = server.forum(next(iter(server.platform.guilds.values())), tags=("idea",))
        await server.until(lambda: bot.get_channel(forum.id))
        ideas = bot.get_channel(forum.id)
        assert isinstance(ideas, discord.ForumChannel)
        made = await ideas.create_thread(name="A plan", content="opener")
        server.forbid_bot(forum, deny=Permission.SEND_MESSAGES)

        assert made.thread.id == made.message.id
        assert [one.content for one in server.posts("A plan")] == ["opener"]
        assert await _code(ideas.create_thread(name="Another", content="x")) == 50013


async def test_an_attachments_address_expires_and_a_fresh_fetch_renews_it() -> None:
    """https://docs.discord.com/developers/reference#signed-attachment-cdn-urls"""
    async with platform_and_bot() as (server, bot):
        said = server.say("ann", "general", files=[file("plan.md", "# Plan")])
        channel = _text_channel(server, bot)
        old = (await channel.fetch_message(said.id)).attachments[0]
        first = await old.read()
        server.platform.clock.advance(25 * 3600)
        async with aiohttp.ClientSession() as session, session.get(old.url) as answer:
            late = answer.status
        renewed = await (await channel.fetch_message(said.id)).attachments[0].read()

        assert (first, late, renewed) == (b"# Plan", 404, b"# Plan")


async def test_long_pastes_become_a_file_as_in_the_client() -> None:
    """Over 2000 characters turn into message.txt; a client may name no type."""
    async with platform_and_bot() as (server, bot):
        server.say("ann", "general", "x" * 2001)
        server.say("ann", "general", files=[file("message.txt", "typeless", content_type=None)])
        await server.until(lambda: len(bot.heard) == 2)
        pasted, typeless = (one.attachments[0] for one in bot.heard)

        assert (pasted.filename, pasted.size, bot.heard[0].content) == ("message.txt", 2001, "")
        assert typeless.content_type is None


async def test_a_command_in_a_direct_channel_names_the_person_and_no_guild() -> None:
    """Context 1: the app can tell, and refuse."""
    async with platform_and_bot() as (server, _):
        asked = await server.slash("ann", server.direct("ann"), "panel discuss", {"topic": "tabs"})
        await server.until(lambda: asked.answers)

        assert asked.channel.guild is None
        assert asked.answers[0].content == "tabs 3"


async def test_people_can_only_do_what_their_client_lets_them() -> None:
    """A test that breaks a channel's rules is told so, not the bot."""
    async with platform_and_bot() as (server, _):
        server.permit("general", "ben", deny=Permission.VIEW_CHANNEL)

        with pytest.raises(ImpossibleActError, match="ben may not write"):
            server.say("ben", "general", "psst")
        with pytest.raises(ImpossibleActError, match="may not use commands"):
            await server.slash("ben", "general", "panel new")


async def test_answers_end_with_the_tokens_fifteen_minutes() -> None:
    """401 and 50027 afterwards; such requests count toward the ban for invalid ones."""
    async with platform_and_bot() as (server, bot):
        asked = await server.slash("ann", "general", "panel card")
        server.platform.clock.advance(15 * 60 + 1)
        hook = discord.Webhook.partial(server.platform.app.id, asked.token, client=bot)

        assert await _code(hook.send("late", wait=True)) == 50027
        assert server.ledger.invalid == 1


async def test_a_second_answer_is_refused() -> None:
    """40060: acknowledged already."""
    async with platform_and_bot() as (server, _):
        asked = await server.slash("ann", "general", "panel card")
        address = f"{server.api}/interactions/{asked.id}/{asked.token}/callback"
        async with aiohttp.ClientSession() as session, session.post(address, json={"type": 5}) as answer:
            body = await answer.json()

        assert body["code"] == 40060


async def test_a_user_install_gets_five_follow_ups_and_no_public_voice() -> None:
    """40094 for the sixth; without USE_EXTERNAL_APPS answers are for the asker alone."""
    async with platform_and_bot() as (server, bot):
        asked = await server.slash("ann", "general", "panel card", user_install=True)
        hook = discord.Webhook.partial(server.platform.app.id, asked.token, client=bot)
        for number in range(5):
            await hook.send(f"{number}", wait=True)

        assert await _code(hook.send("six", wait=True)) == 40094
        assert server.posts("general") == []
        assert asked.answers[0].visible_to == asked.user.id


async def test_what_the_server_does_not_offer_fails_the_test_that_asked_for_it() -> None:
    """No silent gaps: the block ends with the list of what was not served."""
    with pytest.raises(AssertionError, match="/channels/1/invites"):
        async with DiscordServer() as server, aiohttp.ClientSession() as session:
            await session.get(f"{server.api}/channels/1/invites")
