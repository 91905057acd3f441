"""From what personas declare to the models that speak for them, checked against what each provider lists."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.core.entries import Opened, Seat
from bot.core.errors import NoModel
from bot.core.model import ChatModel, ModelId
from bot.core.speech.model_names import NOTHING_CONFIGURED, REHEARSAL, Naming, checked, model_of, tiers_of
from bot.core.speech.weighing import Weighing


class Casting(ABC):
    """Knows the providers and the aliases of this house."""

    @abstractmethod
    async def cast(self, opened: Opened) -> Opened:
        """The panel with every seat's model and the host's written down as `provider:id`.

        Raises NoModel where none is configured, where a persona's provider is not, or for an id that its provider
        does not list, naming near ones; UsageError for a cap that can not be kept because a price is unknown.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """What the settings and the command say about models."""

    named: str = ""
    """`--model` or `PANELIST_MODEL`; `rehearsal` here replaces every persona's model."""
    tiers: Mapping[str, str] = field(default_factory=dict)
    """`strongest`, `balanced`, `fast` → id; empty ones take the vendor's, or a custom server's first."""
    custom_base_url: bool = False


class HouseCasting(Casting):
    """Reads names by the settings, and the providers' lists once each."""

    def __init__(
        self, models: Mapping[str, ChatModel], settings: ModelSettings, weighing: Weighing | None = None
    ) -> None:
        """`weighing` forecasts every panel that was cast."""
        self._models, self._settings, self._weighing = models, settings, weighing
        self._lists: dict[str, tuple[str, ...]] = {}

    async def cast(self, opened: Opened) -> Opened:
        cast = _rehearsed(opened) if self._settings.named == REHEARSAL else await self._by_names(opened)
        return await self._weighing.weighed(cast) if self._weighing else cast

    async def _by_names(self, opened: Opened) -> Opened:
        naming = await self._naming()
        seats = []
        for seat in opened.seats:
            model = ""
            if seat.included and seat.available:
                model = str(await self._checked(model_of(seat.persona, naming, format_name=opened.format)))
            seats.append(seat.model_copy(update={"model": model}))
        host = _most_common(seats) or str(await self._checked(naming.id_of("")))
        return opened.model_copy(update={"seats": tuple(seats), "host_model": host, "model_is_ai": True})

    async def _naming(self) -> Naming:
        providers = tuple(provider for provider in self._models if provider != REHEARSAL)
        if not providers:
            raise NoModel(NOTHING_CONFIGURED)
        listed = await self._list(providers[0])
        custom = self._settings.custom_base_url
        tiers = tiers_of(self._settings.tiers, custom_base_url=custom, listed=listed)
        if self._settings.named:
            return Naming(providers=providers, tiers=tiers, default=self._settings.named)
        return Naming(providers=providers, tiers=tiers)

    async def _checked(self, model: ModelId) -> ModelId:
        return checked(model, await self._list(model.provider))

    async def _list(self, provider: str) -> tuple[str, ...]:
        if provider not in self._lists:
            self._lists[provider] = await self._models[provider].models()
        return self._lists[provider]


def _most_common(seats: list[Seat]) -> str:
    """The host speaks through the model that most seats have, so that it reads what they have in the cache."""
    models = [seat.model for seat in seats if seat.model]
    return max(dict.fromkeys(models), key=models.count, default="")


def _rehearsed(opened: Opened) -> Opened:
    """Every voice is the rehearsal's."""
    name = str(ModelId(provider=REHEARSAL, name=REHEARSAL))
    seats = tuple(seat.model_copy(update={"model": name}) for seat in opened.seats)
    return opened.model_copy(update={"seats": seats, "host_model": name, "model_is_ai": False})
