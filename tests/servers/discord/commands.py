"""Application commands: checked as the platform checks them, kept per guild and globally.

https://docs.discord.com/developers/interactions/application-commands
"""

import re
from collections import Counter

from .refusals import RefusalError, bad_length, invalid
from .state import Platform
from .world import Json

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUB_COMMAND, SUB_COMMAND_GROUP = 1, 2
_NAME = re.compile(r"^[-_'\w]{1,32}$")
_CAPS = {CHAT_INPUT: 100, USER_MENU: 15, MESSAGE_MENU: 15}


def replace(platform: Platform, guild_id: int | None, bodies: list[Json]) -> list[Json]:
    """The commands as stored; those that keep their name and kind keep their id."""
    counts = Counter(_kind(body) for body in bodies)
    if any(count > _CAPS[kind] for kind, count in counts.items()):
        raise RefusalError(30032, status=400, text="Maximum number of application commands reached")
    for index, body in enumerate(bodies):
        _check(body, str(index))
    stored = [_stored(platform, guild_id, body) for body in bodies]
    platform.commands[guild_id] = stored
    return stored


def add(platform: Platform, guild_id: int | None, body: Json) -> Json:
    _check(body, "")
    stored = _stored(platform, guild_id, body)
    others = [one for one in platform.commands.get(guild_id, []) if one["id"] != stored["id"]]
    platform.commands[guild_id] = [*others, stored]
    return stored


def remove(platform: Platform, guild_id: int | None, command_id: int) -> None:
    known = platform.commands.get(guild_id, [])
    kept = [one for one in known if one["id"] != str(command_id)]
    if len(kept) == len(known):
        raise RefusalError(10063)
    platform.commands[guild_id] = kept


def find(platform: Platform, guild_id: int | None, name: str, kind: int) -> Json | None:
    """The command as a person in that guild would reach it; a guild's own wins."""
    for commands in (platform.commands.get(guild_id, []), platform.commands[None]):
        for one in commands:
            if one["name"] == name and one["type"] == kind:
                return one
    return None


def _kind(body: Json) -> int:
    return int(body.get("type") or CHAT_INPUT)


def _stored(platform: Platform, guild_id: int | None, body: Json) -> Json:
    kind = _kind(body)
    known = next(
        (c for c in platform.commands.get(guild_id, []) if c["name"] == body["name"] and c["type"] == kind),
        None,
    )
    stored = {
        "default_member_permissions": None,
        "nsfw": False,
        "description": "",
        "options": [],
        **body,
        "id": known["id"] if known else str(platform.ids.next()),
        "type": kind,
        "application_id": str(platform.app.id),
        "version": str(platform.ids.next()),
    }
    return stored | ({"guild_id": str(guild_id)} if guild_id is not None else {})


def _check(body: Json, path: str) -> None:
    name = str(body.get("name") or "")
    if _kind(body) != CHAT_INPUT:
        if not 1 <= len(name) <= 32:
            raise bad_length(f"{path}.name".lstrip("."), 1, 32)
        return
    _check_named(body, path)
    _check_options(body.get("options") or [], path)
    if _size(body) > 8000:
        raise invalid(path or "name", "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")


def _check_named(body: Json, path: str) -> None:
    name = str(body.get("name") or "")
    if not _NAME.match(name) or name != name.lower():
        raise invalid(f"{path}.name".lstrip("."), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    if not 1 <= len(str(body.get("description") or "")) <= 100:
        raise bad_length(f"{path}.description".lstrip("."), 1, 100)


def _check_options(options: list[Json], path: str) -> None:
    if len(options) > 25:
        raise bad_length(f"{path}.options".lstrip("."), 0, 25)
    names = [one["name"] for one in options]
    if len(set(names)) != len(names):
        raise invalid(f"{path}.options", "APPLICATION_COMMAND_OPTIONS_NAME_NOT_UNIQUE", "Names must be unique")
    optional_seen = False
    for index, one in enumerate(options):
        where = f"{path}.options.{index}".lstrip(".")
        _check_named(one, where)
        _check_choices(one, where)
        if one["type"] in {SUB_COMMAND, SUB_COMMAND_GROUP}:
            _check_options(one.get("options") or [], where)
        elif one.get("required") and optional_seen:
            raise invalid(where, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options come first")
        optional_seen = optional_seen or not one.get("required")


def _check_choices(option: Json, path: str) -> None:
    choices = option.get("choices") or []
    if len(choices) > 25 or (choices and option.get("autocomplete")):
        raise bad_length(f"{path}.choices", 0, 25)
    for one in choices:
        if not 1 <= len(str(one["name"])) <= 100 or len(str(one["value"])) > 100:
            raise bad_length(f"{path}.choices", 1, 100)
    if int(option.get("max_length") or 6000) > 6000:
        raise invalid(f"{path}.max_length", "NUMBER_TYPE_MAX", "int value should be <= 6000.")


def _size(body: Json) -> int:
    """Names, descriptions and values, which together have 8000 characters."""
    total = len(str(body.get("name") or "")) + len(str(body.get("description") or ""))
    for choice in body.get("choices") or []:
        total += len(str(choice["name"])) + len(str(choice["value"]))
    return total + sum(_size(one) for one in body.get("options") or [])
