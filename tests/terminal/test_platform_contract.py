"""The terminal and the fake keep the platform's contract."""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from adapters.terminal.platform import Terminal
from adapters.terminal.view import Silent
from bot.core.card import Card
from bot.core.place import Place
from tests.contracts.platform import PANEL, PlatformContract, Stage, Standing
from tests.fakes.chat import FaultyPlatform
from tests.fakes.clock import FakeClock


class _Watched(Silent):
    """Remembers the card that was shown last."""

    def __init__(self) -> None:
        self.shown: Card | None = None

    def card(self, card: Card) -> None:
        self.shown = card


class TerminalStage(Stage):
    """A terminal in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.view, self.folder = _Watched(), folder
        self.platform = Terminal(folder, self.view)
        self.place = Place(platform="terminal")

    async def standing(self, place: Place) -> list[Standing]:
        rows = [json.loads(line) for line in (self.folder / f"{PANEL}.jsonl").read_text().splitlines()]
        return [Standing(id=r["id"], name=r["name"], text=r["text"]) for r in rows if r["kind"] != "card"]

    async def shown_card(self, place: Place, card_id: str) -> str:
        return f"{self.view.shown} {(self.folder / f'{PANEL}.jsonl').read_text()}"

    async def lose_the_answer(self) -> None:
        return None


class TestTerminal(PlatformContract):
    """A screen, and a file that remembers."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        yield TerminalStage(self.folder)


class FakeStage(Stage):
    """The platform in memory."""

    def __init__(self) -> None:
        self.platform: FaultyPlatform = FaultyPlatform(FakeClock())
        self.place = Place(platform="fake", workspace="w", channel="c")

    async def standing(self, place: Place) -> list[Standing]:
        return [Standing(id=m.id, name=m.speaker.title(), text=m.text) for m in self.platform.standing(PANEL)]

    async def shown_card(self, place: Place, card_id: str) -> str:
        return f"{self.platform.messages[0].text} {self.platform.cards[-1:]}"

    async def lose_the_answer(self) -> None:
        self.platform.faults.append("unconfirmed")


class TestFake(PlatformContract):
    """A fake keeps what it stands in for."""

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        yield FakeStage()
