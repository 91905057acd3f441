"""Personas as files to take away."""

import io
import zipfile

from bot.core.desk.answer import DeskAnswer
from bot.core.desk.persona_files import PersonaFiles
from bot.core.errors import NotFound
from bot.core.persona import Persona
from bot.core.platform import Attachment
from bot.core.starting.catalog import Catalog, found

FILES_APART = 5
"""So many files come one by one, more in one archive."""
MARKDOWN = "text/markdown"


def export_answer(files: PersonaFiles, catalog: Catalog, query: str) -> DeskAnswer:
    """The named persona's files; without a name those of the workspace, with `all` those of the whole catalog.

    Raises NotFound where there is nothing to export.
    """
    query = query.strip()
    chosen: tuple[Persona, ...]
    if query and (query.casefold() != "all" or catalog.persona("all")):
        chosen = (found(catalog, query),)
    else:
        chosen = tuple(p for p in catalog.personas if query or p.level == "workspace")
    if not chosen:
        raise NotFound("this workspace has no personas of its own; `persona export all` exports every one at hand")
    texts = {name: text for persona in chosen for name, text in files.exported(persona).items()}
    named = [Attachment(name=name, media_type=MARKDOWN, content=text.encode()) for name, text in texts.items()]
    counted = "1 persona" if len(chosen) == 1 else f"{len(chosen)} personas"
    packed = tuple(named) if len(named) <= FILES_APART else (_archive(named),)
    return DeskAnswer(title="Exported", text=f"{counted}: {', '.join(file.name for file in packed)}", files=packed)


def _archive(files: list[Attachment]) -> Attachment:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.content)
    return Attachment(name="personas.zip", media_type="application/zip", content=packed.getvalue())
