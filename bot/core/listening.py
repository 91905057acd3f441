"""Taking in what people said while a panel runs: at once, one signal after the other, each in a commit of its own."""

import asyncio

from bot.core.ear import Ear
from bot.core.entries import Control
from bot.core.session import Session
from bot.core.speaking import Speaking
from bot.core.steering import outcome
from bot.core.store import Delivery, Signal, Store


class Listener:
    """The ears of one running panel."""

    def __init__(self, store: Store, session: Session, ear: Ear, speaking: Speaking) -> None:
        self._store, self._session, self._ear, self._speaking = store, session, ear, speaking
        self._one_at_a_time = asyncio.Lock()

    async def listen(self) -> None:
        """Take in at every ring, until cancelled."""
        while True:
            await self._ear.hears()
            await self.take_in()

    async def take_in(self) -> bool:
        """Everything in the inbox; false where it was empty."""
        async with self._one_at_a_time:
            signals = await self._store.signals(self._session.panel.id)
            for signal in signals:
                await self._take(signal)
            if signals:
                self._speaking.interrupt(self._session)
            return bool(signals)

    async def _take(self, signal: Signal) -> None:
        session = self._session
        followed = outcome(session.panel, signal.entry).entries if isinstance(signal.entry, Control) else ()
        stops = any(entry.kind == "status" and entry.status == "stopped" for entry in followed)
        withdrawn = tuple(_withdrawn(d) for d in session.undelivered() if stops and d.attempted_at is None)
        await session.write(signal.entry, *followed, deliveries=withdrawn, taken=(signal.id,))


def _withdrawn(delivery: Delivery) -> Delivery:
    """A post that a stop came before: it will never be sent."""
    return Delivery(turn=delivery.turn, part=delivery.part, parts=delivery.parts, text=delivery.text, withdrawn=True)
