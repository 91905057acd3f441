"""The same house in another Discord, SimCord: flow, visibility, permissions and restarts."""

from typing import Any

import discord
import pytest

from bot.core.errors import ProviderDown
from tests.discord.house import QuickClient
from tests.discord.household import household
from tests.discord.simulated import Simulated, simulated
from tests.fakes.model import ScriptedModel


async def _begun(it: Simulated, **options: Any) -> Any:
    """A discussion of one round: the simulator waits until nothing runs any more."""
    return await it.ann.slash(it.general, "panel discuss", topic="Shall we rewrite it?", rounds=1, **options)


async def test_a_discussion_from_the_command_to_the_pinned_synthesis() -> None:
    """Ephemeral answer, card in the channel, personas by name in a public thread, synthesis pinned by the bot."""
    async with simulated() as it:
        asked = await _begun(it)
        panel = await it.ended()
        said, thread = it.thread(panel), it.env.bot.get_channel(int(panel.place.thread))
        personas = [one for one in said if one.webhook_id]
        names = {seat.persona.name for seat in panel.seats if seat.included}

        assert asked.ephemeral
        assert panel.status == "finished", panel.reason
        assert isinstance(thread, discord.Thread)
        assert thread.type is discord.ChannelType.public_thread
        assert {one.author.name.partition(" ")[2] for one in personas} == names
        assert all(one.flags.suppress_embeds for one in personas)
        assert it.card(panel).embeds[0].title == "Panel discussion"
        assert any(one.attachments for one in said)


@pytest.mark.parametrize("words", ["everyone", "@here now"])
async def test_nobody_is_mentioned_by_a_topic(words: str) -> None:
    """Neither by the card nor by what is said about it."""
    async with simulated() as it:
        await it.ann.slash(it.general, "panel discuss", topic=f"Shall @{words} come? {it.olga.mention}", rounds=1)
        panel = await it.ended()

        for message in [it.card(panel), *it.thread(panel)]:
            assert not message.mention_everyone
            assert message.mentions == []


async def test_only_the_starter_and_admins_stop_a_panel() -> None:
    """Its provider is down, so it rests: the simulator waits until nothing runs any more."""
    down = ScriptedModel(lambda _request: ProviderDown("no answer", provider="scripted"))
    async with simulated(models={"scripted": down}) as it:
        bob = it.guild.add_member(it.env.create_user("bob"))
        await _begun(it)
        panel = await it.panel()
        refused = await bob.click(it.card(panel), label="Stop")
        before = (await it.panel()).status
        await it.olga.click(it.card(panel), label="Stop")
        after = (await it.panel()).status

        assert refused.followups[-1].ephemeral
        assert "the one who started it and admins can stop" in refused.followups[-1].content
        assert (before, after) == ("paused", "stopped")


async def test_a_decision_with_its_reason_from_the_cards_form() -> None:
    """The button opens a form; what it says joins the log and the card."""
    async with simulated() as it:
        await _begun(it)
        panel = await it.ended()
        await it.env.advance_time(10)
        shown = await it.ann.click(it.card(panel), label="Accept")
        await it.ann.submit_modal(shown, {"text": "The numbers convinced us."})
        state = await it.panel()
        await it.env.advance_time(10)

        assert [(d.choice, d.reason) for d in state.decisions] == [("accept", "The numbers convinced us.")]
        assert "Accepted by ann: The numbers convinced us." in str(it.card(state).embeds[0].to_dict())


async def test_the_form_takes_a_file() -> None:
    """Label, text input, select and file upload in one form."""
    async with simulated() as it:
        shown = await it.ann.slash(it.general, "panel new")
        plan = ("plan.md", b"# Plan\n\nWe move all payments to a queue with retries.\n")
        await it.ann.submit_modal(shown, {"format": ["review"], "topic": "", "files": [plan], "options": "--verbose"})
        panel = await it.ended()

        assert panel.format == "review"
        assert panel.opened.documents[0].title == "plan.md"


async def test_a_message_is_judged_from_its_menu() -> None:
    """Both commands are there, next to the slash group."""
    async with simulated() as it:
        message = await it.ann.send(it.general, "We move all payments to a queue with retries, next Monday.")
        await it.olga.context_menu(it.general, "Council on this", message)
        panel = await it.ended()

        assert panel.format == "council"
        assert panel.opened.starter.role == "admin"


async def test_without_the_right_to_make_webhooks_the_bot_speaks_under_bold_names() -> None:
    """And the card says so."""
    async with simulated() as it:
        bot = it.guild.me
        assert bot is not None
        quiet = it.guild.create_text_channel(
            "quiet", overwrites={it.guild.default_role: discord.PermissionOverwrite(manage_webhooks=False)}
        )
        await it.ann.slash(quiet, "panel discuss", topic="Shall we?", rounds=1)
        panel = await it.ended()
        handle = next(one for one in quiet.threads if one.id == int(panel.place.thread))
        said = [one for one in handle.history() if one.type is discord.MessageType.default and one.content]

        assert panel.status == "finished", panel.reason
        assert {one.webhook_id for one in said} == {None}
        assert sum(one.content.count("**") >= 2 for one in said) >= len(panel.turns) - 1


async def test_names_are_suggested_while_typing() -> None:
    """In a list, for the one being typed."""
    async with simulated() as it:
        choices = await it.ann.autocomplete(it.general, "panel discuss", "with", "pm-lens, eng")

        values = [choice["value"] for choice in choices]
        assert values[0] == "pm-lens,engineer-lens"
        assert all(value.startswith("pm-lens,") and "eng" in value for value in values)


async def test_a_mention_takes_the_grammar() -> None:
    """In a channel; the card is the answer."""
    async with simulated() as it:
        assert it.env.bot.user is not None
        await it.ann.send(it.general, f"<@{it.env.bot.user.id}> discuss Shall we? --rounds 1")
        panel = await it.ended()

        assert (panel.topic, panel.opened.options.rounds) == ("Shall we?", 1)


async def test_the_cards_buttons_work_after_a_restart() -> None:
    """Another process, the same store, the same message."""
    async with simulated() as it:
        await _begun(it)
        panel = await it.ended()
        await it.env.advance_time(10)
        client = QuickClient()
        fresh = household(it.bot.settings, client=client, store=it.store)  # type: ignore[arg-type]
        fresh.bot.serve(fresh.services)
        await fresh.store.beat("one", fresh.clock.now() + 1e6)
        await it.env.restart_bot(client)
        shown = await it.olga.click(it.card(panel), label="Transcript")

        assert shown.ephemeral
        await fresh.bot.platform.close()
