"""A platform that keeps the receipts it was asked to show, and a clock that stands still."""

from collections.abc import Mapping

from bot.core.clock import Clock
from bot.core.errors import PlatformError
from bot.core.place import Person, Place
from bot.core.platform import Capabilities, ChatPlatform, Post


class ReceiptPlatform(ChatPlatform):
    """Nothing is posted here; reactions and whispers are kept, or refused where it is told to fail."""

    name = "fake"

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.reactions: list[tuple[str, str]] = []
        self.whispers: list[tuple[str, str]] = []

    async def capabilities(self, place: Place) -> Capabilities:
        return Capabilities(max_chars=1000, reactions=True, whispers=True)

    def measure(self, text: str) -> int:
        return len(text)

    async def post(self, place: Place, post: Post) -> str:
        return post.key

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        return {post.key: post.key for post in posts}

    async def react(self, place: Place, message_id: str, sign: str) -> None:
        if self.fails:
            raise PlatformError("no reactions here")
        self.reactions.append((message_id, sign))

    async def whisper(self, place: Place, person: Person, text: str) -> None:
        self.whispers.append((person.name, text))


class StillClock(Clock):
    """Time that passes only by asking for it: a second each time."""

    def __init__(self, start: float = 5000.0) -> None:
        self._now = start

    def now(self) -> float:
        self._now += 1.0
        return self._now

    def monotonic(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self._now += seconds

    def jitter(self) -> float:
        return 0.5
