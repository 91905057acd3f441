"""What the surface works with, made by the house and handed in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.slack.platform import Slack
from bot.core.clock import Clock
from bot.core.desk.service import Desk
from bot.core.starting.catalogs import Catalogs
from bot.core.starting.starts import Starts
from bot.core.steering.hearing import Hearing
from bot.core.store import Shelf, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The house, as far as Slack needs it."""

    platform: Slack
    hearing: Hearing
    starts: Starts
    desk: Desk
    store: Store
    shelf: Shelf
    catalogs: Catalogs
    clock: Clock
    kick: Callable[[str], Awaitable[None]]
    """See to it that the panel is run."""
