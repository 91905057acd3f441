"""Personas of a workspace: listed, added, edited, copied, removed, reset, exported, with the history of each."""

from dataclasses import replace

from bot.core.clock import Clock
from bot.core.desk.answer import DeskAnswer
from bot.core.desk.asked import Asked
from bot.core.desk.changes import PersonaChanges
from bot.core.desk.export import export_answer
from bot.core.desk.form import adding, editing
from bot.core.desk.listing import history_text, list_text, persona_text_shown
from bot.core.desk.persona_files import PersonaFiles
from bot.core.desk.words import known_verb, named_text, persona_and_text, split_verb
from bot.core.errors import NotFound, UsageError
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog, found
from bot.core.starting.catalogs import Catalogs
from bot.core.store import Shelf

VERBS = ("list", "show", "add", "edit", "copy", "remove", "reset", "export", "history", "restore")
SHOWN_WORDS = 250
"""Words of a document that `show` puts into the chat; the whole file comes with them."""
NEW = "New persona"


class DeskPersonas:
    """Answers `personas` and `persona …`."""

    def __init__(self, *, shelf: Shelf, catalogs: Catalogs, files: PersonaFiles, clock: Clock) -> None:
        self._catalogs, self._files = catalogs, files
        self._changes = PersonaChanges(shelf=shelf, files=files, clock=clock)

    async def listed(self, asked: Asked) -> DeskAnswer:
        """`personas`: every persona at hand."""
        return DeskAnswer(title="Personas", text=list_text(await self._catalogs.of(asked.place), asked.rest))

    async def answer(self, asked: Asked) -> DeskAnswer:
        """`persona VERB …`. Raises any error of the tree that a person can cause."""
        catalog = await self._catalogs.of(asked.place)
        verb, rest = split_verb(asked.rest)
        if verb not in VERBS and catalog.persona(verb) is not None and not rest:
            return self._shown(catalog, verb)
        asked, verb = replace(asked, rest=rest), verb or "list"
        match known_verb(verb, VERBS, "persona"):
            case "list":
                return DeskAnswer(title="Personas", text=list_text(catalog, asked.rest))
            case "show":
                return self._shown(catalog, asked.rest)
            case "add":
                return await self._added(asked, catalog)
            case "edit":
                return await self._edited(asked, catalog)
            case "copy":
                return await self._copied(asked, catalog)
            case "export":
                return export_answer(self._files, catalog, asked.rest)
            case "history":
                short_name, _ = await self._changes.kept_name(asked, catalog)
                versions = await self._changes.history(asked.workspace, short_name)
                return DeskAnswer(title=f"History of {short_name}", text=history_text(short_name, versions))
            case "restore":
                return await self._restored(asked, catalog)
        return await self._removed(asked, catalog, reset=verb == "reset")

    def _shown(self, catalog: Catalog, query: str) -> DeskAnswer:
        if not query.strip():
            raise UsageError("which one? `persona show NAME`; `personas` lists them")
        persona = found(catalog, query)
        answer = export_answer(self._files, catalog, persona.short_name)
        return DeskAnswer(
            title=persona.name, text=persona_text_shown(persona, catalog, SHOWN_WORDS), files=answer.files
        )

    async def _added(self, asked: Asked, catalog: Catalog) -> DeskAnswer:
        asked.need("personas")
        name, text = named_text(asked.rest)
        if not text and not asked.attached:
            form = adding(name, self._files.fresh(name) if name else "")
            how = "write its name, and below it, in the next lines, how it thinks; or attach its .md file"
            return DeskAnswer(title="Add a persona", text=f"To add a persona, {how}: `persona add NAME`.", form=form)
        given = [(name, text)] if text else []
        given += [(name if len(asked.attached) == 1 and not text else each.name, each.text) for each in asked.attached]
        told = [await self._changes.add(asked, catalog, name, text) for name, text in given]
        return DeskAnswer(title="Added", text="\n".join(told))

    async def _edited(self, asked: Asked, catalog: Catalog) -> DeskAnswer:
        asked.need("personas")
        short_name, text = await self._changes.kept_name(asked, catalog)
        text = text or (asked.attached[0].text if asked.attached else "")
        if text:
            return DeskAnswer(title="Changed", text=await self._changes.edit(asked, catalog, short_name, text))
        persona = catalog.persona(short_name) or Persona(short_name=short_name, name=short_name, body="")
        current = await self._changes.current(asked.workspace, catalog, short_name)
        how = f"`persona edit {short_name}` with the new text in the lines below it, or with its .md file attached"
        return DeskAnswer(title="Edit a persona", text=f"To change it: {how}.", form=editing(persona, current))

    async def _copied(self, asked: Asked, catalog: Catalog) -> DeskAnswer:
        asked.need("personas")
        persona, rest = persona_and_text(asked.rest, catalog)
        as_, new = split_verb(rest)
        if rest and (as_ not in ("as", "to") or not new):
            raise UsageError(
                f"write `persona copy {persona.short_name}`, or `persona copy {persona.short_name} as NAME`"
            )
        return DeskAnswer(title="Copied", text=await self._changes.copy(asked, catalog, persona, new.strip("\"“”' ")))

    async def _removed(self, asked: Asked, catalog: Catalog, *, reset: bool) -> DeskAnswer:
        asked.need("personas")
        short_name, _ = await self._changes.kept_name(asked, catalog)
        text = await self._changes.remove(asked, catalog, short_name, reset=reset)
        return DeskAnswer(title="Reset" if reset else "Removed", text=text)

    async def _restored(self, asked: Asked, catalog: Catalog) -> DeskAnswer:
        asked.need("personas")
        short_name, number = await self._changes.kept_name(asked, catalog)
        if not (number.isascii() and number.isdigit() and len(number) < 8):
            raise NotFound(
                f"which version? `persona history {short_name}` lists them, `persona restore {short_name} 2`"
            )
        return DeskAnswer(title="Restored", text=await self._changes.restore(asked, catalog, short_name, int(number)))
