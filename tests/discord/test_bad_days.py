"""Bad days: what is deleted, locked, forbidden or used up. Each has an outcome, and none loses what was said."""

import pytest

from bot.core.panel import Panel
from tests.discord.house import RealClock
from tests.discord.room import Room, room
from tests.servers.discord import INVITED, Permission, file


async def _begun(it: Room, **options: object) -> Panel:
    await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 60, **options})
    return await it.until(lambda panel: panel.turns and panel.place.thread)


async def _on_card(it: Room, panel: Panel, words: str) -> None:
    """Return once the card says it."""
    await it.server.until(lambda: words in str(it.card(panel).embeds), timeout=10.0)


async def test_a_deleted_thread_ends_its_panel_and_the_card_says_why() -> None:
    """The card lives in the channel and stays."""
    async with room(delay=0.05, clock=RealClock()) as it:
        panel = await _begun(it)
        it.server.delete_channel(int(panel.place.thread))
        ended = await it.ended()
        await _on_card(it, panel, "the thread was deleted")

        assert (ended.status, ended.reason) == ("failed", "the thread is gone: the thread was deleted")
        assert ended.turns


async def test_a_paused_panel_whose_thread_is_deleted_ends_too() -> None:
    """Nobody has to post for that."""
    async with room(delay=0.05, clock=RealClock()) as it:
        panel = await _begun(it)
        it.server.say("ann", int(panel.place.thread), "pause")
        await it.until(lambda state: state.status == "paused")
        it.server.delete_channel(int(panel.place.thread))
        ended = await it.ended()

        assert ended.status == "failed"


@pytest.mark.parametrize("how", ["channel", "kicked"])
async def test_a_lost_channel_or_server_ends_its_panels(how: str) -> None:
    """An outage of Discord's looks alike and ends nothing."""
    async with room(delay=0.05, clock=RealClock()) as it:
        guild = next(iter(it.server.platform.guilds.values()))
        panel = await _begun(it)
        it.server.outage(guild)
        await it.server.settle(0.2)
        during = (await it.panel()).status
        it.server.recover(guild)
        await it.server.settle(0.2)
        if how == "channel":
            it.server.delete_channel("general")
        else:
            it.server.kick_bot(guild)
        ended = await it.ended()

        assert during in ("running", "paused")
        assert ended.status == "failed"
        assert ended.reason.startswith("the thread is gone: ")
        assert panel.id == ended.id


async def test_a_locked_thread_pauses_the_panel_and_continue_goes_on_where_it_was() -> None:
    """The words that were refused are posted then."""
    async with room(delay=0.05, clock=RealClock()) as it:
        panel = await _begun(it)
        thread = int(panel.place.thread)
        it.server.change_thread(thread, locked=True)
        await it.until(lambda state: state.status == "paused")
        await _on_card(it, panel, "the thread is locked: unlock it")
        it.server.change_thread(thread, locked=False)
        it.server.say("ann", thread, "continue")
        await it.until(lambda state: state.status == "running")
        it.server.say("ann", thread, "stop")
        ended = await it.ended()
        texts = [text for _, text in it.said(ended)]

        assert len(texts) == len(set(texts))


async def test_a_panel_without_the_right_to_speak_in_threads_pauses_with_the_reason() -> None:
    """A webhook needs no right to speak, so it is the host's words that fail."""
    async with room(delay=0.05, clock=RealClock()) as it:
        panel = await _begun(it)
        it.server.forbid_bot("general", deny=Permission.SEND_MESSAGES_IN_THREADS)
        it.server.say("ann", int(panel.place.thread), "synthesize")
        await it.until(lambda state: state.status == "paused", 30.0)
        await _on_card(it, panel, "Send Messages in Threads")


async def test_a_full_channel_pauses_the_panel_until_a_webhook_is_deleted() -> None:
    """Fifteen webhooks are a channel's cap."""
    async with room(delay=0.05, clock=RealClock()) as it:
        relays = [it.server.webhook("general", f"Relay {number}", "ann") for number in range(15)]
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 1})
        panel = await it.until(lambda state: state.status == "paused")
        await _on_card(it, panel, "as many webhooks as Discord allows (15)")
        it.server.delete_webhook(relays[0])
        await it.server.press("ann", it.card(panel), "Resume")
        ended = await it.ended()

        assert ended.status == "finished"
        assert len(it.said(ended)) == len(ended.turns)


async def test_a_moved_webhook_is_not_followed() -> None:
    """A new one is made for the channel; the name stays."""
    async with room(delay=0.05, clock=RealClock()) as it:
        guild = next(iter(it.server.platform.guilds.values()))
        it.server.text_channel(guild, "other")
        panel = await _begun(it, rounds=3)
        await it.server.until(lambda: it.server.webhooks("general"))
        it.server.move_webhook(it.server.webhooks("general")[0], "other")
        ended = await it.ended()
        names = {name for name, _ in it.said(ended)}

        assert ended.status == "finished"
        assert len(it.said(ended)) == len(ended.turns)
        assert len(names) == len([seat for seat in panel.seats if seat.included]) + 1
        assert it.server.messages("other") == []


async def test_the_voice_is_fixed_when_the_panel_begins() -> None:
    """Without Manage Webhooks the bot speaks under bold names, and goes on so when the right comes later."""
    async with room(delay=0.05, clock=RealClock()) as it:
        guild = next(iter(it.server.platform.guilds.values()))
        it.server.permit_bot(guild, INVITED & ~Permission.MANAGE_WEBHOOKS)
        await it.server.settle()
        panel = await _begun(it, rounds=3)
        it.server.permit_bot(guild, INVITED)
        ended = await it.ended()
        said = it.said(ended)

        assert {name for name, _ in said} == {it.server.platform.app.bot.name}
        assert all("**" in text for _, text in said[:-1])
        assert "Manage Webhooks is missing here" in str(
            it.server.ledger.to("POST /channels/{channel}/messages")[0].body
        )
        assert it.server.webhooks("general") == []
        assert panel.id == ended.id


async def test_from_a_direct_message_the_refusal_says_what_works() -> None:
    """Also where only the person has installed the bot."""
    async with room() as it:
        direct = it.server.direct("ann")
        asked = await it.server.slash("ann", direct, "panel discuss", {"topic": "Shall we?"})
        installed = await it.server.slash("ann", "general", "panel new", user_install=True)
        told = [await it.answer(asked), await it.answer(installed)]

        assert all("run in servers only" in one.content for one in told)
        assert all(one.visible_to for one in told)


async def test_a_forum_without_the_right_to_post_is_refused_by_name() -> None:
    """In a forum a panel is a post."""
    async with room() as it:
        place = it.server.start_post("ben", "ideas", "Idea", "What if?")[0]
        it.server.forbid_bot("ideas", deny=Permission.SEND_MESSAGES_IN_THREADS)
        await it.server.settle()
        told = await it.answer(await it.server.slash("ann", place, "panel discuss", {"topic": "Shall we?"}))

        assert "lacks Send Messages in Threads here" in told.content


async def test_an_attachment_whose_address_expired_is_asked_for_anew() -> None:
    """Addresses of files are signed for a day."""
    async with room() as it:
        message = it.server.say("ben", "general", "", files=[file("plan.md", "# Plan\n\nWe move to a queue.\n")])
        it.server.platform.clock.advance(25 * 3600)
        await it.server.context_menu("ann", message, "Review with the panel")
        panel = await it.ended()

        assert "We move to a queue." in panel.opened.documents[0].text


async def test_a_deleted_attachment_is_refused_by_name() -> None:
    """The remedy is to attach it again."""
    async with room() as it:
        message = it.server.say("ben", "general", "", files=[file("plan.md", "# Plan\n")])
        it.server.platform.clock.advance(25 * 3600)
        answering = it.server.context_menu("ann", message, "Review with the panel")
        it.server.delete(message)
        told = await it.answer(await answering)

        assert "plan.md is no longer there: attach it again" in told.content


async def test_a_second_panel_in_a_thread_is_refused_with_the_remedy() -> None:
    """One open panel a thread."""
    async with room(delay=0.05, clock=RealClock()) as it:
        panel = await _begun(it)
        told = await it.answer(
            await it.server.slash("ben", int(panel.place.thread), "panel discuss", {"topic": "Another"})
        )

        assert "a panel is open in this thread already" in told.content.casefold()


async def test_an_archived_thread_is_reopened_for_the_cards_next_state() -> None:
    """Edits are refused in an archived thread."""
    async with room(delay=0.05, clock=RealClock()) as it:
        thread = it.server.start_thread("ann", "general", "Shall we?")
        await it.server.slash("ann", thread, "panel discuss", {"topic": "Shall we?", "rounds": 60})
        panel = await it.until(lambda state: state.turns)
        it.server.say("ann", thread, "pause")
        await it.until(lambda state: state.status == "paused")
        await _on_card(it, panel, "Paused")
        it.server.change_thread(thread, archived=True)
        await it.hearing.lost(panel.id, "a test says so")
        await _on_card(it, panel, "a test says so")

        assert thread.thread is not None
        assert thread.thread.archived is False
