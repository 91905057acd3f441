"""The document adapter and its fakes keep to the contracts of their ports."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from adapters.documents.limits import Limits
from adapters.documents.reading import LocalTargets
from adapters.documents.toolboxes import LocalToolboxes
from bot.core.document import from_text
from bot.core.targets.port import Targets
from bot.core.tools import Toolbox
from tests.contracts.targets_contract import TargetsContract
from tests.contracts.toolbox_contract import ToolboxContract
from tests.documents.trees import written
from tests.fakes.targets import MemoryTargets
from tests.fakes.toolbox import MemoryToolbox, MemoryToolboxes


class TestLocalTargets(TargetsContract):
    """Files on a disk."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make(self, files: Mapping[str, str], most_chars: int) -> Targets:
        return LocalTargets({"docs": written(self.folder / "docs", files)}, Limits(text_chars=most_chars))

    async def test_a_folder_is_a_map(self, targets: Targets) -> None:
        """The map has its own words, which do not fit the contract's small limit."""
        del targets
        await super().test_a_folder_is_a_map(
            LocalTargets({"docs": written(self.folder / "more", {"guide.md": "x\n", "notes/plan.txt": "y\n"})})
        )


class TestMemoryTargets(TargetsContract):
    """The fake that other tests use."""

    def make(self, files: Mapping[str, str], most_chars: int) -> Targets:
        return MemoryTargets({"docs": files}, most_chars)


class TestLocalToolbox(ToolboxContract):
    """Files on a disk, and a child process that searches them."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make(self, files: Mapping[str, str]) -> Toolbox:
        toolboxes = LocalToolboxes({"docs": written(self.folder / "docs", files)})
        toolbox = toolboxes.of((from_text("x"), from_text("y").model_copy(update={"root": "docs"})))
        assert toolbox is not None
        return toolbox


class TestMemoryToolbox(ToolboxContract):
    """The fake that other tests use."""

    def make(self, files: Mapping[str, str]) -> Toolbox:
        return MemoryToolbox(files)


@pytest.mark.parametrize("toolboxes", [LocalToolboxes({"docs": Path(".")}), MemoryToolboxes(MemoryToolbox({}))])
def test_a_document_under_no_root_has_no_tools(toolboxes: LocalToolboxes | MemoryToolboxes) -> None:
    """Pasted text has no neighbours to look at."""
    assert toolboxes.of(()) is None
    assert toolboxes.of((from_text("pasted"),)) is None
