"""The app itself, its commands, guilds, people, and the way to the gateway."""

from tests.servers.discord import answers, commands, payloads
from tests.servers.discord.calls import Call, Route, route
from tests.servers.discord.refusals import RefusalError
from tests.servers.discord.world import Guild, Json, Member

_MESSAGE_CONTENT, _MEMBERS, _PRESENCES = 1 << 19, 1 << 15, 1 << 13


def _me(call: Call) -> Json:
    return payloads.user(call.platform.app.bot) | {"verified": True, "mfa_enabled": True, "flags": 0}


def _application(call: Call) -> Json:
    """The flags tell which privileged intents are switched on.

    https://docs.discord.com/developers/resources/application#application-object-application-flags
    """
    app, rules = call.platform.app, call.platform.rules
    granted = (
        (_MESSAGE_CONTENT, rules.message_content_granted),
        (_MEMBERS, rules.members_granted),
        (_PRESENCES, rules.presences_granted),
    )
    return {
        "id": str(app.id),
        "name": app.bot.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": payloads.user(app.owner),
        "team": None,
        "flags": sum(bit for bit, on in granted if on),
        "approximate_guild_count": len(call.platform.guilds),
    }


def _gateway(call: Call) -> Json:
    rules = call.platform.rules
    return {
        "url": f"{call.platform.origin.replace('http', 'ws', 1)}/gw/",
        "shards": rules.shards,
        "session_start_limit": {
            "total": 1000,
            "remaining": rules.identifies_left,
            "reset_after": 86_400_000,
            "max_concurrency": 1,
        },
    }


def _user(call: Call) -> Json:
    person = call.platform.users.get(call.id("user"))
    if person is None:
        raise RefusalError(10013)
    return payloads.user(person)


def _direct_channel(call: Call) -> Json:
    person = call.platform.users.get(int(call.fields["recipient_id"]))
    if person is None:
        raise RefusalError(10013)
    if person.bot:
        raise RefusalError(50007)
    return payloads.channel(call.platform.direct_channel(person))


def _my_guilds(call: Call) -> list[Json]:
    bot = call.platform.app.bot.id
    return [
        {
            "id": str(one.id),
            "name": one.name,
            "icon": None,
            "owner": False,
            "permissions": "0",
            "features": [],
        }
        for one in call.platform.guilds.values()
        if bot in one.members
    ]


def _guild(call: Call) -> Json:
    return payloads.partial_guild(call.guild())


def _channels(call: Call) -> list[Json]:
    return [payloads.channel(one) for one in call.guild().channels.values() if one.thread is None]


def _roles(call: Call) -> list[Json]:
    return [payloads.role(one) for one in call.guild().roles.values()]


def _member(call: Call) -> Json:
    guild = call.guild()
    return payloads.member(_membership(call, guild, call.params["user"]))


def _membership(call: Call, guild: Guild, user: str) -> Member:
    user_id = call.platform.app.bot.id if user == "@me" else int(user)
    if user_id not in guild.members:
        raise RefusalError(10007)
    return guild.members[user_id]


def _members(call: Call) -> list[Json]:
    if not call.platform.rules.members_granted:
        raise RefusalError(50001)
    after, limit = call.asked("after") or 0, call.asked("limit") or 1
    found = sorted((one for one in call.guild().members.values() if one.user.id > after), key=lambda m: m.user.id)
    return [payloads.member(one) for one in found[:limit]]


def _leave(call: Call) -> None:
    guild = call.guild()
    guild.members.pop(call.platform.app.bot.id, None)


def _guild_of(call: Call) -> int | None:
    return call.id("guild") if "guild" in call.params else None


def _list_commands(call: Call) -> list[Json]:
    return call.platform.commands.get(_guild_of(call), [])


def _put_commands(call: Call) -> list[Json]:
    return commands.replace(call.platform, _guild_of(call), list(call.body or []))


def _add_command(call: Call) -> Json:
    return commands.add(call.platform, _guild_of(call), call.fields)


def _delete_command(call: Call) -> None:
    commands.remove(call.platform, _guild_of(call), call.id("command"))


def _callback(call: Call) -> Json | None:
    return answers.first_answer(call)


_GLOBAL = "/applications/{app}/commands"
_GUILD = "/applications/{app}/guilds/{guild}/commands"

ROUTES: list[Route] = [
    route("GET", "/users/@me", _me),
    route("GET", "/users/@me/guilds", _my_guilds),
    route("DELETE", "/users/@me/guilds/{guild}", _leave),
    route("POST", "/users/@me/channels", _direct_channel),
    route("GET", "/users/{user}", _user),
    route("GET", "/oauth2/applications/@me", _application),
    route("GET", "/applications/@me", _application),
    route("GET", "/gateway", _gateway, needs_bot=False),
    route("GET", "/gateway/bot", _gateway),
    route("GET", "/guilds/{guild}", _guild),
    route("GET", "/guilds/{guild}/channels", _channels),
    route("GET", "/guilds/{guild}/roles", _roles),
    route("GET", "/guilds/{guild}/members", _members),
    route("GET", "/guilds/{guild}/members/{user}", _member),
    route("GET", _GLOBAL, _list_commands),
    route("PUT", _GLOBAL, _put_commands),
    route("POST", _GLOBAL, _add_command),
    route("DELETE", _GLOBAL + "/{command}", _delete_command),
    route("GET", _GUILD, _list_commands),
    route("PUT", _GUILD, _put_commands),
    route("POST", _GUILD, _add_command),
    route("DELETE", _GUILD + "/{command}", _delete_command),
    route("POST", "/interactions/{interaction}/{token}/callback", _callback, needs_bot=False),
]
