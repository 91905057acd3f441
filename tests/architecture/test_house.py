"""The house as ARCHITECTURE.md draws it, where import-linter does not look."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("bot", "adapters", "personas", "storage")
LONGEST_FILE = 300
PLATFORMS = sorted(
    path.parent.name
    for path in (ROOT / "adapters").glob("*/*.py")
    if re.search(r"^class \w+\(ChatPlatform\)", path.read_text(encoding="utf-8"), re.MULTILINE)
)


def _files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_the_core_imports_the_standard_library_and_pydantic_alone() -> None:
    """Decisions must run without any SDK, database or terminal."""
    foreign = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in _files("bot/core")
        for name in _imported(path)
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not name.startswith("pydantic")
        and not name.startswith("bot.core")
    }

    assert not foreign


def test_only_the_settings_read_the_environment() -> None:
    """Everything else is handed its settings."""
    reads = re.compile(r"\bos\.(environ|getenv)\b|\bgetenv\(")
    readers = {
        str(path.relative_to(ROOT)) for path in _files(*SOURCES) if reads.search(path.read_text(encoding="utf-8"))
    }

    assert readers <= {"bot/settings.py", "adapters/documents/bounded.py", "adapters/documents/git.py"}


def test_only_the_wiring_and_the_command_line_know_the_adapters() -> None:
    """Concrete classes are named in one place; the command line may name how a terminal looks."""
    knowing = {
        str(path.relative_to(ROOT))
        for path in _files("bot")
        for name in _imported(path)
        if name.partition(".")[0] in ("adapters", "storage")
        and not name.startswith("adapters.terminal")
        and "bot/wiring" not in str(path)
    }

    assert not knowing


@pytest.mark.parametrize("path", list(_files(*SOURCES)), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_has_one_subject_and_at_most_300_lines(path: Path) -> None:
    """Longer ones hold two subjects."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def test_there_are_platforms_to_hold_to_the_contract() -> None:
    """The list below is read from the tree; an empty one would prove nothing."""
    assert {"terminal", "slack", "discord"} <= set(PLATFORMS)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platform_runs_the_platform_contract(platform: str) -> None:
    """An adapter without its contract is not finished."""
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / platform).rglob("test_*.py")]

    assert any("PlatformContract" in text for text in tests)
