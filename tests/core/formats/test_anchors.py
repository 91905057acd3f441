"""Where a finding points: lines or words of the target, and when two places are one."""

import pytest

from bot.core.document import from_text, narrowed
from bot.core.formats.anchors import same_spot, spot_of, where
from tests.core.formats.reviewers import TARGET

OTHER = from_text("One line.\n\nAnother line\nthat goes on.", title="other.md", key="other.md")


@pytest.mark.parametrize(
    ("anchor", "lines"),
    [
        ("3", (3, 3)),
        ("2-4", (2, 4)),
        ("lines 2–4", (2, 4)),
        ("line 5", (5, 5)),
        ("L2-L4", (2, 4)),
        ("retry.md:2-4", (2, 4)),
        ("no idempotency key", (3, 3)),
        ("“Card numbers are logged at debug level.”", (4, 4)),
        ("idempotency key.\nCard numbers", (3, 4)),
        ("every  hour.", (2, 2)),
    ],
)
def test_anchor_means_these_lines(anchor: str, lines: tuple[int, int]) -> None:
    """Numbers in any usual form, or words; line breaks and marks do not count."""
    spot = spot_of(anchor, (TARGET,))

    assert spot is not None
    assert (spot.first, spot.last) == lines


@pytest.mark.parametrize("anchor", ["0", "99", "4-2", "3-99", "it was never written", "", "a", "nofile.md:3"])
def test_anchor_that_stands_nowhere_has_no_place(anchor: str) -> None:
    """Lines beyond the end, words that are not there, files that are not at hand."""
    assert spot_of(anchor, (TARGET,)) is None


def test_lines_of_a_narrowed_target_keep_their_numbers() -> None:
    """After `lines A-B` the numbers are still those of the source."""
    part = narrowed(TARGET, 3, 5)

    assert spot_of("3-5", (part,)) is not None
    assert spot_of("2", (part,)) is None
    assert where("Card numbers", (part,)) == "“Card numbers” (line 4)"


def test_empty_lines_do_not_shift_a_quotation() -> None:
    """A quotation behind an empty line has the right number."""
    spot = spot_of("Another line that goes on", (TARGET, OTHER))

    assert spot is not None
    assert (spot.document, spot.first, spot.last) == (1, 3, 4)


def test_file_below_a_directory_keeps_its_path() -> None:
    """The lines of a file that the target's map only lists can not be looked at, but they are a place."""
    folder = from_text("- src/app.py (90 lines)", kind="directory", title="proj")

    one, other = "src/app.py:12-14", "src/app.py:14"

    assert same_spot(one, other, (folder,))
    assert not same_spot(one, "src/app.py:15", (folder,))
    assert not same_spot(one, "src/other.py:12", (folder,))
    assert where(one, (folder,)) == "lines 12–14 of src/app.py"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2-4", "4-6", True),
        ("2-3", "4-5", False),
        ("3", "no idempotency key", True),
        ("Card numbers", "debug level", True),
        ("Card numbers", "Everybody at once", False),
        ("not in the text", "it is not in the text", True),
        ("not in the text", "3", False),
    ],
)
def test_overlapping_anchors_are_one_finding(one: str, other: str, same: bool) -> None:
    """By their lines; words that stand nowhere are the same where one holds the other."""
    assert same_spot(one, other, (TARGET,)) is same
    assert same_spot(other, one, (TARGET,)) is same
