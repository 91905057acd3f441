"""What users of such bots complain about, 1 to 13 of the twenty-five in reference/slack.md, section 14."""

import asyncio
from pathlib import Path

from adapters.slack import cards
from adapters.slack.posting import MOST
from bot.core.engine.splitting import split
from tests.contracts.platform import ADA, a_card, card_post, speech
from tests.servers.slack import Slow
from tests.servers.slack.blocks import block_faults, too_long
from tests.slack.house import house
from tests.slack.stages import place_of, platform, said, server
from tests.slack.talk import SHORT, begun, in_thread, status, told


async def test_trap_01_work_that_takes_longer_than_three_seconds_is_done_once(tmp_path: Path) -> None:
    """Slack delivers again what it believes lost."""
    async with server(ack_timeout=0.4, retry_delays=(0.0, 0.1, 0.1)) as slack, house(slack, tmp_path) as it:
        slack.fault("conversations.info", Slow(seconds=1.0), times=3)
        slack.say("ada", "general", f"@panel {SHORT}")
        await slack.until(lambda: slack.channel("general").pins, 20)
        await it.settled()

    assert len(slack.posts("general")) == 5
    assert all(ack.ok for ack in slack.acks)


async def test_trap_02_a_mention_is_answered_once_and_never_lost(tmp_path: Path) -> None:
    """Its two events are one message, whichever of them is dropped."""
    async with server(retry_delays=()) as slack, house(slack, tmp_path) as it:
        for order in ([0, 1], [1, 0], [0], [1]):
            slack.hold_events()
            slack.say("ada", "general", "@panel help")
            slack.courier._held = [slack.courier._held[n] for n in order]  # type: ignore[index]  # held above
            slack.release_events()
            await it.settled()

    assert len([whisper for whisper in slack.whispers_to("ada") if "Start a panel" in whisper.text]) == 4


async def test_trap_03_follow_ups_in_the_thread_need_no_mention(tmp_path: Path) -> None:
    """They are heard."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        message = slack.say("ben", "general", "And the costs?", thread_ts=card.ts)
        await slack.until(lambda: message.reactions)

    assert list(message.reactions) == ["eyes"]


async def test_trap_04_markdown_is_shown_and_not_spelled_out() -> None:
    """Headings, tables and ** go into a markdown block, which Slack draws."""
    text = "## Costs\n\n**Two** options:\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    async with server() as slack, platform(slack) as made:
        await made.post(place_of(slack), speech(2, ADA, text))
        blocks = slack.posts("general")[0].blocks

    assert [(block["type"], block["text"]) for block in blocks] == [("markdown", text)]


async def test_trap_05_long_texts_are_neither_dropped_nor_frozen() -> None:
    """An edit takes 4,000 characters; a speech goes out in parts."""
    text = "\n\n".join(f"Paragraph {n}. " + "Words & <signs>. " * 60 for n in range(40))
    async with server() as slack, platform(slack) as made:
        place = place_of(slack)
        card_id = await made.post(place, card_post())
        thread = await made.thread(place, card_id)
        pieces = split(text, (await made.capabilities(place)).max_chars, made.measure)
        for number, piece in enumerate(pieces, 1):
            await made.post(thread, speech(2, ADA, piece, part=number, parts=len(pieces)))
        await made.edit_card(thread, card_id, a_card(topic="t" * 30_000, status_line="s" * 9000))
        shown = "".join(said(post) for post in slack.posts("general", card_id)[1:])

    assert all(f"Paragraph {n}." in shown for n in range(40))
    assert slack.calls_of("chat.update", "ok")


def test_trap_06_no_message_passes_the_total_that_slack_takes() -> None:
    """The fullest card, and the longest part of a speech."""
    seats = tuple(
        a_card().seats[0].__class__(short_name=f"p{n}", name=f"Persona {n}", emoji="🦉", reason="r" * 400, state="ok")
        for n in range(60)
    )
    full = a_card(
        topic="<&>" * 9000,
        seats=seats,
        directives=tuple((n, "d" * 500, "Ada") for n in range(30)),
        notes=("n" * 900,) * 12,
        decision="x" * 5000,
        links=tuple((f"Link {n}", "https://acme.slack.com/archives/C1/p1") for n in range(40)),
    )
    blocks = cards.blocks(full, ("m" * 900,) * 3)

    assert block_faults(blocks, "message") == []
    assert not too_long(blocks)
    assert MOST < 11_000


async def test_trap_07_nothing_is_streamed_so_nothing_is_cut_after_five_minutes(tmp_path: Path) -> None:
    """A turn is posted once, complete."""
    async with server() as slack, house(slack, tmp_path) as it:
        await begun(it, SHORT)
        await status(it, "finished")

    assert not [call for call in slack.calls if "Stream" in call.method]
    assert all(post.edits == [] for post in slack.posts("general")[1:])


async def test_trap_08_each_persona_has_its_own_face(tmp_path: Path) -> None:
    """Name and emoji, on every part."""
    async with server() as slack, house(slack, tmp_path) as it:
        card = await begun(it, SHORT)
        await status(it, "finished")
        speakers = in_thread(slack, card)[:2]

    assert len({post.username for post in speakers}) == 2
    assert all(post.icons for post in speakers)


async def test_trap_09_a_persona_s_post_is_never_edited(tmp_path: Path) -> None:
    """An edit would take its name away; the card alone is edited."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        card = await begun(it, SHORT)
        await status(it, "finished")
        await it.settled()

    assert {call.arguments["ts"] for call in slack.calls_of("chat.update")} == {card.ts}


async def test_trap_10_posts_without_a_user_break_nothing(tmp_path: Path) -> None:
    """A thread with another bot's post is the topic."""
    async with server() as slack, house(slack, tmp_path) as it:
        robot = slack.add_user("jira", "bot")
        root = slack.say("ben", "general", "Invoices are late.")
        slack.bot_says(robot, "general", "PAY-7 was opened", thread_ts=root.ts)
        slack.say("ada", "general", "@panel discuss --rounds 1 --with engineer-lens,pm-lens", thread_ts=root.ts)
        await slack.until(lambda: slack.posts("general"), 10)
        await status(it, "finished")
        text = str((await it.store.load((await it.panels())[0].id)).entries[0])

    assert "jira: PAY-7 was opened" in text


async def test_trap_11_another_bot_s_post_is_not_taken_for_ours() -> None:
    """Even one that copies our key."""
    post = speech(2, ADA, "I agree.")
    async with server() as slack, platform(slack) as made:
        place = place_of(slack)
        thread = await made.thread(place, await made.post(place, card_post()))
        robot = slack.add_user("copycat", "bot")
        copy = slack.bot_says(robot, "general", "I agree.", thread_ts=thread.thread)
        copy.metadata = {"event_type": "panelist_post", "event_payload": {"panel": post.panel, "turn": 2, "part": 1}}
        found = await made.find(thread, (post,))

    assert found == {}


async def test_trap_12_a_login_page_is_not_read_as_a_document(tmp_path: Path) -> None:
    """The error names the missing scope."""
    async with server() as slack, house(slack, tmp_path):
        slack.drop_scope("files:read")
        slack.say("ada", "general", "@panel review", files=[("plan.md", b"# Plan\n")])
        await slack.until(lambda: slack.whispers_to("ada"), 10)

    assert "files:read" in told(slack, "ada")


async def test_trap_13_attachments_are_seen(tmp_path: Path) -> None:
    """Those of other organisations too; in a thread they are named."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        file = slack.new_file("ben", "figures.csv", b"a,b\n1,2\n")
        slack.say("ben", "general", "Here they are.", thread_ts=card.ts, files=[file])
        await slack.settled()
        await asyncio.sleep(0.3)
        panel = (await it.panels())[0].id
        text = str(await it.store.load(panel)) + str(await it.store.signals(panel))

    assert "attached: figures.csv" in text
