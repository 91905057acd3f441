"""The house on SimCord, a simulator that takes the place of the library's HTTP and gateway.

`Shim` mends what the simulator does otherwise than Discord and what our panels depend on; `test_simcord_gaps.py` pins
each gap, so that a newer simulator tells when a line here can go.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, fields
from typing import Any

import discord
import simcord

from adapters.discord.service import DiscordSettings
from bot.core.panel import Panel
from tests.discord.house import QuickClient
from tests.discord.household import Household, household


class Shim:
    """Takes the place of the webhook adapter's one request method."""

    def __init__(self, env: simcord.Env) -> None:
        adapter: Any = env._webhook_adapter
        self._request, self._backend = adapter.request, env.backend
        adapter.request = self.request

    async def request(self, route: Any, session: Any, **sent: Any) -> Any:
        """The request, with the thread that it names: the simulator posts into the webhook's own channel."""
        thread = (sent.get("params") or {}).get("thread_id")
        if route.method != "POST" or not thread or int(route.webhook_id) not in self._backend.webhooks:
            return await self._request(route, session, **sent)
        with self._moved(int(route.webhook_id), int(thread)):
            return await self._request(route, session, **sent)

    @contextmanager
    def _moved(self, webhook_id: int, thread: int) -> Iterator[None]:
        """The simulator answers without a pause, so nobody else sees the webhook there."""
        webhook = self._backend.webhooks[webhook_id]
        before, webhook.channel_id = webhook.channel_id, thread
        try:
            yield
        finally:
            webhook.channel_id = before


@dataclass(slots=True, kw_only=True)
class Simulated(Household):
    """One process of the house in the simulator, with a server, a channel and two people."""

    env: simcord.Env
    guild: Any
    general: Any
    ann: Any
    olga: Any

    def thread(self, panel: Panel) -> list[discord.Message]:
        """What stands in the panel's thread, oldest first, without Discord's notices."""
        channel = self.env.bot.get_channel(int(panel.place.thread))
        handle = next(one for one in self.general.threads if one.id == int(panel.place.thread))
        assert channel is not None
        return [one for one in handle.history() if one.type is discord.MessageType.default]

    def card(self, panel: Panel) -> discord.Message:
        """The panel's card, in the channel."""
        history: list[discord.Message] = self.general.history()
        return next(one for one in history if str(one.id) == panel.place.thread)


@asynccontextmanager
async def simulated(**parts: Any) -> AsyncIterator[Simulated]:
    """The house in the simulator, until the block ends."""
    client = QuickClient()
    it = household(DiscordSettings(token="simulated"), client=client, **parts)
    it.bot.serve(it.services)
    await it.store.beat("one", it.clock.now() + 1e6)
    async with simcord.run(client) as env:
        Shim(env)
        guild = env.create_guild()
        moderators = guild.create_role("Moderators", permissions=discord.Permissions(manage_guild=True))
        general = guild.create_text_channel("general")
        ann = guild.add_member(env.create_user("ann"))
        olga = guild.add_member(env.create_user("olga"), roles=[moderators])
        known = {field.name: getattr(it, field.name) for field in fields(it)}
        try:
            yield Simulated(env=env, guild=guild, general=general, ann=ann, olga=olga, **known)
        finally:
            await it.driver.stop()
            await it.bot.platform.close()
