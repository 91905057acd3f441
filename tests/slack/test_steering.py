"""Humans in a panel's thread: words, buttons, receipts, rights."""

import asyncio
import time
from pathlib import Path

from tests.slack.house import house
from tests.slack.stages import server
from tests.slack.talk import begun, buttons, human_words, in_thread, status, told


async def test_a_reply_without_a_mention_is_heard_and_gets_its_sign(tmp_path: Path) -> None:
    """In the panel's thread nobody needs to call the bot."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        said = slack.say("ben", "general", "I doubt that.", thread_ts=card.ts)
        steer = slack.say("ben", "general", "steer: think of small teams", thread_ts=card.ts)
        slip = slack.say("ben", "general", "stpo", thread_ts=card.ts)
        await slack.until(lambda: all(message.reactions for message in (said, steer, slip)))

    assert (list(said.reactions), list(steer.reactions), list(slip.reactions)) == (["eyes"], ["compass"], ["question"])
    assert "stop" in told(slack, "ben")


async def test_stop_is_silence_within_a_second(tmp_path: Path) -> None:
    """Nothing is posted behind it but the transcript."""
    async with server() as slack, house(slack, tmp_path, delay=0.2) as it:
        card = await begun(it)
        slack.say("ada", "general", "stop", thread_ts=card.ts)
        await status(it, "stopped")
        spoken = len([post for post in in_thread(slack, card) if post.username])
        await asyncio.sleep(0.6)
        await it.settled()
        after = [post for post in in_thread(slack, card) if post.username]
        await slack.until(lambda: "Stopped" in slack.posts("general")[0].shown)

    assert len(after) == spoken
    assert "Synthesize" in buttons(slack.posts("general")[0])


async def test_the_buttons_of_the_card_steer(tmp_path: Path) -> None:
    """Pause, resume and stop by pressing; the card's buttons follow its state."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        paused = await slack.press("ada", card, "Pause")
        await status(it, "paused")
        await slack.until(lambda: "Resume" in buttons(slack.posts("general")[0]))
        await slack.press("ada", slack.posts("general")[0], "Resume")
        await status(it, "running")
        await slack.until(lambda: "Stop" in buttons(slack.posts("general")[0]))
        await slack.press("ada", slack.posts("general")[0], "Stop")
        await status(it, "stopped")

    assert paused.ok
    assert slack.complaints == []


async def test_steer_opens_a_form_and_its_words_stand_on_the_card(tmp_path: Path) -> None:
    """The directive joins with its author's name."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        await slack.press("ben", card, "Steer…")
        await slack.until(lambda: [view for view in slack.views.values() if view.open])
        submitted = await slack.submit("ben", {"reason": "think of small teams"})
        await slack.until(lambda: "think of small teams — ben" in slack.posts("general")[0].shown)

    assert submitted.errors == {}


async def test_the_people_decide_with_a_reason_and_may_change_their_mind(tmp_path: Path) -> None:
    """Who decided what stands on the card."""
    async with server() as slack, house(slack, tmp_path) as it:
        card = await begun(it, "discuss Shall we? --rounds 1 --with engineer-lens,pm-lens")
        await status(it, "finished")
        await slack.until(lambda: "Accept" in buttons(slack.posts("general")[0]))
        for label, reason in (("Accept", "cheap enough"), ("Reject", "")):
            await slack.press("ben", slack.posts("general")[0], label)
            await slack.until(lambda: [view for view in slack.views.values() if view.open])
            await slack.submit("ben", {"reason": reason} if reason else {})
        await slack.until(lambda: "Rejected by ben" in slack.posts("general")[0].shown)

    assert "before: Accepted" in card.shown


async def test_who_may_not_is_told_who_may(tmp_path: Path) -> None:
    """A member does not stop somebody else's panel, a guest does not steer; their words are kept."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        slack.say("ben", "general", "stop", thread_ts=card.ts)
        slack.say("gus", "general", "steer: shorter", thread_ts=card.ts)
        await slack.until(lambda: slack.whispers_to("ben") and slack.whispers_to("gus"))
        running = (await it.panels())[0].status
        slack.say("iris", "general", "stop", thread_ts=card.ts)
        await status(it, "stopped")

    assert running == "running"
    assert "starter" in told(slack, "ben") or "started" in told(slack, "ben")
    assert "contribution" in told(slack, "gus")


async def test_status_is_told_to_the_asker_alone(tmp_path: Path) -> None:
    """In the thread, and once however often Slack delivers it."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        asked = slack.say("ben", "general", "status", thread_ts=card.ts)
        await slack.until(lambda: slack.whispers_to("ben"))
        slack.replay(asked)
        await slack.settled()
        await it.platform.errands.settled()

    assert len(slack.whispers_to("ben")) == 1
    assert slack.whispers_to("ben")[0].thread_ts == card.ts


async def test_an_aside_is_neither_stored_nor_signed(tmp_path: Path) -> None:
    """Talk among people."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        aside = slack.say("ben", "general", "// the intern is wrong", thread_ts=card.ts)
        await slack.settled()
        await it.platform.errands.settled()
        loaded = await it.store.load((await it.panels())[0].id)

    assert aside.reactions == {}
    assert "intern" not in str(loaded)


async def test_an_edit_changes_the_words_and_a_deletion_takes_them_away(tmp_path: Path) -> None:
    """What personas answered already stays; the text itself is gone from the store's state."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        said = slack.say("ben", "general", "Mind the seasons.", thread_ts=card.ts)
        await slack.until(lambda: said.reactions)
        slack.edit("ben", said, "Mind the quarters.")
        await slack.settled()
        await asyncio.sleep(0.3)
        edited = await human_words(it)
        slack.delete(said)
        await slack.settled()
        await asyncio.sleep(0.3)
        deleted = await human_words(it)

    assert "Mind the quarters." in edited
    assert "Mind the quarters." not in deleted


async def test_a_stop_is_obeyed_although_slack_is_slow_to_show_it(tmp_path: Path) -> None:
    """The receipt comes last, and nothing waits for it."""
    from tests.servers.slack import Slow

    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        slack.fault("reactions.add", Slow(seconds=4.0))
        began = time.monotonic()
        slack.say("ada", "general", "stop", thread_ts=card.ts)
        await status(it, "stopped")
        took = time.monotonic() - began

    assert took < 2.5  # the bench holds the second that counts; this machine may be busy
    assert all(ack.ok for ack in slack.acks)
