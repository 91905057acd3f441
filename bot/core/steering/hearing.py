"""The ears of the house: what a human wrote in a thread, from the adapter to the panel's inbox, and the receipt back.

The message is stored before anything is shown, the bell rings next, the receipt comes last: a stop is obeyed although
the platform is slow to show it.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from bot.core.clock import Clock
from bot.core.engine.posts import CARD
from bot.core.entries import AnyEntry, Control, Decision, Directive, Human, StatusChanged
from bot.core.errors import NoModel, NotFound, PlatformError, UsageError
from bot.core.fold import fold, opened
from bot.core.panel import OPEN, Panel
from bot.core.platform import ChatPlatform, Heard
from bot.core.steering.bench import Bench
from bot.core.steering.grammar import BY_WORD, UNCLEAR
from bot.core.steering.outcome import entries_of
from bot.core.steering.permissions import PERMISSIONS, SETTINGS, Permissions, permissions
from bot.core.steering.revision import revision, said_in
from bot.core.steering.spoken import read
from bot.core.steering.taking import Taken, View, moment_of, take
from bot.core.store import Query, Shelf, Signal, Store

log = logging.getLogger("panelist.hearing")

REMEMBERED = 64
"""So many panels' states are kept in memory; others are loaded again when somebody speaks there."""

Ring = Callable[[str], Awaitable[None]]


@dataclass(slots=True)
class _Known:
    """One panel as far as it is known here: its log, and what its inbox will make of it."""

    state: Panel
    ahead: Panel
    """The state once everything in the inbox was taken in, so that a quick `pause`, `continue` is read rightly."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Hearing:
    """Takes in what humans write in threads."""

    def __init__(
        self,
        *,
        store: Store,
        shelf: Shelf,
        platforms: Mapping[str, ChatPlatform],
        clock: Clock,
        ring: Ring,
        bench: Bench | None = None,
    ) -> None:
        """`ring` wakes whoever runs the panel; without a bench, `add` finds only personas of the roster."""
        self._store, self._shelf, self._platforms, self._clock = store, shelf, platforms, clock
        self._ring, self._bench = ring, bench
        self._known: OrderedDict[str, _Known] = OrderedDict()

    @property
    def remembered(self) -> tuple[str, ...]:
        """The panels whose state is kept in memory, the one spoken to longest ago first."""
        return tuple(self._known)

    async def hear(self, heard: Heard) -> Taken:
        """Take the message in for its panel (else the thread's latest), show its author how, and wake the panel.

        Hearing the same message again changes and shows nothing. Raises StoreError where it could not be stored;
        then nothing was taken in, and the adapter may hand it over again.
        """
        panel = await self._meant(heard)
        if not panel:
            return Taken(kind="nobody")
        known = await self._panel(panel)
        async with known.turn:
            await self._catch_up(known)
            new, taken = await self._take_in(known, heard)
        if new and taken.entry is not None:
            await self._ring(panel)
        if new:
            await self._receipt(heard, taken)
        return taken

    async def catch_up(self, panel: str) -> int:
        """Take in what was written in the panel's thread while nobody listened; returns how many messages were read."""
        known = await self._panel(panel)
        async with known.turn:
            await self._catch_up(known)
        platform, place = self._platforms[known.state.place.platform], known.state.place
        card = await self._store.delivery(panel, CARD, 1)
        after = _newest_message(known.ahead) or (card.ext_id if card else "") or ""
        count = 0
        try:
            async for heard in platform.missed(place, after):
                await self.hear(heard)
                count += 1
        except PlatformError as fault:
            log.info("not caught up: %s", fault, extra={"panel": panel})
        return count

    async def lost(self, panel: str, reason: str) -> None:
        """The panel's thread is gone for good: an open panel fails with that reason. Safe to repeat.

        Raises NotFound, and StoreError where it could not be written down.
        """
        known = await self._panel(panel)
        async with known.turn:
            await self._catch_up(known)
            if known.ahead.status not in OPEN:
                return
            gone = StatusChanged(at=self._clock.now(), status="failed", reason=f"the thread is gone: {reason}")
            await self._stored(known, f"lost:{known.state.last_seq}", gone)
        await self._ring(panel)

    async def _meant(self, heard: Heard) -> str:
        """The panel that it is for, where it stands in that channel; empty where there is none."""
        if heard.panel:
            try:
                place = (await self._panel(heard.panel)).state.place
            except NotFound:
                return ""
            here = (heard.place.platform, heard.place.workspace, heard.place.channel)
            return heard.panel if (place.platform, place.workspace, place.channel) == here else ""
        summaries = await self._store.summaries(Query(place=heard.place, limit=1))
        return summaries[0].id if summaries else ""

    async def _panel(self, panel: str) -> _Known:
        known = self._known.get(panel)
        if known is None:
            loaded = await self._store.load(panel)
            state = opened(panel, loaded.place, loaded.entries)
            known = self._known.setdefault(panel, _Known(state=state, ahead=await self._with_inbox(state)))
        self._known.move_to_end(panel)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return known

    async def _catch_up(self, known: _Known) -> None:
        """Read what was written since; usually nothing."""
        loaded = await self._store.load(known.state.id, after=known.state.last_seq)
        if loaded.entries:
            known.state = fold(known.state, loaded.entries)
            known.ahead = await self._with_inbox(known.state)

    async def _with_inbox(self, state: Panel) -> Panel:
        for signal in await self._store.signals(state.id):
            state = _after(state, signal.entry)
        return state

    async def _take_in(self, known: _Known, heard: Heard) -> tuple[bool, Taken]:
        """Whether the message is new, and how it was taken."""
        panel = known.ahead
        if heard.deleted or (heard.edited and said_in(panel, heard.message_id)):
            entry = revision(panel, heard.message_id, None if heard.deleted else heard.text)
            if entry is None or heard.at < panel.opened.at:
                return False, Taken(kind="blank")
            key = f"{heard.message_id}:{'deleted' if entry.text is None else self._clock.now()}"
            return await self._stored(known, key, entry), Taken(kind="revision", entry=entry)
        if heard.edited and heard.at < panel.opened.at:
            return False, Taken(kind="blank")
        view = await self._view(panel, heard)
        taken = await self._cast(panel, take(heard.text, view))
        if heard.edited and taken.kind in ("control", "decision", "told"):
            taken = take(f"say: {heard.text}", view)  # an edit never commands
        if taken.entry is None:
            return await self._first(heard, taken), taken
        return await self._stored(known, heard.message_id, taken.entry), taken

    async def _stored(self, known: _Known, key: str, entry: AnyEntry) -> bool:
        new = await self._store.signal(Signal(panel=known.state.id, message_id=key, entry=entry))
        if new:
            known.ahead = _after(known.ahead, entry)
        return new

    async def _first(self, heard: Heard, taken: Taken) -> bool:
        """What is told or asked for leaves no signal, so the house remembers the message's id alone."""
        if taken.kind not in ("told", "request"):
            return False
        place = heard.place
        event = f"told:{place.platform}:{place.workspace}:{place.channel}:{heard.message_id}"
        return await self._store.first_seen(event, self._clock.now())

    async def _view(self, panel: Panel, heard: Heard) -> View:
        spoken = read(heard.text, moment_of(panel))
        led = spoken.kind not in ("contribution", "aside", "blank") and not (
            spoken.kind == "control" and BY_WORD[spoken.word].told
        )
        return View(
            panel=panel,
            author=heard.author,
            at=heard.at,
            message_id=heard.message_id,
            addressed=heard.addressed,
            pressed=heard.pressed,
            bench=await self._bench.seats(panel) if self._bench and spoken.word == "add" else (),
            rules=await self._rules(panel.place.workspace) if led or heard.pressed else Permissions(),
        )

    async def _cast(self, panel: Panel, taken: Taken) -> Taken:
        """A persona that joins gets its model now; where it can have none, the word is refused."""
        entry = taken.entry
        if not isinstance(entry, Control) or entry.seat is None or entry.refused or self._bench is None:
            return taken
        try:
            seat = await self._bench.cast(panel, entry.seat)
        except (NoModel, UsageError) as fault:
            why = str(fault)
            return replace(taken, entry=entry.model_copy(update={"refused": why}), sign=UNCLEAR, answer=why)
        return replace(taken, entry=entry.model_copy(update={"seat": seat}))

    async def _rules(self, workspace: str) -> Permissions:
        return permissions(await self._shelf.take(workspace, SETTINGS, PERMISSIONS))

    async def _receipt(self, heard: Heard, taken: Taken) -> None:
        """Best effort: what was taken in stays taken in."""
        platform = self._platforms[heard.place.platform]
        try:
            if taken.sign and not heard.pressed:
                await platform.react(heard.place, heard.message_id, taken.sign)
            if taken.answer:
                await platform.whisper(heard.place, heard.author, taken.answer)
        except PlatformError as fault:
            log.info("no receipt: %s", fault, extra={"channel": heard.place.channel})


def _newest_message(panel: Panel) -> str:
    """The id of the human message that was taken in last; empty before the first."""
    said = (e for e in reversed(panel.entries) if isinstance(e, Human | Directive | Control | Decision))
    return next((e.message_id for e in said if e.message_id and ":" not in e.message_id), "")


def _after(panel: Panel, entry: AnyEntry) -> Panel:
    """The state once that entry, and what follows from it, stands in the log."""
    entries = entries_of(panel, entry)
    return fold(panel, (e.model_copy(update={"seq": panel.last_seq + n}) for n, e in enumerate(entries, 1)))
