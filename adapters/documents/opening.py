"""Opens a file below a folder so that no link, put there at the last moment, is followed."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

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


def content(base: Path | str, path: str, most: int) -> bytes:
    """At most that many bytes of one regular file; none where there is none to read."""
    try:
        descriptor = opened(base, path.split("/"))
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
        except OSError:
            return b""
