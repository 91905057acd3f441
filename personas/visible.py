"""What people can tell apart: hidden characters in names, names that look the same, emoji."""

import unicodedata
from itertools import pairwise

_HIDDEN_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that print nothing though Unicode does not class them as format characters."""

_JOINERS = "\u200c\u200d"
_JOINED_SCRIPTS = ((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x18AF), (0xFB50, 0xFEFC))
"""Scripts in which a joiner or non-joiner changes how a word is written: Arabic, Indic, Tibetan, Khmer, Mongolian."""

_LOOKALIKES = {
    **dict(zip("АВЕЅІЈКМНОРСТХҮԛԝаеорсухіјѕһҽᴠг", "ABESlJKMHOPCTXYqwaeopcyxijshevr", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧΛαικνορτυχ", "ABEZHlKMNOPTYXAaiKvoptux", strict=True)),
    **dict(zip("ⲟⲣϲϳոսօքгⅼⅰⅴⅹ", "opcjnuoprlivx", strict=True)),
    "0": "O",
    "1": "l",
    "I": "l",
    "|": "l",
    "ı": "i",
    "ɑ": "a",
    "ɡ": "g",
    "’": "'",
    "‘": "'",
    "‐": "-",
    "–": "-",
    "—": "-",
}

_EMOJI_RANGES = (
    (0x1F000, 0x1FAFF),
    (0x2190, 0x21FF),
    (0x2300, 0x23FF),
    (0x25A0, 0x27BF),
    (0x2900, 0x297F),
    (0x2B00, 0x2BFF),
    (0x3030, 0x303D),
    (0x3297, 0x3299),
    *((point, point) for point in (0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139, 0x24C2)),
)
_EMOJI_PARTS = frozenset((0x200D, 0xFE0F, 0x20E3, *range(0xE0020, 0xE0080)))
_KEYCAPS = "0123456789#*"


def hidden(text: str) -> str:
    """The first character that can not be seen or that turns the writing direction, as `U+202E`; empty for none."""
    if text.isascii() and text.isprintable():
        return ""
    for at, char in enumerate(text):
        if _unseen(char) and not (char in _JOINERS and _joins(text, at)):
            return f"U+{ord(char):04X}"
    return ""


def without_hidden(text: str) -> str:
    """The text without characters that can not be seen; line ends and tabs become spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    spaced = "".join(" " if char in "\n\r\t" else char for char in text)
    kept = (c for at, c in enumerate(spaced) if not _unseen(c) or (c in _JOINERS and _joins(spaced, at)))
    return " ".join("".join(kept).split())


def look(name: str) -> str:
    """Two names with the same look can not be told apart by eye."""
    folded = unicodedata.normalize("NFKC", name)
    plain = "".join(_LOOKALIKES.get(char, char) for char in unicodedata.normalize("NFD", folded))
    seen = "".join(char for char in plain if not _unseen(char) and char not in "\ufe0e\ufe0f")
    return " ".join(unicodedata.normalize("NFC", seen).casefold().split())


def is_emoji(text: str) -> bool:
    """Whether the text is one emoji, joined and toned ones included."""
    if not text or len(text) > 14:
        return False
    points = [ord(char) for char in text]
    if text[0] in _KEYCAPS:
        return points[1:] in ([0x20E3], [0xFE0F, 0x20E3])
    pictures = [point for point in points if _in_ranges(point, _EMOJI_RANGES)]
    if len(pictures) + sum(point in _EMOJI_PARTS for point in points) != len(points):
        return False
    return points[0] in pictures and _one_picture(points)


def _one_picture(points: list[int]) -> bool:
    """Several pictures are one emoji only where joined, toned, or a flag's two letters."""
    if len(points) == 2 and all(0x1F1E6 <= point <= 0x1F1FF for point in points):
        return True
    for before, point in pairwise(points):
        toned = 0x1F3FB <= point <= 0x1F3FF
        if _in_ranges(point, _EMOJI_RANGES) and before != 0x200D and not toned:
            return False
    return True


def _unseen(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co") or char in _HIDDEN_LETTERS


def _joins(text: str, at: int) -> bool:
    """Whether the joiner at this place does what joiners are for."""
    if not 0 < at < len(text) - 1:
        return False
    before, after = ord(text[at - 1]), ord(text[at + 1])
    if _in_ranges(before, _JOINED_SCRIPTS) and _in_ranges(after, _JOINED_SCRIPTS):
        return True
    pictures = before == 0xFE0F or _in_ranges(before, _EMOJI_RANGES)
    return text[at] == "\u200d" and pictures and _in_ranges(after, _EMOJI_RANGES)


def _in_ranges(point: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= point <= last for first, last in ranges)
