"""Buttons on cards and in answers; what is pressed is said, in the words of the steering grammar."""

from adapters.slack import form_fields as fields
from adapters.slack.cards import PRESS
from adapters.slack.commands import Commands
from adapters.slack.form import Origin, Prefill
from adapters.slack.forms import Forms
from adapters.slack.handing_out import HandingOut
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from adapters.slack.starting import Starting
from adapters.slack.telling import CHOOSE, FORM, FRESH, RESUME, Asker, Teller
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.place import Place
from bot.core.platform import Heard
from bot.core.steering.taking import Taken

SAY = "panelist:say"
"""Callback id of the little form behind a button that needs words."""
_ASKS = {
    "steer:": ("Steer the panel", "Standing instruction", "It joins every later prompt, with your name.", True),
    "accept": ("Accept", "Why", "It stands in the record.", False),
    "reject": ("Reject", "Why", "It stands in the record.", False),
    "defer": ("Defer", "Why", "It stands in the record.", False),
}
"""Word → title, label, hint, whether words are needed."""
_REASON = "reason"


class Presses:
    """Does what a button says."""

    def __init__(
        self,
        services: Services,
        starting: Starting,
        teller: Teller,
        forms: Forms,
        commands: Commands,
        handing_out: HandingOut,
    ) -> None:
        self._services, self._starting, self._teller = services, starting, teller
        self._forms, self._commands, self._handing_out = forms, commands, handing_out

    async def pressed(self, account: Account, body: JSON, action: JSON) -> None:
        """A button was pressed; what goes wrong is told to whoever pressed it."""
        asker = await self.asker(account, body)
        name, value = str(action.get("action_id") or ""), str(action.get("value") or "")
        async with self._teller.told(asker):
            await self._do(asker, body, name, value, str(action.get("action_ts") or ""))

    async def said(self, account: Account, user: str, body: JSON) -> None:
        """The words behind Steer, Accept, Reject and Defer were filled in."""
        word, panel, channel, thread = str(body.get("private_metadata") or "").split("\n", 3)
        place = Place(platform=SLACK, workspace=account.key, channel=channel, thread=thread)
        person = await self._services.platform.people.person(account, user)
        asker = Asker(account=account, place=place, person=person)
        words = str(fields.state_of(body, _REASON).get("value") or "").strip()
        text = f"{word} {words}" if word == "steer:" else f"{word}: {words}" if words else word
        async with self._teller.told(asker):
            await self._say(asker, panel, text, str(body.get("id") or ""))

    async def asker(self, account: Account, body: JSON) -> Asker:
        """Who pressed, and where."""
        container, message = body.get("container") or {}, body.get("message") or {}
        channel = str((body.get("channel") or {}).get("id") or container.get("channel_id") or "")
        thread = message.get("thread_ts") or container.get("thread_ts") or ""
        if not thread and not container.get("is_ephemeral"):
            thread = message.get("ts") or container.get("message_ts") or ""
        user = str((body.get("user") or {}).get("id") or "")
        return Asker(
            account=account,
            place=Place(platform=SLACK, workspace=account.key, channel=channel, thread=str(thread)),
            person=await self._services.platform.people.person(account, user),
            url=str(body.get("response_url") or "") if container.get("is_ephemeral") else "",
            trigger=str(body.get("trigger_id") or ""),
        )

    async def _do(self, asker: Asker, body: JSON, name: str, value: str, at: str) -> None:
        word = name.removeprefix(PRESS)
        if name == FRESH:
            ask = self._starting.waiting(value)
            await self._commands.start(asker, ask)
        elif name == CHOOSE:
            await self._choose(asker, value)
        elif name == RESUME:
            await self._commands.words(asker, f"resume {value}")
        elif name == f"{FORM}new":
            thread = asker.place.thread if not (body.get("view") or {}) else ""
            await self._forms.open(asker, Origin(channel=asker.place.channel, thread=thread, url=asker.url))
        elif name.startswith(FORM):
            await self._commands.words(asker, value)
        elif word in _ASKS:
            await self._ask(asker, word, value)
        else:
            await self._say(asker, value, word, at)

    async def _choose(self, asker: Asker, key: str) -> None:
        """The form, with what was asked for in words."""
        wanted = self._starting.waiting(key, keep=True).wanted
        command = wanted.command
        prefill = Prefill(
            format=command.format, topic=command.words or "", texts=wanted.texts, options=dict(command.options)
        )
        place = wanted.place
        origin = Origin(channel=place.channel, thread=place.thread, url=asker.url, message=wanted.message, key=key)
        await self._forms.open(asker, origin, prefill)

    async def _ask(self, asker: Asker, word: str, panel: str) -> None:
        """Words are needed, or may be added: a little form."""
        title, label, hint, needed = _ASKS[word]
        element = fields.typed(_REASON, "", multiline=True) | {"max_length": 2000}
        place = asker.place
        await self._services.platform.web.call(
            asker.account,
            "views.open",
            trigger_id=asker.trigger,
            view={
                "type": "modal",
                "callback_id": SAY,
                "private_metadata": "\n".join((word, panel, place.channel, place.thread)),
                "title": {"type": "plain_text", "text": title},
                "submit": {"type": "plain_text", "text": "Say it" if needed else title},
                "close": {"type": "plain_text", "text": "Cancel"},
                "blocks": [{**fields.field(_REASON, label, element, hint), "optional": not needed}],
            },
        )

    async def _say(self, asker: Asker, panel: str, words: str, key: str) -> None:
        heard = Heard(
            place=asker.place,
            message_id=f"press:{key}:{asker.person.id}",
            author=asker.person,
            text=words,
            at=self._services.clock.now(),
            pressed=True,
            panel=panel,
        )
        taken = await self._services.hearing.hear(heard)
        if taken.kind == "request":
            await self._request(asker, panel, taken)
        elif taken.kind == "nobody":
            await self._teller.tell(asker, "That panel is not here any more; start a new one with `/panel`.")

    async def _request(self, asker: Asker, panel: str, taken: Taken) -> None:
        """What the card offers besides steering."""
        if taken.word == "run again":
            starter = await self._services.platform.people.starter(asker.account, asker.person.id)
            await self._starting.again(panel, starter, asker.account)
            return
        await self._teller.tell(asker, await self._handing_out.told(panel, taken.word))
