"""A chat platform in memory, whose answers can be lost and whose thread can go away."""

import itertools
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

from bot.core.card import Card
from bot.core.errors import PlaceGone, PlatformError, PostInDoubt
from bot.core.place import Person, Place
from bot.core.platform import Attachment, Capabilities, ChatPlatform, Heard, Post, Speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message in a thread of the fake."""

    id: str
    thread: str
    post: Post | None = None
    heard: Heard | None = None
    files: tuple[str, ...] = ()


class FakePlatform(ChatPlatform):
    """Ids only grow. `faults` are raised by the next posts, one each; None lets a post through."""

    def __init__(self, name: str = "fake", able: Capabilities | None = None) -> None:
        self.name = name
        self.able = able or Capabilities(
            max_chars=2000, edits_card=True, pins=True, files=True, reactions=True, whispers=True
        )
        self.messages: dict[str, Message] = {}
        self.cards: dict[str, Card] = {}
        self.pinned: list[str] = []
        self.reactions: list[tuple[str, str]] = []
        self.whispers: list[tuple[str, str]] = []
        self.faults: list[PlatformError | None] = []
        self.loses_answers = 0
        """So many posts take effect without a confirmation."""
        self.requests = 0
        self.gone: set[str] = set()
        self._ids = itertools.count(1001)

    def in_thread(self, place: Place) -> list[Message]:
        """The thread's messages, oldest first."""
        return [message for message in self.messages.values() if message.thread == place.thread]

    def posts(self) -> list[Post]:
        """What was posted and stands, cards left out."""
        return [m.post for m in self.messages.values() if m.post and m.post.kind != "card"]

    def says(self, place: Place, text: str, author: Person | None = None) -> Heard:
        """A human's message in the thread."""
        who = author or Person(id="ann", name="Ann")
        heard = Heard(place=place, message_id=str(next(self._ids)), author=who, text=text, at=1.0)
        self.messages[heard.message_id] = Message(id=heard.message_id, thread=place.thread, heard=heard)
        return heard

    async def capabilities(self, place: Place) -> Capabilities:
        return self.able

    def measure(self, text: str) -> int:
        return len(text)

    async def post(self, place: Place, post: Post) -> str:
        self.requests += 1
        self._require(place)
        if self.faults and (fault := self.faults.pop(0)):
            raise fault
        message = Message(id=str(next(self._ids)), thread=place.thread, post=post)
        self.messages[message.id] = message
        if post.card:
            self.cards[message.id] = post.card
        if self.loses_answers:
            self.loses_answers -= 1
            raise PostInDoubt("the answer was lost")
        return message.id

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        self._require(place)
        wanted = {post.key for post in posts}
        return {m.post.key: m.id for m in self.messages.values() if m.post and m.post.key in wanted}

    async def thread(self, place: Place, card_id: str) -> Place:
        made = await super().thread(place, card_id)
        if card_id in self.messages:
            self.messages[card_id] = replace(self.messages[card_id], thread=made.thread)
        return made

    async def edit_card(self, place: Place, card_id: str, card: Card) -> None:
        self.cards[card_id] = card

    async def take_back(self, place: Place, message_id: str) -> None:
        self.messages.pop(message_id, None)

    async def pin(self, place: Place, message_id: str) -> str:
        self.pinned.append(message_id)
        return "" if self.able.pins else "this platform has no pins"

    async def unpin(self, place: Place, message_id: str) -> None:
        if message_id in self.pinned:
            self.pinned.remove(message_id)

    async def attach(self, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        names = tuple(file.name for file in files)
        for message in self.in_thread(place):
            if message.files == names:
                return message.id
        message = Message(id=str(next(self._ids)), thread=place.thread, files=names)
        self.messages[message.id] = message
        return message.id

    async def react(self, place: Place, message_id: str, sign: str) -> None:
        self.reactions.append((message_id, sign))

    async def whisper(self, place: Place, person: Person, text: str) -> None:
        self.whispers.append((person.id, text))

    async def thinking(self, place: Place, speaker: Speaker) -> None:
        return None

    async def missed(self, place: Place, after: str) -> AsyncIterator[Heard]:
        for message in self.in_thread(place):
            if message.heard and int(message.id) > int(after or 0):
                yield message.heard

    def _require(self, place: Place) -> None:
        if place.thread in self.gone:
            raise PlaceGone("the thread was deleted")
