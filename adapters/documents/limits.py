"""What reading a document may cost."""

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Every bound of this package; the settings may change the first two."""

    file_bytes: int = 10 * MIB
    """Of one attachment or file, before extraction."""
    text_chars: int = 400_000
    """Of all documents of one target, after extraction."""
    seconds: float = 60.0
    """Wall time of one extraction, directory listing or git command."""
    tool_seconds: float = 10.0
    """Wall time of one tool call."""
    memory_bytes: int = 768 * MIB
    """Address space of the child process that extracts."""
    unpacked_bytes: int = 100 * MIB
    """Of all parts of one docx or pptx together."""
    at_once: int = 2
    """Child processes that run at the same time; others wait their turn."""


def size_words(count: int) -> str:
    """A number of bytes for people: `812 bytes`, `3.4 KiB`, `10 MiB`."""
    if count < KIB:
        return f"{count} bytes"
    unit, name = (KIB, "KiB") if count < MIB else (MIB, "MiB")
    return f"{count / unit:.1f}".removesuffix(".0") + f" {name}"
