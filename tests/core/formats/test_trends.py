"""Verdicts over time, and what became of findings between two records of one target."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from adapters.terminal.chart import trends_chart
from bot.core.errors import UsageError
from bot.core.records.compare import compare, comparison_text
from bot.core.records.trends import trends, trends_table


def finding(anchor: str, claim: str, **more: str) -> dict[str, str]:
    return {"anchor": anchor, "claim": claim, **(more or {"severity": "high"})}


def kept(day: int, final: str, *, key: str = "docs/a.md", **said: Any) -> dict[str, Any]:
    """A record of that day: each persona's verdict, or its verdict and findings."""
    outputs = []
    for name, word in said.items():
        verdict, findings = word if isinstance(word, tuple) else (word, [])
        outputs.append({"persona_name": name, "verdict": verdict, "findings": findings})
    return {
        "run_id": f"review-{day}",
        "started": f"2026-11-{day:02}T08:00:00.000Z",
        "target": {"key": key, "title": key.split("/")[-1]},
        "consolidation": {"final_verdict": final},
        "outputs": outputs,
    }


def test_lines_are_by_target_and_persona_oldest_first() -> None:
    """In whatever order the records come."""
    lines = trends(
        [kept(3, "pass", ada="pass", bo="pass"), kept(1, "fail", ada="fail"), kept(2, "pass", key="b", ada="warn")]
    )

    assert [(line.target, line.persona, [p.verdict for p in line.points]) for line in lines] == [
        ("b", "ada", ["warn"]),
        ("docs/a.md", "ada", ["fail", "pass"]),
        ("docs/a.md", "bo", ["pass"]),
    ]


def test_minority_voice_that_was_right_later_is_marked() -> None:
    """It dissented, and the newest panel came to what it had said; abstentions are no dissent."""
    lines = trends(
        [kept(1, "pass", ada="fail", bo="pass", cy="N/A"), kept(2, "fail", ada="fail", bo="pass", cy="fail")]
    )

    assert {line.persona: (line.dissent, line.vindicated) for line in lines} == {
        "ada": (1, True),
        "bo": (1, False),
        "cy": (0, False),
    }


def test_records_without_target_or_verdict_are_left_out() -> None:
    """Discussions and unfinished reviews."""
    assert trends([{**kept(1, "pass", ada="pass"), "target": None}, {**kept(2, "x"), "consolidation": None}]) == ()


def test_table_has_a_column_a_panel_and_dissent_in_bold() -> None:
    """With the panel's own verdict on top and a legend below."""
    text = trends_table(trends([kept(1, "pass", ada="fail", bo="pass"), kept(2, "fail", ada="fail")]))

    assert text == (
        "**a.md** (`docs/a.md`)\n\n| persona | 1 | 2 | dissent |\n|---|---|---|---:|\n| **panel** | pass | fail | |\n"
        "| ada | **fail** | fail | 1, then right |\n| bo | pass |  | 0 |\n\n"
        "- 1: 2026-11-01, review-1\n- 2: 2026-11-02, review-2"
    )


def test_table_shows_the_newest_panels_of_many() -> None:
    """Numbered as they came."""
    text = trends_table(trends([kept(day, "pass", ada="pass") for day in range(1, 13)]))

    assert "| persona | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | dissent |" in text


def test_chart_is_a_picture_with_a_square_a_verdict() -> None:
    """Large enough for its rows and columns, in the verdicts' colours."""
    lines = trends([kept(1, "pass", ada="fail", bo="pass"), kept(2, "fail", ada="fail")])

    image = Image.open(BytesIO(trends_chart(lines)))

    colors = {color for _count, color in image.convert("RGB").getcolors(1_000_000) or []}
    assert image.format == "PNG"
    assert {(0x2E, 0x8B, 0x57), (0xC0, 0x39, 0x2B)} <= colors


OLD = kept(
    1,
    "fail",
    ada=(
        "fail",
        [
            finding("carries no idempotency key", "It charges twice."),
            finding("4", "Card numbers are logged in the open."),
        ],
    ),
    bo=(
        "fail",
        [
            finding("lines 4-5", "Card numbers in the log are in the open."),
            finding("keep this part", "Good.", stance="keep"),
        ],
    ),
)
NEW = kept(
    2,
    "warn",
    ada=("warn", [finding("9", "Card numbers are logged in the open, still.")]),
    bo=(
        "warn",
        [finding("12", "Nobody owns the roll-out."), finding("30-31", "Card numbers in the log are in the open.")],
    ),
)


def test_findings_are_fixed_open_and_new() -> None:
    """Line numbers move, so claims and quotations tell findings apart; merits are none."""
    found = compare(OLD, NEW)

    assert [(f.persona, f.claim) for f in found.fixed] == [("ada", "It charges twice.")]
    assert [f.anchor for f in found.open] == ["9", "30-31"]
    assert [f.claim for f in found.new] == ["Nobody owns the roll-out."]
    assert (found.before, found.after, found.target) == ("fail", "warn", "docs/a.md")


def test_record_compared_with_itself_has_everything_open() -> None:
    """Nothing fixed, nothing new."""
    found = compare(OLD, OLD)

    assert (len(found.fixed), len(found.open), len(found.new)) == (0, 3, 0)


def test_quotation_that_still_stands_is_the_same_finding() -> None:
    """However differently somebody else words it."""
    later = kept(2, "fail", cy=("fail", [finding("request carries no idempotency key because", "Not safe to repeat.")]))

    found = compare(OLD, later)

    assert [f.persona for f in found.open] == ["cy"]
    assert len(found.fixed) == 2


@pytest.mark.parametrize(
    ("other", "why"), [({"target": {"key": "b", "title": "b"}}, "different targets"), ({"target": None}, "has none")]
)
def test_records_of_different_targets_are_refused(other: dict[str, Any], why: str) -> None:
    """Compare two of one key."""
    with pytest.raises(UsageError, match=why):
        compare(OLD, {**NEW, **other})


def test_comparison_reads_as_three_lists() -> None:
    """With counts; an empty one says none."""
    text = comparison_text(compare(OLD, OLD))

    assert text.startswith(
        "**docs/a.md**: fail → fail\n\n**Fixed** (0)\n- none\n\n**Open** (3)\n- ada (high) carries no"
    )
