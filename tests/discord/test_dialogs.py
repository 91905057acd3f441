"""Panels from the first word to the pinned synthesis, over the real library and the wire."""

from datetime import date

import pytest

from bot.core.panel import Panel
from bot.core.place import Place
from bot.core.starting.catalog import Catalog
from bot.core.starting.catalogs import Catalogs
from personas.loader import load_texts
from tests.discord.room import Room, room
from tests.servers.discord import EXECUTE_WEBHOOK, Permission, file

PLAN = "We move all payments to a queue with retries, and drop the nightly batch at the end of March."


def inspected(it: Room, panel: Panel) -> None:
    """What holds for every request that made a post: thread, mentions, wait, previews, names, one try each."""
    for request in it.server.ledger.to(EXECUTE_WEBHOOK):
        assert request.query["thread_id"] == panel.place.thread
        assert request.query["wait"] == "true"
        assert request.body["allowed_mentions"] == {"parse": []}
        assert request.body["flags"] == 4
        assert 1 <= len(request.body["username"]) <= 80
    for request in it.server.requests:
        body = request.body if isinstance(request.body, dict) else {}
        for said in (body, body.get("data"), body.get("message")):
            if isinstance(said, dict) and (said.get("content") or said.get("embeds")):
                assert said["allowed_mentions"]["parse"] == [], request.route
    assert it.server.pinging == []
    assert it.server.ledger.refused(429) == []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("discuss", {"topic": "Shall we rewrite the parser?", "rounds": 2}),
        ("debate", {"topic": "Tabs or spaces?", "personas": "pm-lens,engineer-lens,designer-lens", "rounds": 1}),
        ("review", {"target": PLAN}),
        ("council", {"target": PLAN, "max-rounds": 1}),
    ],
)
async def test_each_format_runs_from_the_slash_command_to_the_pinned_synthesis(
    command: str, options: dict[str, object]
) -> None:
    """The answer comes at once, the card stands in the channel, the personas speak in its thread by name."""
    async with room() as it:
        answer = await it.server.slash("ann", "general", f"panel {command}", options)
        panel = await it.ended()
        said, card = it.said(panel), it.card(panel)

        assert answer.answered_after is not None
        assert answer.answered_after < 2.0
        assert answer.ephemeral
        assert f"<#{panel.place.channel}>" in (await it.answer(answer)).content
        assert panel.status == "finished", panel.reason
        assert panel.opened.topic[:10] in str(card.embeds)
        assert card.channel.name == "general"
        assert len(said) >= len(panel.turns)
        assert len({name for name, _ in said}) >= 3
        assert it.server.pinned(int(panel.place.thread))[0].content in [text for _, text in said]
        assert any(one.attachments for one in it.server.posts(int(panel.place.thread)))
        inspected(it, panel)


async def test_a_mention_in_a_channel_takes_the_same_grammar() -> None:
    """The card below it is the answer; nothing else is said."""
    async with room() as it:
        it.server.say("ann", "general", f"{it.server.mention()} discuss Shall we rewrite it? --rounds 1")
        panel = await it.ended()

        assert panel.topic == "Shall we rewrite it?"
        assert panel.opened.options.rounds == 1
        assert panel.opened.starter.name == "ann"
        assert [one.content for one in it.server.posts("general") if not one.components] == []


async def test_a_mention_in_a_thread_without_a_topic_takes_the_thread_with_its_opener() -> None:
    """The message that the thread was started from lives in the parent channel."""
    async with room() as it:
        opener = it.server.say("ann", "general", "Let us drop the nightly batch.")
        thread = it.server.start_thread("ben", "general", "Nightly batch", under=opener)
        it.server.say("ben", thread, "What about the reports?")
        it.server.say("ann", thread, f"{it.server.mention()} council this --max-rounds 1")
        panel = await it.ended()
        document = panel.opened.documents[0]

        assert panel.place.thread == str(thread.id)
        assert "Let us drop the nightly batch." in document.text
        assert "ben: What about the reports?" in document.text
        assert document.key.endswith(str(thread.id))
        assert it.card(panel).channel is thread


async def test_the_form_takes_a_long_text_and_files() -> None:
    """A slash command's text has no line breaks."""
    async with room() as it:
        opened = await it.server.slash("ann", "general", "panel new")
        assert opened.modal is not None
        fields = {
            "format": ["review"],
            "topic": "",
            "files": [file("plan.md", f"# Plan\n\n{PLAN}\n")],
            "personas": ["pm-lens", "engineer-lens"],
            "options": "--verbose",
        }
        sent = await it.server.submit_modal(opened, fields)
        panel = await it.ended()

        assert sent.answered_after is not None
        assert panel.format == "review"
        assert panel.opened.documents[0].title == "plan.md"
        assert PLAN in panel.opened.documents[0].text
        assert [seat.persona.short_name for seat in panel.seats if seat.included] == ["pm-lens", "engineer-lens"]
        assert panel.opened.options.verbose


async def test_a_form_that_says_something_impossible_is_answered_with_the_remedy() -> None:
    """And can be opened again."""
    async with room() as it:
        opened = await it.server.slash("ann", "general", "panel new")
        fields = {"format": ["council"], "topic": PLAN, "personas": ["pm-lens"], "options": ""}
        sent = await it.server.submit_modal(opened, fields)

        told = await it.answer(sent)
        again = await it.server.press("ann", told, "Open the form")

        assert "leave “Who takes part” empty" in told.content
        assert again.modal is not None


@pytest.mark.parametrize(("menu", "format_name"), [("Review with the panel", "review"), ("Council on this", "council")])
async def test_a_message_can_be_judged_from_its_menu(menu: str, format_name: str) -> None:
    """Its content comes with the command, whatever the intents."""
    async with room(message_content=False) as it:
        message = it.server.say("ben", "general", PLAN)
        await it.server.context_menu("ann", message, menu)
        panel = await it.ended()

        assert panel.format == format_name
        assert panel.opened.documents[0].text == PLAN
        assert panel.opened.documents[0].key.endswith(str(message.id))


async def test_a_forum_gets_a_post_of_its_own() -> None:
    """Its first message is the card; whoever may not write there starts none there."""
    async with room() as it:
        forum = it.server.place("ideas")
        options = {"topic": "Shall we rewrite it?", "rounds": 1, "in": forum}
        told = await it.answer(await it.server.slash("ann", "general", "panel discuss", options))
        panel = await it.ended()
        guild = next(iter(it.server.platform.guilds.values()))
        it.server.permit("ideas", guild.roles[guild.id], deny=Permission.SEND_MESSAGES)
        await it.server.settle()
        refused = await it.answer(await it.server.slash("ann", "general", "panel discuss", options))

        assert f"<#{forum.id}>" in told.content
        assert panel.place.channel == str(forum.id)
        assert it.server.place(int(panel.place.thread)).name == "Shall we rewrite it?"
        assert str(it.card(panel).id) == panel.place.thread
        assert len(it.said(panel)) == len(panel.turns)
        assert "You may not write in #ideas" in refused.content


class OddCatalogs(Catalogs):
    """Three personas that have to do with nothing."""

    async def of(self, place: Place) -> Catalog:
        texts = {f"p{n}.md": f"---\nname: Person {n}\nshort_name: p{n}\n---\n\nKnits." for n in range(3)}
        return load_texts(texts, today=date(2026, 11, 1))


async def test_who_debates_is_asked_where_nobody_clearly_fits() -> None:
    """A select of the personas, once."""
    async with room(catalogs=OddCatalogs()) as it:
        topic = "Which database scales for our payments service?"
        asked = await it.server.slash("ann", "general", "panel debate", {"topic": topic, "rounds": 1})
        question = await it.answer(asked)
        select = question.components[0]["components"][0]
        await it.server.select("ann", question, select["custom_id"], ["p0", "p2"])
        panel = await it.ended()

        assert "nobody in the catalog clearly fits" in question.content.casefold()
        assert [seat.persona.short_name for seat in panel.seats if seat.included] == ["p0", "p2"]


async def test_presets_personas_and_settings_are_kept_per_server() -> None:
    """The desk answers behind `/panel`, for the asker alone."""
    async with room() as it:
        olga = "olga"
        await it.server.slash(olga, "general", "panel preset", {"words": "save my-quick discuss --rounds 1"})
        await it.server.slash(olga, "general", "panel settings", {"words": "max-cost 3"})
        listed = await it.server.slash("ann", "general", "panel personas")
        suggested = await it.server.autocomplete("ann", "general", "panel run", "words", "my-")
        await it.server.slash("ann", "general", "panel run", {"words": "my-quick Is it fast?"})
        panel = await it.ended()

        assert listed.ephemeral
        assert "pm-lens" in "".join(one.content for one in listed.answers)
        assert suggested[0]["value"] == "my-quick"
        assert (panel.topic, panel.opened.options.rounds, panel.max_cost) == ("Is it fast?", 1, 3.0)


async def test_a_persona_written_in_a_form_speaks_in_the_next_panel() -> None:
    """Persona files are edited in chat."""
    async with room() as it:
        opened = await it.server.slash("olga", "general", "panel persona", {"words": "add"})
        assert opened.modal is not None
        await it.server.submit_modal(opened, {"Name": "Grump", "What it is like": "Doubts everything, in few words."})
        await it.server.slash(
            "ann", "general", "panel discuss", {"topic": "Shall we?", "with": "grump,pm-lens", "rounds": 1}
        )
        panel = await it.ended()

        assert any("Grump" in name for name, _ in it.said(panel))


async def test_a_paused_panel_in_the_channel_is_offered_first() -> None:
    """Resume it, or start afresh."""
    async with room(delay=0.01) as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "The first", "rounds": 30})
        first = await it.until(lambda panel: panel.turns)
        it.server.say("ann", int(first.place.thread), "pause")
        await it.until(lambda panel: panel.status == "paused")
        asked = await it.server.slash("ann", "general", "panel discuss", {"topic": "The second", "rounds": 1})
        question = await it.answer(asked)
        await it.server.press("ann", question, "Start afresh")
        second = await it.until(lambda panel: panel.id != first.id and panel.status == "finished")
        resumed = await it.answer(await it.server.press("ann", question, "Resume it"))

        assert "A discussion is paused here: “The first”" in question.content
        assert second.topic == "The second"
        assert "goes on" in resumed.content


async def test_an_ended_panel_runs_again_from_its_card() -> None:
    """With the personas and options that it had."""
    async with room() as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 1})
        first = await it.ended()
        await it.server.until(lambda: "Run again" in str(it.card(first).components))
        await it.server.press("ben", it.card(first), "Run again")
        second = await it.until(lambda panel: panel.id != first.id and panel.status == "finished")

        assert (second.topic, second.opened.starter.name) == ("Shall we?", "ben")
        assert second.place.thread != first.place.thread


async def test_transcript_and_record_come_from_the_card_to_whoever_asks() -> None:
    """As files that only they see."""
    async with room() as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 1})
        panel = await it.ended()
        await it.server.until(lambda: "Transcript" in str(it.card(panel).components))
        pressed = await it.server.press("ben", it.card(panel), "Transcript")
        transcript = await it.answer(pressed)
        record = await it.answer(await it.server.press("ben", it.card(panel), "Record"))

        assert pressed.ephemeral
        assert transcript.attachments[0].content.startswith(b"# Panel discussion: Shall we?")
        assert record.attachments[0].filename.endswith(".json")


async def test_a_server_can_switch_pinning_off_or_keep_only_the_newest() -> None:
    """The card links the synthesis all the same."""
    async with room() as it:
        thread = it.server.start_thread("ann", "general", "Shall we?")
        await it.server.slash("olga", "general", "panel settings", {"words": "pins 1"})
        for topic in ("First?", "Second?"):
            await it.server.slash("ann", thread, "panel discuss", {"topic": topic, "rounds": 1})
            await it.until(lambda panel, topic=topic: panel.topic == topic and panel.status == "finished")  # type: ignore[misc]
        newest = [one.content for one in it.server.pinned(thread)]
        last = it.said(await it.panel())[-1][1]
        await it.server.slash("olga", "general", "panel settings", {"words": "pins off"})
        await it.server.slash("ann", thread, "panel discuss", {"topic": "Third?", "rounds": 1})
        third = await it.until(lambda panel: panel.topic == "Third?" and panel.status == "finished")
        await it.server.until(lambda: "pinning is switched off" in str(it.card(third).embeds))

        assert newest == [last]
        assert len(it.server.pinned(thread)) == 1
