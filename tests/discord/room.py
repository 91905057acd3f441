"""A whole house on Discord: real library, real core, rehearsed voices; only the other side of the wire is ours."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from typing import Any

from adapters.discord.pacing import LIMITS, Limits
from adapters.discord.service import DiscordSettings
from bot.core.panel import Panel
from tests.discord.house import QuickClient, stage
from tests.discord.household import Household, household
from tests.servers.discord import DiscordServer, Rules
from tests.servers.discord.world import Interaction, Message


@dataclass(slots=True, kw_only=True)
class Room(Household):
    """One process of the house, connected to the test server."""

    server: DiscordServer

    async def answer(self, asked: Interaction) -> Message:
        """What the one who asked is told, once it is there."""
        await self.server.until(lambda: self._answers(asked), timeout=10.0)
        return self._answers(asked)[-1]

    def _answers(self, asked: Interaction) -> list[Message]:
        """Without the message under which a button was pressed."""
        return [one for one in asked.answers if one is not asked.message]

    def said(self, panel: Panel) -> list[tuple[str, str]]:
        """(name, words) of what stands in the panel's thread, without card, files and notices; oldest first."""
        shown = [one for one in self.server.posts(int(panel.place.thread)) if speaks(one)]
        return [(one.author.name, one.content) for one in shown]

    def card(self, panel: Panel) -> Message:
        """The panel's card."""
        for one in self.server.platform.created:
            if one.components and panel.id in str(one.components) and not one.visible_to:
                return one
        raise AssertionError("there is no card")


def speaks(message: Message) -> bool:
    """True for a turn of a persona or the host."""
    return message.kind == 0 and not message.components and not message.attachments and bool(message.content)


def build(
    server: DiscordServer,
    *,
    message_content: bool = True,
    public_url: str = "",
    limits: Limits = LIMITS,
    client: QuickClient | None = None,
    **parts: Any,
) -> Room:
    """The house for that server, not yet connected; `parts` as for `household`."""
    settings = DiscordSettings(token=server.token, api_url=server.api, public_url=public_url, limits=limits)
    it = household(settings, client=client or QuickClient(message_content=message_content), **parts)
    return Room(server=server, **{field.name: getattr(it, field.name) for field in fields(it)})


@asynccontextmanager
async def lives(room: Room) -> AsyncIterator[Room]:
    """The house connected, until the block ends."""
    await room.store.beat("one", room.clock.now() + 1e6)
    serving = asyncio.create_task(room.bot.run(room.services))
    try:
        await ready(room, serving)
        yield room
    finally:
        await room.driver.stop()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def ready(room: Room, serving: "asyncio.Task[None]") -> None:
    """Return once the bot is on the gateway; raises what its run raised."""
    async with asyncio.timeout(20):
        while not room.bot.client.is_ready():
            if serving.done():
                serving.result()
            await asyncio.sleep(0.005)


@asynccontextmanager
async def room(*, rules: Rules | None = None, **parts: Any) -> AsyncIterator[Room]:
    """A server, and a house connected to it."""
    async with stage(rules=rules) as server, lives(build(server, **parts)) as it:
        yield it
