"""Getting a written-down turn into the thread exactly once: intent before post, settle and read back, record the id."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from bot.core.card import Card
from bot.core.clock import Clock
from bot.core.engine.posts import CARD, post_of, sought
from bot.core.engine.session import Session
from bot.core.engine.splitting import split
from bot.core.entries import Artifact
from bot.core.errors import PlatformError, PostInDoubt, PostRefused, Throttled
from bot.core.platform import ChatPlatform, Speaker
from bot.core.store import Delivery, Store
from bot.core.timing import Timing

log = logging.getLogger("panelist.delivery")

TRIES = 5
"""So often a request that can be repeated is made, where the platform is out of reach or asks to wait."""
UNREADABLE = (
    "a post may or may not have arrived, and this thread can not be read: look, then `continue` posts it again, or "
    "`skip` leaves it"
)
Answer = TypeVar("Answer")


class Postman:
    """Posts what stands in a session's outbox."""

    def __init__(self, *, store: Store, platforms: Mapping[str, ChatPlatform], clock: Clock, timing: Timing) -> None:
        self._store, self._platforms, self._clock, self._timing = store, platforms, clock, timing

    def platform(self, session: Session) -> ChatPlatform:
        return self._platforms[session.panel.place.platform]

    async def parts(self, session: Session, text: str, *, due: bool) -> tuple[Delivery, ...]:
        """The posts for a new entry's text; `due`: the first is sent as soon as the entry is written."""
        platform = self.platform(session)
        able = await platform.capabilities(session.panel.place)
        pieces = split(text, able.max_chars, platform.measure)
        now = self._clock.now()
        return tuple(
            Delivery(
                turn=0, part=number, parts=len(pieces), text=piece, attempted_at=now if due and number == 1 else None
            )
            for number, piece in enumerate(pieces, 1)
        )

    async def in_the_dark(self, session: Session, delivery: Delivery) -> bool:
        """True for a post of which nobody can say whether it stands in the thread."""
        if not delivery.in_doubt:
            return False
        return not (await self.platform(session).capabilities(session.panel.place)).reads_back

    async def show_thinking(self, session: Session, speaker: Speaker) -> None:
        """Show that somebody is about to speak; best effort."""
        await self._gently(self.platform(session).thinking(session.panel.place, speaker))

    async def show_card(self, session: Session, card: Card) -> None:
        """Show the card's new state, where it stands; best effort."""
        shown = session.outbox.get((CARD, 1))
        if shown and shown.ext_id:
            await self._gently(self._edited(session, shown.ext_id, card))

    async def _edited(self, session: Session, card_id: str, card: Card) -> None:
        linked = await self._with_synthesis(session, card) if session.is_("finished", "stopped") else card
        await self.platform(session).edit_card(session.panel.place, card_id, linked)

    async def _with_synthesis(self, session: Session, card: Card) -> Card:
        """The card with a link to the synthesis, and why that is not pinned."""
        pins = (e for e in reversed(session.panel.entries) if isinstance(e, Artifact) and e.what == "pin")
        pin = next(pins, None)
        if pin is None:
            return card
        address = await self.platform(session).permalink(session.panel.place, pin.ref)
        links = (*card.links, ("Synthesis", address)) if address else card.links
        notes = (*card.notes, f"The synthesis is not pinned: {pin.note}") if pin.note else card.notes
        return replace(card, links=links, notes=notes)

    async def _gently(self, showing: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(self._timing.post):
                await showing
        except (TimeoutError, PlatformError) as fault:
            log.info("not shown: %s", fault)

    async def patiently(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer to a request that may be repeated; waits where the platform is out of reach or asks to wait.

        Raises what the last try raised.
        """
        for attempt in range(TRIES):
            try:
                async with asyncio.timeout(self._timing.settle):
                    return await ask()
            except (TimeoutError, PostInDoubt, Throttled) as fault:
                wait = fault.retry_after if isinstance(fault, Throttled) else self._timing.poll * 2**attempt
                await self._clock.sleep(wait)
        raise PostInDoubt("the chat platform does not answer just now; the panel goes on when it does")

    async def deliver(self, session: Session, delivery: Delivery) -> None:
        """Bring one post to its end: confirmed, or withdrawn after a stop.

        Raises PostRefused or PlaceGone (the post is then known not to be there), PostInDoubt where the thread can
        not be read back, Fenced where another process took the panel.
        """
        tried = False
        while delivery.open:
            if delivery.attempted_at is None:
                if not session.may_say(delivery.turn):
                    return await self._withdraw(session, delivery)
                delivery = await self._armed(session, delivery)
            if session.fresh.pop((delivery.turn, delivery.part), None) == delivery.attempted_at:
                tried = True
                delivery = await self._send(session, delivery)
            else:
                delivery = await self._settle(session, delivery, tried=tried)
        return None

    async def _armed(self, session: Session, delivery: Delivery) -> Delivery:
        """Write the intent down before the post."""
        armed = replace(delivery, attempted_at=self._clock.now())
        await session.write(deliveries=(armed,))
        session.fresh[armed.turn, armed.part] = armed.attempted_at
        return armed

    async def _withdraw(self, session: Session, delivery: Delivery) -> None:
        await session.write(deliveries=(replace(delivery, attempted_at=None, withdrawn=True),))

    async def _send(self, session: Session, delivery: Delivery) -> Delivery:
        """One request. Returns the delivery as it stands afterwards."""
        post, seen = post_of(session, delivery), delivery.attempted_at
        if seen is None or not session.may_say(delivery.turn):
            await self._withdraw(session, delivery)
            return session.outbox[delivery.turn, delivery.part]
        if self._clock.now() - seen > self._timing.post:
            return delivery  # the process slept (suspend, SIGSTOP): somebody may have settled it meanwhile
        try:
            async with asyncio.timeout(self._timing.post):
                ext_id = await self.platform(session).post(session.panel.place, post)
        except (TimeoutError, PostInDoubt):
            log.info("post in doubt", extra={"panel": session.panel.id, "turn": delivery.turn})
            return delivery
        except Throttled as wait:
            await self._clock.sleep(wait.retry_after)
            return await self._rearmed(session, delivery)
        except PlatformError:  # known not to be there
            late = not session.may_say(delivery.turn)
            await session.write(deliveries=(replace(delivery, attempted_at=None, withdrawn=late),))
            if late:
                return session.outbox[delivery.turn, delivery.part]
            raise
        return await self._sent(session, delivery, ext_id)

    async def _sent(self, session: Session, delivery: Delivery, ext_id: str) -> Delivery:
        """Record the id; take our message back where another process's stands already."""
        following = session.outbox.get((delivery.turn, delivery.part + 1))
        goes_on = following is not None and following.open and session.may_say(delivery.turn)
        next_at = self._clock.now() if goes_on else None
        stands = await self._store.confirm(session.panel.id, delivery.turn, delivery.part, ext_id, next_at=next_at)
        if stands != ext_id:
            await self._take_back(session, ext_id)
        elif following and next_at is not None:
            session.know(replace(following, attempted_at=next_at))
            session.fresh[following.turn, following.part] = next_at
        confirmed = replace(delivery, ext_id=stands)
        session.know(confirmed)
        return confirmed

    async def _take_back(self, session: Session, message_id: str) -> None:
        await self.patiently(lambda: self.platform(session).take_back(session.panel.place, message_id))

    async def _settle(self, session: Session, delivery: Delivery, *, tried: bool) -> Delivery:
        """An intent that nobody confirmed: wait out stragglers, read the thread back, then record or send again.

        `tried`: one of the requests that may have arrived was ours.
        """
        seen = delivery.attempted_at or 0.0
        await self._clock.sleep(seen + self._timing.settle - self._clock.now())
        latest = await self._store.delivery(session.panel.id, delivery.turn, delivery.part)
        if latest is None or not latest.open or latest.attempted_at != seen:
            session.know(latest or replace(delivery, withdrawn=True))
            if tried and latest is not None and latest.ext_id is not None:
                await self._take_back_a_double(session, latest)
            return session.outbox[delivery.turn, delivery.part]
        if found := await self._read_back(session, delivery):
            return await self._sent(session, delivery, found)
        if not session.may_say(delivery.turn):
            await self._withdraw(session, delivery)
            return session.outbox[delivery.turn, delivery.part]
        return await self._rearmed(session, delivery)

    async def _take_back_a_double(self, session: Session, stands: Delivery) -> None:
        """Another process confirmed this post while our request was under way: ours may have arrived behind it."""
        await self._clock.sleep(self._timing.settle)
        found = await self._found(session, stands)
        if found and found != stands.ext_id:
            await self._take_back(session, found)

    async def _rearmed(self, session: Session, delivery: Delivery) -> Delivery:
        """Compare and set: one re-sender only."""
        now = self._clock.now()
        seen = delivery.attempted_at or 0.0
        won = await self._store.rearm(session.panel.id, delivery.turn, delivery.part, seen=seen, now=now)
        latest = await self._store.delivery(session.panel.id, delivery.turn, delivery.part)
        current = latest or replace(delivery, withdrawn=True)
        session.know(current)
        if won:
            session.fresh[current.turn, current.part] = now
        return current

    async def _read_back(self, session: Session, delivery: Delivery) -> str:
        """The id of the post if it stands in the thread, else an empty string."""
        able = await self.platform(session).capabilities(session.panel.place)
        if able.reads_back:
            return await self._found(session, delivery)
        if _decided(session, delivery):
            return ""
        raise PostRefused(UNREADABLE)

    async def _found(self, session: Session, delivery: Delivery) -> str:
        post = sought(session, delivery)
        found = await self.patiently(lambda: self.platform(session).find(session.panel.place, (post,)))
        return found.get(post.key, "")


def _decided(session: Session, delivery: Delivery) -> bool:
    """True when a human looked, and told the panel to go on, since the post was tried."""
    since = session.panel.running_since
    return since > delivery.turn and session.panel.entries[since - 1].at > (delivery.attempted_at or 0.0)
