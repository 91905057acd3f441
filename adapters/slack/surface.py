"""Slack's surface: made by the house, run beside the panels.

platform = slack_platform(settings, …)              # for the house's platforms
surface = SlackSurface(Services(platform=platform, …), settings)
await surface.run()                                 # until cancelled
"""

import asyncio
import logging
from dataclasses import dataclass, field

from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

from adapters.slack.accounts import Accounts, Joined, OneToken, Tokens
from adapters.slack.app import bolt_app
from adapters.slack.catch_up import CatchUp
from adapters.slack.door import Door, serve
from adapters.slack.installations import Installations
from adapters.slack.oauth import flow
from adapters.slack.platform import Slack
from adapters.slack.routes import Routes
from adapters.slack.rules import RuleBook
from adapters.slack.services import Services
from adapters.slack.socket import Health, Socket, Watch
from adapters.slack.translate import NO_TOKEN
from adapters.slack.vault import Vault
from adapters.slack.web import Web
from bot.core.clock import Clock
from bot.core.desk.workspace import WorkspaceSettings
from bot.core.errors import PlatformError, StoreError, UsageError
from bot.core.store import Shelf

log = logging.getLogger("panelist.slack")

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """What the environment says about Slack. Without an app token, Slack talks to us over signed HTTP."""

    bot_token: str = field(default="", repr=False)
    app_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    secret_key: str = field(default="", repr=False)
    """PANELIST_SECRET_KEY; seals the tokens of installed workspaces."""
    database: str = field(default="", repr=False)
    """DATABASE_URL; where installed workspaces are kept."""
    api_url: str = ""
    public_url: str = ""
    host: str = "127.0.0.1"
    port: int = 8420
    """Where signed HTTP and avatars are served by ourselves, unless a room carries the door."""
    mounted: bool = False
    """The room answers for `SlackSurface.door`; we open no port."""

    @property
    def wanted(self) -> bool:
        """True where anything of Slack is set up."""
        return bool(self.bot_token or self.client_id)

    @property
    def over_http(self) -> bool:
        return not self.app_token


def slack_tokens(settings: SlackSettings) -> Tokens:
    """Where bot tokens come from. Raises UsageError for settings that do not fit together."""
    if settings.over_http and not settings.signing_secret:
        raise UsageError(
            "Slack needs SLACK_APP_TOKEN (Socket Mode), or SLACK_SIGNING_SECRET (signed HTTP); set one of them"
        )
    if not settings.client_id:
        return OneToken(settings.bot_token)
    if not settings.client_secret:
        raise UsageError("SLACK_CLIENT_ID is set without SLACK_CLIENT_SECRET; set both, or neither")
    installed = Installations(
        database=settings.database, client_id=settings.client_id, vault=Vault(settings.secret_key)
    )
    return Joined(installed, OneToken(settings.bot_token)) if settings.bot_token else installed


def slack_platform(
    settings: SlackSettings,
    *,
    shelf: Shelf,
    clock: Clock,
    tokens: Tokens | None = None,
    defaults: WorkspaceSettings | None = None,
    interval: float = 1.0,
) -> Slack:
    """The platform, for the house's `platforms`. `interval`: seconds between two posts in one channel.

    Raises UsageError for settings that do not fit together.
    """
    web = Web(clock, settings.api_url)
    return Slack(
        web=web,
        accounts=Accounts(web, tokens or slack_tokens(settings)),
        rules=RuleBook(shelf, clock, defaults),
        clock=clock,
        public_url=settings.public_url,
        interval=interval,
    )


class SlackSurface:
    """What people do in Slack, taken in."""

    def __init__(self, services: Services, settings: SlackSettings, *, watch: Watch | None = None) -> None:
        self._services, self._settings, self._clock = services, settings, services.clock
        self._routes = Routes(services)
        self._catching_up = CatchUp(services, services.clock)
        platform = services.platform
        self.app = bolt_app(platform.accounts, self._routes, signing_secret=settings.signing_secret)
        self.door = Door(self.app, services.catalogs, self._flow(), signed=bool(settings.signing_secret))
        """Answers HTTP below `/slack` and for avatars; a room may carry it."""
        self._socket = Socket(self.app, settings.app_token, services.clock, watch=watch, back=self.catch_up)

    @property
    def health(self) -> Health:
        """How the connection to Slack is."""
        if self._settings.over_http:
            return Health(connected=True, heard_ago=None, connections=0)
        return self._socket.health

    async def run(self) -> None:
        """Serve Slack until cancelled."""
        try:
            await self._ready()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self.catch_up(), name="slack catch-up")
                if not self._settings.over_http:
                    tasks.create_task(self._socket.run(), name="slack socket")
                if self._serves:
                    tasks.create_task(serve(self.door, self._settings.host, self._settings.port), name="slack door")
        finally:
            await self._services.platform.close()

    async def catch_up(self) -> None:
        """Hear what was written while nobody listened, and deal with mentions that were left."""
        try:
            await self._routes.inbox.take_up()
            await self._catching_up.all()
        except StoreError as fault:
            log.warning("not caught up: %s", fault)

    @property
    def _serves(self) -> bool:
        reachable = self._settings.over_http or self._settings.client_id or self._settings.public_url
        return bool(reachable) and not self._settings.mounted

    def _flow(self) -> AsyncOAuthFlow | None:
        settings, tokens = self._settings, self._services.platform.accounts.tokens
        installed = next((each for each in _each(tokens) if isinstance(each, Installations)), None)
        if installed is None:
            return None
        return flow(
            self._services.platform.web,
            installed,
            client_id=settings.client_id,
            client_secret=settings.client_secret,
            public_url=settings.public_url,
        )

    async def _ready(self) -> None:
        """Return when Slack has said who we are."""
        wait = FIRST_WAIT
        while True:
            try:
                await self._services.platform.accounts.tokens.prepare()
                accounts = await self._services.platform.accounts.every()
                log.info("in %d workspaces", len(accounts))
                if not accounts and self._settings.bot_token:
                    log.error("SLACK_BOT_TOKEN is refused: %s; `panelist doctor` tells more", NO_TOKEN)
                return
            except (PlatformError, StoreError) as fault:
                log.warning("Slack can not be asked who we are: %s", fault)
            await self._clock.sleep(wait)
            wait = min(LONGEST_WAIT, wait * 2)


def _each(tokens: Tokens) -> tuple[Tokens, ...]:
    return tokens.parts if isinstance(tokens, Joined) else (tokens,)
