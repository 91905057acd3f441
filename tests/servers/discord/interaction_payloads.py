"""Interactions on the wire.

https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
"""

from . import message_payloads, payloads
from .commands import MESSAGE_MENU
from .permissions import in_channel
from .state import Platform
from .world import Channel, Interaction, Json, Message


def interaction(one: Interaction, platform: Platform) -> Json:
    place, guild = one.channel, one.channel.guild
    body: Json = {
        "id": str(one.id),
        "application_id": str(platform.app.id),
        "type": one.kind,
        "token": one.token,
        "version": 1,
        "data": one.data,
        "channel_id": str(place.id),
        "channel": channel(place, platform, one.user.id),
        "locale": "en-US",
        "entitlements": [],
        "app_permissions": payloads.app_permissions(place, platform),
        "attachment_size_limit": platform.rules.file_bytes,
        "authorizing_integration_owners": _owners(one),
        "context": 0 if guild else 1,
    }
    if guild is None:
        body["user"] = payloads.user(one.user)
    else:
        permissions = str(int(in_channel(place, one.user.id)))
        body |= {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
            "guild_locale": "en-US",
            "member": payloads.member(guild.members[one.user.id]) | {"permissions": permissions},
        }
    if one.message is not None:
        body["message"] = message_payloads.message(one.message, platform)
    return body


def _owners(one: Interaction) -> Json:
    if one.by_user_install:
        return {"1": str(one.user.id)}
    return {"0": str(one.channel.guild.id) if one.channel.guild else "0"}


def channel(place: Channel, platform: Platform, user_id: int) -> Json:
    """A channel with what that person may do there."""
    return payloads.channel(place) | {"permissions": str(int(in_channel(place, user_id)))}


def message_menu(command: Json, message: Message, platform: Platform) -> Json:
    """The target with its content, even without the message content intent.

    https://docs.discord.com/developers/interactions/application-commands#message-commands
    """
    return {
        "id": command["id"],
        "name": command["name"],
        "type": MESSAGE_MENU,
        "target_id": str(message.id),
        "resolved": {"messages": {str(message.id): message_payloads.message(message, platform)}},
    }
