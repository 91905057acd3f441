"""Slash command options as a client fills them in.

https://docs.discord.com/developers/interactions/application-commands#application-command-object
"""

from collections.abc import Mapping
from dataclasses import dataclass

from . import interaction_payloads, messages, payloads
from .commands import SUB_COMMAND, SUB_COMMAND_GROUP
from .drafts import Upload
from .refusals import ImpossibleActError
from .stage import Stage
from .world import Channel, Json, Role, User

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    options: list[Json]
    resolved: Json

    def nested(self, command: Json, path: list[str]) -> list[Json]:
        """The options inside their subcommand and group."""
        if not path:
            return self.options
        kinds = []
        level = command
        for name in path:
            level = next(one for one in level["options"] if one["name"] == name)
            kinds.append(level["type"])
        inner = self.options
        for name, kind in zip(reversed(path), reversed(kinds), strict=True):
            inner = [{"name": name, "type": kind, "options": inner}]
        return inner


def path_of(command: Json, path: list[str]) -> list[Json]:
    """The options of a subcommand; raises ImpossibleActError when there is none of that path."""
    level = command
    for name in path:
        level = next(
            (
                one
                for one in level.get("options") or []
                if one["name"] == name and one["type"] in {SUB_COMMAND, SUB_COMMAND_GROUP}
            ),
            {},
        )
        if not level:
            raise ImpossibleActError(f"/{command['name']} has no {' '.join(path)!r}")
    options: list[Json] = level.get("options") or []
    if any(one["type"] in {SUB_COMMAND, SUB_COMMAND_GROUP} for one in options):
        raise ImpossibleActError(f"/{command['name']} {' '.join(path)} needs a subcommand")
    return options


def filled(
    stage: Stage,
    channel: Channel,
    known: list[Json],
    given: Mapping[str, object],
    *,
    focused: str | None = None,
) -> Values:
    """Raises ImpossibleActError for an unknown, missing or ill-formed option."""
    by_name = {one["name"]: one for one in known}
    unknown = set(given) - set(by_name)
    if unknown:
        raise ImpossibleActError(f"no options {sorted(unknown)}; there are {sorted(by_name)}")
    missing = [name for name, one in by_name.items() if one.get("required") and name not in given]
    if missing and focused is None:
        raise ImpossibleActError(f"options {missing} are required")
    options: list[Json] = []
    resolved: Json = {}
    for name, one in by_name.items():
        if name in given:
            entry = {"name": name, "type": one["type"]}
            if name == focused:
                entry |= {"value": given[name], "focused": True}
            else:
                entry["value"] = _value(stage, channel, one, given[name], resolved)
            options.append(entry)
    return Values(options=options, resolved=resolved)


def _value(stage: Stage, channel: Channel, option: Json, value: object, resolved: Json) -> object:
    kind = option["type"]
    if kind == USER:
        return _resolve_user(stage, channel, value, resolved)
    if kind == ROLE and isinstance(value, Role):
        resolved.setdefault("roles", {})[str(value.id)] = payloads.role(value)
        return str(value.id)
    if kind == CHANNEL and isinstance(value, Channel | str | int):
        place = stage.place(value)
        resolved.setdefault("channels", {})[str(place.id)] = interaction_payloads.channel(
            place, stage.platform, stage.platform.app.bot.id
        )
        return str(place.id)
    if kind == ATTACHMENT and isinstance(value, Upload):
        attachment = messages.attach(stage.platform, channel, value)
        stage.platform.uploads[attachment.id] = attachment
        resolved.setdefault("attachments", {})[str(attachment.id)] = payloads.attachment(attachment, stage.platform)
        return str(attachment.id)
    return _plain(option, value)


def _resolve_user(stage: Stage, channel: Channel, value: object, resolved: Json) -> str:
    if not isinstance(value, User | str | int):
        raise ImpossibleActError(f"{value!r} is nobody")
    person = stage.person(value)
    resolved.setdefault("users", {})[str(person.id)] = payloads.user(person)
    if channel.guild is not None and person.id in channel.guild.members:
        member = payloads.member(channel.guild.members[person.id], with_user=False)
        resolved.setdefault("members", {})[str(person.id)] = member | {"permissions": "0"}
    return str(person.id)


def _plain(option: Json, value: object) -> object:
    name, kind = option["name"], option["type"]
    wanted = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: int | float}.get(kind)
    if wanted is None or not isinstance(value, wanted) or (kind != BOOLEAN and isinstance(value, bool)):
        raise ImpossibleActError(f"option {name!r} does not take {value!r}")
    if isinstance(value, str):
        # A desktop client turns line breaks into spaces.
        # https://github.com/discord/discord-api-docs/issues/2381
        value = value.replace("\n", " ")
        if not option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000):
            raise ImpossibleActError(f"option {name!r} has the wrong length: {len(value)}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = option.get("min_value"), option.get("max_value")
        if (low is not None and value < low) or (high is not None and value > high):
            raise ImpossibleActError(f"option {name!r} is out of range: {value}")
    choices = option.get("choices") or []
    if choices and value not in [one["value"] for one in choices]:
        raise ImpossibleActError(f"option {name!r} has no choice {value!r}")
    return value
