"""Persona files without a YAML reader: `key: value` lines between the marks, the document below."""

import re
from collections.abc import Mapping
from datetime import date

from bot.core.desk.persona_files import PersonaFiles
from bot.core.errors import Fault, PersonaFileError, UsageError
from bot.core.persona import Persona

_LOOKALIKES = str.maketrans("01|", "oll")


class PlainFiles(PersonaFiles):
    """Knows name and description."""

    async def read(self, file: str, text: str, today: date) -> Persona:
        _, front, body = text.lstrip().split("---\n", 2)
        keys = dict(line.split(": ", 1) for line in front.splitlines() if ": " in line)
        if "name" not in keys:
            raise PersonaFileError((Fault(file=file, line=1, text="'name' is missing; add 'name: …'"),))
        return Persona(
            short_name=file.removesuffix(".md"),
            name=keys["name"],
            description=keys.get("description", ""),
            body=body.strip(),
            level="workspace",
            origin=file,
        )

    def has_front_matter(self, text: str) -> bool:
        return text.lstrip().startswith("---\n")

    def short_name(self, name: str) -> str:
        plain = name.removesuffix(".md").casefold().replace("ë", "e")
        return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")

    def fresh(self, name: str) -> str:
        if not name.isprintable() or not 0 < len(name) <= 80:
            raise UsageError(f"the name {name!r} can not be shown; choose another")
        return self.written(Persona(short_name="x", name=name, body="How does it think?"))

    def written(self, persona: Persona) -> str:
        return f"---\nname: {persona.name}\ndescription: {persona.description}\n---\n\n{persona.body}\n"

    def exported(self, persona: Persona) -> Mapping[str, str]:
        variants = {f"{persona.short_name}.{name}.md": f"{body}\n" for name, body in persona.variants.items()}
        return {f"{persona.short_name}.md": self.written(persona), **variants}

    def looks_like(self, one: str, other: str) -> bool:
        return one.casefold().translate(_LOOKALIKES) == other.casefold().translate(_LOOKALIKES)
