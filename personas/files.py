"""Persona files for the desk: our reader, run in a thread, and our writer."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial

from bot.core.desk.persona_files import PersonaFiles
from bot.core.persona import Persona
from personas.contract_check import AT_ONCE
from personas.document import has_front_matter
from personas.forms import stem
from personas.loader import persona_from_text
from personas.visible import look
from personas.writing import export, exported, file_name, new


class MarkdownFiles(PersonaFiles):
    """The port's real implementation, on threads of its own: hostile contracts use up nobody else's."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="persona-files")

    async def read(self, file: str, text: str, today: date) -> Persona:
        read = partial(persona_from_text, file, text, today=today)
        return await asyncio.get_running_loop().run_in_executor(self._threads, read)

    def has_front_matter(self, text: str) -> bool:
        return has_front_matter(text.removeprefix("\ufeff"))

    def short_name(self, name: str) -> str:
        return file_name(stem(name)).removesuffix(".md")

    def fresh(self, name: str) -> str:
        return new(name)

    def written(self, persona: Persona) -> str:
        return export(persona)

    def exported(self, persona: Persona) -> Mapping[str, str]:
        return exported(persona)

    def looks_like(self, one: str, other: str) -> bool:
        return look(one) == look(other) or one.casefold() == other.casefold()
