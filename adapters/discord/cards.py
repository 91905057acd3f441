"""Showing a card's newest state, at most every five seconds; states in between are left out."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import discord

from adapters.discord.drawing import draw
from adapters.discord.faults import ARCHIVED, OLD_EDITS, code_of, told
from adapters.discord.posting import unarchive
from bot.core.card import Card
from bot.core.clock import Clock
from bot.core.errors import PlatformError, Throttled

log = logging.getLogger("panelist.discord")

EVERY = 5.0
"""Seconds between two edits of one card."""
OLD_EVERY = 60.0
"""The same, once Discord says that a message older than an hour is edited too often."""


@dataclass(slots=True)
class _Shown:
    """One card's message."""

    channel: int
    message: int
    wanted: tuple[Card, tuple[str, ...]] | None = None
    """Not shown yet."""
    seen: Card | None = None
    at: float = float("-inf")
    every: float = EVERY
    task: asyncio.Task[None] | None = None


class Cards:
    """The cards that this process has shown."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client, self._clock = client, clock
        self._shown: dict[int, _Shown] = {}

    def show(self, channel: int, message: int, card: Card, missing: tuple[str, ...]) -> None:
        """Show it in the background, with the next edit. Never raises for Discord's faults."""
        one = self._shown.setdefault(message, _Shown(channel=channel, message=message))
        if one.seen == card and one.wanted is None:
            return
        one.wanted = (card, missing)
        if one.task is None:
            one.task = asyncio.create_task(self._later(one), name="card")

    async def close(self) -> None:
        """Show what waits, and end."""
        waiting = [one for one in self._shown.values() if one.task is not None]
        for one in waiting:
            if one.task:
                one.task.cancel()
        await asyncio.gather(*(self._edit(one) for one in waiting))

    async def _later(self, one: _Shown) -> None:
        while one.wanted is not None:
            await self._clock.sleep(one.at + one.every - self._clock.monotonic())
            await self._edit(one)
        one.task = None

    async def _edit(self, one: _Shown) -> None:
        if one.wanted is None:
            return
        (card, missing), one.wanted, one.at = one.wanted, None, self._clock.monotonic()
        try:
            await self._reopened(one, lambda: self._request(one, card, missing))
            one.seen = card
        except Throttled as fault:
            one.at += fault.retry_after
            if one.wanted is None:
                one.wanted = (card, missing)
        except PlatformError as fault:
            if code_of(fault) == OLD_EDITS:
                one.every = OLD_EVERY
            log.info("card not shown: %s", fault, extra={"panel": card.panel, "channel": one.channel})

    async def _request(self, one: _Shown, card: Card, missing: tuple[str, ...]) -> None:
        drawn = draw(card, f"{card.title}: {card.topic}", missing)
        message = self._client.get_partial_messageable(one.channel).get_partial_message(one.message)
        async with told("editing the card"):
            await message.edit(
                content=drawn.content,
                embed=drawn.embed,
                view=drawn.view(),
                allowed_mentions=discord.AllowedMentions.none(),
            )

    async def _reopened(self, one: _Shown, edit: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await edit()
        except PlatformError as fault:
            if code_of(fault) != ARCHIVED:
                raise
            await unarchive(self._client, one.channel)
            await edit()
