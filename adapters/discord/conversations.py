"""What a panel may be pointed at on Discord: a message, a link to one, a thread, a channel's recent messages.

The bot sees more than most people do, so everything is read by the rights of whoever asks.
"""

import re

import discord

from adapters.discord.faults import told
from adapters.discord.files import given, words
from adapters.discord.people import People
from adapters.discord.translate import ORDINARY
from bot.core.document import Document, from_text
from bot.core.errors import DocumentError, NotAllowed, NotFound
from bot.core.targets.port import GivenBytes, Source

RECENT = 50
"""Messages of a channel."""
MOST = 600
"""Messages of a thread."""
_LINK = re.compile(
    r"<?https?://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/channels/(\d{5,20})/(\d{5,20})/(\d{5,20})/?>?"
)
Readable = discord.TextChannel | discord.Thread


class Conversations:
    """Reads messages for somebody who may read them."""

    def __init__(self, client: discord.Client, people: People) -> None:
        self._client, self._people = client, people

    async def message(self, message: discord.Message) -> tuple[Document | None, tuple[Source, ...]]:
        """A message as a target: its words, and its files. Raises DocumentError where it has neither."""
        text = message.content.strip() or "\n\n".join(e.description for e in message.embeds if e.description)
        files = await files_of(message)
        if not text and not files:
            raise DocumentError(
                "That message holds no text and no file; of bots' embeds and polls nothing can be read."
            )
        key, title = message.jump_url, f"Message by {message.author.display_name}"
        document = from_text(text, key=key, kind="message", title=title) if text else None
        return document, files

    async def linked(self, link: str, asker: discord.abc.User, guild: discord.Guild) -> discord.Message | None:
        """The message behind a link, or None where the words are no link.

        Raises NotFound for one that is not there or that the asker may not read: both look the same.
        """
        found = _LINK.fullmatch(link.strip())
        if found is None:
            return None
        server, channel_id, message_id = (int(number) for number in found.groups())
        gone = NotFound("There is no such message, or you can not read it.")
        if server != guild.id or not isinstance(asker, discord.Member):
            raise gone
        try:
            channel = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
            if not isinstance(channel, Readable) or not await readable(channel, asker):
                raise gone
            async with told("reading the message"):
                return await channel.fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden) as fault:
            raise gone from fault

    async def conversation(self, channel: object, asker: discord.abc.User) -> Document | None:
        """The thread with its opener, or the channel's recent messages; None where nothing was said.

        Raises NotAllowed where the asker or the bot may not read it.
        """
        if not isinstance(channel, Readable):
            return None
        if not isinstance(asker, discord.Member) or not await readable(channel, asker):
            raise NotAllowed("You may not read back what was said here.")
        if not channel.permissions_for(channel.guild.me).read_message_history:
            raise NotAllowed("Panelist may not read back what was said here: give it Read Message History.")
        messages = await self._messages(channel)
        lines = [line for message in messages if (line := await _line(message))]
        if not lines and any(message.type in ORDINARY for message in messages):
            raise NotAllowed(
                "Panelist can not read messages: switch on the message content intent, or paste the text instead."
            )
        if not lines:
            return None
        return from_text("\n\n".join(lines), key=channel.jump_url, kind="thread", title=channel.name)

    async def _messages(self, channel: Readable) -> list[discord.Message]:
        async with told("reading what was said here", 60.0):
            if isinstance(channel, discord.TextChannel):
                return [message async for message in channel.history(limit=RECENT)][::-1]
            read = [message async for message in channel.history(limit=MOST)][::-1]
        opener = await self._opener(channel)
        return [*([opener] if opener else []), *(one for one in read if opener is None or one.id != opener.id)]

    async def _opener(self, thread: discord.Thread) -> discord.Message | None:
        """The message that a thread was started from lives in the parent channel, under the thread's id."""
        if not isinstance(thread.parent, discord.TextChannel):
            return None
        try:
            return await thread.parent.fetch_message(thread.id)
        except discord.HTTPException:
            return None


async def readable(channel: Readable, asker: discord.Member) -> bool:
    """True where that person may read what was said there."""
    rights = channel.permissions_for(asker)
    if not (rights.view_channel and rights.read_message_history):
        return False
    if not isinstance(channel, discord.Thread) or not channel.is_private() or rights.manage_threads:
        return True
    try:
        await channel.fetch_member(asker.id)
    except discord.HTTPException:
        return False
    return True


async def files_of(message: discord.Message) -> tuple[GivenBytes, ...]:
    """The message's files. Raises DocumentError."""
    return tuple([await given(one, message) for one in message.attachments])


async def _line(message: discord.Message) -> str:
    if message.type not in ORDINARY or (message.author.bot and message.components):
        return ""
    said = await words(message)
    return f"{message.author.display_name}: {said}" if said else ""
