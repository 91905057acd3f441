"""The workspaces that installed the app: the SDK's tables, tokens encrypted.

https://docs.slack.dev/authentication/installing-with-oauth
"""

import copy
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from sqlalchemy import delete, event, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.slack.accounts import Tokens
from adapters.slack.vault import Vault
from bot.core.errors import StoreError

log = logging.getLogger("panelist.slack.installations")

STATE_SECONDS = 600
BUSY_SECONDS = 10


class Installations(AsyncInstallationStore, Tokens):
    """Keeps installations, and gives out their tokens."""

    def __init__(self, *, database: str, client_id: str, vault: Vault) -> None:
        """`database` is DATABASE_URL as the house understands it. Raises StoreError for an address that is none."""
        self._engine = _engine(database)
        self._vault, self._client_id = vault, client_id
        self._kept = AsyncSQLAlchemyInstallationStore(client_id, self._engine, logger=log)
        self.states = AsyncSQLAlchemyOAuthStateStore(STATE_SECONDS, self._engine, logger=log)

    @property
    def logger(self) -> logging.Logger:
        return log

    async def prepare(self) -> None:
        async with _told(), self._engine.begin() as connection:
            await connection.run_sync(self._kept.metadata.create_all)
            await connection.run_sync(self.states.metadata.create_all)

    async def close(self) -> None:
        await self._engine.dispose()

    async def async_save(self, installation: Installation) -> None:
        """Keep it, its tokens sealed. Raises StoreError."""
        sealed = copy.copy(installation)
        for name in ("bot_token", "user_token", "bot_refresh_token", "user_refresh_token", "incoming_webhook_url"):
            if value := getattr(installation, name, None):
                setattr(sealed, name, self._vault.sealed(value))
        async with _told():
            await self._kept.async_save(sealed)

    async def async_save_bot(self, bot: Bot) -> None:
        """Kept with its installation."""
        _ = bot

    async def async_find_bot(
        self, *, enterprise_id: str | None, team_id: str | None, is_enterprise_install: bool | None = False
    ) -> Bot | None:
        """The bot of a workspace with its token opened. Raises StoreError."""
        async with _told():
            bot = await self._kept.async_find_bot(
                enterprise_id=enterprise_id, team_id=team_id, is_enterprise_install=is_enterprise_install
            )
        if bot is not None:
            bot.bot_token = self._vault.opened(bot.bot_token)
        return bot

    async def token(self, team: str) -> str | None:
        bots = self._kept.bots.c
        query = (
            select(bots.bot_token)
            .where(bots.client_id == self._client_id, bots.team_id == team)
            .order_by(bots.installed_at.desc(), bots.id.desc())
            .limit(1)
        )
        async with _told(), self._engine.connect() as connection:
            sealed = await connection.scalar(query)
        return self._vault.opened(str(sealed)) if sealed else None

    async def every(self) -> tuple[str, ...]:
        bots = self._kept.bots.c
        async with _told(), self._engine.connect() as connection:
            rows = await connection.scalars(select(bots.team_id).where(bots.client_id == self._client_id).distinct())
            teams = sorted(str(team) for team in rows if team)
        tokens = [await self.token(team) for team in teams]
        return tuple(token for token in tokens if token)

    async def forget(self, team: str) -> None:
        async with _told(), self._engine.begin() as connection:
            for table in (self._kept.bots, self._kept.installations):
                gone = delete(table).where(table.c.client_id == self._client_id, table.c.team_id == team)
                await connection.execute(gone)


@asynccontextmanager
async def _told() -> AsyncIterator[None]:
    """The database's faults in our own tree."""
    try:
        yield
    except SQLAlchemyError as fault:
        raise StoreError(
            f"the table of Slack installations can not be used ({type(fault).__name__}); check DATABASE_URL"
        ) from fault


def _engine(database: str) -> AsyncEngine:
    try:
        url = make_url(database)
        kind = url.get_backend_name()
    except (SQLAlchemyError, ValueError) as fault:
        raise StoreError("DATABASE_URL is no database address") from fault
    if kind != "sqlite":
        return create_async_engine(url.set(drivername="postgresql+psycopg"), pool_size=2, pool_pre_ping=True)
    engine = create_async_engine(
        url.set(drivername="sqlite+aiosqlite"), connect_args={"timeout": BUSY_SECONDS}, pool_size=1
    )

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: object, _record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]  # the driver's connection has no common type
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.close()

    return engine
