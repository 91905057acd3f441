"""The bodies of events, commands and interactions, and of messages inside them."""

import html
import re
import time

from tests.servers.slack.settings import Settings
from tests.servers.slack.workspace import Workspace, fresh_id
from tests.servers.slack.world import JSON, Channel, Message, User

CHANNEL_TYPES = {"public": "channel", "private": "group", "im": "im"}


def message_body(ws: Workspace, channel: Channel, message: Message, base_url: str, *, metadata: bool = True) -> JSON:
    """A message as answers and events show it; `metadata` False leaves only its event_type.

    A customised post has no `user`: https://docs.slack.dev/reference/events/message/bot_message
    """
    body: JSON = {"type": "message", "ts": message.ts, "text": message.text, "team": ws.id}
    for key in ("user", "bot_id", "subtype", "username", "icons", "app_id", "thread_ts", "client_msg_id"):
        if (value := getattr(message, key)) is not None:
            body[key] = value
    for key in ("blocks", "attachments"):
        if getattr(message, key):
            body[key] = getattr(message, key)
    if message.bot_id and not message.username:
        body["bot_profile"] = {
            "id": message.bot_id,
            "app_id": message.app_id,
            "team_id": ws.id,
            "name": "Panel",
        }
    if message.files:
        body["files"] = [
            {"id": file.id, "mode": "file_access", "file_access": "check_file_info"}
            if file.check_info
            else file.public(base_url, ws.id)
            for file in message.files
        ]
    if message.metadata is not None:
        body["metadata"] = message.metadata if metadata else {"event_type": message.metadata["event_type"]}
    if message.edited_by:
        body["edited"] = {"user": message.edited_by, "ts": message.ts}
    author = ws.users.get(message.user or "")
    if author is not None and author.team_id != ws.id:
        body |= {"team": author.team_id, "user_team": author.team_id, "source_team": author.team_id}
    return body | _standing(ws, channel, message)


def _standing(ws: Workspace, channel: Channel, message: Message) -> JSON:
    """What the thread, the readers and the channel added to a message."""
    body: JSON = {}
    replies = [channel.messages[ts] for ts in message.reply_tss if ts in channel.messages]
    if replies:
        body |= {
            "thread_ts": message.ts,
            "reply_count": len(replies),
            "reply_users": sorted({r.user or r.bot_id or "" for r in replies}),
            "latest_reply": max(r.ts for r in replies),
        }
    elif message.thread_ts and message.thread_ts != message.ts:
        root = channel.messages.get(message.thread_ts)
        if root is not None and root.user:
            body["parent_user_id"] = root.user
    if message.reactions:
        body["reactions"] = [
            {"name": name, "users": users, "count": len(users)} for name, users in message.reactions.items()
        ]
    if message.ts in channel.pins:
        body["pinned_to"] = [channel.id]
    if message.broadcast:
        body["root"] = {"ts": message.thread_ts}
    return body


def message_event(ws: Workspace, channel: Channel, message: Message, base_url: str) -> JSON:
    """The `message` event of a new message."""
    return message_body(ws, channel, message, base_url) | {
        "channel": channel.id,
        "channel_type": CHANNEL_TYPES[channel.kind],
        "event_ts": message.ts,
    }


def changed_event(
    ws: Workspace, channel: Channel, message: Message, previous: JSON, subtype: str, base_url: str
) -> JSON:
    """`message_changed` or `message_deleted`: no user and no bot_id at the top, whoever did it."""
    event: JSON = {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": channel.id,
        "channel_type": CHANNEL_TYPES[channel.kind],
        "ts": ws.next_ts(),
        "event_ts": ws.next_ts(),
        "previous_message": previous,
    }
    if subtype == "message_deleted":
        return event | {"deleted_ts": message.ts}
    return event | {"message": message_body(ws, channel, message, base_url)}


def event_body(ws: Workspace, settings: Settings, event: JSON, *, shared: bool = False) -> JSON:
    """The envelope of the Events API around an event."""
    event_id = fresh_id("Ev")
    return {
        "token": settings.verification_token,
        "team_id": ws.id,
        "enterprise_id": ws.enterprise,
        "api_app_id": settings.app_id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(time.time()),
        "authorizations": [
            {
                "enterprise_id": ws.enterprise,
                "team_id": ws.id,
                "user_id": ws.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": shared,
        "event_context": f"4-{event_id}",
    }


def interaction_body(ws: Workspace, settings: Settings, user: User, kind: str, trigger: str) -> JSON:
    """What every interaction has."""
    return {
        "type": kind,
        "token": settings.verification_token,
        "api_app_id": settings.app_id,
        "team": {"id": ws.id, "domain": ws.domain},
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id},
        "enterprise": {"id": ws.enterprise, "name": "Enterprise"} if ws.enterprise else None,
        "is_enterprise_install": False,
        "trigger_id": trigger,
    }


def command_body(
    ws: Workspace,
    settings: Settings,
    user: User,
    channel: Channel,
    command: str,
    text: str,
    trigger: str,
    url: str,
) -> JSON:
    """A slash command's form fields; a private channel's name is hidden, as Slack hides it."""
    shown_name = {"public": channel.name, "private": "privategroup", "im": "directmessage"}[channel.kind]
    body = {
        "token": settings.verification_token,
        "team_id": ws.id,
        "team_domain": ws.domain,
        "channel_id": channel.id,
        "channel_name": shown_name,
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": settings.app_id,
        "is_enterprise_install": "false",
        "response_url": url,
        "trigger_id": trigger,
    }
    if ws.enterprise:
        body |= {"enterprise_id": ws.enterprise, "enterprise_name": "Enterprise"}
    return body


def human_blocks(text: str) -> list[JSON]:
    """The rich_text block that Slack's composer adds to what a human writes."""
    parts = re.split(r"<@([UW][A-Z0-9]+)>", text)
    elements = [
        {"type": "user", "user_id": part} if index % 2 else {"type": "text", "text": html.unescape(part)}
        for index, part in enumerate(parts)
        if part
    ]
    section = {"type": "rich_text_section", "elements": elements}
    return [{"type": "rich_text", "block_id": fresh_id("b"), "elements": [section]}]
