"""The dated notes that a workspace keeps about a persona, as a list on the shelf."""

import json

from pydantic import ValidationError

from bot.core.errors import NotFound, UsageError
from bot.core.persona import Note

NOTES = "notes"
"""Kind on the shelf: a list of notes by short name."""
MAX_NOTE = 4_000
"""Characters of one note."""
MAX_NOTES = 200


def notes_value(value: str | None) -> tuple[Note, ...]:
    """The notes of a shelf value; none where there is none. What can not be read is left out."""
    try:
        items = json.loads(value) if value else []
        return tuple(Note.model_validate(item) for item in items)
    except (ValueError, TypeError, ValidationError):
        return ()


def value_of_notes(notes: tuple[Note, ...], *, indent: int | None = None) -> str | None:
    """These notes as JSON; None for none."""
    return json.dumps([note.model_dump() for note in notes], ensure_ascii=False, indent=indent) if notes else None


def with_note(notes: tuple[Note, ...], text: str, added: str, taken: frozenset[str] = frozenset()) -> tuple[Note, ...]:
    """One note more, with an id of its own (`n1`, `n2`, …) that is not `taken` elsewhere.

    Raises UsageError: blank, too long, too many.
    """
    if len(notes) >= MAX_NOTES:
        raise UsageError(f"{MAX_NOTES} notes are kept for one persona; remove one first")
    used = taken | {note.id for note in notes}
    number = next(n for n in range(1, len(used) + 2) if f"n{n}" not in used)
    return (*notes, Note(id=f"n{number}", text=checked(text), added=added))


def with_changed(notes: tuple[Note, ...], note_id: str, text: str, added: str) -> tuple[Note, ...]:
    """The note with another text, dated anew. Raises NotFound, UsageError."""
    _position(notes, note_id)
    new = Note(id=note_id, text=checked(text), added=added)
    return tuple(new if note.id == note_id else note for note in notes)


def without(notes: tuple[Note, ...], note_id: str) -> tuple[Note, ...]:
    """The notes but that one. Raises NotFound."""
    _position(notes, note_id)
    return tuple(note for note in notes if note.id != note_id)


def checked(text: str) -> str:
    """The text of a note. Raises UsageError for a blank one and one that is too long."""
    if not text.strip():
        raise UsageError("the note is blank; write what is to be known, for example: We moved to Kubernetes in May.")
    if len(text) > MAX_NOTE:
        raise UsageError(f"the note is {len(text):,} characters long; at most {MAX_NOTE:,} fit, so shorten or split it")
    return text.strip()


def _position(notes: tuple[Note, ...], note_id: str) -> int:
    ids = [note.id for note in notes]
    if note_id not in ids:
        known = ", ".join(ids) or "none"
        raise NotFound(f"there is no note `{note_id[:40]}` here; the notes are: {known}")
    return ids.index(note_id)
