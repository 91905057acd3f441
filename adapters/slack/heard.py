"""From a message in a thread to what the core hears."""

from adapters.slack.calling import calls, is_command, spoken_words
from adapters.slack.messages import Message, mentioned, typed
from adapters.slack.people import People
from adapters.slack.web import Account
from bot.core.place import Person, Place
from bot.core.platform import Heard


class Ears:
    """Reads messages as people meant them."""

    def __init__(self, people: People) -> None:
        self._people = people

    async def heard(
        self, account: Account, place: Place, message: Message, *, edited: bool = False, author: Person | None = None
    ) -> Heard:
        """The message as its author typed it, names instead of ids."""
        return Heard(
            place=place,
            message_id=message.ts,
            author=author or await self._people.person(account, message.user),
            text=await self.text(account, message),
            at=message.at,
            addressed=account.bot_user in mentioned(message.text),
            edited=edited,
        )

    async def text(self, account: Account, message: Message) -> str:
        """What was typed, and the names of the files that hang on it."""
        text = await self.words(account, message)
        files = ", ".join(file.name or "a file" for file in message.files)
        return f"{text}\n(attached: {files})".strip() if files else text

    async def words(self, account: Account, message: Message) -> str:
        """What was typed; the bot is called `@panel`."""
        users = tuple(user for user in mentioned(message.text) if user != account.bot_user)
        names = await self._people.names(account, users)
        return typed(message.text, names | {account.bot_user: "panel"})

    async def commands(self, account: Account, message: Message) -> bool:
        """Whether it is a command to the bot, which is no contribution to the thread that it stands in."""
        return calls(account, message) and is_command(
            account, message, spoken_words(await self.words(account, message))
        )
