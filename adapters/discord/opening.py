"""From "somebody asks for a panel here" to an opened panel: rights, place, target, and the refusals in words."""

import discord

from adapters.discord.conversations import Conversations
from adapters.discord.files import given
from adapters.discord.people import People
from adapters.discord.permissions import granted_in, lacking
from adapters.discord.services import Ask, Services
from adapters.discord.translate import person, place_of
from bot.core.document import Document
from bot.core.errors import NotAllowed
from bot.core.permissions import PERMISSIONS, SETTINGS, permissions, refusal
from bot.core.place import Place
from bot.core.targets import Source, TargetRef

NO_SERVER = (
    "Panels need a thread that everyone can follow, so they run in servers only. Ask an admin to add Panelist to one, "
    "then use `/panel` in a text channel, a thread or a forum there."
)
NOT_HERE = "Panels run in text channels, their threads and forums; ask for one there."


class Opening:
    """Opens the panels that people ask for."""

    def __init__(self, client: discord.Client, people: People, services: Services) -> None:
        self._services = services
        self.conversations = Conversations(client, people)

    async def place(self, channel: object, author: discord.abc.User) -> Place:
        """Where the panel would stand. Raises NotAllowed where it can not, or that person may not start one."""
        place = place_of(channel)
        if place is None or not isinstance(channel, discord.TextChannel | discord.Thread | discord.ForumChannel):
            raise NotAllowed(NOT_HERE)
        stored = await self._services.shelf.take(place.workspace, SETTINGS, PERMISSIONS)
        if why := refusal("start", person(author), "", permissions(stored)):
            raise NotAllowed(why)
        self._require(channel)
        return place

    async def open(self, ask: Ask) -> tuple[str, Place]:
        """Open the panel and set it running; returns its id and place.

        Raises any error of the tree that a person can cause.
        """
        place = await self.place(ask.channel, ask.author)
        documents, words = await self._target(ask, place)
        opened = await self._services.starts.opened(
            ask.format,
            words,
            ask.options,
            person(ask.author),
            place,
            await self._services.reach(place),
            documents,
        )
        panel = await self._services.starts.open(opened, place)
        await self._services.kick(panel)
        return panel, place

    def _require(self, channel: discord.TextChannel | discord.Thread | discord.ForumChannel) -> None:
        needed = [need for need in lacking(granted_in(channel)) if need.vital]
        if isinstance(channel, discord.Thread):
            needed = [need for need in needed if need.name not in ("send_messages", "create_public_threads")]
            if channel.locked:
                raise NotAllowed("This thread is locked: unlock it, or ask for the panel in its channel.")
        if isinstance(channel, discord.ForumChannel):
            needed = [need for need in needed if need.name != "create_public_threads"]
        if needed:
            names = ", ".join(need.shown for need in needed)
            raise NotAllowed(f"Panelist lacks {names} here: an admin can grant it in the channel's settings.")

    async def _target(self, ask: Ask, place: Place) -> tuple[tuple[Document, ...], str | None]:
        """What the panel looks at, and what is left of the words."""
        sources: tuple[Source, ...] = tuple([await given(file, ask.message) for file in ask.files])
        documents: tuple[Document, ...] = ()
        words = ask.words
        message = ask.message if ask.about else await self._linked(ask)
        if message is not None:
            document, files = await self.conversations.message(message)
            documents = (document,) if document else ()
            sources += files
            words = ask.words if ask.about else None
        if sources:
            reach = await self._services.reach(place)
            documents += await self._services.targets.read(TargetRef(sources=sources, reach=reach))
        if not documents and words is None and place.thread:
            document = await self.conversations.conversation(ask.channel, ask.author)
            documents = (document,) if document else ()
        return documents, words

    async def _linked(self, ask: Ask) -> discord.Message | None:
        guild = getattr(ask.channel, "guild", None)
        if not ask.words or not isinstance(guild, discord.Guild):
            return None
        return await self.conversations.linked(ask.words, ask.author, guild)
