"""The model providers that the settings name."""

from adapters.models.rehearsal import Rehearsal
from bot.core.clock import Clock
from bot.core.errors import NoModel
from bot.core.model import ChatModel
from bot.core.speech.casting import ModelSettings
from bot.core.speech.limiter import Limiter
from bot.core.speech.model_names import REHEARSAL
from bot.core.speech.retry import Retrying
from bot.settings import Settings


def providers(settings: Settings, clock: Clock) -> dict[str, ChatModel]:
    """The configured providers by name, the first being the default; the rehearsal is always there to be named.

    SDKs are imported only where they are used: they take a second.
    """
    models: dict[str, ChatModel] = {}
    if settings.anthropic_api_key or settings.anthropic_base_url:
        from adapters.models.anthropic_api.provider import AnthropicModels

        key, url = settings.anthropic_api_key, settings.anthropic_base_url
        models["anthropic"] = patient(AnthropicModels(clock, api_key=key, base_url=url), "anthropic", clock)
    if settings.openai_base_url:
        key, url = settings.openai_api_key, settings.openai_base_url
        models["openai"] = patient(_openai(clock, key, url), "openai", clock)
    models[REHEARSAL] = Rehearsal(clock, settings.rehearsal_delay or 0.0)
    return models


def patient(model: ChatModel, provider: str, clock: Clock) -> ChatModel:
    """The provider behind the one retry policy and a limiter of its own."""
    return Retrying(model, provider=provider, clock=clock, limiter=Limiter(clock))


def model_settings(settings: Settings) -> ModelSettings:
    """What the settings say about models."""
    return ModelSettings(
        named=settings.model,
        tiers={"strongest": settings.strongest, "balanced": settings.balanced, "fast": settings.fast},
        custom_base_url=bool(settings.anthropic_base_url) or not settings.anthropic_api_key,
    )


def _openai(clock: Clock, key: str, url: str) -> ChatModel:
    """The provider of the extra `openai`. Raises NoModel where that is not installed."""
    try:
        from adapters.models.openai_api.provider import OpenAIModels
    except ImportError as fault:
        raise NoModel(
            "PANELIST_OPENAI_BASE_URL is set, but the extra `openai` is not installed: pip install 'panelist[openai]'"
        ) from fault
    return OpenAIModels(clock, base_url=url, api_key=key)
