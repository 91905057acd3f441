"""Trends at the desk: verdicts over time, of the panels that the asker can read and of no others."""

import pytest

from bot.core.entries import Opened
from bot.core.errors import NotFound
from bot.core.place import Place
from bot.core.starting.command import DeskCommand, PanelCommand, parse
from tests.core.desk.room import HERE, Workspace
from tests.core.formats.reviewers import review, reviewing
from tests.fakes.chat import FaultyPlatform
from tests.fakes.stage import Stage

THREAD = HERE.model_copy(update={"thread": "T1"})
PRIVATE = HERE.model_copy(update={"channel": "P", "thread": "T2"})


async def reviewed(workspace: Workspace, place: Place, panel: str, word: str, key: str = "docs/retry.md") -> None:
    """A finished review by Ada and Bo there; Ada says that word, Bo passes it."""
    platform = FaultyPlatform(workspace.clock)
    model = reviewing({"ada": word, "bo": "pass"})
    stage = Stage(store=workspace.store, clock=workspace.clock, platform=platform, model=model)
    opened: Opened = review("ada", "bo")
    target = opened.documents[0].model_copy(update={"key": key})
    await stage.open(opened.model_copy(update={"documents": (target,)}), panel, place)
    await stage.run(panel)
    workspace.clock.time += 86400


async def test_trends_show_the_panels_that_the_asker_can_read() -> None:
    """Private channels give nothing away."""
    workspace = Workspace()
    await reviewed(workspace, THREAD, "review-00000001", "fail")
    await reviewed(workspace, PRIVATE, "review-00000002", "warn")

    answer = await workspace.ask("trends")

    assert "| ada | fail | 0 |" in answer.text
    assert "review-00000001" in answer.text
    assert "review-00000002" not in answer.text


async def test_trends_of_one_target() -> None:
    """By its key or a part of it."""
    workspace = Workspace()
    await reviewed(workspace, THREAD, "review-00000001", "fail")
    await reviewed(workspace, THREAD.model_copy(update={"thread": "T3"}), "review-00000002", "warn", "docs/other.md")

    answer = await workspace.ask("trends docs/other.md")

    assert "docs/other.md" in answer.text
    assert "docs/retry.md" not in answer.text


async def test_without_verdicts_it_says_how_to_get_one() -> None:
    """Nothing to show yet."""
    with pytest.raises(NotFound, match="no review or council has a verdict where you can read"):
        await Workspace().ask("trends")


def test_talk_of_trends_is_a_topic() -> None:
    """Only alone, or in front of a target's key, is it the desk's word."""
    assert parse("trends") == DeskCommand(word="trends", rest="")
    assert parse("trends docs/retry.md") == DeskCommand(word="trends", rest="docs/retry.md")
    assert parse("trends in our market") == PanelCommand(format="discussion", words="trends in our market")
