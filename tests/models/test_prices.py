"""Prices by kind of token, offline; what nobody knows is not zero."""

import pytest

from adapters.models.prices import OfflinePrices
from bot.core.errors import UsageError
from bot.core.measured import Usage

USAGE = Usage(input=50, cache_creation=250, cache_read=20_000, output=250)


def test_each_kind_of_token_has_its_price() -> None:
    """50 at $2, 250 written at $2.50, 20,000 read at $0.10, 250 said at $10 a million."""
    cost = OfflinePrices().cost("anthropic:claude-sonnet-5-5", USAGE)

    assert cost == pytest.approx(0.0001 + 0.000625 + 0.002 + 0.0025)


@pytest.mark.parametrize("model", ["anthropic:claude-of-tomorrow", "openai:smollm2", "elsewhere:claude-sonnet-5-5"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    """Not zero: surfaces show n/a."""
    assert OfflinePrices(openai_base_url="http://127.0.0.1:8080/v1").cost(model, USAGE) is None


def test_own_prices_win() -> None:
    """By the id alone or with its provider; caches cost what input costs where nothing else is said."""
    prices = OfflinePrices(
        {"local": {"input": 1.0, "output": 2.0}, "anthropic:claude-opus-5": {"input": 0, "output": 0}}
    )

    assert prices.cost("openai:local", USAGE) == pytest.approx((20_300 * 1 + 250 * 2) / 1e6)
    assert prices.cost("anthropic:claude-opus-5", USAGE) == 0.0


@pytest.mark.parametrize("row", [{"input": 1.0}, {"input": -1.0, "output": 1.0}, {"input": 1, "output": 1, "cash": 1}])
def test_own_prices_are_checked(row: dict[str, float]) -> None:
    """The message names the setting and the model."""
    with pytest.raises(UsageError, match="PANELIST_PRICES: the price of 'local'"):
        OfflinePrices({"local": row})


def test_a_model_of_a_known_address_has_that_vendors_price() -> None:
    """The address says whose model it is."""
    prices = OfflinePrices(openai_base_url="https://api.openai.com/v1")

    assert prices.cost("openai:gpt-4o", Usage(input=1_000_000)) == pytest.approx(2.5)


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data is what is installed."""
    import socket

    def refuse(*_args: object) -> None:
        raise AssertionError("somebody opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)

    assert OfflinePrices().cost("anthropic:claude-opus-5-5", USAGE)
