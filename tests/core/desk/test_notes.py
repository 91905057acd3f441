"""Dated notes of a workspace: they reach the persona's prompt, and are edited by those who may."""

import json
from pathlib import Path

import pytest

from bot.core.errors import NotAllowed, NotFound, PanelistError
from bot.core.speech.persona_text import persona_text
from storage.memory import MemoryStore
from tests.core.desk.room import ADMIN, GUEST, HERE, MEMBER, Workspace

DAY = 86_400.0


async def notes_of(workspace: Workspace, short_name: str) -> list[tuple[str, str, str]]:
    persona = (await workspace.catalogs.of(HERE)).persona(short_name)
    assert persona is not None
    return [(note.id, note.text, note.added) for note in persona.notes]


@pytest.mark.parametrize(
    "words",
    [
        "note crusty-old-engineer We moved to Kubernetes in May.",
        "note crusty We moved to Kubernetes in May.",
        "note Crusty Old Engineer: We moved to Kubernetes in May.",
        'note "Crusty Old Engineer" We moved to Kubernetes in May.',
        "note crusty\nWe moved to Kubernetes in May.",
    ],
)
async def test_a_note_is_kept_with_the_day_it_was_given(words: str) -> None:
    """However much of the name was written."""
    workspace = Workspace()
    told = await workspace.ask(words)

    assert "knows it from now on (`n1`)" in told.text
    assert await notes_of(workspace, "crusty-old-engineer") == [("n1", "We moved to Kubernetes in May.", "2027-01-15")]


async def test_notes_are_edited_listed_and_removed() -> None:
    """An edit dates the note anew; an id is not given twice."""
    workspace = Workspace()
    await workspace.ask("note sam One.")
    await workspace.ask("note sam Two.")
    workspace.clock.time += DAY
    await workspace.ask("note edit sam n1 One, corrected.")
    listed = await workspace.ask("note list sam", GUEST)
    await workspace.ask("note remove sam n1")
    everything = await workspace.ask("note list", GUEST)

    assert "- `n1` 2027-01-16: One, corrected." in listed.text
    assert await notes_of(workspace, "cranky-old-sam") == [("n2", "Two.", "2027-01-15")]
    assert everything.text.endswith("- `n2` 2027-01-15: Two.")


async def test_a_note_stands_in_the_prompt_with_its_date() -> None:
    """Between the document and the instructions."""
    workspace = Workspace()
    await workspace.ask("note sam We moved to Kubernetes.")
    persona = (await workspace.catalogs.of(HERE)).persona("cranky-old-sam")

    assert persona is not None
    assert persona_text(persona).endswith("Notes that you were given:\n- 2027-01-15: We moved to Kubernetes.")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("note nobody We moved.", "No persona is called 'nobody"),
        ("note", "no persona has notes here"),
        ("note list nobody", "No persona is called"),
        ("note edit sam n1 x", "there is no note `n1` here; the notes are: none"),
        ("note remove sam", "which note?"),
        ("note edit", "whose?"),
        ("note sam " + "x" * 4001, "at most 4,000 fit"),
        ("note sam \u202e\x07", "the note is blank"),
    ],
)
async def test_what_can_not_be_noted_is_one_sentence(words: str, said: str) -> None:
    """With the remedy, and nothing is kept."""
    workspace = Workspace()
    with pytest.raises(PanelistError) as refused:
        await workspace.ask(words)

    assert said in str(refused.value)
    assert await workspace.shelf.names("W", "notes") == ()


async def test_control_and_direction_characters_stay_out() -> None:
    """A note goes into a prompt and onto screens."""
    workspace = Workspace()
    await workspace.ask("note sam We\x1b[31m moved\u202e to\u2066 May\r\nand back.")

    assert await notes_of(workspace, "cranky-old-sam") == [("n1", "We[31m moved to May\nand back.", "2027-01-15")]


async def test_only_who_edits_personas_notes_something() -> None:
    """Admins by default."""
    workspace = Workspace()
    await workspace.ask("note sam One.")
    for words in ("note sam Two.", "note edit sam n1 Two.", "note remove sam n1"):
        with pytest.raises(NotAllowed, match="Only admins can edit personas"):
            await workspace.ask(words, MEMBER)

    assert [text for _, text, _ in await notes_of(workspace, "cranky-old-sam")] == ["One."]


async def test_the_installations_notes_are_shown_and_not_changed_here(tmp_path: Path) -> None:
    """They stand in its operator's files, and count from the moment they are written."""
    workspace = Workspace(home=tmp_path)
    await workspace.ask("note sam Ours.")
    note = {"id": "theirs", "text": "Theirs.", "added": "2026-01-01"}
    (tmp_path / "context").mkdir()
    (tmp_path / "context" / "cranky-old-sam.json").write_text(json.dumps([note]), encoding="utf-8")
    listed = await workspace.ask("note list sam")
    with pytest.raises(NotAllowed, match="its operator edits it"):
        await workspace.ask("note remove sam theirs")
    with pytest.raises(NotFound, match="there is no note `n7`"):
        await workspace.ask("note remove sam n7")

    assert "`theirs` 2026-01-01: Theirs." in listed.text
    assert "`n1` 2027-01-15: Ours." in listed.text


async def test_two_hundred_notes_are_enough() -> None:
    """A persona that is told everything knows nothing."""
    workspace = Workspace()
    for number in range(200):
        await workspace.ask(f"note sam Number {number}.")
    with pytest.raises(PanelistError, match="200 notes are kept for one persona; remove one first"):
        await workspace.ask("note sam One more.")


async def test_a_value_that_nobody_can_read_takes_nobody_down() -> None:
    """What is damaged is left out; a new note starts a new list."""
    workspace = Workspace(MemoryStore())
    await workspace.shelf.put("W", "notes", "cranky-old-sam", "[{", ADMIN, 1.0)
    await workspace.ask("note sam One.")

    assert [text for _, text, _ in await notes_of(workspace, "cranky-old-sam")] == ["One."]
