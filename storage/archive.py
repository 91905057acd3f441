"""Transcripts and records as files in the home folder, written whole or not at all."""

import asyncio
import json
import os
import tempfile
from pathlib import Path

from bot.core.archive import Archive, Kept
from bot.core.errors import StoreError
from bot.core.panel import Panel
from bot.core.platform import Attachment
from bot.core.records.record import file_stem, record
from bot.core.records.transcript import transcript
from bot.core.store import Delivery
from storage.record_schema import check_record


class FileArchive(Archive):
    """`transcripts/` and `records/` below one folder."""

    def __init__(self, home: Path) -> None:
        self._home = home

    async def keep(self, panel: Panel, deliveries: tuple[Delivery, ...]) -> Kept:
        stem = file_stem(panel)
        transcript_path, record_path = f"transcripts/{stem}.md", f"records/{stem}.json"
        withdrawn = frozenset(delivery.turn for delivery in deliveries if delivery.withdrawn)
        text = transcript(panel, undelivered=withdrawn)
        document = record(panel, deliveries, transcript_path=transcript_path, record_path=record_path)
        check_record(document)
        as_json = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        files = {transcript_path: text.encode(), record_path: as_json.encode()}
        await asyncio.to_thread(self._write, files)
        return Kept(
            transcript_path=transcript_path,
            record_path=record_path,
            attachments=(
                Attachment(name=f"{stem}.md", media_type="text/markdown", content=text.encode()),
                Attachment(name=f"{stem}.json", media_type="application/json", content=as_json.encode()),
            ),
        )

    def _write(self, files: dict[str, bytes]) -> None:
        for name, content in files.items():
            write_atomically(self._home / name, content, within=self._home)


def write_atomically(path: Path, content: bytes, *, within: Path) -> None:
    """Write the file whole or not at all; it must lie inside the folder, links resolved.

    Raises StoreError where it does not, or where the folder can not be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.resolve().is_relative_to(within.resolve()):
            raise StoreError(f"{path.name} would lie outside {within.name}; nothing was written")
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).chmod(0o644)
        os.replace(file.name, path)
    except OSError as fault:
        raise StoreError(f"{path.parent.name}/{path.name} can not be written: {fault.strerror}") from fault
