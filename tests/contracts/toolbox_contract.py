"""What every implementation of `Toolbox` keeps to."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import pytest

from bot.core.tools import Toolbox

FILES = {
    "guide.md": "# Guide\n\nUse the Force.\n",
    "src/app.py": "import os\n\nforce = 1\n",
    "src/deep/more.py": "more = 2\n",
    ".hidden/note.md": "force hidden\n",
    ".env": "TOKEN=force\n",
    "certs/server.pem": "force key\n",
}


class ToolboxContract(ABC):
    """Subclass it, and say how to make a toolbox over some files."""

    @abstractmethod
    def make(self, files: Mapping[str, str]) -> Toolbox:
        """A toolbox over a root that holds these files."""

    @pytest.fixture
    def toolbox(self) -> Toolbox:
        return self.make(FILES)

    def test_the_tools_are_always_the_same(self, toolbox: Toolbox) -> None:
        """The same bytes start every persona's prompt."""
        assert [spec.name for spec in toolbox.specs()] == ["Read", "Grep", "Glob"]
        assert all(spec.schema["additionalProperties"] is False for spec in toolbox.specs())

    async def test_read_numbers_the_lines(self, toolbox: Toolbox) -> None:
        """A finding can point at a line."""
        result = await toolbox.run("Read", {"path": "guide.md"})

        assert result.text.splitlines() == ["1\t# Guide", "2\t", "3\tUse the Force."]
        assert (result.outcome, result.refused) == ("lines 1-3 of guide.md", False)

    async def test_read_gives_the_lines_asked_for(self, toolbox: Toolbox) -> None:
        """Both ends are kept; an end beyond the file's is the file's."""
        result = await toolbox.run("Read", {"path": "src/app.py", "first_line": 2, "last_line": 99})

        assert result.text.splitlines() == ["2\t", "3\tforce = 1"]

    async def test_read_beyond_the_end_is_told(self, toolbox: Toolbox) -> None:
        """An empty answer would look like an empty file."""
        result = await toolbox.run("Read", {"path": "src/app.py", "first_line": 10})

        assert result.refused
        assert "has 3 lines" in result.text

    async def test_a_missing_file_is_told(self, toolbox: Toolbox) -> None:
        """In the words of every missing target."""
        result = await toolbox.run("Read", {"path": "nope.md"})

        assert (result.text, result.refused) == ("Target file not found: nope.md", True)

    @pytest.mark.parametrize("path", ["../x", "/etc/passwd", "src/../../x"])
    async def test_escapes_are_refused(self, toolbox: Toolbox, path: str) -> None:
        """The root is a wall."""
        result = await toolbox.run("Read", {"path": path})

        assert result.refused
        assert result.outcome == f"refused: Target path escapes the root: {path}"

    @pytest.mark.parametrize("path", [".env", ".hidden/note.md", "certs/server.pem", ".git/config"])
    async def test_hidden_files_and_secrets_are_refused_by_name(self, toolbox: Toolbox, path: str) -> None:
        """Whether or not they are there."""
        result = await toolbox.run("Read", {"path": path})

        assert result.refused
        assert result.outcome.startswith("refused: ")
        assert "force" not in result.text

    async def test_grep_names_path_and_line(self, toolbox: Toolbox) -> None:
        """Hidden files and secrets are not searched."""
        result = await toolbox.run("Grep", {"pattern": "force", "ignore_case": True})

        assert sorted(result.text.splitlines()) == ["guide.md:3: Use the Force.", "src/app.py:3: force = 1"]
        assert result.outcome.startswith("2 matches")

    async def test_grep_can_be_narrowed(self, toolbox: Toolbox) -> None:
        """By folder and by a pattern of names."""
        by_folder = await toolbox.run("Grep", {"pattern": "=", "path": "src/deep"})
        by_name = await toolbox.run("Grep", {"pattern": "(?i)force", "glob": "*.md"})

        assert by_folder.text == "src/deep/more.py:1: more = 2"
        assert by_name.text == "guide.md:3: Use the Force."

    async def test_grep_without_a_match_says_so(self, toolbox: Toolbox) -> None:
        """Nothing found is an answer, not a fault."""
        result = await toolbox.run("Grep", {"pattern": "nowhere"})

        assert (result.text, result.refused) == ("no matches", False)

    async def test_a_wrong_pattern_is_told(self, toolbox: Toolbox) -> None:
        """So that the model can mend it."""
        result = await toolbox.run("Grep", {"pattern": "("})

        assert result.refused
        assert "no regular expression" in result.text

    async def test_glob_lists_paths(self, toolbox: Toolbox) -> None:
        """`*` stays in one folder, `**` goes deep."""
        shallow = await toolbox.run("Glob", {"pattern": "src/*.py"})
        deep = await toolbox.run("Glob", {"pattern": "**/*.py"})

        assert shallow.text == "src/app.py"
        assert deep.text.splitlines() == ["src/app.py", "src/deep/more.py"]

    async def test_glob_does_not_climb(self, toolbox: Toolbox) -> None:
        """A pattern is a path, too."""
        assert (await toolbox.run("Glob", {"pattern": "../*"})).refused
        assert (await toolbox.run("Glob", {"pattern": "/etc/*"})).refused

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("Bash", {"command": "ls"}),
            ("Read", {}),
            ("Read", {"path": "guide.md", "mode": "w"}),
            ("Read", {"path": "guide.md", "first_line": 0}),
            ("Grep", {"pattern": ""}),
            ("Grep", {"pattern": "x" * 501}),
            ("Glob", {"pattern": ["*"]}),
        ],
    )
    async def test_wrong_calls_come_back_as_words(
        self, toolbox: Toolbox, name: str, arguments: dict[str, object]
    ) -> None:
        """A model's mistake never raises."""
        result = await toolbox.run(name, arguments)

        assert result.refused
        assert result.text

    async def test_the_outcome_holds_no_content(self, toolbox: Toolbox) -> None:
        """The record says that a file was read, not what it says."""
        read = await toolbox.run("Read", {"path": "guide.md"})
        grep = await toolbox.run("Grep", {"pattern": "Force"})

        assert "Force" not in read.outcome
        assert "Use the" not in grep.outcome
