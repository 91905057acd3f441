"""From what a persona declares to the model that speaks for it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from bot.core.entries import Opened
from bot.core.errors import NoModel
from bot.core.model import ChatModel, ModelId

REHEARSAL = "rehearsal"
TWO_WAYS = (
    "no model is configured: set ANTHROPIC_API_KEY (or PANELIST_OPENAI_BASE_URL), or try it without AI by "
    "--model rehearsal"
)


class Casting(ABC):
    """Knows the providers and the aliases of this house."""

    @abstractmethod
    async def cast(self, opened: Opened) -> Opened:
        """The panel with every seat's model and the host's written down as `provider:id`.

        Raises NoModel where none is configured, where a persona's provider is not, or for an id that its provider
        does not list, naming near ones; UsageError for a cap that can not be kept because a price is unknown.
        """


class RehearsalCasting(Casting):
    """Every voice is the rehearsal's; nothing else was named."""

    async def cast(self, opened: Opened) -> Opened:
        name = f"{REHEARSAL}:{REHEARSAL}"
        seats = tuple(seat.model_copy(update={"model": name}) for seat in opened.seats)
        return opened.model_copy(update={"seats": seats, "host_model": name, "model_is_ai": False})


class NoCasting(Casting):
    """Nothing is configured, so nothing starts."""

    async def cast(self, opened: Opened) -> Opened:
        raise NoModel(TWO_WAYS)


def host_model(models: Mapping[str, ChatModel]) -> ModelId:
    """The model of a host whose panel names none."""
    provider = next(iter(models), REHEARSAL)
    return ModelId(provider=provider, name=REHEARSAL)
