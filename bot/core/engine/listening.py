"""Taking in what people said while a panel runs: at once, one signal after the other, each in a commit of its own."""

import asyncio
from dataclasses import replace

from bot.core.engine.ear import Ear
from bot.core.engine.session import Session
from bot.core.engine.speaking import Speaking
from bot.core.entries import StatusChanged
from bot.core.steering.outcome import entries_of
from bot.core.store import Signal, Store


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
                self._speaking.interrupt(self._session)
            return bool(signals)

    async def _take(self, signal: Signal) -> None:
        session = self._session
        entries = entries_of(session.panel, signal.entry)
        stops = any(isinstance(entry, StatusChanged) and entry.status == "stopped" for entry in entries)
        withdrawn = tuple(replace(d, withdrawn=True) for d in session.undelivered() if stops and not d.in_doubt)
        await session.write(*entries, deliveries=withdrawn, taken=(signal.id,))
