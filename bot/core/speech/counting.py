"""Tokens before anybody has counted them: estimates for forecasts and caps."""

from bot.core.measured import Usage

BYTES_PER_TOKEN = 4.0
TOKENS_PER_WORD = 1.35
BLOCK_TOKENS = 15
"""A turn's delimiters in the transcript."""
THINKING_TOKENS = 50
"""Of a short speech at low effort; billed as output."""
LEAST_CACHED = 1024
"""A shorter prefix is not worth a cache entry to the services."""
CACHE_LIFE = 270.0
"""Seconds for which an entry can be counted on; it lives five minutes from its last use."""


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return round(len(text.encode()) / BYTES_PER_TOKEN)


def answer_tokens(words: int) -> int:
    """About how many tokens an answer of so many words takes, thinking included."""
    return round(words * TOKENS_PER_WORD) + THINKING_TOKENS


class CacheCourse:
    """What a course of calls reads from the cache and writes to it, each model having its own."""

    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def holds(self, model: str, prefix: int) -> None:
        """So many tokens of the shared prefix are there already."""
        self._held[model] = max(prefix, self._held.get(model, 0))

    def call(self, model: str, *, prefix: int, tail: int, output: int) -> Usage:
        """One call's usage: what the cache holds of its prefix is read, the rest of it written."""
        if prefix < LEAST_CACHED:
            return Usage(input=prefix + tail, output=output)
        read = min(prefix, self._held.get(model, 0))
        self.holds(model, prefix)
        return Usage(input=tail, cache_read=read, cache_creation=prefix - read, output=output)
