"""From a written path to an open file, and never to a file outside the root.

A path is checked twice: as written, and after resolving links. What is read then is the resolved file,
and only when it is a regular one; opening it can not wait for a pipe's other end.
"""

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from adapters.documents.limits import size_words
from adapters.documents.names import refusal
from adapters.documents.opening import NotRegular, regular
from bot.core.errors import DocumentError, NotFound
from bot.core.shown import shown

_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ})
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A file or folder that exists below its root."""

    base: Path
    """The root, absolute, every link resolved."""
    real: Path
    """Absolute, every link resolved; below the base."""
    relative: str
    """As written, tidied, relative to the root; empty for the root itself."""
    written: str
    """For messages."""

    @property
    def behind(self) -> str:
        """The real place relative to the base, `/` between parts; empty for the root itself."""
        path = self.real.relative_to(self.base).as_posix()
        return "" if path == "." else path


def located(root: Path, written: str, *, hidden_too: bool) -> Located:
    """The place below the root that a written path means; `hidden_too` refuses hidden names as well.

    Raises NotFound for what is not there, DocumentError for an escape, a link loop, or a refused name.
    """
    real_root = _resolved(root, written)
    relative = _as_written(root, real_root, written)
    # By name first: whether a hidden file is there is nobody's business.
    _accepted(relative, written, hidden_too)
    real = _resolved(real_root / written, written)
    if not real.is_relative_to(real_root):
        raise _escape(written)
    place = Located(base=real_root, real=real, relative=relative, written=written)
    _accepted(place.behind, written, hidden_too)
    return place


def _accepted(path: str, written: str, hidden_too: bool) -> None:
    if reason := refusal(path, hidden_too=hidden_too):
        raise DocumentError(f"Target refused: {shown(written)} {reason}.")


def anywhere(written: str) -> Located:
    """A readable file anywhere, links resolved; raises NotFound or DocumentError."""
    real = _resolved(Path(written), written)
    return Located(base=real.parent, real=real, relative="", written=written)


def _as_written(root: Path, real_root: Path, written: str) -> str:
    for base in (os.path.abspath(root), str(real_root)):
        relative = os.path.relpath(os.path.normpath(os.path.join(base, written)), base)
        if relative != ".." and not relative.startswith("../"):
            return "" if relative == "." else relative
    raise _escape(written)


def _resolved(path: Path, written: str) -> Path:
    if "\0" in str(path):
        raise missing(written)
    try:
        return Path(os.path.realpath(path, strict=True))
    except OSError as error:
        raise fault(error, written) from error


def file_bytes(place: Located, most: int) -> bytes:
    """The content of one regular file of at most that many bytes.

    Raises NotFound, or DocumentError for anything that is no regular file, may not be read, or is too large.
    """
    written = place.written
    try:
        with regular(place.base, place.behind.split("/") if place.behind else ()) as file:
            size = os.fstat(file.fileno()).st_size
            # A file in /proc says 0 bytes and has more; a growing one has more than it said.
            data = file.read(most + 1) if size <= most else b""
    except NotRegular as error:
        kind = next((words for test, words in _KINDS if test(error.mode)), "no regular file")
        raise DocumentError(f"{shown(written)} is {kind}, not a file that can be read.") from error
    except OSError as error:
        raise fault(error, written) from error
    if max(size, len(data)) > most:
        raise too_large(written, max(size, len(data)), most)
    return data


def too_large(name: str, size: int, most: int) -> DocumentError:
    """A file over its limit: how large it is, and what would fit."""
    return DocumentError(
        f"{shown(name)} is too large: {size_words(size)}, and at most {size_words(most)} is read. "
        "Split it, or send the part that matters."
    )


def missing(written: str) -> NotFound:
    """The exact words for a path that is not there."""
    return NotFound(f"Target file not found: {shown(written)}")


def _escape(written: str) -> DocumentError:
    return DocumentError(f"Target path escapes the root: {shown(written)}")


def fault(error: OSError, written: str) -> NotFound | DocumentError:
    """What the system's refusal means, in words."""
    if error.errno in _GONE:
        return missing(written)
    if error.errno == errno.ELOOP:
        return DocumentError(f"{shown(written)} is a loop of links.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return DocumentError(f"{shown(written)} may not be read: permission denied. Change its mode or its owner.")
    if error.errno == errno.ENXIO:
        return DocumentError(f"{shown(written)} is a socket, not a file that can be read.")
    return DocumentError(f"{shown(written)} can not be read: {error.strerror or type(error).__name__}.")
