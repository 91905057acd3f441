"""What somebody asks for becomes a review, or a refusal in words."""

from typing import Any

import pytest

from bot.core.document import Document
from bot.core.entries import Opened
from bot.core.errors import NotFound, UsageError
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog
from bot.core.starting.discussion_start import Start
from bot.core.starting.review_start import started_review
from personas.loader import load_bundled
from tests.core.formats.reviewers import TARGET
from tests.fakes.stage import MARIA

BUNDLED = load_bundled()


def asked(catalog: Catalog = BUNDLED, documents: tuple[Document, ...] = (TARGET,), **given: Any) -> Opened:
    options = {name.replace("_", "-"): value for name, value in given.items()}
    start = Start(format="review", topic="retry.md", starter=MARIA, options=options, documents=documents)
    return started_review(start, catalog)


def configured(count: int) -> Catalog:
    """A deployment's catalog beside the bundled personas."""
    own = tuple(
        Persona(short_name=f"own-{n:02}", name=f"Own {n}", body="x", level="deployment") for n in range(count, 0, -1)
    )
    return Catalog(personas=(*own, *BUNDLED.personas))


def included(opened: Opened) -> list[str]:
    return [seat.persona.short_name for seat in opened.seats if seat.included]


def test_product_trio_reviews_where_no_catalog_is_configured() -> None:
    """And the card says so."""
    opened = asked()

    assert included(opened) == ["pm-lens", "designer-lens", "engineer-lens"]
    assert "No catalog is configured, so the product trio reviews." in opened.notes


def test_all_of_the_configured_catalog_reviews() -> None:
    """The bundled ones are not part of it."""
    assert set(included(asked(configured(3)))) == {"own-01", "own-02", "own-03"}


def test_subset_by_name_may_take_bundled_personas() -> None:
    """By any unambiguous part of a name; an unknown one lists the known."""
    assert included(asked(configured(3), personas=("own-02", "jinx"))) == ["own-02", "tester-breaker"]
    with pytest.raises(NotFound, match="No persona is called 'gandalf'"):
        asked(personas=("gandalf",))


def test_more_than_twenty_are_cut_to_the_first_twenty_by_name() -> None:
    """The roster and the card name those left out."""
    opened = asked(configured(22))

    assert included(opened) == [f"own-{n:02}" for n in range(1, 21)]
    out = [(s.persona.short_name, s.reason) for s in opened.seats if not s.included]
    assert out == [(name, "left out: a review has at most 20 personas") for name in ("own-21", "own-22")]
    assert any(note.endswith("Left out: Own 21, Own 22.") for note in opened.notes)


def test_one_line_says_how_many_on_what_in_which_mode() -> None:
    """Before it starts."""
    assert asked().notes[0] == "3 personas in parallel on “retry.md”, mode voting-quorum (2 of 3 passes needed)."
    gate = asked(personas=("jinx",), mode="hard-gate-threshold")
    assert gate.notes[0] == "1 persona in parallel on “retry.md”, mode hard-gate-threshold (1 of 1 passes needed)."


def test_coordinator_costs_a_call_and_the_card_warns() -> None:
    """The warning goes to the card before anything is spent."""
    notes = asked(mode="coordinator-summary").notes

    assert "Warning: coordinator-summary takes one more model call than the other modes." in notes


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"quorum": 4}, "--quorum 4 can not be reached: 3 personas in this review; at most 3"),
        ({"mode": "hard-gate-threshold", "threshold": 9}, "--threshold 9 can not be reached"),
        ({"threshold": 2}, "--threshold is for --mode hard-gate-threshold"),
        ({"mode": "hard-gate-threshold", "quorum": 2}, "--quorum is for --mode voting-quorum"),
        ({"mode": "coordinator-summary", "quorum": 2}, "--quorum is for --mode voting-quorum"),
        ({"grounding": "re-derive"}, "needs a target below an allowed root"),
    ],
)
def test_options_that_do_not_go_together_are_refused(given: dict[str, Any], why: str) -> None:
    """In words that name the option and the remedy."""
    with pytest.raises(UsageError, match=why):
        asked(**given)


def test_regrounding_is_allowed_below_a_root() -> None:
    """Where personas can look sources up."""
    below = TARGET.model_copy(update={"root": ".", "path": "docs/retry.md"})

    assert asked(documents=(below,), grounding="re-derive").options.grounding == "re-derive"


def test_review_has_one_round_and_keeps_its_lines() -> None:
    """Whatever the discussion's default is."""
    start = Start(format="review", topic=None, starter=MARIA, documents=(TARGET,), lines="2-4")

    opened = started_review(start, BUNDLED)

    assert (opened.options.rounds, opened.options.lines) == (1, "2-4")


def test_no_target_is_usage() -> None:
    """A review needs one."""
    with pytest.raises(UsageError, match="a review needs a target"):
        asked(documents=())


def test_empty_catalog_stops_in_words() -> None:
    """Nobody configured and nobody bundled."""
    with pytest.raises(UsageError, match="nobody can review"):
        asked(Catalog())
