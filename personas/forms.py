"""The kinds of persona files, told apart by their keys, and what each kind's keys mean."""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256

from bot.core.persona import HOST

SHORT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
RESERVED = (HOST, "all")
"""Short names that mean something else where personas are named."""

OWN_KEYS = (
    "name",
    "short_name",
    "description",
    "tier",
    "version",
    "tags",
    "model",
    "avatar",
    "color",
    "evaluation_criteria",
    "output_contract",
    "cues",
    "variants",
)
_SKILL_KEYS = (*OWN_KEYS, "role", "emoji")
_REVIEW_KEYS = (*_SKILL_KEYS, "schema_version")
_FOLDER_KEYS = (*_SKILL_KEYS, "shortName", "provider")


_UNDIVIDED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"})
"""Latin letters that Unicode does not take apart."""


class Form(StrEnum):
    """Whose rules a file was written by."""

    OWN = "our own form"
    REVIEW = "review catalog"
    FOLDER = "folder form"
    PORTABLE = "portable form"
    SKILL = "agent skill"

    @property
    def strict(self) -> bool:
        """Whether a key or value that we do not know is a fault, not a remark."""
        return self is Form.OWN

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that mean something to us in this form."""
        if self is Form.OWN:
            return OWN_KEYS
        if self is Form.REVIEW:
            return _REVIEW_KEYS
        return _SKILL_KEYS if self is Form.SKILL else _FOLDER_KEYS


def recognised(values: Mapping[str, object]) -> Form:
    """The form of a single file with this front matter."""
    if {"schema_version", "role"} & values.keys():
        return Form.REVIEW
    if {"shortName", "sourceType", "provider"} & values.keys():
        return Form.PORTABLE
    if {"tier", "tags", "short_name", "variants"} & values.keys():
        return Form.OWN
    return Form.REVIEW if {"evaluation_criteria", "output_contract"} & values.keys() else Form.SKILL


def stem(file_name: str) -> str:
    """The file's name without its ending, `.persona` and a trailing `.v1`."""
    bare = re.sub(r"\.(md|markdown)$", "", file_name, flags=re.IGNORECASE)
    return re.sub(r"(\.persona)?(\.v[0-9]{1,3})?$", "", bare, flags=re.IGNORECASE)


def slug(words: str) -> str:
    """A short name made of any words; what has no room or no ASCII form is stood for by a hash."""
    plain = unicodedata.normalize("NFKD", words.casefold().translate(_UNDIVIDED))
    ascii_only = "".join(char for char in plain if char.isascii())
    made = re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")
    lost = sum(char.isalpha() and not char.isascii() and not unicodedata.combining(char) for char in plain)
    if SHORT_NAME.fullmatch(made) and not lost:
        return made
    digest = sha256(unicodedata.normalize("NFC", words).encode()).hexdigest()[:6]
    return f"{made[:33].strip('-') or 'persona'}-{digest}"
