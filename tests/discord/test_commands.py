"""The commands as Discord gets them: within its limits, and the same as the option table."""

from typing import Any

import pytest

from bot.core.options import COMMANDS, options_of
from bot.core.place import Place
from bot.core.starting.catalog import Catalog
from bot.core.starting.catalogs import Catalogs
from bot.core.store import Query
from tests.discord.room import room
from tests.servers.discord import CALLBACK

PUT = "PUT /applications/{app}/commands"


def _size(command: dict[str, Any]) -> int:
    """Characters that Discord counts: names, descriptions, choices, through all levels."""
    own = len(command["name"]) + len(command.get("description", ""))
    choices = sum(len(str(c["name"])) + len(str(c["value"])) for c in command.get("choices", []))
    return own + choices + sum(_size(option) for option in command.get("options", []))


async def test_the_commands_fit_and_have_every_option_of_the_table() -> None:
    """8,000 characters, 25 options, names in lower case, descriptions of 1 to 100 characters."""
    async with room() as it:
        sent: list[dict[str, Any]] = it.server.ledger.to(PUT)[0].body
        group = next(one for one in sent if one["name"] == "panel")
        subs = {one["name"]: one for one in group["options"]}

        assert _size(group) <= 8000
        assert len(subs) <= 25
        assert {one["name"] for one in sent if one["type"] == 3} == {"Review with the panel", "Council on this"}
        assert group["contexts"] == [0, 1, 2]
        assert group["integration_types"] == [0, 1]
        for word, format_name in COMMANDS.items():
            names = {option["name"] for option in subs[word]["options"]}
            assert {option.name for option in options_of(format_name)} <= names
        for sub in subs.values():
            assert sub["name"] == sub["name"].lower()
            assert 1 <= len(sub["description"]) <= 100
            assert len(sub.get("options", [])) <= 25
            assert all(1 <= len(option["description"]) <= 100 for option in sub.get("options", []))


async def test_names_are_suggested_for_the_one_being_typed() -> None:
    """Those already in the list are left out; the choice's value is the whole list."""
    async with room() as it:
        offered = await it.server.autocomplete("ann", "general", "panel discuss", "with", "pm-lens,engineer-lens, lens")
        values = [choice["value"] for choice in offered]

        assert values
        assert all(value.startswith("pm-lens,engineer-lens,") for value in values)
        assert "pm-lens,engineer-lens,pm-lens" not in values
        assert len(values) <= 25


async def test_an_option_with_a_wrong_value_is_refused_in_the_grammars_words() -> None:
    """Nothing is opened."""
    async with room() as it:
        asked = await it.server.slash("ann", "general", "panel review", {"target": "Our plan is this.", "lines": "9-3"})
        told = await it.answer(asked)

        assert told.visible_to is not None
        assert "lines" in told.content
        assert "A-B" in told.content


async def test_an_unknown_persona_is_answered_with_those_that_there_are() -> None:
    """By the slash command and by a mention, whose answer removes itself."""
    async with room() as it:
        told = await it.answer(
            await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "with": "nobody-here"})
        )
        message = it.server.say("ann", "general", f"{it.server.mention()} discuss Shall we? --with nobody-here")
        await it.server.until(lambda: any(one.refers_to is message for one in it.server.platform.created))
        reply = next(one for one in it.server.platform.created if one.refers_to is message)
        await it.server.until(lambda: reply.deleted)

        assert "Known: " in told.content
        assert "Known: " in reply.content
        assert not reply.pings


async def test_help_and_an_empty_mention_say_what_can_be_said() -> None:
    """The mention offers the form."""
    async with room() as it:
        helped = await it.server.slash("ann", "general", "panel help")
        await it.answer(helped)
        message = it.server.say("ann", "general", it.server.mention())
        await it.server.until(lambda: any(one.refers_to is message for one in it.server.platform.created))
        reply = next(one for one in it.server.platform.created if one.refers_to is message)

        assert "**Start a panel**" in "".join(one.content for one in helped.answers)
        assert reply.components[0]["components"][0]["label"] == "Open the form"


async def test_settings_can_be_changed_in_a_form_and_only_by_admins() -> None:
    """A member sees them."""
    async with room() as it:
        refused = await it.answer(await it.server.slash("ann", "general", "panel settings", {"words": "max-cost 1"}))
        changed = await it.answer(await it.server.slash("olga", "general", "panel settings", {"words": "max-cost 2"}))
        shown = await it.server.slash("ann", "general", "panel settings")
        await it.answer(shown)
        await it.server.settle()

        assert "admins" in refused.content
        assert "max-cost" in changed.content
        assert "`max-cost` **2.00**" in "".join(one.content for one in shown.answers)


async def test_a_command_that_was_answered_too_late_starts_nothing() -> None:
    """Its author saw an error and will ask again; a button's word is obeyed all the same."""
    async with room(delay=0.02) as it:
        it.server.faults.refuse(10062, on=CALLBACK)
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Too late?"})
        await it.server.settle(0.1)
        nothing = await it.store.summaries(Query(limit=10))
        await it.server.slash("ann", "general", "panel discuss", {"topic": "In time?", "rounds": 40})
        panel = await it.until(lambda state: state.turns)
        it.server.faults.refuse(10062, on=CALLBACK)
        await it.server.press("ann", it.card(panel), "Stop")
        stopped = await it.ended()

        assert nothing == ()
        assert (stopped.topic, stopped.status) == ("In time?", "stopped")


async def test_an_interaction_delivered_twice_opens_one_panel() -> None:
    """Resumed sessions repeat events."""
    async with room() as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Once?", "rounds": 1})
        it.server.gateway.replay(1)
        await it.ended()
        await it.server.settle(0.2)

        assert len(await it.store.summaries(Query(limit=10))) == 1


class BrokenCatalogs(Catalogs):
    """A fault of ours."""

    async def of(self, place: Place) -> Catalog:
        raise RuntimeError("a bug")


async def test_a_fault_of_ours_is_said_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody waits for an answer that never comes."""
    async with room(catalogs=BrokenCatalogs()) as it:
        told = await it.answer(await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?"}))

        assert "Something is broken here" in told.content
        assert "a command failed" in caplog.text
