"""Pinning the synthesis, within Discord's limit and by the server's settings.

Pinning needs Pin Messages; Manage Messages alone stopped being enough on 23 February 2026.
https://docs.discord.com/developers/resources/message#pin-message
"""

import discord

from adapters.discord.faults import PINS_FULL, code_of, told
from bot.core.desk.workspace import settings_at
from bot.core.errors import PlatformError, Throttled
from bot.core.store import Shelf

OFF = "pinning is switched off in this server (`settings pins`)"
FULL = "this thread has as many pins as Discord allows: unpin one"


class Pins:
    """Our pins in a thread."""

    def __init__(self, client: discord.Client, shelf: Shelf) -> None:
        self._client, self._shelf = client, shelf

    async def pin(self, workspace: str, message: discord.PartialMessage) -> str:
        """Pin it, and unpin our oldest beyond those that the server keeps; returns why it could not be pinned.

        Raises Throttled.
        """
        kept = (await settings_at(self._shelf, workspace)).keep_pins
        if kept == 0:
            return OFF
        try:
            async with told("pinning (Pin Messages)"):
                await message.pin(reason="The panel's synthesis")
                if kept:
                    await self._unpin_older(message, kept)
        except Throttled:
            raise
        except PlatformError as fault:
            return FULL if code_of(fault) == PINS_FULL else str(fault)
        return ""

    async def unpin(self, message: discord.PartialMessage) -> None:
        """Raises the core's errors."""
        async with told("unpinning (Pin Messages)"):
            await message.unpin()

    async def _unpin_older(self, message: discord.PartialMessage, kept: int) -> None:
        me = self._client.user
        ours = [pin async for pin in message.channel.pins(limit=None) if me and pin.author.id == me.id]
        for pin in ours[kept:]:
            await pin.unpin()
