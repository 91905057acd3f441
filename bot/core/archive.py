"""The port to what a panel leaves behind outside its log: transcript and record."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bot.core.panel import Panel
from bot.core.platform import Attachment
from bot.core.store import Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where transcript and record were written, and their bytes for the thread."""

    transcript_path: str
    record_path: str
    attachments: tuple[Attachment, ...]


class Archive(ABC):
    """Writes transcripts and records."""

    @abstractmethod
    async def keep(self, panel: Panel, deliveries: tuple[Delivery, ...]) -> Kept:
        """Write both, atomically, over earlier ones of the same panel.

        Raises RecordInvalid where the record does not fit its schema (it is then not written), StoreError where the
        folder can not be written.
        """
