"""Names that others chose, made fit to be shown."""

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shown(name: str, limit: int = 200) -> str:
    """The name in one line of at most `limit` characters, without control or direction characters."""
    plain = "".join("\ufffd" if unicodedata.category(mark) in _UNSEEN else mark for mark in name[: limit * 2])
    return plain if len(name) <= limit else f"{plain[: limit - 1]}…"
