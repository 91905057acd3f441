"""Transcripts and records in memory."""

from typing import Any

from bot.core.archive import Archive, Kept
from bot.core.errors import PanelistError
from bot.core.panel import Panel
from bot.core.platform import Attachment
from bot.core.records.record import record
from bot.core.records.transcript import transcript
from bot.core.store import Delivery


class MemoryArchive(Archive):
    """Keeps the newest of each panel; fails as often as it is told to."""

    def __init__(self) -> None:
        self.transcripts: dict[str, str] = {}
        self.records: dict[str, dict[str, Any]] = {}
        self.fault: PanelistError | None = None
        self.kept = 0

    async def keep(self, panel: Panel, deliveries: tuple[Delivery, ...]) -> Kept:
        if self.fault is not None:
            raise self.fault
        withdrawn = frozenset(delivery.turn for delivery in deliveries if delivery.withdrawn)
        self.transcripts[panel.id] = transcript(panel, undelivered=withdrawn)
        self.records[panel.id] = record(panel, deliveries)
        self.kept += 1
        content = self.transcripts[panel.id].encode()
        return Kept(
            transcript_path=f"{panel.id}.md",
            record_path=f"{panel.id}.json",
            attachments=(Attachment(name=f"{panel.id}.md", media_type="text/markdown", content=content),),
        )
