"""Checks a docx or pptx (a zip archive) before a parser sees it."""

import io
import zipfile
import zlib

from adapters.documents.faults import Unreadable
from adapters.documents.limits import size_words

_PARTS = 10_000
_CHUNK = 256 * 1024


def checked_names(data: bytes, unpacked_bytes: int) -> frozenset[str]:
    """The names of the archive's parts, once it is known to unpack to at most that many bytes.

    The sizes that the archive declares are added first, then the parts are really unpacked and counted,
    because a hostile archive lies. Raises Unreadable for too much, for encryption and for damage.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > _PARTS:
                raise Unreadable(f"holds {len(parts):,} parts; at most {_PARTS:,} are read")
            _within(sum(part.file_size for part in parts), unpacked_bytes)
            _unpack(archive, parts, unpacked_bytes)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise Unreadable(f"is broken: its archive does not unpack ({type(error).__name__})") from error
    return frozenset(part.filename for part in parts)


def _unpack(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo], most: int) -> None:
    unpacked = 0
    for part in parts:
        if part.flag_bits & 0x1:
            raise Unreadable("is encrypted; remove the password and send it again")
        with archive.open(part) as content:
            while chunk := content.read(_CHUNK):
                unpacked += len(chunk)
                _within(unpacked, most)


def _within(unpacked: int, most: int) -> None:
    if unpacked > most:
        size, limit = size_words(unpacked), size_words(most)
        raise Unreadable(f"unpacks to {size} or more; at most {limit} is read (it may be a zip bomb)")
