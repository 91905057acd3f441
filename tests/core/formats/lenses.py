"""What scripted lenses and their host say."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.core.document import Document
from bot.core.entries import Opened, Seat
from bot.core.model import ModelRequest
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.records.record import record
from bot.core.scene import Line, Scene
from storage.record_schema import check_record
from tests.core.formats.reviewers import TARGET
from tests.fakes.model import Said, ScriptedModel, speaker_of
from tests.fakes.stage import Stage, opening, seat

REASONS = {
    "PASS": "Nothing in my lens stands against this at all.",
    "CONCERN": "This should change, though it need not stop here.",
    "FAIL": "This charges people twice and must not go on.",
    "N/A": "There is nothing in it for my lens.",
}


def word(verdict: str, **changed: Any) -> dict[str, Any]:
    """A sound word of a lens; `changed` replaces its fields."""
    finding = {"anchor": "3", "claim": "A repeated call charges twice.", "stance": "change"}
    return {
        "lens": "",
        "verdict": verdict,
        "rationale": REASONS[verdict],
        "findings": [] if verdict in ("PASS", "N/A") else [finding],
        "evidence": [],
        "position": "first",
        "moved_by": [],
        **changed,
    }


def found(anchor: str, stance: str, claim: str = "So it is.") -> dict[str, str]:
    """One finding."""
    return {"anchor": anchor, "stance": stance, "claim": claim}


def said_in(line: Line) -> str:
    """The verdict that a lens's line gives."""
    head = line.text.split("**")[1].rstrip(".").split(": ")[-1]
    return head.split(" → ")[-1]


def rationale(line: Line) -> str:
    return line.text.split("** ", 1)[1].split("\n")[0]


def synthesis(scene: Scene, **changed: Any) -> dict[str, Any]:
    """A sound synthesis of what the host sees."""
    last = {line.short_name: line for line in scene.transcript if line.short_name not in ("", HOST)}
    claims = {name: _claim(line) for name, line in last.items()}
    headline = scene.values["headline"]
    divided = [line.speaker for line in last.values() if line.speaker in headline]
    first = next((name for name, line in last.items() if line.speaker in divided[:1]), "")
    return {
        "blockers": [claims[name] for name, line in last.items() if said_in(line) == "FAIL"],
        "headline": {**claims[first], "text": "They differ.", "speakers": divided} if len(divided) > 1 else None,
        "positions": list(claims.values()),
        "verdict": scene.values["final"],
        "trade_off": "Speed against certainty.",
        **changed,
    }


def _claim(line: Line) -> dict[str, Any]:
    return {"text": "holds this:", "speakers": [line.speaker], "quote": rationale(line)}


Words = Mapping[str, Sequence[Said]]
"""Short name → what it says in round 1, 2, …; the last one again afterwards."""


def council_model(words: Words, host: Callable[[Scene], Said] = synthesis) -> ScriptedModel:
    """Lenses that say these words, and a host."""

    def script(request: ModelRequest) -> Said:
        speaker, scene = speaker_of(request), request.scene
        if speaker == HOST:
            return "A map of the folder." if scene.kind == "digest" else host(scene)
        own = words[speaker]
        said = own[min(scene.round, len(own)) - 1]
        return word(said) if isinstance(said, str) and said in REASONS else said

    return ScriptedModel(script)


def council(
    *names: str, rounds: int = 3, documents: tuple[Document, ...] = (TARGET,), seats: tuple[Seat, ...] = (), **more: Any
) -> Opened:
    """A council of Ada, Bo and Cy on the target, or of those named or seated."""
    sitting = seats or tuple(seat(name) for name in names or ("ada", "bo", "cy"))
    opened = opening(*sitting, format_="council", topic="retry.md", rounds=rounds, **more)
    return opened.model_copy(update={"documents": documents})


async def held(words: Words, *, host: Callable[[Scene], Said] = synthesis, **more: Any) -> tuple[Panel, Stage]:
    """A council run to its rest."""
    stage = Stage(model=council_model(words, host))
    await stage.open(council(*words, **more))
    return await stage.run(), stage


def consolidation(panel: Panel) -> dict[str, Any]:
    """The record's, once the whole record fits its schema."""
    document = record(panel, ())
    check_record(document)
    kept: dict[str, Any] = document["consolidation"]
    return kept
