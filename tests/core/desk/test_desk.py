"""The desk answers every word of its own, for everybody, on every surface the same."""

import pytest

from bot.core.command import PanelCommand
from bot.core.errors import NotAllowed
from tests.core.desk.room import ADA, GUEST, HERE, MEMBER, Workspace


async def test_a_persona_is_added_listed_and_shown() -> None:
    """From a text in chat to a catalog that names its level."""
    workspace = Workspace()
    told = await workspace.ask(f"persona add Ada\n{ADA}")
    listed = await workspace.ask("personas", GUEST)
    shown = await workspace.ask("persona show ada", MEMBER)

    assert "(`ada`) is at hand" in told.text
    assert "**Ada** (`ada`, this workspace): Counts first." in listed.text
    assert "I count before I speak." in shown.text
    assert [file.name for file in shown.files] == ["ada.md"]


async def test_members_do_not_edit_personas() -> None:
    """Admins do, unless the workspace says otherwise."""
    workspace = Workspace()

    with pytest.raises(NotAllowed, match="Only admins can edit personas here"):
        await workspace.ask(f"persona add Ada\n{ADA}", MEMBER)


async def test_a_note_reaches_the_persona() -> None:
    """With the day it was given."""
    workspace = Workspace()
    await workspace.ask("note crusty-old-engineer We moved to Kubernetes in May.")
    persona = (await workspace.catalogs.of(HERE)).persona("crusty-old-engineer")

    assert persona is not None
    assert [(note.id, note.text, note.added) for note in persona.notes] == [
        ("n1", "We moved to Kubernetes in May.", "2027-01-15")
    ]


async def test_a_preset_starts_its_panel() -> None:
    """Its name stands for its format and options; what is typed behind goes over them."""
    workspace = Workspace()
    await workspace.ask("preset save weekly-review review --mode voting-quorum --quorum 3", MEMBER)
    command = await workspace.desk.command(HERE, "weekly-review the draft --quorum 2")

    assert command == PanelCommand(format="review", words="the draft", options={"mode": "voting-quorum", "quorum": 2})


async def test_a_setting_is_changed_and_read_back() -> None:
    """As a typed value, with its default beside it."""
    workspace = Workspace()
    told = await workspace.ask("settings max-cost 2.50")

    assert told.text == "`max-cost` is **2.50**."
    assert (await workspace.desk.settings(HERE)).max_cost == 2.5
