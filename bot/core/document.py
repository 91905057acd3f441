"""A target or shared document, as text with line numbers. It is data, never instructions."""

import hashlib

from pydantic import BaseModel, ConfigDict


class Document(BaseModel):
    """One document that every persona of a panel sees."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    """Stays the same across revisions: the path below its root, a permalink, or a name given."""
    kind: str
    """`text`, `file`, `directory`, `diff`, `message`, `thread`."""
    title: str
    text: str
    """LF line ends; no NUL."""
    bytes: int
    """Of the source, before extraction."""
    sha256: str
    """Of the source's bytes, hex."""
    root: str = ""
    """The name of the allowed root it lies under; empty where there is none."""
    path: str = ""
    """Its path below that root, `/` between parts; never absolute."""
    first_line: int = 1
    """The number of the text's first line in the source; more than 1 after `lines A-B`."""

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


def from_text(text: str, *, key: str = "", kind: str = "text", title: str = "") -> Document:
    """A document from text that somebody gave; key and title default to its hash and first words."""
    raw = text.encode()
    digest = hashlib.sha256(raw).hexdigest()
    first = next((line.strip("# ").strip() for line in text.splitlines() if line.strip()), "text")
    return Document(
        key=key or f"text:{digest[:16]}",
        kind=kind,
        title=title or first[:80],
        text=text.replace("\r\n", "\n").replace("\r", "\n"),
        bytes=len(raw),
        sha256=digest,
    )


def narrowed(document: Document, first: int, last: int) -> Document:
    """Lines `first` to `last` (1-based, both kept); the caller has checked that they exist."""
    kept = "\n".join(document.lines[first - 1 : last])
    return document.model_copy(update={"text": kept, "first_line": first})


def has_root(documents: tuple[Document, ...]) -> bool:
    """Whether any of them lies below an allowed root, so that there is something to look up with tools."""
    return any(document.root for document in documents)
