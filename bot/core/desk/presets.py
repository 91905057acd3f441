"""Presets of a workspace: saved, listed, shown, removed, and found when somebody types their name."""

from dataclasses import replace

from bot.core.clock import Clock
from bot.core.desk.answer import DeskAnswer
from bot.core.desk.asked import Asked
from bot.core.desk.presets_kept import (
    MAX_PRESETS,
    PRESET,
    checked_command,
    checked_name,
    meant,
    preset_of,
    preset_value,
    resolved,
    written,
)
from bot.core.desk.words import cleaned, known_verb, split_verb
from bot.core.errors import NotAllowed, NotFound, UsageError
from bot.core.place import Place
from bot.core.shown import shown
from bot.core.starting.command import Command, PanelCommand, parse
from bot.core.store import Shelf

VERBS = ("list", "save", "show", "remove", "run")


class DeskPresets:
    """Answers `preset …`."""

    def __init__(self, *, shelf: Shelf, clock: Clock) -> None:
        self._shelf, self._clock = shelf, clock

    async def command(self, place: Place, text: str) -> Command:
        """What the words behind `/panel` mean, presets of the place's workspace included.

        Raises UsageError as `command.parse` does, and for a preset that does not fit any more.
        """
        name = meant(text)
        value = await self._shelf.take(place.workspace, PRESET, name) if name else None
        if value is None:
            return parse(text)
        return resolved(text, name, preset_of(name, value)[0])

    async def answer(self, asked: Asked) -> DeskAnswer:
        """`preset save NAME …`, `list`, `show NAME`, `remove NAME`, `run NAME`.

        Raises NotAllowed, NotFound, UsageError.
        """
        verb, rest = split_verb(asked.rest)
        verb = known_verb(verb or "list", VERBS, "preset")
        if verb == "list":
            return await self._listed(asked.workspace)
        name, text = split_verb(rest)
        if verb == "save":
            return await self.save(asked, checked_name(name), checked_command(text))
        preset, by = await self._kept(asked.workspace, name)
        if verb == "show":
            return DeskAnswer(title=f"Preset {name}", text=f"`{written(preset)}`")
        if verb == "run":
            asked.need("start")
            return DeskAnswer(title=name, text="", start=resolved(f"{name} {text}", name, preset))
        self._check_owner(asked, name, by)
        await self._shelf.put(asked.workspace, PRESET, name, None, asked.person, self._clock.now())
        return DeskAnswer(title="Removed", text=f"The preset `{name}` is gone.")

    async def save(self, asked: Asked, name: str, command: PanelCommand) -> DeskAnswer:
        """Keep a preset, as a form does too. Raises NotAllowed, UsageError."""
        asked.need("start")
        name = checked_name(name)
        known = await self._shelf.names(asked.workspace, PRESET)
        if name in known:
            self._check_owner(asked, name, await self._owner(asked.workspace, name))
        elif len(known) >= MAX_PRESETS:
            raise NotAllowed(f"a workspace keeps {MAX_PRESETS} presets; remove one first")
        command = _cleaned(command)
        value = preset_value(command, asked.person.id)
        await self._shelf.put(asked.workspace, PRESET, name, value, asked.person, self._clock.now())
        return DeskAnswer(title="Saved", text=f"`/panel {name}` now means `{written(command)}`.")

    async def _listed(self, workspace: str) -> DeskAnswer:
        lines = []
        for name in await self._shelf.names(workspace, PRESET):
            try:
                lines.append(f"- `{name}`: `{written((await self._kept(workspace, name))[0])}`")
            except UsageError as fault:
                lines.append(f"- {fault}")
        none = "There are no presets yet. `preset save weekly-review review --mode voting-quorum` saves one."
        return DeskAnswer(title="Presets", text="\n".join(lines) or none)

    async def _kept(self, workspace: str, name: str) -> tuple[PanelCommand, str]:
        value = await self._shelf.take(workspace, PRESET, name) if name else None
        if value is None:
            known = ", ".join(await self._shelf.names(workspace, PRESET)) or "none"
            raise NotFound(f"there is no preset “{shown(name, 40)}”; known: {known}")
        return preset_of(name, value)

    async def _owner(self, workspace: str, name: str) -> str:
        try:
            return (await self._kept(workspace, name))[1]
        except UsageError:  # it fits no more, so anybody may save it anew
            return ""

    def _check_owner(self, asked: Asked, name: str, by: str) -> None:
        if by and by != asked.person.id and asked.person.role != "admin":
            raise NotAllowed(f"somebody else saved `{name}`; they or an admin can change it, or choose another name")


def _cleaned(command: PanelCommand) -> PanelCommand:
    """The command without control and direction characters in its words."""
    options = {name: cleaned(value) if isinstance(value, str) else value for name, value in command.options.items()}
    return replace(command, words=cleaned(command.words) if command.words else None, options=options)
