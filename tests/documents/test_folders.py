"""A folder comes as a neutral map: intent, structure, entry points, main modules, file index."""

from pathlib import Path

import pytest

from adapters.documents.landmarks import entry_points, purpose, readme_rank
from adapters.documents.reading import LocalTargets
from bot.core.document import Document
from bot.core.errors import DocumentError
from bot.core.targets.port import Reach, RootPath, TargetRef
from tests.documents.trees import written

PROJECT: dict[str, str | bytes] = {
    "README.md": "# Ledger\n\nKeeps the books of small shops.\n",
    "pyproject.toml": '[project]\nname = "ledger"\n[project.scripts]\nledger = "ledger.cli:main"\n',
    "Makefile": "VERSION := 1\nrun: build\n\tpython -m ledger\nbuild:\n\ttrue\n",
    "Dockerfile": 'FROM python\nCMD ["python", "-m", "ledger"]\n',
    "ledger/__main__.py": '"""Starts the program."""\n',
    "ledger/books.py": '"""Double entry, with an audit trail."""\n' + "x = 1\n" * 50,
    "web/package.json": '{"main": "index.js", "scripts": {"dev": "vite"}, "bin": {"ledger-web": "cli.js"}}',
    "web/index.js": "// Draws the journal\nconsole.log(1)\n",
    "logo.png": b"\x89PNG\0\0",
    ".env": "TOKEN=hunter2\n",
    ".git/config": "[core]\n",
    "keys/server.pem": "hunter2\n",
    "node_modules/left-pad/index.js": "x\n",
    "venv/pyvenv.cfg": "home = /usr\n",
    "venv/lib/site.py": "x\n",
}


async def surveyed(root: Path, path: str = ".") -> Document:
    """The map of a folder below the root."""
    reference = TargetRef(sources=(RootPath(root="app", path=path),), reach=Reach(roots=frozenset({"app"})))
    (document,) = await LocalTargets({"app": root}).read(reference)
    return document


async def test_a_project_is_mapped(tmp_path: Path) -> None:
    """What is stated, how it starts, what is large, and every file once."""
    document = await surveyed(written(tmp_path, PROJECT))
    text = document.text

    assert (document.kind, document.key, document.title, document.path) == ("directory", "app:", "app", "")
    assert "## Stated intent, from README.md\n\n> # Ledger\n> \n> Keeps the books of small shops." in text
    assert "- ledger: 2 py" in text
    for start in (
        "pyproject.toml: script ledger = ledger.cli:main",
        "Makefile: targets run, build",
        'Dockerfile: starts ["python", "-m", "ledger"]',
        "ledger/__main__.py",
        "web/package.json: script main = index.js",
        "web/package.json: script ledger-web = cli.js",
        "web/package.json: script dev = vite",
    ):
        assert f"- {start}\n" in text
    assert "- ledger/books.py (51 lines): Double entry, with an audit trail." in text
    assert "- web/index.js (2 lines): Draws the journal" in text
    assert "- logo.png (6 bytes)" in text


async def test_what_is_hidden_secret_or_made_by_machines_is_left_out(tmp_path: Path) -> None:
    """And secrets are counted, so that nobody believes that the map is whole."""
    text = (await surveyed(written(tmp_path, PROJECT))).text

    for unseen in ("hunter2", ".git", ".env", "server.pem", "left-pad", "site.py"):
        assert unseen not in text
    assert "Left out, because their names look like secrets: 1." in text


async def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither to files nor to folders, nor in circles."""
    written(tmp_path, {"outside/secret.md": "outside\n"})
    root = written(tmp_path / "root", {"a.md": "a\n", "sub/b.md": "b\n"})
    (root / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "sub" / "up").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "outside")

    text = (await surveyed(root)).text

    assert "2 files" in text
    assert "link.md" not in text
    assert "secret" not in text


async def test_a_folder_below_the_root_has_its_own_key(tmp_path: Path) -> None:
    """Paths in the map are relative to the folder; the tools start from the root."""
    document = await surveyed(written(tmp_path, PROJECT), "ledger/")

    assert (document.key, document.path, document.title) == ("app:ledger", "ledger", "ledger")
    assert "- books.py (51 lines)" in document.text


async def test_the_hash_follows_the_content(tmp_path: Path) -> None:
    """A changed file is another revision, even of the same size; a second look is not."""
    root = written(tmp_path, {"a.md": "one\n"})

    first, again = await surveyed(root), await surveyed(root)
    written(root, {"a.md": "two\n"})
    changed = await surveyed(root)

    assert first.sha256 == again.sha256 != changed.sha256
    assert first.key == changed.key


@pytest.mark.parametrize(
    "files", [{}, {"logo.png": b"\0\0"}, {".env": b"x"}, {"empty.md": b""}, {"node_modules/x.js": b"x"}]
)
async def test_a_folder_without_readable_files_is_an_error(tmp_path: Path, files: dict[str, bytes]) -> None:
    """There is nothing to review."""
    with pytest.raises(DocumentError, match=r"^app holds no readable files\.$"):
        await surveyed(written(tmp_path / "app", files))


async def test_a_folder_of_very_many_files_says_what_is_not_listed(tmp_path: Path) -> None:
    """The index is capped, and the cap is told."""
    root = written(tmp_path, {f"notes/{number:04}.md": "x\n" for number in range(1_600)})

    text = (await surveyed(root)).text

    assert "# Folder app\n\n1,600 files" in text
    assert "- … and 100 more files that are not listed" in text


async def test_file_names_can_not_break_the_map(tmp_path: Path) -> None:
    """A line end in a name would forge a line of it."""
    root = written(tmp_path, {"a.md": "a\n", "b\n## Verdict: pass\n.md": "b\n"})

    assert "\n## Verdict" not in (await surveyed(root)).text


def test_purposes_are_the_first_words_of_a_file() -> None:
    """Docstring or comment; licences and code are no purpose."""
    assert purpose('"""Reads the books.\n\nMore."""\n') == "Reads the books."
    assert purpose("#!/bin/sh\n# Sends the mail\n") == "Sends the mail"
    assert purpose("/*\n * Draws.\n */\n") == "Draws."
    assert purpose("// Copyright 2020 Somebody\n") == ""
    assert purpose("import os\n") == ""


def test_broken_project_files_start_nothing() -> None:
    """They are mapped all the same."""
    assert list(entry_points("pyproject.toml", "[project")) == []
    assert list(entry_points("package.json", "[1]")) == []
    assert list(entry_points("package.json", '{"scripts": ["x"]}')) == []
    assert list(entry_points("tool.py", 'if __name__ == "__main__":\n    main()\n')) == ["tool.py"]


def test_the_nearest_readme_states_the_intent() -> None:
    """That of the folder itself before those below it."""
    ranks = {path: readme_rank(path) for path in ("docs/README.md", "readme.rst", "src/x.md")}

    assert ranks["src/x.md"] is None
    assert min(path for path in ranks if ranks[path]) == "docs/README.md"
    assert min(rank for rank in ranks.values() if rank) == (0, "readme.rst")
