"""What scripted reviewers say, and a target with lines to point at."""

from collections.abc import Mapping
from typing import Any

from bot.core.document import Document, from_text
from bot.core.entries import Opened, Seat
from bot.core.errors import CallFailed
from bot.core.model import ModelRequest
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.records.record import record
from bot.core.scene import Scene
from storage.record_schema import check_record
from tests.fakes.contracts import PlainContracts
from tests.fakes.model import Said, ScriptedModel, speaker_of
from tests.fakes.stage import Stage, opening, seat

TEXT = """# Retrying payments
A worker calls the gateway again every hour.
The charge request carries no idempotency key.
Card numbers are logged at debug level.
Everybody at once on the 1st.
Sources: docs/gateway.md
"""
TARGET = from_text(TEXT, key="docs/retry.md", kind="file", title="retry.md")
REASONS = {
    "pass": "I would let this go ahead as it stands.",
    "warn": "It may go ahead once the logging is off.",
    "fail": "It charges people twice, and nobody would know.",
}


def verdict(word: str, **changed: Any) -> dict[str, Any]:
    """A sound verdict; `changed` replaces its fields."""
    finding = {"anchor": "3", "claim": "A repeated call charges twice.", "severity": "high"}
    return {
        "verdict": word,
        "rationale": REASONS[word],
        "recommendations": ["Add a key."],
        "findings": [finding],
        "derived_sources": [],
        **changed,
    }


def coordinator(scene: Scene, word: str, **changed: Any) -> dict[str, Any]:
    """A sound coordinator's verdict that builds on every fail, or on the first who spoke."""
    lines = [line for line in scene.transcript if line.short_name not in ("", HOST)]
    failed = [line for line in lines if line.text.startswith("**Fail.**")] or lines[:1]
    quotes = {line.short_name: line.text.split("** ", 1)[1].split("\n")[0] for line in failed}
    points = [
        {"text": f"{line.speaker} says so.", "speakers": [line.speaker], "quote": quotes[line.short_name]}
        for line in failed
    ]
    return {"verdict": word, "reason": "Weighed against each other.", "points": points, **changed}


def reviewing(said: Mapping[str, Said], coordinated: str = "", **changed: Any) -> ScriptedModel:
    """Each persona gives what stands under its short name: a verdict's word, an answer, or a failure."""

    def script(request: ModelRequest) -> Said:
        speaker = speaker_of(request)
        if speaker == HOST:
            return coordinator(request.scene, coordinated, **changed) if coordinated else CallFailed("no host")
        given = said[speaker]
        return verdict(given) if isinstance(given, str) and given in REASONS else given

    return ScriptedModel(script)


def review(
    *names: str, mode: str = "voting-quorum", documents: tuple[Document, ...] = (TARGET,), **options: Any
) -> Opened:
    """A review of the target by Ada, Bo and Cy, or by those named."""
    seats: tuple[Seat, ...] = tuple(seat(name) for name in names or ("ada", "bo", "cy"))
    opened = opening(*seats, format_="review", topic="retry.md", rounds=1, mode=mode, **options)
    return opened.model_copy(update={"documents": documents})


async def reviewed(
    said: dict[str, Any], *, coordinated: str = "", changed: dict[str, Any] | None = None, **more: Any
) -> tuple[Panel, Stage]:
    """A review run to its rest: what each says, the coordinator's verdict with changes, and options."""
    stage = Stage(model=reviewing(said, coordinated, **(changed or {})), contracts=PlainContracts())
    await stage.open(review(**more))
    return await stage.run(), stage


def consolidation(panel: Panel) -> dict[str, Any]:
    """The record's, once the whole record fits its schema."""
    document = record(panel, ())
    check_record(document)
    found: dict[str, Any] = document["consolidation"]
    return found
