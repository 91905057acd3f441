"""Discord as a chat platform: a thread per panel, personas through one webhook per channel, the host as the bot."""

import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import discord

from adapters.discord.cards import Cards
from adapters.discord.faults import told
from adapters.discord.files import attached
from adapters.discord.identity import LONGEST, bold, username
from adapters.discord.manner import Manner, Manners
from adapters.discord.markup import LABEL_MOST, MOST, labelled, measured, rendered, units
from adapters.discord.pacing import LIMITS, Limits, Pacing
from adapters.discord.people import People
from adapters.discord.permissions import granted_in, lacking
from adapters.discord.pins import Pins
from adapters.discord.posting import SUPPRESS_EMBEDS, Json, Posting
from adapters.discord.reading import Reading
from adapters.discord.receipts import Receipts
from adapters.discord.threads import Threads
from adapters.discord.translate import PLATFORM, spoken_in
from adapters.discord.webhooks import Webhooks, host_channel
from bot.core.card import Card
from bot.core.clock import Clock
from bot.core.errors import PlatformError, PostInDoubt
from bot.core.place import Person, Place
from bot.core.platform import Attachment, Capabilities, ChatPlatform, Heard, Post, Speaker
from bot.core.store import Shelf

log = logging.getLogger("panelist.discord")

CONNECT_SECONDS = 60.0
"""How long a panel waits for the bot's first connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A post as it stands: under a webhook's name, or by the bot (empty name)."""

    name: str
    text: str


class DiscordPlatform(ChatPlatform):
    """Posts, reads back and shows cards. What people say comes in through `events.py`."""

    name = PLATFORM

    def __init__(
        self, client: discord.Client, *, shelf: Shelf, clock: Clock, public_url: str = "", limits: Limits = LIMITS
    ) -> None:
        """`public_url`: where this deployment serves `/avatars/NAME.png` to the world; empty where it does not."""
        self._client, self._clock, self._faces = client, clock, _public(public_url)
        self.connected = False
        """True from the first connection of any shard on."""
        self.webhooks = Webhooks(client)
        self.people = People(client, shelf)
        self.reading = Reading(client, self.webhooks)
        self._manners = Manners(shelf, clock)
        self._cards = Cards(client, clock)
        self._pins = Pins(client, shelf)
        self.receipts = Receipts(client, clock)
        self._posting = Posting(client, self.webhooks, Pacing(clock), limits)
        self._threads = Threads(client, self._posting, self.reading, self._manners)

    async def close(self) -> None:
        """Show what waits to be shown, and let go of the connections."""
        await self._cards.close()
        await self.receipts.close()
        await self._posting.close()

    async def capabilities(self, place: Place) -> Capabilities:
        await self._up(place)
        channel = await host_channel(self._client, int(place.channel))
        lacks = {need.name: need for need in lacking(granted_in(channel))}
        own_names = await self._manner(place) == "webhook"
        return Capabilities(
            max_chars=MOST - LABEL_MOST - (0 if own_names else LONGEST + 6),
            own_names=own_names,
            edits_card=True,
            pins="pin_messages" not in lacks,
            files="attach_files" not in lacks,
            reactions="add_reactions" not in lacks,
            whispers=True,
            buttons=True,
            reads_back="read_message_history" not in lacks,
            notes=await self._threads.missing(place),
        )

    def measure(self, text: str) -> int:
        return measured(text)

    async def post(self, place: Place, post: Post) -> str:
        await self._up(place)
        if post.card is not None:
            return await self._threads.post_card(place, post)
        said = await self._said(place, post)
        thread = spoken_in(place)
        if not said.name:
            body: Json = {"content": said.text, "flags": SUPPRESS_EMBEDS}
            return await self._posting.as_host(thread, post.key, body)
        body = {"content": said.text, "username": said.name}
        if face := self._face(post.speaker):
            body["avatar_url"] = face
        return await self._posting.as_persona(int(place.channel), thread, post.key, body)

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        able = await self.capabilities(place)
        if not able.reads_back:
            raise PostInDoubt("the thread can not be read back: Read Message History is missing")
        found: dict[str, str] = {}
        for post in posts:
            if post.card is not None and (card := await self._threads.find_card(place, post.panel)):
                found[post.key] = card
        speeches = [post for post in posts if post.card is None]
        if not speeches:
            return found
        said = {post.key: await self._said(place, post) for post in speeches}
        wanted = {key: (one.name, one.text) for key, one in said.items()}
        others = speeches[0].others
        return found | await self.reading.posts(place, wanted, others)

    async def thread(self, place: Place, card_id: str) -> Place:
        await self._up(place)
        return await self._threads.started(place, card_id)

    async def edit_card(self, place: Place, card_id: str, card: Card) -> None:
        try:
            await self._up(place)
            channel = await self._threads.card_channel(place, card_id)
            self._cards.show(channel, int(card_id), card, await self._threads.missing(place))
        except PlatformError as fault:
            log.info("card not shown: %s", fault, extra={"panel": card.panel})

    async def take_back(self, place: Place, message_id: str) -> None:
        try:
            async with told("deleting a message of ours"):
                await self._delete(place, message_id)
        except PlatformError as fault:
            log.info("not taken back: %s", fault, extra={"channel": place.channel})

    async def pin(self, place: Place, message_id: str) -> str:
        return await self._pins.pin(place.workspace, self._message(place, message_id))

    async def unpin(self, place: Place, message_id: str) -> None:
        try:
            await self._pins.unpin(self._message(place, message_id))
        except PlatformError as fault:
            log.info("not unpinned: %s", fault, extra={"channel": place.channel})

    async def attach(self, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        return await attached(self._client, spoken_in(place), key, files)

    async def react(self, place: Place, message_id: str, sign: str) -> None:
        await self.receipts.react(spoken_in(place), message_id, sign)

    async def whisper(self, place: Place, person: Person, text: str) -> None:
        await self.receipts.whisper(spoken_in(place), person, rendered(text, frozenset()))

    async def thinking(self, place: Place, speaker: Speaker) -> None:
        self.receipts.typing(spoken_in(place))

    async def missed(self, place: Place, after: str) -> AsyncIterator[Heard]:
        if (
            self.connected or self._client.is_ready()
        ):  # before that, whoever asks is early: the connection is followed by a catch-up
            async for one in self.people.missed(self.reading, place, after):
                yield one

    async def permalink(self, place: Place, message_id: str) -> str:
        channel = spoken_in(place)
        if message_id == place.thread:
            channel = await self._threads.card_channel(place, message_id)
        return f"https://discord.com/channels/{place.workspace}/{channel}/{message_id}"

    async def _up(self, place: Place) -> None:
        """Return once the bot was connected: panels may be taken up before. Raises Throttled where it takes long."""
        if self.connected or self._client.get_channel(int(place.channel)) is not None:
            return
        async with told("waiting for the connection to Discord", CONNECT_SECONDS):
            while not self._client.is_ready():
                await self._clock.sleep(0.05)
        self.connected = True

    async def _manner(self, place: Place) -> Manner:
        now = await self._threads.manner_now(place)
        return await self._manners.of(place, now) if place.thread else now

    async def _said(self, place: Place, post: Post) -> _Said:
        """The post's name and words, the same for every try."""
        text = rendered(post.text, post.links)
        if units(text) > MOST:
            text = post.text
        if post.speaker.is_host:
            return _Said(name="", text=labelled(post.label, text))
        if await self._manner(place) == "bold":
            return _Said(name="", text=labelled(post.label, f"{bold(post.speaker)}\n{text}"))
        name = username(post.speaker, has_face=bool(self._face(post.speaker)))
        return _Said(name=name, text=labelled(post.label, text))

    def _face(self, speaker: Speaker) -> str:
        """The persona's picture where the world can fetch it; empty where it can not."""
        return f"{self._faces}/avatars/{quote(speaker.short_name)}.png" if self._faces else ""

    def _message(self, place: Place, message_id: str) -> discord.PartialMessage:
        return self._client.get_partial_messageable(spoken_in(place)).get_partial_message(int(message_id))

    async def _delete(self, place: Place, message_id: str) -> None:
        """A persona's message is deleted by its webhook; the bot may delete only its own."""
        message = self._message(place, message_id)
        fetched = await message.fetch()
        if fetched.webhook_id is None:
            return await message.delete()
        hook = await self.webhooks.of(int(place.channel))
        webhook = discord.Webhook.partial(hook.id, hook.token, client=self._client)
        return await webhook.delete_message(fetched.id, thread=discord.Object(id=spoken_in(place)))


def _public(url: str) -> str:
    """The address, where Discord's own servers can fetch pictures from it; else empty."""
    host = urlsplit(url).hostname or ""
    local = host in ("", "localhost") or host.startswith(("127.", "0.")) or host == "::1"
    return "" if local else url.rstrip("/")
