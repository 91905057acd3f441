"""A process that runs panels, put together from fakes as `bot.wiring` puts the real one together."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.core.archive import Archive
from bot.core.engine.driver import LocalDriver
from bot.core.engine.opening import open_panel
from bot.core.entries import Opened, Seat
from bot.core.fold import opened as folded
from bot.core.formats.format import Format
from bot.core.measured import Usage
from bot.core.model import ModelId, Prices
from bot.core.options import Options
from bot.core.orchestrator import Orchestrator
from bot.core.panel import Panel
from bot.core.persona import Persona
from bot.core.place import Person, Place
from bot.core.platform import ChatPlatform, Heard
from bot.core.speech.budget import Purse
from bot.core.speech.contract import ContractCheck
from bot.core.speech.voices import Voices
from bot.core.steering.hearing import Hearing
from bot.core.steering.taking import Taken
from bot.core.store import Shelf, Store
from bot.core.timing import Timing
from bot.wiring import formats, templates
from storage.memory import MemoryShelf, MemoryStore
from tests.fakes.archive import MemoryArchive
from tests.fakes.chat import FaultyPlatform, Message
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel
from tests.fakes.toolbox import MemoryToolbox, MemoryToolboxes

MARIA = Person(id="u1", name="Maria", role="admin")
PLACE = Place(platform="fake", workspace="W", channel="C")
TIMING = Timing(settle=9.0, poll=0.05, beat=2.0, stale=10.0)
TEMPLATES = templates()
NAMES = {"ada": "Ada Lowell", "bo": "Bo Ridge", "cy": "Cy Tan", "di": "Di Marsh"}


class FlatPrices(Prices):
    """Every call costs the same."""

    def __init__(self, dollars: float = 0.01) -> None:
        self.dollars = dollars

    def cost(self, model: str, usage: Usage) -> float | None:
        return self.dollars if usage != Usage() else 0.0


def seat(short_name: str, *, moderates: bool = False, model: str = "scripted:one", **more: Any) -> Seat:
    """A seat for one of NAMES, or for a name made from the short one."""
    name = NAMES.get(short_name, short_name.title())
    persona = Persona(short_name=short_name, name=name, body="Speaks plainly.")
    return Seat(persona=persona, moderates=moderates, model=model, reason="named", **more)


def opening(*seats: Seat, format_: Any = "discussion", topic: str = "Should we retry?", **options: Any) -> Opened:
    """A panel to open: Ada and Bo, unless other seats are given; options as in `Options`."""
    return Opened(
        format=format_,
        topic=topic,
        starter=MARIA,
        seats=seats or (seat("ada"), seat("bo")),
        options=Options(**{"rounds": 2, **options}),
        host_model="scripted:one",
    )


class Stage:
    """One process. Others on the same store, platform and clock are made with `another`."""

    def __init__(
        self,
        *,
        store: Store | None = None,
        shelf: Shelf | None = None,
        platform: FaultyPlatform | None = None,
        port: ChatPlatform | None = None,
        model: ScriptedModel | None = None,
        models: Mapping[str, ScriptedModel] | None = None,
        formats_: Mapping[str, Format] | None = None,
        prices: Prices | None = None,
        archive: MemoryArchive | None = None,
        archive_port: Archive | None = None,
        clock: FakeClock | None = None,
        timing: Timing = TIMING,
        owner: str = "one",
        contracts: ContractCheck | None = None,
    ) -> None:
        """`port`, `archive_port`: what this process has in place of platform and archive themselves."""
        self.clock = clock or FakeClock()
        self.store = store or MemoryStore()
        self.shelf = shelf or MemoryShelf()
        self.platform = platform or FaultyPlatform(self.clock)
        self.port: ChatPlatform = port or self.platform
        self.model = model or ScriptedModel()
        self.archive = archive or MemoryArchive()
        self.timing, self.owner = timing, owner
        voices = Voices(
            models=models or {"scripted": self.model},
            host_model=ModelId(provider="scripted", name="one"),
            prices=prices or FlatPrices(),
            templates=TEMPLATES,
            clock=self.clock,
            contracts=contracts,
        )
        self.orchestrator = Orchestrator(
            store=self.store,
            platforms={"fake": self.port},
            formats=formats_ or formats(),
            voices=voices,
            purse=Purse(voices),
            archive=archive_port or self.archive,
            toolboxes=MemoryToolboxes(MemoryToolbox({})),
            clock=self.clock,
            timing=timing,
            owner=owner,
        )
        self.driver = LocalDriver(self.orchestrator.run, self.clock)
        self.hearing = Hearing(
            store=self.store, shelf=self.shelf, platforms={"fake": self.port}, clock=self.clock, ring=self._ring
        )
        self._said = 0

    async def _ring(self, panel: str) -> None:
        self.orchestrator.ring(panel)

    def another(self, owner: str = "two", **parts: Any) -> "Stage":
        """A second process on the same store, platform, archive and clock."""
        given = {"store": self.store, "shelf": self.shelf, "platform": self.platform, "clock": self.clock}
        shared = {"archive": self.archive, "model": self.model, "timing": self.timing}
        return Stage(owner=owner, **{**given, **shared, **parts})

    async def open(self, opened: Opened | None = None, panel: str = "p1", place: Place = PLACE) -> str:
        """Write a new panel down; returns its id."""
        await open_panel(self.store, self.clock, place, opened or opening(), panel_id=panel)
        return panel

    async def run(self, panel: str = "p1") -> Panel:
        """Run it until it rests; returns how it then stands."""
        await self.store.beat(self.owner, self.clock.now())
        await self.orchestrator.run(panel)
        return await self.state(panel)

    async def state(self, panel: str = "p1") -> Panel:
        """The panel as the store has it."""
        loaded = await self.store.load(panel)
        return folded(panel, loaded.place, loaded.entries)

    async def until(self, true: Callable[[Panel], bool], panel: str = "p1") -> None:
        """Return once that is true of the panel in the store."""
        for _ in range(5000):
            if true(await self.state(panel)):
                return
            await asyncio.sleep(0.001)
        raise AssertionError(f"it never became true of panel {panel}")

    async def say(self, text: str, panel: str = "p1", author: Person = MARIA) -> Taken:
        """Somebody writes in the panel's thread."""
        self._said += 1
        heard = Heard(
            place=(await self.state(panel)).place,
            message_id=f"{self.owner}-said-{self._said}",
            author=author,
            text=text,
            at=self.clock.now(),
        )
        return await self.hearing.hear(heard)

    def thread(self, panel: str = "p1") -> list[tuple[str, str]]:
        """(speaker, text) of what stands in the thread, without the card; oldest first."""
        return [(message.speaker, message.text) for message in self.platform.standing(panel)]


def speakers(messages: Sequence[Message | tuple[str, str]]) -> list[str]:
    """Who said them, in order."""
    return [message.speaker if isinstance(message, Message) else message[0] for message in messages]
