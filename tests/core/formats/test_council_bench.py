"""Who sits on the bench, each with a reason; what a council may be asked for."""

from typing import Any

import pytest

from bot.core.document import Document, from_text
from bot.core.entries import Opened, Seat
from bot.core.errors import Fault, UsageError
from bot.core.formats.council_bench import ALWAYS, CONDITIONAL, bench, spoken_everyone
from bot.core.starting.catalog import Catalog, Failed
from bot.core.starting.council_start import started_council
from bot.core.starting.discussion_start import Start
from personas.loader import load_bundled
from tests.core.formats.reviewers import TARGET
from tests.fakes.stage import MARIA

BUNDLED = load_bundled()
PROSE = from_text("Autumn came early that year, and the hills went red before anyone had noticed the cold.")


def seated(*documents: Document, catalog: Catalog = BUNDLED, everyone: bool = False) -> dict[str, Seat]:
    return {seat.persona.short_name: seat for seat in bench(catalog, documents, everyone=everyone)}


def asked(documents: tuple[Document, ...] = (TARGET,), catalog: Catalog = BUNDLED, **given: Any) -> Opened:
    options = {name.replace("_", "-"): value for name, value in given.items()}
    start = Start(format="council", topic="retry.md", starter=MARIA, options=options, documents=documents)
    return started_council(start, catalog)


def test_four_lenses_always_sit() -> None:
    """Whatever the target, each with what it asks."""
    for target in (PROSE, TARGET):
        seats = seated(target)
        assert all(seats[name].included and seats[name].reason.startswith("always on the bench: ") for name in ALWAYS)


@pytest.mark.parametrize(
    ("text", "kind", "advocate", "breaker"),
    [
        (PROSE.text, "text", False, False),
        ("Shall customers see the price first?", "text", True, False),
        ("A worker retries the job at night.", "text", False, True),
        ("The API answers every request twice.", "text", True, True),
        ("Le développeur écrit aux utilisateurs.", "text", True, False),
        ("+ x = 1\n- x = 2", "diff", False, True),
        ("- notes.txt", "directory", False, True),
    ],
)
def test_conditional_lenses_follow_their_rules(text: str, kind: str, advocate: bool, breaker: bool) -> None:
    """A user, UI, API or command line; something that runs or can be tested. In or out, the reason stands."""
    seats = seated(from_text(text, kind=kind, title="x"))

    assert (seats["user-advocate"].included, seats["tester-breaker"].included) == (advocate, breaker)
    for name in CONDITIONAL:
        assert seats[name].reason.startswith("included: " if seats[name].included else "excluded: ")


def test_code_is_something_that_runs() -> None:
    """By its file's ending."""
    assert seated(from_text("x = 1", title="src/x.py", kind="file"))["tester-breaker"].included


def test_everyone_runs_all_six() -> None:
    """On plain prose too."""
    seats = seated(PROSE, everyone=True)

    assert all(seat.included for seat in seats.values())
    assert seats["tester-breaker"].reason == "included: the full panel was asked for"


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("everyone: docs/x.md", "docs/x.md"),
        ("full panel on docs/x.md", "docs/x.md"),
        ("docs/x.md, everyone", "docs/x.md"),
        ("docs/x.md (full panel)", "docs/x.md"),
        ("here, full panel", "here"),
    ],
)
def test_words_ask_for_the_full_panel(words: str, left: str) -> None:
    """At either end of the words."""
    assert spoken_everyone(words) == (left, True)


@pytest.mark.parametrize("words", ["everyone should get a raise", "a full panel of judges", "Should everyone pay?"])
def test_talk_of_everyone_asks_for_nothing(words: str) -> None:
    """Words inside an idea are the idea's."""
    assert spoken_everyone(words) == (words, False)


def test_lens_that_could_not_be_loaded_is_unavailable_with_the_reason() -> None:
    """It stands in the roster; the others go on."""
    fault = Fault(file="cranky-old-sam.md", line=3, text="unknown key 'colour'")
    rest = tuple(p for p in BUNDLED.personas if p.short_name != "cranky-old-sam")
    catalog = Catalog(personas=rest, failed=(Failed(file=fault.file, level="workspace", faults=(fault,)),))

    sam = seated(TARGET, catalog=catalog)["cranky-old-sam"]

    assert (sam.included, sam.available) == (True, False)
    assert sam.reason == "UNAVAILABLE: cranky-old-sam.md:3: unknown key 'colour'"


def test_rounds_and_lines_are_kept() -> None:
    """Three rounds at most, unless told otherwise."""
    assert asked().options.rounds == 3
    assert asked(max_rounds=1).options.rounds == 1


def test_no_target_and_no_lenses_are_refused_in_words() -> None:
    """A council needs both."""
    with pytest.raises(UsageError, match="a council needs a target"):
        asked(documents=())
    with pytest.raises(UsageError, match="at least two lenses, and 0 could be loaded"):
        asked(catalog=Catalog())
