"""What people wrote, changed and deleted in open panels' threads while the bot was away."""

import logging
from dataclasses import replace

from adapters.slack.messages import Message
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from bot.core.clock import Clock
from bot.core.engine.posts import CARD
from bot.core.entries import AnyEntry, Control, Decision, Directive, Human
from bot.core.errors import PanelistError, PlatformError, StoreError, Throttled
from bot.core.fold import opened
from bot.core.panel import OPEN, Panel
from bot.core.place import Person, Place
from bot.core.platform import Heard
from bot.core.store import Loaded, Query

log = logging.getLogger("panelist.slack.catch_up")

MOST = 1000
TRIES = 5
OVERLAP = 60.0
"""Seconds before the last thing known from which on messages count as possibly missed."""


class CatchUp:
    """Hears what was missed; what was heard before changes nothing."""

    def __init__(self, services: Services, clock: Clock) -> None:
        self._services, self._clock = services, clock

    async def all(self) -> None:
        """Every open panel, the newest first. Raises StoreError."""
        rows = await self._services.store.summaries(Query(statuses=OPEN, platforms=frozenset({SLACK}), limit=MOST))
        for row in rows:
            await self._patiently(row.id)

    async def _patiently(self, panel: str) -> None:
        for attempt in range(TRIES):
            try:
                return await self.one(panel)
            except Throttled as limit:
                await self._clock.sleep(limit.retry_after)
            except (PlatformError, StoreError) as fault:
                log.info("a thread can not be read: %s", fault, extra={"panel": panel})
                await self._clock.sleep(0.2 * 2**attempt)
            except PanelistError as fault:
                log.warning("a thread is not caught up with: %s", fault, extra={"panel": panel})
                return None
        return None

    async def one(self, panel: str) -> None:
        """One panel's thread, read once. Raises PlatformError, StoreError."""
        loaded = await self._services.store.load(panel)
        state = opened(panel, loaded.place, loaded.entries)
        card = next((post.ext_id for post in loaded.deliveries if post.turn == CARD and post.ext_id), "")
        place = state.place.model_copy(update={"thread": state.place.thread or card})
        if not place.thread:
            return
        platform = self._services.platform
        account = await platform.accounts.of(place.workspace)
        messages = [m async for m in platform.reader.thread(account, place.channel, place.thread) if m.human]
        inbox = tuple(signal.entry for signal in await self._services.store.signals(panel))
        known = _known((*state.humans, *state.directives, *state.controls, *state.decisions, *inbox))
        since = _since(state, loaded, known)
        for message in messages:
            new = message.ts not in known and message.at > max(since, float(card or 0))
            changed = message.ts in known and message.edited and float(message.edited) > since
            if (new or changed) and not await platform.ears.commands(account, message):
                heard = await platform.ears.heard(account, place, message, edited=bool(changed))
                await self._services.hearing.hear(replace(heard, panel=panel))
        await self._gone(state, place, known, messages)

    async def _gone(self, state: Panel, place: Place, known: dict[str, Person], messages: list[Message]) -> None:
        """What the panel took in and does not stand there any more."""
        standing = {message.ts for message in messages}
        for ts in known.keys() - standing:
            if ts in state.revisions and state.revisions[ts] is None:
                continue
            heard = Heard(place=place, message_id=ts, author=known[ts], text="", at=float(ts), deleted=True)
            await self._services.hearing.hear(replace(heard, panel=state.id))


def _known(entries: tuple[AnyEntry, ...]) -> dict[str, Person]:
    """The messages that the panel has taken in or will, with their authors; presses of buttons are none."""
    said = (entry for entry in entries if isinstance(entry, Human | Directive | Control | Decision))
    return {entry.message_id: entry.author for entry in said if _is_ts(entry.message_id)}


def _since(state: Panel, loaded: Loaded, known: dict[str, Person]) -> float:
    """The time of the newest thing known, less a little: events may have come out of order."""
    posts = [post.ext_id for post in loaded.deliveries if post.ext_id and _is_ts(post.ext_id)]
    newest = max((float(ts) for ts in (*posts, *known)), default=state.opened.at)
    return newest - OVERLAP


def _is_ts(text: str) -> bool:
    seconds, dot, rest = text.partition(".")
    return bool(dot) and seconds.isdigit() and rest.isdigit()
