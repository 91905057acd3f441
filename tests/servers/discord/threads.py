"""Threads: made, changed, archived, locked, deleted.

https://docs.discord.com/developers/topics/threads
"""

from . import messages, payloads
from .drafts import Draft
from .messages import Sender
from .permissions import Permission, in_channel
from .refusals import RefusalError, bad_length, invalid
from .state import Event, Platform
from .world import THREADS, Channel, ChannelKind, Json, Message, ThreadState, User

HAS_THREAD = 1 << 5
_DURATIONS = frozenset({60, 1440, 4320, 10080})
_THREAD_PARENTS = frozenset({ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT, ChannelKind.FORUM})


def create(
    platform: Platform,
    parent: Channel,
    owner: User,
    body: Json,
    *,
    kind: ChannelKind,
    thread_id: int | None = None,
) -> Channel:
    """Raises 50024 where no threads can be, 50035 for a bad name or duration."""
    if parent.kind not in _THREAD_PARENTS:
        raise RefusalError(50024)
    if kind is ChannelKind.PRIVATE_THREAD and parent.kind is not ChannelKind.TEXT:
        raise RefusalError(50024)
    state = ThreadState(
        owner_id=owner.id,
        created=platform.clock.iso(),
        auto_archive_minutes=_duration(body),
        invitable=bool(body.get("invitable", True)),
        members={owner.id},
        tags=[int(tag) for tag in body.get("applied_tags") or []],
    )
    thread = Channel(
        id=thread_id or platform.ids.next(),
        kind=kind,
        guild=parent.guild,
        name=checked_name(body),
        parent=parent,
        thread=state,
    )
    platform.channels[thread.id] = thread
    if parent.guild is not None:
        parent.guild.channels[thread.id] = thread
    _announce_new(platform, thread, owner)
    return thread


def from_message(platform: Platform, message: Message, owner: User, body: Json) -> Channel:
    """A public thread under a message, with the message's id; raises 160004 for a second one."""
    if message.thread is not None or message.id in platform.channels:
        raise RefusalError(160004)
    parent = message.channel
    kind = ChannelKind.PUBLIC_THREAD
    if parent.kind is ChannelKind.ANNOUNCEMENT:
        kind = ChannelKind.ANNOUNCEMENT_THREAD
    thread = create(platform, parent, owner, body, kind=kind, thread_id=message.id)
    message.thread = thread
    message.flags |= HAS_THREAD
    messages.announce(platform, "MESSAGE_UPDATE", message)
    _system_message(platform, thread, owner, messages.THREAD_STARTER, refers_to=message)
    return thread


def without_message(platform: Platform, parent: Channel, owner: User, body: Json) -> Channel:
    """Private unless the request says otherwise, with a notice in the parent for a public one.

    https://docs.discord.com/developers/resources/channel#start-thread-without-message
    """
    kind = ChannelKind(int(body.get("type") or ChannelKind.PRIVATE_THREAD))
    if kind not in THREADS:
        raise invalid("type", "BASE_TYPE_CHOICES", "Value must be one of {10, 11, 12}.")
    thread = create(platform, parent, owner, body, kind=kind)
    if kind is not ChannelKind.PRIVATE_THREAD:
        _system_message(platform, parent, owner, messages.THREAD_CREATED, content=thread.name)
    return thread


def forum_post(platform: Platform, forum: Channel, body: Json, draft: Draft, sender: Sender) -> tuple[Channel, Message]:
    """A thread and its opener, which share one id."""
    thread = create(platform, forum, sender.author, body, kind=ChannelKind.PUBLIC_THREAD)
    opener = Message(
        id=thread.id,
        channel=thread,
        author=sender.author,
        content=draft.content,
        at=platform.clock.iso(),
        flags=draft.flags,
        embeds=draft.embeds,
        components=messages.numbered(draft.components),
        webhook_id=sender.webhook_id,
        application_id=sender.application_id,
        avatar_url=sender.avatar_url,
    )
    opener.attachments = [messages.attach(platform, thread, upload) for upload in draft.uploads]
    return thread, messages.commit(platform, opener)


def change(platform: Platform, thread: Channel, body: Json, actor: User) -> None:
    """Raises 50013 without the right to, 50083 for changing an archived thread without reopening it."""
    state = thread.thread
    assert state is not None
    moderator = Permission.MANAGE_THREADS in in_channel(thread, actor.id)
    own = state.owner_id == actor.id and not state.locked
    reopening = body.get("archived") is False and not state.locked
    if not moderator and ("locked" in body or not (own or (set(body) == {"archived"} and reopening))):
        raise RefusalError(50013)
    if state.archived and body.get("archived") is not False:
        raise RefusalError(50083)
    apply(platform, thread, body)


def apply(platform: Platform, thread: Channel, body: Json) -> None:
    """Changes the thread as a moderator may, and announces it."""
    state = thread.thread
    assert state is not None
    if "name" in body:
        thread.name = checked_name(body)
    if "archived" in body:
        state.archived = bool(body["archived"])
        state.archive_timestamp = platform.clock.iso()
    if "locked" in body:
        state.locked = bool(body["locked"])
    if "auto_archive_duration" in body:
        state.auto_archive_minutes = _duration(body)
    if "applied_tags" in body:
        state.tags = [int(tag) for tag in body["applied_tags"]]
    platform.emit(Event(name="THREAD_UPDATE", data=payloads.thread(thread), guild=thread.guild, channel=thread))


def remove(platform: Platform, thread: Channel) -> None:
    """Deletes the thread; the event carries ids alone."""
    assert thread.guild is not None
    assert thread.parent is not None
    data = {
        "id": str(thread.id),
        "guild_id": str(thread.guild.id),
        "parent_id": str(thread.parent.id),
        "type": int(thread.kind),
    }
    platform.channels.pop(thread.id, None)
    thread.guild.channels.pop(thread.id, None)
    platform.emit(Event(name="THREAD_DELETE", data=data, guild=thread.guild, channel=thread))


def require_open(thread: Channel, granted: Permission) -> None:
    """Raises 50083 for one that a message may not reopen, 160005 for a locked one."""
    state = thread.thread
    if state is None or not state.locked or Permission.MANAGE_THREADS in granted:
        return
    raise RefusalError(50083 if state.archived else 160005)


def require_active(channel: Channel) -> None:
    """Raises 50083 for what an archived thread does not take: edits, reactions, pins."""
    if channel.thread is not None and channel.thread.archived:
        raise RefusalError(50083)


def checked_name(body: Json) -> str:
    name = str(body.get("name") or "").strip()
    if not 1 <= len(name) <= 100:
        raise bad_length("name", 1, 100)
    return name


def _duration(body: Json) -> int:
    minutes = int(body.get("auto_archive_duration") or 1440)
    if minutes not in _DURATIONS:
        raise invalid("auto_archive_duration", "BASE_TYPE_CHOICES", "Value must be one of {60, 1440, 4320, 10080}.")
    return minutes


def _announce_new(platform: Platform, thread: Channel, owner: User) -> None:
    data = payloads.thread(thread) | {"newly_created": True}
    if owner.id == platform.app.bot.id:
        data["member"] = payloads.thread_member(thread, owner.id)
    platform.emit(Event(name="THREAD_CREATE", data=data, guild=thread.guild, channel=thread))


def _system_message(
    platform: Platform,
    channel: Channel,
    owner: User,
    kind: int,
    *,
    content: str = "",
    refers_to: Message | None = None,
) -> None:
    message = Message(
        id=platform.ids.next(),
        channel=channel,
        author=owner,
        content=content,
        at=platform.clock.iso(),
        kind=kind,
        refers_to=refers_to,
    )
    messages.commit(platform, message)
