"""Discord as the house runs it: one object to make, one to run.

discord = Discord(DiscordSettings(token=…), shelf=…, clock=…)
platforms["discord"] = discord.platform
await discord.run(Services(…))
"""

import logging
from dataclasses import dataclass

import discord

from adapters.discord.asking import Asking
from adapters.discord.buttons import DYNAMIC
from adapters.discord.client import Client, addressed
from adapters.discord.commands import register, synced
from adapters.discord.doctor import WRONG_TOKEN
from adapters.discord.events import Events
from adapters.discord.mentions import Mentions
from adapters.discord.opening import Opening
from adapters.discord.pacing import LIMITS, Limits
from adapters.discord.platform import DiscordPlatform
from adapters.discord.services import Services
from adapters.discord.surface import Surface
from bot.core.clock import Clock
from bot.core.errors import PlatformError, UsageError
from bot.core.store import Shelf

log = logging.getLogger("panelist.discord")

NO_CONTENT = (
    "The message content intent is off: people steer by mention, buttons and the Steer form. To switch it on: "
    "Developer Portal, Bot, Privileged Gateway Intents, Message Content"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSettings:
    """How to reach Discord."""

    token: str
    api_url: str = ""
    """Of a stand-in for Discord's API; empty: Discord itself."""
    public_url: str = ""
    """Where this deployment serves avatars to the world; empty where it does not."""
    shards: int | None = None
    """None: as many as Discord asks for."""
    limits: Limits = LIMITS


class Discord:
    """The bot on Discord."""

    def __init__(self, settings: DiscordSettings, *, shelf: Shelf, clock: Clock, client: Client | None = None) -> None:
        self.settings, self._shelf, self._clock = settings, shelf, clock
        self.client = client or Client(shard_count=settings.shards)
        self.client.finds_gateway = bool(settings.api_url)
        self.platform = DiscordPlatform(
            self.client, shelf=shelf, clock=clock, public_url=settings.public_url, limits=settings.limits
        )

    async def run(self, services: Services) -> None:
        """Connect and serve until cancelled.

        Raises UsageError for a wrong token, PlatformError where Discord can not be reached at the start.
        """
        self.serve(services)
        with addressed(self.settings.api_url):
            try:
                await self._run()
            finally:
                await self.platform.close()
                await self.client.close()

    def serve(self, services: Services) -> None:
        """Tie the client to the house; `run` does it."""
        asking = Asking(services, Opening(self.client, self.platform.people, services))
        mentions = Mentions(services, self.platform.people, self.platform.receipts, asking)
        self.client.surface = Surface(services, asking)
        self.client.watcher = Events(self.client, self.platform, services, mentions)
        register(self.client.tree, self.client.surface, services)

        async def prepare() -> None:
            self.client.add_dynamic_items(*DYNAMIC)
            if await synced(self.client.tree, services, self.settings.api_url):
                log.info("commands sent to Discord")

        self.client.prepare = prepare

    async def _run(self) -> None:
        try:
            await self._connected()
        except discord.LoginFailure as fault:
            raise UsageError(WRONG_TOKEN) from fault
        except (discord.GatewayNotFound, discord.HTTPException, OSError) as fault:
            raise PlatformError(f"Discord can not be reached: {fault}") from fault

    async def _connected(self) -> None:
        try:
            await self.client.start(self.settings.token)
        except discord.PrivilegedIntentsRequired:
            log.warning(NO_CONTENT)
            await self.client.do_without_content()
            await self.client.start(self.settings.token)
