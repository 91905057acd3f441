"""What a panel leaves behind: the pinned synthesis, transcript and record, and both as files in the thread.

Each step can be repeated: a process that dies between two of them leaves nothing twice.
"""

import logging
from typing import Literal

from bot.core.archive import Archive, Kept
from bot.core.clock import Clock
from bot.core.engine.delivery import Postman
from bot.core.engine.session import Session
from bot.core.entries import AnyEntry, Artifact, Event, Status, StatusChanged
from bot.core.errors import PlaceGone, PlatformError, RecordInvalid, StoreError
from bot.core.fold import fold
from bot.core.panel import Panel

log = logging.getLogger("panelist.keeping")

ENDED, NOT_KEPT, NOT_ATTACHED = "ended", "not kept", "not attached"
"""Names of events."""


class Keeping:
    """Ends panels, and keeps what is kept of them up to date afterwards."""

    def __init__(self, *, archive: Archive, postman: Postman, clock: Clock) -> None:
        self._archive, self._postman, self._clock = archive, postman, clock

    async def finish(self, session: Session, status: Literal["finished", "failed"], reason: str) -> None:
        """Pin the synthesis, keep transcript and record, attach them, and only then call it finished."""
        entries: list[AnyEntry] = [*await self._pinned(session)]
        if not _has_ended(session.panel):
            entries.append(Event(name=ENDED, reason=reason))
        if entries:
            await session.write(*entries)
        await self._keep(session, as_status=status)
        await session.become(status, reason)

    async def bring_up_to_date(self, session: Session) -> None:
        """After the end: keep transcript and record again where something was said or decided since."""
        if outdated(session.panel):
            await self._keep(session)

    async def _pinned(self, session: Session) -> tuple[Artifact, ...]:
        synthesis = next((t for t in reversed(session.panel.turns) if t.turn_kind == "synthesis"), None)
        parts = session.parts_of(synthesis.seq) if synthesis else ()
        message = next((part.ext_id for part in parts if part.ext_id), None)
        if not message or session.panel.artifacts.get("pin") == message:
            return ()
        entries: list[Artifact] = []
        if earlier := session.panel.artifacts.get("pin"):
            await self._unpin(session, earlier)
            entries.append(Artifact(what="unpinned", ref=earlier))
        return (*entries, Artifact(what="pin", ref=message, note=await self._pin(session, message)))

    async def _pin(self, session: Session, message: str) -> str:
        """Why it could not be pinned; empty where it was."""
        platform, place = self._postman.platform(session), session.panel.place
        try:
            return await self._postman.patiently(lambda: platform.pin(place, message))
        except PlaceGone:
            raise
        except PlatformError as fault:
            return str(fault)

    async def _unpin(self, session: Session, message: str) -> None:
        platform, place = self._postman.platform(session), session.panel.place
        try:
            await self._postman.patiently(lambda: platform.unpin(place, message))
        except PlatformError as fault:
            log.info("not unpinned: %s", fault, extra={"panel": session.panel.id})

    async def _keep(self, session: Session, as_status: Status | None = None) -> None:
        """Write transcript and record, as they will stand once the panel has that status."""
        panel = session.panel
        if as_status:
            last = StatusChanged(seq=panel.last_seq + 1, at=self._clock.now(), status=as_status)
            panel = fold(panel, (last,))
        try:
            kept = await self._archive.keep(panel, tuple(session.outbox.values()))
        except (RecordInvalid, StoreError) as fault:
            log.error("nothing kept: %s", fault, extra={"panel": panel.id})
            await self._note(session, Event(name=NOT_KEPT, reason=str(fault)))
            return
        artifacts: list[AnyEntry] = [
            Artifact(what="transcript", ref=kept.transcript_path),
            Artifact(what="record", ref=kept.record_path),
        ]
        if _wants_files(session):
            artifacts += await self._attached(session, kept)
        await session.write(*artifacts)

    async def _attached(self, session: Session, kept: Kept) -> tuple[AnyEntry, ...]:
        platform, place = self._postman.platform(session), session.panel.place
        key = f"{session.panel.id}:files:{session.panel.running_since}"
        try:
            message = await self._postman.patiently(lambda: platform.attach(place, key, kept.attachments))
        except PlaceGone:
            if session.running:
                raise
            return (Event(name=NOT_ATTACHED, reason="the thread is gone"),)
        except PlatformError as fault:
            return (Event(name=NOT_ATTACHED, reason=str(fault)),)
        return (Artifact(what="attached", ref=message),) if message else ()

    async def _note(self, session: Session, event: Event) -> None:
        """Write the event down, unless it is the last that happened."""
        last = session.panel.entries[-1]
        if not isinstance(last, Event) or (last.name, last.reason) != (event.name, event.reason):
            await session.write(event)


def _wants_files(session: Session) -> bool:
    """True where there is a thread that has no files since the panel last began to run."""
    panel = session.panel
    if session.is_("failed") or not panel.place.thread:
        return False
    attached = (e.seq for e in reversed(panel.entries) if isinstance(e, Artifact) and e.what == "attached")
    return next(attached, -1) <= panel.running_since


def outdated(panel: Panel) -> bool:
    """True where the log has something for the transcript or the record that is newer than those that were kept."""
    for entry in reversed(panel.entries):
        if isinstance(entry, Artifact) and entry.what == "record":
            return False
        if not _untold(entry):
            return True
    return True


def _untold(entry: AnyEntry) -> bool:
    """True for what stands neither in transcript nor record, or only beside what does."""
    if isinstance(entry, Event):
        return entry.name in (ENDED, NOT_KEPT, NOT_ATTACHED)
    return entry.kind in ("artifact", "placed", "status")


def _has_ended(panel: Panel) -> bool:
    """True when this closing phase's end is in the log already."""
    newest = (e for e in reversed(panel.entries) if e.seq > max(panel.closing_since, panel.running_since))
    return any(isinstance(entry, Event) and entry.name == ENDED for entry in newest)
