"""From "somebody asks for a panel here" to an opened panel: rights, place, target, and the refusals in words."""

import discord

from adapters.discord.conversations import Conversations
from adapters.discord.files import given
from adapters.discord.people import People
from adapters.discord.permissions import granted_in, lacking
from adapters.discord.services import Ask, Services
from adapters.discord.translate import PLATFORM, person, place_of
from bot.core.document import Document
from bot.core.errors import NotAllowed
from bot.core.fold import opened
from bot.core.place import Place
from bot.core.starting.command import PanelCommand
from bot.core.store import Query, Summary
from bot.core.targets.port import Source

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

    async def open(self, ask: Ask) -> tuple[str, Place]:
        """Open the panel and set it running; returns its id and place.

        Raises any error of the tree that a person can cause.
        """
        stands = ask.elsewhere or ask.channel
        place, asker = placed(stands), person(ask.author)
        _require_asker(ask)
        admitted = await self._services.desk.admit(place, asker, ask.command)
        _require(stands)
        command = admitted.command
        words, documents, sources = await self._target(ask)

        async def conversation() -> Document | None:
            return await self.conversations.conversation(ask.channel, ask.author)

        asked = await self._services.starts.opened(
            command.format,
            words,
            command.options,
            asker,
            place,
            admitted.reach,
            documents,
            sources=sources,
            conversation=conversation if isinstance(ask.channel, discord.Thread) or words else None,
            asks=ask.asks,
            settings=admitted.settings,
        )
        panel = await self._services.starts.open(asked, place, cause=ask.cause)
        await self._services.kick(panel)
        return panel, place

    async def again(self, panel: str, author: discord.abc.User, place: Place, cause: str) -> str:
        """Open the same panel anew: its personas, documents and options as they were. Returns the new id.

        Raises NotFound, NotAllowed, BudgetReached.
        """
        loaded = await self._services.store.load(panel)
        before = opened(panel, loaded.place, loaded.entries).opened
        asker = person(author)
        command = PanelCommand(format=before.format, words=before.topic)
        await self._services.desk.admit(place, asker, command)
        fresh = before.model_copy(update={"starter": asker, "seq": 0, "at": 0.0})
        made = await self._services.starts.open(fresh, place, cause=cause)
        await self._services.kick(made)
        return made

    async def paused(self, place: Place) -> Summary | None:
        """The newest paused panel of the channel, where a new one is asked for in the channel itself."""
        if place.thread:
            return None
        query = Query(statuses=frozenset({"paused"}), platforms=frozenset({PLATFORM}), limit=500)
        rows = await self._services.store.summaries(query)
        here = (row for row in rows if row.place.workspace == place.workspace and row.place.channel == place.channel)
        return next(here, None)

    async def _target(self, ask: Ask) -> tuple[str | None, tuple[Document, ...], tuple[Source, ...]]:
        """What is left of the words, and what the panel looks at besides them."""
        words = ask.command.words
        sources: tuple[Source, ...] = tuple([await given(file, ask.message) for file in ask.files])
        linked = await self._linked(words, ask)
        target = linked or (ask.message if ask.about else None)
        if target is None:
            return words, (), sources
        document, files = await self.conversations.message(target)
        return None if linked else words, (document,) if document else (), sources + files

    async def _linked(self, words: str | None, ask: Ask) -> discord.Message | None:
        guild = getattr(ask.channel, "guild", None)
        if not words or not isinstance(guild, discord.Guild):
            return None
        return await self.conversations.linked(words, ask.author, guild)


def placed(channel: object) -> Place:
    """The place of a channel. Raises NotAllowed where no panel can be."""
    place = place_of(channel)
    if place is None:
        raise NotAllowed(NOT_HERE if getattr(channel, "guild", None) else NO_SERVER)
    return place


def _require_asker(ask: Ask) -> None:
    """Raises NotAllowed for a channel in which the asker themselves may not write."""
    if ask.elsewhere is None:
        return
    rights = ask.elsewhere.permissions_for(ask.author) if isinstance(ask.author, discord.Member) else None
    if rights is None or not (rights.view_channel and rights.send_messages):
        raise NotAllowed(f"You may not write in #{ask.elsewhere.name}, so no panel can begin there for you.")


def _require(channel: object) -> None:
    """Raises NotAllowed where the bot itself may not do what a panel can not do without."""
    if not isinstance(channel, discord.TextChannel | discord.Thread | discord.ForumChannel):
        raise NotAllowed(NOT_HERE)
    unneeded: set[str] = set()
    if isinstance(channel, discord.Thread):
        unneeded = {"send_messages", "create_public_threads"}
        if channel.locked:
            raise NotAllowed("This thread is locked: unlock it, or ask for the panel in its channel.")
    if isinstance(channel, discord.ForumChannel):
        unneeded = {"create_public_threads"}
    lacks = [need.shown for need in lacking(granted_in(channel)) if need.vital and need.name not in unneeded]
    if lacks:
        raise NotAllowed(f"Panelist lacks {', '.join(lacks)} here: an admin can grant it in the channel's settings.")
