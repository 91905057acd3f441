"""The pages on personas and settings say what the code does."""

import re
from pathlib import Path

import pytest

from bot.core.desk.help import DESK_LINES
from bot.core.desk.personas import VERBS
from bot.core.desk.setting_table import settings_table
from bot.core.starting.command import DeskCommand
from personas.forms import OWN_KEYS
from tests.core.desk.room import HERE, Workspace
from tests.personas.catalogs import loaded

DOCS = Path(__file__).parents[3] / "docs"
PERSONAS = (DOCS / "personas.md").read_text(encoding="utf-8")
SETTINGS = (DOCS / "settings.md").read_text(encoding="utf-8")


def said_in(page: str) -> list[str]:
    """The words in the first column of the tables headed `say`."""
    tables = re.findall(r"\| say \|.*\n\|---.*\n((?:\|.*\n)+)", page)
    said = (row.split("|")[1] for table in tables for row in table.splitlines())
    return [words for cell in said for words in re.findall(r"`([^`]+)`", cell)]


def test_the_table_of_settings_is_the_codes() -> None:
    """A setting that is added without its line fails here; paste what the message shows."""
    between = SETTINGS.split("setting_table.settings_table -->\n")[1].split("<!-- end of table -->")[0]

    assert between == f"\n{settings_table()}\n\n"


def test_every_key_is_explained_once() -> None:
    """In the order of the reader's own table of keys, which fault messages list."""
    table = PERSONAS.split("## Keys")[1].split("\n\n")[1]

    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == [*OWN_KEYS]


@pytest.mark.parametrize("words", said_in(PERSONAS))
async def test_every_command_of_the_page_is_one(words: str) -> None:
    """None of them would start a discussion."""
    assert isinstance(await Workspace().desk.command(HERE, words), DeskCommand)


def test_every_verb_is_on_the_page_and_in_the_help() -> None:
    """Nobody finds what is not written down."""
    page, help_lines = " ".join(said_in(PERSONAS)), " ".join(say for say, _ in DESK_LINES)

    assert [verb for verb in VERBS if f"persona {verb}" not in f"{page} persona list"] == []
    assert [verb for verb in VERBS if verb not in help_lines] == []


async def test_the_help_names_every_word_that_is_answered() -> None:
    """On every surface the same."""
    answer = await Workspace().ask("help")

    for word in ("personas", "persona", "note", "preset", "list", "status", "resume", "budget", "settings"):
        assert f"`{word}" in answer.text


def test_the_examples_of_the_page_load(tmp_path: Path) -> None:
    """The persona, and its cues."""
    example = PERSONAS.split("```markdown\n")[1].split("```")[0]
    cues = PERSONAS.split("```yaml\n")[1].split("```")[0]
    catalog = loaded(tmp_path, {"ada-lowell.md": example.replace("tags:", f"{cues}tags:", 1)})

    assert (catalog.personas[0].name, len(catalog.personas[0].cues), catalog.remarks) == ("Ada Lowell", 4, ())
