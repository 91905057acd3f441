"""The rehearsal's voices through every format: whatever the topic or document, the formats' own checks pass."""

from pathlib import Path
from typing import Any

import pytest

from adapters.models.rehearsal import Rehearsal
from bot.core.document import Document, from_text
from bot.core.entries import Opened
from bot.core.panel import Panel
from bot.core.records.record import record
from bot.core.speech.model_names import REHEARSAL
from bot.core.starting.discussion_start import Start
from bot.core.starting.starts import STARTERS
from personas.loader import load_bundled
from storage.record_schema import check_record
from tests.core.formats.test_choosing import TOPICS
from tests.fakes.clock import FakeClock
from tests.fakes.stage import MARIA, Stage

BUNDLED = load_bundled()
DIALOGS = Path(__file__).parents[2] / "dialogs"
VOICE = f"{REHEARSAL}:{REHEARSAL}"


def document(name: str) -> Document:
    return from_text((DIALOGS / name).read_text(encoding="utf-8"), kind="file", title=name, key=name)


FAULTY, CLEAN = document("instant-refunds.md"), document("quiet-receipts.md")
UNSEEN = (
    from_text("Buy a bigger server.", title="one line"),
    from_text("# Plan\n\n- step\n- step\n- step\n", title="nothing but a list"),
    from_text("def pay(card):\n    while True:\n        charge(card)\n", title="pay.py", kind="file"),
    from_text("キャッシュを廃止する。利用者への影響は未確認である。", title="日本語"),
    from_text("word " * 20_000, title="a long one"),
)


async def rehearsed(format_: Any, topic: str | None, *documents: Document, **options: Any) -> Panel:
    """A panel of that format, opened as any surface does it and run to its end."""
    start = Start(format=format_, topic=topic, starter=MARIA, options=options, documents=documents)
    clock = FakeClock()
    stage = Stage(clock=clock, models={REHEARSAL: Rehearsal(clock)})  # type: ignore[dict-item]  # any model will do
    await stage.open(_cast(STARTERS[format_](start, BUNDLED)))
    panel = await stage.run()
    check_record(record(panel, ()))
    return panel


def _cast(opened: Opened) -> Opened:
    seats = tuple(seat.model_copy(update={"model": VOICE}) for seat in opened.seats)
    return opened.model_copy(update={"seats": seats, "host_model": VOICE, "model_is_ai": False, "approval": False})


def faults(panel: Panel) -> list[tuple[str, int, str, str]]:
    return [(t.persona, t.round, c.name, c.detail) for t in panel.turns for c in t.checks if c.result == "failed"]


@pytest.mark.parametrize("topic", TOPICS)
async def test_debate_keeps_its_own_rules(topic: str) -> None:
    """Lengths, challenges with verbatim quotations, concessions, a synthesis under its limit."""
    panel = await rehearsed("debate", topic)

    assert panel.status == "finished"
    assert faults(panel) == []
    assert not panel.turns[-1].deterministic


@pytest.mark.parametrize("target", [FAULTY, CLEAN, *UNSEEN], ids=lambda one: one.title)
@pytest.mark.parametrize("mode", ["voting-quorum", "hard-gate-threshold", "coordinator-summary"])
async def test_review_keeps_its_own_rules(target: Document, mode: str) -> None:
    """On documents that nobody has seen before, too."""
    panel = await rehearsed("review", None, target, mode=mode)

    assert panel.status == "finished"
    assert panel.verdict in ("pass", "warn", "fail")
    assert faults(panel) == []
    assert not panel.skipped


@pytest.mark.parametrize("target", [FAULTY, CLEAN, *UNSEEN], ids=lambda one: one.title)
async def test_council_keeps_its_own_rules(target: Document) -> None:
    """Causes for every change, every lens quoted, every FAIL named."""
    panel = await rehearsed("council", None, target)

    assert panel.status == "finished"
    assert faults(panel) == []
    assert not panel.turns[-1].deterministic


@pytest.mark.parametrize("format_", ["review", "council"])
async def test_faulty_design_is_no_pass_and_its_lines_are_quoted(format_: str) -> None:
    """The missing key, the logged card numbers, the roll-out to everybody at once."""
    panel = await rehearsed(format_, None, FAULTY)

    said = "\n".join(turn.text for turn in panel.turns if turn.turn_kind == "verdict")
    assert panel.verdict.casefold() == "fail"
    for quote in ("The request has no idempotency key", "Everybody at once, on the first day"):
        assert quote in said


async def test_clean_design_is_a_pass() -> None:
    """Nothing is found that is not there."""
    assert (await rehearsed("review", None, CLEAN)).verdict == "pass"
    assert (await rehearsed("council", None, CLEAN)).verdict == "PASS"
