"""Changes to a workspace's personas: each one checked before it is kept, each one a version with author and time."""

from datetime import UTC, date, datetime

from bot.core.clock import Clock
from bot.core.desk.asked import Asked
from bot.core.desk.listing import THE_ONE, Version
from bot.core.desk.persona_files import MAX_TEXT, PERSONA, PersonaFiles
from bot.core.desk.words import cleaned, persona_and_text, split_verb
from bot.core.errors import NotAllowed, NotFound, UsageError
from bot.core.persona import HOST, Persona
from bot.core.shown import shown
from bot.core.starting.catalog import Catalog, found
from bot.core.store import Shelf

MOST_PERSONAS = 500
HOST_NAMES = ("Panelist", HOST)


class PersonaChanges:
    """Writes a workspace's personas to the shelf."""

    def __init__(self, *, shelf: Shelf, files: PersonaFiles, clock: Clock) -> None:
        self._shelf, self._files, self._clock = shelf, files, clock

    def today(self) -> date:
        """The day by which notes in files are judged."""
        return datetime.fromtimestamp(self._clock.now(), UTC).date()

    async def kept_name(self, asked: Asked, catalog: Catalog) -> tuple[str, str]:
        """The short name that the first words mean, and the rest; also of a kept persona that can not be loaded.

        Raises UsageError, NotFound.
        """
        word, rest = split_verb(asked.rest)
        if word and catalog.persona(word) is None and await self._shelf.history(asked.workspace, PERSONA, _file(word)):
            return word, rest
        persona, rest = persona_and_text(asked.rest, catalog)
        return persona.short_name, rest

    async def add(self, asked: Asked, catalog: Catalog, name: str, text: str) -> str:
        """Keep a new persona; returns a sentence about it. Raises UsageError, NotAllowed, PersonaFileError."""
        persona, text = await self._read(name, text)
        versions = await self._shelf.history(asked.workspace, PERSONA, _file(persona.short_name))
        if versions and versions[0][3] is not None:
            raise _there(persona)
        if len(await self._shelf.names(asked.workspace, PERSONA)) >= MOST_PERSONAS:
            raise NotAllowed(f"a workspace keeps {MOST_PERSONAS} personas; remove one first")
        self._check_name(persona, catalog)
        if not await self._put(asked, persona.short_name, text, after=versions[0][0] if versions else 0):
            raise _there(persona)
        return f"{persona.emoji} **{persona.name}** (`{persona.short_name}`) is at hand.{_stands_for(persona, catalog)}"

    async def edit(self, asked: Asked, catalog: Catalog, short_name: str, text: str) -> str:
        """Keep a new version: a whole file, or the document alone. Raises UsageError, NotAllowed, PersonaFileError."""
        text = _fitting(text)
        known = catalog.persona(short_name)
        if not self._files.has_front_matter(text):
            if known is None:
                raise UsageError(f"`{short_name}` can not be loaded, so give its whole file, from the first `---` on")
            text = self._files.written(_own(known, catalog).model_copy(update={"body": text}))
        persona = await self._files.read(_file(short_name), text, self.today())
        if persona.short_name != short_name:
            raise UsageError(
                f"the file says `short_name: {persona.short_name}`, but this is `{short_name}`; leave that line out, "
                "or add it as a persona of its own"
            )
        self._check_name(persona, catalog)
        await self._put(asked, short_name, text)
        return f"{persona.emoji} **{persona.name}** (`{short_name}`) is changed.{_stands_for(persona, catalog)}"

    async def copy(self, asked: Asked, catalog: Catalog, persona: Persona, new: str) -> str:
        """Keep a copy to adapt, under its own or a new name. Raises NotAllowed, UsageError, PersonaFileError."""
        if not new and persona.level == "workspace":
            raise NotAllowed(
                f"`{persona.short_name}` is this workspace's own already; edit it, or copy it under another name: "
                f"`persona copy {persona.short_name} as NAME`"
            )
        own = _own(persona, catalog)
        if new:
            own = own.model_copy(update={"name": new, "short_name": self._files.short_name(new)})
        told = await self.add(asked, catalog, own.short_name, self._files.written(own))
        return f"{told} `persona edit {own.short_name}` adapts it."

    async def remove(self, asked: Asked, catalog: Catalog, short_name: str, *, reset: bool) -> str:
        """Take the workspace's version away. Raises NotAllowed where there is none, or where none would be left."""
        behind = next((p for p in catalog.shadowed if p.short_name == short_name), None)
        if await self._shelf.take(asked.workspace, PERSONA, _file(short_name)) is None:
            raise NotAllowed(_not_here(short_name, catalog, reset=reset))
        if reset and behind is None:
            raise NotAllowed(
                f"`{short_name}` is this workspace's alone, so there is nothing to reset it to; `persona remove "
                f"{short_name}` removes it"
            )
        await self._shelf.put(asked.workspace, PERSONA, _file(short_name), None, asked.person, self._clock.now())
        now = f"{THE_ONE[behind.level]} stands again" if behind else "nobody has that name now"
        return (
            f"`{short_name}` of this workspace is gone, and {now}; `persona history {short_name}` keeps every version."
        )

    async def restore(self, asked: Asked, catalog: Catalog, short_name: str, number: int) -> str:
        """Make an earlier version the newest. Raises NotFound, NotAllowed, PersonaFileError."""
        versions = await self.history(asked.workspace, short_name)
        text = next((value for version, _, _, value in versions if version == number), None)
        if text is None:
            has = ", ".join(str(version) for version, _, _, value in versions if value) or "none"
            raise NotFound(f"`{short_name}` has no text in version {number}; versions with one: {has}")
        persona = await self._files.read(_file(short_name), text, self.today())
        self._check_name(persona, catalog)
        await self._put(asked, short_name, text)
        return f"**{persona.name}** (`{short_name}`) is as in version {number} again."

    async def history(self, workspace: str, short_name: str) -> tuple[Version, ...]:
        """Every version, the newest first. Raises NotFound where the workspace never had one."""
        versions = await self._shelf.history(workspace, PERSONA, _file(short_name))
        if not versions:
            raise NotFound(f"this workspace has never changed `{short_name}`, so it has no history here")
        return versions

    async def current(self, workspace: str, catalog: Catalog, short_name: str) -> str:
        """The text to start an edit from."""
        kept = await self._shelf.take(workspace, PERSONA, _file(short_name))
        return kept if kept is not None else self._files.written(_own(found(catalog, short_name), catalog))

    async def _read(self, name: str, text: str) -> tuple[Persona, str]:
        text, name = _fitting(text), name.removesuffix(".md")
        if self._files.has_front_matter(text):
            stem = self._files.short_name(name or _named_in(text))
        else:
            stem = self._files.short_name(name)
            self._files.fresh(name)
            text = self._files.written(Persona(short_name=stem, name=" ".join(name.split()), body=text))
        return await self._files.read(_file(stem), text, self.today()), text

    def _check_name(self, persona: Persona, catalog: Catalog) -> None:
        if any(self._files.looks_like(persona.name, name) for name in HOST_NAMES):
            raise NotAllowed(f"“{persona.name}” is the bot's own name; give the persona another")
        for other in catalog.personas:
            if other.short_name != persona.short_name and self._files.looks_like(persona.name, other.name):
                raise NotAllowed(
                    f"“{persona.name}” looks the same as the name of `{other.short_name}`; give the persona another"
                )

    async def _put(self, asked: Asked, short_name: str, text: str, *, after: int | None = None) -> int:
        now, file = self._clock.now(), _file(short_name)
        return await self._shelf.put(asked.workspace, PERSONA, file, text, asked.person, now, after=after)


def _there(persona: Persona) -> NotAllowed:
    short = persona.short_name
    return NotAllowed(f"`{short}` is a persona of this workspace already; `persona edit {short}` changes it")


def _file(short_name: str) -> str:
    return f"{short_name}.md"


def _fitting(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise UsageError(f"the text is {len(text):,} characters long; at most {MAX_TEXT:,} are kept, so shorten it")
    return text if text.lstrip("\ufeff \n\r\t").startswith("---") else cleaned(text)


def _named_in(text: str) -> str:
    """What the file's own front matter calls it, for a file that came without a name."""
    lines = (line.partition(":") for line in text.split("\n")[:200])
    named = {key.strip(): value.strip(" \t\r\"'") for key, colon, value in lines if colon and not key.startswith(" ")}
    name = named.get("short_name") or named.get("name") or ""
    if not name:
        raise UsageError(
            "the file has no line `name: …` in its front matter; add it, or write `persona add NAME` above it"
        )
    return name


def _own(persona: Persona, catalog: Catalog) -> Persona:
    """The persona without what is kept beside its file: the dated notes of its levels."""
    beside = catalog.notes.get(persona.short_name, ())
    return persona.model_copy(update={"notes": tuple(note for note in persona.notes if note not in beside)})


def _stands_for(persona: Persona, catalog: Catalog) -> str:
    behind = catalog.persona(persona.short_name)
    if behind is None or behind.level == "workspace":
        return ""
    short = persona.short_name
    return f" Here it stands in place of {THE_ONE[behind.level]}; `persona reset {short}` takes it back."


def _not_here(short_name: str, catalog: Catalog, *, reset: bool) -> str:
    known = catalog.persona(short_name)
    whose = THE_ONE[known.level] if known else "nobody's"
    if reset:
        return f"`{shown(short_name, 40)}` is not changed in this workspace, so there is nothing to reset"
    name = shown(short_name, 40)
    return f"`{name}` is {whose}, not this workspace's own; to leave it out, name the others when a panel starts"
