"""Emoji by the names that Slack knows them by; an icon or a reaction under any other name is refused or ignored."""

from functools import cache
from importlib.resources import files

FALLBACK = "speech_balloon"
"""The face of a persona whose emoji has no name at Slack."""

_VARIATION = "\ufe0f"
_TONES = {chr(0x1F3FB + step): f"::skin-tone-{step + 2}" for step in range(5)}


def name_of(emoji: str) -> str:
    """Slack's name without colons, a skin tone behind it; empty for an emoji that Slack has no name for."""
    tone = next((mark for mark in emoji if mark in _TONES), "")
    plain = "".join(mark for mark in emoji if mark != _VARIATION and mark != tone)
    name = _names().get(plain, "")
    return f"{name}{_TONES.get(tone, '')}" if name else ""


def icon(emoji: str) -> str:
    """The emoji as Slack takes it for an icon: `:owl:`."""
    return f":{name_of(emoji) or FALLBACK}:"


@cache
def _names() -> dict[str, str]:
    lines = files("adapters.slack").joinpath("emoji.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("# "))
    return {emoji: names.split(" ")[0] for emoji, names in rows}
