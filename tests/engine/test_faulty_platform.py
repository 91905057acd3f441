"""The platform that fails on demand keeps the platform's contract where it does not."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from bot.core.place import Place
from tests.contracts.platform import PlatformContract, Stage, Standing
from tests.fakes.chat import FaultyPlatform
from tests.fakes.clock import FakeClock
from tests.fakes.stage import PLACE


class FaultyStage(Stage):
    """The platform of the engine's tests."""

    platform: FaultyPlatform

    def __init__(self) -> None:
        self.platform, self.place = FaultyPlatform(FakeClock()), PLACE

    async def standing(self, place: Place) -> list[Standing]:
        return [Standing(id=m.id, name=m.name, text=m.text) for m in self.platform.standing()]

    async def shown_card(self, place: Place, card_id: str) -> str:
        edits = [str(card) for card in self.platform.cards]
        return edits[-1] if edits else next(m.text for m in self.platform.messages if m.id == card_id)

    async def lose_the_answer(self) -> None:
        self.platform.faults.append("unconfirmed")


class TestFaultyPlatform(PlatformContract):
    """A fake keeps what it stands in for."""

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        yield FaultyStage()
