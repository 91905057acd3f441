"""The heart: load the log, fold it to the state, ask the format what comes next, speak, write down, post, write down,
again. Safe to stop at any instant and to start again in any process; a process whose epoch is stale stops by itself.
"""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bot.core.archive import Archive
from bot.core.clock import Clock
from bot.core.engine.delivery import Postman
from bot.core.engine.ear import Ear
from bot.core.engine.keeping import Keeping
from bot.core.engine.listening import Listener
from bot.core.engine.posts import CARD
from bot.core.engine.session import Session
from bot.core.engine.speaking import Speaking
from bot.core.entries import Closing, Control, Event, Placed, Skipped
from bot.core.errors import Fenced, PlaceGone, PlatformError, PostInDoubt, ProviderDown, StoreError, Throttled
from bot.core.formats.format import Close, Cue, End, Format, Rest, Speak
from bot.core.persona import HOST
from bot.core.phases import cold, ended
from bot.core.platform import ChatPlatform
from bot.core.records.card_of import card
from bot.core.speech.budget import Purse
from bot.core.speech.voices import Voices
from bot.core.store import Store
from bot.core.timing import Timing
from bot.core.tools import Toolboxes

log = logging.getLogger("panelist.orchestrator")

PASSING = ("provider", "out of reach")
"""How the reasons of those pauses begin that pass by themselves: a server tries again."""


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
        self._store, self._formats, self._clock = store, formats, clock
        self._purse, self._timing, self._owner = purse, timing, owner
        self._postman = Postman(store=store, platforms=platforms, clock=clock, timing=timing)
        self._speaking = Speaking(voices=voices, postman=self._postman, toolboxes=toolboxes)
        self._keeping = Keeping(archive=archive, postman=self._postman, clock=clock)
        self._ears: dict[str, Ear] = {}

    @property
    def listens(self) -> bool:
        """True while some panel runs here."""
        return bool(self._ears)

    def ring(self, panel: str) -> None:
        """Somebody said something to that panel; where it runs here, it hears it now."""
        if ear := self._ears.get(panel):
            ear.ring()

    async def run(self, panel: str) -> None:
        """Claim the panel and bring it as far as it goes.

        Raises NotFound, NotAllowed while another living process runs it, and StoreError.
        """
        stale_before = self._clock.now() - self._timing.stale
        epoch = await self._store.claim(panel, self._owner, stale_before=stale_before)
        broken = False
        try:
            await self._lead(await Session.claimed(self._store, self._clock, panel, epoch))
        except Fenced:
            log.warning("another process took the panel over", extra={"panel": panel})
        except StoreError:
            broken = True  # what can not be written can not be given back either
            raise
        finally:
            if not broken:
                with suppress(StoreError):
                    await self._store.release(panel, epoch)

    async def _lead(self, session: Session) -> None:
        panel = session.panel.id
        ear = self._ears[panel] = Ear()
        listener = Listener(self._store, session, ear, self._speaking)
        try:
            await _beside(self._work(session, listener), listener.listen())
        finally:
            if self._ears.get(panel) is ear:
                del self._ears[panel]

    async def _work(self, session: Session, listener: Listener) -> None:
        await listener.take_in()
        while True:
            try:
                goes_on = await self._advance(session)
            except (ProviderDown, PlatformError) as fault:
                goes_on = await self._gave_way(session, fault)
            if not await listener.take_in() and not goes_on:
                return

    async def _gave_way(self, session: Session, fault: ProviderDown | PlatformError) -> bool:
        """Rest, with the reason in the log; true where something is left to do. What has ended stays ended."""
        log.warning("the panel rests: %s", fault, extra={"panel": session.panel.id})
        if ended(session.panel):
            return False
        if isinstance(fault, PlaceGone):
            await session.become("failed", f"the thread is gone: {fault}")
            return True
        await session.become("paused", f"{_where(fault)}: {fault}")
        await self._postman.show_card(session, card(session.panel))
        return False

    async def _advance(self, session: Session) -> bool:
        """One durable step; true where another may follow. Repeating it never says or posts anything twice."""
        if session.is_("failed"):
            await self._keeping.bring_up_to_date(session)
            await self._postman.show_card(session, card(session.panel))
            return False
        if await self._placed_card(session):
            return True
        if session.is_("finished", "stopped"):
            return await self._after_the_end(session)
        if not session.running:
            return await self._deliver_what_is_under_way(session)
        return await self._speak(session)

    async def _placed_card(self, session: Session) -> bool:
        """True where a step was needed for the card, or for the thread that the platform makes of it."""
        first = session.outbox.get((CARD, 1))
        if first is None:
            return False
        if first.open:
            await self._postman.deliver(session, first)
            return True
        if session.panel.place.thread or not first.ext_id:
            return False
        platform, place, card_id = self._postman.platform(session), session.panel.place, first.ext_id
        thread = await self._postman.patiently(lambda: platform.thread(place, card_id))
        await session.write(Placed(place=thread))
        return True

    async def _speak(self, session: Session) -> bool:
        panel = session.panel
        format_ = self._formats[panel.format]
        move = format_.next(panel)
        parallel = list(move.cues) if isinstance(move, Speak) and move.parallel else []
        if delivery := self._speaking.next_due(session, parallel):
            await self._speaking.deliver(session, delivery)
        elif panel.asks and not cold(panel):
            await self._answer(session, format_)
        else:
            match move:
                case Speak(cues=cues):
                    await self._take_turns(session, cues if move.parallel else cues[:1], format_)
                case Close(reason=reason):
                    await session.write(Closing(reason=reason))
                case Rest(status=status, reason=reason):
                    await session.become(status, reason)
                case End(status=status, reason=reason):
                    await self._keeping.finish(session, status, reason)
        await self._postman.show_card(session, card(session.panel))
        return True

    async def _take_turns(self, session: Session, cues: tuple[Cue, ...], format_: Format) -> None:
        if reason := self._purse.refuses(session.panel, format_, cues):
            await self._rest_at_the_cap(session, reason, cues, format_)
        elif await self._speaking.recap(session, format_):
            return
        elif len(cues) > 1:
            await self._speaking.together(session, cues, format_)
        else:
            await self._speaking.one(session, cues[0], format_)

    async def _rest_at_the_cap(self, session: Session, reason: str, cues: tuple[Cue, ...], format_: Format) -> None:
        """Discussion and debate close with what there is; review and council wait for a higher cap.

        Where not even the closing can be paid, summaries are left out and the synthesis is put together by rule.
        """
        if session.panel.format not in ("discussion", "debate"):
            await session.become("waiting", f"budget: {reason}")
        elif not session.panel.closing:
            await session.write(Event(name="budget", reason=reason), Closing(reason="budget"))
        elif cues[0].persona == HOST:
            await self._speaking.one(session, replace(cues[0], by_code=True), format_)
        else:
            left_out = [
                Skipped(turn_kind=cue.kind, round=cue.round, persona=cue.persona, reason=reason) for cue in cues
            ]
            await session.write(*left_out)

    async def _answer(self, session: Session, format_: Format) -> None:
        """Answer the oldest question, or say that the cap does not allow it."""
        cue = answer_cue(session.panel.asks[0], session.panel.round)
        if reason := self._purse.refuses(session.panel, format_, (cue,)):
            refused = Skipped(turn_kind="answer", round=cue.round, persona=cue.persona, ref=cue.ref, reason=reason)
            await session.write(refused)
        else:
            await self._speaking.one(session, cue, format_)

    async def _deliver_what_is_under_way(self, session: Session) -> bool:
        """A pause lets the running turn finish: what was tried already is brought to its end."""
        for delivery in session.undelivered():
            if delivery.in_doubt or any(part.ext_id for part in session.parts_of(delivery.turn)):
                await self._speaking.deliver(session, delivery)
                return True
        await self._postman.show_card(session, card(session.panel))
        return False

    async def _after_the_end(self, session: Session) -> bool:
        """Settle what was under way, keep what is to be kept, answer questions; then rest."""
        for delivery in session.undelivered():
            await self._postman.deliver(session, delivery)
            return True
        await self._keeping.bring_up_to_date(session)
        if session.panel.asks:
            await self._answer(session, self._formats[session.panel.format])
            return True
        await self._postman.show_card(session, card(session.panel))
        return False


def answer_cue(ask: Control, round_: int) -> Cue:
    """The turn that answers a human's question to one persona, or to the host."""
    return Cue(
        kind="answer",
        persona=ask.persona or HOST,
        round=round_,
        prompt="answer" if ask.persona and ask.persona != HOST else "answer_host",
        ref=ask.seq,
    )


def _where(fault: ProviderDown | PlatformError) -> str:
    """The first word of the reason for a pause."""
    if isinstance(fault, ProviderDown):
        return "provider"
    return "out of reach" if isinstance(fault, PostInDoubt | Throttled) else "platform"


async def _beside(work: Coroutine[Any, Any, None], companion: Coroutine[Any, Any, None]) -> None:
    """Do the work with a companion that never ends by itself; a fault of either ends both."""
    tasks = [asyncio.create_task(work), asyncio.create_task(companion)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
