"""From what somebody asked for in Slack to a running panel."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace

from adapters.slack.documents import Documents, Wanted
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from adapters.slack.translate import SlackRefused
from adapters.slack.web import Account
from bot.core.errors import NotAllowed, NotFound, Undecided
from bot.core.fold import opened as folded
from bot.core.place import Person, Place
from bot.core.store import Query, Summary

LOOKED_AT = 200
KEPT = 300
"""So many questions that nobody has answered yet are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A panel is asked for."""

    wanted: Wanted
    cause: str = ""
    """The message that asks, where it may be delivered again."""
    fresh: bool = False
    """Whatever is paused in this channel stays so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused:
    """Nothing was started: a panel is paused in this channel, and the asker chooses."""

    row: Summary
    key: str
    """By which the asked-for panel is started all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Nothing was started: nobody clearly fits, and the asker is to name somebody."""

    question: Undecided
    key: str


class Starting:
    """Starts panels."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._documents = Documents(services.platform)
        self._waiting: OrderedDict[str, Ask] = OrderedDict()

    async def start(self, ask: Ask) -> str | Paused | Open:
        """The id of the panel that was opened, or a question to the asker.

        Raises any error of the tree that a person can cause, PlatformError, StoreError.
        """
        services, wanted = self._services, ask.wanted
        await self.check(wanted.account, wanted.place)
        admitted = await services.desk.admit(wanted.place, wanted.person, wanted.command)
        if not ask.fresh and (row := await self._paused(wanted.place)):
            return Paused(row=row, key=self._keep(ask))
        command = admitted.command
        pointed = await self._documents.of(replace(wanted, command=command))
        try:
            opened = await services.starts.opened(
                command.format,
                pointed.words,
                command.options,
                wanted.person,
                wanted.place,
                admitted.reach,
                sources=pointed.sources,
                conversation=pointed.conversation,
                asks=True,
                settings=admitted.settings,
            )
        except Undecided as open_question:
            return Open(question=open_question, key=self._keep(ask))
        panel = await services.starts.open(opened, wanted.place, cause=ask.cause)
        await services.kick(panel)
        return panel

    async def again(self, panel: str, person: Person, account: Account) -> str:
        """The same panel once more, in its channel. Raises as `start`."""
        loaded = await self._services.store.load(panel)
        before = folded(panel, loaded.place, loaded.entries)
        place = before.place.model_copy(update={"thread": ""})
        await self.check(account, place)
        opened = before.opened.model_copy(update={"starter": person, "seq": 0, "at": 0.0})
        made = await self._services.starts.open(opened, place)
        await self._services.kick(made)
        return made

    def waiting(self, key: str, *, keep: bool = False) -> Ask:
        """What was asked for before the question. Raises NotFound where it was answered, or forgotten.

        `keep`: it is looked at only; the answer comes later.
        """
        ask = self._waiting.get(key) if keep else self._waiting.pop(key, None)
        if ask is None:
            raise NotFound("that question is answered already, or too old; ask for the panel again")
        return replace(ask, fresh=True)

    async def check(self, account: Account, place: Place) -> None:
        """Whether the bot can speak there. Raises NotAllowed with the remedy."""
        if place.channel.startswith("D"):
            raise NotAllowed("panels run in channels; start one there")
        try:
            channel = await self._services.platform.channels.channel(account, place.channel, fresh=True)
        except SlackRefused as refused:
            if refused.code != "channel_not_found":
                raise
            raise NotAllowed("the bot is not in this channel; invite it first: `/invite @Panel`") from refused
        if channel.archived:
            raise NotAllowed("this channel is archived; start the panel elsewhere")
        if not channel.inside:
            raise NotAllowed("the bot is not in this channel; invite it first: `/invite @Panel`")

    async def _paused(self, place: Place) -> Summary | None:
        query = Query(statuses=frozenset({"paused"}), platforms=frozenset({SLACK}), limit=LOOKED_AT)
        here = (place.workspace, place.channel)
        rows = await self._services.store.summaries(query)
        return next((row for row in rows if (row.place.workspace, row.place.channel) == here), None)

    def _keep(self, ask: Ask) -> str:
        key = secrets.token_hex(8)
        self._waiting[key] = ask
        while len(self._waiting) > KEPT:
            self._waiting.popitem(last=False)
        return key
