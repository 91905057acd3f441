"""The structured answers of the rehearsal: one function for each name in `bot.core.answers.ANSWERS`.

To add an answer: write a function from the scene to the answer's fields, and put it into `WRITERS`. A persona's own
words come from `Stage` and `speech`, its judgement of a target from `judging.judged`.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from adapters.models.rehearsal.counselling import bench, council_synthesis, lens
from adapters.models.rehearsal.debating import choice, closing, rebuttal
from adapters.models.rehearsal.filling import filled
from adapters.models.rehearsal.moderating import done, moderated, must_speak
from adapters.models.rehearsal.reviewing import coordinated, verdict
from adapters.models.rehearsal.stage import stage_of
from adapters.models.rehearsal.synthesis import synthesis
from bot.core.errors import CallFailed
from bot.core.scene import Scene

Writer = Callable[[Scene], dict[str, Any]]


def written(scene: Scene, schema: Mapping[str, Any]) -> str:
    """The wanted answer as JSON; fields that a persona's contract adds are filled in as its schema allows.

    Raises CallFailed for an answer that the rehearsal does not know.
    """
    writer = WRITERS.get(scene.answer)
    if writer is None:
        raise CallFailed(f"the rehearsal has no answer called {scene.answer!r}")
    return json.dumps(filled(schema, writer(scene)), ensure_ascii=False)


def _moderation(scene: Scene) -> dict[str, Any]:
    stage = stage_of(scene)
    ends = done(stage)
    return {"statement": moderated(stage), "done": ends}


def _interjection(scene: Scene) -> dict[str, Any]:
    stage = stage_of(scene)
    speaks = must_speak(stage)
    return {"speaks": speaks, "statement": moderated(stage) if speaks else ""}


WRITERS: Mapping[str, Writer] = {
    "moderation": _moderation,
    "interjection": _interjection,
    "synthesis": synthesis,
    "rebuttal": rebuttal,
    "closing": closing,
    "choice": choice,
    "verdict": verdict,
    "coordinator": coordinated,
    "lens": lens,
    "bench": bench,
    "council_synthesis": council_synthesis,
}
"""Name of an answer → its writer."""
