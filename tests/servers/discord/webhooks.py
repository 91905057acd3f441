"""Webhooks: made, found, moved, spoken through.

https://docs.discord.com/developers/resources/webhook
"""

import re

from . import messages, threads
from .drafts import COMPONENTS_V2, SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS, Draft, require_something
from .messages import WEBHOOK_PINGS, Sender
from .permissions import Permission
from .refusals import RefusalError, bad_length, invalid
from .state import Event, Platform
from .world import Channel, ChannelKind, Json, Message, User, Webhook

FLAGS_ALLOWED = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
_HOSTS = frozenset({ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT, ChannelKind.FORUM})
_FORBIDDEN_PARTS = ("clyde", "discord", "```")
_FORBIDDEN_NAMES = frozenset({"everyone", "here"})


def checked_name(raw: object, path: str) -> str:
    """The name with outer and doubled spaces gone.

    https://docs.discord.com/developers/resources/user#usernames-and-nicknames
    """
    name = re.sub(r"\s{2,}", " ", str(raw or "")).strip()
    if not 1 <= len(name) <= 80:
        raise bad_length(path, 1, 80)
    for part in _FORBIDDEN_PARTS:
        if part in name.lower():
            text = f'Username cannot contain "{part}"'
            raise invalid(path, "USERNAME_INVALID_CONTAINS", text)
    if name.lower() in _FORBIDDEN_NAMES:
        raise invalid(path, "USERNAME_INVALID", "Username is invalid")
    return name


def create(platform: Platform, channel: Channel, name: object, creator: User, application_id: int | None) -> Webhook:
    """Raises 50024 in a thread, 30007 and 30058 at the caps."""
    if channel.kind not in _HOSTS:
        raise RefusalError(50024)
    checked = checked_name(name, "name")
    if len(in_channel(platform, channel)) >= platform.rules.webhooks_per_channel:
        raise RefusalError(30007)
    in_guild = [one for one in platform.webhooks.values() if one.channel.guild is channel.guild]
    if len(in_guild) >= platform.rules.webhooks_per_guild:
        raise RefusalError(30058)
    webhook = Webhook(
        id=platform.ids.next(),
        channel=channel,
        name=checked,
        token=platform.secret(),
        creator=creator,
        application_id=application_id,
    )
    platform.webhooks[webhook.id] = webhook
    _announce(platform, channel)
    return webhook


def in_channel(platform: Platform, channel: Channel) -> list[Webhook]:
    return [one for one in platform.webhooks.values() if one.channel is channel]


def delete(platform: Platform, webhook: Webhook) -> None:
    platform.webhooks.pop(webhook.id, None)
    _announce(platform, webhook.channel)


def move(platform: Platform, webhook: Webhook, channel: Channel) -> None:
    """Both channels hear of it, and neither hears more than that."""
    before, webhook.channel = webhook.channel, channel
    _announce(platform, before)
    _announce(platform, channel)


def execute(platform: Platform, webhook: Webhook, body: Json, draft: Draft, thread_id: int | None) -> Message:
    """Says something in the webhook's channel or in a thread of it, under any name."""
    require_something(draft)
    sender = _sender(webhook, body)
    thread_name = body.get("thread_name")
    _check_place(webhook, thread_id, thread_name)
    if thread_name:
        _, opener = threads.forum_post(platform, webhook.channel, {"name": thread_name}, draft, sender)
        return opener
    place = webhook.channel if thread_id is None else thread_of(platform, webhook, thread_id)
    threads.require_open(place, Permission(0))
    return messages.post(platform, place, draft, sender)


def thread_of(platform: Platform, webhook: Webhook, thread_id: int) -> Channel:
    """Raises 10003 for a thread that is not of the webhook's channel, as after the webhook was moved."""
    thread = platform.channels.get(thread_id)
    if thread is None or thread.thread is None or thread.parent is not webhook.channel:
        raise RefusalError(10003)
    return thread


def own_message(platform: Platform, webhook: Webhook, message_id: int, thread_id: int | None) -> Message:
    """Raises 10008 for a message that this webhook did not send there."""
    place = webhook.channel if thread_id is None else thread_of(platform, webhook, thread_id)
    message = platform.message(place, message_id)
    if message.webhook_id != webhook.id:
        raise RefusalError(10008)
    return message


def _check_place(webhook: Webhook, thread_id: int | None, thread_name: object) -> None:
    if webhook.channel.kind is not ChannelKind.FORUM:
        if thread_name:
            raise RefusalError(220003)
        return
    if thread_name and thread_id is not None:
        raise RefusalError(220002)
    if not thread_name and thread_id is None:
        raise RefusalError(220001)


def _sender(webhook: Webhook, body: Json) -> Sender:
    name = checked_name(body["username"], "username") if "username" in body else webhook.name
    avatar_url = body.get("avatar_url")
    if avatar_url and not re.match(r"https?://", str(avatar_url)):
        raise invalid("avatar_url", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https').")
    if avatar_url and len(str(avatar_url)) > 2048:
        raise invalid("avatar_url", "BASE_TYPE_MAX_LENGTH", "Must be 2048 or fewer in length.")
    face = "0" * 32 if avatar_url else None
    return Sender(
        author=User(id=webhook.id, name=name, bot=True, avatar=face),
        default_pings=WEBHOOK_PINGS,
        webhook_id=webhook.id,
        application_id=webhook.application_id,
        avatar_url=str(avatar_url) if avatar_url else None,
    )


def _announce(platform: Platform, channel: Channel) -> None:
    guild = channel.guild
    data = {"channel_id": str(channel.id), "guild_id": str(guild.id) if guild else None}
    platform.emit(Event(name="WEBHOOKS_UPDATE", data=data, guild=guild, channel=channel))
