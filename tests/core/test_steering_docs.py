"""The page on steering is made from the grammar's table."""

from pathlib import Path

from bot.core.steering.grammar import SIGNS, words_table

PAGE = Path(__file__).parents[2] / "docs" / "steering.md"


def between(first: str, last: str) -> str:
    """What stands between two marks of the page."""
    text = PAGE.read_text(encoding="utf-8")
    return text.split(f"<!-- {first} -->\n")[1].split(f"<!-- {last} -->")[0]


def test_the_page_has_the_grammars_table() -> None:
    """A word that is added without its line in the docs fails here; paste what the message shows."""
    assert between("table: made by bot.core.grammar.words_table", "end of table") == f"\n{words_table()}\n"


def test_the_page_has_every_sign() -> None:
    """Each with its meaning, in the same words as in the code."""
    lines = "".join(f"- {sign} {meaning}\n" for sign, meaning in SIGNS.items())
    assert between("signs", "end of signs") == f"\n{lines}\n"
