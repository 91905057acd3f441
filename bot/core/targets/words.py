"""From what a person wrote to what is meant: a path, a git range, the conversation, or the text itself.

Pure: nothing here looks at a disk. The council's guard (formats, "Guard") and the rule that a single word
with a slash or a file extension is a path, never idea text, live here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.errors import DocumentError, NotFound, UsageError
from bot.core.shown import shown
from bot.core.targets.guard import conversation_focus
from bot.core.targets.port import (
    WORKING_FOLDER,
    GitRange,
    GivenText,
    LineRange,
    Reach,
    RootPath,
    Source,
    TargetRef,
)

LINES_USAGE = "lines wants A-B: two positive line numbers, A not above B, for example lines 10-40"
URL_REFUSED = "Nothing is fetched from the web: paste the text or attach the file."
EMPTY = "There is no target: name a path, paste the text or attach the file."


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The target is the thread that the words stand in (in a channel: its recent messages)."""

    focus: str = ""
    """What to look at in it; empty: all of it."""
    lines: LineRange | None = None


_RANGE = re.compile(r"(\d{1,9})\s*[-–]\s*(\d{1,9})")
_TRAILING_LINES = re.compile(r"\s+lines\s+([-–]?\d.*)$", re.IGNORECASE | re.DOTALL)
_EXTENSION = re.compile(r"[^/\\]\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,10}$", re.IGNORECASE)
_LONGEST_PLACE = 5000
_DOTS = re.compile(r"\.{1,2}|~|\.[\w-][\w.-]*")
_URL = re.compile(r"<?(?:[a-z][a-z0-9+.-]*://|www\.|mailto:)\S*", re.IGNORECASE)
_ROOT_NAME = r"[A-Za-z][A-Za-z0-9_-]{1,39}"
_BELOW_ROOT = re.compile(rf"({_ROOT_NAME}):(.*)", re.DOTALL)
_GIT = re.compile(rf"({_ROOT_NAME})?@(\S+)")
_REVISIONS = re.compile(r"(?!-)[\w./~^@{}+-]{1,200}", re.ASCII)
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”"}


def parse_lines(words: str) -> LineRange:
    """`A-B`, both positive, A ≤ B; anything else is a UsageError."""
    match = _RANGE.fullmatch(words.strip())
    if match is None:
        raise UsageError(f"{LINES_USAGE}; got {words.strip()[:40]!r}.")
    first, last = int(match[1]), int(match[2])
    if first < 1 or last < first:
        raise UsageError(f"{LINES_USAGE}; got {first}-{last}.")
    return LineRange(first=first, last=last)


def bare_url(words: str) -> bool:
    """Whether the words are web addresses and nothing else."""
    parts = words.split()
    return bool(parts) and all(_URL.fullmatch(part) for part in parts)


def path_like(word: str) -> bool:
    """Whether a single word is a path: it has a slash or a file extension, or starts with a dot."""
    return word.split() == [word] and _path(word)


def _path(word: str) -> bool:
    return "/" in word or "\\" in word or bool(_DOTS.fullmatch(word) or _EXTENSION.search(word))


def parse_target(words: str, reach: Reach, lines: LineRange | None = None) -> TargetRef | Conversation:
    """What the words of a command point at; text is what they are when they are nothing else.

    `lines A-B` at the end is read only after a path, a range or the conversation, so that a pasted text
    may end in those words. Raises UsageError for no words or wrong lines, NotFound for an unknown root,
    DocumentError for a bare web address or a malformed range.
    """
    words = words.strip()
    if not words:
        raise UsageError(EMPTY)
    head, found = _split_lines(words, reach) if len(words) < _LONGEST_PLACE else (words, None)
    focus = conversation_focus(head)
    if focus is not None:
        return Conversation(focus=focus, lines=found or lines)
    places = _places(head, reach) if len(head) < _LONGEST_PLACE else ()
    if places:
        return TargetRef(sources=places, lines=found or lines, reach=reach)
    return TargetRef(sources=(GivenText(text=words),), lines=lines, reach=reach)


def parse_arguments(arguments: Sequence[str], reach: Reach, lines: LineRange | None = None) -> TargetRef | Conversation:
    """As `parse_target`, for a command line: several words that are each a path are several files."""
    words = [argument.strip() for argument in arguments]
    if len(words) > 1 and all(path_like(word) for word in words):
        sources = tuple(source for word in words for source in _places(word, reach))
        return TargetRef(sources=sources, lines=lines, reach=reach)
    return parse_target(" ".join(words), reach, lines)


def _split_lines(words: str, reach: Reach) -> tuple[str, LineRange | None]:
    match = _TRAILING_LINES.search(words)
    if match is None:
        return words, None
    head = words[: match.start()]
    place = _unquoted(head)
    if not (path_like(place) or _granted(place, reach) or conversation_focus(head) is not None):
        return words, None
    return head, parse_lines(match[1])


def _unquoted(words: str) -> str:
    if len(words) > 2 and _QUOTES.get(words[0]) == words[-1] and "\n" not in words:
        return words[1:-1].strip()
    return words


def _places(words: str, reach: Reach) -> tuple[Source, ...]:
    """The paths and ranges that the words name; none where they are text."""
    if bare_url(words):
        raise DocumentError(URL_REFUSED)
    several = words.split()
    if len(several) > 1 and all(_granted(word, reach) for word in several):
        return tuple(source for word in several if (source := _place(word, reach)) is not None)
    inner = _unquoted(words)
    if len(several) > 1 and inner == words:
        return ()
    source = _place(inner, reach)
    return () if source is None else (source,)


def _granted(word: str, reach: Reach) -> bool:
    match = _BELOW_ROOT.fullmatch(word) or _GIT.fullmatch(word)
    return match is not None and match[1] in reach.roots


def _place(word: str, reach: Reach) -> Source | None:
    git = _GIT.fullmatch(word)
    if git and ((git[1] in reach.roots and git[1]) or ".." in git[2]):
        return _git_range(git[1] or WORKING_FOLDER, git[2], reach)
    below = _BELOW_ROOT.fullmatch(word)
    if below and below[1] in reach.roots:
        return RootPath(root=below[1], path=below[2] or ".")
    if below and _path(below[2]):
        raise _unknown_root(below[1], reach)
    if not _path(word):
        return None
    if WORKING_FOLDER in reach.roots:
        return RootPath(root=WORKING_FOLDER, path=word)
    raise _no_folder_here(word, reach)


def _git_range(root: str, revisions: str, reach: Reach) -> GitRange:
    if root not in reach.roots:
        raise _unknown_root(root, reach)
    if not _REVISIONS.fullmatch(revisions):
        raise DocumentError(f"{revisions[:60]!r} is no git range; write for example app@HEAD~3..HEAD.")
    return GitRange(root=root, revisions=revisions)


def _unknown_root(root: str, reach: Reach) -> NotFound:
    return NotFound(f"There is no root {shown(root)!r} here. {_roots_here(reach)}")


def _no_folder_here(word: str, reach: Reach) -> NotFound:
    return NotFound(f"Target file not found: {shown(word)}\n{_roots_here(reach)}")


def _roots_here(reach: Reach) -> str:
    named = sorted(reach.roots - {WORKING_FOLDER})
    if not named:
        return "No root is granted here: paste the text or attach the file."
    return f"Roots granted here: {', '.join(named)}; write for example {named[0]}:path/to/file."
