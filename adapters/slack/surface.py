"""Slack's surface: made by the house, run beside the panels."""

import asyncio
import logging
from dataclasses import dataclass

from adapters.slack.accounts import Accounts, OneToken, Tokens
from adapters.slack.app import bolt_app
from adapters.slack.catch_up import CatchUp
from adapters.slack.platform import Slack
from adapters.slack.routes import Routes
from adapters.slack.rules import RuleBook
from adapters.slack.services import Services
from adapters.slack.socket import Health, Socket, Watch
from adapters.slack.web import Web
from bot.core.clock import Clock
from bot.core.errors import PlatformError, StoreError
from bot.core.store import Shelf
from bot.core.workspace import WorkspaceSettings

log = logging.getLogger("panelist.slack")

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """What the environment says about Slack."""

    bot_token: str = ""
    app_token: str = ""
    signing_secret: str = ""
    api_url: str = ""
    public_url: str = ""


def slack_platform(
    settings: SlackSettings,
    *,
    shelf: Shelf,
    clock: Clock,
    tokens: Tokens | None = None,
    defaults: WorkspaceSettings | None = None,
    interval: float = 1.0,
) -> Slack:
    """The platform, for the house's `platforms`. `tokens`: of installed workspaces, instead of the one bot token."""
    web = Web(clock, settings.api_url)
    return Slack(
        web=web,
        accounts=Accounts(web, tokens or OneToken(settings.bot_token)),
        rules=RuleBook(shelf, clock, defaults),
        clock=clock,
        public_url=settings.public_url,
        interval=interval,
    )


class SlackSurface:
    """What people do in Slack, taken in."""

    def __init__(self, services: Services, settings: SlackSettings, *, watch: Watch | None = None) -> None:
        self._services, self._clock = services, services.clock
        self._routes = Routes(services)
        self._catching_up = CatchUp(services, services.clock)
        self.app = bolt_app(services.platform.accounts, self._routes, signing_secret=settings.signing_secret)
        self._socket = Socket(self.app, settings.app_token, services.clock, watch=watch, back=self.catch_up)

    @property
    def health(self) -> Health:
        """How the connection to Slack is."""
        return self._socket.health

    async def run(self) -> None:
        """Serve Slack until cancelled."""
        try:
            await self._ready()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._socket.run(), name="slack socket")
                tasks.create_task(self.catch_up(), name="slack catch-up")
        finally:
            await self._services.platform.close()

    async def catch_up(self) -> None:
        """Hear what was written while nobody listened, and deal with mentions that were left."""
        try:
            await self._routes.inbox.take_up()
            await self._catching_up.all()
        except StoreError as fault:
            log.warning("not caught up: %s", fault)

    async def _ready(self) -> None:
        """Return when Slack has said who we are."""
        wait = FIRST_WAIT
        while True:
            try:
                accounts = await self._services.platform.accounts.every()
                log.info("in %d workspaces", len(accounts))
                return
            except (PlatformError, StoreError) as fault:
                log.warning("Slack can not be asked who we are: %s", fault)
            await self._clock.sleep(wait)
            wait = min(LONGEST_WAIT, wait * 2)
