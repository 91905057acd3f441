"""How things look on the wire.

https://docs.discord.com/developers/resources/message#message-object and its neighbours
"""

import hashlib
import hmac
from urllib.parse import quote

from .permissions import in_channel
from .state import Platform
from .world import (
    THREADS,
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Json,
    Member,
    Message,
    Role,
    User,
    Webhook,
)


def user(person: User) -> Json:
    return {
        "id": str(person.id),
        "username": person.name,
        "discriminator": "0000" if person.bot else "0",
        "global_name": person.display,
        "avatar": person.avatar,
        "bot": person.bot,
        "public_flags": 0,
    }


def member(one: Member, *, with_user: bool = True) -> Json:
    body: Json = {
        "roles": [str(role) for role in one.roles],
        "nick": one.nick,
        "joined_at": one.joined_at,
        "premium_since": None,
        "communication_disabled_until": None,
        "avatar": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    if with_user:
        body["user"] = user(one.user)
    return body


def role(one: Role) -> Json:
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(int(one.permissions)),
        "position": one.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": one.managed,
        "mentionable": one.mentionable,
        "flags": 0,
    }


def channel(one: Channel) -> Json:
    if one.thread is not None:
        return thread(one)
    body: Json = {
        "id": str(one.id),
        "type": int(one.kind),
        "last_message_id": str(one.last_message_id) if one.last_message_id else None,
    }
    if one.guild is None:
        return body | {"recipients": [user(person) for person in one.recipients if not person.bot]}
    body |= {
        "guild_id": str(one.guild.id),
        "name": one.name,
        "topic": one.topic,
        "position": one.position,
        "parent_id": None,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "flags": 0,
        "permission_overwrites": [
            {"id": str(o.id), "type": o.kind, "allow": str(o.allow), "deny": str(o.deny)}
            for o in one.overwrites.values()
        ],
    }
    if one.kind is ChannelKind.FORUM:
        body |= {"available_tags": one.tags, "default_reaction_emoji": None, "default_forum_layout": 0}
    return body


def thread(one: Channel) -> Json:
    state = one.thread
    assert state is not None
    assert one.guild is not None
    assert one.parent is not None
    return {
        "id": str(one.id),
        "type": int(one.kind),
        "guild_id": str(one.guild.id),
        "parent_id": str(one.parent.id),
        "owner_id": str(state.owner_id),
        "name": one.name,
        "last_message_id": str(one.last_message_id) if one.last_message_id else None,
        "rate_limit_per_user": 0,
        "message_count": len(one.messages),
        "total_message_sent": state.total_messages,
        "member_count": len(state.members),
        "applied_tags": [str(tag) for tag in state.tags],
        "flags": 0,
        "thread_metadata": {
            "archived": state.archived,
            "locked": state.locked,
            "auto_archive_duration": state.auto_archive_minutes,
            "archive_timestamp": state.archive_timestamp or state.created,
            "create_timestamp": state.created,
            "invitable": state.invitable,
        },
    }


def thread_member(one: Channel, user_id: int) -> Json:
    assert one.thread is not None
    return {
        "id": str(one.id),
        "user_id": str(user_id),
        "join_timestamp": one.thread.created,
        "flags": 1,
    }


def guild(one: Guild, platform: Platform, *, bot_id: int, everyone_listed: bool) -> Json:
    """GUILD_CREATE; members beyond the bot itself come only with the members intent."""
    shown = [m for m in one.members.values() if everyone_listed or m.user.id == bot_id]
    threads = [c for c in one.channels.values() if c.kind in THREADS and not (c.thread and c.thread.archived)]
    return {
        **partial_guild(one),
        "joined_at": one.members[bot_id].joined_at if bot_id in one.members else platform.clock.iso(),
        "large": False,
        "unavailable": False,
        "member_count": len(one.members),
        "members": [member(m) for m in shown],
        "channels": [channel(c) for c in one.channels.values() if c.kind not in THREADS],
        "threads": [
            thread(t) | {"member": thread_member(t, bot_id)}
            for t in threads
            if t.thread is not None and (t.kind is not ChannelKind.PRIVATE_THREAD or bot_id in t.thread.members)
        ],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def partial_guild(one: Guild) -> Json:
    return {
        "id": str(one.id),
        "name": one.name,
        "owner_id": str(one.owner_id),
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "roles": [role(r) for r in one.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "nsfw_level": 0,
    }


def webhook(one: Webhook, *, token_for_app: int | None) -> Json:
    """The token shows only to the app that made it, or to anyone when a person did.

    https://docs.discord.com/developers/resources/webhook#webhook-object
    """
    body: Json = {
        "id": str(one.id),
        "type": 1,
        "guild_id": str(one.channel.guild.id) if one.channel.guild else None,
        "channel_id": str(one.channel.id),
        "name": one.name,
        "avatar": None,
        "application_id": str(one.application_id) if one.application_id else None,
        "user": user(one.creator),
    }
    if one.application_id is None or one.application_id == token_for_app:
        body["token"] = one.token
    return body


def attachment(one: Attachment, platform: Platform) -> Json:
    """With a freshly signed address that expires.

    https://docs.discord.com/developers/reference#signed-attachment-cdn-urls
    """
    url = attachment_url(one, platform)
    body: Json = {
        "id": str(one.id),
        "filename": one.filename,
        "size": len(one.content),
        "url": url,
        "proxy_url": url,
    }
    if one.content_type is not None:
        body["content_type"] = one.content_type
    if one.description is not None:
        body["description"] = one.description
    return body


def attachment_url(one: Attachment, platform: Platform) -> str:
    issued = int(platform.clock.now())
    expires = f"{issued + int(platform.rules.attachment_life):x}"
    path = f"/attachments/{one.channel_id}/{one.id}/{quote(one.filename)}"
    return f"{platform.origin}{path}?ex={expires}&is={issued:x}&hm={signature(platform, one.id, expires)}&"


def signature(platform: Platform, attachment_id: int, expires: str) -> str:
    text = f"{attachment_id}:{expires}".encode()
    return hmac.new(platform.app.token.encode(), text, hashlib.sha256).hexdigest()


def app_permissions(one: Channel, platform: Platform) -> str:
    return str(int(in_channel(one, platform.app.bot.id)))


def loading(message: Message) -> bool:
    """Whether it is the placeholder of a deferred answer."""
    return bool(message.flags & 1 << 7)
