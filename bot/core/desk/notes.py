"""Dated notes of a workspace about its personas: added, listed, edited, removed."""

from collections.abc import Callable
from datetime import UTC, datetime

from bot.core.clock import Clock
from bot.core.desk.answer import DeskAnswer
from bot.core.desk.asked import Asked
from bot.core.desk.dated import NOTES, notes_value, value_of_notes, with_changed, with_note, without
from bot.core.desk.form import noting
from bot.core.desk.listing import notes_lines
from bot.core.desk.shelving import amend
from bot.core.desk.words import cleaned, persona_and_text, split_verb
from bot.core.errors import NotAllowed, NotFound, UsageError
from bot.core.persona import Note, Persona
from bot.core.starting.catalog import Catalog
from bot.core.starting.catalogs import Catalogs
from bot.core.store import Shelf

Change = Callable[[tuple[Note, ...]], tuple[Note, ...]]
VERBS = ("list", "edit", "remove")


class DeskNotes:
    """Answers `note …`."""

    def __init__(self, *, shelf: Shelf, catalogs: Catalogs, clock: Clock) -> None:
        self._shelf, self._catalogs, self._clock = shelf, catalogs, clock

    async def answer(self, asked: Asked) -> DeskAnswer:
        """`note NAME TEXT`, `note list [NAME]`, `note edit NAME ID TEXT`, `note remove NAME ID`.

        Raises NotAllowed, NotFound, UsageError.
        """
        catalog = await self._catalogs.of(asked.place)
        verb, rest = split_verb(asked.rest)
        if not verb or (verb == "list" and not rest):
            return _all(catalog)
        if verb not in VERBS:
            return await self._added(asked, catalog)
        persona, text = persona_and_text(rest, catalog)
        if verb == "list":
            return _of(persona)
        note_id, text = split_verb(text)
        return await self._changed(asked, persona, note_id, None if verb == "remove" else text)

    async def _added(self, asked: Asked, catalog: Catalog) -> DeskAnswer:
        persona, text = persona_and_text(asked.rest, catalog)
        if not text:
            answer = _of(persona)
            return (
                DeskAnswer(title=answer.title, text=answer.text, form=noting(persona.name))
                if asked.may("personas")
                else answer
            )
        asked.need("personas")
        taken = frozenset(note.id for note in persona.notes)
        await self._amend(asked, persona, lambda notes: with_note(notes, cleaned(text), self._today(), taken))
        kept = notes_value(await self._shelf.take(asked.workspace, NOTES, persona.short_name))
        return DeskAnswer(
            title="Noted", text=f"{persona.emoji} **{persona.name}** knows it from now on (`{kept[-1].id}`)."
        )

    async def _changed(self, asked: Asked, persona: Persona, note_id: str, text: str | None) -> DeskAnswer:
        asked.need("personas")
        if not note_id:
            raise UsageError(f"which note? `note list {persona.short_name}` shows their ids")
        kept = notes_value(await self._shelf.take(asked.workspace, NOTES, persona.short_name))
        if note_id not in {note.id for note in kept} and note_id in {note.id for note in persona.notes}:
            raise NotAllowed(
                f"`{note_id}` stands in the installation's files, not in this workspace; its operator edits it"
            )
        if text is None:
            await self._amend(asked, persona, lambda notes: without(notes, note_id))
            return DeskAnswer(title="Removed", text=f"The note `{note_id}` of **{persona.name}** is gone.")
        new = cleaned(text)
        await self._amend(asked, persona, lambda notes: with_changed(notes, note_id, new, self._today()))
        return DeskAnswer(title="Changed", text=f"The note `{note_id}` of **{persona.name}** is changed, dated today.")

    async def _amend(self, asked: Asked, persona: Persona, change: Change) -> None:
        await amend(
            self._shelf,
            asked.workspace,
            NOTES,
            persona.short_name,
            lambda value: value_of_notes(change(notes_value(value))),
            asked.person,
            self._clock.now(),
        )

    def _today(self) -> str:
        return datetime.fromtimestamp(self._clock.now(), UTC).date().isoformat()


def _of(persona: Persona) -> DeskAnswer:
    if not persona.notes:
        how = f"`note {persona.short_name} TEXT` adds one"
        return DeskAnswer(title="Notes", text=f"**{persona.name}** has no notes; {how}.")
    lines = [f"{persona.emoji} **{persona.name}**", "", *notes_lines(persona.notes)]
    return DeskAnswer(title="Notes", text="\n".join(lines))


def _all(catalog: Catalog) -> DeskAnswer:
    noted = [persona for persona in catalog.personas if persona.notes]
    if not noted:
        raise NotFound("no persona has notes here; `note NAME TEXT` adds one, for example `note sam We moved in May.`")
    return DeskAnswer(title="Notes", text="\n\n".join(_of(persona).text for persona in noted))
