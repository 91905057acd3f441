"""Whether the next turns still fit under the panel's cap, with the closing phase reserved from the start.

What a turn may cost is reserved before its call and settled by what the log says after it. Turns of one parallel round
are reserved together, so each can overshoot by no more than its own estimate.
"""

from bot.core.entries import Turn
from bot.core.formats.format import Cue, Format, PlannedTurn
from bot.core.measured import Usage
from bot.core.model import Prompt
from bot.core.panel import Panel
from bot.core.speech.counting import BLOCK_TOKENS, CACHE_LIFE, CacheCourse, answer_tokens, tokens
from bot.core.speech.layout import prompt_of, scene_of
from bot.core.speech.voices import Voices

CLOSING = ("summary", "synthesis")
USUAL_WORDS = 250
LOOKED_UP = Usage(input=6_000, output=300)
"""What a turn with tools takes on top: a few files read, a few calls written."""
MARGIN = 1.5
"""What is reserved for an answer, over what answers of its kind usually take."""


class Purse:
    """Estimates before the call; what a call really cost stands in the log."""

    def __init__(self, voices: Voices) -> None:
        self._voices = voices

    def refuses(self, panel: Panel, format_: Format, cues: tuple[Cue, ...]) -> str:
        """Why these turns may not be given under the cap; empty where they may."""
        cap = panel.max_cost
        paid = [cue for cue in cues if not cue.by_code]
        if cap is None or not paid:
            return ""
        course = CacheCourse()
        wanted = sum(self._estimate(panel, cue, course) for cue in paid)
        closing = all(cue.kind in CLOSING for cue in cues)
        reserved = 0.0 if closing else self._closing_estimate(panel, format_, course)
        if panel.spent_usd + wanted + reserved <= cap:
            return ""
        spent = f"${panel.spent_usd:.2f} of ${cap:.2f} are spent"
        kept = f", ${reserved:.2f} are kept for the closing" if reserved >= 0.005 else ""
        return f"{spent}{kept}, and the next turn may cost ${wanted:.2f}: it would go over the cap"

    def _estimate(self, panel: Panel, cue: Cue, course: CacheCourse) -> float:
        """The cost of one turn as its prompt stands now, a little above what is usual."""
        model = str(self._voices.model_of(panel, cue.persona))
        prompt = prompt_of(panel, cue, scene_of(panel, cue), self._voices.templates)
        prefix = _prefix(prompt)
        if newest := self._newest(panel, model):
            course.holds(model, min(prefix, _prefix_at(panel, prompt, newest, cue)))
        output = round(answer_tokens(cue.max_words or USUAL_WORDS) * MARGIN)
        usage = course.call(model, prefix=prefix, tail=tokens(prompt.tail), output=output)
        return self._cost(panel, cue.persona, usage + (LOOKED_UP if cue.tools else Usage()))

    def _closing_estimate(self, panel: Panel, format_: Format, course: CacheCourse) -> float:
        """The closing phase after the turns at hand, reading what those leave in the cache."""
        planned = [turn for turn in format_.plan(panel.opened.options, panel.seats) if turn.kind in CLOSING]
        talk = sum(tokens(turn.text) + BLOCK_TOKENS for turn in panel.turns)
        start = tokens(self._voices.templates["rules"]) + sum(tokens(d.text) for d in panel.opened.documents)
        return sum(self._planned(panel, turn, course, start + talk) for turn in planned)

    def _planned(self, panel: Panel, turn: PlannedTurn, course: CacheCourse, prefix: int) -> float:
        model = str(self._voices.model_of(panel, turn.persona))
        output = round(answer_tokens(turn.words) * MARGIN)
        return self._cost(panel, turn.persona, course.call(model, prefix=prefix, tail=1200, output=output))

    def _newest(self, panel: Panel, model: str) -> Turn | None:
        """The newest turn of that model, where its cache entry must still live."""
        now = self._voices.clock.now()
        for turn in reversed(panel.turns):
            if turn.at - turn.latency_ms / 1000 < now - CACHE_LIFE:
                return None
            if turn.model == model:
                return turn
        return None

    def _cost(self, panel: Panel, persona: str, usage: Usage) -> float:
        return self._voices.cost(self._voices.model_of(panel, persona), usage) or 0.0


def _prefix(prompt: Prompt) -> int:
    return tokens(prompt.system) + sum(tokens(block.text) for block in prompt.shared)


def _prefix_at(panel: Panel, prompt: Prompt, newest: Turn, cue: Cue) -> int:
    """How much of this prompt stood in that earlier turn's prompt already: all but what was said since."""
    if cue.sees != "everything" or (panel.recap and panel.recap.seq > newest.seq):
        return tokens(prompt.system) + (tokens(prompt.shared[0].text) if prompt.shared else 0)
    since = sum(1 for turn in panel.turns if turn.seq >= newest.seq and turn.text)
    since += sum(1 for human in panel.humans if human.seq >= newest.seq)
    kept = prompt.shared[: max(1, len(prompt.shared) - since)]
    return tokens(prompt.system) + sum(tokens(block.text) for block in kept)
