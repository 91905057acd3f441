"""Every word in every phase of every format: what happens is stated in `steering_table.md`, next to this file."""

from pathlib import Path

import pytest

from bot.core.entries import AnyEntry, Control, Decision, Directive, Human
from bot.core.fold import fold
from bot.core.options import FormatName
from bot.core.phases import PHASES, Phase, phase
from bot.core.steering.grammar import HEARD, NOTED, SIGNS, WORDS
from bot.core.steering.outcome import TABLE, entries_of
from bot.core.steering.taking import take
from tests.core.steered import in_phase, view_of
from tests.core.steering_table import FORMATS, SAYINGS, said, table

FILE = Path(__file__).parent / "steering_table.md"


def test_each_cell_is_as_the_table_states() -> None:
    """The file is the promise: a changed cell shows as a changed line, in words."""
    assert table().splitlines() == FILE.read_text(encoding="utf-8").splitlines()


def test_every_word_of_the_grammar_has_its_rows() -> None:
    """No word without a stated outcome, neither in the file nor in the rules."""
    sayings = {saying.split(" ")[0].rstrip(":") for saying in SAYINGS}

    assert {word.heads[0].split(" ")[0] for word in WORDS} <= sayings
    asks_nothing = {word.word for word in WORDS if word.told or word.takes == "reason" or word.word == "cancel"}
    assert set(TABLE) == {word.word for word in WORDS} - asks_nothing
    assert all(len(row) == len(PHASES) for row in TABLE.values())


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("moment", PHASES)
def test_the_samples_are_in_the_phase_that_they_claim(format_name: FormatName, moment: Phase) -> None:
    """Otherwise the table would speak of something else."""
    assert phase(in_phase(moment, format_name)) == moment


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("moment", PHASES)
def test_no_cell_loses_what_was_said(format_name: FormatName, moment: Phase) -> None:
    """Whatever is no aside and no question to the bot stands in the log afterwards, word for word."""
    panel = in_phase(moment, format_name)
    for saying in SAYINGS:
        text = said(saying, format_name)
        taken = take(text, view_of(panel))
        if taken.kind in ("told", "aside"):
            continue
        assert taken.sign in SIGNS
        assert taken.entry is not None
        kept = _words(taken.entry)
        words = text.removeprefix("steer: ").removeprefix("say: ").removeprefix("@panel ")

        assert words in (kept, f"{getattr(taken.entry, 'choice', '')}: {kept}") or words in ("reject", "defer")
        entries = entries_of(panel, taken.entry)
        fold(panel, (e.model_copy(update={"seq": panel.last_seq + n}) for n, e in enumerate(entries, 1)))


def _words(entry: AnyEntry) -> str:
    if isinstance(entry, Decision):
        return entry.reason
    assert isinstance(entry, Human | Directive | Control)
    return entry.text


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("moment", PHASES)
def test_a_refusal_says_why_and_changes_nothing(format_name: FormatName, moment: Phase) -> None:
    """❓ always comes with a sentence; a refused word leaves the panel's course as it is."""
    panel = in_phase(moment, format_name)
    for saying in SAYINGS:
        taken = take(said(saying, format_name), view_of(panel))
        if taken.entry is None or taken.sign in (HEARD, NOTED):
            continue
        entries = entries_of(panel, taken.entry)
        if isinstance(entries[0], Control) and entries[0].refused:
            after = fold(panel, (entries[0].model_copy(update={"seq": panel.last_seq + 1}),))

            assert taken.sign == "❓"
            assert taken.answer == entries[0].refused
            assert len(entries) == 1
            assert (after.status, after.rounds_max, after.closing) == (panel.status, panel.rounds_max, panel.closing)
            assert (after.changes, after.asks, after.skips) == (panel.changes, panel.asks, panel.skips)
