"""What people ask the bot for, on whatever surface: panels, the desk, the form. Answers are for the asker alone."""

import io
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import discord

from adapters.discord.conversations import Readable, readable
from adapters.discord.files import TEXTS, given
from adapters.discord.markup import rendered
from adapters.discord.opening import Opening, placed
from adapters.discord.services import Ask, Services
from adapters.discord.translate import person
from bot.core.desk.answer import AttachedText, DeskAnswer, DeskForm
from bot.core.errors import PanelistError, Undecided
from bot.core.place import Place
from bot.core.platform import Attachment
from bot.core.starting.command import Command, DeskCommand, FormCommand, PanelCommand
from bot.core.steering.told import rounds

log = logging.getLogger("panelist.discord")

SHOWN_MOST = 25
"""Entries of one select."""
_WORD = re.compile(r"[a-z]+[ ,:;]")
KEPT = 500
"""Asked-for panels that wait for an answer to "resume or start fresh", at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A button under an answer: its label, and its id."""

    label: str
    custom_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer to one person, for a surface to show."""

    text: str
    """Markdown, safe to send: what others wrote in it is rendered."""
    files: tuple[Attachment, ...] = ()
    choices: tuple[Choice, ...] = ()
    who: tuple[tuple[str, str], ...] = ()
    """(short name, display name) of personas to choose from, for the ask under `token`."""
    token: str = ""
    form: DeskForm | None = None
    """To be opened where the surface can; `text` says it in words."""
    opens: bool = False
    """The form for a new panel is to be opened."""
    began: bool = False
    """A panel begins, and its card will say so."""


class Asking:
    """Answers commands. Nothing here knows whether they were typed, chosen or pressed."""

    def __init__(self, services: Services, opening: Opening) -> None:
        self._services, self.opening = services, opening
        self._waiting: OrderedDict[str, Ask] = OrderedDict()

    async def meant(self, channel: object, text: str) -> Command:
        """What was typed. Raises UsageError, NotAllowed."""
        return await self._services.desk.command(placed(channel), text)

    async def answer(self, command: Command, ask: Ask) -> Reply:
        """Do what the command says. Never raises for what a person can cause: the reply says it."""
        try:
            match command:
                case PanelCommand():
                    return await self.start(replace(ask, command=command))
                case DeskCommand():
                    return await self.desk(command, ask)
                case FormCommand():
                    return Reply(text="Say what about, for example `debate Tabs or spaces? --rounds 2`.", opens=True)
        except PanelistError as fault:
            return Reply(text=sentence(fault))

    async def start(self, ask: Ask, *, fresh: bool = False) -> Reply:
        """Start the panel, or ask first whether to go on with a paused one. Raises the tree's errors."""
        if not fresh and (row := await self.opening.paused(placed(ask.elsewhere or ask.channel))):
            token = self._kept(ask)
            since, topic = f"<t:{int(row.created_at)}:R>", rendered(row.topic[:200], frozenset())
            text = (
                f"A {row.format} is paused here: “{topic}”, started {since}, round {row.round} of "
                f"{rounds(row.rounds_max)}, ${row.spent_usd:.2f} spent. Go on with it, or start afresh?"
            )
            choices = (
                Choice(label="Resume it", custom_id=f"panelist-ask:resume:{row.id}"),
                Choice(label="Start afresh", custom_id=f"panelist-ask:fresh:{token}"),
            )
            return Reply(text=text, choices=choices)
        try:
            panel, place = await self.opening.open(ask)
        except Undecided as fault:
            return Reply(text=sentence(fault), who=fault.candidates[:SHOWN_MOST], token=self._kept(ask))
        return Reply(text=f"It begins in <#{place.thread or place.channel}>: `{panel}`.", began=True)

    async def chosen(self, what: str, key: str, by: Ask, names: tuple[str, ...] = ()) -> Reply:
        """Somebody answered a question about a panel: `resume`, `fresh`, or `who` with the names."""
        try:
            if what == "resume":
                return await self.desk(DeskCommand(word="resume", rest=key), by)
            ask = self._waiting.get(key)
            if ask is None or ask.author.id != by.author.id:
                return Reply(text="That was a while ago, or somebody else asked: ask for the panel again.")
            if names:
                options = {**ask.command.options, "personas": names}
                ask = replace(ask, command=replace(ask.command, options=options), asks=False)
            return await self.start(ask, fresh=True)
        except PanelistError as fault:
            return Reply(text=sentence(fault))

    def _kept(self, ask: Ask) -> str:
        """The key under which the question's answer finds the ask again."""
        token = secrets.token_hex(8)
        self._waiting[token] = ask
        while len(self._waiting) > KEPT:
            self._waiting.popitem(last=False)
        return token

    async def desk(self, command: DeskCommand, ask: Ask) -> Reply:
        """Ask the desk. Raises the tree's errors."""
        place, asker = placed(ask.channel), person(ask.author)
        attached = tuple([AttachedText(name=file.filename, text=await _text(file)) for file in ask.files])
        answer = await self._services.desk.ask(place, asker, command, attached, reads=_reads(ask))
        if answer.start is not None:
            return await self.start(replace(ask, command=answer.start))
        return Reply(text=_shown(answer), files=answer.files, form=answer.form)


def _shown(answer: DeskAnswer) -> str:
    text = rendered(answer.text, frozenset())
    return f"**{answer.title}**\n{text}" if answer.title and text else text or answer.title


def _reads(ask: Ask) -> Callable[[Place], Awaitable[bool]]:
    """Whether the asker may read a place of the same server."""

    async def reads(place: Place) -> bool:
        guild = getattr(ask.channel, "guild", None)
        if not isinstance(guild, discord.Guild) or str(guild.id) != place.workspace:
            return False
        channel = guild.get_channel_or_thread(int(place.thread or place.channel)) or guild.get_channel(
            int(place.channel)
        )
        if isinstance(channel, discord.ForumChannel) and isinstance(ask.author, discord.Member):
            return channel.permissions_for(ask.author).read_message_history
        member = ask.author
        return isinstance(channel, Readable) and isinstance(member, discord.Member) and await readable(channel, member)

    return reads


async def _text(file: discord.Attachment) -> str:
    if not file.filename.casefold().endswith(TEXTS):
        return ""
    return (await given(file)).data.decode("utf-8", errors="replace")


def sentence(fault: PanelistError) -> str:
    """The fault's words as people read them."""
    text = rendered(str(fault).strip() or "That did not work.", frozenset())
    return text[0].upper() + text[1:] if _WORD.match(text) else text


def uploads(files: tuple[Attachment, ...]) -> list[discord.File]:
    """Files to send along."""
    return [discord.File(io.BytesIO(file.content), filename=file.name) for file in files]
