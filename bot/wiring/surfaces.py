"""The chat platforms that the settings name: made with the house, run beside its panels."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.core.clock import Clock
from bot.core.desk.workspace import WorkspaceSettings
from bot.core.errors import UsageError
from bot.core.platform import ChatPlatform
from bot.core.store import Shelf
from bot.settings import Settings

if TYPE_CHECKING:
    from adapters.slack.surface import SlackSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Surfaces:
    """Platforms by name, and what serves each."""

    platforms: Mapping[str, ChatPlatform] = field(default_factory=dict)
    serving: Mapping[str, Callable[[Any], Awaitable[None]]] = field(default_factory=dict)
    """Platform → serves it for a house until cancelled."""


NO_SURFACES = Surfaces()


def configured(settings: Settings) -> tuple[str, ...]:
    """The chat platforms that are set up."""
    slack = ("slack",) if settings.slack_bot_token or settings.slack_client_id else ()
    discord = ("discord",) if settings.discord_token else ()
    return slack + discord


def surfaces(settings: Settings, shelf: Shelf, clock: Clock) -> Surfaces:
    """Every platform that is set up.

    Raises UsageError for settings that do not fit together, or where a platform's extra is not installed.
    """
    platforms: dict[str, ChatPlatform] = {}
    serving: dict[str, Callable[[Any], Awaitable[None]]] = {}
    makers = {"slack": _slack, "discord": _discord}
    for name in configured(settings):
        try:
            platforms[name], serving[name] = makers[name](settings, shelf, clock)
        except ImportError as fault:
            raise UsageError(f"{name} is set up, but not installed: install the extra `{name}`") from fault
    return Surfaces(platforms=platforms, serving=serving)


Made = tuple[ChatPlatform, Callable[[Any], Awaitable[None]]]


async def examined(settings: Settings, shelf: Shelf, clock: Clock) -> tuple[tuple[str, str, str], ...]:
    """What each platform that is set up says of itself: (sign, subject, text) as `doctor` shows it."""
    found: list[tuple[str, str, str]] = []
    served = configured(settings)
    if "slack" in served:
        from adapters.slack import doctor as slack

        given = _slack_settings(settings)
        found += [(f.sign, "Slack", f.text) for f in await slack.examined(given, clock=clock, shelf=shelf)]
    if "discord" in served:
        from adapters.discord import doctor as discord

        checked = await discord.examined(settings.discord_token, settings.discord_api_url)
        found += [(f.sign, f.subject, f.text) for f in checked]
    return tuple(found)


def _slack_settings(settings: Settings) -> "SlackSettings":
    from adapters.slack.surface import SlackSettings

    return SlackSettings(
        bot_token=settings.slack_bot_token,
        app_token=settings.slack_app_token,
        signing_secret=settings.slack_signing_secret,
        client_id=settings.slack_client_id,
        client_secret=settings.slack_client_secret,
        secret_key=settings.secret_key,
        database=settings.database,
        api_url=settings.slack_api_url,
        public_url=settings.public_url,
        host=settings.room_host,
        port=settings.room_port,
    )


def _slack(settings: Settings, shelf: Shelf, clock: Clock) -> Made:
    from adapters.slack.services import Services
    from adapters.slack.surface import SlackSurface, slack_platform

    given = _slack_settings(settings)
    defaults = WorkspaceSettings(go_ahead_over=settings.go_ahead_over)
    platform = slack_platform(given, shelf=shelf, clock=clock, defaults=defaults)

    async def serve(it: Any) -> None:
        services = Services(
            platform=platform,
            hearing=it.hearing,
            starts=it.starts,
            desk=it.desk,
            store=it.store,
            shelf=it.shelf,
            catalogs=it.catalogs,
            clock=it.clock,
            kick=it.driver.kick,
        )
        await SlackSurface(services, given).run()

    return platform, serve


def _discord(settings: Settings, shelf: Shelf, clock: Clock) -> Made:
    from adapters.discord.service import Discord, DiscordSettings
    from adapters.discord.services import Services

    given = DiscordSettings(
        token=settings.discord_token, api_url=settings.discord_api_url, public_url=settings.public_url
    )
    discord = Discord(given, shelf=shelf, clock=clock)

    async def serve(it: Any) -> None:
        await discord.run(
            Services(
                store=it.store,
                shelf=it.shelf,
                clock=it.clock,
                hearing=it.hearing,
                starts=it.starts,
                catalogs=it.catalogs,
                kick=it.driver.kick,
                desk=it.desk,
            )
        )

    return discord.platform, serve
