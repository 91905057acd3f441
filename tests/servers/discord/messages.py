"""Saying, changing and reading back messages."""

import mimetypes
from dataclasses import dataclass

from . import message_payloads, payloads
from .drafts import SUPPRESS_EMBEDS, Draft, Upload
from .mentions import pings, replies_ping
from .permissions import Permission, in_channel
from .refusals import RefusalError, invalid
from .state import Event, Platform
from .world import Attachment, Channel, ChannelKind, Json, Message, Pings, User

BOT_PINGS = frozenset({"users", "roles", "everyone"})
# https://docs.discord.com/developers/resources/message#allowed-mentions-object (interactions, webhooks)
WEBHOOK_PINGS = frozenset({"users"})
DEFAULT, CHANNEL_PINNED, THREAD_CREATED, REPLY, THREAD_STARTER = 0, 6, 18, 19, 21


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """In whose name a message appears, and how it came about."""

    author: User
    default_pings: frozenset[str] = BOT_PINGS
    webhook_id: int | None = None
    application_id: int | None = None
    avatar_url: str | None = None
    interaction: Json | None = None
    kind: int = DEFAULT
    # Set for ephemeral answers.
    visible_to: int | None = None


def post(platform: Platform, channel: Channel, draft: Draft, sender: Sender) -> Message:
    """Commits a checked message and announces it."""
    if channel.kind is ChannelKind.FORUM:
        raise RefusalError(50008)
    answered = _answered(platform, channel, draft, sender)
    message = Message(
        id=platform.ids.next(),
        channel=channel,
        author=sender.author,
        content=draft.content,
        at=platform.clock.iso(),
        kind=REPLY if answered is not None else sender.kind,
        flags=draft.flags,
        embeds=draft.embeds,
        components=numbered(draft.components),
        refers_to=answered,
        pings=_pings(channel, draft, sender.author.id, sender.default_pings),
        webhook_id=sender.webhook_id,
        application_id=sender.application_id,
        avatar_url=sender.avatar_url,
        nonce=draft.nonce,
        interaction=sender.interaction,
        visible_to=sender.visible_to,
    )
    if answered is not None and replies_ping(draft.allowed_mentions):
        message.reply_ping = answered.author.id
    message.attachments = [attach(platform, channel, upload) for upload in draft.uploads]
    return commit(platform, message)


def commit(platform: Platform, message: Message) -> Message:
    """Stores and announces a message as it is; ephemeral ones are announced to nobody."""
    channel = message.channel
    platform.created.append(message)
    journal(platform, "created", message)
    if message.visible_to is not None:
        platform.changed.notify()
        return message
    channel.messages[message.id] = message
    channel.last_message_id = message.id
    if channel.thread is not None:
        channel.thread.total_messages += 1
        if message.webhook_id is None:
            channel.thread.members.add(message.author.id)
        wake_thread(platform, channel)
    announce(platform, "MESSAGE_CREATE", message)
    return message


def numbered(components: list[Json]) -> list[Json]:
    """Components with the numeric ids that the platform fills in where none were sent.

    https://docs.discord.com/developers/components/reference#anatomy-of-a-component
    """
    count = 0

    def fill(one: Json) -> Json:
        nonlocal count
        count += 1
        filled = {**one, "id": one.get("id") or count}
        if "components" in one:
            filled["components"] = [fill(child) for child in one["components"]]
        for key in ("component", "accessory"):
            if isinstance(one.get(key), dict):
                filled[key] = fill(one[key])
        return filled

    return [fill(one) for one in components]


def attach(platform: Platform, channel: Channel, upload: Upload) -> Attachment:
    return Attachment(
        id=platform.ids.next(),
        channel_id=channel.id,
        filename=upload.filename,
        content=upload.content,
        content_type=upload.content_type,
        description=upload.description,
    )


def guessed_type(filename: str) -> str:
    """The type the platform derives from a name."""
    kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def wake_thread(platform: Platform, channel: Channel) -> None:
    """A message reopens an archived thread.

    https://docs.discord.com/developers/topics/threads#active-archived-threads
    """
    if channel.thread is not None and channel.thread.archived:
        channel.thread.archived = False
        channel.thread.archive_timestamp = platform.clock.iso()
        platform.emit(Event(name="THREAD_UPDATE", data=payloads.thread(channel), guild=channel.guild, channel=channel))


def announce(platform: Platform, name: str, message: Message) -> None:
    data = message_payloads.event(message, platform)
    event = Event(name=name, data=data, guild=message.channel.guild, channel=message.channel, message=message)
    platform.emit(event)


def edit(platform: Platform, message: Message, draft: Draft, default_pings: frozenset[str]) -> Message:
    """Changes what the request named; mentions are parsed anew with defaults unless it says otherwise."""
    if "content" in draft.given:
        message.content = draft.content
    if "content" in draft.given or "components" in draft.given:
        message.pings = _pings(message.channel, draft, message.author.id, default_pings)
    if "embeds" in draft.given:
        message.embeds = draft.embeds
    if "components" in draft.given:
        message.components = numbered(draft.components)
    if "flags" in draft.given:
        message.flags = (message.flags & ~SUPPRESS_EMBEDS) | draft.flags
    if draft.kept is not None:
        message.attachments = [one for one in message.attachments if one.id in draft.kept]
    message.attachments += [attach(platform, message.channel, upload) for upload in draft.uploads]
    message.edited_at = platform.clock.iso()
    journal(platform, "edited", message)
    if message.visible_to is None:
        announce(platform, "MESSAGE_UPDATE", message)
    platform.changed.notify()
    return message


def delete(platform: Platform, message: Message) -> None:
    message.deleted = True
    message.channel.messages.pop(message.id, None)
    journal(platform, "deleted", message)
    if message.visible_to is not None:
        return
    data: Json = {"id": str(message.id), "channel_id": str(message.channel.id)}
    if message.channel.guild is not None:
        data["guild_id"] = str(message.channel.guild.id)
    platform.emit(Event(name="MESSAGE_DELETE", data=data, guild=message.channel.guild, channel=message.channel))


def history(
    channel: Channel, *, limit: int, before: int | None, after: int | None, around: int | None
) -> list[Message]:
    """Newest first; `after` takes the oldest ones that follow it.

    https://docs.discord.com/developers/resources/message#get-channel-messages
    """
    if not 1 <= limit <= 100:
        raise invalid("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
    ordered = sorted(channel.messages.values(), key=lambda one: one.id)
    if around is not None:
        older = [one for one in ordered if one.id < around][-(limit // 2) :]
        newer = [one for one in ordered if one.id >= around][: limit - len(older)]
        return [*older, *newer][::-1]
    if after is not None:
        return [one for one in ordered if one.id > after][:limit][::-1]
    if before is not None:
        ordered = [one for one in ordered if one.id < before]
    return ordered[-limit:][::-1]


def journal(platform: Platform, what: str, message: Message) -> None:
    platform.journal.write(
        {
            "event": what,
            "at": platform.clock.iso(),
            "channel": str(message.channel.id),
            "id": str(message.id),
            "author": str(message.author.id),
            "name": message.author.name,
            "webhook": str(message.webhook_id) if message.webhook_id else None,
            "application": str(message.application_id) if message.application_id else None,
            "kind": message.kind,
            "content": message.content,
            "files": [one.filename for one in message.attachments],
            "ephemeral": message.visible_to is not None,
            "pings": bool(message.pings),
        }
    )


def _pings(channel: Channel, draft: Draft, sender_id: int, default: frozenset[str]) -> Pings:
    return pings(
        draft.content,
        draft.components,
        channel,
        draft.allowed_mentions,
        default=default,
        sender_id=sender_id,
    )


def _answered(platform: Platform, channel: Channel, draft: Draft, sender: Sender) -> Message | None:
    if draft.answers is None:
        return None
    if Permission.READ_MESSAGE_HISTORY not in in_channel(channel, sender.author.id):
        raise RefusalError(160002)
    if draft.answers not in channel.messages:
        raise invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    return platform.message(channel, draft.answers)
