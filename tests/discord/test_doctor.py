"""What the doctor says about Discord: exact permissions, intents, gaps with their remedies."""

import re

import discord

from adapters.discord.doctor import Checked, examined, invite_link
from adapters.discord.permissions import NEEDS, invited
from tests.discord.house import stage
from tests.servers.discord import EVERYONE, INVITED, DiscordServer, Permission, Rules


async def _report(server: DiscordServer, token: str = "") -> dict[str, Checked]:
    return {one.subject: one for one in await examined(token or server.token, server.api)}


async def test_a_server_with_all_permissions_is_well() -> None:
    """Token, intents, invite link, then a line a server."""
    async with stage() as server:
        report = await _report(server)

        assert {one.sign for one in report.values()} == {"ok"}
        assert report["Discord server Acme"].text == "all permissions, 2 channels"
        assert "message content is on" in report["Discord intents"].text


async def test_the_invite_link_asks_for_exactly_what_is_needed() -> None:
    """No more than the list that the card and the doctor use, and nothing of an administrator's."""
    link = invite_link(42)
    asked = discord.Permissions(int(re.search(r"permissions=(\d+)", link)[1]))  # type: ignore[index]  # it is there

    assert link.startswith("https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands")
    assert asked.value.bit_count() == len(NEEDS)
    assert asked == invited()
    assert not asked.administrator
    assert asked.pin_messages


async def test_what_is_missing_is_named_with_the_remedy_for_the_server_and_for_a_channel() -> None:
    """A gap of the whole server is said once, not again for each channel."""
    async with stage() as server:
        guild = next(iter(server.platform.guilds.values()))
        guild.roles[guild.id].permissions = EVERYONE & ~Permission.SEND_MESSAGES_IN_THREADS
        server.permit_bot(guild, INVITED & ~Permission.MANAGE_WEBHOOKS & ~Permission.SEND_MESSAGES_IN_THREADS)
        server.forbid_bot("ideas", deny=Permission.EMBED_LINKS)
        server.forbid_bot("general", deny=Permission.VIEW_CHANNEL)
        report = await _report(server)
        whole, forum = report["Discord server Acme"], report["Discord server Acme #ideas"]

        assert whole.sign == "fault"
        assert "Manage Webhooks is missing (personas speak under their own names and faces)" in whole.text
        assert "Send Messages in Threads is missing" in whole.text
        assert "open the invite link again" in whole.text
        assert (
            forum.text == "Embed Links is missing (the card is an embed): #ideas, Edit Channel, Permissions, Panelist"
        )
        assert "View Channel is missing" in report["Discord server Acme #general"].text


async def test_the_privileged_intent_is_told_with_the_way_to_it() -> None:
    """Without it the bot works by mention and buttons."""
    async with stage(rules=Rules(message_content_granted=False)) as server:
        intents = (await _report(server))["Discord intents"]

        assert intents.sign == "note"
        assert "Message Content Intent" in intents.text


async def test_a_wrong_token_is_a_fault_with_the_remedy() -> None:
    """One line, no traceback."""
    async with stage() as server:
        report = await _report(server, token="wrong")

        assert list(report) == ["Discord"]
        assert report["Discord"].sign == "fault"
        assert "Reset Token" in report["Discord"].text


async def test_a_bot_in_no_server_is_told_to_be_invited() -> None:
    """The link stands above it."""
    async with stage() as server:
        server.kick_bot(next(iter(server.platform.guilds.values())))
        report = await _report(server)

        assert "open the invite link" in report["Discord servers"].text
