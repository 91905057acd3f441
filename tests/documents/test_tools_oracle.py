"""Our tools and the confined ones of Anthropic's SDK agree wherever both should.

They differ on purpose: ours hide hidden files and secrets, show relative paths and number the lines.
"""

import re
from pathlib import Path

import pytest
from anthropic.lib.tools import ToolError
from anthropic.lib.tools.agent_toolset import (
    AgentToolContext,
    beta_glob_tool,
    beta_grep_tool,
    beta_read_tool,
)

from adapters.documents.bounded import Workshop
from adapters.documents.limits import Limits
from adapters.documents.toolbox import ConfinedToolbox
from tests.documents.trees import written

FILES: dict[str, str | bytes] = {
    "README.md": "# Ledger\n\nKeeps the *books*.\n",
    "src/books.py": "import os\n\n\ndef total(rows):\n    return sum(rows)\n",
    "src/deep/er/more.py": "total = 1\n# total again\n",
    "src/deep/notes.txt": "Kosten: 12 €\nno total here\n",
    "data/table.csv": "a;b\n1;2\n",
    "data/picture.bin": b"total\0\0\1",
    "windows.txt": "one total\r\ntwo\r\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with links, in and out."""
    written(tmp_path / "outside", {"secret.md": "total outside\n"})
    folder = written(tmp_path / "root", FILES)
    (folder / "way-out").symlink_to(tmp_path / "outside")
    (folder / "out.md").symlink_to(tmp_path / "outside" / "secret.md")
    return folder


@pytest.fixture
def ours(root: Path) -> ConfinedToolbox:
    """The tools under test."""
    return ConfinedToolbox(root, Limits(), Workshop(Limits()))


def _lines(text: str, root: Path) -> set[str]:
    return {line.removeprefix(f"{root.resolve()}/") for line in text.splitlines()}


@pytest.mark.parametrize("path", [path for path in FILES if not path.endswith(".bin")])
async def test_read_agrees(ours: ConfinedToolbox, root: Path, path: str) -> None:
    """Whole, and the second line."""
    read = beta_read_tool(AgentToolContext(workdir=root))

    theirs = str(await read(path)).replace("\r\n", "\n").removesuffix("\n").split("\n")
    second = str(await read(path, [2, 2])).strip("\r\n")
    mine = (await ours.run("Read", {"path": path})).text.split("\n")

    assert mine == [f"{number}\t{line}" for number, line in enumerate(theirs, 1)]
    assert (await ours.run("Read", {"path": path, "first_line": 2, "last_line": 2})).text == f"2\t{second}"


@pytest.mark.parametrize(
    "path",
    ["../outside/secret.md", "/etc/passwd", "out.md", "way-out/secret.md", "src/../../outside/secret.md", "src", "no"],
)
async def test_both_refuse(ours: ConfinedToolbox, root: Path, path: str) -> None:
    """Escapes, links out, folders, missing files."""
    with pytest.raises(ToolError):
        await beta_read_tool(AgentToolContext(workdir=root))(path)

    assert (await ours.run("Read", {"path": path})).refused


@pytest.mark.parametrize("pattern", ["total", "^total", r"\btotal\b.*here", "(?i)KEEPS", "€", "o{2}", "zzz", "def|sum"])
@pytest.mark.parametrize("path", ["", "src", "src/deep", "README.md"])
async def test_grep_agrees(ours: ConfinedToolbox, root: Path, pattern: str, path: str) -> None:
    """The same lines of the same files."""
    theirs = str(await beta_grep_tool(AgentToolContext(workdir=root))(pattern, path or None))
    mine = (await ours.run("Grep", {"pattern": pattern, "path": path})).text

    plain = {re.sub(r":(\d+): ", r":\1:", line, count=1) for line in mine.splitlines()}
    assert plain == _lines(theirs, root)


@pytest.mark.parametrize("pattern", ["*.md", "**/*.py", "src/*", "src/**/*.txt", "data/*.c*", "*.nope", "**/*total*"])
async def test_glob_agrees(ours: ConfinedToolbox, root: Path, pattern: str) -> None:
    """The same files; folders are theirs alone."""
    theirs = _lines(str(await beta_glob_tool(AgentToolContext(workdir=root))(pattern)), root)
    mine = set((await ours.run("Glob", {"pattern": pattern})).text.splitlines())

    files = {path for path in theirs if (root / path).is_file() and not (root / path).is_symlink()}
    assert mine == (files or {"no files"})


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "src/../../*"])
async def test_both_refuse_to_climb(ours: ConfinedToolbox, root: Path, pattern: str) -> None:
    """A pattern is a path, too."""
    with pytest.raises(ToolError):
        await beta_glob_tool(AgentToolContext(workdir=root))(pattern)

    assert (await ours.run("Glob", {"pattern": pattern})).refused
