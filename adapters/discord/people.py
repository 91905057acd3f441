"""Who counts as a human, and what they said, in the core's words."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import discord

from adapters.discord.faults import told
from adapters.discord.files import words
from adapters.discord.reading import Reading
from adapters.discord.translate import ORDINARY, heard, person
from bot.core.desk.workspace import settings_at
from bot.core.errors import PlatformError
from bot.core.place import Place
from bot.core.platform import Heard
from bot.core.store import Shelf

CALLED = "@panelist"
"""What a mention of the bot becomes: the grammar's own word for it."""

_MENTION = re.compile(r"<@(?P<kind>[!&]?)(?P<id>\d+)>")


class People:
    """Tells people from bots, proxies and Discord's own notices."""

    def __init__(self, client: discord.Client, shelf: Shelf) -> None:
        self._client, self._shelf = client, shelf

    async def counts(self, message: discord.Message) -> bool:
        """True for a person's message, and for one of a bot or relay that the server's settings let through.

        Our own never count, whoever they speak for.
        """
        if message.type not in ORDINARY or self._is_own(message) or message.guild is None:
            return False
        if message.webhook_id is None and not message.author.bot:
            return True
        settings = await settings_at(self._shelf, str(message.guild.id))
        return str(message.webhook_id or message.author.id) in settings.bots

    def addressed(self, message: discord.Message) -> bool:
        """True when it mentions the bot, or the role that Discord made for it."""
        me = self._client.user
        if me is None:
            return False
        if any(user.id == me.id for user in message.mentions):
            return True
        return any(role.tags is not None and role.tags.bot_id == me.id for role in message.role_mentions)

    async def heard(self, message: discord.Message, place: Place, *, edited: bool = False) -> Heard:
        """What the message says in that place."""
        said = self.named(message, await words(message))
        return heard(message, place, said, addressed=self.addressed(message), edited=edited)

    async def missed(self, reading: Reading, place: Place, after: str) -> AsyncIterator[Heard]:
        """What people wrote after that message, oldest first."""
        members: dict[int, discord.abc.User] = {}
        async for message in reading.history(place, int(after or place.thread or 0), None):
            if await self.counts(message):
                if message.author.id not in members:
                    members[message.author.id] = await self._member(message)
                yield replace(await self.heard(message, place), author=person(members[message.author.id]))

    async def _member(self, message: discord.Message) -> discord.abc.User:
        """The author with their roles: read back, a message has none. Whoever is no member any more is a guest."""
        if isinstance(message.author, discord.Member) or message.guild is None:
            return message.author
        try:
            async with told("looking for a member"):
                return await message.guild.fetch_member(message.author.id)
        except PlatformError:
            return message.author

    def _is_own(self, message: discord.Message) -> bool:
        me = self._client.user
        return (me is not None and message.author.id == me.id) or (
            message.application_id is not None and message.application_id == self._client.application_id
        )

    def named(self, message: discord.Message, text: str) -> str:
        """Mentions as names: an id says nothing to a persona."""
        me = self._client.user
        names = {user.id: user.display_name for user in message.mentions}
        roles = {role.id: role for role in message.role_mentions}

        def name(found: re.Match[str]) -> str:
            number = int(found["id"])
            role = roles.get(number)
            if role is not None and role.tags is not None and me and role.tags.bot_id == me.id:
                return CALLED
            if role is not None:
                return f"@{role.name}"
            return CALLED if me and number == me.id else f"@{names.get(number, 'somebody')}"

        return _MENTION.sub(name, text)
