"""What a panel in Slack looks at: files, pasted text, a message by its link, the thread, a channel's last words."""

from dataclasses import dataclass
from functools import partial

from adapters.slack.files_in import Downloads
from adapters.slack.heard import Ears
from adapters.slack.links import check, message_link
from adapters.slack.messages import File, Message
from adapters.slack.platform import Slack
from adapters.slack.posting import key_of
from adapters.slack.web import Account
from bot.core.document import Document, from_text
from bot.core.errors import DocumentError, NotFound
from bot.core.place import Person, Place
from bot.core.starting.command import PanelCommand
from bot.core.starting.starts import TARGETED
from bot.core.starting.targeting import Read
from bot.core.targets.port import GivenText, Source

RECENT = 50
"""Messages of a channel that "here" means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be looked at."""

    account: Account
    place: Place
    """Where it was asked for; with a thread, that thread is "this"."""
    person: Person
    command: PanelCommand
    files: tuple[File, ...] = ()
    texts: tuple[str, ...] = ()
    """Pasted into a form, a field each."""
    message: str = ""
    """The ts of a message that was chosen."""
    asking: str = ""
    """The ts of the message that asks; it is no part of the thread that it points at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointed:
    """What the asker points at, as far as Slack has it."""

    words: str | None
    """What is left for the core: a topic, plain text, or a path."""
    sources: tuple[Source, ...]
    conversation: Read | None


class Documents:
    """Reads what a command points at in Slack."""

    def __init__(self, platform: Slack) -> None:
        self._platform = platform
        self._downloads = Downloads(platform.web)

    async def of(self, wanted: Wanted) -> Pointed:
        """Attachments fetched, links followed; the conversation is read only when it is asked for.

        Raises DocumentError, NotFound, NotAllowed, and PlatformError where Slack does not answer.
        """
        sources: list[Source] = [*await self._downloads.fetch(wanted.account, wanted.files)]
        sources += [GivenText(text=text, title=_title(text)) for text in wanted.texts if text.strip()]
        if wanted.message:
            sources.append(await self._message(wanted, wanted.place.channel, wanted.message))
        words = wanted.command.words
        if words is not None and (link := message_link(words)):
            await check(link, wanted.account, wanted.place, wanted.person, self._platform.channels)
            sources.append(await self._message(wanted, link.channel, link.ts))
            words = None
        stands = wanted.place.thread and not sources
        reads = stands or wanted.command.format in TARGETED
        conversation = partial(self._conversation, wanted) if reads else None
        return Pointed(words=words, sources=tuple(sources), conversation=conversation)

    async def _message(self, wanted: Wanted, channel: str, ts: str) -> GivenText:
        message = await self._platform.reader.one(wanted.account, channel, ts)
        if message is None:
            raise NotFound("that message is not there any more")
        place = wanted.place.model_copy(update={"channel": channel})
        text = await self._text(wanted.account, message)
        if not text.strip():
            raise DocumentError("that message holds no text")
        return GivenText(text=text, kind="message", key=await self._platform.permalink(place, ts), title=_title(text))

    async def _conversation(self, wanted: Wanted) -> Document | None:
        """The thread, or the channel's newest messages; None where nobody said anything."""
        account, place = wanted.account, wanted.place
        if place.thread:
            read = self._platform.reader.thread(account, place.channel, place.thread, full=True)
            messages = [message async for message in read]
        else:
            newest = self._platform.reader.channel(account, place.channel, most=RECENT, full=True)
            messages = [message async for message in newest][::-1]
        lines = [await self._line(account, m) for m in messages if m.ts != wanted.asking and _counts(m, account)]
        if not lines:
            return None
        name = (await self._platform.channels.channel(account, place.channel)).name
        title = "this thread" if place.thread else f"#{name}, the last {len(lines)} messages"
        key = await self._platform.permalink(place, place.thread) if place.thread else f"slack:{place.channel}"
        return from_text("\n\n".join(lines), kind="thread", key=key, title=title)

    async def _line(self, account: Account, message: Message) -> str:
        if message.user and not message.bot:
            name = (await self._platform.people.person(account, message.user)).name
        else:
            name = message.name or "bot"
        return f"{name}: {await self._text(account, message)}"

    async def _text(self, account: Account, message: Message) -> str:
        return await Ears(self._platform.people).text(account, message)


def _counts(message: Message, account: Account) -> bool:
    """What somebody said; our cards and host's notices are no part of a conversation."""
    if message.bot and message.bot == account.bot_id:
        return bool(message.name) or (bool(key_of(message)) and not key_of(message).endswith(":1:1"))
    return bool(message.text or message.files) and (
        message.human or message.subtype == "bot_message" or bool(message.bot)
    )


def _title(text: str) -> str:
    first = next((line.strip("# ").strip() for line in text.splitlines() if line.strip()), "text")
    return first[:80]
