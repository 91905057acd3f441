"""From a file's bytes to its text: which format it really is, and who reads it."""

import re

from adapters.documents.archives import checked_names
from adapters.documents.encoding import guessed_text, tidy, unicode_text
from adapters.documents.faults import Unreadable

_ZIP = b"PK\x03\x04"
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_HTML = re.compile(rb"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL)
_HTML_NAMES = (".html", ".htm", ".xhtml")
_EXPECTED = {".pdf": "PDF", ".docx": "Word", ".pptx": "PowerPoint"}


def plain_text(data: bytes, name: str, media_type: str = "") -> str | None:
    """The text where no parser and no guess is needed, so that it may be read in this process; else None."""
    if _format(data, name, media_type) != "text":
        return None
    text = unicode_text(data)
    return None if text is None else tidy(text)


def extracted(data: bytes, name: str, media_type: str, *, most_chars: int, unpacked_bytes: int) -> str:
    """The text of any file that can be read; raises Unreadable for the others. For the child process."""
    # Each parser is imported where it is used: a grep or a text file need not pay for it.
    match _format(data, name, media_type):
        case "pdf":
            from adapters.documents.pdf import pdf_text

            text = pdf_text(data, most_chars)
        case "zip":
            text = _office_text(data, unpacked_bytes)
        case "html":
            from adapters.documents.markup import html_text

            source = unicode_text(data)
            text = html_text(data if source is None else source)
        case _:
            known = unicode_text(data)
            text = guessed_text(data) if known is None else known
    if len(text) > most_chars:
        raise Unreadable(f"has {len(text):,} characters; at most {most_chars:,} are read. Send a part of it")
    return tidy(text)


def _format(data: bytes, name: str, media_type: str) -> str:
    """`pdf`, `zip`, `html` or `text`, by content first; a name alone proves nothing."""
    lower = name.lower()
    if not data:
        raise Unreadable("is empty (0 bytes)")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(_ZIP):
        return "zip"
    if data.startswith(_OLD_OFFICE):
        raise Unreadable(_old_office(data))
    if data.startswith(b"{\\rtf"):
        raise Unreadable("is rich text (RTF); save it as docx or as plain text")
    for ending, kind in _EXPECTED.items():
        if lower.endswith(ending):
            raise Unreadable(f"is named {ending} but is broken or no {kind} file")
    if lower.endswith(_HTML_NAMES) or media_type.partition(";")[0].strip() in (
        "text/html",
        "application/xhtml+xml",
    ):
        return "html"
    if "." not in lower.rpartition("/")[2] and _HTML.match(data[:4096]):
        return "html"
    return "text"


def _old_office(data: bytes) -> str:
    if _ENCRYPTED_OFFICE in data:
        return "is encrypted; remove the password and send it again"
    return "is in an old Office format; save it as docx, pptx or PDF"


def _office_text(data: bytes, unpacked_bytes: int) -> str:
    names = checked_names(data, unpacked_bytes)
    if "word/document.xml" in names:
        from adapters.documents.office import docx_text

        return docx_text(data)
    if "ppt/presentation.xml" in names:
        from adapters.documents.office import pptx_text

        return pptx_text(data)
    if "xl/workbook.xml" in names:
        raise Unreadable("is an Excel workbook; export the sheet as CSV")
    raise Unreadable("is an archive; send the files in it one by one")
