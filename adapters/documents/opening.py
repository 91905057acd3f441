"""Opens a file below a folder so that no link, put there at the last moment, is followed."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

# Where the system has it, a folder that may be passed but not listed is no obstacle.
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a pipe must not wait for its other end.
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


def opened(base: Path | str, parts: Sequence[str]) -> int:
    """A descriptor of the file that the parts lead to, each opened within the one before; raises OSError."""
    folder = os.open(base, _FOLDER & ~os.O_NOFOLLOW)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1] if parts else ".", _FILE, dir_fd=folder)
    finally:
        os.close(folder)


class NotRegular(OSError):
    """What was opened is no regular file; `mode` says what it is."""

    def __init__(self, mode: int) -> None:
        super().__init__("not a regular file")
        self.mode = mode


def regular(base: Path | str, parts: Sequence[str]) -> BinaryIO:
    """The regular file that the parts lead to; raises OSError, NotRegular for a folder, pipe or device."""
    descriptor = opened(base, parts)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotRegular(mode)
    return os.fdopen(descriptor, "rb")


def content(base: Path | str, path: str, most: int) -> bytes:
    """At most that many bytes of one regular file; none where there is none to read."""
    try:
        with regular(base, path.split("/")) as file:
            return file.read(most)
    except OSError:
        return b""
