"""What every implementation of `ChatModel` keeps to."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator

import pytest

from bot.core.model import ChatModel, ModelRequest, Progress


class ChatModelContract(ABC):
    """Subclass it, and say how to make a provider, what to ask it, and how to make it slow."""

    @abstractmethod
    def make(self) -> AsyncIterator[ChatModel]:
        """A provider that answers; let go of when the test ends."""

    @abstractmethod
    def request(self) -> ModelRequest:
        """Something it can answer."""

    @abstractmethod
    def slow_down(self) -> None:
        """From now on an answer takes a minute."""

    @pytest.fixture
    async def model(self) -> AsyncIterator[ChatModel]:
        async for made in self.make():
            yield made
            await made.close()

    async def test_it_answers_in_words(self, model: ChatModel) -> None:
        """With the full name of the model that spoke."""
        reply = await model.call(self.request(), Progress())

        assert reply.text.strip()
        assert reply.stop == "end"
        assert reply.model == str(self.request().model)
        assert reply.latency_ms >= 0

    async def test_what_it_used_is_told_as_it_goes(self, model: ChatModel) -> None:
        """The caller knows the cost also where no reply comes back."""
        progress = Progress()

        reply = await model.call(self.request(), progress)

        assert progress.usage == reply.usage
        assert progress.started.is_set()

    async def test_usage_of_several_calls_adds_up(self, model: ChatModel) -> None:
        """A turn has one sum, whatever its attempts."""
        progress = Progress()

        replies = [await model.call(self.request(), progress) for _ in range(2)]

        assert progress.usage == replies[0].usage + replies[1].usage

    async def test_a_call_can_be_cancelled_at_any_moment(self, model: ChatModel) -> None:
        """Within a second."""
        self.slow_down()
        call = asyncio.create_task(model.call(self.request(), Progress()))
        await asyncio.sleep(0.1)

        async with asyncio.timeout(1):
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)

        assert call.cancelled()

    async def test_its_list_holds_what_it_answers_with(self, model: ChatModel) -> None:
        """An empty list checks nothing."""
        listed = await model.models()

        assert not listed or self.request().model.name in listed

    async def test_windows_and_counts_are_numbers_or_unknown(self, model: ChatModel) -> None:
        """Nobody has to guess."""
        name = self.request().model.name
        window, counted = await model.window(name), await model.count(name, "one two three")

        assert window is None or window > 1000
        assert counted is None or 0 < counted < 100
