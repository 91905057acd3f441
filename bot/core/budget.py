"""Whether the next turns still fit under the panel's cap, with the closing phase reserved from the start."""

from bot.core.entries import Usage
from bot.core.format import Cue, Format, PlannedTurn
from bot.core.layout import prompt_of, scene_of
from bot.core.panel import Panel
from bot.core.voices import Voices

CHARS_PER_TOKEN = 3.6
TOKENS_PER_WORD = 1.5
THINKING_TOKENS = 200
CLOSING = ("summary", "synthesis")


class Purse:
    """Estimates before the call; what a call really cost stands in the log."""

    def __init__(self, voices: Voices) -> None:
        self._voices = voices

    def refuses(self, panel: Panel, format_: Format, cues: tuple[Cue, ...]) -> str:
        """Why these turns may not be given under the cap; empty where they may."""
        cap = panel.max_cost
        if cap is None:
            return ""
        closing = all(cue.kind in CLOSING for cue in cues)
        reserved = 0.0 if closing else self._closing_estimate(panel, format_)
        wanted = sum(self._estimate(panel, cue) for cue in cues)
        if panel.spent_usd + wanted + reserved <= cap:
            return ""
        return f"${panel.spent_usd:.2f} of ${cap:.2f} are spent and the next turn would go over the cap"

    def _estimate(self, panel: Panel, cue: Cue) -> float:
        prompt = prompt_of(panel, cue, scene_of(panel, cue), self._voices.templates)
        chars = len(prompt.system) + sum(len(block.text) for block in prompt.shared) + len(prompt.tail)
        return self._dollars(panel, cue.persona, round(chars / CHARS_PER_TOKEN), cue.max_words or 200)

    def _closing_estimate(self, panel: Panel, format_: Format) -> float:
        planned = [turn for turn in format_.plan(panel.opened.options, panel.seats) if turn.kind in CLOSING]
        chars = sum(len(turn.text) for turn in panel.turns) + sum(len(d.text) for d in panel.opened.documents) + 4000
        return sum(self._planned(panel, turn, chars) for turn in planned)

    def _planned(self, panel: Panel, turn: PlannedTurn, chars: int) -> float:
        return self._dollars(panel, turn.persona, round(chars / CHARS_PER_TOKEN), turn.words)

    def _dollars(self, panel: Panel, persona: str, tokens_in: int, words_out: int) -> float:
        usage = Usage(input=tokens_in, output=round(words_out * TOKENS_PER_WORD) + THINKING_TOKENS)
        return self._voices.cost(self._voices.model_of(panel, persona), usage) or 0.0
