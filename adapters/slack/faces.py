"""Under which name and picture a message stands. Names are untrusted: they come from persona files."""

import re
import unicodedata
from dataclasses import dataclass

from adapters.slack.emoji import icon
from bot.core.platform import Speaker

LONGEST = 40
SUFFIX = " (AI)"
_SPACE = re.compile(r"\s+")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_LOOKALIKES: dict[int, str] = {
    ord(pair[0]): pair[1]
    for pair in (
        *("аa", "еe", "оo", "рp", "сc", "уy", "хx", "іi", "јj", "ѕs", "ԁd", "һh", "ԛq", "ԝw", "кk", "тt", "мm", "нh"),
        *("вb", "ɡg", "οo", "αa", "νv", "ιi", "κk", "τt", "ρp", "υu", "0o", "1i", "li"),
    )
}
"""Letters of other alphabets, and digits, that look like Latin ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """What chat.postMessage is told about the author; `image_url` goes before the emoji where there is one."""

    name: str
    emoji: str
    image_url: str = ""

    def arguments(self) -> dict[str, str]:
        """https://docs.slack.dev/reference/scopes/chat.write.customize"""
        picture = {"icon_url": self.image_url} if self.image_url else {"icon_emoji": self.emoji}
        return {"username": self.name, **picture}


def face(speaker: Speaker, *, suffix: bool, members: frozenset[str], image_url: str = "") -> Face:
    """A persona's face. It is marked as an AI unless the workspace turned that off and no member has the name.

    `members` are the names of people in the workspace, as `folded` gives them.
    """
    name = tidy(speaker.name) or speaker.short_name
    marked = suffix or folded(name) in members or folded(name) in RESERVED
    return Face(name=f"{name}{SUFFIX}" if marked else name, emoji=icon(speaker.emoji), image_url=image_url)


def tidy(name: str) -> str:
    """The name in one line, without marks that Slack or a reader could take for something else."""
    seen = "".join(
        " " if mark.isspace() else mark for mark in name if mark.isspace() or unicodedata.category(mark) not in _UNSEEN
    )
    kept = re.sub(r"[<>&*_~`|@#]", "", unicodedata.normalize("NFC", seen))
    return _SPACE.sub(" ", kept).strip()[:LONGEST].strip()


def folded(name: str) -> str:
    """The name as an eye reads it: case, accents, alphabets and blanks do not tell two names apart."""
    letters = unicodedata.normalize("NFKD", name).casefold().translate(_LOOKALIKES)
    return "".join(mark for mark in letters if mark.isalnum())


RESERVED = frozenset({folded("Slackbot"), folded("Slack")})
