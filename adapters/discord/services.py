"""What the adapter needs of the house, and what a panel that was asked for consists of."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from bot.core.clock import Clock
from bot.core.desk.service import Desk
from bot.core.starting.catalogs import Catalogs
from bot.core.starting.command import PanelCommand
from bot.core.starting.starts import Starts
from bot.core.steering.hearing import Hearing
from bot.core.store import Shelf, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The house, as far as Discord reaches into it."""

    store: Store
    shelf: Shelf
    clock: Clock
    hearing: Hearing
    starts: Starts
    catalogs: Catalogs
    kick: Callable[[str], Awaitable[None]]
    """Sees to it that a panel runs."""
    desk: Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A panel that somebody asks for."""

    command: PanelCommand
    author: discord.abc.User
    channel: object
    """Where it was asked for; what "this thread" means."""
    elsewhere: discord.TextChannel | discord.ForumChannel | None = None
    """Where the panel is to stand instead."""
    files: tuple[discord.Attachment, ...] = ()
    message: discord.Message | None = None
    """The message that carries the files, or that the panel is to look at."""
    about: bool = False
    """The panel is to look at `message`."""
    asks: bool = True
    """The author can be asked what is left open."""
    cause: str = ""
    """The message or interaction; the same one, delivered twice, opens one panel."""
