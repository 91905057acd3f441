"""Whom a text notifies.

https://docs.discord.com/developers/resources/message#allowed-mentions-object
"""

import re
from collections.abc import Iterator

from .permissions import Permission, in_channel
from .refusals import invalid
from .world import Channel, Json, Pings

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(?:everyone|here)\b")
_KINDS = frozenset({"users", "roles", "everyone"})


def displayed_texts(components: list[Json]) -> Iterator[str]:
    """Texts of TextDisplay components, which notify just as content does."""
    for component in components:
        if component.get("type") == 10:
            yield str(component.get("content", ""))
        yield from displayed_texts(component.get("components", []))
        if isinstance(component.get("accessory"), dict):
            yield from displayed_texts([component["accessory"]])


def pings(
    content: str,
    components: list[Json],
    channel: Channel,
    allowed: Json | None,
    *,
    default: frozenset[str],
    sender_id: int,
) -> Pings:
    """Who is notified; `default` holds the kinds parsed when the sender said nothing."""
    policy = _policy(allowed, default)
    text = "\n".join([content, *displayed_texts(components)])
    users = {int(found) for found in _USER.findall(text)}
    roles = {int(found) for found in _ROLE.findall(text)}
    everyone = bool(_EVERYONE.search(text))
    kinds: frozenset[str] = policy["parse"]
    if "users" not in kinds:
        users &= policy["users"]
    if "roles" not in kinds:
        roles &= policy["roles"]
    may_shout = _may_shout(channel, sender_id)
    return Pings(
        users=frozenset(users),
        roles=frozenset(roles if may_shout else _mentionable(channel, roles)),
        everyone=everyone and "everyone" in kinds and may_shout,
    )


def replies_ping(allowed: Json | None) -> bool:
    """Whether an answer notifies the answered person; a bot's does unless it says otherwise."""
    return True if allowed is None else bool(allowed.get("replied_user", False))


def _policy(allowed: Json | None, default: frozenset[str]) -> Json:
    if allowed is None:
        return {"parse": default, "users": set(), "roles": set()}
    parse = frozenset(allowed.get("parse", []))
    if not parse <= _KINDS:
        raise invalid("allowed_mentions.parse", "BASE_TYPE_CHOICES", "Value must be one of users, roles, everyone.")
    users = {int(user) for user in allowed.get("users") or []}
    roles = {int(role) for role in allowed.get("roles") or []}
    if ("users" in parse and users) or ("roles" in parse and roles):
        raise invalid("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", "Mutually exclusive.")
    return {"parse": parse, "users": users, "roles": roles}


def _may_shout(channel: Channel, sender_id: int) -> bool:
    """A webhook is no member and is not held back by the permission, as field reports have it.

    https://github.com/discord/discord-api-docs/issues/2988
    """
    if channel.guild is None or sender_id not in channel.guild.members:
        return True
    return Permission.MENTION_EVERYONE in in_channel(channel, sender_id)


def _mentionable(channel: Channel, roles: set[int]) -> set[int]:
    known = channel.guild.roles if channel.guild else {}
    return {role for role in roles if role in known and known[role].mentionable}
