"""Before a panel starts: its forecast, whether that wants a go-ahead, and what can not be done at all."""

from collections.abc import Mapping

from bot.core.entries import Opened
from bot.core.errors import DocumentError, UsageError
from bot.core.formats.format import Format
from bot.core.measured import Usage
from bot.core.model import ChatModel, ModelId, Prices
from bot.core.speech.counting import tokens
from bot.core.speech.forecast import Price, forecast
from bot.core.speech.layout import Templates, opening_block
from bot.core.speech.model_names import REHEARSAL

GO_AHEAD_OVER = 2.0
"""US dollars of forecast above which a panel waits for a go-ahead."""
ROOM_FOR_TALK = 8_000
"""Tokens that a window must hold besides the documents."""
ONE_OF_EACH = Usage(input=1, output=1, cache_read=1, cache_creation=1)


class Weighing:
    """Weighs panels whose models are named."""

    def __init__(
        self,
        *,
        models: Mapping[str, ChatModel],
        formats: Mapping[str, Format],
        templates: Templates,
        prices: Prices,
        go_ahead_over: float = GO_AHEAD_OVER,
    ) -> None:
        self._models, self._formats, self._templates = models, formats, templates
        self._prices, self._go_ahead_over = prices, go_ahead_over

    async def weighed(self, opened: Opened) -> Opened:
        """The panel with its forecast; `approval` where that is over the set amount, or nobody knows it.

        Raises UsageError for a cap that can not be kept because a price is unknown, and DocumentError for documents
        that do not fit into a model's window.
        """
        used = models_of(opened)
        if opened.options.max_cost is not None:
            refuse_unpriced(used, self._price)
        counted = await self._counted(opened)
        await self._check_windows(opened, used, counted)
        expected = forecast(self._formats[opened.format], opened, self._templates, self._price, counted=counted)
        over = expected.cost_usd is not None and expected.cost_usd > self._go_ahead_over
        return opened.model_copy(update={"forecast": expected, "approval": opened.approval or over})

    def _price(self, model: str, usage: Usage) -> float | None:
        return 0.0 if model.startswith(f"{REHEARSAL}:") else self._prices.cost(model, usage)

    async def _counted(self, opened: Opened) -> int | None:
        """Tokens of topic and documents, counted by the service that will read them; None where it does not count."""
        provider, _, name = opened.host_model.partition(":")
        model = self._models.get(provider)
        if model is None or not opened.documents:
            return None
        return await model.count(name, opening_block(opened.topic, opened.documents))

    async def _check_windows(self, opened: Opened, used: tuple[ModelId, ...], counted: int | None) -> None:
        if not opened.documents:
            return
        size = counted or tokens(opening_block(opened.topic, opened.documents))
        for model in used:
            window = await self._models[model.provider].window(model.name)
            if window is not None and size + ROOM_FOR_TALK > window:
                raise DocumentError(
                    f"{opened.documents[0].title!r} has about {size:,} tokens, which leaves no room in the window of "
                    f"{model} ({window:,}); give a smaller document, lines of it, or a model with a larger window"
                )


def models_of(opened: Opened) -> tuple[ModelId, ...]:
    """Every model that the panel will ask, each once."""
    names = [seat.model for seat in opened.seats if seat.included and seat.available] + [opened.host_model]
    parts = (name.partition(":") for name in dict.fromkeys(names) if name)
    return tuple(ModelId(provider=provider, name=name) for provider, _, name in parts)


def refuse_unpriced(used: tuple[ModelId, ...], price: Price) -> None:
    """Raises UsageError where a cap could not be kept because a model has no known price."""
    unknown = [str(model) for model in used if price(str(model), ONE_OF_EACH) is None]
    if unknown:
        raise UsageError(
            f"a cap can not be kept: nobody knows the price of {', '.join(unknown)}; give it in PANELIST_PRICES, "
            "or leave --max-cost out"
        )
