"""The traps fourteen to twenty-five (§7 of the platform notes)."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.errors import PostRefused
from bot.core.platform import Post
from tests.contracts.platform import ADA, HOST, a_card, card_post, speech
from tests.discord.house import RealClock
from tests.discord.room import room
from tests.discord.said import begun, say, sent
from tests.servers.discord import EXECUTE_WEBHOOK, INVITED, PIN, SEND_MESSAGE, Permission, Rules, file

EDIT = "PATCH /channels/{channel}/messages/{message}"
EDIT_HOOK = "PATCH /webhooks/{webhook}/{token}/messages/{message}"
TYPING = "POST /channels/{channel}/typing"


async def test_trap_14_a_persona_posts_when_it_is_done_and_the_card_is_edited_at_most_every_five_seconds() -> None:
    """Streaming by edits meets the limits; typing is shown at most every eight seconds."""
    async with begun() as (it, place):
        began = it.clock.monotonic()
        for number in range(40):
            await it.platform.edit_card(place, place.thread, a_card(turns=number, status_line=f"turn {number}"))
            await it.platform.thinking(place, ADA)
            await asyncio.sleep(0)
        await it.server.until(lambda: "turn 39" in str(it.server.platform.created[0].embeds))
        passed = it.clock.monotonic() - began

        assert len(it.server.ledger.to(EDIT)) <= 1 + passed / 5
        assert len(it.server.ledger.to(TYPING)) <= 1 + passed / 8
        assert it.server.ledger.to(EDIT_HOOK) == []


async def test_trap_15_a_pasted_document_is_read_and_one_that_is_too_large_is_refused_with_its_size() -> None:
    """Never dropped in silence."""
    async with room() as it:
        paste = "We move all payments to a queue. " * 100
        message = it.server.say("ann", "general", paste)
        assert message.attachments[0].filename == "message.txt"
        message.attachments[0].content_type = None
        await it.server.context_menu("ann", message, "Review with the panel")
        panel = await it.ended()

        assert panel.opened.documents[0].text.strip() == paste.strip()

    async with room(rules=Rules(file_bytes=20 * 1024 * 1024)) as it:
        big = file("big.txt", "x" * (10 * 1024 * 1024 + 1))
        asked = await it.server.slash("ann", "general", "panel review", {"file": big})
        told = await it.answer(asked)

        assert "big.txt is 10.0 MiB; files of up to 10 MiB can be read" in told.content


async def test_trap_16_an_embed_is_read_where_a_message_has_no_words() -> None:
    """And a message that has neither is refused in words. The thread's opener is read in test_dialogs."""
    async with room() as it:
        news = it.server.say(
            "ann", "general", embeds=[{"title": "Release", "description": "Version 3 drops Python 3.8."}]
        )
        await it.server.context_menu("ann", news, "Review with the panel")
        panel = await it.ended()
        empty = it.server.say("ann", "general", embeds=[{"title": "Only a title"}])
        told = await it.answer(await it.server.context_menu("ann", empty, "Council on this"))

        assert panel.opened.documents[0].text == "Version 3 drops Python 3.8."
        assert "holds no text and no file" in told.content


async def test_trap_17_a_link_is_read_by_the_rights_of_whoever_asks() -> None:
    """The bot sees more than they do; what they can not read looks like what is not there."""
    async with room() as it:
        guild = next(iter(it.server.platform.guilds.values()))
        secret = it.server.text_channel(guild, "board")
        it.server.permit("board", guild.roles[guild.id], deny=Permission.VIEW_CHANNEL)
        it.server.permit("board", it.server.platform.app.bot, allow=Permission.VIEW_CHANNEL)
        hidden = it.server.say("olga", secret, "We are being bought.")
        private = it.server.start_thread("ben", "general", "Private", private=True)
        inside = it.server.say("ben", private, "Only for us.")
        shown = it.server.say("ben", "general", "We move all payments to a queue.")
        answers = {}
        for message in (hidden, inside, shown):
            link = f"https://discord.com/channels/{guild.id}/{message.channel.id}/{message.id}"
            asked = await it.server.slash("ann", "general", "panel review", {"target": link})
            answers[message.content] = (await it.answer(asked)).content
        panel = await it.ended()

        assert answers["We are being bought."] == "There is no such message, or you can not read it."
        assert answers["Only for us."] == answers["We are being bought."]
        assert panel.opened.documents[0].text == "We move all payments to a queue."


async def test_trap_18_a_table_becomes_a_code_block() -> None:
    """Discord shows the pipes of a table as they are."""
    async with begun() as (it, place):
        shown = await say(it, place, "See:\n\n| option | **cost** |\n|---|---:|\n| a | 3 |\n| longer | 12 |\n\nSo a.")

        assert "```\noption | cost\n-------+-----\na      | 3\nlonger | 12\n```" in shown.content


async def test_trap_19_links_are_not_unfolded_and_the_card_keeps_its_embed() -> None:
    """An address that a model made up is no link; the flag that stops previews would hide our own embed."""
    async with begun() as (it, place):
        given = replace(
            speech(2, ADA, "See https://a.test/x and [this](https://evil.test/?q=secret) and https://evil.test/y."),
            links=frozenset({"https://a.test/x"}),
        )
        await sent(it, place, given)
        post = it.server.posts(int(place.thread))[-1]
        card = it.server.ledger.to(SEND_MESSAGE)[0]

        assert post.flags & 4
        assert (
            post.content == "See <https://a.test/x> and this (`https://evil.test/?q=secret`) and `https://evil.test/y`."
        )
        assert not card.body.get("flags", 0) & 4
        assert card.body["embeds"]


async def test_trap_20_the_heartbeat_goes_on_while_panels_run() -> None:
    """Nothing blocks the loop."""
    async with room(rules=Rules(heartbeat_seconds=0.1), clock=RealClock(), delay=0.01) as it:
        guild = next(iter(it.server.platform.guilds.values()))
        for number in range(12):
            it.server.text_channel(guild, f"room-{number}")
            await it.server.slash("ann", f"room-{number}", "panel discuss", {"topic": f"Topic {number}?", "rounds": 1})
        beats, began, longest = it.server.gateway.heartbeats, time.monotonic(), 0.0
        while time.monotonic() - began < 2.0:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)

        assert it.server.gateway.heartbeats - beats >= 10
        assert longest < 1.0
        assert it.server.gateway.greetings == ["identify"]


async def test_trap_21_an_archived_thread_is_reopened_and_a_locked_one_is_named() -> None:
    """The refusal says what to do; the persona's words wait."""
    async with begun() as (it, place):
        thread = int(place.thread)
        it.server.change_thread(thread, archived=True)
        await say(it, place, "after the archive")
        it.server.change_thread(thread, locked=True)
        with pytest.raises(PostRefused, match="locked: unlock it, then say `continue`"):
            await say(it, place, "while locked", turn=3)
        it.server.change_thread(thread, archived=True)
        with pytest.raises(PostRefused, match=r"locked|archived|Manage Threads"):
            await say(it, place, "while locked and archived", turn=3)
        it.server.change_thread(thread, archived=False, locked=False)
        await say(it, place, "unlocked", turn=3)

        assert [one.content for one in it.server.posts(thread) if one.kind == 0] == ["after the archive", "unlocked"]


async def test_trap_22_pinning_needs_its_own_permission() -> None:
    """Manage Messages is not enough any more; the card links the synthesis and says why it is not pinned."""
    async with room() as it:
        guild = next(iter(it.server.platform.guilds.values()))
        it.server.permit_bot(guild, (INVITED & ~Permission.PIN_MESSAGES) | Permission.MANAGE_MESSAGES)
        await it.server.settle()
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 1})
        panel = await it.ended()
        await it.server.until(lambda: "not pinned" in str(it.card(panel).embeds))
        card = str(it.card(panel).embeds)

        assert "Pin Messages is missing here" in card
        assert f"/channels/{guild.id}/{panel.place.thread}/" in card
        assert it.server.pinned(int(panel.place.thread)) == []


async def test_trap_22_a_full_pin_board_is_said() -> None:
    """250 pins are the limit."""
    async with begun(rules=Rules(pins=1)) as (it, place):
        first, second = await say(it, place, "one", speaker=HOST), await say(it, place, "two", speaker=HOST, turn=3)

        assert await it.platform.pin(place, str(first.id)) == ""
        assert "as many pins as Discord allows" in await it.platform.pin(place, str(second.id))
        assert len(it.server.ledger.to(PIN)) == 2


async def test_trap_23_no_post_relies_on_the_webhooks_own_name_or_face() -> None:
    """Somebody may rename the webhook; every request says who speaks."""
    async with begun() as (it, place):
        await say(it, place, "one")
        it.server.webhooks("general")[0].name = "Renamed by an admin"
        await say(it, place, "two", turn=3)

        names = [request.body["username"] for request in it.server.ledger.to(EXECUTE_WEBHOOK)]
        assert names == ["🦉 Ada", "🦉 Ada"]


async def test_trap_24_a_ghost_webhook_is_not_used_again() -> None:
    """Listed, but unknown on use: another is made, once."""
    async with begun() as (it, place):
        ghost = it.server.webhook("general", "Panelist", it.server.platform.app.bot)
        ghost.application_id = it.server.platform.app.id
        it.server.faults.refuse(10015)
        await say(it, place, "one")
        await say(it, place, "two", turn=3)
        used = [request.path.split("/")[-2] for request in it.server.ledger.to(EXECUTE_WEBHOOK)]

        assert used[0] == str(ghost.id)
        assert set(used[1:]) == {str(next(one.id for one in it.server.webhooks("general") if one is not ghost))}
        assert len(it.server.webhooks("general")) == 2


async def test_trap_25_personas_of_one_visible_name_are_told_apart(tmp_path: Path) -> None:
    """Discord merges consecutive posts of one name; whoever came later has the short name behind it."""
    persona = "---\nname: Noor, Data Scientist\nshort_name: other\n---\n\nDoubts everything."
    (tmp_path / "other.md").write_text(persona)
    async with room(catalog=str(tmp_path)) as it:
        options = {"topic": "Shall we?", "with": "data-scientist,other", "rounds": 1}
        await it.server.slash("ann", "general", "panel discuss", options)
        panel = await it.ended()
        names = {name for name, _ in it.said(panel) if "Data Scientist" in name}

        assert len(names) == 2
        assert sorted(name.partition(" ")[2] for name in names) == [
            "Noor, Data Scientist",
            "Noor, Data Scientist (other)",
        ]


async def test_trap_25_a_card_in_doubt_is_found_by_its_buttons_and_not_posted_twice() -> None:
    """Two panels on one topic have the same words on their cards."""
    async with begun() as (it, place):
        other: Post = replace(card_post(), panel="debate-zzzz2222", card=a_card(panel="debate-zzzz2222"))

        assert await it.platform.find(it.place(), (card_post(),)) == {card_post().key: place.thread}
        assert await it.platform.find(it.place(), (other,)) == {}
