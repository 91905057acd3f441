"""`@panel …`: the same words as behind the slash command, in channels and in threads."""

from adapters.slack.calling import asked
from adapters.slack.cards import PRESS
from adapters.slack.channels import reads_of
from adapters.slack.documents import Wanted
from adapters.slack.inbox import Arrived
from adapters.slack.messages import Message
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from adapters.slack.starting import Ask, Starting
from adapters.slack.telling import Asker, Teller, button, sentence
from bot.core.errors import PanelistError, PostInDoubt, StoreError, Throttled
from bot.core.place import Place
from bot.core.starting.command import Command, DeskCommand, FormCommand, PanelCommand
from bot.core.steering.grammar import HEARD, UNCLEAR

OPEN_FORM = f"{PRESS}form:new"
HELLO = "Say `@panel discuss …`, `debate`, `review` or `council`, or fill in the form; `@panel help` tells the rest."


class Mentions:
    """Does what a mention asks for."""

    def __init__(self, services: Services, starting: Starting, teller: Teller) -> None:
        self._services, self._starting, self._teller = services, starting, teller

    async def deal(self, arrived: Arrived) -> None:
        """Read the mention and do what it asks for, once however often.

        Raises PlatformError and StoreError where it may be tried again; all else is told to its author.
        """
        platform = self._services.platform
        account = await platform.accounts.of(arrived.workspace)
        message = await platform.reader.one(account, arrived.channel, arrived.ts)
        if message is None or not message.human:
            return
        place = Place(platform=SLACK, workspace=arrived.workspace, channel=arrived.channel, thread=arrived.thread)
        person = await platform.people.person(account, message.user)
        asker = Asker(account=account, place=place, person=person)
        words = asked(await platform.ears.words(account, message))
        try:
            command = FormCommand() if words is None else await self._services.desk.command(place, words)
            await self._do(asker, message, command, spoken_of=words is None)
        except (Throttled, PostInDoubt, StoreError):
            raise
        except PanelistError as fault:
            await platform.react(place, message.ts, UNCLEAR)
            await self._teller.tell(asker, sentence(fault))

    async def _do(self, asker: Asker, message: Message, command: Command, *, spoken_of: bool) -> None:
        match command:
            case FormCommand() if spoken_of or not message.files:
                await self._teller.tell(asker, HELLO, (_form_row(),))
            case FormCommand():
                await self._start(asker, message, PanelCommand(format="discussion", words=None))
            case PanelCommand():
                await self._start(asker, message, command)
            case DeskCommand():
                await self._ask_desk(asker, message, command)

    async def _start(self, asker: Asker, message: Message, command: PanelCommand) -> None:
        platform = self._services.platform
        starter = await platform.people.starter(asker.account, message.user)
        wanted = Wanted(
            account=asker.account,
            place=asker.place,
            person=starter,
            command=command,
            files=message.files,
            asking=message.ts,
        )
        cause = f"{asker.place.workspace}:{asker.place.channel}:{message.ts}"
        started = await self._starting.start(Ask(wanted=wanted, cause=cause))
        if isinstance(started, str):
            await platform.react(asker.place, message.ts, HEARD)
        await self._teller.asked(asker, started)

    async def _ask_desk(self, asker: Asker, message: Message, command: DeskCommand) -> None:
        platform, account = self._services.platform, asker.account

        reads = reads_of(platform.channels, account, asker.person)
        answer = await self._services.desk.ask(asker.place, asker.person, command, reads=reads)
        platform.rules.changed(asker.place.workspace)
        if answer.start is not None:
            await self._start(asker, message, answer.start)
            return
        await self._teller.desk(asker, answer, f"{command.word} {command.rest}".strip())


def _form_row() -> dict[str, object]:
    return {"type": "actions", "elements": [button("Fill in the form", OPEN_FORM, "new", "primary")]}
