"""One turn, or a parallel round of turns: think, write down, post; interruptible by `stop` and `skip` at any moment."""

import asyncio
from dataclasses import replace

from bot.core.engine.delivery import Postman
from bot.core.engine.job import Job
from bot.core.engine.posts import speaker_of
from bot.core.engine.session import Session
from bot.core.entries import Recap, Skipped, Turn
from bot.core.errors import NoModel, PlaceGone, PlatformError, ProviderDown
from bot.core.formats.format import Cue, Format
from bot.core.measured import Usage
from bot.core.model import Progress
from bot.core.panel import Panel
from bot.core.speech.recap import recap_cue, recap_due, until
from bot.core.speech.voices import Voices
from bot.core.store import Delivery
from bot.core.tools import Toolboxes

Key = tuple[str, int, str, int]


class Speaking:
    """Lets cues become turns in the thread."""

    def __init__(self, *, voices: Voices, postman: Postman, toolboxes: Toolboxes) -> None:
        self._voices, self._postman, self._toolboxes = voices, postman, toolboxes

    async def one(self, session: Session, cue: Cue, format_: Format) -> None:
        """A sequential turn, from thought to the confirmed post."""
        if await self._called_off(session, cue, format_):
            return
        await self._postman.show_thinking(session, speaker_of(session.panel, cue.persona))
        if await self._called_off(session, cue, format_):
            return
        entry = await self._think(session, cue, format_, Progress())
        seq = await self._write(session, entry, due=True)
        for delivery in session.parts_of(seq):
            await self._postman.deliver(session, session.outbox[delivery.turn, delivery.part])

    async def recap(self, session: Session, format_: Format) -> bool:
        """Put the older part of the talk into a recap where one is due; false where none is."""
        panel = session.panel
        due = recap_due(panel, format_, await self._voices.window(panel))
        if not due:
            return False
        entry = await self._think(session, recap_cue(panel), format_, Progress(), seen=until(panel, due))
        if isinstance(entry, Turn):
            recap = Recap(until=due, text=entry.text, usage=entry.usage, cost_usd=entry.cost_usd, model=entry.model)
            await session.write(recap)
        else:
            await session.write(entry)
        return True

    async def together(self, session: Session, cues: tuple[Cue, ...], format_: Format) -> None:
        """A parallel round: calls at the same time, posts in speaking order as soon as each one's predecessor stands.

        The first call to each model starts alone; the others follow at its first event, so that they read its cache.
        A post that is refused holds the later ones up, not the calls: each of them is paid for and written down.
        """
        due = [cue for cue in cues if not await self._called_off(session, cue, format_)]
        tasks = self._started(session, due, format_)
        try:
            refused = await self._in_order(session, due, tasks)
            await asyncio.gather(*tasks)  # raises what a call raised
            if refused:
                raise refused
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _in_order(
        self, session: Session, due: list[Cue], tasks: list[asyncio.Task[None]]
    ) -> PlatformError | None:
        """Post what is ready until every call has ended; returns what the platform refused."""
        refused: PlatformError | None = None
        while True:
            delivery = None if refused else self.next_due(session, due)
            thinking = [task for task in tasks if not _ended(task)]
            if delivery and session.running:
                try:
                    await self.deliver(session, delivery)
                except PlaceGone:
                    raise
                except PlatformError as fault:
                    refused = fault
            elif thinking:
                await asyncio.wait(thinking, return_when=asyncio.FIRST_COMPLETED)
            else:
                return refused

    def next_due(self, session: Session, cues: list[Cue]) -> Delivery | None:
        """The next open post, unless somebody who speaks before it in one of these parallel turns is to speak yet."""
        waiting = [cue for cue in cues if cue.key not in session.panel.done]
        for delivery in session.undelivered():
            turn = session.turn(delivery.turn)
            before = (
                turn is not None and cue.order < turn.order and (cue.kind, cue.round) == (turn.turn_kind, turn.round)
                for cue in waiting
            )
            if not any(before):
                return delivery
        return None

    async def deliver(self, session: Session, delivery: Delivery) -> None:
        """Bring one post to its end, or leave it out where a human's `skip` came before it."""
        turn = session.turn(delivery.turn)
        unsent = not session.was_sent(delivery.turn) or await self._postman.in_the_dark(session, delivery)
        if turn is None or not unsent or not {turn.persona, ""} & set(session.panel.skips):
            return await self._postman.deliver(session, delivery)
        cue = Cue(kind=turn.turn_kind, persona=turn.persona, round=turn.round, prompt="")
        dropped = [replace(part, withdrawn=True) for part in session.parts_of(turn.seq) if part.open]
        await session.write(self._cancelled(session, cue, Usage(), "skip"), deliveries=dropped)
        return None

    def interrupt(self, session: Session) -> None:
        """Cancel the calls that a word just taken in makes pointless."""
        if session.is_("stopped", "failed"):
            for job in session.jobs.values():
                job.cancel("stopped")
            return
        asked = {ask.seq for ask in session.panel.asks}
        for job in session.jobs.values():
            if job.cue.kind == "answer" and job.cue.ref not in asked:
                job.cancel("stopped")
        for word in session.panel.skips:
            jobs = sorted(session.jobs.values(), key=lambda job: job.cue.order)
            wanted = [job for job in jobs if job.skippable and word in ("", job.cue.persona) and not job.why]
            if wanted:
                wanted[0].cancel("skip")

    def _started(self, session: Session, cues: list[Cue], format_: Format) -> list[asyncio.Task[None]]:
        warm: dict[str, Progress] = {}
        tasks: list[asyncio.Task[None]] = []
        for cue in cues:
            model = self._model(session, cue)
            first = warm.get(model)
            progress = Progress()
            warm.setdefault(model, progress)
            tasks.append(asyncio.create_task(self._in_round(session, cue, format_, progress, first)))
        return tasks

    async def _in_round(
        self, session: Session, cue: Cue, format_: Format, progress: Progress, after: Progress | None
    ) -> None:
        try:
            if after is not None:
                await after.started.wait()
                if await self._called_off(session, cue, format_):
                    return
            await self._write(session, await self._think(session, cue, format_, progress), due=False)
        finally:
            progress.started.set()

    async def _think(
        self, session: Session, cue: Cue, format_: Format, progress: Progress, seen: Panel | None = None
    ) -> Turn | Skipped:
        """The call, with a handle for interruptions. What it cost is in the entry, whatever came of it.

        `seen` is the panel as the speaker sees it, where that is not as it stands.
        """
        toolbox = self._toolboxes.of(session.panel.opened.documents) if cue.tools else None
        call = asyncio.create_task(self._voices.say(seen or session.panel, cue, format_, progress, toolbox))
        job = session.jobs[cue.key] = Job(cue=cue, call=call, skippable=format_.skippable(cue))
        try:
            return await call
        except asyncio.CancelledError:
            if not job.why or _is_cancelled():
                raise
            return self._cancelled(session, cue, progress.usage, job.why)
        except ProviderDown:
            if progress.usage != Usage():
                await session.write(self._cancelled(session, cue, progress.usage, "provider"))
            raise
        finally:
            session.jobs.pop(cue.key, None)
            call.cancel()

    def _cancelled(self, session: Session, cue: Cue, usage: Usage, why: str) -> Skipped:
        return Skipped(
            turn_kind=cue.kind,
            round=cue.round,
            persona=cue.persona,
            reason="skipped by a human" if why == "skip" else why,
            by_human=why == "skip",
            withdrawn=why != "skip",
            ref=cue.ref,
            usage=usage,
            cost_usd=0.0
            if usage == Usage()
            else self._voices.cost(self._voices.model_of(session.panel, cue.persona), usage),
            model=self._model(session, cue),
        )

    def _model(self, session: Session, cue: Cue) -> str:
        """Who answers for the cue's persona; empty where nobody does: then the call says why."""
        try:
            return str(self._voices.model_of(session.panel, cue.persona))
        except NoModel:
            return ""

    async def _write(self, session: Session, entry: Turn | Skipped, *, due: bool) -> int:
        """Write the entry down with the intents for its posts; returns its `seq`."""
        deliveries = await self._postman.parts(session, entry.text, due=due) if isinstance(entry, Turn) else ()
        written = await session.write(entry, deliveries=deliveries)
        return written[0].seq

    async def _called_off(self, session: Session, cue: Cue, format_: Format) -> bool:
        """True where nobody should think about this turn any more: a pause, a stop or a `skip` came first."""
        if not _wanted(session, cue):
            return True
        if not format_.skippable(cue) or not {cue.persona, ""} & set(session.panel.skips):
            return False
        await session.write(self._cancelled(session, cue, Usage(), "skip"))
        return True


def _wanted(session: Session, cue: Cue) -> bool:
    if cue.kind != "answer":
        return session.running
    return cue.ref in {ask.seq for ask in session.panel.asks} and not session.is_("waiting", "paused", "failed")


def _ended(task: asyncio.Task[None]) -> bool:
    """True when the call is over. Raises what ends the whole round: all but a provider that is down."""
    if not task.done():
        return False
    fault = None if task.cancelled() else task.exception()
    if fault is not None and not isinstance(fault, ProviderDown):
        raise fault
    return True


def _is_cancelled() -> bool:
    """True when it is this task that somebody wants to end, not only the call in it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
