"""Discord's objects as the core's values, and back."""

import discord

from bot.core.place import Person, Place
from bot.core.platform import Heard

PLATFORM = "discord"
ORDINARY = (discord.MessageType.default, discord.MessageType.reply)
"""What people write; all other types are notices of Discord's, such as "started a thread"."""


def place_in(thread: discord.Thread) -> Place:
    """The place of a thread or forum post."""
    return Place(
        platform=PLATFORM, workspace=str(thread.guild.id), channel=str(thread.parent_id), thread=str(thread.id)
    )


def place_at(channel: discord.abc.GuildChannel) -> Place:
    """A channel or forum where a panel may start."""
    return Place(platform=PLATFORM, workspace=str(channel.guild.id), channel=str(channel.id))


def place_of(channel: object) -> Place | None:
    """The place that a channel of any kind is; None where no panel can be."""
    if isinstance(channel, discord.Thread):
        return place_in(channel)
    if isinstance(channel, discord.TextChannel | discord.ForumChannel):
        return place_at(channel)
    return None


def spoken_in(place: Place) -> int:
    """The id of the channel in which the panel's messages stand: its thread, once there is one."""
    return int(place.thread or place.channel)


def person(who: discord.abc.User) -> Person:
    """Who wrote or pressed. Whoever manages the server is an admin; whoever is no member any more is a guest."""
    role = "guest"
    if isinstance(who, discord.Member):
        rights = who.guild_permissions
        role = "admin" if rights.administrator or rights.manage_guild else "member"
    return Person(id=str(who.id), name=who.display_name, role=role)


def heard(message: discord.Message, place: Place, text: str, *, addressed: bool, edited: bool = False) -> Heard:
    """A human's message. `text` is its words with what stands in its text files."""
    return Heard(
        place=place,
        message_id=str(message.id),
        author=person(message.author),
        text=text,
        at=message.created_at.timestamp(),
        addressed=addressed,
        edited=edited,
    )
