"""Processes come and go; what people wrote meanwhile is heard, once, and nothing is said twice."""

import asyncio
from pathlib import Path

from tests.slack.house import house
from tests.slack.stages import said, server
from tests.slack.talk import LONG, SHORT, begun, human_words, status


async def test_what_was_written_changed_and_deleted_while_nobody_listened_is_heard(tmp_path: Path) -> None:
    """In order; what was heard before is not heard again."""
    async with server(retry_delays=()) as slack:
        async with house(slack, tmp_path, delay=0.1) as it:
            card = await begun(it)
            slack.say("ada", "general", "pause", thread_ts=card.ts)
            kept = slack.say("ben", "general", "Mind the seasons.", thread_ts=card.ts)
            gone = slack.say("ben", "general", "Forget this.", thread_ts=card.ts)
            await status(it, "paused")
            await slack.until(lambda: gone.reactions)
        slack.say("ben", "general", "One more thing.", thread_ts=card.ts)
        slack.edit("ben", kept, "Mind the quarters.")
        slack.delete(gone)
        await slack.settled()
        async with house(slack, tmp_path, delay=0.1) as it:
            await asyncio.sleep(1.0)
            await it.settled()
            text = await human_words(it)

    assert text.count("One more thing.") == 1
    assert "Mind the quarters." in text
    assert "Forget this." not in text


async def test_a_mention_left_by_a_dead_process_is_dealt_with_by_the_next(tmp_path: Path) -> None:
    """It was confirmed to Slack, so nobody else would."""
    async with server(retry_delays=()) as slack:
        async with house(slack, tmp_path) as it:
            await it.settled()
            it.platform.errands._over = True  # the process dies behind the confirmation
            slack.say("ada", "general", f"@panel {SHORT}")
            await slack.until(lambda: [ack for ack in slack.acks if ack.name == "app_mention" and ack.ok])
            assert slack.posts("general") == []
        async with house(slack, tmp_path) as it:
            await slack.until(lambda: slack.channel("general").pins, 15)
            await it.settled()
            rows = await it.panels()
            left = await it.store.shelf.names("", "slack-inbox")

    assert len(rows) == 1
    assert left == ()


async def test_a_panel_goes_on_in_the_next_process_and_says_nothing_twice(tmp_path: Path) -> None:
    """Cut off in the middle of a round."""
    async with server(retry_delays=()) as slack:
        async with house(slack, tmp_path, delay=0.05, settle=0.6) as it:
            await begun(it, LONG.replace("--rounds 8", "--rounds 3"), posts=3)
        async with house(slack, tmp_path, delay=0.02, settle=0.6) as it:
            await asyncio.sleep(1.2)  # the first owner's last sign of life must be old
            for row in await it.panels():
                await it.driver.kick(row.id)
            await status(it, "finished", 20)
        speeches = [f"{post.username}: {said(post)}" for post in slack.posts("general") if post.username]

    assert len(speeches) == len(set(speeches)) == 6
