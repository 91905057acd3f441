"""The deterministic synthesis: what the host posts when no model's prose could be trusted. It says that it is one."""

from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.words import sentences, shortened, words

NOTE = "_Put together by rule from what was said, without a model's prose._"


def deterministic_synthesis(panel: Panel, *, max_words: int) -> str:
    """Each participant's last words, quoted, then the questions that were left; never more than `max_words`."""
    last: dict[str, str] = {}
    for turn in panel.turns:
        if turn.persona != HOST and turn.turn_kind != "synthesis":
            last[turn.persona] = turn.text
    if not last:
        return f"{NOTE}\n\nNobody spoke in this panel, so there is nothing to sum up."
    room = max_words - words(NOTE) - 40
    share = max(12, room // max(1, len(last)) - 4)
    lines = [f"- **{panel.name_of(name)}**: “{_quotable(text, share)}”" for name, text in last.items()]
    kept: list[str] = []
    for line in lines:
        if words("\n".join([*kept, line])) > room:
            kept.append(f"- … and {len(lines) - len(kept)} more; their words stand in the transcript.")
            break
        kept.append(line)
    questions = _questions(panel)
    parts = [NOTE, "**Where everybody ended**\n" + "\n".join(kept)]
    if questions and words("\n".join(parts)) + words(questions) <= max_words:
        parts.append(f"**Left open**\n{questions}")
    return "\n\n".join(parts)


def _quotable(text: str, limit: int) -> str:
    return shortened(" ".join(text.split()), limit).replace("“", "'").replace("”", "'")


def _questions(panel: Panel) -> str:
    asked = [s for turn in panel.turns[-8:] for s in sentences(turn.text) if s.endswith(("?", "？"))]
    return "\n".join(f"- {question}" for question in dict.fromkeys(asked[-3:]))
