"""files.*: the two-step upload and files.info. https://docs.slack.dev/messaging/working-with-files"""

import secrets
from pathlib import PurePath

from tests.servers.slack.api_chat import publish_post, wear
from tests.servers.slack.errors import SlackError, invalid_arguments
from tests.servers.slack.request import Request
from tests.servers.slack.text import effects, stored
from tests.servers.slack.workspace import fresh_id
from tests.servers.slack.world import JSON, Channel, Message, UploadedFile

MOST_BYTES = 1024**3
_BINARY = "application/octet-stream"
_OFFICE = "application/vnd.openxmlformats-officedocument."
_TYPES = {
    **{suffix: (kind, "text/plain") for suffix, kind in {"txt": "text", "md": "markdown", "rst": "text"}.items()},
    **{suffix: (suffix, "text/plain") for suffix in ("py", "js", "diff", "patch", "yaml", "csv", "log")},
    "json": ("json", "application/json"),
    "html": ("html", "text/html"),
    "pdf": ("pdf", "application/pdf"),
    "png": ("png", "image/png"),
    "docx": ("docx", f"{_OFFICE}wordprocessingml.document"),
    "pptx": ("pptx", f"{_OFFICE}presentationml.presentation"),
}
"""Slack's filetype and mimetype by a name's ending; texts of all kinds are text/plain to Slack."""


def new_file(owner: str, name: str, content: bytes) -> UploadedFile:
    """A file by name and bytes; its types follow from the name."""
    suffix = PurePath(name).suffix.lstrip(".").lower()
    filetype, mimetype = _TYPES.get(suffix, (suffix or "text", "text/plain" if not suffix else _BINARY))
    return UploadedFile(
        id=fresh_id("F"),
        name=name,
        title=name,
        owner=owner,
        content=content,
        mimetype=mimetype,
        filetype=filetype,
        size=len(content),
    )


def upload_url(call: Request) -> JSON:
    """files.getUploadURLExternal: an address for exactly `length` bytes."""
    length = call.arguments["length"]
    if not 0 < length <= MOST_BYTES:
        raise invalid_arguments("length: must be the size in bytes, above 0")
    file = new_file(call.installation.bot_user, call.text("filename"), b"")
    file.size, file.uploaded, file.completed = length, False, False
    call.ws.files[file.id] = file
    ticket = f"{call.ws.id}-{file.id}-{secrets.token_hex(6)}"
    return {"ok": True, "file_id": file.id, "upload_url": f"{call.platform.base_url}/upload/v1/{ticket}"}


def complete_upload(call: Request) -> JSON:
    """files.completeUploadExternal: shares what was uploaded; the answer knows little of the files."""
    wanted = call.arguments["files"]
    if not isinstance(wanted, list) or not wanted:
        raise invalid_arguments("files: must be a list of objects with an id")
    files = [_uploaded(call, item) for item in wanted]
    place = call.text("channel_id") or call.text("channels").split(",")[0]
    if call.arguments.get("channel_id") and call.arguments.get("channels"):
        raise invalid_arguments("only one of channel_id and channels is allowed")
    channel = _share_target(call, place) if place else None
    for file, item in zip(files, wanted, strict=True):
        file.title, file.completed = item.get("title", file.name), True
    if channel is not None:
        _share(call, channel, files)
    call.platform.journal.write("files", names=[file.name for file in files], channel=place)
    return {"ok": True, "files": [{"id": file.id, "title": file.title} for file in files]}


def info(call: Request) -> JSON:
    """files.info: for files of channels that the bot is in, and its own."""
    file = call.ws.files.get(call.text("file"))
    if file is None or not file.completed:
        raise SlackError("file_not_found")
    if not visible(call.ws.channels, file, call.installation.bot_user):
        raise SlackError("not_visible")
    return {"ok": True, "file": file.public(call.platform.base_url, call.ws.id), "comments": []}


def visible(channels: dict[str, Channel], file: UploadedFile, user: str) -> bool:
    """True when that user may see the file: it is theirs, shared to a channel they are in, or put into the app's form.

    https://docs.slack.dev/reference/block-kit/block-elements/file-input-element: the app reads what was put in there.
    """
    if "modal" in file.shares:
        return True
    return file.owner == user or any(user in channels[key].members for key in file.shares if key in channels)


def _uploaded(call: Request, item: object) -> UploadedFile:
    if not isinstance(item, dict) or not item.keys() <= {"id", "title", "highlight_type"}:
        raise invalid_arguments("files: each item has id and title")
    file = call.ws.files.get(str(item.get("id")))
    if file is None or not file.uploaded or file.completed:
        raise SlackError("file_not_found")
    return file


def _share_target(call: Request, place: str) -> Channel:
    channel = call.channel(place, member=True)
    if channel.archived:
        raise SlackError("posting_to_channel_denied")
    return channel


def _share(call: Request, channel: Channel, files: list[UploadedFile]) -> None:
    """One message with all files, in the thread if one was named."""
    thread_ts = call.arguments.get("thread_ts")
    root = channel.messages.get(thread_ts or "")
    message = Message(
        ts=call.ws.next_ts(),
        channel=channel.id,
        text=stored(call.text("initial_comment")),
        files=files,
        thread_ts=thread_ts if root is not None else None,
    )
    wear(call, message)
    message.subtype = "file_share"
    message.effects = effects(message.text, [], [], calls_bare_names=False, unfurl_links=None, unfurl_media=None)
    for file in files:
        file.shares.append(channel.id)
    publish_post(call, channel, message)
