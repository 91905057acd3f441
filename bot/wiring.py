"""The one place that names concrete classes: from settings to a house that can run panels."""

import asyncio
import random
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from adapters.documents.reading import Documents
from adapters.documents.toolbox import RootToolboxes
from adapters.models.prices import OfflinePrices
from adapters.models.rehearsal import Rehearsal
from adapters.terminal.platform import Terminal
from adapters.terminal.view import View
from bot.core.budget import Purse
from bot.core.catalog import Catalog, merged
from bot.core.clock import Clock
from bot.core.discussion import Discussion
from bot.core.driver import LocalDriver
from bot.core.errors import NoModel
from bot.core.format import Format
from bot.core.hearing import Hearing
from bot.core.model import ChatModel, ModelId
from bot.core.orchestrator import Orchestrator
from bot.core.platform import ChatPlatform
from bot.core.store import Store
from bot.core.timing import Timing
from bot.core.voices import Voices
from bot.settings import Settings
from personas.catalog import load, load_bundled
from storage.archive import FileArchive
from storage.opening import open_store

REHEARSAL = "rehearsal"


class SystemClock(Clock):
    """The machine's time."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    def jitter(self) -> float:
        return random.random()


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Everything that commands and servers work with."""

    settings: Settings
    clock: Clock
    store: Store
    catalog: Catalog
    formats: Mapping[str, Format]
    voices: Voices
    orchestrator: Orchestrator
    driver: LocalDriver
    hearing: Hearing
    archive: FileArchive
    documents: Documents
    platforms: Mapping[str, ChatPlatform]
    owner: str


def templates() -> dict[str, str]:
    """The prompt texts, by name."""
    folder = files("bot.prompts")
    return {
        path.name.removesuffix(".md"): path.read_text(encoding="utf-8").strip()
        for path in folder.iterdir()
        if path.name.endswith(".md")
    }


def formats() -> dict[str, Format]:
    """Every format, by name."""
    return {format_.name: format_ for format_ in (Discussion(),)}
