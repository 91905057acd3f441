"""What scripted debaters say: sound turns, and ways to spoil one of them."""

from collections.abc import Callable
from typing import Any

from bot.core.entries import Opened
from bot.core.model import ModelRequest
from bot.core.persona import HOST
from bot.core.scene import Line, Scene
from tests.fakes.model import Said, ScriptedModel, speaker_of
from tests.fakes.stage import opening, seat

FILL = "The cost of it falls on people who never asked for it, and the gain is counted by those who did. "


def thesis(scene: Scene) -> str:
    """About a hundred words that name the speaker and the round."""
    name = scene.speaker.name if scene.speaker else HOST
    return f"{name} argues in round {scene.round} that retries must wait. {FILL * 5}".strip()


def other(scene: Scene) -> Line:
    """The newest line of somebody else."""
    own = scene.speaker.short_name if scene.speaker else HOST
    return next(line for line in reversed(scene.transcript) if line.short_name not in ("", own, HOST))


def first_sentence(line: Line) -> str:
    return line.text.split(". ")[0]


def turn(scene: Scene) -> Said:
    """A sound turn of a debate."""
    if scene.answer == "rebuttal":
        line = other(scene)
        text = f"{line.speaker} leaves the worst case out. {thesis(scene)}"
        return {"text": text, "challenges": [{"persona": line.speaker, "quote": first_sentence(line)}]}
    if scene.answer == "closing":
        line = other(scene)
        text = f"I grant {line.speaker} one point. {thesis(scene)}"
        return {"text": text, "concedes": [{"persona": line.speaker, "quote": first_sentence(line)}]}
    if scene.answer == "synthesis":
        return synthesis(scene)
    return thesis(scene)


def synthesis(scene: Scene, **changed: Any) -> dict[str, Any]:
    """A sound synthesis; `changed` replaces its fields."""
    line = next(line for line in scene.transcript if line.short_name not in ("", HOST))
    claim = {"text": f"{line.speaker} wants to wait.", "speakers": [line.speaker], "quote": first_sentence(line)}
    return {"disagreements": [claim], "declares_winner": False, **changed}


def debate(*, rounds: int = 3, mode: str = "isolated", **options: Any) -> Opened:
    """A debate of Ada, Bo and Cy."""
    seats = (seat("ada"), seat("bo"), seat("cy"))
    return opening(*seats, format_="debate", rounds=rounds, mode=mode, **options)


def spoiled(speaker: str, answer: str, spoil: Callable[[Scene], Said], *, times: int = 99) -> ScriptedModel:
    """A model whose turns are sound, but for that speaker's answers of that name (`""`: an opening), so many times."""
    left = [times]

    def script(request: ModelRequest) -> Said:
        scene = request.scene
        if speaker_of(request) == speaker and scene.answer == answer and left[0] > 0:
            left[0] -= 1
            return spoil(scene)
        return turn(scene)

    return ScriptedModel(script)


def sound() -> ScriptedModel:
    """A model whose every turn is sound."""
    return ScriptedModel(lambda request: turn(request.scene))
