"""Desk commands typed in the terminal room."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.terminal.view import Silent
from bot.cli.desk import TerminalDesk
from bot.cli.live import HERE
from bot.core.desk.answer import DeskAnswer
from bot.core.errors import NotFound, PanelistError, UsageError
from bot.core.starting.command import DeskCommand, PanelCommand
from bot.settings import read_settings
from bot.wiring import House, house
from tests.personas.catalogs import OWN


class Told(Silent):
    """A view that keeps what it was told."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def say(self, text: str) -> None:
        self.words.append(text)


class RoomDesk:
    """A room's desk in a house of its own."""

    def __init__(self, it: House, view: Told) -> None:
        self.it, self.view = it, view
        self.desk = TerminalDesk(it)

    async def type(self, words: str) -> DeskAnswer:
        command = await self.desk.command(words)
        assert isinstance(command, DeskCommand)
        return await self.desk.ask(command, "")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[RoomDesk]:
    view = Told()
    settings = read_settings(home=tmp_path / "home", model="rehearsal", rehearsal_delay=0.0)
    async with house(settings, view=view, strict=False, drives=True) as it:
        yield RoomDesk(it, view)


async def test_a_persona_is_added_from_a_file(room: RoomDesk, tmp_path: Path) -> None:
    """Under the given name, or the file's."""
    path = tmp_path / "my ada.md"
    path.write_text(OWN, encoding="utf-8")
    await room.type(f"persona add ada file {path}")
    await room.type(f'persona edit ada file "{path}"')
    ada = (await room.it.catalogs.of(HERE)).persona("ada")

    assert ada is not None
    assert (ada.name, ada.body, ada.level) == ("Ada", "I count before I trust.", "workspace")


async def test_a_persona_is_added_in_one_line(room: RoomDesk) -> None:
    """`\\n` stands for a new line."""
    await room.type(r"persona add Bo Ridge: I doubt it.\n\nTwice.")
    bo = (await room.it.catalogs.of(HERE)).persona("bo-ridge")

    assert bo is not None
    assert bo.body == "I doubt it.\n\nTwice."


async def test_exports_are_written_below_the_home(room: RoomDesk, tmp_path: Path) -> None:
    """And where they are is said."""
    await room.type("persona export sam")

    assert (tmp_path / "home" / "export" / "cranky-old-sam.md").read_text(encoding="utf-8").startswith("---\n")
    assert room.view.words[-1] == str(tmp_path / "home" / "export" / "cranky-old-sam.md")


async def test_presets_and_settings_hold_in_the_room(room: RoomDesk) -> None:
    """A preset starts its panel with the room's cap."""
    await room.type("preset save quick-talk discuss --rounds 1 --with sam,crusty")
    await room.type("settings max-cost 1.50")
    command = await room.desk.command("quick-talk Is it worth it?")
    assert isinstance(command, PanelCommand)
    admitted = await room.desk.admitted(command)

    assert admitted.command == PanelCommand(
        format="discussion",
        words="Is it worth it?",
        options={"rounds": 1, "with": ("sam", "crusty"), "max-cost": 1.5},
    )


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("persona add ada file nowhere.md", NotFound, "nowhere.md: can not be read"),
        ("persona add ada file .", NotFound, "can not be read"),
        ("persona show nobody", NotFound, "No persona is called 'nobody'"),
        ("schedule", UsageError, "`schedule` is not answered here; `help` lists what is"),
    ],
)
async def test_what_is_not_there_is_a_sentence(
    room: RoomDesk, words: str, error: type[PanelistError], said: str
) -> None:
    """As everywhere."""
    with pytest.raises(error) as refused:
        await room.type(words)

    assert said in str(refused.value)


async def test_a_file_that_is_no_text_is_refused(room: RoomDesk, tmp_path: Path) -> None:
    """With what to do."""
    path = tmp_path / "ada.md"
    path.write_bytes(b"\xff\xfe\x00x")
    with pytest.raises(UsageError, match="not UTF-8; save it as UTF-8"):
        await room.type(f"persona add ada file {path}")
    path.write_bytes(b"x" * (5 * 1024 * 1024))
    with pytest.raises(UsageError, match="larger than 4 MiB"):
        await room.type(f"persona add ada file {path}")
