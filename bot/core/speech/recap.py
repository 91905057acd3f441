"""When the older part of a talk is put into a recap: rarely, and then in one big step. Pure.

A transcript is cut by half once it has more than sixty lines or outgrows the window, so that the prefix that all share
stays the same for many turns in between. Topic, documents and directives are never part of what is cut.
"""

from dataclasses import replace

from bot.core.formats.format import Cue, Format
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.speech.counting import BLOCK_TOKENS, tokens

MOST_LINES = 60
FORMATS = ("discussion", "debate")
"""The others show their speakers each other's words whole, or not at all."""
RECAP_WORDS = 400
KEPT_FREE = 12_000
"""Tokens of a window that are left for rules, persona, answer and estimates that are off."""


def recap_due(panel: Panel, format_: Format, window: int | None) -> int:
    """The `seq` up to which a recap must replace the transcript before the next turns; 0 where none is due.

    `window` is the smallest of the models that will speak, in tokens; None where nobody knows.
    """
    if wanted := format_.recap_due(panel):
        return wanted
    if panel.format not in FORMATS:
        return 0
    lines = _lines(panel)
    if len(lines) < 4:
        return 0
    outgrown = window is not None and _size(panel, lines) > window - KEPT_FREE
    if len(lines) <= MOST_LINES and not outgrown:
        return 0
    kept = min(len(lines) // 2, MOST_LINES // 2)
    return lines[-kept - 1][0]


def _lines(panel: Panel) -> list[tuple[int, str]]:
    """(seq, text) of what stands in the transcript since the last recap, oldest first."""
    since = panel.recap.until if panel.recap else 0
    said = [(turn.seq, turn.text) for turn in panel.turns_after(since) if turn.text]
    said += [(human.seq, human.text) for human in panel.humans_after(since)]
    return sorted(said)


def _size(panel: Panel, lines: list[tuple[int, str]]) -> int:
    start = sum(tokens(document.text) for document in panel.opened.documents)
    recap = tokens(panel.recap.text) if panel.recap else 0
    return start + recap + sum(tokens(text) + BLOCK_TOKENS for _, text in lines)


def until(panel: Panel, seq: int) -> Panel:
    """The panel as the host sees it who writes the recap: nothing that was said after that entry."""
    return replace(
        panel,
        turns=tuple(turn for turn in panel.turns if turn.seq <= seq),
        humans=tuple(human for human in panel.humans if human.seq <= seq),
    )


def recap_cue(panel: Panel) -> Cue:
    """The host's recap; it is never posted."""
    return Cue(kind="summary", persona=HOST, round=panel.round, prompt="recap", max_words=RECAP_WORDS)
