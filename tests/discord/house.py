"""The real library against a Discord of our own, with as much of the house behind it as a test needs."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapters.discord.client import Client, addressed
from adapters.discord.platform import DiscordPlatform
from bot.core.clock import Clock
from bot.core.place import Place
from storage.memory import MemoryShelf
from tests.servers.discord import DiscordServer, Rules


class RealClock(Clock):
    """The machine's time."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    def jitter(self) -> float:
        return 1.0


class SkippingClock(RealClock):
    """The machine's time, and what was slept on top of it: sleeping takes none."""

    def __init__(self) -> None:
        self.skipped = 0.0

    def now(self) -> float:
        return super().now() + self.skipped

    def monotonic(self) -> float:
        return super().monotonic() + self.skipped

    async def sleep(self, seconds: float) -> None:
        self.skipped += max(0.0, seconds)
        await asyncio.sleep(0)


class QuickClient(Client):
    """Without the pauses that Discord asks for between two identifications."""

    def __init__(self, *, message_content: bool = True, shard_count: int | None = 1) -> None:
        super().__init__(message_content=message_content, shard_count=shard_count, ready_seconds=0.05)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        return None


@dataclass(slots=True, kw_only=True)
class Scene:
    """A server with a channel, a forum and two people, and the bot's platform in it."""

    server: DiscordServer
    client: Client
    platform: DiscordPlatform
    shelf: MemoryShelf
    clock: Clock

    def place(self, name: str = "general") -> Place:
        channel = self.server.place(name)
        assert channel.guild is not None
        return Place(platform="discord", workspace=str(channel.guild.id), channel=str(channel.id))


@asynccontextmanager
async def running(client: Client, token: str = "bot-token") -> AsyncIterator[None]:
    """The client logged in and ready, until the block ends."""
    task = asyncio.create_task(client.start(token))
    try:
        async with asyncio.timeout(20):
            while not client.is_ready():
                if task.done():
                    task.result()
                await asyncio.sleep(0.005)
        yield
    finally:
        await client.close()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def stage(*, rules: Rules | None = None) -> AsyncIterator[DiscordServer]:
    """The server alone, with the library pointed at it."""
    async with DiscordServer(rules=rules) as server:
        guild = server.guild()
        server.text_channel(guild)
        server.forum(guild)
        server.member(guild, "ann")
        server.member(guild, "ben")
        with addressed(server.api):
            yield server


@asynccontextmanager
async def scene(
    *, rules: Rules | None = None, message_content: bool = True, public_url: str = "", clock: Clock | None = None
) -> AsyncIterator[Scene]:
    """The platform alone, connected."""
    async with stage(rules=rules) as server:
        client, shelf = QuickClient(message_content=message_content), MemoryShelf()
        client.finds_gateway = True
        passing = clock or SkippingClock()
        platform = DiscordPlatform(client, shelf=shelf, clock=passing, public_url=public_url)
        async with running(client):
            try:
                yield Scene(server=server, client=client, platform=platform, shelf=shelf, clock=passing)
            finally:
                await platform.close()
