"""The desk in the terminal room: commands about personas, notes, presets and settings, typed in one line."""

import re
from pathlib import Path

from bot.cli.live import HERE, person
from bot.core.desk.answer import AttachedText, DeskAnswer
from bot.core.desk.words import split_verb
from bot.core.errors import NotFound, UsageError
from bot.core.place import Place
from bot.core.starting.admission import Admitted
from bot.core.starting.command import Command, DeskCommand, PanelCommand
from bot.wiring import House

MAX_FILE = 4 * 1024 * 1024
EXPORTS = "export"
"""Folder below the home where exported files go."""

_FILE = re.compile(r"(?P<before>.*?)\s+file\s+(?P<path>\S.*)", re.DOTALL | re.IGNORECASE)


class TerminalDesk:
    """Asks the desk for the person at the terminal, and shows what it answers."""

    def __init__(self, it: House) -> None:
        self._it = it

    async def command(self, words: str) -> Command:
        """What the words behind `/panel` mean; `\\n` in them is a new line. Raises UsageError."""
        command = await self._it.desk.command(HERE, words)
        if isinstance(command, DeskCommand):
            return DeskCommand(word=command.word, rest=command.rest.replace("\\n", "\n"))
        return command

    async def ask(self, command: DeskCommand, panel: str) -> DeskAnswer:
        """The answer, shown; `panel` is the one in sight. Raises any error of the tree that a person can cause."""
        place = HERE.model_copy(update={"thread": panel})
        rest, attached = _attached(command)
        asked = DeskCommand(word=command.word, rest=rest)
        answer = await self._it.desk.ask(place, person(self._it.settings), asked, attached, reads=_everything)
        if answer.text:
            self._it.view.tell(answer.text.replace("\n", "  \n"))
        if command.word == "persona" and split_verb(rest)[0] == EXPORTS:
            self._keep(answer)
        return answer

    async def admitted(self, command: PanelCommand) -> Admitted:
        """The panel with the room's settings. Raises NotAllowed, BudgetReached."""
        return await self._it.desk.admit(HERE, person(self._it.settings), command)

    def _keep(self, answer: DeskAnswer) -> None:
        folder = self._it.settings.home / EXPORTS
        folder.mkdir(parents=True, exist_ok=True)
        for file in answer.files:
            (folder / file.name).write_bytes(file.content)
            self._it.view.say(str(folder / file.name))


async def _everything(_place: Place) -> bool:
    """The person at the terminal can read whatever this database holds of it."""
    return True


def _attached(command: DeskCommand) -> tuple[str, tuple[AttachedText, ...]]:
    """`persona add NAME file PATH`, `persona edit NAME file PATH`: the words without the path, and the file.

    Raises NotFound, UsageError.
    """
    verb, _ = split_verb(command.rest)
    found = _FILE.fullmatch(command.rest)
    if command.word != "persona" or verb not in ("add", "edit") or found is None or "\n" in command.rest:
        return command.rest, ()
    path = Path(found["path"].strip("\"'")).expanduser()
    return found["before"], (AttachedText(name=path.name, text=_text(path)),)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
        if len(raw) > MAX_FILE:
            raise UsageError(f"{path}: larger than {MAX_FILE // 1024 // 1024} MiB; a persona is a short text")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise UsageError(f"{path}: not UTF-8; save it as UTF-8") from fault
    except OSError as fault:
        raise NotFound(f"{path}: can not be read ({fault.strerror}); give the path of a persona's .md file") from fault
