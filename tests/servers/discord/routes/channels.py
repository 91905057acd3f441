"""Channels and threads as the bot reaches them."""

from tests.servers.discord import channels, message_payloads, payloads, threads
from tests.servers.discord.calls import Call, Route, route
from tests.servers.discord.drafts import (
    COMPONENTS_V2,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    require_something,
)
from tests.servers.discord.messages import Sender
from tests.servers.discord.permissions import Permission, sees
from tests.servers.discord.refusals import RefusalError
from tests.servers.discord.world import THREADS, Channel, ChannelKind, Json, Overwrite

_FLAGS = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
_CHANNEL = "/channels/{channel}"


def _show(call: Call) -> Json:
    return payloads.channel(call.visible_channel())


def _change(call: Call) -> Json:
    channel = call.visible_channel()
    if channel.thread is not None:
        threads.change(call.platform, channel, call.fields, call.platform.app.bot)
        return payloads.thread(channel)
    call.platform.require(channel, Permission.MANAGE_CHANNELS)
    channels.change(call.platform, channel, call.fields)
    return payloads.channel(channel)


def _delete(call: Call) -> Json:
    channel = call.visible_channel()
    if channel.thread is not None:
        call.platform.require(channel, Permission.MANAGE_THREADS)
        threads.remove(call.platform, channel)
        return payloads.thread(channel)
    call.platform.require(channel, Permission.MANAGE_CHANNELS)
    channels.remove(call.platform, channel)
    return payloads.channel(channel)


def _start_from_message(call: Call) -> Json:
    channel = call.channel()
    call.platform.require(channel, Permission.CREATE_PUBLIC_THREADS, Permission.READ_MESSAGE_HISTORY)
    bot = call.platform.app.bot
    return payloads.thread(threads.from_message(call.platform, call.message(channel), bot, call.fields))


def _start(call: Call) -> Json:
    parent = call.visible_channel()
    if parent.kind is ChannelKind.FORUM:
        return _start_post(call, parent)
    private = int(call.fields.get("type") or ChannelKind.PRIVATE_THREAD) == ChannelKind.PRIVATE_THREAD
    call.platform.require(parent, Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS)
    thread = threads.without_message(call.platform, parent, call.platform.app.bot, call.fields)
    return payloads.thread(thread)


def _start_post(call: Call, forum: Channel) -> Json:
    """Needs the right to send messages, and an opener.

    https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
    """
    body = call.fields.get("message") or {}
    draft = call.draft(flags_allowed=_FLAGS, body=body)
    call.platform.require(forum, Permission.SEND_MESSAGES)
    if draft.uploads:
        call.platform.require(forum, Permission.ATTACH_FILES)
    require_something(draft)
    sender = Sender(author=call.platform.app.bot)
    thread, opener = threads.forum_post(call.platform, forum, call.fields, draft, sender)
    return payloads.thread(thread) | {"message": message_payloads.message(opener, call.platform)}


def _join(call: Call) -> None:
    thread = _thread(call)
    threads.require_active(thread)
    channels.join(call.platform, thread, call.platform.app.bot.id)


def _leave(call: Call) -> None:
    channels.leave(call.platform, _thread(call), call.platform.app.bot.id)


def _add_member(call: Call) -> None:
    thread = _thread(call)
    call.platform.require(thread, Permission.SEND_MESSAGES_IN_THREADS)
    threads.require_active(thread)
    channels.join(call.platform, thread, call.id("user"))


def _members(call: Call) -> list[Json]:
    thread = _thread(call)
    assert thread.thread is not None
    return [payloads.thread_member(thread, user) for user in sorted(thread.thread.members)]


def _member(call: Call) -> Json:
    """One member of a thread; 10007 for anybody else.

    https://docs.discord.com/developers/resources/channel#get-thread-member
    """
    thread = _thread(call)
    assert thread.thread is not None
    if call.id("user") not in thread.thread.members:
        raise RefusalError(10007)
    return payloads.thread_member(thread, call.id("user"))


def _thread(call: Call) -> Channel:
    channel = call.visible_channel()
    if channel.thread is None:
        raise RefusalError(50024)
    return channel


def _archived(call: Call) -> Json:
    parent = call.channel()
    call.platform.require(parent, Permission.READ_MESSAGE_HISTORY)
    private = call.route.endswith("private")
    return _listing(call, [one for one in _of(parent) if _is(one, archived=True, private=private)])


def _active(call: Call) -> Json:
    guild = call.guild()
    found = [one for one in guild.channels.values() if one.thread is not None and not one.thread.archived]
    return _listing(call, found)


def _of(parent: Channel) -> list[Channel]:
    guild = parent.guild
    return [one for one in guild.channels.values() if one.parent is parent] if guild else []


def _is(one: Channel, *, archived: bool, private: bool) -> bool:
    if one.thread is None or one.kind not in THREADS:
        return False
    return one.thread.archived == archived and (one.kind is ChannelKind.PRIVATE_THREAD) == private


def _listing(call: Call, found: list[Channel]) -> Json:
    bot = call.platform.app.bot.id
    shown = [one for one in found if sees(one, bot)]
    joined = [one for one in shown if one.thread is not None and bot in one.thread.members]
    return {
        "threads": [payloads.thread(one) for one in shown],
        "members": [payloads.thread_member(one, bot) for one in joined],
        "has_more": False,
    }


def _overwrite(call: Call) -> None:
    channel = call.channel()
    call.platform.require(channel, Permission.MANAGE_ROLES)
    fields = call.fields
    overwrite = Overwrite(
        id=call.id("target"),
        kind=int(fields["type"]),
        allow=int(fields.get("allow") or 0),
        deny=int(fields.get("deny") or 0),
    )
    channels.overwrite(call.platform, channel, overwrite)


ROUTES: list[Route] = [
    route("GET", _CHANNEL, _show),
    route("PATCH", _CHANNEL, _change),
    route("DELETE", _CHANNEL, _delete),
    route("PUT", _CHANNEL + "/permissions/{target}", _overwrite),
    route("POST", _CHANNEL + "/messages/{message}/threads", _start_from_message),
    route("POST", _CHANNEL + "/threads", _start),
    route("PUT", _CHANNEL + "/thread-members/@me", _join),
    route("DELETE", _CHANNEL + "/thread-members/@me", _leave),
    route("PUT", _CHANNEL + "/thread-members/{user}", _add_member),
    route("GET", _CHANNEL + "/thread-members", _members),
    route("GET", _CHANNEL + "/thread-members/{user}", _member),
    route("GET", _CHANNEL + "/threads/archived/public", _archived),
    route("GET", _CHANNEL + "/threads/archived/private", _archived),
    route("GET", "/guilds/{guild}/threads/active", _active),
]
