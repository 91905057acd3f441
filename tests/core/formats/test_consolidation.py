"""Consolidation, over every combination of verdicts for one to five personas in each mode, and beyond by property."""

from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.formats.answers_review import ReviewVerdict
from bot.core.formats.consolidation import consolidated, majority, tally

VERDICTS: tuple[ReviewVerdict, ...] = ("pass", "warn", "fail")
LETTERS: dict[str, ReviewVerdict] = {"p": "pass", "w": "warn", "f": "fail"}
MODES = ("voting-quorum", "hard-gate-threshold", "coordinator-summary")
EVERY = [combination for size in range(1, 6) for combination in product(VERDICTS, repeat=size)]
many = st.lists(st.sampled_from(VERDICTS), min_size=1, max_size=20)


def rows() -> list[tuple[list[ReviewVerdict], list[str]]]:
    """The hand-made table: verdicts, and what they come to in its five columns."""
    text = Path(__file__).with_name("consolidation_table.md").read_text(encoding="utf-8")
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    return [([LETTERS[letter] for letter in row[0].split()], row[1:]) for row in cells[1:]]


@pytest.mark.parametrize(("verdicts", "expected"), rows())
def test_hand_made_table_holds(verdicts: list[ReviewVerdict], expected: list[str]) -> None:
    """Default quorum floor(N/2)+1, default threshold N, in whatever order the verdicts came."""
    for order in set(permutations(verdicts)):
        found = [consolidated(mode, order).verdict for mode in MODES[:2]]
        found += [consolidated(MODES[2], order, coordinator=said).verdict for said in VERDICTS]
        assert found == expected


def test_hand_made_table_has_every_combination_up_to_three() -> None:
    """Nothing was left out of it."""
    assert len(rows()) == sum(len({tuple(sorted(c)) for c in product(VERDICTS, repeat=n)}) for n in (1, 2, 3))


@pytest.mark.parametrize("verdicts", EVERY)
def test_voting_quorum_needs_that_many_passes(verdicts: tuple[ReviewVerdict, ...]) -> None:
    """Every combination for N = 1 to 5, with every quorum: passes ≥ quorum is a pass, all else a fail."""
    passes = sum(verdict == "pass" for verdict in verdicts)
    for quorum in range(1, len(verdicts) + 1):
        expected = "pass" if passes >= quorum else "fail"
        assert consolidated("voting-quorum", verdicts, quorum=quorum).verdict == expected
    half = len(verdicts) / 2
    assert (consolidated("voting-quorum", verdicts).verdict == "pass") == (passes > half)


@pytest.mark.parametrize("verdicts", EVERY)
def test_hard_gate_falls_at_one_fail(verdicts: tuple[ReviewVerdict, ...]) -> None:
    """Every combination for N = 1 to 5, with every threshold."""
    passes = sum(verdict == "pass" for verdict in verdicts)
    for threshold in range(1, len(verdicts) + 1):
        expected = "fail" if "fail" in verdicts else "pass" if passes >= threshold else "warn"
        assert consolidated("hard-gate-threshold", verdicts, threshold=threshold).verdict == expected


@pytest.mark.parametrize("verdicts", EVERY)
def test_no_coordinator_makes_a_pass_of_a_fail(verdicts: tuple[ReviewVerdict, ...]) -> None:
    """Every combination for N = 1 to 5, whatever the coordinator says, or if it says nothing that can be used."""
    for said in (*VERDICTS, None):
        verdict = consolidated("coordinator-summary", verdicts, coordinator=said).verdict
        assert not (verdict == "pass" and "fail" in verdicts)
        if said is not None and not (said == "pass" and "fail" in verdicts):
            assert verdict == said
    strictest = "fail" if "fail" in verdicts else "warn" if "warn" in verdicts else "pass"
    assert consolidated("coordinator-summary", verdicts).verdict == strictest


@given(many)
def test_order_never_matters(verdicts: list[ReviewVerdict]) -> None:
    """The same verdicts in another order come to the same."""
    for mode in MODES:
        assert consolidated(mode, verdicts) == consolidated(mode, sorted(verdicts))


@given(many, st.integers(min_value=0, max_value=19))
def test_a_stricter_verdict_never_helps(verdicts: list[ReviewVerdict], place: int) -> None:
    """Turning one verdict into a fail never makes the whole milder."""
    rank = {"pass": 0, "warn": 1, "fail": 2}
    harder = list(verdicts)
    harder[place % len(harder)] = "fail"

    for mode in MODES:
        assert rank[consolidated(mode, harder).verdict] >= rank[consolidated(mode, verdicts).verdict]


@given(many)
def test_ties_and_warns_are_no_passes(verdicts: list[ReviewVerdict]) -> None:
    """Half is not enough, and a warn does not count."""
    count = tally(verdicts)

    verdict = consolidated("voting-quorum", verdicts).verdict

    assert (verdict == "pass") == (2 * count.passes > count.total)
    assert count.total == len(verdicts)
    assert majority(count.total) == len(verdicts) // 2 + 1


@pytest.mark.parametrize("mode", MODES)
def test_no_verdicts_at_all_are_a_fail(mode: str) -> None:
    """An empty review can never be a pass."""
    assert consolidated(mode, []).verdict == "fail"


def test_unknown_mode_is_an_error() -> None:
    """Never silently a pass."""
    with pytest.raises(ValueError, match="'majority' is no way"):
        consolidated("majority", ["pass"])
