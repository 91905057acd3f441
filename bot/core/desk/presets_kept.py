"""Presets: a panel's format and options under a name, so that `/panel NAME` starts it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.core.errors import UsageError
from bot.core.options import COMMANDS, Option, options_of, value_of
from bot.core.shown import shown
from bot.core.starting.command import DESK, PanelCommand, parse, split_options

PRESET = "preset"
"""Kind on the shelf: a preset's value by its name."""
MAX_NAME = 40
MAX_PRESETS = 200
TAKEN = frozenset({*COMMANDS, *DESK, "new", "this", "all", "here", "panel"})
WORD_OF = {format_name: word for word, format_name in COMMANDS.items()}


def checked_name(name: str) -> str:
    """The preset's name. Raises UsageError for one that is no short name, or that is a command."""
    name = name.strip().casefold()
    plain = name.replace("-", "")
    if not (name and plain.isascii() and plain.isalnum() and name[0] != "-" and len(name) <= MAX_NAME):
        raise UsageError(
            f"a preset's name has only a-z, 0-9 and '-', at most {MAX_NAME}, as in weekly-review; "
            f"“{shown(name, 40)}” does not fit"
        )
    if name in TAKEN:
        raise UsageError(f"`{name}` is a command, so no preset can have its name; try `my-{name}`")
    return name


def preset_value(command: PanelCommand, by_id: str) -> str:
    """The shelf value of a preset; `by_id` is the person who may change it later."""
    kept = {"format": command.format, "words": command.words, "options": dict(command.options), "by": by_id}
    return json.dumps(kept, ensure_ascii=False)


def preset_of(name: str, value: str) -> tuple[PanelCommand, str]:
    """The preset's command, and the id of the person who saved it.

    Raises UsageError where an option has changed since it was saved.
    """
    try:
        kept = json.loads(value)
        format_name = kept["format"]
        known = {option.name: option for option in options_of(format_name)}
        options = {key: _value(known, key, given) for key, given in kept["options"].items()}
        words = kept["words"]
        return PanelCommand(format=format_name, words=words and str(words), options=options), str(kept["by"])
    except (ValueError, KeyError, TypeError, AttributeError, UsageError) as fault:
        raise UsageError(f"the preset `{name}` does not fit this version ({fault}); save it again") from fault


def resolved(text: str, name: str, preset: PanelCommand) -> PanelCommand:
    """The command that `NAME [words] [--options]` means; what stands there goes over the preset's own.

    Raises UsageError for options that the preset's format does not have.
    """
    words, options = split_options(preset.format, text.strip()[len(name) :].strip())
    return replace(preset, words=words or preset.words, options={**preset.options, **options})


def meant(text: str) -> str:
    """The preset name that the words may begin with; empty where they can not mean one.

    A name of one plain word counts only alone or in front of options: `retro` may be saved, and "retro of the
    launch" stays a topic.
    """
    words = text.split(None, 1)
    if not words:
        return ""
    name, rest = words[0].casefold(), words[1] if len(words) > 1 else ""
    if name in TAKEN or (rest and "-" not in name and not rest.startswith(("--", "—"))):
        return ""
    return name


def written(command: PanelCommand) -> str:
    """The command as people type it."""
    parts = [WORD_OF[command.format], *([command.words] if command.words else [])]
    for name, value in command.options.items():
        parts.append(f"--{name}" if value is True else f"--{name} {_typed(value)}")
    return " ".join(parts)


def checked_command(text: str) -> PanelCommand:
    """What is to be saved. Raises UsageError where the words start no panel."""
    command = parse(text)
    first = text.split(None, 1)[0].casefold() if text.strip() else ""
    if not isinstance(command, PanelCommand) or first not in COMMANDS:
        raise UsageError(
            "say what it starts, for example `preset save weekly-review review --mode voting-quorum`; it begins with "
            f"{', '.join(COMMANDS)}"
        )
    return command


def _value(known: Mapping[str, Option], key: str, given: Any) -> Any:
    option = known[key]
    if option.kind in ("names", "files"):
        return tuple(str(item) for item in given)
    return True if option.kind == "flag" else value_of(option, str(given))


def _typed(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
