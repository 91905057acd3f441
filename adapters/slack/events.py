"""Events: what people wrote, changed and deleted. Each is written down before it is confirmed to Slack.

The same mention comes as two events in any order, and any event may come again; nothing is done twice.
https://docs.slack.dev/apis/events-api
"""

import asyncio
import logging
from collections import deque
from dataclasses import replace
from weakref import WeakValueDictionary

from adapters.slack.calling import calls, is_command, spoken_words
from adapters.slack.inbox import Arrived, Inbox
from adapters.slack.messages import SPOKEN, Message, message_of
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.clock import Clock
from bot.core.place import Person, Place
from bot.core.platform import Heard

log = logging.getLogger("panelist.slack.events")

BOT_EVENTS, BOT_SECONDS = 20, 60.0
"""An allow-listed bot is heard that often in that time; two bots that answer each other must come to rest."""


class Events:
    """Takes in what happened in channels."""

    def __init__(self, services: Services, inbox: Inbox) -> None:
        self._services, self._inbox = services, inbox
        self._bots = _BotLimit(services.clock)
        self._threads: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def message(self, account: Account, event: JSON) -> None:
        """A `message` or `app_mention` event; those of one thread are taken in as they came.

        Raises StoreError where it could not be written down.
        """
        inner = event.get("message") or event.get("previous_message") or event
        key = (str(event.get("channel") or ""), str(inner.get("thread_ts") or inner.get("ts") or ""))
        async with self._threads.setdefault(key, asyncio.Lock()):
            await self._taken_in(account, event)

    async def _taken_in(self, account: Account, event: JSON) -> None:
        match str(event.get("subtype") or ""):
            case "message_changed":
                await self._changed(account, event)
            case "message_deleted":
                await self._deleted(account, event)
            case subtype if subtype in SPOKEN or subtype == "bot_message":
                await self._said(account, event)

    async def _said(self, account: Account, event: JSON) -> None:
        message, channel = message_of(event), str(event.get("channel") or "")
        if not message.ts or not channel or _ours(message, account):
            return
        called = calls(account, message) and message.human
        if not message.thread and not called:
            return
        author = await self._author(account, message)
        if author is None:
            return
        place = _place(account, channel, message)
        words = spoken_words(await self._services.platform.ears.words(account, message)) if called else ""
        if message.thread and not (called and is_command(account, message, words)):
            heard = await self._services.platform.ears.heard(account, place, message, author=author)
            if await self._heard(heard):
                return
        if called:
            thread = message.thread
            arrived = Arrived(workspace=account.key, channel=channel, ts=message.ts, thread=thread)
            await self._inbox.put(arrived)

    async def _heard(self, heard: Heard) -> bool:
        """Whether there is a panel that took it in; its thread may not be written down yet."""
        if (await self._services.hearing.hear(heard)).kind != "nobody":
            return True
        place = heard.place
        panel = self._services.platform.panel_of_card(place.workspace, place.channel, place.thread)
        return bool(panel) and (await self._services.hearing.hear(replace(heard, panel=panel))).kind != "nobody"

    async def _author(self, account: Account, message: Message) -> Person | None:
        """Who wrote it; None where nobody does who is heard."""
        if message.human:
            return await self._services.platform.people.person(account, message.user)
        allowed = (await self._services.platform.rules.of(account.key)).bots
        if message.bot and message.bot in allowed and self._bots.may(account.key, message.bot):
            return Person(id=message.bot, name=message.name or message.bot, role="guest")
        return None

    async def _changed(self, account: Account, event: JSON) -> None:
        """An edit; a thread's root that was deleted leaves a gravestone, which is no edit."""
        message, before = message_of(event.get("message") or {}), message_of(event.get("previous_message") or {})
        channel = str(event.get("channel") or "")
        if message.subtype == "tombstone":
            await self._gone(account, channel, before)
        elif message.human and message.thread and message.text != before.text:
            place = _place(account, channel, message)
            heard = await self._services.platform.ears.heard(account, place, message, edited=True)
            await self._services.hearing.hear(heard)

    async def _deleted(self, account: Account, event: JSON) -> None:
        before = message_of(event.get("previous_message") or {})
        await self._gone(account, str(event.get("channel") or ""), before)

    async def _gone(self, account: Account, channel: str, message: Message) -> None:
        if not message.human or not message.thread or not channel:
            return
        author = await self._services.platform.people.person(account, message.user)
        await self._services.hearing.hear(
            Heard(
                place=_place(account, channel, message),
                message_id=message.ts,
                author=author,
                text="",
                at=message.at,
                deleted=True,
            )
        )


def _place(account: Account, channel: str, message: Message) -> Place:
    return Place(platform=SLACK, workspace=account.key, channel=channel, thread=message.thread or message.ts)


def _ours(message: Message, account: Account) -> bool:
    """Our own posts, under whatever name."""
    return message.user == account.bot_user or (bool(message.bot) and message.bot == account.bot_id)


class _BotLimit:
    """How often each bot was heard lately."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._heard: dict[tuple[str, str], deque[float]] = {}

    def may(self, workspace: str, bot: str) -> bool:
        now = self._clock.monotonic()
        times = self._heard.setdefault((workspace, bot), deque())
        while times and times[0] <= now - BOT_SECONDS:
            times.popleft()
        if len(times) >= BOT_EVENTS:
            return False
        times.append(now)
        return True
