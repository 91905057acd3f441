"""A persona's document as it stands in prompts."""

import re

from bot.core.persona import Persona

_CUES = re.compile(r"^## Cues[ \t]*\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def persona_text(persona: Persona) -> str:
    """The document without its `## Cues` (they serve the rehearsal voice alone), then the dated notes."""
    body = _CUES.sub("", persona.body).strip()
    if persona.evaluation_criteria:
        body += "\n\nWhat you evaluate:\n" + "\n".join(f"- {line}" for line in persona.evaluation_criteria)
    if persona.notes:
        body += "\n\nNotes that you were given:\n" + "\n".join(f"- {note.added}: {note.text}" for note in persona.notes)
    return body
