"""Reading threads back: which of our posts stand there, and what people wrote while we were away."""

from collections.abc import AsyncIterator, Mapping

import discord

from adapters.discord.drawing import words_of
from adapters.discord.faults import told
from adapters.discord.identity import same
from adapters.discord.markup import plain
from adapters.discord.translate import spoken_in
from adapters.discord.webhooks import Webhooks
from bot.core.errors import PostInDoubt
from bot.core.place import Place

PAGE = 100
LOOKED_BACK = 1000
"""So many messages at most are read to find a post."""


class Reading:
    """Finds our messages by who said what: a webhook's post carries no key."""

    def __init__(self, client: discord.Client, webhooks: Webhooks) -> None:
        self._client, self._webhooks = client, webhooks

    async def posts(
        self, place: Place, wanted: Mapping[str, tuple[str, str]], others: frozenset[str]
    ) -> dict[str, str]:
        """Key → message id of those that stand. `wanted`: key → (name, text); an empty name is the bot itself.

        `others` are messages that are known to be something else; what is looked for came later than all of them.
        """
        found: dict[str, str] = {}
        after = max((int(one) for one in others), default=spoken_in(place) - 1)
        async for message in self.history(place, after, LOOKED_BACK):
            if str(message.id) in others or str(message.id) in found.values():
                continue
            if not self._is_ours(message):
                continue
            for key, (name, text) in wanted.items():
                if (
                    key not in found
                    and _speaks(message, name)
                    and plain(await self._said(place, message)) == plain(text)
                ):
                    found[key] = str(message.id)
                    break
        return found

    async def card(self, place: Place, panel: str) -> str:
        """The id of the panel's card there, by its buttons; empty where it is not there."""
        async for message in self._newest(spoken_in(place), LOOKED_BACK // 4):
            if self._by_bot(message) and panel in words_of(message):
                return str(message.id)
        return ""

    async def forum_card(self, forum: discord.ForumChannel, panel: str) -> str:
        """The same for a card that opened a forum post."""
        async with told("looking through the forum's posts"):
            threads = await forum.guild.active_threads()
        me = self._client.user
        ours = [one for one in threads if one.parent_id == forum.id and me and one.owner_id == me.id]
        for thread in sorted(ours, key=lambda one: one.id, reverse=True)[:PAGE]:
            async with told("reading a forum post"):
                message = await self._opener(thread)
            if message and panel in words_of(message):
                return str(message.id)
        return ""

    async def history(self, place: Place, after: int, limit: int | None) -> AsyncIterator[discord.Message]:
        """Messages after an id, oldest first. Raises PlaceGone, and Throttled where it can not be read now."""
        read, source = 0, self._client.get_partial_messageable(spoken_in(place), guild_id=int(place.workspace))
        while limit is None or read < limit:
            async with told("reading the thread back (Read Message History)"):
                page = [m async for m in source.history(limit=PAGE, after=discord.Object(id=after), oldest_first=True)]
            for message in sorted(page, key=lambda one: one.id):
                after = max(after, message.id)
                yield message
            read += len(page)
            if len(page) < PAGE:
                return

    async def _newest(self, channel: int, limit: int) -> AsyncIterator[discord.Message]:
        source = self._client.get_partial_messageable(channel)
        async with told("reading the channel back (Read Message History)"):
            page = [message async for message in source.history(limit=limit)]
        for message in page:
            yield message

    async def _opener(self, thread: discord.Thread) -> discord.Message | None:
        try:
            return await thread.fetch_message(thread.id)
        except discord.NotFound:
            return None

    def _by_bot(self, message: discord.Message) -> bool:
        me = self._client.user
        return me is not None and message.author.id == me.id and message.webhook_id is None

    def _is_ours(self, message: discord.Message) -> bool:
        if message.webhook_id is None:
            return self._by_bot(message)
        return message.application_id == self._client.application_id or self._webhooks.is_ours(message.webhook_id)

    async def _said(self, place: Place, message: discord.Message) -> str:
        """Its words. Without the message content intent they are hidden, but never from the webhook that said them."""
        if message.content or message.webhook_id is None:
            return message.content
        hook = await self._webhooks.of(int(place.channel))
        if hook.id != message.webhook_id:
            raise PostInDoubt("the thread can not be read: the message content intent is off")
        webhook = discord.Webhook.partial(hook.id, hook.token, client=self._client)
        async with told("reading a post back"):
            return (await webhook.fetch_message(message.id, thread=discord.Object(id=int(place.thread)))).content


def _speaks(message: discord.Message, name: str) -> bool:
    """True for a message under that name; an empty name is the bot itself."""
    if not name:
        return message.webhook_id is None
    return message.webhook_id is not None and same(message.author.name, name)
