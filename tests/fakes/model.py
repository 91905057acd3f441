"""A model that says what its script says, when the test lets it."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from bot.core.errors import CallFailed
from bot.core.measured import Usage
from bot.core.model import ChatModel, ModelReply, ModelRequest, Progress
from bot.core.persona import HOST
from bot.core.scene import Scene

Said = str | Mapping[str, Any] | ModelReply | Exception
Script = Callable[[ModelRequest], Said]

TOKENS = Usage(input=100, output=20)
"""What every call uses, told at its first event."""


class ScriptedModel(ChatModel):
    """Keeps every request. A call can be held before its first event or before its end, by the speaker's short name."""

    def __init__(self, script: Script | None = None, *, is_ai: bool = True) -> None:
        self.is_ai = is_ai
        self.script = script or plain
        self.requests: list[ModelRequest] = []
        self.cancelled: list[str] = []
        """Who was speaking when a call was cancelled."""
        self._starts: dict[str, asyncio.Event] = {}
        self._ends: dict[str, asyncio.Event] = {}
        self._asked: dict[str, asyncio.Event] = defaultdict(asyncio.Event)

    @property
    def asked(self) -> list[str]:
        """The speakers of all calls so far, in order."""
        return [speaker_of(request) for request in self.requests]

    def hold_start(self, speaker: str) -> asyncio.Event:
        """Let calls for that speaker have no first event until the returned event is set."""
        return self._starts.setdefault(speaker, asyncio.Event())

    def hold(self, speaker: str) -> asyncio.Event:
        """Let calls for that speaker, begun and paid for, not end until the returned event is set."""
        return self._ends.setdefault(speaker, asyncio.Event())

    async def until_asked(self, speaker: str, *, times: int = 1) -> None:
        """Return once so many calls for that speaker have begun."""
        while self.asked.count(speaker) < times:
            self._asked[speaker].clear()
            await self._asked[speaker].wait()

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        speaker = speaker_of(request)
        self.requests.append(request)
        self._asked[speaker].set()
        try:
            await _opened(self._starts.get(speaker))
            said = self.script(request)
            if isinstance(said, Exception):
                raise said
            progress.spent(TOKENS)
            progress.started.set()
            await _opened(self._ends.get(speaker))
        except asyncio.CancelledError:
            self.cancelled.append(speaker)
            raise
        if isinstance(said, ModelReply):
            return said
        text = said if isinstance(said, str) else json.dumps(said)
        return ModelReply(text=text, usage=TOKENS, model=str(request.model))


async def _opened(gate: asyncio.Event | None) -> None:
    if gate is not None:
        await gate.wait()


def speaker_of(request: ModelRequest) -> str:
    """The short name of who speaks; `host` for the host."""
    return request.scene.speaker.short_name if request.scene.speaker else HOST


def plain(request: ModelRequest) -> Said:
    """A sentence that says who speaks in which round; a sound structured answer where one is asked for."""
    scene = request.scene
    name = scene.speaker.name if scene.speaker else "The host"
    sentence = f"{name} says in round {scene.round} what there is to say about it ({scene.kind})."
    if not scene.answer:
        return sentence
    if scene.answer not in STRUCTURED:
        return CallFailed(f"the scripted model knows no answer {scene.answer!r}")
    return STRUCTURED[scene.answer](scene, sentence)


def synthesis(scene: Scene, sentence: str) -> Said:
    """One claim with the verbatim words of the first persona that spoke."""
    spoken = next((line for line in scene.transcript if line.short_name not in ("", HOST)), None)
    if spoken is None:
        return {"open_questions": ["Who says something?"]}
    claim = {"text": f"{spoken.speaker} spoke first.", "speakers": [spoken.speaker], "quote": spoken.text}
    return {"agreements": [claim], "next_steps": ["Read it again."]}


STRUCTURED: dict[str, Callable[[Scene, str], Said]] = {
    "moderation": lambda _scene, sentence: {"statement": sentence, "done": False},
    "interjection": lambda _scene, sentence: {"speaks": True, "statement": sentence},
    "synthesis": synthesis,
}
"""Name of a structured answer → what `plain` gives for it."""
