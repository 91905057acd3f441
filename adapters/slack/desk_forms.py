"""The desk's forms as modals: a field of many lines is several fields, because one holds 3,000 characters."""

import json

from adapters.slack import form_fields as fields
from adapters.slack.channels import reads_of
from adapters.slack.form import Origin, unpacked
from adapters.slack.services import Services
from adapters.slack.telling import Asker, Teller, sentence
from adapters.slack.translate import JSON
from bot.core.desk.answer import DeskForm, FormField
from bot.core.desk.form import submitted
from bot.core.errors import PanelistError, PlatformError

DESK = "panelist:desk"
"""The forms' callback id."""
PIECE = 2800
MOST_PIECES = 40


class DeskForms:
    """Shows the desk's forms and takes in what was filled in."""

    def __init__(self, services: Services, teller: Teller) -> None:
        self._services, self._teller = services, teller

    async def open(self, asker: Asker, form: DeskForm) -> bool:
        """Open it; false where there is no right to, or it is used up."""
        if not asker.trigger:
            return False
        origin = Origin(channel=asker.place.channel, thread=asker.place.thread, url=asker.url)
        try:
            await self._services.platform.web.call(
                asker.account, "views.open", trigger_id=asker.trigger, view=modal(form, origin)
            )
        except PlatformError:
            return False
        return True

    async def submit(self, asker: Asker, body: JSON) -> dict[str, str]:
        """Do what was filled in; returns what is wrong, by block id."""
        key, values = read(body)
        reads = reads_of(self._services.platform.channels, asker.account, asker.person)
        try:
            answer = await self._services.desk.ask(asker.place, asker.person, submitted(key, values), reads=reads)
        except PanelistError as fault:
            return {_last(body): sentence(fault)[:2000]}
        self._services.platform.rules.changed(asker.account.key)
        self._services.platform.errands.run(self._teller.desk(asker, answer), "desk")
        return {}


def modal(form: DeskForm, origin: Origin) -> JSON:
    """The form as a modal."""
    blocks = [block for field in form.fields for block in _blocks(field)]
    return {
        "type": "modal",
        "callback_id": DESK,
        "private_metadata": json.dumps([form.key, origin.packed()]),
        "title": {"type": "plain_text", "text": form.title[:24]},
        "submit": {"type": "plain_text", "text": "Save"},
        "close": {"type": "plain_text", "text": "Cancel"},
        "blocks": blocks[:100],
    }


def origin_of(body: JSON) -> Origin:
    """Where the form was opened."""
    return unpacked(_metadata(body)[1])


def read(body: JSON) -> tuple[str, dict[str, str]]:
    """The form's key, and its values by field."""
    values: dict[str, str] = {}
    for block in body.get("blocks") or ():
        name = str(block.get("block_id") or "")
        key, _, number = name.partition("#")
        text = str(fields.state_of(body, name).get("value") or "")
        values[key] = f"{values[key]}{text}" if number not in ("", "1") and key in values else text
    return _metadata(body)[0], values


def pieces(text: str) -> list[str]:
    """The text in pieces that fit a field each, cut behind line ends where that is possible."""
    found = []
    while len(text) > PIECE:
        end = text.rfind("\n", 0, PIECE) + 1 or PIECE
        found.append(text[:end])
        text = text[end:]
    return [*found, text]


def _blocks(field: FormField) -> list[JSON]:
    if field.kind == "line":
        element = fields.typed(field.key, field.value, multiline=False)
        made = fields.field if field.optional else _required
        return [made(field.key, field.label, element, field.help)]
    parts = [*pieces(field.value), ""][:MOST_PIECES]
    blocks = []
    for number, part in enumerate(parts, 1):
        name = f"{field.key}#{number}"
        label = field.label if number == 1 else f"{field.label} ({number})"
        element = fields.typed(name, part, multiline=True)
        made = _required if number == 1 and not field.optional else fields.field
        blocks.append(made(name, label, element, field.help if number == 1 else ""))
    return blocks


def _required(name: str, label: str, element: JSON, hint: str = "") -> JSON:
    return {**fields.field(name, label, element, hint), "optional": False}


def _metadata(body: JSON) -> tuple[str, str]:
    try:
        key, origin = json.loads(str(body.get("private_metadata") or ""))
    except (ValueError, TypeError):
        return "", ""
    return str(key), str(origin)


def _last(body: JSON) -> str:
    """Where an error stands that is about no one field."""
    return str((body.get("blocks") or [{}])[-1].get("block_id") or "")
