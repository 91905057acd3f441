"""The heart: load the log, fold it to the state, ask the format what comes next, speak, write down, post, write down,
again. Safe to stop at any instant and to start again in any process; a process whose epoch is stale stops by itself.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Literal

from bot.core.archive import Archive
from bot.core.budget import Purse
from bot.core.card_of import card
from bot.core.clock import Clock
from bot.core.delivery import Postman
from bot.core.ear import Ear
from bot.core.entries import Artifact, Closing, Control, Event, Placed, Status, StatusChanged
from bot.core.errors import Fenced, PlaceGone, PlatformError, ProviderDown, RecordInvalid, StoreError
from bot.core.fold import fold
from bot.core.format import Close, Cue, End, Format, Rest, Speak
from bot.core.listening import Listener
from bot.core.persona import HOST
from bot.core.phases import cold
from bot.core.platform import ChatPlatform
from bot.core.posts import CARD
from bot.core.session import Session
from bot.core.speaking import Speaking
from bot.core.store import Store
from bot.core.timing import Timing
from bot.core.tools import Toolboxes
from bot.core.voices import Voices

log = logging.getLogger("panelist.orchestrator")


class Orchestrator:
    """Runs panels, each until it rests: waiting, paused, or over."""

    def __init__(
        self,
        *,
        store: Store,
        platforms: Mapping[str, ChatPlatform],
        formats: Mapping[str, Format],
        voices: Voices,
        purse: Purse,
        archive: Archive,
        toolboxes: Toolboxes,
        clock: Clock,
        timing: Timing,
        owner: str,
    ) -> None:
        self._store, self._platforms, self._formats, self._clock = store, platforms, formats, clock
        self._purse, self._archive, self._timing, self._owner = purse, archive, timing, owner
        self._postman = Postman(store=store, platforms=platforms, clock=clock, timing=timing)
        self._speaking = Speaking(voices=voices, postman=self._postman, toolboxes=toolboxes)
        self._ears: dict[str, Ear] = {}

    def ring(self, panel: str) -> None:
        """Somebody said something to that panel; where it runs here, it hears it now."""
        if ear := self._ears.get(panel):
            ear.ring()

    async def run(self, panel: str) -> None:
        """Claim the panel and bring it as far as it goes.

        Raises NotFound, and NotAllowed while another living process runs it.
        """
        stale_before = self._clock.now() - self._timing.stale
        epoch = await self._store.claim(panel, self._owner, stale_before=stale_before)
        session = await Session.claimed(self._store, self._clock, panel, epoch)
        ear = self._ears.setdefault(panel, Ear())
        listener = Listener(self._store, session, ear, self._speaking)
        hearing = asyncio.create_task(listener.listen())
        try:
            await self._work(session, listener)
        except Fenced:
            log.warning("another process took the panel over", extra={"panel": panel})
            return
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
            self._ears.pop(panel, None)
        await self._store.release(panel, epoch)

    async def _work(self, session: Session, listener: Listener) -> None:
        while True:
            try:
                await listener.take_in()
                if not await self._advance(session) and not await listener.take_in():
                    return
            except ProviderDown as fault:
                await session.become("paused", f"provider: {fault}")
            except PlaceGone as fault:
                await session.become("failed", f"the thread is gone: {fault}")
            except PlatformError as fault:
                await session.become("paused", f"platform: {fault}")

    async def _advance(self, session: Session) -> bool:
        """One durable step; true where another may follow. Repeating it never says or posts anything twice."""
        if await self._show_card(session):
            return True
        if session.is_("finished", "stopped", "failed"):
            return await self._after_the_end(session)
        if not session.running:
            return await self._deliver_what_is_under_way(session)
        return await self._speak(session)

    async def _show_card(self, session: Session) -> bool:
        card = session.outbox.get((CARD, 1))
        if card is None or session.is_("failed"):
            return False
        if card.open:
            await self._postman.deliver(session, card)
            return True
        if session.panel.place.thread or not card.ext_id:
            return False
        place = await self._postman.platform(session).thread(session.panel.place, card.ext_id)
        await session.write(Placed(place=place))
        return True

    async def _speak(self, session: Session) -> bool:
        panel = session.panel
        format_ = self._formats[panel.format]
        if panel.asks and not cold(panel):
            await self._speaking.one(session, answer_cue(panel.asks[0], panel.round), format_)
            return True
        match format_.next(panel):
            case Speak(cues=cues, parallel=True):
                if reason := self._purse.refuses(panel, format_, cues):
                    return await self._at_the_cap(session, reason)
                await self._speaking.together(session, cues, format_)
            case move if session.undelivered():
                await self._postman.deliver(session, session.undelivered()[0])
                _ = move
            case Speak(cues=cues):
                if reason := self._purse.refuses(panel, format_, cues[:1]):
                    return await self._at_the_cap(session, reason)
                await self._speaking.one(session, cues[0], format_)
            case Close(reason=reason):
                await session.write(Closing(reason=reason))
            case Rest(status=status, reason=reason):
                await session.become(status, reason)
            case End(status=status, reason=reason):
                await self._finish(session, status, reason)
        await self._refresh_card(session)
        return True

    async def _at_the_cap(self, session: Session, reason: str) -> bool:
        """Discussion and debate close with what there is; review and council wait for a higher cap."""
        if session.panel.format in ("discussion", "debate") and not session.panel.closing:
            await session.write(Event(name="budget", reason=reason), Closing(reason="budget"))
        else:
            await session.become("waiting", f"budget: {reason}")
        return True

    async def _deliver_what_is_under_way(self, session: Session) -> bool:
        """A pause lets the running turn finish: what was tried already is brought to its end."""
        for delivery in session.undelivered():
            if delivery.in_doubt or any(part.ext_id for part in session.parts_of(delivery.turn)):
                await self._postman.deliver(session, delivery)
                return True
        await self._refresh_card(session)
        return False

    async def _after_the_end(self, session: Session) -> bool:
        """Settle what was under way, save the transcript after a stop, answer questions; then rest."""
        if session.is_("failed"):
            await self._keep(session)
            await self._refresh_card(session)
            return False
        for delivery in session.undelivered():
            await self._postman.deliver(session, delivery)
            return True
        if "transcript" not in session.panel.artifacts:
            await self._keep(session)
        if session.panel.asks:
            session.answering = True
            format_ = self._formats[session.panel.format]
            await self._speaking.one(session, answer_cue(session.panel.asks[0], session.panel.round), format_)
            return True
        session.answering = False
        await self._refresh_card(session)
        return False

    async def _finish(self, session: Session, status: Literal["finished", "failed"], reason: str) -> None:
        """Pin the synthesis, keep transcript and record, attach them, and only then call it finished."""
        entries = await self._pinned(session)
        await session.write(*entries, Event(name="ended", reason=reason))
        await self._keep(session, as_status=status)
        await session.become(status, reason)

    async def _pinned(self, session: Session) -> tuple[Artifact, ...]:
        synthesis = next((t for t in reversed(session.panel.turns) if t.turn_kind == "synthesis"), None)
        parts = session.parts_of(synthesis.seq) if synthesis else ()
        message = next((part.ext_id for part in parts if part.ext_id), None)
        if not message or session.panel.artifacts.get("pin") == message:
            return ()
        platform, place = self._postman.platform(session), session.panel.place
        entries: list[Artifact] = []
        if earlier := session.panel.artifacts.get("pin"):
            await platform.unpin(place, earlier)
            entries.append(Artifact(what="unpinned", ref=earlier))
        why_not = await platform.pin(place, message)
        return (*entries, Artifact(what="pin", ref=message, note=why_not))

    async def _keep(self, session: Session, as_status: Status | None = None) -> None:
        """Write transcript and record, as they will stand once the panel has that status."""
        panel = session.panel
        if as_status:
            last = StatusChanged(seq=panel.last_seq + 1, at=self._clock.now(), status=as_status)
            panel = fold(panel, (last,))
        try:
            kept = await self._archive.keep(panel, tuple(session.outbox.values()))
        except (RecordInvalid, StoreError) as fault:
            log.error("nothing kept", extra={"panel": panel.id})
            await session.write(Event(name="not kept", reason=str(fault)))
            return
        message = ""
        if not session.is_("failed"):
            place = session.panel.place
            message = await self._postman.platform(session).attach(place, f"{panel.id}:files", kept.attachments)
        artifacts = [
            Artifact(what="transcript", ref=kept.transcript_path),
            Artifact(what="record", ref=kept.record_path),
        ]
        if message:
            artifacts.append(Artifact(what="attached", ref=message))
        await session.write(*artifacts)

    async def _refresh_card(self, session: Session) -> None:
        """Show the card's new state, where the platform can."""
        shown = session.outbox.get((CARD, 1))
        if shown and shown.ext_id:
            await self._postman.platform(session).edit_card(session.panel.place, shown.ext_id, card(session.panel))


def answer_cue(ask: Control, round_: int) -> Cue:
    """The turn that answers a human's question to one persona, or to the host."""
    return Cue(
        kind="answer",
        persona=ask.persona or HOST,
        round=round_,
        prompt="answer" if ask.persona and ask.persona != HOST else "answer_host",
        ref=ask.seq,
    )
