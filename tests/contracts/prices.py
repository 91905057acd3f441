"""What every implementation of `Prices` keeps to."""

from abc import ABC, abstractmethod

import pytest

from bot.core.measured import Usage
from bot.core.model import Prices

MODELS = ("anthropic:claude-sonnet-5-5", "openai:somebody's-own", "nobody:nothing")
USAGE = Usage(input=1000, output=1000, cache_read=1000, cache_creation=1000)


class PricesContract(ABC):
    """Subclass it, and say how to make the prices."""

    @abstractmethod
    def prices(self) -> Prices:
        """Prices to ask."""

    @pytest.mark.parametrize("model", MODELS)
    def test_a_cost_is_an_amount_or_unknown(self, model: str) -> None:
        """Never below zero, never an exception."""
        cost = self.prices().cost(model, USAGE)

        assert cost is None or cost >= 0

    @pytest.mark.parametrize("model", MODELS)
    def test_nothing_used_costs_nothing(self, model: str) -> None:
        """Where the price is known at all."""
        assert self.prices().cost(model, Usage()) in (None, 0.0)

    @pytest.mark.parametrize("model", MODELS)
    def test_more_costs_no_less(self, model: str) -> None:
        """For every kind of token."""
        once, twice = self.prices().cost(model, USAGE), self.prices().cost(model, USAGE + USAGE)

        assert (once is None) == (twice is None)
        assert once is None or twice is None or twice >= once
