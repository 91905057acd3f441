"""One turn, or a parallel round of turns: think, write down, post; interruptible by `stop` and `skip` at any moment."""

import asyncio
from dataclasses import replace

from bot.core.delivery import Postman
from bot.core.entries import Skipped, Turn, Usage
from bot.core.errors import ProviderDown
from bot.core.format import Cue, Format
from bot.core.job import Job
from bot.core.model import Progress
from bot.core.posts import speaker_of
from bot.core.session import Session
from bot.core.store import Delivery
from bot.core.tools import Toolboxes
from bot.core.voices import Voices

Key = tuple[str, int, str, int]


class Speaking:
    """Lets cues become turns in the thread."""

    def __init__(self, *, voices: Voices, postman: Postman, toolboxes: Toolboxes) -> None:
        self._voices, self._postman, self._toolboxes = voices, postman, toolboxes

    async def one(self, session: Session, cue: Cue, format_: Format) -> None:
        """A sequential turn, from thought to the confirmed post."""
        if await self._skipped_before(session, cue, format_):
            return
        await self._postman.platform(session).thinking(session.panel.place, speaker_of(session.panel, cue.persona))
        entry = await self._think(session, cue, format_, Progress())
        seq = await self._write(session, entry, due=True)
        for delivery in session.parts_of(seq):
            await self._postman.deliver(session, session.outbox[(delivery.turn, delivery.part)])

    async def together(self, session: Session, cues: tuple[Cue, ...], format_: Format) -> None:
        """A parallel round: calls at the same time, posts in speaking order as soon as each one's predecessor stands.

        The first call to each model starts alone; the others follow at its first event, so that they read its cache.
        """
        due = [cue for cue in cues if not await self._skipped_before(session, cue, format_)]
        tasks = self._started(session, due, format_)
        try:
            while True:
                unfinished = [cue.order for cue in due if not tasks[cue.key].done()]
                delivery = self._next_due(session, min(unfinished, default=None))
                if delivery and session.running:
                    await self._deliver_or_drop(session, delivery)
                elif unfinished:
                    await asyncio.wait(
                        [task for task in tasks.values() if not task.done()], return_when=asyncio.FIRST_COMPLETED
                    )
                else:
                    break
            await asyncio.gather(*tasks.values())  # raises what a call raised
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

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
            wanted = [job for job in jobs if word in ("", job.cue.persona) and not job.why]
            if wanted:
                wanted[0].cancel("skip")

    def _started(self, session: Session, cues: list[Cue], format_: Format) -> dict[Key, asyncio.Task[None]]:
        warm: dict[str, Progress] = {}
        tasks: dict[Key, asyncio.Task[None]] = {}
        for cue in cues:
            model = str(self._voices.model_of(session.panel, cue.persona))
            first = warm.get(model)
            progress = Progress()
            warm.setdefault(model, progress)
            tasks[cue.key] = asyncio.create_task(self._in_round(session, cue, format_, progress, first))
        return tasks

    async def _in_round(
        self, session: Session, cue: Cue, format_: Format, progress: Progress, after: Progress | None
    ) -> None:
        try:
            if after is not None:
                await after.started.wait()
            await self._write(session, await self._think(session, cue, format_, progress), due=False)
        finally:
            progress.started.set()

    async def _think(self, session: Session, cue: Cue, format_: Format, progress: Progress) -> Turn | Skipped:
        """The call, with a handle for interruptions. What it cost is in the entry, whatever came of it."""
        toolbox = self._toolboxes.of(session.panel.opened.documents) if cue.tools else None
        call = asyncio.create_task(self._voices.say(session.panel, cue, format_, progress, toolbox))
        job = session.jobs[cue.key] = Job(cue=cue, call=call)
        try:
            return await call
        except asyncio.CancelledError:
            if not job.why:
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
        model = self._voices.model_of(session.panel, cue.persona)
        return Skipped(
            turn_kind=cue.kind,
            round=cue.round,
            persona=cue.persona,
            reason="skipped by a human" if why == "skip" else why,
            by_human=why == "skip",
            withdrawn=why != "skip",
            ref=cue.ref,
            usage=usage,
            cost_usd=self._voices.cost(model, usage),
            model=str(model),
        )

    async def _write(self, session: Session, entry: Turn | Skipped, *, due: bool) -> int:
        """Write the entry down with the intents for its posts; returns its `seq`."""
        deliveries = await self._postman.parts(session, entry.text, due=due) if isinstance(entry, Turn) else ()
        written = await session.write(entry, deliveries=deliveries)
        return written[0].seq

    async def _skipped_before(self, session: Session, cue: Cue, format_: Format) -> bool:
        """A pending `skip` drops this turn before anybody thinks about it."""
        if not format_.skippable(cue) or not {cue.persona, ""} & set(session.panel.skips):
            return False
        await session.write(self._cancelled(session, cue, Usage(), "skip"))
        return True

    def _next_due(self, session: Session, before: int | None) -> Delivery | None:
        """The next open post, unless somebody who speaks before it is still thinking."""
        order = {turn.seq: turn.order for turn in session.panel.turns_in(session.panel.round)}
        for delivery in session.undelivered():
            if before is None or order.get(delivery.turn, -1) < before:
                return delivery
        return None

    async def _deliver_or_drop(self, session: Session, delivery: Delivery) -> None:
        turn = next((turn for turn in session.panel.turns if turn.seq == delivery.turn), None)
        skips = set(session.panel.skips)
        if turn is None or session.was_sent(turn.seq) or not {turn.persona, ""} & skips:
            return await self._postman.deliver(session, delivery)
        cue = Cue(kind=turn.turn_kind, persona=turn.persona, round=turn.round, prompt="")
        dropped = [replace(part, withdrawn=True) for part in session.parts_of(turn.seq)]
        await session.write(self._cancelled(session, cue, Usage(), "skip"), deliveries=dropped)
        return None
