"""The form that starts a panel: what it shows, and what somebody filled in."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from adapters.slack import form_fields as fields
from adapters.slack.messages import File, file_of
from adapters.slack.translate import JSON
from bot.core.errors import UsageError
from bot.core.options import COMMANDS, FormatName, options_of, value_of
from bot.core.starting.catalog import Catalog
from bot.core.starting.command import PanelCommand

NEW_PANEL = "panelist:new"
"""The form's callback id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the form was opened; it travels with it."""

    channel: str = ""
    thread: str = ""
    url: str = ""
    message: str = ""
    """The ts of the message that is to be reviewed."""
    key: str = ""
    """Of what was asked for in words before, where the form is to complete it."""

    def packed(self) -> str:
        return json.dumps([self.channel, self.thread, self.url, self.message, self.key])


def unpacked(text: str) -> Origin:
    """The origin that a form carried; an empty one where it can not be read."""
    try:
        channel, thread, url, message, key = json.loads(text)
    except (ValueError, TypeError):
        return Origin()
    return Origin(channel=str(channel), thread=str(thread), url=str(url), message=str(message), key=str(key))


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefill:
    """What stands in the form when it opens."""

    format: FormatName = "discussion"
    topic: str = ""
    texts: tuple[str, ...] = ()
    options: JSON = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What somebody filled in."""

    command: PanelCommand
    channel: str
    files: tuple[File, ...]
    texts: tuple[str, ...]
    preset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """What is wrong in the form, by block id."""

    faults: dict[str, str]


def view(origin: Origin, prefill: Prefill, catalog: Catalog, *, files: bool) -> JSON:
    """The form. `files`: the app may read files."""
    where = [] if origin.thread or origin.message else [fields.where_block(origin.channel)]
    texts = () if origin.message else prefill.texts
    return {
        "type": "modal",
        "callback_id": NEW_PANEL,
        "private_metadata": origin.packed(),
        "title": {"type": "plain_text", "text": "New panel"},
        "submit": {"type": "plain_text", "text": "Start"},
        "close": {"type": "plain_text", "text": "Cancel"},
        "blocks": [
            fields.format_block(prefill.format),
            fields.topic_block(prefill.format, prefill.topic),
            *where,
            *fields.option_blocks(prefill.format, catalog, prefill.options),
            *fields.document_blocks(texts, files=files),
            fields.preset_block(),
        ],
    }


def shown_format(body: JSON) -> FormatName:
    """The format that is chosen in the form now."""
    chosen = fields.state_of(body, fields.FORMAT).get("selected_option") or {}
    return next((name for name in COMMANDS.values() if name == chosen.get("value")), "discussion")


def filled(body: JSON, origin: Origin) -> Filled | Wrong:
    """What was filled in, or the fields that are wrong."""
    format_name = shown_format(body)
    topic = str(fields.state_of(body, fields.TOPIC).get("value") or "").strip()
    options, faults = _options(body, format_name)
    channel = str(fields.state_of(body, fields.WHERE).get("selected_conversation") or origin.channel)
    if not channel:
        faults[fields.WHERE] = "Choose the channel where the panel is to run."
    if faults:
        return Wrong(faults=faults)
    texts = [str(fields.state_of(body, name).get("value") or "") for name in _documents(body)]
    files = fields.state_of(body, fields.FILES).get("files") or ()
    return Filled(
        command=PanelCommand(format=format_name, words=topic or None, options=options),
        channel=channel,
        files=tuple(file_of(file) for file in files if isinstance(file, dict)),
        texts=_joined(texts),
        preset=str(fields.state_of(body, fields.PRESET).get("value") or "").strip(),
    )


def place_of_fault(error: Exception, body: JSON) -> str:
    """The block that an error is about: the first option that it names, or the topic."""
    blocks = {str(block.get("block_id")) for block in body.get("blocks") or ()}
    named = (f"{fields.OPTION}{found}" for found in re.findall(r"--([a-z][a-z-]*)", str(error)))
    return next((block for block in named if block in blocks), fields.TOPIC)


def _options(body: JSON, format_name: FormatName) -> tuple[dict[str, Any], dict[str, str]]:
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for option in options_of(format_name):
        state = fields.state_of(body, f"{fields.OPTION}{option.name}")
        words = _words(state)
        if not words:
            continue
        try:
            values[option.name] = value_of(option, words)
        except UsageError as fault:
            faults[f"{fields.OPTION}{option.name}"] = str(fault)
    return values, faults


def _words(state: JSON) -> str:
    """A field's value in the words of the command."""
    if selected := state.get("selected_option"):
        return str(selected.get("value") or "")
    if several := state.get("selected_options"):
        return ",".join(str(each.get("value")) for each in several)
    return str(state.get("value") or "").strip()


def _documents(body: JSON) -> list[str]:
    values = (body.get("state") or {}).get("values") or {}
    return sorted(name for name in values if name.startswith(f"{fields.DOCUMENT}:"))


def _joined(texts: list[str]) -> tuple[str, ...]:
    """A full field goes on in the next one: together they are one document."""
    documents: list[str] = []
    goes_on = False
    for text in texts:
        if goes_on and text:
            documents[-1] += text
        elif text.strip():
            documents.append(text)
        goes_on = len(text) >= fields.MOST_CHARS
    return tuple(documents)
