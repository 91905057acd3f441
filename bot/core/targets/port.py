"""What a panel may be pointed at, and the port that reads it.

A reference says where a text is; it is pure and small. `Targets` turns it into documents.
`bot.core.target_words` makes references from what a person wrote.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal

from bot.core.document import Document

WORKING_FOLDER = "."
"""The name of the root that is the command line's working folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRange:
    """Lines `first` to `last` of a target, 1-based, both kept."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where the asker may read from, in this place. The default is nowhere."""

    roots: frozenset[str] = frozenset()
    """Names of allowed roots granted here; `.` is the working folder."""
    any_file: bool = False
    """Whether a file outside every root may be named (the command line's `--file`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenText:
    """Text that is at hand: typed, or taken from messages by the platform."""

    text: str
    kind: Literal["text", "message", "thread"] = "text"
    key: str = ""
    """The message's or thread's permalink; empty for typed text."""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenBytes:
    """A file's content that is at hand: an attachment, or standard input."""

    name: str
    """The file name as given, never trusted; `stdin` for standard input."""
    data: bytes = field(repr=False)
    media_type: str = ""
    """As declared by the sender; only a hint."""
    key: str = ""
    """Empty: attachments of one name are revisions of one document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyFile:
    """A readable file anywhere (`--file`); needs `Reach.any_file`."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RootPath:
    """A file or folder below an allowed root."""

    root: str
    path: str
    """As written; a relative path is below the root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitRange:
    """The changes of a git range, or of one commit, below an allowed root."""

    root: str
    revisions: str
    """`A..B`, `A...B`, or one commit."""

    def __str__(self) -> str:
        return f"{'' if self.root == WORKING_FOLDER else self.root}@{self.revisions}"


Source = GivenText | GivenBytes | AnyFile | RootPath | GitRange


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRef:
    """One or more sources that a panel looks at together."""

    sources: tuple[Source, ...]
    lines: LineRange | None = None
    """Narrows the target; only where there is one source."""
    name: str = ""
    """A name given by the asker; the document's key and title where there is one source."""
    reach: Reach = Reach()


class Targets(ABC):
    """Reads targets. No call blocks the event loop, and each ends within its limits of time and memory."""

    @abstractmethod
    async def read(self, reference: TargetRef) -> tuple[Document, ...]:
        """The documents, one a source and in its order; whole, never cut silently.

        Raises NotFound for what is not there or not granted, DocumentError for what can not be read or is
        too large, UsageError for `lines` or `name` with more than one source.
        """
