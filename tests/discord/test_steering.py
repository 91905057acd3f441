"""People in a panel's thread: words, buttons, receipts, rights, and how quickly a stop is silence."""

import time

from bot.core.panel import Panel
from tests.discord.house import RealClock
from tests.discord.room import Room, room, speaks
from tests.servers.discord import EXECUTE_WEBHOOK, Permission, Rules

REACT = "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me"


async def _begun(it: Room, **options: object) -> Panel:
    """A long discussion that has begun to speak."""
    await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 40, **options})
    return await it.until(lambda panel: panel.turns and panel.place.thread)


def _reactions(it: Room) -> list[str]:
    return [request.path for request in it.server.ledger.to(REACT)]


async def test_each_message_gets_a_reaction_that_shows_how_it_was_taken() -> None:
    """Heard, a directive, a control; the emoji carry the variation selector that Discord asks for."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        thread = int(panel.place.thread)
        for text in ("We tried that in 2020.", "steer: name a number", "pause"):
            it.server.say("ann", thread, text)
        await it.until(lambda state: state.status == "paused")
        await it.server.until(lambda: len(_reactions(it)) == 3)
        state = await it.panel()

        assert [human.text for human in state.humans] == ["We tried that in 2020."]
        assert [directive.text for directive in state.standing] == ["name a number"]
        assert [one for one in it.server.ledger.to(REACT) if one.status >= 400] == []


async def test_stop_is_silence() -> None:
    """The turn that is being thought is dropped; nothing is posted any more."""
    async with room(delay=0.3, clock=RealClock()) as it:
        panel = await _begun(it)
        thread = int(panel.place.thread)
        it.server.say("ann", thread, "stop")
        said = time.monotonic()
        await it.ended()
        silent = time.monotonic() - said
        posts = len(it.server.ledger.to(EXECUTE_WEBHOOK))
        await it.server.settle(0.6)

        assert silent < 2.0
        assert len(it.server.ledger.to(EXECUTE_WEBHOOK)) == posts


async def test_the_cards_buttons_steer() -> None:
    """Pause, resume, wrap up; an answer for the one who pressed only where there is something to say."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        paused = await it.server.press("ben", it.card(panel), "Pause")
        await it.until(lambda state: state.status == "paused")
        await it.server.until(lambda: "Resume" in str(it.card(panel).components))
        await it.server.press("ben", it.card(panel), "Resume")
        await it.until(lambda state: state.status == "running")
        await it.server.press("ben", it.card(panel), "Wrap up")
        ended = await it.ended()

        assert paused.answered_after is not None
        assert paused.answered_after < 2.0
        assert ended.status == "finished"
        assert ended.round < 40


async def test_a_button_pressed_twice_is_answered_twice_and_done_once() -> None:
    """The second time with the reason."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        card = it.card(panel)
        await it.server.press("ann", card, "Pause")
        again = await it.server.press("ann", card, "Pause")
        told = await it.answer(again)

        assert "paused already" in told.content
        assert told.visible_to is not None


async def test_the_steer_form_gives_a_directive() -> None:
    """Also without the message content intent."""
    async with room(delay=0.02, message_content=False) as it:
        panel = await _begun(it)
        opened = await it.server.press("ann", it.card(panel), "Steer…")
        await it.server.submit_modal(opened, {"text": "answer in French"})
        state = await it.until(lambda state: state.standing)
        await it.server.until(lambda: "answer in French" in str(it.card(panel).embeds))

        assert state.standing[0].text == "answer in French"


async def test_after_the_end_people_decide_with_a_reason() -> None:
    """Accept, reject or defer; who decided joins the record, and can be changed."""
    async with room() as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 1})
        panel = await it.ended()
        await it.server.until(lambda: "Accept" in str(it.card(panel).components))
        form = await it.server.press("ben", it.card(panel), "Accept")
        await it.server.submit_modal(form, {"text": "The numbers convinced us."})
        await it.until(lambda state: state.decisions)
        form = await it.server.press("ann", it.card(panel), "Defer")
        await it.server.submit_modal(form, {"text": ""})
        state = await it.until(lambda state: len(state.decisions) == 2)
        await it.server.until(lambda: "Deferred by ann" in str(it.card(panel).embeds))

        assert [(d.choice, d.reason, d.author.name) for d in state.decisions] == [
            ("accept", "The numbers convinced us.", "ben"),
            ("defer", "", "ann"),
        ]


async def test_only_the_starter_and_admins_stop_a_panel() -> None:
    """Others are told who may, by a reply that pings nobody and removes itself."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        thread = int(panel.place.thread)
        message = it.server.say("ben", thread, "stop")
        await it.server.until(lambda: any(one.refers_to is message for one in it.server.platform.created))
        reply = next(one for one in it.server.platform.created if one.refers_to is message)
        pressed = await it.server.press("ben", it.card(panel), "Stop")
        told = await it.answer(pressed)
        running = (await it.panel()).status
        await it.server.until(lambda: reply.deleted)
        it.server.say("olga", thread, "stop")
        stopped = await it.ended()

        assert "the one who started it and admins can stop" in reply.content
        assert not reply.pings
        assert told.content == reply.content
        assert running == "running"
        assert stopped.status == "stopped"


async def test_a_mention_of_the_bot_steers_without_the_message_content_intent() -> None:
    """Messages that mention the app come with their content all the same."""
    async with room(delay=0.02, message_content=False) as it:
        panel = await _begun(it)
        it.server.say("ann", int(panel.place.thread), f"{it.server.mention()} pause")
        await it.until(lambda state: state.status == "paused")

        assert "can not read messages here" in str(it.card(panel).embeds)


async def test_without_the_intent_in_the_portal_the_bot_starts_all_the_same() -> None:
    """Discord refuses the session with 4014; the second one goes without."""
    async with room(rules=Rules(message_content_granted=False), delay=0.02) as it:
        panel = await _begun(it)
        await it.server.press("ann", it.card(panel), "Pause")
        await it.until(lambda state: state.status == "paused")

        assert "can not read messages here" in str(it.card(panel).embeds)


async def test_a_person_is_asked_by_name_and_only_that_persona_answers() -> None:
    """`@NAME question`, out of order."""
    async with room(delay=0.02) as it:
        panel = await _begun(it, **{"with": "pm-lens,engineer-lens"})
        it.server.say("ann", int(panel.place.thread), "ask engineer-lens: what would it cost?")
        state = await it.until(lambda state: any(turn.turn_kind == "answer" for turn in state.turns))
        answer = next(turn for turn in state.turns if turn.turn_kind == "answer")

        assert answer.persona == "engineer-lens"


async def test_an_edited_message_is_heard_anew_and_a_deleted_one_forgotten() -> None:
    """An embed that Discord adds to a message is no edit."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        thread = int(panel.place.thread)
        kept, gone = (
            it.server.say("ann", thread, "It takes two weeks."),
            it.server.say("ben", thread, "It is a secret."),
        )
        await it.until(lambda state: len(state.humans) == 2)
        it.server.edit(kept, "It takes two months.")
        it.server.delete(gone)
        state = await it.until(lambda state: len(state.revisions) == 2)

        assert state.revisions == {str(kept.id): "It takes two months.", str(gone.id): None}


async def test_what_is_not_said_by_people_is_not_heard() -> None:
    """Our own posts, other bots, webhooks and Discord's notices; a bot that the settings name is heard."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        thread = int(panel.place.thread)
        guild = next(iter(it.server.platform.guilds.values()))
        robot = it.server.member(guild, "robot", bot=True)
        relay = it.server.webhook("general", "Relay", "ann")
        it.server.say("robot", thread, "stop")
        it.server.say_by_webhook(relay, "stop", where=thread)
        await it.server.slash("olga", "general", "panel settings", {"words": f"bots {robot.id}"})
        it.server.say("robot", thread, "I may speak now.")
        state = await it.until(lambda state: state.humans)

        assert [human.text for human in state.humans] == ["I may speak now."]
        assert state.controls == ()


async def test_a_pasted_text_is_read_although_the_client_made_a_file_of_it() -> None:
    """Over 2,000 characters the client sends `message.txt`, sometimes without a type."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        long = "We measured it. " * 200
        it.server.say("ann", int(panel.place.thread), long)
        state = await it.until(lambda state: state.humans)

        assert state.humans[0].text == long.strip()


async def test_a_member_who_left_can_no_longer_steer() -> None:
    """What they said stays."""
    async with room(delay=0.02) as it:
        guild = next(iter(it.server.platform.guilds.values()))
        panel = await _begun(it)
        it.server.say("ben", int(panel.place.thread), "I was here.")
        await it.until(lambda state: state.humans)
        it.server.remove_member(guild, "ben")
        await it.server.settle()
        state = await it.panel()

        assert [human.author.name for human in state.humans] == ["ben"]


async def test_settings_keep_panels_to_some_channels() -> None:
    """The refusal says who can change it."""
    async with room() as it:
        guild = next(iter(it.server.platform.guilds.values()))
        other = it.server.text_channel(guild, "other")
        await it.server.slash("olga", "general", "panel settings", {"words": f"channels {other.id}"})
        asked = await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?"})
        told = await it.answer(asked)

        assert "panels run only in some channels" in told.content.casefold()
        assert it.server.posts("general") == [] or all(one.visible_to for one in it.server.posts("general"))


async def test_without_rights_in_the_channel_the_refusal_names_them() -> None:
    """Before anything is stored."""
    async with room() as it:
        it.server.forbid_bot("general", deny=Permission.SEND_MESSAGES_IN_THREADS | Permission.CREATE_PUBLIC_THREADS)
        await it.server.settle()
        told = await it.answer(await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?"}))

        assert "lacks Send Messages in Threads, Create Public Threads here" in told.content
        assert [one for one in it.server.platform.created if speaks(one) and not one.visible_to] == []
