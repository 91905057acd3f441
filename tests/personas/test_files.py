"""Persona files as the desk reads and writes them."""

from bot.core.desk.persona_files import PersonaFiles
from personas.files import MarkdownFiles
from tests.contracts.persona_files_contract import TODAY, PersonaFilesContract
from tests.personas.samples import GERMAN_REVIEW


class TestMarkdownFiles(PersonaFilesContract):
    """The real implementation."""

    def files(self) -> PersonaFiles:
        return MarkdownFiles()


async def test_other_peoples_forms_are_read_from_a_text_too() -> None:
    """A review catalog's file that somebody attached, in German."""
    persona = await MarkdownFiles().read("brandschutz-gutachterin.md", GERMAN_REVIEW, TODAY)

    assert (persona.tier, persona.model, len(persona.evaluation_criteria)) == ("domain-expert", "claude-opus-4-7", 3)
