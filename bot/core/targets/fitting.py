"""Narrows, names and measures what was read; never cuts silently."""

from bot.core.document import Document, narrowed
from bot.core.errors import DocumentError, UsageError
from bot.core.shown import shown
from bot.core.targets.port import LineRange, TargetRef


def fitted(documents: tuple[Document, ...], reference: TargetRef, most_chars: int) -> tuple[Document, ...]:
    """The documents as asked for. Raises UsageError for lines or a name of several, DocumentError for no
    text, for lines that are not there, and for too much text, with what would fit."""
    if len(documents) != 1:
        return _several(documents, reference, most_chars)
    document = documents[0]
    _with_text(document)
    if reference.name.strip():
        name = shown(" ".join(reference.name.split()))
        document = document.model_copy(update={"key": name, "title": name})
    if reference.lines is not None:
        document = _narrowed(document, reference.lines)
        _with_text(document)
    if len(document.text) > most_chars:
        raise DocumentError(_too_long(document, most_chars))
    return (document,)


def _several(documents: tuple[Document, ...], reference: TargetRef, most_chars: int) -> tuple[Document, ...]:
    if not documents:
        raise UsageError("There is no target: name a path, paste the text or attach the file.")
    if reference.lines is not None:
        raise UsageError("lines narrows one target; name one file.")
    if reference.name.strip():
        raise UsageError("A name is for one target; name one file.")
    for document in documents:
        _with_text(document)
    chars = sum(len(document.text) for document in documents)
    if chars > most_chars:
        sizes = ", ".join(f"{document.title} {len(document.text):,}" for document in documents[:20])
        raise DocumentError(
            f"The {len(documents)} documents have {chars:,} characters together; at most {most_chars:,} fit. "
            f"Leave some out: {sizes}."
        )
    return documents


def _with_text(document: Document) -> None:
    if not document.text.strip():
        raise DocumentError(f"{document.title} holds no text.")


def line_count(document: Document) -> int:
    """How many lines the text has; a line end at its very end starts no further line."""
    lines = document.lines
    return len(lines) - (lines[-1] == "")


def _narrowed(document: Document, lines: LineRange) -> Document:
    count = line_count(document)
    if lines.last > count:
        raise DocumentError(f"{document.title} has {count:,} lines; lines {lines} go beyond its end.")
    return narrowed(document, lines.first, lines.last)


def _too_long(document: Document, most_chars: int) -> str:
    fit = _fitting_lines(document, most_chars)
    first = document.first_line
    part = f"lines {first}-{first + fit - 1} would fit" if fit else "send a part of it"
    return (
        f"{document.title} is too long: {len(document.text):,} characters in {line_count(document):,} lines, "
        f"and at most {most_chars:,} characters fit; {part}."
    )


def _fitting_lines(document: Document, most_chars: int) -> int:
    chars = -1
    for count, line in enumerate(document.lines):
        chars += len(line) + 1
        if chars > most_chars:
            return count
    return len(document.lines)
