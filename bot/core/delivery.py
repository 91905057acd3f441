"""Getting a written-down turn into the thread exactly once: intent before post, settle and read back, record the id."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace

from bot.core.clock import Clock
from bot.core.errors import PlatformError, PostInDoubt, PostRefused, Throttled
from bot.core.platform import ChatPlatform
from bot.core.posts import post_of
from bot.core.session import Session
from bot.core.splitting import split
from bot.core.store import Delivery, Store
from bot.core.timing import Timing

log = logging.getLogger("panelist.delivery")

READ_BACK_TRIES = 5


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

    async def deliver(self, session: Session, delivery: Delivery) -> None:
        """Bring one post to its end: confirmed, or withdrawn after a stop.

        Raises PostRefused or PlaceGone (the post is then known not to be there), PostInDoubt where the thread can
        not be read back, Fenced where another process took the panel.
        """
        while delivery.open:
            if delivery.attempted_at is None:
                if not self._may_send(session):
                    return await self._withdraw(session, delivery)
                delivery = await self._armed(session, delivery)
            if session.fresh.pop((delivery.turn, delivery.part), None) == delivery.attempted_at:
                delivery = await self._send(session, delivery)
            else:
                delivery = await self._settle(session, delivery)
        return None

    def _may_send(self, session: Session) -> bool:
        """After a stop nothing more is posted; an answer to a question may be, whatever the panel's state."""
        return not session.is_("stopped", "failed") or session.answering

    async def _armed(self, session: Session, delivery: Delivery) -> Delivery:
        """Write the intent down before the post."""
        armed = replace(delivery, attempted_at=self._clock.now())
        await session.write(deliveries=(armed,))
        session.fresh[(armed.turn, armed.part)] = armed.attempted_at
        return armed

    async def _withdraw(self, session: Session, delivery: Delivery) -> None:
        await session.write(deliveries=(replace(delivery, attempted_at=None, withdrawn=True),))

    async def _send(self, session: Session, delivery: Delivery) -> Delivery:
        """One request. Returns the delivery as it stands afterwards."""
        if delivery.attempted_at is None or not self._may_send(session):
            await self._withdraw(session, delivery)
            return session.outbox[(delivery.turn, delivery.part)]
        if self._clock.now() - delivery.attempted_at > self._timing.post:
            return delivery  # the process slept (suspend, SIGSTOP): somebody may have settled it meanwhile
        post = post_of(session, delivery)
        try:
            async with asyncio.timeout(self._timing.post):
                ext_id = await self.platform(session).post(session.panel.place, post)
        except (TimeoutError, PostInDoubt):
            log.info("post in doubt", extra={"panel": session.panel.id, "turn": delivery.turn})
            return delivery
        except Throttled as wait:
            await self._clock.sleep(wait.retry_after)
            return await self._rearmed(session, delivery)
        except PlatformError:
            await session.write(deliveries=(replace(delivery, attempted_at=None),))  # known not to be there
            raise
        return await self._sent(session, delivery, ext_id)

    async def _sent(self, session: Session, delivery: Delivery, ext_id: str) -> Delivery:
        """Record the id; take our message back where another process's stands already."""
        following = session.outbox.get((delivery.turn, delivery.part + 1))
        next_at = self._clock.now() if following and following.open and self._may_send(session) else None
        stands = await self._store.confirm(session.panel.id, delivery.turn, delivery.part, ext_id, next_at=next_at)
        if stands != ext_id:
            await self.platform(session).take_back(session.panel.place, ext_id)
        elif following and next_at is not None:
            session.know(replace(following, attempted_at=next_at))
            session.fresh[(following.turn, following.part)] = next_at
        confirmed = replace(delivery, ext_id=stands)
        session.know(confirmed)
        return confirmed

    async def _settle(self, session: Session, delivery: Delivery) -> Delivery:
        """An intent that nobody confirmed: wait out stragglers, read the thread back, then record or send again."""
        seen = delivery.attempted_at or 0.0
        await self._clock.sleep(seen + self._timing.settle - self._clock.now())
        latest = await self._store.delivery(session.panel.id, delivery.turn, delivery.part)
        if latest is None or not latest.open or latest.attempted_at != seen:
            session.know(latest or replace(delivery, withdrawn=True))
            return session.outbox[(delivery.turn, delivery.part)]
        found = await self._read_back(session, delivery)
        if found:
            return await self._sent(session, delivery, found)
        if not self._may_send(session):
            await self._withdraw(session, delivery)
            return session.outbox[(delivery.turn, delivery.part)]
        return await self._rearmed(session, delivery)

    async def _rearmed(self, session: Session, delivery: Delivery) -> Delivery:
        """Compare and set: one re-sender only."""
        now = self._clock.now()
        seen = delivery.attempted_at or 0.0
        won = await self._store.rearm(session.panel.id, delivery.turn, delivery.part, seen=seen, now=now)
        latest = await self._store.delivery(session.panel.id, delivery.turn, delivery.part)
        current = latest or replace(delivery, withdrawn=True)
        session.know(current)
        if won:
            session.fresh[(current.turn, current.part)] = now
        return current

    async def _read_back(self, session: Session, delivery: Delivery) -> str:
        """The id of the post if it stands in the thread, else an empty string."""
        platform = self.platform(session)
        able = await platform.capabilities(session.panel.place)
        if not able.reads_back:
            raise PostRefused("a post may or may not have arrived and this thread can not be read: look, then continue")
        post = post_of(session, delivery)
        for attempt in range(READ_BACK_TRIES):
            try:
                async with asyncio.timeout(self._timing.settle):
                    return (await platform.find(session.panel.place, (post,))).get(post.key, "")
            except (TimeoutError, PostInDoubt, Throttled) as fault:
                wait = fault.retry_after if isinstance(fault, Throttled) else self._timing.poll * 2**attempt
                await self._clock.sleep(wait)
        raise PostInDoubt("the thread can not be read back just now; the panel goes on when it can")
