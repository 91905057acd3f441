"""Every call of the Web API goes through here: one request each, a time-out, 429 obeyed, errors translated."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.translate import DEAD, JSON, code_of, fault, known
from bot.core.clock import Clock
from bot.core.errors import Throttled

SECONDS = 8.0
"""For one request. Well under the time after which a post counts as settled."""
API_URL = "https://slack.com/api/"
DEAD_SECONDS = 60.0
"""After which a refused token is tried again."""
OVERRUN = 300.0
"""Seconds that a hold is kept at most; Slack asks for less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The app in one workspace."""

    key: str
    """The workspace as places name it: `ENTERPRISE/TEAM`, or the team alone."""
    token: str = field(repr=False)
    team: str
    enterprise: str
    bot_user: str
    bot_id: str
    url: str
    """The workspace's address: `https://acme.slack.com/`."""
    name: str


class Web:
    """The SDK's client without retries of its own: what may have taken effect is settled, never sent again blindly."""

    def __init__(self, clock: Clock, api_url: str = "", *, seconds: float = SECONDS) -> None:
        self.api_url = api_url or API_URL
        self._clock, self._seconds = clock, seconds
        self._session: aiohttp.ClientSession | None = None
        self._clients: dict[str, AsyncWebClient] = {}
        self._holds: dict[Hashable, float] = {}
        self._scopes: dict[str, frozenset[str]] = {}
        self._dead: dict[str, float] = {}
        self._over = False

    async def call(self, account: Account, method: str, **arguments: Any) -> JSON:
        """The answer to one request; `None` arguments are left out.

        Raises Throttled (without a request while a limit holds), SlackRefused, PostInDoubt.
        """
        return await self.ask(account.token, method, **arguments)

    async def ask(self, token: str, method: str, **arguments: Any) -> JSON:
        """As `call`, for a token whose account is not known yet."""
        lane = (token, method, arguments.get("channel"))
        if self._over:
            raise Throttled("the program is about to leave", 1.0)
        rest = self._holds.get(lane, 0.0) - self._clock.monotonic()
        if rest > 0:
            raise Throttled(f"Slack limits {method} here", rest)
        try:
            given = {name: value for name, value in arguments.items() if value is not None}
            answer = await getattr(self.client(token), method.replace(".", "_"))(**given)
        except Exception as error:
            if not known(error):
                raise
            translated = fault(method, error)
            if isinstance(translated, Throttled) and isinstance(error, SlackApiError):
                self._hold(lane, translated.retry_after)
            if code_of(translated) in DEAD:
                self._dead[token] = self._clock.monotonic()
            raise translated from error
        self._note_scopes(token, answer.headers)
        return dict(answer.data) if isinstance(answer.data, dict) else {}

    def client(self, token: str) -> AsyncWebClient:
        """The SDK's client for that token, on the one session that all share."""
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self._seconds))
            self._clients.clear()
        if token not in self._clients:
            self._clients[token] = AsyncWebClient(
                token=token or None,
                base_url=self.api_url,
                session=self._session,
                retry_handlers=[],
                timeout=int(self._seconds),
            )
        return self._clients[token]

    @property
    def session(self) -> aiohttp.ClientSession:
        """For downloads and response addresses."""
        self.client("")
        if self._session is None:
            raise RuntimeError("no session")
        return self._session

    def scopes(self, account: Account) -> frozenset[str]:
        """What the token was granted, as the newest answer said; empty where none said it yet."""
        return self._scopes.get(account.token, frozenset())

    def dead(self, token: str) -> bool:
        """True for a moment after Slack refused the token: another one may have been installed meanwhile."""
        at = self._dead.get(token)
        return at is not None and self._clock.monotonic() - at < DEAD_SECONDS

    def lost_scope(self, account: Account, scope: str) -> None:
        """The scope turned out to be missing although no answer said so yet."""
        self._scopes[account.token] = self.scopes(account) - {scope}

    async def respond(self, url: str, body: JSON) -> bool:
        """Answer by the address that came with a command or a press; false where it is used up, too old or gone.

        https://docs.slack.dev/interactivity/handling-user-interaction
        """
        try:
            async with self.session.post(url, json=body) as answer:
                return answer.status == 200
        except (aiohttp.ClientError, TimeoutError, ValueError):
            return False

    async def close(self) -> None:
        """Let go of the connections; nothing is asked afterwards."""
        self._over = True
        if self._session is not None:
            await self._session.close()

    def _note_scopes(self, token: str, headers: Mapping[str, str]) -> None:
        granted = headers.get("x-oauth-scopes")
        if granted:
            self._scopes[token] = frozenset(scope.strip() for scope in granted.split(",") if scope.strip())

    def _hold(self, lane: Hashable, seconds: float) -> None:
        now = self._clock.monotonic()
        self._holds = {other: until for other, until in self._holds.items() if until > now}
        self._holds[lane] = now + min(seconds, OVERRUN)
