"""Messages, pins and reactions as the bot reaches them."""

from urllib.parse import unquote

from tests.servers.discord import message_payloads, messages, payloads, pins, threads
from tests.servers.discord.calls import Call, Route, route
from tests.servers.discord.drafts import (
    COMPONENTS_V2,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Draft,
    require_something,
)
from tests.servers.discord.messages import BOT_PINGS, Sender
from tests.servers.discord.permissions import Permission, in_channel
from tests.servers.discord.refusals import RefusalError
from tests.servers.discord.world import Channel, ChannelKind, Json, Message

_FLAGS = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
_MESSAGES = "/channels/{channel}/messages"
_MESSAGE = _MESSAGES + "/{message}"
_REACTION = _MESSAGE + "/reactions/{emoji}"
_PIN = _MESSAGES + "/pins/{message}"


def _send(call: Call) -> Json:
    channel = call.visible_channel()
    draft = call.draft(flags_allowed=_FLAGS)
    require_something(draft)
    require_speech(call, channel, draft)
    earlier = _same_nonce(call, channel, draft)
    if earlier is None:
        earlier = messages.post(call.platform, channel, draft, Sender(author=call.platform.app.bot))
    return message_payloads.message(earlier, call.platform)


def require_speech(call: Call, channel: Channel, draft: Draft) -> None:
    """Raises 50013 for a missing right to speak, attach or embed there."""
    if channel.kind is ChannelKind.DM:
        return
    needed = [Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES]
    if draft.uploads:
        needed.append(Permission.ATTACH_FILES)
    if draft.embeds:
        needed.append(Permission.EMBED_LINKS)
    threads.require_open(channel, call.platform.require(channel, *needed))


def _same_nonce(call: Call, channel: Channel, draft: Draft) -> Message | None:
    """The message that the same author sent with the same nonce in the past few minutes.

    https://docs.discord.com/developers/resources/message#create-message
    """
    if not draft.enforce_nonce or draft.nonce is None:
        return None
    oldest = call.platform.clock.iso(call.platform.clock.now() - call.platform.rules.nonce_window)
    for message in channel.messages.values():
        own = message.author.id == call.platform.app.bot.id and message.nonce == draft.nonce
        if own and message.at >= oldest:
            return message
    return None


def _history(call: Call) -> list[Json]:
    """Empty, without an error, where the bot may not read back.

    https://github.com/discord/discord-api-docs/issues/455
    """
    channel = call.visible_channel()
    if not _reads(call, channel):
        return []
    found = messages.history(
        channel,
        limit=call.asked("limit") or 50,
        before=call.asked("before"),
        after=call.asked("after"),
        around=call.asked("around"),
    )
    return [message_payloads.for_app(one, call.platform) for one in found]


def _reads(call: Call, channel: Channel) -> bool:
    return Permission.READ_MESSAGE_HISTORY in in_channel(channel, call.platform.app.bot.id)


def _show(call: Call) -> Json:
    channel = call.channel()
    call.platform.require(channel, Permission.READ_MESSAGE_HISTORY)
    return message_payloads.for_app(call.message(channel), call.platform)


def _edit(call: Call) -> Json:
    channel = call.visible_channel()
    message = call.message(channel)
    fields = call.fields
    if message.author.id != call.platform.app.bot.id and set(fields) - {"flags"}:
        raise RefusalError(50005)
    threads.require_active(channel)
    draft = call.draft(flags_allowed=_FLAGS)
    messages.edit(call.platform, message, draft, BOT_PINGS)
    return message_payloads.message(message, call.platform)


def _delete(call: Call) -> None:
    channel = call.visible_channel()
    message = call.message(channel)
    if message.author.id != call.platform.app.bot.id:
        call.platform.require(channel, Permission.MANAGE_MESSAGES)
    messages.delete(call.platform, message)


def _delete_many(call: Call) -> None:
    channel = call.channel()
    call.platform.require(channel, Permission.MANAGE_MESSAGES)
    for message_id in call.fields["messages"]:
        if int(message_id) in channel.messages:
            messages.delete(call.platform, channel.messages[int(message_id)])


def _pins(call: Call) -> Json:
    channel = call.channel()
    call.platform.require(channel, Permission.READ_MESSAGE_HISTORY)
    before = call.query.get("before")
    limit = call.asked("limit") or 50
    found = [one for one in pins.pinned(channel) if before is None or (one.pinned_at or "") < before]
    return {
        "items": [
            {"pinned_at": one.pinned_at, "message": message_payloads.for_app(one, call.platform)}
            for one in found[:limit]
        ],
        "has_more": len(found) > limit,
    }


def _pin(call: Call) -> None:
    """Managing messages is not enough for this since 23 February 2026."""
    channel = call.channel()
    call.platform.require(channel, Permission.PIN_MESSAGES)
    threads.require_active(channel)
    pins.pin(call.platform, call.message(channel), call.platform.app.bot)


def _unpin(call: Call) -> None:
    channel = call.channel()
    call.platform.require(channel, Permission.PIN_MESSAGES)
    pins.unpin(call.platform, call.message(channel))


def _react(call: Call) -> None:
    channel = call.channel()
    call.platform.require(channel, Permission.READ_MESSAGE_HISTORY)
    threads.require_active(channel)
    pins.react(call.platform, call.message(channel), _emoji(call), call.platform.app.bot)


def _reactors(call: Call) -> list[Json]:
    channel = call.channel()
    call.platform.require(channel, Permission.READ_MESSAGE_HISTORY)
    people = call.message(channel).reactions.get(_emoji(call), [])
    return [payloads.user(call.platform.users[one]) for one in people]


def _unreact(call: Call) -> None:
    channel = call.visible_channel()
    threads.require_active(channel)
    pins.unreact(call.platform, call.message(channel), _emoji(call), call.platform.app.bot)


def _unreact_other(call: Call) -> None:
    channel = call.channel()
    call.platform.require(channel, Permission.MANAGE_MESSAGES)
    person = call.platform.users.get(call.id("user"))
    if person is None:
        raise RefusalError(10013)
    pins.unreact(call.platform, call.message(channel), _emoji(call), person)


def _emoji(call: Call) -> str:
    """Raises 10014 for what is neither an emoji nor a custom one's name and id."""
    emoji = unquote(call.params["emoji"])
    if not emoji or (emoji.isascii() and ":" not in emoji):
        raise RefusalError(10014)
    return emoji


def _type(call: Call) -> None:
    channel = call.channel()
    if channel.kind is not ChannelKind.DM:
        speaking = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
        call.platform.require(channel, speaking)


ROUTES: list[Route] = [
    route("POST", "/channels/{channel}/typing", _type),
    route("GET", _PIN.removesuffix("/{message}"), _pins),
    route("PUT", _PIN, _pin),
    route("DELETE", _PIN, _unpin),
    route("POST", _MESSAGES + "/bulk-delete", _delete_many),
    route("POST", _MESSAGES, _send),
    route("GET", _MESSAGES, _history),
    route("GET", _MESSAGE, _show),
    route("PATCH", _MESSAGE, _edit),
    route("DELETE", _MESSAGE, _delete),
    route("PUT", _REACTION + "/@me", _react),
    route("GET", _REACTION, _reactors),
    route("DELETE", _REACTION + "/@me", _unreact),
    route("DELETE", _REACTION + "/{user}", _unreact_other),
]
