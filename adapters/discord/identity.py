"""The name above a persona's post: what Discord takes, told apart, and the same in every post.

https://docs.discord.com/developers/resources/webhook#create-webhook and, for what "must not contain" means in practice,
https://github.com/PluralKit/PluralKit/issues/484
"""

import re

from adapters.discord.markup import units
from bot.core.platform import Speaker

LONGEST = 80
HAIR = "\u200a"
"""A hair space: it breaks a forbidden word and is hardly seen."""

_FORBIDDEN = re.compile(r"discord|clyde|```", re.IGNORECASE)
_ALONE = re.compile(r"everyone|here", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f"
                     r"\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0]")  # fmt: skip
_SPACES = re.compile(r"\s+")
_MARKS = re.compile(r"[*_~`|>\\]")


def username(speaker: Speaker, *, has_face: bool) -> str:
    """1 to 80 characters that Discord takes. Without a face of its own the persona's emoji stands in front."""
    name = _SPACES.sub(" ", _UNSEEN.sub("", speaker.name)).strip() or speaker.short_name
    if speaker.emoji and not has_face:
        name = f"{speaker.emoji} {name}"
    name = _FORBIDDEN.sub(lambda word: word[0][0] + HAIR + word[0][1:], name)
    if _ALONE.fullmatch(name):
        name = name[0] + HAIR + name[1:]
    return _cut(name, speaker.short_name)


def careful(name: str) -> str:
    """The same name for rules that Discord does not publish: a hair space between all letters."""
    return _shortened(re.sub(r"(?<=\w)(?=\w)", HAIR, name.replace(HAIR, "")))


def same(one: str, other: str) -> bool:
    """True when both are the same name, but for spaces and what is not seen."""
    return _bare(one) == _bare(other)


def bold(speaker: Speaker) -> str:
    """The name in front of the text, where the bot itself speaks for a persona."""
    name = username(speaker, has_face=False)
    return f"**{_MARKS.sub(lambda mark: chr(92) + mark[0], name)}**"


def _bare(name: str) -> str:
    return _SPACES.sub("", _UNSEEN.sub("", name)).replace("\ufe0f", "")


def _cut(name: str, short_name: str) -> str:
    """Cut in the middle where a short name stands at the end to tell it from another."""
    if units(name) <= LONGEST:
        return name
    tail = f" ({short_name})"
    if name.endswith(tail) and units(tail) < LONGEST // 2:
        return _shortened(name.removesuffix(tail), LONGEST - units(tail)) + tail
    return _shortened(name)


def _shortened(name: str, most: int = LONGEST) -> str:
    if units(name) <= most:
        return name
    while units(name) > most - 1:
        name = name[:-1]
    return f"{name.rstrip()}…"
