"""The forecast and the cap: near to what panels cost, and kept."""

import pytest

from adapters.models.prices import OfflinePrices
from benchmarks.layouts import naive
from benchmarks.matter import MODEL, opened, templates
from benchmarks.panels import run
from bot.core.entries import Opened
from bot.core.errors import DocumentError, UsageError
from bot.core.formats.discussion import Discussion
from bot.core.measured import Usage
from bot.core.records.record import record
from bot.core.speech.forecast import forecast
from bot.core.speech.weighing import Weighing
from bot.wiring import formats
from tests.models.scripted import ScriptedModel
from tests.servers.messages_api import token_equivalents

PRICES = OfflinePrices()


def weighing(model: ScriptedModel | None = None, go_ahead_over: float = 2.0) -> Weighing:
    return Weighing(
        models={"anthropic": model or ScriptedModel(), "openai": ScriptedModel()},
        formats=formats(),
        templates=templates(),
        prices=PRICES,
        go_ahead_over=go_ahead_over,
    )


class Small(ScriptedModel):
    """A model with a small window."""

    async def window(self, model: str) -> int | None:
        return 16_000


@pytest.mark.parametrize(("seats", "rounds"), [(2, 1), (4, 3), (4, 12)])
async def test_the_forecast_is_near_what_it_costs(seats: int, rounds: int) -> None:
    """Within a quarter, by the real prices of each kind of token."""
    asked = opened("discussion", seats, rounds)

    expected = forecast(Discussion(), asked, templates(), PRICES.cost)
    spent = (await run(asked)).panel.spent_usd

    assert expected.cost_usd == pytest.approx(spent, rel=0.25)


async def test_our_layout_costs_a_seventh() -> None:
    """Four personas, twelve rounds, a document of 20,000 tokens."""
    asked = opened("discussion", 4, 12)

    ours, plain = await run(asked), await run(asked, naive)

    ratio = token_equivalents(ours.server.usage) / token_equivalents(plain.server.usage)
    assert ratio <= 0.155


def test_the_forecast_counts_turns_words_and_minutes() -> None:
    """From the format's plan."""
    expected = forecast(Discussion(), opened("discussion", 4, 12), templates(), PRICES.cost)

    assert (expected.turns, expected.words) == (49, 48 * 160 + 300)
    assert 4 < expected.minutes < 10


def test_rounds_of_a_rehearsal_cost_nothing() -> None:
    """And hardly any time."""
    asked = opened("discussion", 2, 2).model_copy(update={"model_is_ai": False})

    expected = forecast(Discussion(), asked, templates(), lambda _model, _usage: 0.0)

    assert expected.cost_usd == 0.0
    assert expected.minutes < 0.5


def test_an_unknown_price_makes_the_cost_unknown() -> None:
    """Not zero."""
    expected = forecast(Discussion(), opened("discussion", 2, 2), templates(), lambda _model, _usage: None)

    assert expected.cost_usd is None


def test_documents_that_the_service_counted_are_forecast_by_its_count() -> None:
    """Estimates by bytes are off for many languages."""
    asked = opened("discussion", 2, 1)

    one = forecast(Discussion(), asked, templates(), PRICES.cost, counted=20_000)
    double = forecast(Discussion(), asked, templates(), PRICES.cost, counted=40_000)

    assert one.cost_usd is not None
    assert double.cost_usd is not None
    assert double.cost_usd > 1.5 * one.cost_usd


async def test_a_forecast_over_the_set_amount_wants_a_go_ahead() -> None:
    """The panel then waits."""
    asked = opened("discussion", 4, 12)

    assert (await weighing(go_ahead_over=0.10).weighed(asked)).approval
    assert not (await weighing(go_ahead_over=2.0).weighed(asked)).approval


async def test_a_cap_on_a_model_without_a_price_is_refused() -> None:
    """It could not be kept; the settings can give the price."""
    asked = on_model(opened("discussion", 2, 1, max_cost=1.0), "openai:local")

    with pytest.raises(UsageError, match=r"price of openai:local; give it in PANELIST_PRICES"):
        await weighing().weighed(asked)


async def test_without_a_cap_an_unknown_price_is_no_error() -> None:
    """The card says that it is not known."""
    asked = on_model(opened("discussion", 2, 1), "openai:local")

    weighed = await weighing().weighed(asked)

    assert weighed.forecast is not None
    assert weighed.forecast.cost_usd is None


async def test_a_document_larger_than_the_window_is_refused_before_the_start() -> None:
    """With both sizes and the remedies."""
    with pytest.raises(DocumentError, match=r"about 19,\d{3} tokens.*16,000.*lines of it"):
        await weighing(Small()).weighed(opened("discussion", 2, 1))


@pytest.mark.parametrize("cap", [0.08, 0.12, 0.2, 0.3])
async def test_a_cap_is_kept_and_the_closing_has_its_share(cap: float) -> None:
    """The panel closes with what there is, with a synthesis, and never over the cap."""
    panel = (await run(opened("discussion", 4, 12, max_cost=cap))).panel

    assert panel.closing == "budget"
    assert panel.spent_usd <= cap
    assert panel.spent_usd >= 0.6 * cap
    assert panel.turns[-1].turn_kind == "synthesis"


async def test_a_cap_with_room_changes_nothing() -> None:
    """All rounds are given."""
    panel = (await run(opened("discussion", 4, 3, max_cost=0.5))).panel

    assert panel.closing == "rounds"


def on_model(asked: Opened, model: str) -> Opened:
    seats = tuple(seat.model_copy(update={"model": model}) for seat in asked.seats)
    return asked.model_copy(update={"seats": seats, "host_model": model})


def test_models_are_priced_in_the_bench() -> None:
    """Otherwise the tests above would compare nothing with nothing."""
    assert PRICES.cost(MODEL, Usage(input=1_000_000)) == pytest.approx(2.0)


async def test_the_record_says_how_far_the_forecast_was_off() -> None:
    """As a share of what was expected, and in turns."""
    asked = opened("discussion", 4, 3)
    expected = forecast(Discussion(), asked, templates(), PRICES.cost)

    panel = (await run(asked.model_copy(update={"forecast": expected}))).panel

    kept = record(panel, ())["forecast"]
    assert expected.cost_usd is not None
    assert kept["cost_off_by"] == pytest.approx(panel.spent_usd / expected.cost_usd - 1, abs=1e-3)
    assert kept["turns_off_by"] == 0
