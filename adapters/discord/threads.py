"""A panel's thread and its card: posted in a channel, in a thread that is there already, or as a forum post."""

from typing import Literal

import discord

from adapters.discord.drawing import cut, draw
from adapters.discord.faults import THREAD_EXISTS, code_of, told
from adapters.discord.manner import Manner, Manners
from adapters.discord.permissions import granted_in, lacking
from adapters.discord.posting import Json, Posting
from adapters.discord.reading import Reading
from adapters.discord.translate import spoken_in
from adapters.discord.webhooks import host_channel
from bot.core.errors import PlatformError
from bot.core.place import Place
from bot.core.platform import Post

ARCHIVE_MINUTES: Literal[4320] = 4320
"""Until Discord takes a silent thread off the list."""
NAME_MOST = 100
"""Characters of a thread's name."""


class Threads:
    """Makes threads, and knows where their cards stand."""

    def __init__(self, client: discord.Client, posting: Posting, reading: Reading, manners: Manners) -> None:
        self._client, self._posting, self._reading, self._manners = client, posting, reading, manners
        self._names: dict[str, str] = {}

    async def post_card(self, place: Place, post: Post) -> str:
        """Post the card where the panel is to stand; returns the message id."""
        if post.card is None:
            raise ValueError("a card is posted with its values")
        drawn = draw(post.card, post.text, await self.missing(place))
        said: Json = {
            "content": drawn.content,
            "embeds": [drawn.embed.to_dict()],
            "components": drawn.view().to_components(),
        }
        name = thread_name(post.card.topic)
        if place.thread:
            await self._manners.begin(place, await self.manner_now(place))
        elif await self.in_forum(place):
            return await self._posting.as_forum_post(int(place.channel), post.key, name, said)
        message = await self._posting.as_host(spoken_in(place), post.key, said)
        self._names[message] = name
        return message

    async def find_card(self, place: Place, panel: str) -> str:
        """The id of the panel's card; empty where it is not there."""
        channel = await host_channel(self._client, int(place.channel))
        if isinstance(channel, discord.ForumChannel) and not place.thread:
            return await self._reading.forum_card(channel, panel)
        return await self._reading.card(place, panel)

    async def started(self, place: Place, card_id: str) -> Place:
        """The place with the thread that belongs to the card. Its id is that of the card's message."""
        if place.thread:
            return place
        channel = await host_channel(self._client, int(place.channel))
        if isinstance(channel, discord.TextChannel):
            await self._start(channel, int(card_id))
        placed = place.model_copy(update={"thread": card_id})
        await self._manners.begin(placed, await self.manner_now(placed))
        return placed

    async def card_channel(self, place: Place, card_id: str) -> int:
        """The id of the channel in which the card's message stands."""
        if place.thread and (place.thread != card_id or await self.in_forum(place)):
            return int(place.thread)
        return int(place.channel)

    async def in_forum(self, place: Place) -> bool:
        """True where the channel is a forum."""
        return isinstance(await host_channel(self._client, int(place.channel)), discord.ForumChannel)

    async def manner_now(self, place: Place) -> Manner:
        """How personas would speak in a panel that begins there now."""
        channel = await host_channel(self._client, int(place.channel))
        return "webhook" if granted_in(channel).manage_webhooks else "bold"

    async def missing(self, place: Place) -> tuple[str, ...]:
        """What the bot lacks there and what it would be for, a line each."""
        channel = await host_channel(self._client, int(place.channel))
        lines = [f"{need.shown} is missing here: {need.why}" for need in lacking(granted_in(channel))]
        if not self._client.intents.message_content:
            lines.append("Panelist can not read messages here: mention it, or use the buttons, to steer")
        return tuple(lines)

    async def _start(self, channel: discord.TextChannel, card_id: int) -> None:
        message = channel.get_partial_message(card_id)
        try:
            async with told("starting the thread (Create Public Threads)"):
                name = self._names.pop(str(card_id), "") or await self._name_of(message)
                await message.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
        except PlatformError as fault:
            if code_of(fault) != THREAD_EXISTS:
                raise

    async def _name_of(self, message: discord.PartialMessage) -> str:
        card = await message.fetch()
        topic = card.embeds[0].description if card.embeds else ""
        return thread_name(topic or card.content)


def thread_name(topic: str) -> str:
    """1 to 100 characters in one line."""
    return cut(" ".join(topic.split()), NAME_MOST) or "Panel"
