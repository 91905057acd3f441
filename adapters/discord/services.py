"""What the adapter needs of the house, and what a panel that was asked for consists of."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import discord

from bot.core.catalogs import Catalogs
from bot.core.clock import Clock
from bot.core.hearing import Hearing
from bot.core.options import FormatName
from bot.core.place import Place
from bot.core.starts import Starts
from bot.core.store import Shelf, Store
from bot.core.targets import Reach, Targets


async def _nowhere(_place: Place) -> Reach:
    return Reach()


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The house, as far as Discord reaches into it."""

    store: Store
    shelf: Shelf
    clock: Clock
    hearing: Hearing
    starts: Starts
    catalogs: Catalogs
    targets: Targets
    kick: Callable[[str], Awaitable[None]]
    """Sees to it that a panel runs."""
    reach: Callable[[Place], Awaitable[Reach]] = _nowhere
    """The roots that a place was granted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A panel that somebody asks for."""

    format: FormatName
    words: str | None
    options: Mapping[str, Any]
    author: discord.abc.User
    channel: object
    """Where it was asked for."""
    files: tuple[discord.Attachment, ...] = ()
    message: discord.Message | None = None
    """The message that carries the files, or that the panel is to look at."""
    about: bool = False
    """The panel is to look at `message`."""
