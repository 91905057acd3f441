"""The port to chat platforms: few required operations, many optional ones; what a platform can do is data."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from bot.core.card import Card
from bot.core.place import Person, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What one place can do; read it, never a platform's name."""

    max_chars: int
    """Of one post, counted by `ChatPlatform.measure`."""
    own_names: bool = True
    """Personas post under their own name; otherwise the name stands in front of the text."""
    edits_card: bool = False
    pins: bool = False
    files: bool = False
    reactions: bool = False
    whispers: bool = False
    """Words for one person only."""
    buttons: bool = False
    reads_back: bool = True
    """The thread can be read, so that a post in doubt can be looked for."""
    notes: tuple[str, ...] = ()
    """What is missing here and why, for the card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """The name and face of one post."""

    short_name: str
    name: str
    emoji: str = ""
    image: str = ""
    color: str = ""
    is_host: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One message that is to stand in the thread once."""

    panel: str
    turn: int
    """The `seq` of the log entry that it shows; 1 is the card."""
    part: int
    """1-based."""
    parts: int
    kind: str
    """A turn kind, `card`, or `notice`."""
    speaker: Speaker
    text: str
    """Markdown, untrusted."""
    label: str = ""
    """The muted line in front of a round's first post."""
    card: Card | None = None
    figures: str = ""
    """Tokens, cost, latency and running total in one line; shown by the command line and in `verbose`, nowhere else."""
    links: frozenset[str] = frozenset()
    """Addresses that stand in the panel's inputs; others are shown as text, never as a link."""
    others: frozenset[str] = frozenset()
    """Message ids of the panel's other posts. A platform whose messages carry no key leaves them out when it looks
    for this one: two turns may have the same words."""

    @property
    def key(self) -> str:
        return f"{self.panel}:{self.turn}:{self.part}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A human message in a thread, as an adapter hands it over."""

    place: Place
    message_id: str
    """Of a button or a form: made up, with a `:` in it, so that it is never taken for a message of the thread."""
    author: Person
    text: str
    at: float
    addressed: bool = False
    """True when it mentions the bot."""
    pressed: bool = False
    """True for a button or a form (`text` is the button's word): there is no message to react to."""
    edited: bool = False
    """`text` is the new one; `at` stays the time of the message itself, here and where it was deleted."""
    deleted: bool = False
    panel: str = ""
    """The panel whose card was pressed; empty: the thread's latest. A thread may have cards of several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that we attach to the thread."""

    name: str
    media_type: str
    content: bytes


class ChatPlatform(ABC):
    """One chat platform."""

    name: str

    @abstractmethod
    async def capabilities(self, place: Place) -> Capabilities:
        """What can be done there."""

    @abstractmethod
    def measure(self, text: str) -> int:
        """The length of a text after the platform's own markup, in the unit of `max_chars`."""

    @abstractmethod
    async def post(self, place: Place, post: Post) -> str:
        """Send exactly one request that posts, and return the platform's id of the message.

        Raises PostRefused or Throttled where it is known not to be there, PostInDoubt where it may be, PlaceGone
        where nothing can be posted any more.
        """

    @abstractmethod
    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        """Read the thread back: post key → message id of those that are there.

        Raises PostInDoubt where the thread can not be read just now, PlaceGone where it is gone.
        """

    async def thread(self, place: Place, card_id: str) -> Place:
        """The place with its thread, made from the card's message where the platform needs that. Safe to repeat."""
        return place if place.thread else place.model_copy(update={"thread": card_id})

    async def edit_card(self, place: Place, card_id: str, card: Card) -> None:
        """Show the card's new state; best effort, may drop states when it is asked too often."""
        _ = place, card_id, card

    async def take_back(self, place: Place, message_id: str) -> None:
        """Delete a message of ours; best effort."""
        _ = place, message_id

    async def pin(self, place: Place, message_id: str) -> str:
        """Pin it; returns an empty string, or why it could not be pinned."""
        _ = place, message_id
        return "this platform has no pins"

    async def unpin(self, place: Place, message_id: str) -> None:
        """Best effort."""
        _ = place, message_id

    async def attach(self, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        """Attach files to the thread by the host; returns a message id, or an empty string where it has no files."""
        _ = place, key, files
        return ""

    async def react(self, place: Place, message_id: str, sign: str) -> None:
        """Show how a message was understood; best effort. `sign` is one of `steering.SIGNS`."""
        _ = place, message_id, sign

    async def whisper(self, place: Place, person: Person, text: str) -> None:
        """Tell one person something; best effort."""
        _ = place, person, text

    async def thinking(self, place: Place, speaker: Speaker) -> None:
        """Show that somebody is about to speak; best effort."""
        _ = place, speaker

    def missed(self, place: Place, after: str) -> AsyncIterator[Heard]:
        """What humans wrote in the thread after that message id, oldest first; nothing where it can not be read."""
        _ = place, after
        return _nothing()

    async def permalink(self, place: Place, message_id: str) -> str:
        """A link to the message, or an empty string."""
        _ = place, message_id
        return ""


async def _nothing() -> AsyncIterator[Heard]:
    nobody: tuple[Heard, ...] = ()
    for heard in nobody:
        yield heard
