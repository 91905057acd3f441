"""What tokens cost, from genai-prices' data as installed: nothing is ever fetched. The settings' own prices win."""

from collections.abc import Mapping

from bot.core.errors import UsageError
from bot.core.measured import Usage
from bot.core.model import Prices

MILLION = 1_000_000
KINDS = ("input", "output", "cache_read", "cache_write")
Table = Mapping[str, Mapping[str, float]]
"""Model (its id, or `provider:id`) → US dollars per million tokens by kind; `cache_*` default to `input`."""


class OfflinePrices(Prices):
    """Priced by kind of token; a five-minute cache write costs what the vendor asks for it."""

    def __init__(self, own: Table | None = None, *, openai_base_url: str = "") -> None:
        """Raises UsageError for own prices that are incomplete or below zero."""
        self._own = {model: _row(model, row) for model, row in (own or {}).items()}
        self._openai_base_url = openai_base_url

    def cost(self, model: str, usage: Usage) -> float | None:
        provider, _, name = model.partition(":")
        row = self._own.get(model) or self._own.get(name)
        return _by(row, usage) if row else self._listed(provider, name, usage)

    def _listed(self, provider: str, name: str, usage: Usage) -> float | None:
        from genai_prices import Usage as Counted  # imported here: it takes a fifth of a second
        from genai_prices import calc_price

        written = usage.cache_creation if provider == "anthropic" else 0
        counted = Counted(
            input_tokens=usage.input + usage.cache_read + usage.cache_creation,
            cache_read_tokens=usage.cache_read,
            cache_write_tokens=written,
            output_tokens=usage.output,
        )
        address = self._openai_base_url if provider == "openai" else ""
        try:
            if address:
                return float(calc_price(counted, name, provider_api_url=address).total_price)
            return float(calc_price(counted, name, provider_id=provider).total_price)
        except LookupError:
            return None


def _row(model: str, row: Mapping[str, float]) -> dict[str, float]:
    unknown = [kind for kind in row if kind not in KINDS]
    if unknown or "input" not in row or "output" not in row or any(price < 0 for price in row.values()):
        raise UsageError(
            f"PANELIST_PRICES: the price of {model!r} needs `input` and `output` (and may have `cache_read` and "
            f"`cache_write`), US dollars per million tokens, none below 0"
        )
    return {kind: row.get(kind, row["input"]) for kind in KINDS}


def _by(row: Mapping[str, float], usage: Usage) -> float:
    dollars = (
        usage.input * row["input"]
        + usage.output * row["output"]
        + usage.cache_read * row["cache_read"]
        + usage.cache_creation * row["cache_write"]
    )
    return dollars / MILLION
