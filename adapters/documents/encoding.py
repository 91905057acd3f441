"""Bytes to text: which encoding, and whether it is text at all."""

import codecs
import re

from adapters.documents.faults import Unreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 64 * 1024
BINARY = "is binary, not text; send it as text, PDF, Word or PowerPoint"


def unicode_text(data: bytes) -> str | None:
    """The text of bytes that are UTF-8, or that carry a byte order mark; None where neither holds.

    Raises Unreadable for binary content.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(_strict(data, encoding))
    if b"\0" in data:
        raise Unreadable(BINARY)
    try:
        return _checked(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def guessed_text(data: bytes) -> str:
    """The text of bytes in an older encoding. Windows-1252, unless what it gives does not look like writing.

    Detectors are wrong on short Western notes (they see Baltic or Central European pages), so one is asked
    only where Windows-1252 gives symbols inside words, or mostly accented letters.
    """
    western = _western(data)
    if western is not None and _looks_western(western):
        return _checked(western)
    # Imported here: only this branch, in the child process, pays for it.
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE]).best()
    if best is not None:
        try:
            return _checked(data.decode(best.encoding))
        except UnicodeDecodeError:
            pass
    if western is None:
        raise Unreadable("is text in an encoding that can not be told; save it as UTF-8")
    return _checked(western)


def _western(data: bytes) -> str | None:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return None


_SYMBOL_IN_WORD = re.compile(r"[^\W\d_][¡¢£¤¥¦§¨©«¬®¯°±²³´¶·¸¹»¼½¾¿×÷€‚„…†‡ˆ‰‹›•˜™][^\W\d_]")


def _looks_western(text: str) -> bool:
    sample = text[:_SAMPLE]
    inked = sum(not mark.isspace() for mark in sample)
    high = sum(mark > "\x7f" for mark in sample)
    odd = len(_SYMBOL_IN_WORD.findall(sample))
    return high * 2 < inked and odd * 10 <= high


def _strict(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        place = f"at byte {error.start}"
        raise Unreadable(f"says that it is {encoding.removesuffix('-sig').upper()} and is not ({place})") from error


def _checked(text: str) -> str:
    """The text, where it holds (almost) no control characters; a file of them is binary."""
    controls = len(_CONTROLS.findall(text[:_SAMPLE]))
    if "\0" in text or controls * 100 > len(text[:_SAMPLE]):
        raise Unreadable(BINARY)
    return text


def tidy(text: str) -> str:
    """LF line ends, no NUL, no half characters."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
