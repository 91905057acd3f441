"""A chat platform in memory that can fail in every way that a real one can."""

from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from bot.core.card import Card
from bot.core.errors import PlaceGone, PlatformError, PostInDoubt, PostRefused, Throttled
from bot.core.place import Person, Place
from bot.core.platform import Attachment, Capabilities, ChatPlatform, Post, Speaker
from tests.fakes.clock import FakeClock

Fault = Literal["ok", "refused", "throttled", "lost", "unconfirmed", "late", "gone"]
"""What happens to a request: `lost` never arrives, `unconfirmed` stands without an answer, `late` stands `LATE`
seconds after it was given up."""

LATE = 5.0
RETRY_AFTER = 3.0
ABLE = Capabilities(max_chars=2000, edits_card=True, pins=True, files=True, reactions=True, whispers=True, buttons=True)


@dataclass(slots=True, kw_only=True)
class Message:
    """One message as the platform keeps it."""

    id: str
    key: str
    place: Place
    kind: str
    speaker: str
    """Short name."""
    name: str
    text: str
    label: str = ""
    at: float = 0.0
    """From when on it can be read."""
    removed: bool = False


class FaultyPlatform(ChatPlatform):
    """Posts into a list. `faults` are used up in order, one a post; afterwards every post succeeds."""

    name = "fake"

    def __init__(self, clock: FakeClock, capabilities: Capabilities = ABLE) -> None:
        self._clock = clock
        self.able = capabilities
        self.messages: list[Message] = []
        self.faults: deque[Fault] = deque()
        self.unreadable = 0
        """So many times, reading the thread back fails."""
        self.requests: list[str] = []
        """The key of every post that was asked for, refused ones too."""
        self.reads = 0
        self.cards: list[Card] = []
        self.card_fault: PlatformError | None = None
        """Raised by every edit of a card."""
        self.pinned: list[str] = []
        self.pin_fault = ""
        """Why nothing more can be pinned."""
        self.files: dict[str, tuple[Attachment, ...]] = {}
        self.reactions: list[tuple[str, str]] = []
        self.whispers: list[tuple[str, str]] = []
        self.thinkers: list[str] = []
        self.before_post: Callable[[Post], Awaitable[None]] | None = None
        """Called with every post before anything comes of it."""

    def standing(self, panel: str = "") -> list[Message]:
        """What stands in the threads now, or in one panel's, without the cards; oldest first."""
        return [
            message
            for message in self.messages
            if not message.removed
            and message.kind != "card"
            and message.at <= self._clock.now()
            and (not panel or message.key.startswith(f"{panel}:"))
        ]

    async def capabilities(self, place: Place) -> Capabilities:
        return self.able

    def measure(self, text: str) -> int:
        return len(text)

    async def post(self, place: Place, post: Post) -> str:
        self.requests.append(post.key)
        if self.before_post is not None:
            await self.before_post(post)
        match self.faults.popleft() if self.faults else "ok":
            case "refused":
                raise PostRefused("nobody may post here; ask an admin, then continue")
            case "throttled":
                raise Throttled("slower", RETRY_AFTER)
            case "gone":
                raise PlaceGone("the channel was deleted")
            case "lost":
                raise PostInDoubt("the connection broke")
            case "unconfirmed":
                self._keep(place, post, after=0.0)
                raise PostInDoubt("the connection broke")
            case "late":
                self._keep(place, post, after=LATE)
                raise PostInDoubt("no answer in time")
        return self._keep(place, post, after=0.0)

    def _keep(self, place: Place, post: Post, *, after: float) -> str:
        message = Message(
            id=f"m{len(self.messages) + 1}",
            key=post.key,
            place=place,
            kind=post.kind,
            speaker=post.speaker.short_name,
            name=post.speaker.name,
            text=post.text,
            label=post.label,
            at=self._clock.now() + after,
        )
        self.messages.append(message)
        return message.id

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        self.reads += 1
        if self.unreadable:
            self.unreadable -= 1
            raise PostInDoubt("the thread can not be read just now")
        now = self._clock.now()
        wanted = {post.key for post in posts}
        return {m.key: m.id for m in self.messages if m.key in wanted and not m.removed and m.at <= now}

    async def thread(self, place: Place, card_id: str) -> Place:
        return place if place.thread else place.model_copy(update={"thread": f"thread-of-{card_id}"})

    async def edit_card(self, place: Place, card_id: str, card: Card) -> None:
        if self.card_fault is not None:
            raise self.card_fault
        self.cards.append(card)

    async def take_back(self, place: Place, message_id: str) -> None:
        for message in self.messages:
            if message.id == message_id:
                message.removed = True

    async def pin(self, place: Place, message_id: str) -> str:
        if not self.pin_fault and message_id not in self.pinned:
            self.pinned.append(message_id)
        return self.pin_fault

    async def unpin(self, place: Place, message_id: str) -> None:
        if message_id in self.pinned:
            self.pinned.remove(message_id)

    async def attach(self, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        self.files[key] = files
        return f"files-{key}"

    async def react(self, place: Place, message_id: str, sign: str) -> None:
        self.reactions.append((message_id, sign))

    async def whisper(self, place: Place, person: Person, text: str) -> None:
        self.whispers.append((person.name, text))

    async def thinking(self, place: Place, speaker: Speaker) -> None:
        self.thinkers.append(speaker.short_name)
