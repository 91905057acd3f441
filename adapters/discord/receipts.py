"""Small signs that are shown at best: reactions, typing, and words for one person that remove themselves."""

import asyncio
import logging
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import discord

from adapters.discord.faults import told
from adapters.discord.markup import MOST, units
from bot.core.clock import Clock
from bot.core.errors import PlatformError
from bot.core.place import Person

log = logging.getLogger("panelist.discord")

WHISPER_SECONDS = 45.0
"""How long a reply to one person stays in the thread."""
TYPING_SECONDS = 8.0
"""Discord shows "is typing" for about ten."""
EMOJI = {"⏸": "⏸️", "⏹": "⏹️"}
"""Signs whose emoji Discord knows with a variation selector only."""

NOTHING = "Done."
Files = Sequence[discord.File]
Answered = discord.Interaction | discord.Message
answering: ContextVar[Answered | None] = ContextVar("answering", default=None)
"""What the present task answers: a pressed button or form, or a message."""


class Receipts:
    """Shows them, and never fails."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client, self._clock = client, clock
        self._typed: dict[int, float] = {}
        self._typing: set[asyncio.Task[None]] = set()
        self._fading: dict[asyncio.Task[None], discord.Message] = {}

    async def react(self, channel: int, message_id: str, sign: str) -> None:
        """Put the sign under a person's message."""
        message = self._client.get_partial_messageable(channel).get_partial_message(int(message_id))
        try:
            async with told("reacting (Add Reactions)"):
                await message.add_reaction(EMOJI.get(sign, sign))
        except PlatformError as fault:
            log.info("no receipt: %s", fault, extra={"channel": channel})

    async def whisper(self, channel: int, person: Person, text: str) -> None:
        """To whoever pressed: an answer that only they see. To whoever wrote: a reply that removes itself."""
        try:
            async with told("answering one person"):
                await self._whisper(channel, person, text)
        except PlatformError as fault:
            log.info("not told: %s", fault, extra={"channel": channel})

    def typing(self, channel: int) -> None:
        """Show in the background that something is being written."""
        now = self._clock.monotonic()
        if now - self._typed.get(channel, float("-inf")) >= TYPING_SECONDS:
            self._typed[channel] = now
            task = asyncio.create_task(self._type(channel), name="typing")
            self._typing.add(task)
            task.add_done_callback(self._typing.discard)

    async def _type(self, channel: int) -> None:
        try:
            async with told("typing"):
                await self._client.get_partial_messageable(channel).typing()
        except PlatformError as fault:
            log.debug("no typing: %s", fault, extra={"channel": channel})

    async def close(self) -> None:
        """Remove what would have removed itself."""
        fading, ending = dict(self._fading), [*self._fading, *self._typing]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        await asyncio.gather(*(self._remove(message) for message in fading.values()))

    async def reply(
        self, message: discord.Message, text: str, view: discord.ui.View | None = None, files: Files = ()
    ) -> None:
        """Answer a message by a reply that pings nobody and removes itself."""
        try:
            async with told("replying"):
                *before, last = pieces(text) or [NOTHING]
                for piece in before:
                    self._fades(await _sent(message.channel, message, piece))
                self._fades(await _sent(message.channel, message, last, view, files))
        except PlatformError as fault:
            log.info("not told: %s", fault, extra={"channel": message.channel.id})

    async def _whisper(self, channel: int, person: Person, text: str) -> None:
        asked = answering.get()
        if isinstance(asked, discord.Interaction):
            for piece in pieces(text):
                await asked.followup.send(piece, ephemeral=True, suppress_embeds=True)
        elif asked is not None:
            await self.reply(asked, text)
        else:
            where = self._client.get_partial_messageable(channel)
            for piece in pieces(f"**{discord.utils.escape_markdown(person.name)}**: {text}"):
                self._fades(await _sent(where, None, piece))

    def _fades(self, message: discord.Message) -> None:
        task = asyncio.create_task(self._fade(message), name="whisper")
        self._fading[task] = message
        task.add_done_callback(lambda done: self._fading.pop(done, None))

    async def _fade(self, message: discord.Message) -> None:
        await self._clock.sleep(WHISPER_SECONDS)
        await self._remove(message)

    async def _remove(self, message: discord.Message) -> None:
        try:
            async with told("removing an answer"):
                await message.delete()
        except PlatformError as fault:
            log.debug("not removed: %s", fault)


async def _sent(
    where: discord.abc.Messageable,
    asked: discord.Message | None,
    text: str,
    view: discord.ui.View | None = None,
    files: Files = (),
) -> discord.Message:
    """A reply, or a message where there is nothing to reply to."""
    more: dict[str, Any] = {"view": view} if view is not None and view.children else {}
    if files:
        more["files"] = list(files)
    if asked is not None:
        more |= {"reference": asked.to_reference(fail_if_not_exists=False), "mention_author": False}
    return await where.send(text, allowed_mentions=discord.AllowedMentions.none(), suppress_embeds=not files, **more)


def pieces(text: str) -> list[str]:
    """The text in messages, cut between lines."""
    pieces = [""]
    for line in text.splitlines():
        line = line[: MOST // 2]
        if units(f"{pieces[-1]}\n{line}") > MOST:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]}\n{line}".strip("\n")
    return [piece for piece in pieces if piece.strip()]
