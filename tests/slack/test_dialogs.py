"""The four formats from the command to the pinned synthesis, over the real SDK and against Slack's limits."""

from pathlib import Path

import pytest

from tests.servers.slack import Rates
from tests.slack.house import house
from tests.slack.stages import said, server
from tests.slack.talk import begun, buttons, in_thread, status

PLAN = "We retry every payment call five times without a pause, log card numbers, and ship on Friday."
FORMATS = (
    ("discussion", "discuss Shall we rewrite billing? --rounds 1 --with engineer-lens,pm-lens"),
    ("debate", "debate Shall we rewrite billing? --rounds 2 --personas engineer-lens,pm-lens"),
    ("review", f"review {PLAN} --personas engineer-lens,security-engineer,tester-breaker"),
    ("council", f"council {PLAN} --max-rounds 2"),
)
QUICK = Rates(post_interval=0.05, post_burst=3)
"""A server that counts, at twenty times Slack's speed."""


@pytest.mark.parametrize(("format_name", "words"), FORMATS)
async def test_a_panel_runs_from_the_command_to_the_synthesis(tmp_path: Path, format_name: str, words: str) -> None:
    """Card first, every persona under its own name, synthesis pinned, papers attached; no limit was passed."""
    async with server(rates=QUICK) as slack, house(slack, tmp_path, interval=0.05) as it:
        card = await begun(it, words)
        await status(it, "finished", 40)
        await slack.until(lambda: "Accept" in buttons(card), 10)
        await it.settled()
        posts = in_thread(slack, card)
        row = (await it.panels())[0]

    speakers = {post.username for post in posts if post.username}
    assert row.format == format_name
    assert card.blocks[0]["type"] == "header"
    assert card.username is None
    assert len(speakers) >= 2
    assert all(name.endswith(" (AI)") for name in speakers)
    assert len(slack.channel("general").pins) == 1
    assert [file.name.rsplit(".")[-1] for post in posts for file in post.files] == ["md", "json"]
    assert [call for call in slack.calls_of("chat.postMessage") if call.outcome != "ok"] == []
    assert (slack.complaints, slack.pings(), slack.fetched()) == ([], [], [])


async def test_a_finished_panel_is_continued_and_run_again(tmp_path: Path) -> None:
    """The newer synthesis takes the older one's pin; a second panel has a thread of its own."""
    async with server() as slack, house(slack, tmp_path) as it:
        card = await begun(it, FORMATS[0][1])
        await status(it, "finished")
        first = list(slack.channel("general").pins)
        slack.say("ada", "general", "extend 1", thread_ts=card.ts)
        await slack.until(lambda: slack.channel("general").pins not in ([], first), 10)
        await status(it, "finished")
        await slack.until(lambda: "Run again" in buttons(card), 10)
        await slack.press("ben", card, "Run again")
        await slack.until(lambda: len(slack.channel("general").pins) == 2, 15)
        rows = await it.panels()

    assert len(rows) == 2
    assert {row.topic for row in rows} == {"Shall we rewrite billing?"}
    assert len({post.thread_ts or post.ts for post in slack.posts("general")}) == 2


async def test_the_rounds_line_stands_in_front_of_its_first_post_alone(tmp_path: Path) -> None:
    """Muted, in the same message."""
    async with server() as slack, house(slack, tmp_path) as it:
        card = await begun(it, FORMATS[0][1].replace("--rounds 1", "--rounds 2"))
        await status(it, "finished")
        labelled = [post for post in in_thread(slack, card) if post.blocks and post.blocks[0]["type"] == "context"]
        texts = [post.blocks[0]["elements"][0]["text"] for post in labelled]

    assert texts[:2] == ["Round 1 of 2", "Round 2 of 2"]
    assert all(said(post) for post in labelled)
