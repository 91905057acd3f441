"""Where the simulator differs from Discord in what panels depend on. A test here that fails means: take a line out of
the shim, or out of the caveats of `test_simcord.py`.
"""

import discord
import pytest
import simcord

from tests.discord.house import QuickClient


async def test_gap_a_webhook_posts_into_its_own_channel_whatever_thread_is_named() -> None:
    """Discord posts into the thread."""
    client = QuickClient()
    async with simcord.run(client) as env:
        general = env.create_guild().create_text_channel("general")
        channel = client.get_channel(general.id)
        assert isinstance(channel, discord.TextChannel)
        hook = await channel.create_webhook(name="Panelist")
        thread = await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
        await hook.send("hi", thread=thread, wait=True)

        assert [one.content async for one in thread.history()] == []
        assert "hi" in [one.content async for one in channel.history()]


async def test_gap_history_after_an_id_gives_the_newest() -> None:
    """Discord gives the oldest that follow it."""
    client = QuickClient()
    async with simcord.run(client) as env:
        general = env.create_guild().create_text_channel("general")
        channel = client.get_channel(general.id)
        assert isinstance(channel, discord.TextChannel)
        sent = [await channel.send(f"{number}") for number in range(5)]
        read = [one.content async for one in channel.history(limit=2, after=sent[0], oldest_first=False)]

        assert sorted(read) == ["3", "4"]


async def test_gap_interactions_do_not_say_how_the_app_was_installed() -> None:
    """Discord names the server or the person; so only "by the person alone" is refused."""
    client = QuickClient()
    seen: list[bool] = []

    @client.tree.command(name="ask", description="ask")
    async def ask(interaction: discord.Interaction) -> None:
        seen.append(interaction.is_guild_integration())
        await interaction.response.send_message("hi")

    async def prepare() -> None:
        await client.tree.sync()

    client.prepare = prepare
    async with simcord.run(client) as env:
        guild = env.create_guild()
        general = guild.create_text_channel("general")
        await guild.add_member(env.create_user("ann")).slash(general, "ask")

        assert seen == [False]


async def test_gap_pinning_asks_for_manage_messages() -> None:
    """Discord asks for Pin Messages since February 2026."""
    client = QuickClient()
    async with simcord.run(client) as env:
        guild = env.create_guild()
        general = guild.create_text_channel(
            "general",
            overwrites={guild.default_role: discord.PermissionOverwrite(pin_messages=True, manage_messages=False)},
        )
        channel = client.get_channel(general.id)
        assert isinstance(channel, discord.TextChannel)
        sent = await channel.send("pin me")
        with pytest.raises(discord.Forbidden):
            await sent.pin()
