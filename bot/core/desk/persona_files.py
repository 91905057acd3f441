"""The port to persona files: texts that people write or attach become personas, and personas become texts again."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import date

from bot.core.persona import Persona

PERSONA = "persona"
"""Kind on the shelf: a persona file's text by file name."""
MAX_TEXT = 512 * 1024
"""Characters of one persona's text that a workspace keeps; a document in it may have 64 KiB."""


class PersonaFiles(ABC):
    """Knows how persona files are written."""

    @abstractmethod
    async def read(self, file: str, text: str, today: date) -> Persona:
        """The workspace persona in a text of that file name; `today` judges the dates of its notes.

        Never stalls the event loop, however hostile the text is. Raises PersonaFileError with all its faults.
        """

    @abstractmethod
    def has_front_matter(self, text: str) -> bool:
        """Whether the text is a whole persona file, not its document alone."""

    @abstractmethod
    def short_name(self, name: str) -> str:
        """The short name that a display name or a file name stands for."""

    @abstractmethod
    def fresh(self, name: str) -> str:
        """A file to fill in. Raises UsageError for a name that can not be shown."""

    @abstractmethod
    def written(self, persona: Persona) -> str:
        """One file in our own form that reads to the same persona; its variants are left out."""

    @abstractmethod
    def exported(self, persona: Persona) -> Mapping[str, str]:
        """The persona as files by name: its own, and one for each variant."""

    @abstractmethod
    def looks_like(self, one: str, other: str) -> bool:
        """Whether people can not tell the two names apart by eye."""
