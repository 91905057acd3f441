"""What every reader and writer of persona files does."""

from abc import ABC, abstractmethod
from datetime import date

import pytest

from bot.core.desk.persona_files import PersonaFiles
from bot.core.errors import PersonaFileError, UsageError
from bot.core.persona import Persona

TODAY = date(2026, 5, 20)
ADA = Persona(short_name="ada", name="Ada Lowell", description="Counts first.", body="I count.\n\nTwice.")


class PersonaFilesContract(ABC):
    """Subclassed by the tests of each implementation."""

    @abstractmethod
    def files(self) -> PersonaFiles:
        """A fresh implementation."""

    async def test_what_was_written_reads_back(self) -> None:
        """Name, description and document; the short name is the file's."""
        files = self.files()
        read = await files.read("ada.md", files.written(ADA), TODAY)

        assert (read.short_name, read.name, read.description, read.body) == ("ada", ADA.name, ADA.description, ADA.body)
        assert read.level == "workspace"

    async def test_a_fresh_file_reads_as_it_is(self) -> None:
        """It is filled in afterwards."""
        files = self.files()

        assert (await files.read("bo-ridge.md", files.fresh("Bo Ridge"), TODAY)).name == "Bo Ridge"

    async def test_a_text_that_is_no_file_is_refused(self) -> None:
        """With the file and the line of each fault."""
        with pytest.raises(PersonaFileError) as refused:
            await self.files().read("ada.md", "---\ntier: custom\n---\n\nI count.\n", TODAY)

        assert {fault.file for fault in refused.value.faults} == {"ada.md"}
        assert all(fault.line for fault in refused.value.faults)

    def test_front_matter_tells_a_file_from_a_document(self) -> None:
        """Blank lines before it do not count."""
        files = self.files()

        assert files.has_front_matter(files.written(ADA))
        assert files.has_front_matter("\n\n---\nname: x\n---\n")
        assert not files.has_front_matter("I count.\n\n---\n\nTwice.")

    @pytest.mark.parametrize(
        ("name", "short_name"),
        [("Ada Lowell", "ada-lowell"), ("Zoë", "zoe"), ("ada.md", "ada"), ("bo-ridge", "bo-ridge")],
    )
    def test_names_become_short_names(self, name: str, short_name: str) -> None:
        """Of display names and of file names."""
        assert self.files().short_name(name) == short_name

    @pytest.mark.parametrize("name", ["", "A\u202eda", "A" * 81])
    def test_names_that_can_not_be_shown_are_refused(self, name: str) -> None:
        """In one sentence."""
        with pytest.raises(UsageError):
            self.files().fresh(name)

    def test_names_that_look_alike_are_told(self) -> None:
        """Letters' case and lookalikes do not make another name."""
        files = self.files()

        assert files.looks_like("Ada", "ADA")
        assert files.looks_like("Sam 0'Neil", "Sam O'Neil")
        assert not files.looks_like("Ada", "Bo")

    def test_a_persona_is_exported_with_its_variants(self) -> None:
        """A file for each."""
        both = ADA.model_copy(update={"variants": {"v2": "I weigh."}})
        exported = self.files().exported(both)

        assert next(iter(exported)) == "ada.md"
        assert [text for name, text in exported.items() if name != "ada.md"] == ["I weigh.\n"]
