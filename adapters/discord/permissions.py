"""What the bot needs in a channel, and what it lacks there, in words.

The list is the one source for the invite link, the card's notes and the doctor.
"""

from dataclasses import dataclass

import discord


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One permission."""

    name: str
    """The library's."""
    shown: str
    """As Discord's own settings call it."""
    why: str
    vital: bool = False
    """Without it no panel can run there."""


NEEDS: tuple[Need, ...] = (
    Need(name="view_channel", shown="View Channel", why="nothing works without it", vital=True),
    Need(name="send_messages", shown="Send Messages", why="the card stands in the channel", vital=True),
    Need(
        name="send_messages_in_threads",
        shown="Send Messages in Threads",
        why="the host speaks in the thread",
        vital=True,
    ),
    Need(name="create_public_threads", shown="Create Public Threads", why="each panel has its own thread", vital=True),
    Need(
        name="read_message_history",
        shown="Read Message History",
        why="a post in doubt is looked for, and what people wrote while the bot was away is read",
    ),
    Need(name="manage_webhooks", shown="Manage Webhooks", why="personas speak under their own names and faces"),
    Need(name="embed_links", shown="Embed Links", why="the card is an embed"),
    Need(name="attach_files", shown="Attach Files", why="transcript and record are attached"),
    Need(name="add_reactions", shown="Add Reactions", why="a reaction shows how a message was understood"),
    Need(name="pin_messages", shown="Pin Messages", why="the synthesis is pinned"),
)


def invited() -> discord.Permissions:
    """Exactly the permissions that the invite link asks for."""
    return discord.Permissions(**{need.name: True for need in NEEDS})


def lacking(granted: discord.Permissions) -> tuple[Need, ...]:
    """What is needed and not granted."""
    return tuple(need for need in NEEDS if not getattr(granted, need.name))


def granted_in(channel: discord.abc.GuildChannel | discord.Thread) -> discord.Permissions:
    """The bot's own permissions there."""
    return channel.permissions_for(channel.guild.me)
