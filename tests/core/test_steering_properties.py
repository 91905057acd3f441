"""What holds for any message whatever."""

from hypothesis import given
from hypothesis import strategies as st

from bot.core.phases import PHASES
from bot.core.steering.grammar import SIGNS
from bot.core.steering.outcome import entries_of
from bot.core.steering.spoken import edits, read
from bot.core.steering.taking import take
from tests.core.steered import in_phase, view_of
from tests.core.steering_table import FORMATS, SAYINGS


@given(
    text=st.text(max_size=200) | st.sampled_from(SAYINGS).flatmap(lambda s: st.text(max_size=5).map(lambda t: s + t))
)
def test_reading_never_raises_and_never_loses_text(text: str) -> None:
    """In every phase of every format: what is no aside, no blank and no question to the bot is in the entry."""
    for phase in PHASES:
        for format_name in FORMATS:
            panel = in_phase(phase, format_name)
            result = take(text, view_of(panel))
            if result.kind in ("told", "aside", "blank"):
                continue
            assert result.sign in SIGNS
            assert result.entry is not None
            assert entries_of(panel, result.entry)
            kept = result.entry.model_dump_json()
            assert all(part in kept for part in _words(text))


def _words(text: str) -> list[str]:
    """Runs of plain letters and digits, without the first, which may be a prefix, a mention or the bot's name."""
    runs = "".join(c if c.isascii() and c.isalnum() else " " for c in text).split()
    return runs[1:]


@given(text=st.text(max_size=60))
def test_a_prefix_decides_alone(text: str) -> None:
    """`say:` and `steer:` keep what stands behind them, whatever it looks like."""
    wanted = text.replace("\x00", "").strip()
    for prefix, kind in (("say:", "contribution"), ("steer:", "directive")):
        spoken = read(prefix + text)
        if wanted:
            assert (spoken.kind, spoken.text) == (kind, wanted)


@given(one=st.text("abc", max_size=6), other=st.text("abc", max_size=6))
def test_edits_is_a_distance(one: str, other: str) -> None:
    """Nothing to do for equal words, the same both ways, never more than writing it anew."""
    assert (edits(one, other) == 0) == (one == other)
    assert edits(one, other) == edits(other, one) <= max(len(one), len(other))
