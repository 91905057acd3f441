"""The desk: what people ask about panels, personas, notes, presets and settings, answered the same on every surface.

`command` turns words into a command, presets of the workspace included; `ask` answers a DeskCommand; `admit` says
whether a PanelCommand may start, and with which cap and folders.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from bot.core.clock import Clock
from bot.core.desk.answer import AttachedText, DeskAnswer, Reads
from bot.core.desk.asked import Asked
from bot.core.desk.budget import budget_answer
from bot.core.desk.help import help_answer
from bot.core.desk.notes import DeskNotes
from bot.core.desk.panels import DeskPanels, Hear
from bot.core.desk.persona_files import PersonaFiles
from bot.core.desk.personas import DeskPersonas
from bot.core.desk.presets import DeskPresets
from bot.core.desk.settings import DeskSettings
from bot.core.desk.trends import DeskTrends, Draw
from bot.core.desk.workspace import WorkspaceSettings, settings_at
from bot.core.errors import UsageError
from bot.core.place import Person, Place
from bot.core.starting.admission import Admitted, admitted
from bot.core.starting.catalogs import Catalogs
from bot.core.starting.command import Command, DeskCommand, PanelCommand
from bot.core.store import Shelf, Store

Answer = Callable[[Asked], Awaitable[DeskAnswer]]


class Desk:
    """Every answer is for the asker alone, and every fault is an error of the tree with its remedy."""

    def __init__(
        self,
        *,
        store: Store,
        shelf: Shelf,
        catalogs: Catalogs,
        files: PersonaFiles,
        clock: Clock,
        hear: Hear,
        defaults: WorkspaceSettings | None = None,
        grantable: frozenset[str] = frozenset(),
        draw: Draw | None = None,
    ) -> None:
        """`hear` takes in a word for a panel; `grantable` names the folders that workspaces may grant to channels.

        `draw` makes the chart of trends.
        """
        self._store, self._shelf, self._clock = store, shelf, clock
        self._defaults = defaults or WorkspaceSettings()
        self._personas = DeskPersonas(shelf=shelf, catalogs=catalogs, files=files, clock=clock)
        self._presets = DeskPresets(shelf=shelf, clock=clock)
        notes = DeskNotes(shelf=shelf, catalogs=catalogs, clock=clock)
        panels = DeskPanels(store=store, clock=clock, hear=hear)
        settings = DeskSettings(shelf=shelf, clock=clock, defaults=self._defaults, grantable=grantable)
        self._answers: dict[str, Answer] = {
            "personas": self._personas.listed,
            "persona": self._personas.answer,
            "note": notes.answer,
            "preset": self._presets.answer,
            "settings": settings.answer,
            "list": panels.listed,
            "status": panels.status,
            "resume": panels.resume,
            "trends": DeskTrends(store=store, draw=draw).answer,
            "budget": partial(budget_answer, store, clock),
            "help": help_answer,
        }

    async def command(self, place: Place, text: str) -> Command:
        """What the words behind `/panel` or a mention mean there, the workspace's presets included.

        Raises UsageError.
        """
        return await self._presets.command(place, text)

    async def settings(self, place: Place) -> WorkspaceSettings:
        """What the place's workspace has set. Raises StoreError."""
        return await settings_at(self._shelf, place.workspace, self._defaults)

    async def ask(
        self,
        place: Place,
        person: Person,
        command: DeskCommand,
        attached: tuple[AttachedText, ...] = (),
        *,
        reads: Reads | None = None,
    ) -> DeskAnswer:
        """The answer, or what it changed. `reads` says which places the asker can read; by default this channel.

        Raises any error of the tree that a person can cause, and StoreError; then nothing was changed.
        """
        if command.word not in self._answers:
            raise UsageError(f"`{command.word}` is not answered here; `help` lists what is")
        return await self._answers[command.word](await self._asked(place, person, command.rest, attached, reads))

    async def admit(self, place: Place, person: Person, command: PanelCommand) -> Admitted:
        """What may start there, with the workspace's cap and granted folders; ask before `Starts.opened`.

        Raises NotAllowed, BudgetReached, StoreError.
        """
        return await admitted(self._store, await self.settings(place), place, person, command, self._clock.now())

    async def save_preset(self, place: Place, person: Person, name: str, command: PanelCommand) -> DeskAnswer:
        """Keep what a form says under a name. Raises NotAllowed, UsageError, StoreError."""
        return await self._presets.save(await self._asked(place, person, "", (), None), name, command)

    async def _asked(
        self, place: Place, person: Person, rest: str, attached: tuple[AttachedText, ...], reads: Reads | None
    ) -> Asked:
        async def this_channel(other: Place) -> bool:
            return (other.platform, other.workspace, other.channel) == (place.platform, place.workspace, place.channel)

        return Asked(
            place=place,
            person=person,
            rest=rest,
            attached=attached,
            settings=await self.settings(place),
            reads=reads or this_channel,
        )
