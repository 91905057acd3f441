"""The Discord test server, seen through the real client library: commands, forms, buttons, messages."""

import discord
import pytest

from .discord import ImpossibleActError, file
from .discord_clients import platform_and_bot


async def test_the_library_logs_in_syncs_commands_and_hears_a_message() -> None:
    """HELLO, IDENTIFY, READY and GUILD_CREATE bring the library to ready; a message arrives with its author."""
    async with platform_and_bot() as (server, bot):
        server.say("ann", "general", "hello")
        await server.until(lambda: bot.heard)

        assert [guild.name for guild in bot.guilds] == ["Acme"]
        assert bot.heard[0].content == "hello"
        assert bot.heard[0].author.name == "ann"
        assert [one["name"] for one in server.platform.commands[None]] == ["panel", "Council on this"]


async def test_a_slash_command_with_options_is_answered_in_private() -> None:
    """Options arrive typed, a file can be read, and a follow-up after a deferral inherits its visibility."""
    async with platform_and_bot() as (server, _):
        options = {"topic": "tabs", "rounds": 2, "file": file("notes.md", "# Notes")}
        asked = await server.slash("ann", "general", "panel discuss", options)
        await server.until(lambda: asked.answers)

        assert asked.answers[0].content == "tabs 2 # Notes"
        assert asked.answers[0].visible_to == server.person("ann").id
        assert asked.answered_after is not None
        assert asked.answered_after < 3


async def test_a_command_that_is_not_synced_or_takes_other_options_can_not_be_sent() -> None:
    """A client offers only what is registered, so a test that tries more is told so."""
    async with platform_and_bot() as (server, _):
        with pytest.raises(ImpossibleActError, match="not synced"):
            await server.slash("ann", "general", "chess")
        with pytest.raises(ImpossibleActError, match="out of range"):
            await server.slash("ann", "general", "panel discuss", {"topic": "x", "rounds": 99})
        with pytest.raises(ImpossibleActError, match="required"):
            await server.slash("ann", "general", "panel discuss", {})


async def test_an_answer_after_three_seconds_comes_too_late() -> None:
    """https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback"""
    async with platform_and_bot() as (server, bot):
        server.platform.rules.response_deadline = 0.1
        bot.seconds_before_answer = 0.2
        bot.tree.on_error = _quiet  # type: ignore[method-assign]  # the library's documented hook
        asked = await server.slash("ann", "general", "panel discuss", {"topic": "tabs"})

        assert asked.answered_after is None
        await server.until(lambda: server.ledger.refused(404))
        assert server.ledger.refused(404)[0].code == 10062


async def _quiet(interaction: discord.Interaction, error: Exception) -> None:
    return


async def test_autocomplete_gets_the_choices_for_what_was_typed() -> None:
    """The focused option travels with its text, required options may still be missing."""
    async with platform_and_bot() as (server, _):
        choices = await server.autocomplete("ann", "general", "panel discuss", "topic", "tabs")

        assert choices == [{"name": "tabs or not", "value": "tabs"}]


async def test_a_form_with_label_text_select_and_files_comes_back_filled() -> None:
    """Label, TextInput, Select and FileUpload in a modal; files are read from their signed address."""
    async with platform_and_bot() as (server, _):
        opened = await server.slash("ann", "general", "panel new")
        sent = await server.submit_modal(
            opened, {"Topic": "Two\nlines", "format": "debate", "Documents": [file("a.txt", "one")]}
        )

        assert [part["label"] for part in (opened.modal or {})["components"]] == ["Topic", "Format", "Documents"]
        assert sent.answers[0].content == "Two\nlines / ['debate'] / ['one']"


async def test_a_form_refuses_what_the_client_would_not_send() -> None:
    """Required fields, known choices and lengths are held by the client."""
    async with platform_and_bot() as (server, _):
        opened = await server.slash("ann", "general", "panel new")

        with pytest.raises(ImpossibleActError, match="topic"):
            await server.submit_modal(opened, {"format": "debate"})
        with pytest.raises(ImpossibleActError, match="no \\['chess'\\]"):
            await server.submit_modal(opened, {"Topic": "t", "format": "chess"})


async def test_a_button_updates_its_message_and_can_be_pressed_after_a_restart_of_the_view() -> None:
    """Persistent views are found by custom id; an unknown button can not be pressed."""
    async with platform_and_bot() as (server, _):
        shown = await server.slash("ann", "general", "panel card")
        card = server.posts("general")[0]
        pressed = await server.press("ben", card, "Pause")

        assert shown.answers == [card]
        assert pressed.answered_after is not None
        assert card.content == "paused"
        with pytest.raises(ImpossibleActError, match="no 'Stop'"):
            await server.press("ben", card, "Stop")


async def test_a_message_command_carries_its_target_without_the_content_intent() -> None:
    """https://docs.discord.com/developers/events/gateway#message-content-intent"""
    async with platform_and_bot() as (server, _):
        target = server.say("ann", "general", "a plan")
        await server.context_menu("ben", target, "Council on this")

        assert server.posts("general")[0].content == "council on: a plan"


async def test_history_reads_forward_and_backward_like_the_platform() -> None:
    """`after` takes the oldest that follow, and the library turns them into oldest first."""
    async with platform_and_bot() as (server, bot):
        said = [server.say("ann", "general", f"m{number}") for number in range(130)]
        channel = bot.get_channel(server.place("general").id)
        assert isinstance(channel, discord.TextChannel)
        after = [m.content async for m in channel.history(limit=None, after=discord.Object(said[4].id))]
        newest = [m.content async for m in channel.history(limit=3)]

        assert after == [f"m{number}" for number in range(5, 130)]
        assert newest == ["m129", "m128", "m127"]


async def test_the_bots_own_message_is_not_doubled_by_a_repeat_of_its_nonce() -> None:
    """Same author and nonce within minutes: the first message is returned.

    https://docs.discord.com/developers/resources/message#create-message
    """
    async with platform_and_bot() as (server, bot):
        channel = bot.get_channel(server.place("general").id)
        assert isinstance(channel, discord.TextChannel)
        first = await channel.send("once", nonce="n1")
        second = await channel.send("once", nonce="n1")

        assert first.id == second.id
        assert len(server.posts("general")) == 1


async def test_embeds_files_edits_reactions_and_pins_go_through() -> None:
    """A round trip over the routes that a card needs."""
    async with platform_and_bot() as (server, bot):
        channel = bot.get_channel(server.place("general").id)
        assert isinstance(channel, discord.TextChannel)
        sent = await channel.send(embed=discord.Embed(title="Card"), file=discord.File(__file__, "t.md"))
        await sent.edit(content="changed")
        await sent.add_reaction("👀")
        await sent.pin()
        pinned = [one async for one in channel.pins()]
        stored = server.posts("general")[0]

        assert (stored.content, stored.embeds[0]["title"]) == ("changed", "Card")
        assert stored.attachments[0].filename == "t.md"
        assert stored.reactions == {"👀": [server.platform.app.bot.id]}
        assert pinned[0].id == sent.id
        assert [one.kind for one in server.messages("general")] == [0, 6]


async def test_threads_start_under_a_message_and_keep_its_id() -> None:
    """Inside stands a stub of type 21; the opener stays in the parent."""
    async with platform_and_bot() as (server, bot):
        opener = server.say("ann", "general", "the opener")
        channel = bot.get_channel(server.place("general").id)
        assert isinstance(channel, discord.TextChannel)
        thread = await (await channel.fetch_message(opener.id)).create_thread(name="talk")
        await thread.send("inside")
        inside = [(m.type, m.content) async for m in thread.history(oldest_first=True)]

        assert thread.id == opener.id
        assert inside == [(discord.MessageType.thread_starter_message, ""), (discord.MessageType.default, "inside")]
        assert server.posts("talk")[-1].content == "inside"
