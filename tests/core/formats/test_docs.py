"""The page on formats says what the code does."""

import re
from pathlib import Path

from bot.core.formats.checks_debate import PREAMBLES

PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")


def test_the_list_of_preambles_is_the_codes() -> None:
    """The same phrases in the same order."""
    between = PAGE.split("<!-- preambles -->")[1].split("<!-- end of preambles -->")[0]
    listed = [phrase.strip() for phrase in re.sub(r"\n?> ?", " ", between).split("·")]

    assert listed == list(PREAMBLES)
