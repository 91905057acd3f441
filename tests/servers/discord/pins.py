"""Pins and reactions."""

from . import messages, payloads
from .permissions import Permission, in_channel
from .refusals import RefusalError
from .state import Event, Platform
from .world import Channel, Json, Message, User


def pinned(channel: Channel) -> list[Message]:
    """Latest pin first."""
    return sorted(
        (one for one in channel.messages.values() if one.pinned_at),
        key=lambda one: one.pinned_at or "",
        reverse=True,
    )


def pin(platform: Platform, message: Message, actor: User) -> None:
    """Raises 50021 for a system message, 30003 when the channel is full.

    https://docs.discord.com/developers/resources/message#pin-message
    """
    if message.kind not in {messages.DEFAULT, messages.REPLY, 20, 23}:
        raise RefusalError(50021)
    if message.pinned_at is not None:
        return
    channel = message.channel
    if len(pinned(channel)) >= platform.rules.pins:
        raise RefusalError(30003)
    message.pinned_at = platform.clock.iso()
    _announce_pins(platform, message)
    notice = Message(
        id=platform.ids.next(),
        channel=channel,
        author=actor,
        content="",
        at=platform.clock.iso(),
        kind=messages.CHANNEL_PINNED,
        refers_to=message,
    )
    messages.commit(platform, notice)


def unpin(platform: Platform, message: Message) -> None:
    if message.pinned_at is not None:
        message.pinned_at = None
        _announce_pins(platform, message)


def _announce_pins(platform: Platform, message: Message) -> None:
    messages.journal(platform, "pinned" if message.pinned_at else "unpinned", message)
    latest = pinned(message.channel)
    data: Json = {
        "channel_id": str(message.channel.id),
        "last_pin_timestamp": latest[0].pinned_at if latest else None,
    }
    if message.channel.guild is not None:
        data["guild_id"] = str(message.channel.guild.id)
    messages.announce(platform, "MESSAGE_UPDATE", message)
    platform.emit(Event(name="CHANNEL_PINS_UPDATE", data=data, guild=message.channel.guild, channel=message.channel))


def react(platform: Platform, message: Message, emoji: str, actor: User) -> None:
    """Raises 50013 without the right to start a reaction, 30010 for the 21st kind."""
    people = message.reactions.setdefault(emoji, [])
    if not people and Permission.ADD_REACTIONS not in in_channel(message.channel, actor.id):
        raise RefusalError(50013)
    if sum(1 for some in message.reactions.values() if some) >= 20 and not people:
        raise RefusalError(30010)
    if actor.id not in people:
        people.append(actor.id)
        _announce_reaction(platform, "MESSAGE_REACTION_ADD", message, emoji, actor)


def unreact(platform: Platform, message: Message, emoji: str, actor: User) -> None:
    people = message.reactions.get(emoji, [])
    if actor.id in people:
        people.remove(actor.id)
        _announce_reaction(platform, "MESSAGE_REACTION_REMOVE", message, emoji, actor)


def _announce_reaction(platform: Platform, name: str, message: Message, emoji: str, actor: User) -> None:
    guild = message.channel.guild
    data: Json = {
        "user_id": str(actor.id),
        "channel_id": str(message.channel.id),
        "message_id": str(message.id),
        "message_author_id": str(message.author.id),
        "emoji": {"id": None, "name": emoji},
        "burst": False,
        "type": 0,
    }
    if guild is not None:
        data["guild_id"] = str(guild.id)
        if actor.id in guild.members and name.endswith("ADD"):
            data["member"] = payloads.member(guild.members[actor.id])
    platform.emit(Event(name=name, data=data, guild=guild, channel=message.channel))
