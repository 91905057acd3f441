"""The prompt cache: what a request reads, what it writes, and when others may read that.

The rules are those of https://platform.claude.com/docs/en/build-with-claude/prompt-caching: an entry
is written at a breakpoint only and holds the whole prefix up to it; each breakpoint looks for an entry at its
own block and at the 19 before it; a prefix under the model's minimum is never cached; an entry
lives five minutes or one hour, and anew from each read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.servers.messages_api.prompt import Block
from tests.servers.messages_api.usage import Usage

LOOK_BACK = 20
LIVES = {"5m": 300.0, "1h": 3600.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """The input side of one call's bill."""

    usage: Usage
    entries: tuple[tuple[str, float], ...]
    """Keys and lives, in seconds, of the entries that exist once the answer has begun."""


class PromptCache:
    """Entries by key; `now` gives seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._entries: dict[str, tuple[float, float]] = {}

    def charge(self, blocks: tuple[Block, ...], *, minimum: int) -> Charge:
        """What the request pays now; what it reads lives anew from now. Writes become
        readable only with `begin`, so calls that start together all pay for the write."""
        marks = [n for n, block in enumerate(blocks) if block.ttl and block.total >= minimum]
        hit = next((found for mark in reversed(marks) if (found := self._behind(blocks, mark)) is not None), None)
        read = 0 if hit is None else blocks[hit].total
        if hit is not None:
            self._refresh([blocks[hit].key, *(blocks[mark].key for mark in marks if mark < hit)])
        cached = blocks[marks[-1]].total if marks else 0
        long_marks = [blocks[mark].total for mark in marks if blocks[mark].ttl == "1h"]
        long_end = max([read, *long_marks])
        usage = Usage(
            input=(blocks[-1].total if blocks else 0) - cached,
            read=read,
            write_1h=long_end - read,
            write_5m=cached - long_end,
        )
        entries = tuple((blocks[mark].key, LIVES[blocks[mark].ttl or "5m"]) for mark in marks)
        return Charge(usage=usage, entries=entries)

    def charge_automatic(self, blocks: tuple[Block, ...], *, minimum: int) -> Charge:
        """The same for an API without breakpoints: the longest known prefix is read, writing is free."""
        long_enough = [block for block in blocks if block.total >= minimum]
        read = max((block.total for block in long_enough if self._alive(block.key)), default=0)
        entries = tuple((block.key, LIVES["5m"]) for block in long_enough)
        return Charge(usage=Usage(input=(blocks[-1].total if blocks else 0) - read, read=read), entries=entries)

    def begin(self, charge: Charge) -> None:
        """The answer has begun: what it wrote can be read from now on."""
        for key, life in charge.entries:
            if not self._alive(key):
                self._entries[key] = (self._now() + life, life)

    def _behind(self, blocks: tuple[Block, ...], mark: int) -> int | None:
        reach = range(mark, max(-1, mark - LOOK_BACK), -1)
        return next((n for n in reach if self._alive(blocks[n].key)), None)

    def _alive(self, key: str) -> bool:
        return key in self._entries and self._now() < self._entries[key][0]

    def _refresh(self, keys: list[str]) -> None:
        for key in keys:
            if self._alive(key):
                life = self._entries[key][1]
                self._entries[key] = (self._now() + life, life)
