"""The model that is no model: deterministic voices for trying the product out. Used only when named."""

from adapters.models.rehearsal.answers import written
from adapters.models.rehearsal.hosting import hosted
from adapters.models.rehearsal.moderating import moderated
from adapters.models.rehearsal.speech import spoken
from adapters.models.rehearsal.stage import stage_of
from bot.core.clock import Clock
from bot.core.model import ChatModel, ModelReply, ModelRequest, Progress
from bot.core.scene import Scene

NAME = "rehearsal"


class Rehearsal(ChatModel):
    """Speaks from the scene alone: persona, target and earlier speakers; the same scene gives the same words."""

    is_ai = False

    def __init__(self, clock: Clock, delay: float = 0.0) -> None:
        """`delay` is in seconds, for each turn."""
        self._clock, self._delay = clock, delay

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        began = self._clock.monotonic()
        progress.started.set()
        await self._clock.sleep(self._delay)
        scene = request.scene
        text = written(scene, request.schema or {}) if scene.answer else said(scene)
        latency = round((self._clock.monotonic() - began) * 1000)
        return ModelReply(text=text, model=f"{NAME}:{request.model.name}", latency_ms=latency)

    async def models(self) -> tuple[str, ...]:
        return (NAME,)


def said(scene: Scene) -> str:
    """The scene's next words as plain speech."""
    if scene.speaker is None:
        return hosted(scene)
    stage = stage_of(scene)
    moderates = scene.kind == "moderation" or (scene.kind == "opening" and scene.format == "discussion")
    return moderated(stage) if moderates else spoken(scene, stage)
