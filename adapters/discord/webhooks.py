"""One webhook of ours per channel: found again after a restart, made once, made again once when it was deleted.

One is enough for every persona and every thread of a channel; a channel holds fifteen.
https://docs.discord.com/developers/resources/webhook
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass

import discord

from adapters.discord.faults import told
from bot.core.errors import PostRefused

NAME = "Panelist"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """A webhook of ours."""

    id: int
    token: str


class Webhooks:
    """The webhooks of this application, by channel."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._known: dict[int, Hook] = {}
        self._dead: set[int] = set()
        """Ids that Discord still lists and does not know: https://github.com/discord/discord-api-docs/issues/995"""
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def of(self, channel_id: int) -> Hook:
        """The channel's webhook. Raises PostRefused without the permission or at the cap, PlaceGone."""
        async with self._one_at_a_time[channel_id]:
            if channel_id not in self._known:
                self._known[channel_id] = await self._found_or_made(channel_id)
            return self._known[channel_id]

    def forget(self, channel_id: int) -> None:
        """Something happened to the channel's webhooks: look again before the next post."""
        self._known.pop(channel_id, None)

    def bury(self, channel_id: int, hook: Hook) -> None:
        """This one was refused as unknown: never use it again."""
        self._dead.add(hook.id)
        if self._known.get(channel_id) == hook:
            self.forget(channel_id)

    def is_ours(self, webhook_id: int) -> bool:
        """True for a webhook that spoke for us, as far as this process knows."""
        return webhook_id in self._dead or any(hook.id == webhook_id for hook in self._known.values())

    async def _found_or_made(self, channel_id: int) -> Hook:
        channel = await host_channel(self._client, channel_id)
        async with told(f"finding the personas' webhook in #{channel.name} (Manage Webhooks)"):
            listed = await channel.webhooks()
        for webhook in listed:
            if self._is_own(webhook) and webhook.id not in self._dead:
                return Hook(id=webhook.id, token=webhook.token or "")
        async with told(f"making a webhook in #{channel.name} (Manage Webhooks)"):
            made = await channel.create_webhook(name=NAME, reason="Personas speak through it")
        if not made.token:
            raise PostRefused(f"Discord gave no token for the webhook in #{channel.name}")
        return Hook(id=made.id, token=made.token)

    def _is_own(self, webhook: discord.Webhook) -> bool:
        """A token is shown only to the application that made the webhook."""
        me = self._client.user
        owner = webhook.user
        return bool(webhook.token and webhook.name == NAME and me and owner and owner.id == me.id)


HostChannel = discord.TextChannel | discord.ForumChannel
"""Where threads, and so panels, can be."""


async def host_channel(client: discord.Client, channel_id: int) -> HostChannel:
    """The channel, from the cache where it is there. Raises PostRefused for one that has no threads, PlaceGone."""
    channel = client.get_channel(channel_id)
    if channel is None:
        async with told("looking for the channel"):
            channel = await client.fetch_channel(channel_id)
    if not isinstance(channel, HostChannel):
        raise PostRefused("panels run in text channels, their threads and forums only")
    return channel
