"""What arrives twice, late, out of order, from bots or ourselves; what is written down before it is confirmed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.core.errors import StoreError
from bot.core.place import Person
from tests.slack.house import House, house
from tests.slack.stages import server
from tests.slack.talk import SHORT, begun, in_thread, status


async def human_texts(it: House) -> list[str]:
    """What the newest panel took in, and what is in its inbox."""
    panel = (await it.panels())[0].id
    loaded, signals = await it.store.load(panel), await it.store.signals(panel)
    entries = [*loaded.entries, *(signal.entry for signal in signals)]
    return [entry.text for entry in entries if entry.kind == "human"]


@asynccontextmanager
async def broken(it: House) -> AsyncIterator[None]:
    """While this lasts, nothing can be written."""
    real = it.store.database.write

    def refuse(*, urgent: bool = False):  # type: ignore[no-untyped-def]  # as the real one
        raise StoreError("the disk is full")

    it.store.database.write = refuse  # type: ignore[method-assign]
    try:
        yield
    finally:
        it.store.database.write = real  # type: ignore[method-assign]


async def test_a_redelivered_message_is_taken_in_once(tmp_path: Path) -> None:
    """However often Slack missed the confirmation."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        said = slack.say("ben", "general", "Mind the seasons.", thread_ts=card.ts)
        for _ in range(3):
            slack.replay(said)
        await slack.settled()
        await asyncio.sleep(0.3)
        texts = await human_texts(it)

    assert texts == ["Mind the seasons."]


async def test_what_could_not_be_written_down_is_not_confirmed(tmp_path: Path) -> None:
    """So Slack delivers it again, and then it is heard."""
    async with server(retry_delays=(0.3, 0.3, 0.3)) as slack, house(slack, tmp_path, delay=0.2) as it:
        card = await begun(it)
        async with broken(it):
            slack.say("ben", "general", "Mind the seasons.", thread_ts=card.ts)
            await slack.until(lambda: [ack for ack in slack.acks if not ack.ok])
        await slack.settled()
        await asyncio.sleep(0.3)
        states = [ack.state for ack in slack.acks if ack.name == "message"][-2:]

    assert states[0] != "acked"
    assert states[1] == "acked"


async def test_a_mention_that_could_not_be_written_down_starts_its_panel_later(tmp_path: Path) -> None:
    """Once."""
    async with server(retry_delays=(0.3, 0.3, 0.3)) as slack, house(slack, tmp_path) as it:
        async with broken(it):
            slack.say("ada", "general", f"@panel {SHORT}")
            await slack.until(lambda: len([ack for ack in slack.acks if not ack.ok]) == 2)
        await slack.until(lambda: slack.channel("general").pins, 15)
        rows = await it.panels()

    assert len(rows) == 1


async def test_everything_that_slack_sends_is_confirmed(tmp_path: Path) -> None:
    """An app that confirms too little is cut off; what is not for us is confirmed too."""
    async with server() as slack, house(slack, tmp_path) as it:
        said = slack.say("ada", "general", "hello")
        slack.react("ben", said, "wave")
        slack.system_message("general")
        slack.edit("ada", said, "hello there")
        slack.delete(said)
        slack.bot_says("ada", "general", "beep")
        card = await begun(it, SHORT)
        await slack.press("ada", card, "Pause")
        await it.settled()

    assert {ack.state for ack in slack.acks} == {"acked"}


async def test_our_own_posts_and_edits_are_nobody_s_words(tmp_path: Path) -> None:
    """Persona posts have another name and no user; edits of the card name nobody at all."""
    async with server() as slack, house(slack, tmp_path, delay=0.02) as it:
        card = await begun(it, SHORT)
        await status(it, "finished")
        await it.settled()
        texts = await human_texts(it)

    assert texts == []
    assert slack.calls_of("reactions.add") == []
    assert len(in_thread(slack, card)) == 4


async def test_another_bot_is_heard_only_where_it_is_allowed_and_not_without_end(tmp_path: Path) -> None:
    """Two bots that answer each other come to rest."""
    async with server() as slack, house(slack, tmp_path, delay=0.2) as it:
        robot = slack.add_user("jira", "bot")
        card = await begun(it)
        slack.bot_says(robot, "general", "PAY-1 was closed", thread_ts=card.ts)
        await slack.settled()
        await asyncio.sleep(0.3)
        before = await human_texts(it)
        bot_id = f"B{robot.id[1:]}"
        boss = Person(id="i", name="iris", role="admin")
        await it.store.shelf.put(slack.workspace.id, "settings", "workspace", f'{{"bots": ["{bot_id}"]}}', boss, 0.0)
        it.platform.rules.changed(slack.workspace.id)
        for number in range(25):
            slack.bot_says(robot, "general", f"PAY-{number} was closed", thread_ts=card.ts)
        await slack.settled()
        await asyncio.sleep(0.3)
        after = await human_texts(it)

    assert before == []
    assert len(after) == 20


async def test_quick_words_are_taken_in_as_they_came(tmp_path: Path) -> None:
    """`pause` and `continue` in one breath leave it running."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        for word in ("pause", "continue", "pause", "continue"):
            slack.say("ada", "general", word, thread_ts=card.ts)
        await slack.settled()
        await asyncio.sleep(0.4)
        row = (await it.panels())[0]

    assert row.status == "running"


async def test_a_link_preview_is_no_edit(tmp_path: Path) -> None:
    """Slack changes a message when it adds one; its words are the same."""
    async with server() as slack, house(slack, tmp_path, delay=0.2) as it:
        card = await begun(it)
        said = slack.say("ben", "general", "See https://intra.example/x", thread_ts=card.ts)
        await slack.until(lambda: said.reactions)
        slack.edit("ben", said, "See https://intra.example/x")
        await slack.settled()
        await asyncio.sleep(0.3)
        loaded = await it.store.load((await it.panels())[0].id)

    assert [entry for entry in loaded.entries if entry.kind == "revised"] == []
