"""The card of a panel in every state."""

import pytest

from bot.core.entries import Decision, Skipped, StatusChanged
from bot.core.fold import fold
from bot.core.measured import Forecast
from bot.core.options import FormatName
from bot.core.phases import PHASES, Phase
from bot.core.records.card_of import buttons, card, forecast_line, progress
from bot.core.steering.grammar import REQUESTS
from bot.core.steering.taking import take
from tests.core.steered import MARIA, in_phase, panel_of, view_of
from tests.core.steering_table import FORMATS


@pytest.mark.parametrize(
    ("phase", "labels"),
    [
        ("go-ahead", "Go ahead, Cancel"),
        ("waiting", "Steer…, Wrap up, Stop"),
        ("running", "Pause, Steer…, Wrap up, Stop"),
        ("closing", "Pause, Steer…, Stop"),
        ("paused", "Resume, Steer…, Wrap up, Stop"),
        ("finished", "Accept, Reject, Defer, Transcript, Record, Continue the discussion, Run again"),
        ("stopped", "Synthesize, Accept, Reject, Defer, Transcript, Record, Continue the discussion, Run again"),
        ("failed", "Transcript, Record, Run again"),
    ],
)
def test_buttons_by_phase(phase: Phase, labels: str) -> None:
    """What can be pressed is what makes sense now."""
    assert ", ".join(button.label for button in buttons(in_phase(phase))) == labels


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("phase", PHASES)
def test_every_button_does_something_when_pressed(phase: Phase, format_name: FormatName) -> None:
    """No button says a word that is refused in that state; `Steer…` opens a form whose text follows its word."""
    panel = in_phase(phase, format_name)
    for button in buttons(panel):
        text = f"{button.word} be kind" if button.word == "steer:" else button.word
        taken = take(text, view_of(panel, pressed=True))

        assert taken.sign != "❓", (button, taken.answer)
        assert taken.kind == ("request" if button.word in REQUESTS else taken.kind)


def test_the_card_says_that_rehearsal_is_no_ai() -> None:
    """So that nobody takes it for one."""
    panel = in_phase("running", model_is_ai=False, notes=("Chosen for you.",), topic_note="the thread is the topic")

    assert card(panel).notes == ("the thread is the topic", "Chosen for you.", "rehearsal: no AI")
    assert "rehearsal: no AI" not in card(in_phase("running")).notes


def test_the_card_lists_directives_with_their_numbers() -> None:
    """The number is what `withdraw` takes."""
    assert card(in_phase("running")).directives == ((1, "be kind", "Maria"),)


def test_the_card_shows_a_change_of_the_roster_at_once() -> None:
    """Cy was muted in this round, for the next; a failed lens stands as errored until it speaks."""
    shown = {seat.name: seat.state for seat in card(in_phase("running")).seats}
    failed = panel_of(
        Skipped(turn_kind="verdict", round=1, persona="cranky-old-sam", reason="refused"), format_name="council"
    )
    lenses = {seat.short_name: seat.state for seat in card(failed).seats}

    assert shown == {"Ada Lowell": "ok", "Bo Ridge": "ok", "Cy Tan": "muted"}
    assert (lenses["cranky-old-sam"], lenses["tester-breaker"], lenses["intent-keeper"]) == (
        "errored",
        "excluded",
        "ok",
    )


def test_the_status_line_is_in_words() -> None:
    """State, reason, place in the plan, spend and what waits to be posted."""
    lines = {phase: card(in_phase(phase)).status_line for phase in PHASES}

    assert lines["go-ahead"].startswith("Waiting for a go-ahead")
    assert lines["waiting"] == "Waiting (budget: the cap is near): round 2 of 3 · $0.40 of $2.00 spent"
    assert lines["running"] == "Running: round 2 of 3 · $0.40 of $2.00 spent"
    assert lines["paused"].startswith("Paused: round 2 of 3")
    assert lines["failed"].startswith("Failed (the thread is gone)")
    assert card(in_phase("running"), unposted=2).status_line.endswith("2 to be posted")


def test_progress_grows_and_is_whole_only_at_the_end() -> None:
    """Four of nine turns are given; the closing phase is nearly all."""
    assert progress(panel_of()) == 0.0
    assert progress(in_phase("running")) == pytest.approx(0.95 * 4 / 9)
    assert progress(in_phase("closing")) == 0.95
    assert progress(in_phase("finished")) == 1.0


def test_the_forecast_is_one_line() -> None:
    """A model without a price is said to have none."""
    assert forecast_line(None) == ""
    known = Forecast(turns=12, words=3000, minutes=4.2, cost_usd=0.35)
    assert forecast_line(known) == "About 12 turns, 3,000 words, 4 minutes, $0.35"
    assert forecast_line(known.model_copy(update={"cost_usd": None, "minutes": 0.2})).endswith(
        "1 minute, price unknown"
    )


def test_the_newest_decision_stands_with_the_one_before() -> None:
    """It can be changed, and that shows."""
    panel = in_phase("finished")
    first = Decision(seq=panel.last_seq + 1, choice="defer", author=MARIA)
    second = Decision(seq=panel.last_seq + 2, choice="accept", reason="it is sound", author=MARIA)

    assert card(fold(panel, (first,))).decision == "Deferred by Maria"
    assert card(fold(panel, (first, second))).decision == "Accepted by Maria: it is sound (changed; before: Deferred)"


def test_no_synthesis_is_offered_where_nothing_was_said_or_one_stands() -> None:
    """The button after a stop is for what there is."""
    silent = panel_of(StatusChanged(status="stopped", reason="human"))

    assert "Synthesize" not in [button.label for button in buttons(silent)]
