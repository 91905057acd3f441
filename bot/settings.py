"""Everything that is read from the environment and `.env`; no other module looks there."""

import re
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.core.errors import UsageError


class Settings(BaseSettings):
    """Settings of one process. Names stand in the README's table."""

    model_config = SettingsConfigDict(env_prefix="PANELIST_", env_file=".env", extra="ignore", frozen=False)

    database_url: str = Field(default="", validation_alias="DATABASE_URL")
    """Empty: SQLite in the home folder."""
    home: Path = Path(".panelist")
    catalog: str = ""
    """A folder with personas; empty: the home folder's `personas`, if there is one, and the bundled ones."""
    roots: dict[str, str] = Field(default_factory=dict)
    chat_roots: frozenset[str] = frozenset()
    """Names of roots that the admins of chat workspaces may grant to their channels; JSON, none by default."""
    secret_key: str = ""
    room_host: str = "127.0.0.1"
    room_port: int = 8420
    public_url: str = ""
    model: str = ""
    strongest: str = ""
    balanced: str = ""
    fast: str = ""
    prices: dict[str, dict[str, float]] = Field(default_factory=dict)
    """Own prices, US dollars per million tokens: `{model: {input, output, cache_read, cache_write}}`."""
    rehearsal_delay: float | None = Field(default=None, ge=0)
    """Seconds that a rehearsed turn takes; None: 0.6 in live views, 0 with `--json` or `--quiet`."""
    go_ahead_over: float = 2.0
    """US dollars of forecast above which a panel waits for a go-ahead."""
    settle: float = 30.0
    poll: float = 1.0
    beat: float = 2.0
    stale: float = 10.0
    openai_base_url: str = ""
    openai_api_key: str = ""
    slack_bot_token: str = Field(default="", validation_alias="SLACK_BOT_TOKEN")
    slack_app_token: str = Field(default="", validation_alias="SLACK_APP_TOKEN")
    slack_signing_secret: str = Field(default="", validation_alias="SLACK_SIGNING_SECRET")
    slack_client_id: str = Field(default="", validation_alias="SLACK_CLIENT_ID")
    slack_client_secret: str = Field(default="", validation_alias="SLACK_CLIENT_SECRET")
    slack_api_url: str = Field(default="", validation_alias="SLACK_API_URL")
    discord_token: str = Field(default="", validation_alias="DISCORD_TOKEN")
    discord_api_url: str = Field(default="", validation_alias="DISCORD_API_URL")
    anthropic_api_key: str = Field(default="", validation_alias="ANTHROPIC_API_KEY")
    anthropic_base_url: str = Field(default="", validation_alias=AliasChoices("ANTHROPIC_BASE_URL"))
    user: str = Field(default="you", validation_alias=AliasChoices("PANELIST_USER", "USER"))
    """The name under which the person at the terminal speaks."""

    @cached_property
    def database(self) -> str:
        """The database's URL."""
        return self.database_url or f"sqlite:///{self.home.absolute() / 'panelist.db'}"

    @property
    def has_provider(self) -> bool:
        """True when some model, the rehearsal voices among them, was configured."""
        return bool(
            self.anthropic_api_key or self.anthropic_base_url or self.openai_base_url or self.model == "rehearsal"
        )


def read_settings(**given: Any) -> Settings:
    """The settings, `given` ones first. Raises UsageError that names every wrong variable."""
    try:
        return Settings(**{key: value for key, value in given.items() if value is not None})
    except ValidationError as fault:
        wrong = "; ".join(f"{_variable(error['loc'])}: {error['msg']}" for error in fault.errors())
        raise UsageError(f"a setting is wrong: {wrong}") from fault
    except ValueError as fault:
        field = re.search(r'field "(\w+)"', str(fault))
        name = _variable((field[1],)) if field else "a setting"
        raise UsageError(f"{name} is no valid JSON; README's table of settings shows its form") from fault


def _variable(loc: tuple[int | str, ...]) -> str:
    name = str(loc[0]) if loc else "?"
    return name if name.isupper() else f"PANELIST_{name.upper()}"
