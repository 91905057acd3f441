"""reactions.* and pins.*: https://docs.slack.dev/reference/methods?family=pins"""

import time

from tests.servers.slack.emoji import exists
from tests.servers.slack.errors import SlackError
from tests.servers.slack.payloads import message_body
from tests.servers.slack.request import Request
from tests.servers.slack.world import JSON, Channel, Message

MOST_REACTIONS = 23
"""Distinct emoji that one person puts on one message."""


def add_reaction(call: Request) -> JSON:
    """reactions.add: the name of an emoji, without colons."""
    channel, message = _target(call, call.text("timestamp"))
    name, me = call.text("name"), call.installation.bot_user
    if not exists(name):
        raise SlackError("invalid_name")
    if me in message.reactions.get(name, []):
        raise SlackError("already_reacted")
    if sum(me in users for users in message.reactions.values()) >= MOST_REACTIONS:
        raise SlackError("too_many_reactions")
    message.reactions.setdefault(name, []).append(me)
    call.platform.journal.write("reaction", channel=channel.id, ts=message.ts, name=name)
    return {"ok": True}


def remove_reaction(call: Request) -> JSON:
    """reactions.remove: one's own."""
    _, message = _target(call, call.text("timestamp"))
    users = message.reactions.get(call.text("name"), [])
    if call.installation.bot_user not in users:
        raise SlackError("no_reaction")
    users.remove(call.installation.bot_user)
    if not users:
        del message.reactions[call.text("name")]
    return {"ok": True}


def add_pin(call: Request) -> JSON:
    """pins.add: a conversation holds a limited number."""
    channel, message = _target(call, call.text("timestamp"))
    if message.ts in channel.pins:
        raise SlackError("already_pinned")
    if message.subtype in {"channel_join", "channel_leave"}:
        raise SlackError("not_pinnable")
    if len(channel.pins) >= call.platform.settings.pins:
        raise SlackError("too_many_pins")
    channel.pins.append(message.ts)
    call.platform.journal.write("pin", channel=channel.id, ts=message.ts)
    return {"ok": True}


def list_pins(call: Request) -> JSON:
    """pins.list, newest first."""
    channel = call.channel(member=True)
    items = []
    for ts in reversed(channel.pins):
        message = channel.messages[ts]
        body = message_body(call.ws, channel, message, call.platform.base_url)
        body["permalink"] = call.ws.permalink(channel, message)
        items.append({"type": "message", "channel": channel.id, "created": int(time.time()), "message": body})
    return {"ok": True, "items": items}


def remove_pin(call: Request) -> JSON:
    """pins.remove."""
    channel, message = _target(call, call.text("timestamp"))
    if message.ts not in channel.pins:
        raise SlackError("no_pin")
    channel.pins.remove(message.ts)
    call.platform.journal.write("unpin", channel=channel.id, ts=message.ts)
    return {"ok": True}


def _target(call: Request, ts: str) -> tuple[Channel, Message]:
    if not ts:
        raise SlackError("no_item_specified")
    channel = call.channel(member=True)
    if channel.archived:
        raise SlackError("is_archived")
    return channel, call.message(channel, ts)
