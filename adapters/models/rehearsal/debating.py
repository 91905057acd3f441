"""A rehearsed debate: rebuttals that quote what they challenge, closings that quote what they concede."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from adapters.models.rehearsal.speech import DEBATED, concession, padding, said_as, spoken
from adapters.models.rehearsal.stage import Remark, Stage, stage_of
from bot.core.scene import Scene
from bot.core.starting.choosing import choose
from bot.core.words import words

MOST_PARTS = 12


def rebuttal(scene: Scene) -> dict[str, Any]:
    """The answer `rebuttal`: somebody's claim, quoted and answered, and the persona's own matter."""
    return _answered(scene, "challenges", _challenge)


def closing(scene: Scene) -> dict[str, Any]:
    """The answer `closing`: a claim conceded, quoted, and what stands all the same."""
    return _answered(scene, "concedes", concession)


def choice(scene: Scene) -> dict[str, Any]:
    """The answer `choice`: what the rules choose among those at hand."""
    picked = choose(scene.topic, scene.others, 3, fewest=2)
    return {"perspectives": [], "personas": [{"persona": c.persona.short_name, "reason": c.reason} for c in picked]}


def _answered(scene: Scene, key: str, lead: Callable[[Stage, Remark], str]) -> dict[str, Any]:
    stage = stage_of(scene)
    heard = stage.heard_claim()
    if heard is None:
        return {"text": spoken(scene, stage), key: []}
    line, sentence = heard
    text = _filled([lead(stage, heard)], chain(padding(stage), _firm(stage)))
    return {"text": text, key: [{"persona": line.short_name, "quote": sentence}]}


def _challenge(stage: Stage, heard: Remark) -> str:
    line, sentence = heard
    answer = stage.remark_on(sentence) or stage.conviction(sentence) or stage.question()
    return said_as(line.speaker, sentence, answer or "I do not see what that rests on.", stage.turn)


def _firm(stage: Stage) -> Iterator[str]:
    """What it held from the start, for a voice that has nothing else left."""
    for text in stage.matter.convictions:
        yield f"And after all that was said I still hold: {text}"


def _filled(parts: list[str], more: Iterable[str]) -> str:
    """The parts, and as many more as a debate's turn wants."""
    for part in more:
        if words("\n".join(parts)) >= DEBATED or len(parts) >= MOST_PARTS:
            break
        if part:
            parts.append(part)
    return "\n\n".join(parts)
