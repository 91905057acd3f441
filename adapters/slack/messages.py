"""A message as Slack shows it in events and in answers, read into our own words."""

import html
import re
from dataclasses import dataclass
from typing import Any

from adapters.slack.translate import JSON

_BRACKETS = re.compile(r"<([^<>\n]*)>")
_SCHEME = re.compile(r"^(?:https?://|mailto:|tel:)", re.IGNORECASE)
SPOKEN = frozenset({"", "file_share", "thread_broadcast", "me_message"})
"""Subtypes of what somebody says; all others are Slack's own news."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file that hangs on a message. `id` alone is known of those from other organisations."""

    id: str
    name: str = ""
    title: str = ""
    media_type: str = ""
    size: int = 0
    address: str = ""
    external: bool = False
    complete: bool = True
    """False: files.info has the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message."""

    ts: str
    thread: str = ""
    """The root's ts; the message's own for a root that has replies."""
    user: str = ""
    bot: str = ""
    """The bot's id, where a bot wrote it."""
    team: str = ""
    """The author's workspace, where it was said."""
    subtype: str = ""
    name: str = ""
    """The custom name over it."""
    text: str = ""
    """As Slack sends it."""
    files: tuple[File, ...] = ()
    edited: str = ""
    """When it was edited last, a ts."""
    metadata: JSON | None = None

    @property
    def human(self) -> bool:
        return bool(self.user) and not self.bot and self.subtype in SPOKEN and self.user != "USLACKBOT"

    @property
    def reply(self) -> bool:
        return bool(self.thread) and self.thread != self.ts

    @property
    def at(self) -> float:
        """Seconds since 1970."""
        return float(self.ts)


def message_of(body: JSON) -> Message:
    """A message from an event, an answer, or inside an interaction; what is missing is empty."""
    return Message(
        ts=str(body.get("ts", "")),
        thread=str(body.get("thread_ts") or ""),
        user=str(body.get("user") or ""),
        bot=str(body.get("bot_id") or ""),
        team=str(body.get("user_team") or body.get("source_team") or body.get("team") or ""),
        subtype=str(body.get("subtype") or ""),
        name=str(body.get("username") or ""),
        text=str(body.get("text") or ""),
        files=tuple(file_of(file) for file in body.get("files") or () if isinstance(file, dict)),
        edited=str((body.get("edited") or {}).get("ts") or ""),
        metadata=body.get("metadata") if isinstance(body.get("metadata"), dict) else None,
    )


def file_of(body: JSON) -> File:
    """https://docs.slack.dev/reference/objects/file-object"""
    return File(
        id=str(body.get("id", "")),
        name=str(body.get("name") or body.get("title") or ""),
        title=str(body.get("title") or ""),
        media_type=str(body.get("mimetype") or ""),
        size=_number(body.get("size")),
        address=str(body.get("url_private_download") or body.get("url_private") or ""),
        external=bool(body.get("is_external")),
        complete=body.get("file_access") != "check_file_info",
    )


def typed(text: str, people: dict[str, str] | None = None) -> str:
    """What a human typed, from what Slack made of it: tokens become words, entities become signs.

    Slack turns `design.md` into a link and `app@HEAD` into a mail address; their labels are what was typed. `people`:
    user id → name.
    """
    shown = _BRACKETS.sub(lambda found: _token(found[1], people or {}), text)
    return html_free(shown)


def mentioned(text: str) -> tuple[str, ...]:
    """The ids of the users that the text mentions."""
    return tuple(re.findall(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>", text))


def html_free(text: str) -> str:
    """https://docs.slack.dev/messaging/formatting-message-text: three entities, `&` last."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _token(inner: str, people: dict[str, str]) -> str:
    target, bar, label = inner.partition("|")
    match target[:1]:
        case "@":
            return f"@{people.get(target[1:]) or label or target[1:]}"
        case "#":
            return f"#{label or target[1:]}"
        case "!":
            word = target[1:].partition("^")[0]
            return label.removeprefix("@") if word == "date" else f"@{label.removeprefix('@') or word}"
    if not bar:
        return target.removeprefix("mailto:")
    same = html.unescape(_SCHEME.sub("", target)).rstrip("/") == html.unescape(_SCHEME.sub("", label)).rstrip("/")
    return label if same else f"{label} ({target})"


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return 0
