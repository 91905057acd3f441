"""What `panelist doctor` says about Discord: invite link, intents, and what is missing where, with the remedy."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

import discord

from adapters.discord.client import addressed
from adapters.discord.faults import told
from adapters.discord.permissions import Need, invited, lacking
from bot.core.errors import PlatformError, UsageError

SCOPES = ("bot", "applications.commands")
PORTAL = "Developer Portal, your application, Bot, Privileged Gateway Intents, Message Content Intent"
WRONG_TOKEN = "the token is wrong: Developer Portal, Bot, Reset Token, then set DISCORD_TOKEN"  # noqa: S105  # no token
CHANNELS_SHOWN = 20
Hosts = discord.TextChannel | discord.ForumChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One line of the report."""

    sign: Literal["ok", "note", "fault"]
    """`note`: it works, but somebody should know."""
    subject: str
    text: str


def invite_link(application: int) -> str:
    """The address that adds the bot to a server, with exactly the permissions it needs."""
    return discord.utils.oauth_url(application, permissions=invited(), scopes=SCOPES)


async def examined(token: str, api_url: str = "") -> list[Checked]:
    """Every finding, over REST alone: a bot that runs at the same time is not disturbed."""
    with addressed(api_url):
        client = discord.Client(intents=discord.Intents.none())
        try:
            return [checked async for checked in _examined(client, token)]
        except (PlatformError, UsageError) as fault:
            return [Checked(sign="fault", subject="Discord", text=str(fault))]
        finally:
            await client.close()


async def _examined(client: discord.Client, token: str) -> AsyncIterator[Checked]:
    application = await _logged_in(client, token)
    yield Checked(sign="ok", subject="Discord", text=f"the token is that of {application.name} ({application.id})")
    yield _intents(application.flags)
    yield Checked(sign="ok", subject="Discord invite link", text=invite_link(application.id))
    async with told("listing the bot's servers"):
        guilds = [guild async for guild in client.fetch_guilds(limit=200)]
    if not guilds:
        yield Checked(sign="note", subject="Discord servers", text="in none yet: open the invite link")
    for guild in guilds:
        for checked in await _guild(client, guild.id):
            yield checked


async def _logged_in(client: discord.Client, token: str) -> discord.AppInfo:
    try:
        async with told("reaching Discord"):
            await client.login(token)
            return await client.application_info()
    except PlatformError as fault:
        if isinstance(fault.__cause__, discord.LoginFailure):
            raise UsageError(
                "the token is wrong: Developer Portal, Bot, Reset Token, then set DISCORD_TOKEN"
            ) from fault
        raise


def _intents(flags: discord.ApplicationFlags) -> Checked:
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        return Checked(sign="ok", subject="Discord intents", text="message content is on")
    text = f"message content is off: people steer by mention and buttons only. To switch it on: {PORTAL}"
    return Checked(sign="note", subject="Discord intents", text=text)


async def _guild(client: discord.Client, guild_id: int) -> list[Checked]:
    """The server as a whole, then each channel that lacks more than the server does."""
    async with told("looking into a server"):
        guild = await client.fetch_guild(guild_id)
        channels = [channel for channel in await guild.fetch_channels() if isinstance(channel, Hosts)]
        me = await guild.fetch_member(client.user.id if client.user else 0)
    everywhere = lacking(me.guild_permissions)
    subject = f"Discord server {guild.name}"
    if everywhere:
        remedy = "open the invite link again, or grant it to Panelist's role in Server Settings, Roles"
        found = [Checked(sign=_sign(everywhere), subject=subject, text=f"{_named(everywhere)}: {remedy}")]
    else:
        found = [Checked(sign="ok", subject=subject, text=f"all permissions, {len(channels)} channels")]
    return found + _channels(subject, channels, me, {need.name for need in everywhere})


def _channels(subject: str, channels: list[Hosts], me: discord.Member, known: set[str]) -> list[Checked]:
    found: list[Checked] = []
    for channel in channels:
        lacks = tuple(need for need in lacking(channel.permissions_for(me)) if need.name not in known)
        if lacks and lacks[0].name == "view_channel":
            lacks = lacks[:1]
        if lacks:
            remedy = f"#{channel.name}, Edit Channel, Permissions, Panelist"
            found.append(Checked(sign="note", subject=f"{subject} #{channel.name}", text=f"{_named(lacks)}: {remedy}"))
    if len(found) > CHANNELS_SHOWN:
        more = f"{len(found) - CHANNELS_SHOWN} more channels lack something"
        found = [*found[:CHANNELS_SHOWN], Checked(sign="note", subject=subject, text=more)]
    return found


def _sign(lacks: tuple[Need, ...]) -> Literal["note", "fault"]:
    return "fault" if any(need.vital for need in lacks) else "note"


def _named(lacks: tuple[Need, ...]) -> str:
    return "; ".join(f"{need.shown} is missing ({need.why})" for need in lacks)
