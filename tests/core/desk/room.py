"""A workspace with a desk, people and a clock, on the in-memory or another store."""

from pathlib import Path

from bot.core.desk.answer import AttachedText, DeskAnswer, Reads
from bot.core.desk.service import Desk
from bot.core.place import Person, Place
from bot.core.starting.command import DeskCommand
from bot.core.steering.hearing import Hearing
from bot.core.store import Shelf
from personas.book import Book
from personas.files import MarkdownFiles
from storage.memory import MemoryStore
from storage.store import SqlStore
from tests.fakes.clock import FakeClock
from tests.fakes.receipts import ReceiptPlatform

HERE = Place(platform="fake", workspace="W", channel="C")
ADMIN = Person(id="U1", name="Boss", role="admin")
MEMBER = Person(id="U2", name="Maria")
OTHER = Person(id="U3", name="Ben")
GUEST = Person(id="U4", name="Gus", role="guest")
ADA = "---\nname: Ada\ndescription: Counts first.\ntier: custom\n---\n\nI count before I speak.\n"


class Workspace:
    """Ask in it as people do."""

    def __init__(
        self,
        store: MemoryStore | SqlStore | None = None,
        grantable: frozenset[str] = frozenset(),
        home: Path | None = None,
    ) -> None:
        self.store = store or MemoryStore()
        self.shelf: Shelf = self.store.shelf
        self.clock = FakeClock()
        self.platform = ReceiptPlatform()
        self.catalogs = Book(shelf=self.shelf, clock=self.clock, folder="", strict=False, home=home)
        self.hearing = Hearing(
            store=self.store, shelf=self.shelf, platforms={"fake": self.platform}, clock=self.clock, ring=self._ring
        )
        self.desk = Desk(
            store=self.store,
            shelf=self.shelf,
            catalogs=self.catalogs,
            files=MarkdownFiles(),
            clock=self.clock,
            hear=self.hearing.hear,
            grantable=grantable,
        )
        self.rung: list[str] = []

    async def ask(
        self,
        words: str,
        person: Person = ADMIN,
        *,
        place: Place = HERE,
        attached: tuple[AttachedText, ...] = (),
        reads: Reads | None = None,
    ) -> DeskAnswer:
        """The answer to words that are a desk command."""
        command = await self.desk.command(place, words)
        assert isinstance(command, DeskCommand), f"{words!r} is {command!r}"
        return await self.desk.ask(place, person, command, attached, reads=reads)

    async def _ring(self, panel: str) -> None:
        self.rung.append(panel)
