"""The text of a PDF, page by page."""

import io

from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError

from adapters.documents.faults import Unreadable

ENCRYPTED = "is encrypted; remove the password and send it again"


def pdf_text(data: bytes, most_chars: int) -> str:
    """Each page under a line `[Page 3]`. Raises Unreadable for no text, a password, damage, or too much."""
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not _opened(reader):
            raise Unreadable(ENCRYPTED)
        return _pages(reader, most_chars)
    except PyPdfError as error:
        raise Unreadable(f"is broken or no PDF ({type(error).__name__})") from error


def _opened(reader: PdfReader) -> bool:
    """Whether it opens without a password, as a PDF does that only forbids printing or copying."""
    try:
        return bool(reader.decrypt(""))
    except (DependencyError, NotImplementedError) as error:
        raise Unreadable(ENCRYPTED) from error


def _pages(reader: PdfReader, most_chars: int) -> str:
    count = len(reader.pages)
    texts: list[str] = []
    chars = 0
    for number, page in enumerate(reader.pages, 1):
        texts.append(page.extract_text().strip())
        chars += len(texts[-1])
        if chars > most_chars:
            raise Unreadable(
                f"has more than {most_chars:,} characters on its first {number:,} of {count:,} pages; send a part of it"
            )
    if not any(texts):
        raise Unreadable(f"holds no text on its {count:,} pages (scanned?); send it with a text layer")
    return "\n\n".join(f"[Page {number}]\n{text}" for number, text in enumerate(texts, 1)) + "\n"
