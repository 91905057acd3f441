"""How a panel ends: its synthesis pinned, transcript and record kept and attached, each once; and how it goes on."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bot.core.errors import RecordInvalid, StoreError
from bot.core.panel import Panel
from tests.engine.fates import Fate, under
from tests.fakes.stage import Stage, opening, speakers


def artifacts(panel: Panel) -> list[str]:
    """What the log says was left behind, in order."""
    return [entry.what for entry in panel.entries if entry.kind == "artifact"]


def events(panel: Panel) -> list[tuple[str, str]]:
    """(name, reason) of what happened to the panel."""
    return [(entry.name, entry.reason) for entry in panel.entries if entry.kind == "event"]


async def _finished(stage: Stage) -> Panel:
    await stage.open(opening(rounds=1))
    return await stage.run()


async def test_the_synthesis_is_pinned_and_transcript_and_record_are_kept_and_attached() -> None:
    """What a panel leaves behind stands in its log, and only then it is finished."""
    stage = Stage()

    panel = await _finished(stage)

    synthesis = stage.platform.standing()[-1]
    assert (synthesis.kind, stage.platform.pinned) == ("synthesis", [synthesis.id])
    assert artifacts(panel) == ["pin", "transcript", "record", "attached"]
    assert panel.entries[-1].kind == "status"
    assert stage.archive.records["p1"]["status"] == "finished"
    assert [file.name for file in stage.platform.files["p1:files:0"]] == ["p1.md"]


async def test_running_a_finished_panel_again_changes_nothing() -> None:
    """A kick too many leaves no trace in thread, log or archive."""
    stage = Stage()
    panel = await _finished(stage)
    messages, kept = len(stage.platform.messages), stage.archive.kept

    again = await stage.run()

    assert again.last_seq == panel.last_seq
    assert (len(stage.platform.messages), stage.archive.kept) == (messages, kept)


async def test_a_continued_panel_pins_its_new_synthesis_in_place_of_the_old_one() -> None:
    """One pin a panel; the old synthesis stays in the thread."""
    stage = Stage()
    await _finished(stage)

    await stage.say("extend 1")
    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "host", "ada", "bo", "host"]
    assert stage.platform.pinned == [stage.platform.standing()[-1].id]
    assert artifacts(panel)[4:] == ["unpinned", "pin", "transcript", "record", "attached"]
    assert sorted(stage.platform.files) == ["p1:files:0", f"p1:files:{panel.running_since}"]


async def test_a_panel_stopped_again_after_it_was_continued_is_kept_anew() -> None:
    """What was said between the two stops stands in the transcript."""
    stage = Stage()
    await stage.open()
    await stage.say("stop")
    await stage.run()
    await stage.say("continue")
    stage.platform.faults.extend(["ok"] * 3)
    held = stage.model.hold("bo")
    running = asyncio.create_task(stage.run())
    await stage.model.until_asked("bo")
    await stage.say("stop")
    await running

    assert not held.is_set()
    assert "Ada Lowell says in round 1" in stage.archive.transcripts["p1"]
    assert stage.archive.records["p1"]["status"] == "stopped"


async def test_a_decision_after_the_end_joins_transcript_and_record() -> None:
    """Who decided what joins the archive; the thread gets no second file."""
    stage = Stage()
    await _finished(stage)

    await stage.say("accept: it is cheap")
    await stage.run()

    assert stage.archive.records["p1"]["decision"]["choice"] == "accept"
    assert "it is cheap" in stage.archive.transcripts["p1"]
    assert list(stage.platform.files) == ["p1:files:0"]


async def test_a_record_that_does_not_fit_its_schema_is_not_kept_and_the_log_says_so() -> None:
    """The panel ends all the same: what was said is in the log."""
    stage = Stage()
    stage.archive.fault = RecordInvalid("the record does not fit its schema: turns.0")

    panel = await _finished(stage)

    assert panel.status == "finished"
    assert ("not kept", "the record does not fit its schema: turns.0") in events(panel)
    assert artifacts(panel) == ["pin"]


async def test_an_archive_that_was_full_is_filled_at_the_next_run() -> None:
    """The fault is noted once; once it is mended, transcript and record are there."""
    stage = Stage()
    stage.archive.fault = StoreError("records/p1.json can not be written: No space left on device")
    await _finished(stage)
    await stage.run()
    await stage.run()
    stage.archive.fault = None

    panel = await stage.run()

    assert [name for name, _ in events(panel)].count("not kept") == 2
    assert artifacts(panel) == ["pin", "transcript", "record", "attached"]


async def test_a_pin_that_the_platform_refuses_is_noted_with_its_reason() -> None:
    """The limit of pins is no fault of the panel."""
    stage = Stage()
    stage.platform.pin_fault = "this channel has 50 pins, which is the limit"

    panel = await _finished(stage)

    pins = [entry for entry in panel.entries if entry.kind == "artifact" and entry.what == "pin"]
    assert (panel.status, [pin.note for pin in pins]) == ("finished", [stage.platform.pin_fault])


async def test_an_undisturbed_turn_costs_at_most_four_commits() -> None:
    """Turn and intent in one commit, the confirmation in another; nothing else is written for a turn."""
    few, many = await _writes(rounds=1), await _writes(rounds=11)

    assert (many - few) / 20 <= 2


async def _writes(rounds: int) -> int:
    """So many times the store was written to."""
    stage, count = Stage(), _Writes()
    await stage.open(opening(rounds=rounds))
    await stage.another("two", store=under(count, stage.store)).run()
    return count.writes


class _Writes(Fate):
    """Counts what changes the store."""

    writes = 0

    async def act(self, name: str, do: Callable[[], Awaitable[Any]]) -> Any:
        self.writes += name in ("commit", "confirm", "rearm", "signal")
        return await do()
