"""`/panel …`: confirmed at once, answered behind, faults told to the asker alone.

https://docs.slack.dev/interactivity/implementing-slash-commands
"""

from dataclasses import dataclass

from adapters.slack.channels import reads_of
from adapters.slack.desk_forms import DeskForms
from adapters.slack.documents import Wanted
from adapters.slack.form import Origin
from adapters.slack.forms import Forms
from adapters.slack.messages import typed
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from adapters.slack.starting import Ask, Starting
from adapters.slack.telling import Asker, Teller
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.place import Place
from bot.core.starting.command import Command, DeskCommand, FormCommand, PanelCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class Slash:
    """A slash command as Slack sends it."""

    channel: str
    user: str
    text: str
    url: str
    trigger: str


def slash_of(body: JSON) -> Slash:
    return Slash(
        channel=str(body.get("channel_id") or ""),
        user=str(body.get("user_id") or ""),
        text=typed(str(body.get("text") or "")),
        url=str(body.get("response_url") or ""),
        trigger=str(body.get("trigger_id") or ""),
    )


class Commands:
    """Does what the command asks for."""

    def __init__(
        self, services: Services, starting: Starting, teller: Teller, forms: Forms, desk_forms: DeskForms
    ) -> None:
        self._services, self._starting, self._teller = services, starting, teller
        self._forms, self._desk_forms = forms, desk_forms

    async def slash(self, account: Account, slash: Slash) -> None:
        """Do it; what goes wrong is told to the asker."""
        place = Place(platform=SLACK, workspace=account.key, channel=slash.channel)
        person = await self._services.platform.people.person(account, slash.user)
        asker = Asker(account=account, place=place, person=person, url=slash.url, trigger=slash.trigger)
        await self.words(asker, slash.text)

    async def words(self, asker: Asker, words: str) -> None:
        """Do what the words ask for; what goes wrong is told to the asker."""
        async with self._teller.told(asker):
            await self._do(asker, await self._services.desk.command(asker.place, words))

    async def start(self, asker: Asker, ask: Ask) -> None:
        """Start it, or ask what is left open. Raises what `Starting.start` raises."""
        await self._teller.asked(asker, await self._starting.start(ask))

    async def _do(self, asker: Asker, command: Command) -> None:
        match command:
            case FormCommand():
                await self._forms.open(asker, Origin(channel=asker.place.channel, url=asker.url))
            case PanelCommand():
                await self._panel(asker, command)
            case DeskCommand():
                await self._desk(asker, command)

    async def _panel(self, asker: Asker, command: PanelCommand) -> None:
        starter = await self._services.platform.people.starter(asker.account, asker.person.id)
        wanted = Wanted(account=asker.account, place=asker.place, person=starter, command=command)
        await self.start(asker, Ask(wanted=wanted))

    async def _desk(self, asker: Asker, command: DeskCommand) -> None:
        reads = reads_of(self._services.platform.channels, asker.account, asker.person)
        answer = await self._services.desk.ask(asker.place, asker.person, command, reads=reads)
        self._services.platform.rules.changed(asker.account.key)
        if answer.start is not None:
            return await self._panel(asker, answer.start)
        words = f"{command.word} {command.rest}".strip()
        if answer.form is not None and await self._desk_forms.open(asker, answer.form):
            return None
        return await self._teller.desk(asker, answer, words)
