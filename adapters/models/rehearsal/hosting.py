"""What the rehearsed host says: answers from the document and the talk, digests, recaps. It has no view of its own."""

from adapters.models.rehearsal.matter import likeness
from adapters.models.rehearsal.noticing import target_of
from adapters.models.rehearsal.passages import excerpt
from adapters.models.rehearsal.synthesis import synthesis
from bot.core.formats.answers import Synthesis
from bot.core.persona import HOST
from bot.core.scene import Line, Scene
from bot.core.words import sentences, shortened

DIGEST_LINES = 60


def hosted(scene: Scene) -> str:
    """The host's words, neutral and quoted."""
    match scene.kind:
        case "answer":
            return _answer(scene)
        case "digest":
            return _digest(scene)
        case "synthesis":
            return Synthesis.model_validate(synthesis(scene)).speech()
    return "\n".join(f"- **{line.speaker}**: {_gist(line)}" for line in _last_of_each(scene))


def _answer(scene: Scene) -> str:
    parts: list[str] = []
    passages = target_of(scene.documents).passages
    nearest = max(passages, key=lambda passage: likeness(passage.text, scene.question), default=None)
    if nearest and likeness(nearest.text, scene.question) > 1:
        parts.append(f"The document says in {nearest.where}: “{excerpt(nearest.text, '')}”")
    said = [(line, s) for line in scene.transcript[-40:] if line.short_name != HOST for s in sentences(line.text)]
    line_and_said = max(said, key=lambda pair: likeness(pair[1], scene.question), default=None)
    if line_and_said and likeness(line_and_said[1], scene.question) > 0:
        parts.append(f"{line_and_said[0].speaker} said: “{line_and_said[1]}”")
    return "\n".join(parts) or "Neither the document nor the talk answers that."


def _digest(scene: Scene) -> str:
    """The outline of the target: its first lines as they stand."""
    lines = [line for document in scene.documents for line in document.lines if line.strip()]
    return "\n".join(lines[:DIGEST_LINES])


def _last_of_each(scene: Scene) -> list[Line]:
    last = {line.speaker: line for line in scene.transcript if line.short_name != HOST}
    return list(last.values())


def _gist(line: Line) -> str:
    return shortened(" ".join(line.text.split()), 40)
