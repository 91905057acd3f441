"""Which emoji exist: Slack refuses a reaction, and ignores an icon, whose name it does not know."""

import re
from functools import cache
from pathlib import Path

NAMES = Path(__file__).parents[3] / "adapters" / "slack" / "emoji.tsv"
_SKIN = re.compile(r"::skin-tone-[2-6]$")
_ICON = re.compile(r":([^:\s]+(?:::skin-tone-[2-6])?):")


@cache
def known() -> frozenset[str]:
    """Every name of a standard emoji."""
    lines = NAMES.read_text("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("# ") for name in line.split("\t")[1].split(" "))


def exists(name: str) -> bool:
    """True for a standard emoji's name without colons, with a skin tone or not."""
    return _SKIN.sub("", name) in known()


def icon(value: str) -> bool:
    """True for an icon_emoji that Slack shows: a known name between colons."""
    match = _ICON.fullmatch(value)
    return match is not None and exists(match[1])
