"""Whether a voice can read a target: it reads English, and whatever language its own file is written in.

The rule: of a text's words, code left out, at least one in twelve is an English function word. English prose has one in
three, terse English notes one in eight; other languages, whose look-alikes are not counted, have hardly any.
"""

import re

LEAST_SHARE = 1 / 12
LEAST_WORDS = 12
"""A shorter text is too short to tell."""

_ENGLISH = (
    "the of and to that for with it its by be this from or not when if which has have are were been but they their our "
    "can each there then than what who how into every before after without because nobody only would should could does "
    "is we you your all no"
)
_FUNCTION_WORDS = frozenset(_ENGLISH.split())
_CODE = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]*`|https?://\S+", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Scripts that put no blanks between words."""


def is_english(text: str) -> bool:
    """True for English, and for a text too short to tell."""
    bare = _CODE.sub(" ", text)
    found = [word.lower() for word in _WORD.findall(bare)]
    if len(_WIDE.findall(bare)) > len(found):
        return False
    return len(found) < LEAST_WORDS or sum(word in _FUNCTION_WORDS for word in found) >= LEAST_SHARE * len(found)
