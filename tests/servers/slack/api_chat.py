"""chat.*: https://docs.slack.dev/reference/methods?family=chat"""

import json
import re
from typing import Any

from tests.servers.slack.blocks import block_faults, too_long, with_ids
from tests.servers.slack.emoji import icon
from tests.servers.slack.errors import SlackError, missing_scope
from tests.servers.slack.payloads import changed_event, message_body, message_event
from tests.servers.slack.platform import Whisper
from tests.servers.slack.request import Request
from tests.servers.slack.text import effects, stored
from tests.servers.slack.workspace import fresh_id
from tests.servers.slack.world import JSON, Channel, Message

_EVENT_TYPE = re.compile(r"[A-Za-z0-9_.]{1,255}")
_FACE = ("username", "icon_emoji", "icon_url")


def post_message(call: Request) -> JSON:
    """chat.postMessage: text over 40,000 characters is cut; a deleted root loses the reply to the channel."""
    channel = _postable(call)
    text, blocks, attachments = content(call, cut=True)
    thread_ts = _thread(call, channel)
    message = Message(
        ts=call.ws.next_ts(),
        channel=channel.id,
        text=text,
        blocks=blocks,
        attachments=attachments,
        metadata=_metadata(call),
        thread_ts=thread_ts,
        broadcast=bool(call.arguments.get("reply_broadcast") and thread_ts),
    )
    wear(call, message)
    message.effects = effects(
        text,
        blocks,
        attachments,
        calls_bare_names=_calls_bare_names(call, "none"),
        unfurl_links=call.arguments.get("unfurl_links"),
        unfurl_media=call.arguments.get("unfurl_media"),
    )
    publish_post(call, channel, message)
    body = message_body(call.ws, channel, message, call.platform.base_url)
    return {"ok": True, "channel": channel.id, "ts": message.ts, "message": body}


def publish_post(call: Request, channel: Channel, message: Message) -> None:
    """Store a post of the app, write it into the journal, tell the app about it."""
    call.ws.put(channel, message)
    call.platform.journal.write(
        "post",
        channel=channel.id,
        ts=message.ts,
        thread_ts=message.thread_ts,
        username=message.username,
        text=message.text,
        metadata=message.metadata,
        files=[file.name for file in message.files],
    )
    call.platform.publish(call.ws, message_event(call.ws, channel, message, call.platform.base_url), channel)
    if message.broadcast and message.username:
        # The channel's copy has the app's own name: https://github.com/slackapi/bolt-js/issues/2445
        call.platform.complaints.append(f"{message.ts}: a broadcast reply shows no custom name in the channel")


def update(call: Request) -> JSON:
    """chat.update: 4,000 characters, own posts alone, the custom identity and unsent blocks go."""
    channel = call.channel(member=True)
    if channel.archived:
        raise SlackError("is_inactive")
    message = call.message(channel, call.text("ts"))
    if not call.own(message):
        raise SlackError("cant_update_message")
    text, blocks, attachments = content(call, cut=False)
    if len(text) > call.platform.settings.update_chars:
        raise SlackError("msg_too_long")
    previous = message_body(call.ws, channel, message, call.platform.base_url)
    known = message.effects.links
    message.edits.append(message.text)
    message.text, message.blocks, message.attachments = text, blocks, attachments
    if "metadata" in call.arguments:
        message.metadata = _metadata(call)
    message.username, message.icons, message.edited_by = None, None, call.installation.bot_user
    message.effects = effects(
        text,
        blocks,
        attachments,
        calls_bare_names=_calls_bare_names(call, "client"),
        unfurl_links=None,
        unfurl_media=None,
        known=known,
    )
    call.platform.journal.write("update", channel=channel.id, ts=message.ts, text=text)
    event = changed_event(call.ws, channel, message, previous, "message_changed", call.platform.base_url)
    call.platform.publish(call.ws, event, channel)
    body = message_body(call.ws, channel, message, call.platform.base_url)
    return {"ok": True, "channel": channel.id, "ts": message.ts, "text": text, "message": body}


def delete(call: Request) -> JSON:
    """chat.delete: own posts alone."""
    channel = call.channel(member=True)
    message = call.message(channel, call.text("ts"))
    if not call.own(message):
        raise SlackError("cant_delete_message")
    previous = message_body(call.ws, channel, message, call.platform.base_url)
    gone = call.ws.erase(channel, message)
    call.platform.journal.write("delete", channel=channel.id, ts=message.ts)
    subtype = "message_deleted" if gone else "message_changed"
    event = changed_event(call.ws, channel, message, previous, subtype, call.platform.base_url)
    call.platform.publish(call.ws, event, channel)
    return {"ok": True, "channel": channel.id, "ts": message.ts}


def post_ephemeral(call: Request) -> JSON:
    """chat.postEphemeral: for one member of the channel; it can not be edited or found again."""
    channel = _postable(call)
    text, blocks, _ = content(call, cut=False)
    if len(text) > call.platform.settings.post_chars:
        raise SlackError("msg_too_long")
    if call.text("user") not in channel.members:
        raise SlackError("user_not_in_channel")
    ts = call.ws.next_ts()
    call.platform.whispers.append(
        Whisper(
            channel=channel.id,
            user=call.text("user"),
            text=text,
            thread_ts=_thread(call, channel),
            blocks=blocks,
            ts=ts,
            via="chat.postEphemeral",
        )
    )
    call.platform.journal.write("whisper", channel=channel.id, user=call.text("user"), text=text)
    return {"ok": True, "message_ts": ts}


def permalink(call: Request) -> JSON:
    """chat.getPermalink."""
    channel = call.channel()
    message = call.message(channel, call.text("message_ts"))
    return {"ok": True, "channel": channel.id, "permalink": call.ws.permalink(channel, message)}


def wear(call: Request, message: Message) -> None:
    """Put the app's name on a post, or the custom one if it may: that post has no `user`."""
    message.bot_id, message.app_id = call.installation.bot_id, call.platform.settings.app_id
    wanted = {key: call.text(key) for key in _FACE if call.arguments.get(key)}
    if wanted and "chat:write.customize" not in call.installation.scopes:
        if call.platform.settings.unlicensed_face == "refused":
            raise missing_scope("chat:write.customize", call.installation.scopes)
        wanted = {}
    if not wanted:
        message.user = call.installation.bot_user
        return
    message.username = wanted.get("username", call.platform.manifest.bot_name)
    message.subtype = "bot_message"
    if "icon_emoji" in wanted and not icon(wanted["icon_emoji"]):
        call.platform.complaints.append(f"{wanted['icon_emoji']!r} is no emoji's :name:; the app's own icon is shown")
    elif "icon_emoji" in wanted:
        message.icons = {"emoji": wanted["icon_emoji"]}
    elif "icon_url" in wanted:
        message.icons = {"image_48": wanted["icon_url"]}


def content(call: Request, *, cut: bool) -> tuple[str, list[JSON], list[JSON]]:
    """A post's text, blocks and attachments as Slack stores them; raises for what it refuses."""
    given = call.arguments
    if "markdown_text" in given:
        if given.get("text") or given.get("blocks"):
            raise SlackError("markdown_text_conflict")
        if len(call.text("markdown_text")) > 12_000:
            raise SlackError("msg_too_long")
        given = {**given, "text": given["markdown_text"]}
    blocks = _blocks(given.get("blocks"))
    attachments = given.get("attachments") or []
    if not isinstance(attachments, list):
        raise SlackError("invalid_attachments")
    if len(attachments) > 100:
        raise SlackError("too_many_attachments")
    text = str(given.get("text", ""))
    if not text.strip() and not blocks and not attachments:
        raise SlackError("no_text")
    if cut:
        text = text[: call.platform.settings.post_chars]
    return stored(text), blocks, attachments


def _blocks(blocks: Any) -> list[JSON]:
    if blocks is None:
        return []
    if not isinstance(blocks, list):
        raise SlackError("invalid_blocks_format")
    faults = block_faults(blocks, "message")
    if faults:
        messages = [f"[ERROR] {fault}" for fault in faults]
        raise SlackError("invalid_blocks", errors=faults, response_metadata={"messages": messages})
    if too_long(blocks):
        raise SlackError("msg_blocks_too_long")
    return with_ids(blocks, lambda: fresh_id("b"))


def _metadata(call: Request) -> JSON | None:
    metadata = call.arguments.get("metadata")
    if not metadata:
        return None
    known = isinstance(metadata, dict) and metadata.keys() == {"event_type", "event_payload"}
    if not known or not isinstance(metadata["event_payload"], dict):
        raise SlackError("invalid_metadata_format")
    if not isinstance(metadata["event_type"], str) or not _EVENT_TYPE.fullmatch(metadata["event_type"]):
        raise SlackError("invalid_metadata_format")
    if len(json.dumps(metadata).encode()) > call.platform.settings.metadata_bytes:
        raise SlackError("metadata_too_large")
    return dict(metadata)


def _postable(call: Request) -> Channel:
    """A channel to post in: the bot is inside, or has chat:write.public for a public one."""
    public = "chat:write.public" in call.installation.scopes
    key = _direct(call) if call.text("channel") in call.ws.users else None
    channel = call.channel(key, member=not public)
    if channel.archived:
        raise SlackError("is_archived")
    return channel


def _direct(call: Request) -> str:
    """The direct message with the user whose id stands for the channel; the Messages tab must be on."""
    if not call.platform.manifest.messages_tab:
        raise SlackError("messages_tab_disabled")
    return call.ws.direct(call.ws.users[call.text("channel")]).id


def _thread(call: Request, channel: Channel) -> str | None:
    """The root's ts; a reply's ts is refused, and a root that is gone makes the post a top-level one."""
    ts = call.arguments.get("thread_ts")
    if ts is None:
        return None
    root = channel.messages.get(ts)
    if root is None:
        if call.platform.settings.deleted_root == "refused":
            raise SlackError("thread_not_found")
        return None
    if root.thread_ts not in {None, root.ts} or root.subtype in {"channel_join", "channel_leave"}:
        raise SlackError("cannot_reply_to_message")
    return str(ts)


def _calls_bare_names(call: Request, default: str) -> bool:
    """True when a bare @channel in the text is alive: link_names, or a parse mode other than none."""
    return bool(call.arguments.get("link_names")) or call.text("parse", default) != "none"
