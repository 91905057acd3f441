"""Files of a catalog as text: never through a link that leaves its folder, never a device, never without a limit."""

import errno
import os
import stat
from pathlib import Path

MAX_FILE = 4 * 1024 * 1024
"""Bytes of one persona file, its sources included."""


class Unreadable(Exception):
    """A file that is not read; the text says why and what to do."""


def text_of(path: Path, root: Path, limit: int = MAX_FILE) -> str:
    """The file's text, LF line ends, no byte order mark. `root` is resolved already. Raises Unreadable."""
    raw = bytes_of(path, root, limit)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("saved as UTF-16; save it as UTF-8")
    if b"\0" in raw:
        raise Unreadable("binary content; a persona file is UTF-8 text")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"not UTF-8 (first in line {line}); save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bytes_of(path: Path, root: Path, limit: int) -> bytes:
    """The file's bytes. Raises Unreadable: links out or in a circle, no plain file, too large, not allowed."""
    real = inside(path, root)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(real, flags)
    except OSError as error:
        raise Unreadable(reason(error)) from None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise Unreadable("not a plain file; only plain files are read")
        try:
            raw = file.read(limit + 1)
        except OSError as error:
            raise Unreadable(reason(error)) from None
    if len(raw) > limit:
        raise Unreadable(f"larger than {limit // 1024} KiB; make it smaller")
    return raw


def inside(path: Path, root: Path) -> Path:
    """Where the path really leads, which is in `root`. Raises Unreadable."""
    try:
        real = path.resolve(strict=True)
    except RuntimeError:
        raise Unreadable("links in a circle; remove the link") from None
    except OSError as error:
        raise Unreadable(reason(error)) from None
    if not real.is_relative_to(root):
        raise Unreadable("links out of the catalog folder; put a copy of the file here instead")
    return real


def reason(error: OSError) -> str:
    """Why the system refused, with the remedy."""
    if error.errno == errno.ELOOP:
        return "links in a circle; remove the link"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "may not be read; give the bot's user permission to read it"
    if error.errno == errno.ENOENT:
        return "not there, or a link to nothing; remove it or put the file back"
    if error.errno == errno.EISDIR:
        return "a folder, not a file; rename it"
    return f"can not be read ({os.strerror(error.errno) if error.errno else error})"
