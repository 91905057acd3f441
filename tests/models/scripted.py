"""A model that answers from a script."""

import asyncio
from collections.abc import Iterable

from bot.core.measured import Usage
from bot.core.model import ChatModel, ModelReply, ModelRequest, Progress

Answer = str | ModelReply | Exception
USAGE = Usage(input=10, output=5)


class ScriptedModel(ChatModel):
    """Gives each answer once, in order, then the last one again; exceptions are raised. `asked` holds the requests."""

    def __init__(self, answers: Iterable[Answer] = ("Yes.",), *, seconds: float = 0.0) -> None:
        self._answers, self._seconds = list(answers), seconds
        self.asked: list[ModelRequest] = []
        self.at_once = self.most_at_once = 0

    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        answer = self._answers[min(len(self.asked), len(self._answers) - 1)]
        self.asked.append(request)
        progress.started.set()
        progress.spent(USAGE)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self._seconds)
        finally:
            self.at_once -= 1
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            return ModelReply(text=answer, usage=USAGE, model=str(request.model))
        return answer

    async def models(self) -> tuple[str, ...]:
        return ("scripted-1",)
