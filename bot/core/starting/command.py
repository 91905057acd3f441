"""The grammar in which chat starts panels: `discuss TOPIC --rounds 2 --with ada,bo`, after `/panel` or a mention.

Options are those of `options.py`. What stands in front of the first option is the topic or the target, as it was
written; in the options, quotation marks keep words together.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from bot.core.desk.setting_table import BY_KEY
from bot.core.errors import UsageError
from bot.core.options import COMMANDS, FormatName, Option, options_of, value_of

DESK = (
    "personas",
    "persona",
    "note",
    "preset",
    "schedule",
    "status",
    "list",
    "resume",
    "trends",
    "budget",
    "settings",
    "help",
)
"""Words that do not start a panel; they count only where nothing, or what they take, follows."""
ALONE = ("status", "list", "help", "personas", "trends", "settings", "budget", "resume", "schedule")
"""Of these, the ones that match only alone or in front of what `_TAKES` says: "status of our API" is a topic."""

_PANEL_ID = re.compile(rf"`?(?:{'|'.join(COMMANDS.values())})-[0-9a-z]{{8}}`?", re.IGNORECASE)
_TAKES: Mapping[str, re.Pattern[str]] = {
    "status": _PANEL_ID,
    "resume": _PANEL_ID,
    "trends": re.compile(r"`?[^\s`]*[./:][^\s`]*`?"),
    "list": re.compile(r"open|waiting|running|paused|finished|stopped|failed", re.IGNORECASE),
    "settings": re.compile(rf"(?:{'|'.join(BY_KEY)})(?:\s.*)?|history", re.IGNORECASE | re.DOTALL),
}

_OPTION = re.compile(r"(?:(?<=\s)|^)(?:--|—)(?P<name>[a-z][a-z-]*)(?:[= ]|$)", re.IGNORECASE)
_WORD = re.compile(r"\"([^\"]*)\"|“([^”]*)”|'([^']*)'|(\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelCommand:
    """A panel is to be started."""

    format: FormatName
    words: str | None
    """Topic or target; None where there was none."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Option name → value, checked one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskCommand:
    """Something about panels, personas or settings."""

    word: str
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCommand:
    """Nothing was said: the form opens."""


Command = PanelCommand | DeskCommand | FormCommand


def parse(text: str) -> Command:
    """What the words behind `/panel` or a mention mean; words that are no command are the topic of a discussion.

    Raises UsageError for options that the format does not have, or with a value that they do not take.
    """
    text = text.strip()
    if not text:
        return FormCommand()
    head, _, rest = text.partition(" ") if "\n" not in text.split(" ", 1)[0] else (text, "", "")
    word, rest = head.casefold(), rest.strip()
    if word in COMMANDS:
        return _panel(COMMANDS[word], rest)
    if word in DESK and (not rest or word not in ALONE or (word in _TAKES and _TAKES[word].fullmatch(rest))):
        return DeskCommand(word=word, rest=rest)
    return _panel("discussion", text)


def split_options(format_name: FormatName, text: str) -> tuple[str | None, dict[str, Any]]:
    """The words in front of the first option (None for none), and the options. Raises UsageError."""
    first = _OPTION.search(text)
    words = text[: first.start()].strip() if first else text
    options = _options(format_name, text[first.start() :]) if first else {}
    return _unquoted(words) or None, options


def _panel(format_name: FormatName, text: str) -> PanelCommand:
    words, options = split_options(format_name, text)
    return PanelCommand(format=format_name, words=words, options=options)


def _unquoted(words: str) -> str:
    match = _WORD.fullmatch(words)
    return next((group for group in match.groups() if group is not None), "") if match else words


def _options(format_name: FormatName, text: str) -> dict[str, Any]:
    known = {option.name: option for option in options_of(format_name)}
    marks = list(_OPTION.finditer(text))
    values: dict[str, Any] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        name = mark["name"].casefold()
        if name not in known:
            raise UsageError(_unknown(name, format_name, known))
        raw = text[mark.end() : following.start() if following else None].strip()
        values[name] = _value(known[name], raw, values.get(name))
    return values


def _value(option: Option, raw: str, before: Any) -> Any:
    if option.kind == "flag":
        if raw:
            raise UsageError(f"--{option.name} takes no value, so {raw[:40]!r} is too much; the topic goes first")
        return True
    value = value_of(option, _unquoted(raw))
    return (*before, *value) if option.kind == "files" and before else value


def _unknown(name: str, format_name: FormatName, known: Mapping[str, Option]) -> str:
    near = get_close_matches(name, known, n=1)
    hint = f" Did you mean --{near[0]}?" if near else ""
    listed = ", ".join(f"--{option}" for option in known)
    return f"--{name} is no option of a {format_name}.{hint} It takes {listed}"
