"""Channels: made, changed, deleted, joined, closed to somebody."""

from . import payloads
from .refusals import invalid
from .state import Event, Platform
from .threads import checked_name
from .world import Channel, ChannelKind, Guild, Json, Overwrite

TAKES_MESSAGES = frozenset({ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT, ChannelKind.DM})


def create(platform: Platform, guild: Guild, name: str, kind: ChannelKind) -> Channel:
    channel = Channel(id=platform.ids.next(), kind=kind, guild=guild, name=name, position=len(guild.channels))
    platform.channels[channel.id] = channel
    guild.channels[channel.id] = channel
    announce(platform, "CHANNEL_CREATE", channel)
    return channel


def change(platform: Platform, channel: Channel, body: Json) -> None:
    if "name" in body:
        channel.name = checked_name(body)
    if "topic" in body:
        topic = body["topic"]
        if topic is not None and len(str(topic)) > 1024:
            raise invalid("topic", "BASE_TYPE_MAX_LENGTH", "Must be 1024 or fewer in length.")
        channel.topic = topic
    announce(platform, "CHANNEL_UPDATE", channel)


def remove(platform: Platform, channel: Channel) -> None:
    """Deletes it with its threads and webhooks."""
    guild = channel.guild
    assert guild is not None
    gone = [one for one in guild.channels.values() if one is channel or one.parent is channel]
    for one in gone:
        guild.channels.pop(one.id, None)
        platform.channels.pop(one.id, None)
    for webhook in [one for one in platform.webhooks.values() if one.channel is channel]:
        platform.webhooks.pop(webhook.id)
    announce(platform, "CHANNEL_DELETE", channel)


def overwrite(platform: Platform, channel: Channel, one: Overwrite) -> None:
    channel.overwrites[one.id] = one
    announce(platform, "CHANNEL_UPDATE", channel)


def join(platform: Platform, thread: Channel, user_id: int) -> None:
    assert thread.thread is not None
    if user_id in thread.thread.members:
        return
    thread.thread.members.add(user_id)
    _announce_members(platform, thread, added=[payloads.thread_member(thread, user_id)], removed=[])


def leave(platform: Platform, thread: Channel, user_id: int) -> None:
    assert thread.thread is not None
    if user_id in thread.thread.members:
        thread.thread.members.remove(user_id)
        _announce_members(platform, thread, added=[], removed=[str(user_id)])


def _announce_members(platform: Platform, thread: Channel, *, added: list[Json], removed: list[str]) -> None:
    assert thread.thread is not None
    assert thread.guild is not None
    data = {
        "id": str(thread.id),
        "guild_id": str(thread.guild.id),
        "member_count": len(thread.thread.members),
        "added_members": added,
        "removed_member_ids": removed,
    }
    platform.emit(Event(name="THREAD_MEMBERS_UPDATE", data=data, guild=thread.guild, channel=thread))


def announce(platform: Platform, name: str, channel: Channel) -> None:
    """To every session of the guild: a bot hears of channels that it does not see."""
    platform.emit(Event(name=name, data=payloads.channel(channel), guild=channel.guild))
