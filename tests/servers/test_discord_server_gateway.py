"""The test server's gateway: sessions, intents, shards and their mishaps, through the real client library."""

import asyncio

import discord
import pytest

from .discord import INVITED, Permission, Rules
from .discord_clients import Bot, platform, platform_and_bot, running


def _texts(bot: Bot) -> list[str]:
    return [one.content for one in bot.heard]


async def test_a_dropped_connection_is_resumed_and_missed_events_come_once() -> None:
    """RESUME replays what was sent meanwhile, in order."""
    async with platform_and_bot() as (server, bot):
        server.say("ann", "general", "before")
        await server.until(lambda: bot.heard)
        server.gateway.drop()
        server.say("ann", "general", "meanwhile")
        await server.until(lambda: "resumed" in bot.log)
        server.say("ann", "general", "after")
        await server.until(lambda: len(bot.heard) == 3)

        assert _texts(bot) == ["before", "meanwhile", "after"]
        assert server.gateway.greetings == ["identify", "resume"]


@pytest.mark.parametrize("mishap", ["reconnect", "close", "claimed"])
async def test_the_platform_asks_for_a_reconnect_in_several_ways(mishap: str) -> None:
    """Opcode 7, a close code other than 1000, and an invalid session that can be resumed all lead to RESUME."""
    async with platform_and_bot() as (server, bot):
        if mishap == "reconnect":
            server.gateway.ask_to_reconnect()
        elif mishap == "close":
            await server.gateway.close(4000)
        else:
            server.gateway.invalidate(resumable=True)
        await server.until(lambda: "resumed" in bot.log)

        assert server.gateway.greetings == ["identify", "resume"]


async def test_after_an_invalid_session_nothing_is_replayed() -> None:
    """Opcode 9 with false: a fresh IDENTIFY, ready again, and what was said in between is only in the history."""
    async with platform_and_bot() as (server, bot):
        server.gateway.invalidate()
        server.say("ann", "general", "missed")
        await server.until(lambda: bot.log.count("ready") == 2)
        channel = bot.get_channel(server.place("general").id)
        assert isinstance(channel, discord.TextChannel)

        assert _texts(bot) == []
        assert [one.content async for one in channel.history()] == ["missed"]
        assert server.gateway.greetings == ["identify", "identify"]


async def test_a_session_that_timed_out_refuses_resume() -> None:
    """The platform forgets sessions after minutes; the library then identifies anew."""
    async with platform_and_bot() as (server, bot):
        server.gateway.forget()
        server.gateway.drop()
        await server.until(lambda: bot.log.count("ready") == 2)

        assert server.gateway.greetings == ["identify", "resume refused", "identify"]


async def test_events_can_come_twice_late_and_backwards() -> None:
    """Both happen on the real gateway, so a bot must tell events apart by id."""
    async with platform_and_bot() as (server, bot):
        server.say("ann", "general", "one")
        server.gateway.replay(1)
        await server.until(lambda: len(bot.heard) == 2)
        server.gateway.hold()
        for text in ("two", "three"):
            server.say("ann", "general", text)
        server.gateway.release(backwards=True)
        await server.until(lambda: len(bot.heard) == 4)

        assert _texts(bot) == ["one", "one", "three", "two"]


async def test_without_the_content_intent_only_what_concerns_the_app_is_readable() -> None:
    """Mentions, and replies that notify the bot, come with content; the rest comes empty.

    https://docs.discord.com/developers/events/gateway#message-content-intent
    """
    async with platform(rules=Rules(message_content_granted=False)) as server:
        bot = Bot(message_content=False)
        async with running(bot):
            channel = bot.get_channel(server.place("general").id)
            assert isinstance(channel, discord.TextChannel)
            own = await channel.send("by the bot")
            stored = server.posts("general")[0]
            server.say("ann", "general", "to nobody")
            server.say("ann", "general", f"{server.mention()} to you")
            server.say("ann", "general", "answer", reply_to=stored)
            server.say("ann", "general", "silent answer", reply_to=stored, ping=False)
            await server.until(lambda: len(bot.heard) == 5)
            read_back = [one.content async for one in channel.history(oldest_first=True)]

        heard = _texts(bot)
        assert heard == [own.content, "", f"{server.mention()} to you", "answer", ""]
        assert read_back == heard


async def test_an_intent_that_the_portal_does_not_grant_closes_the_gateway() -> None:
    """Close code 4014, which the library raises by name."""
    async with platform(rules=Rules(message_content_granted=False)) as server:
        bot = Bot()
        with pytest.raises(discord.PrivilegedIntentsRequired):
            async with running(bot):
                pass

        assert server.gateway.greetings == ["identify refused 4014"]


async def test_a_wrong_token_is_refused_at_the_door() -> None:
    """401 from REST, before any gateway."""
    async with platform() as server:
        bot = Bot()
        with pytest.raises(discord.LoginFailure):
            await bot.start("wrong")
        await bot.close()

        assert server.ledger.refused(401)[0].path == "/users/@me"


async def test_each_shard_hears_its_own_guilds() -> None:
    """Shard = (guild id >> 22) % shards; the number of shards comes from /gateway/bot."""
    async with platform(rules=Rules(shards=2)) as server:
        guilds = [server.guild(f"G{shard}", owner=f"o{shard}", shard=(shard, 2)) for shard in range(2)]
        for guild in guilds:
            server.text_channel(guild, f"room-{guild.name}")
        bot = Bot(shard_count=None)
        async with running(bot):
            await server.connected(shards=2)
            for shard in range(2):
                server.say(f"o{shard}", f"room-G{shard}", f"to {shard}")
            await server.until(lambda: len(bot.heard) == 2)
            shards = {one.content: one.guild.shard_id for one in bot.heard if one.guild}

        assert shards == {"to 0": 0, "to 1": 1}


async def test_the_bot_hears_nothing_from_where_it_sees_nothing() -> None:
    """No events from hidden channels, private threads of others, and guilds that it was removed from."""
    async with platform_and_bot() as (server, bot):
        guild = next(iter(server.platform.guilds.values()))
        hidden = server.text_channel(guild, "hidden")
        server.forbid_bot(hidden, deny=Permission.VIEW_CHANNEL)
        server.permit_bot(guild, INVITED & ~Permission.MANAGE_THREADS)
        private = server.start_thread("ann", "general", "private", private=True)
        server.say("ann", hidden, "a")
        server.say("ann", private, "b")
        server.say("ann", "general", "c")
        await server.until(lambda: bot.heard)
        server.kick_bot(guild)
        await server.until(lambda: not bot.guilds)
        server.say("ann", "general", "d")
        await asyncio.sleep(0.05)

        assert _texts(bot) == ["c"]


async def test_heartbeats_are_answered() -> None:
    """The library beats at once on HELLO, and measures a latency from the answer."""
    async with platform_and_bot() as (server, bot):
        await server.until(lambda: server.gateway.heartbeats)

        assert bot.latency < 5
