"""The target of a review or council: from words, files, attachments or the conversation to documents."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.core.document import Document
from bot.core.errors import UsageError
from bot.core.targets.fitting import fitted
from bot.core.targets.port import AnyFile, GivenText, LineRange, Reach, Source, TargetRef, Targets
from bot.core.targets.words import EMPTY, Conversation, parse_arguments, parse_lines

Read = Callable[[], Awaitable[Document | None]]
"""Reads the thread that the words stand in (in a channel: its recent messages); None where there is nothing."""

HERE_NOTE = "This looks at the conversation here. For an isolated review, give a path or an idea that stands alone."
NO_LIMIT = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody pointed a panel at."""

    words: tuple[str, ...] = ()
    """As typed; several where a command line had several."""
    options: Mapping[str, Any]
    reach: Reach
    sources: tuple[Source, ...] = ()
    """Sources at hand: attachments, standard input."""
    documents: tuple[Document, ...] = ()
    """Documents at hand."""
    conversation: Read | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a panel looks at."""

    documents: tuple[Document, ...]
    """The target first, then what `--file` shares."""
    note: str = ""
    focus: str = ""
    lines: str = ""


async def target_of(asked: Asked, targets: Targets) -> Target:
    """The target, read.

    Raises UsageError for none or for wrong lines, and what `Targets.read` raises.
    """
    lines = parse_lines(str(asked.options["lines"])) if asked.options.get("lines") else None
    files = tuple(AnyFile(path=path) for path in asked.options.get("file", ()))
    if not any(word.strip() for word in asked.words):
        return await _given(asked, targets, files, lines)
    meant = parse_arguments(asked.words, asked.reach, lines)
    if asked.documents or asked.sources:
        focus = _focus(meant)
        if focus is not None:
            return replace(await _given(asked, targets, files, lines), focus=focus)
    shared = await _read(targets, files, asked.reach)
    if isinstance(meant, Conversation):
        document = await asked.conversation() if asked.conversation else None
        if document is None:
            raise UsageError(
                "There is no conversation here to look at: name a path, paste the text or attach the file."
            )
        narrowed = _narrowed((document,), meant.lines)
        return Target(documents=narrowed + shared, note=HERE_NOTE, focus=meant.focus, lines=str(meant.lines or ""))
    documents = await targets.read(meant)
    at_hand = asked.documents + await _read(targets, asked.sources, asked.reach)
    return Target(documents=documents + at_hand + shared, lines=str(meant.lines or ""))


def _focus(meant: TargetRef | Conversation) -> str | None:
    """What words beside something at hand say about it; None where they name a target of their own."""
    if isinstance(meant, Conversation):
        return meant.focus
    texts = [source.text for source in meant.sources if isinstance(source, GivenText)]
    return texts[0] if texts and len(meant.sources) == 1 else None


async def _given(asked: Asked, targets: Targets, files: tuple[Source, ...], lines: LineRange | None) -> Target:
    """The target where no words name one: what is at hand, else the first of the files."""
    at_hand = asked.documents + await _read(targets, asked.sources, asked.reach)
    if at_hand:
        shared = await _read(targets, files, asked.reach)
        return Target(documents=_narrowed(at_hand, lines) + shared, lines=str(lines or ""))
    if not files:
        raise UsageError(EMPTY)
    documents = await _read(targets, files, asked.reach)
    return Target(documents=_narrowed(documents, lines), lines=str(lines or ""))


async def _read(targets: Targets, sources: tuple[Source, ...], reach: Reach) -> tuple[Document, ...]:
    return await targets.read(TargetRef(sources=sources, reach=reach)) if sources else ()


def _narrowed(documents: tuple[Document, ...], lines: LineRange | None) -> tuple[Document, ...]:
    return fitted(documents, TargetRef(sources=(), lines=lines), NO_LIMIT)
