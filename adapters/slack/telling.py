"""Words for one person: by the address that came with their command, or as an ephemeral message in the thread."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapters.slack.cards import PRESS
from adapters.slack.markdown import measured, spoken
from adapters.slack.platform import Slack
from adapters.slack.posting import MOST, fallback
from adapters.slack.starting import Open, Paused
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.desk.answer import DeskAnswer
from bot.core.desk.listing import day_and_time
from bot.core.engine.splitting import split
from bot.core.errors import PanelistError, PlatformError, StoreError
from bot.core.place import Person, Place
from bot.core.steering.told import dollars

log = logging.getLogger("panelist.slack.telling")

MOST_PARTS = 4
"""An address that came with a command takes five answers."""
FORM = f"{PRESS}form:"
"""In front of what opens a form, in a button's action id."""
FRESH, RESUME, CHOOSE = f"{PRESS}fresh", f"{PRESS}resume", f"{PRESS}choose"
OOPS = "That did not work, and the fault is ours; it is in the log. Try again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Somebody who asked for something, and how they are answered."""

    account: Account
    place: Place
    person: Person
    url: str = ""
    """Where answers can be sent for half an hour; empty for none."""
    trigger: str = ""
    """Opens one form, within three seconds."""


class Teller:
    """Answers people."""

    def __init__(self, platform: Slack) -> None:
        self._platform = platform

    async def tell(self, asker: Asker, text: str, blocks: tuple[JSON, ...] = ()) -> None:
        """Show it to the asker alone; best effort. `text` is Markdown, `blocks` stand below it."""
        parts = split(text, MOST, measured)[:MOST_PARTS] or (" ",)
        for number, part in enumerate(parts, 1):
            below = blocks if number == len(parts) else ()
            try:
                await self._one(asker, part, below)
            except PlatformError as fault:
                log.info("somebody could not be told: %s", fault, extra={"channel": asker.place.channel})
                return

    @asynccontextmanager
    async def told(self, asker: Asker) -> AsyncIterator[None]:
        """What goes wrong within is told to the asker: one sentence with the remedy."""
        try:
            yield
        except PanelistError as error:
            await self.tell(asker, sentence(error))
        except Exception:
            log.exception("a command failed", extra={"channel": asker.place.channel})
            await self.tell(asker, OOPS)

    async def desk(self, asker: Asker, answer: DeskAnswer, again: str = "") -> None:
        """Show the desk's answer; `again` are the words whose form a button opens."""
        blocks = (form_button(again, answer.form.title),) if answer.form is not None and again else ()
        text = f"**{answer.title}**\n{answer.text}" if answer.title and answer.text else answer.text or answer.title
        files = "".join(
            f"\n\n{file.name}\n```\n{file.content.decode('utf-8', 'replace').replace('```', chr(39) * 3)}\n```"
            for file in answer.files
        )
        if text or files or blocks:
            await self.tell(asker, f"{text}{files}".strip(), blocks)

    async def asked(self, asker: Asker, question: str | Paused | Open) -> None:
        """Ask what is left open; a panel that was started asks nothing."""
        match question:
            case Paused():
                await self._paused(asker, question)
            case Open():
                row = {"type": "actions", "elements": [button("Choose who …", CHOOSE, question.key, "primary")]}
                await self.tell(asker, sentence(question.question), (row,))

    async def _paused(self, asker: Asker, paused: Paused) -> None:
        """Whether to go on with the paused panel or to start the new one."""
        row = paused.row
        text = (
            f"A panel is paused in this channel: **{row.topic[:300]}**, begun {day_and_time(row.created_at)} UTC, "
            f"round {row.round} of {row.rounds_max}, {dollars(row.spent_usd)} spent. Go on with it, or start yours?"
        )
        buttons = [
            button("Go on with it", RESUME, row.id, "primary"),
            button("Start mine", FRESH, paused.key),
        ]
        await self.tell(asker, text, ({"type": "actions", "elements": buttons},))

    async def _one(self, asker: Asker, part: str, blocks: tuple[JSON, ...]) -> None:
        if asker.url:
            body: JSON = {
                "response_type": "ephemeral",
                "replace_original": False,
                "text": fallback(part),
                "blocks": [{"type": "markdown", "text": spoken(part)}, *blocks],
            }
            if await self._platform.web.respond(asker.url, body):
                return
        await self._platform.tell(asker.place, asker.person.id, part, blocks)


def sentence(error: PanelistError) -> str:
    """What went wrong, for the one who asked."""
    if isinstance(error, StoreError):
        return "The database can not be used just now; nothing was changed. Try again, or tell whoever runs Panelist."
    text = str(error)
    head = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if head.isalpha() else text


def button(label: str, action: str, value: str, style: str = "") -> JSON:
    """A button of a message."""
    more = {"style": style} if style else {}
    text = {"type": "plain_text", "text": label[:75]}
    return {"type": "button", "action_id": action, "text": text, "value": value[:2000], **more}


def form_button(words: str, label: str) -> JSON:
    """A row with one button that opens a form: a press brings the right to open one, a message does not."""
    return {"type": "actions", "elements": [button(f"{label} …", f"{FORM}open", words, "primary")]}
