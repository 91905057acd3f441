"""A terminal has no memory, so its thread is a file: what stands there was said, whatever scrolled away."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.core.errors import PlaceGone, PostRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One post in the thread."""

    id: str
    key: str
    """Of the post; empty for a file."""
    name: str
    text: str
    kind: str
    label: str = ""
    removed: bool = False


class ThreadLog:
    """Append-only JSON lines, one file a thread; a line that a crash cut off is not there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, thread: str, said: Said) -> None:
        """Write one line and wait until it is on the disk. Raises PostRefused where the folder can not be written."""
        path = self._path(thread)
        line = json.dumps({name: getattr(said, name) for name in Said.__slots__}, ensure_ascii=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                if file.tell() and not _ends_whole(path):
                    file.write(b"\n")
                file.write(line.encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as fault:
            raise PostRefused(f"the thread's file can not be written: {fault.strerror} (see PANELIST_HOME)") from fault

    def said(self, thread: str) -> Iterator[Said]:
        """What stands in the thread, oldest first. Raises PlaceGone where the file can not be read."""
        path = self._path(thread)
        if not path.exists():
            return
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as fault:
            raise PlaceGone(f"the thread's file can not be read: {fault.strerror}") from fault
        removed: set[str] = set()
        rows: list[Said] = []
        for line in lines:
            try:
                row = Said(**json.loads(line))
            except (ValueError, TypeError):
                continue
            if row.removed:
                removed.add(row.id)
            else:
                rows.append(row)
        yield from (row for row in rows if row.id not in removed)

    def _path(self, thread: str) -> Path:
        safe = "".join(c for c in thread if c.isalnum() or c in "-_")
        return self._folder / f"{safe or 'thread'}.jsonl"


def _ends_whole(path: Path) -> bool:
    """False where a crash left half a line at the end."""
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
