"""Cutting a speech into posts that fit: at paragraphs, else lines, sentences, words; code fences stay whole."""

import re
from collections.abc import Callable

Measure = Callable[[str], int]

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")


def split(text: str, limit: int, measure: Measure = len) -> tuple[str, ...]:
    """Pieces of at most `limit`, each without blank ends; joined by the blanks between them they are the text.

    A code fence is cut only where it alone is longer than a post: each of its pieces is then a fence of its own.
    `measure` must grow with the text. Raises ValueError for a limit under 40.
    """
    if limit < 40:
        raise ValueError(f"a post of at most {limit} characters holds no speech")
    if not text.strip():
        return ()
    pieces: list[str] = []
    for block in _blocks(text):
        fits = f"{pieces[-1]}{block}" if pieces else block
        if pieces and measure(fits.strip("\n")) <= limit:
            pieces[-1] = fits
        else:
            pieces += _fitting(block, limit, measure)
    return tuple(piece.strip("\n") for piece in pieces if piece.strip())


def _blocks(text: str) -> list[str]:
    """Paragraphs with the blank lines behind them; a fence is one block, blank lines and all."""
    blocks: list[str] = []
    current, fence = "", ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line.rstrip("\n"))
        if not fence and mark:
            if current.strip():
                blocks.append(current)
                current = ""
            fence = mark[1]
        elif fence and mark and mark[1].startswith(fence) and not mark[2].strip():
            blocks.append(current + line)
            current, fence = "", ""
            continue
        elif not fence and current.strip() and current.endswith("\n\n") and line.strip():
            blocks.append(current)
            current = ""
        current += line
    return [*blocks, current] if current else blocks


def _fitting(block: str, limit: int, measure: Measure) -> list[str]:
    if measure(block.strip("\n")) <= limit:
        return [block]
    mark = _FENCE.match(block.split("\n", 1)[0])
    return _cut_fence(block, mark[1], limit, measure) if mark else _cut(block, limit, measure)


def _cut_fence(block: str, fence: str, limit: int, measure: Measure) -> list[str]:
    lines = block.strip("\n").split("\n")
    head = lines[0] if measure(lines[0]) < limit // 2 else fence
    body = lines[1:-1] if lines[-1].strip().startswith(fence) and len(lines) > 1 else lines[1:]
    room = limit - measure(f"{head}\n\n{fence}") - 2
    inner = [part for line in body for part in (_cut(line, room, measure) if measure(line) > room else [line])]
    pieces: list[list[str]] = [[]]
    for line in inner:
        if pieces[-1] and measure("\n".join([head, *pieces[-1], line, fence])) > limit:
            pieces.append([])
        pieces[-1].append(line)
    return ["\n".join([head, *piece, fence]) + "\n" for piece in pieces]


def _cut(block: str, limit: int, measure: Measure) -> list[str]:
    """The longest heads that fit, each ending at the best place there is."""
    pieces: list[str] = []
    rest = block
    while measure(rest.strip("\n")) > limit:
        end = _longest(rest, limit, measure)
        cut = _good_place(rest, end)
        pieces.append(rest[:cut])
        rest = rest[cut:]
    return [*pieces, rest] if rest.strip() else pieces


def _longest(text: str, limit: int, measure: Measure) -> int:
    low, high = 1, min(len(text), limit)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(text[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def _good_place(text: str, end: int) -> int:
    """The last line end, sentence end or blank in the second half before `end`, in this order; else `end` itself."""
    for pattern in (r"\n", r"[.!?…。！？][\"'”’)]*\s", r"\s"):
        places = [m.end() for m in re.finditer(pattern, text[:end]) if m.end() > end // 2]
        if places:
            return places[-1]
    return end
