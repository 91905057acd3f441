"""The bot is mentioned: the same grammar as behind `/panel`, in a channel or a thread."""

import re
from dataclasses import replace

import discord

from adapters.discord.asking import Asking, Choice, Reply, sentence, uploads
from adapters.discord.buttons import NEW_ID
from adapters.discord.people import CALLED, People
from adapters.discord.receipts import Receipts
from adapters.discord.replying import choices_view
from adapters.discord.services import Ask, Services
from bot.core.errors import PanelistError
from bot.core.options import COMMANDS
from bot.core.place import Place
from bot.core.starting.command import DESK, PanelCommand
from bot.core.steering.grammar import HEARD, WORDS
from bot.core.store import Query

_CALL = re.compile(rf"\s*{re.escape(CALLED)}[\s,:;]*", re.IGNORECASE)
STEERING = frozenset(head for word in WORDS for head in word.heads)
"""In a panel's thread these are for the panel."""


class Mentions:
    """Takes mentions as commands, unless they speak to the panel of that thread."""

    def __init__(self, services: Services, people: People, receipts: Receipts, asking: Asking) -> None:
        self._services, self._people, self._receipts, self._asking = services, people, receipts, asking

    async def take(self, message: discord.Message, place: Place) -> bool:
        """True where it was a command, which is then done and answered."""
        text = self._words(message)
        if await self._has_panel(place) and not _starts_command(text):
            return False
        if not await self._services.store.first_seen(f"discord:mention:{message.id}", self._services.clock.now()):
            return True
        await self._receipts.react(message.channel.id, str(message.id), HEARD)
        reply = await self._reply(message, text)
        if not reply.began:  # otherwise the card says it all
            await self._receipts.reply(message, reply.text, choices_view(reply), uploads(reply.files))
        return True

    async def _reply(self, message: discord.Message, text: str) -> Reply:
        try:
            command = await self._asking.meant(message.channel, text)
        except PanelistError as fault:
            return Reply(text=sentence(fault))
        ask = Ask(
            command=PanelCommand(format="discussion", words=None),
            author=message.author,
            channel=message.channel,
            files=tuple(message.attachments),
            message=message,
            cause=f"discord:{message.id}",
        )
        reply = await self._asking.answer(command, ask)
        return replace(reply, choices=(Choice(label="Open the form", custom_id=NEW_ID),)) if reply.opens else reply

    def _words(self, message: discord.Message) -> str:
        """What stands behind the bot's name."""
        text = self._people.named(message, message.content)
        return _CALL.sub("", text, count=1).strip()

    async def _has_panel(self, place: Place) -> bool:
        if not place.thread:
            return False
        return bool(await self._services.store.summaries(Query(place=place, limit=1)))


def _starts_command(text: str) -> bool:
    """True for words that start a panel or ask the desk, whatever thread they stand in."""
    first, _, rest = text.partition(" ")
    word = first.casefold()
    if word in STEERING or not text:
        return False
    return (word in COMMANDS and bool(rest.strip())) or (word in DESK and word not in ("note", "budget"))
