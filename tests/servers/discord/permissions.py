"""Permission bits, and what a member may do in a channel.

https://docs.discord.com/developers/topics/permissions#permission-overwrites
"""

from enum import IntFlag

from .world import Channel, ChannelKind, Guild


class Permission(IntFlag):
    MANAGE_ROLES = 1 << 28
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


ALL = Permission((1 << 52) - 1)
NONE = Permission(0)

# What a member of a new guild may do by its @everyone role.
EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.ADD_REACTIONS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CHANGE_NICKNAME
)

# What an invite link gives the bot's own role here, unless a test says otherwise.
INVITED = (
    EVERYONE
    | Permission.MANAGE_WEBHOOKS
    | Permission.MANAGE_THREADS
    | Permission.PIN_MESSAGES
    | Permission.MANAGE_MESSAGES
)


def in_guild(guild: Guild, user_id: int) -> Permission:
    """Permissions by roles alone; everything for the owner and for administrators."""
    member = guild.members.get(user_id)
    if member is None:
        return NONE
    bits = guild.roles[guild.id].permissions
    for role in member.roles:
        bits |= guild.roles[role].permissions
    granted = Permission(bits & ALL)
    if user_id == guild.owner_id or Permission.ADMINISTRATOR in granted:
        return ALL
    return granted


def in_channel(channel: Channel, user_id: int) -> Permission:
    """Permissions with the channel's overwrites; a thread has its parent's."""
    guild = channel.guild
    if guild is None:
        return ALL if any(user.id == user_id for user in channel.recipients) else NONE
    granted = in_guild(guild, user_id)
    if granted == ALL or user_id not in guild.members:
        return granted
    granted = _overwritten(granted, channel.root, guild, user_id)
    if Permission.VIEW_CHANNEL not in granted:
        return NONE
    speaking = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
    if speaking not in granted:
        granted &= ~(Permission.MENTION_EVERYONE | Permission.ATTACH_FILES | Permission.EMBED_LINKS)
    return granted


def _overwritten(granted: Permission, channel: Channel, guild: Guild, user_id: int) -> Permission:
    everyone = channel.overwrites.get(guild.id)
    if everyone is not None:
        granted = (granted & ~Permission(everyone.deny)) | Permission(everyone.allow)
    allow = deny = NONE
    for role in guild.members[user_id].roles:
        if role in channel.overwrites:
            allow |= Permission(channel.overwrites[role].allow)
            deny |= Permission(channel.overwrites[role].deny)
    granted = (granted & ~deny) | allow
    own = channel.overwrites.get(user_id)
    if own is not None:
        granted = (granted & ~Permission(own.deny)) | Permission(own.allow)
    return granted


def sees(channel: Channel, user_id: int) -> bool:
    """Whether the channel exists for that person; private threads are for members and moderators."""
    granted = in_channel(channel, user_id)
    if Permission.VIEW_CHANNEL not in granted:
        return False
    if channel.kind is ChannelKind.PRIVATE_THREAD and channel.thread is not None:
        return user_id in channel.thread.members or Permission.MANAGE_THREADS in granted
    return True
