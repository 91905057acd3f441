"""The files below a folder that may be looked at: no hidden ones, no links, no secrets."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from adapters.documents.names import hidden, secret, skipped_folder

_MOST_ENTRIES = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One regular file."""

    path: str
    """Relative to the root, `/` between parts."""
    bytes: int


@dataclass(slots=True, kw_only=True)
class Walk:
    """One pass over a folder; `unseen` and `refused` count what it left out."""

    root: str
    start: str = ""
    """The folder below the root to start from, `/` between parts; empty: the root."""
    unseen: bool = False
    """True once the walk has stopped before its end, because there was too much."""
    refused: int = 0
    """Files left out because they look like secrets."""
    _entries: int = 0

    def files(self) -> Iterator[Found]:
        """The files, in order of their paths within each folder; links are never followed."""
        folders = [self.start]
        while folders and not self.unseen:
            folder = folders.pop()
            inner: list[str] = []
            for entry in self._sorted(folder):
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    inner.append(path)
                elif (size := self._file(entry)) is not None:
                    yield Found(path=path, bytes=size)
            folders.extend(reversed(inner))

    def _sorted(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                seen = [entry for entry in entries if not self._over()]
        except OSError:
            return []
        kept = [entry for entry in seen if not hidden(entry.name) and not entry.is_symlink()]
        return sorted((entry for entry in kept if not self._skipped(entry)), key=lambda entry: entry.name)

    def _over(self) -> bool:
        self._entries += 1
        self.unseen = self.unseen or self._entries > _MOST_ENTRIES
        return self.unseen

    def _skipped(self, entry: os.DirEntry[str]) -> bool:
        if not entry.is_dir(follow_symlinks=False):
            return False
        return skipped_folder(entry.name) or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))

    def _file(self, entry: os.DirEntry[str]) -> int | None:
        if secret(entry.name):
            self.refused += 1
            return None
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None
