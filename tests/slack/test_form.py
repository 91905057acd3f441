"""The form: what it shows for each format, what stands at its fields, what it starts."""

from pathlib import Path
from typing import Any

import pytest

from adapters.slack.form import Origin, Prefill, view
from bot.core.options import COMMANDS, options_of
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog
from tests.servers.slack import SlackServer, View
from tests.servers.slack.blocks import view_faults
from tests.slack.house import house
from tests.slack.stages import server
from tests.slack.talk import field, in_thread, status, told


async def opened(slack: SlackServer, who: str = "ada") -> View:
    await slack.until(lambda: [one for one in slack.views.values() if one.open and one.body["type"] == "modal"])
    return slack.modal(who)


def block_ids(one: View) -> list[str]:
    return [str(block["block_id"]) for block in one.body["blocks"]]


@pytest.mark.parametrize("format_name", list(COMMANDS.values()))
@pytest.mark.parametrize("size", [0, 2, 100, 260])
def test_slack_takes_the_form_of_every_format(format_name: Any, size: int) -> None:
    """However large the catalog is."""
    cast = tuple(
        Persona(short_name=f"p{n}", name=f"Persona {n} " + "x" * 90, description="d" * 200, body="b")
        for n in range(size)
    )
    shown = view(
        Origin(channel="C1"),
        Prefill(format=format_name, topic="t" * 4000, texts=("a", "b", "c", "d")),
        Catalog(personas=cast),
        files=True,
    )
    named = {block["block_id"] for block in shown["blocks"]}

    assert view_faults(shown) == []
    for option in options_of(format_name):
        there = option.kind not in ("files",) and (size > 0 or option.kind not in ("names", "name"))
        assert (f"option:{option.name}" in named) is there


async def test_the_command_alone_opens_the_form_and_it_starts_the_panel(tmp_path: Path) -> None:
    """Topic, personas, rounds, cap, options; where it was opened is where it runs."""
    async with server() as slack, house(slack, tmp_path) as it:
        ack = await slack.slash("ada", "lab", "")
        form = await opened(slack)
        done = await slack.submit(
            "ada",
            {
                "topic": "Shall we rewrite search?",
                "option:with": ["engineer-lens", "pm-lens"],
                "option:rounds": "1",
                "option:max-cost": "2.50",
                "option:final-summary": ["on"],
            },
        )
        await slack.until(lambda: slack.channel("lab").pins, 15)
        card = slack.posts("lab")[0]
        row = (await it.panels())[0]

    assert ack.ok
    assert done.errors == {}
    assert field(form, "where")["element"]["initial_conversation"] == slack.channel("lab").id
    assert "Shall we rewrite search?" in card.shown
    assert "of $2.50" in card.shown
    assert row.rounds_max == 1
    assert len(in_thread(slack, card)) >= 5
    assert slack.complaints == []


async def test_another_format_shows_its_own_options(tmp_path: Path) -> None:
    """What was typed stays where a field stays."""
    async with server() as slack, house(slack, tmp_path):
        await slack.slash("ada", "general", "")
        form = await opened(slack)
        before = block_ids(form)
        await slack.press("ada", form, "format", "review")
        await slack.until(lambda: "option:quorum" in block_ids(slack.modal("ada")))
        after = block_ids(slack.modal("ada"))

    assert "option:moderator" in before
    assert "option:moderator" not in after
    assert {"topic", "where", "files", "document:1"} <= set(after)


@pytest.mark.parametrize(
    ("values", "block", "words"),
    [
        ({"option:style": "devil"}, "option:style", "moderator"),
        ({"option:with": ["engineer-lens"]}, "option:with", "two voices"),
        ({"option:duration": "until-done"}, "option:duration", "moderator"),
        ({"topic": "x", "preset": "no spaces allowed!"}, "preset", "name"),
    ],
)
async def test_errors_stand_at_their_fields(tmp_path: Path, values: dict[str, Any], block: str, words: str) -> None:
    """The form stays open with what was typed."""
    async with server() as slack, house(slack, tmp_path) as it:
        await slack.slash("ada", "general", "")
        await opened(slack)
        done = await slack.submit("ada", {"topic": "Search?", **values})
        rows = await it.panels()

    assert list(done.errors) == [block]
    assert words in done.errors[block]
    assert done.on_top is not None
    assert rows == ()


async def test_a_channel_without_the_bot_is_an_error_at_its_field(tmp_path: Path) -> None:
    """With the way to invite it."""
    async with server() as slack, house(slack, tmp_path):
        plaza = slack.add_channel("plaza", ["ada"], bot=False)
        await slack.shortcut("ada")
        await opened(slack)
        done = await slack.submit("ada", {"topic": "Search?", "where": plaza.id})

    assert "/invite" in done.errors["where"]


async def test_documents_are_pasted_and_attached(tmp_path: Path) -> None:
    """A full field goes on in the next; files are read with their names."""
    long = "A paragraph of some length that fills the field. " * 70
    async with server() as slack, house(slack, tmp_path) as it:
        await slack.slash("ada", "general", "review")
        await slack.until(lambda: told(slack, "ada"))
        await slack.slash("ada", "general", "")
        form = await opened(slack)
        await slack.press("ada", form, "format", "review")
        await slack.until(lambda: "option:quorum" in block_ids(slack.modal("ada")))
        done = await slack.submit(
            "ada",
            {
                "format": "review",
                "document:1": long[:3000],
                "document:2": long[3000:],
                "files": [("plan.md", b"# Plan\n\nShip in May, with two people.\n")],
            },
        )
        assert done.errors == {}
        await status(it, "finished", 30)
        loaded = await it.store.load((await it.panels())[0].id)

    opened_entry = loaded.entries[0]
    documents = getattr(opened_entry, "documents")  # noqa: B009
    assert done.errors == {}
    assert {document.title for document in documents} >= {"plan.md"}
    assert any(document.text.strip() == long.strip() for document in documents)


async def test_a_form_is_kept_as_a_preset(tmp_path: Path) -> None:
    """`/panel weekly` starts it again."""
    async with server() as slack, house(slack, tmp_path) as it:
        await slack.slash("ada", "general", "")
        await opened(slack)
        values = {"topic": "Search?", "option:with": ["engineer-lens", "pm-lens"], "option:rounds": "1"}
        await slack.submit("ada", {**values, "preset": "weekly"})
        await status(it, "finished", 15)
        await slack.slash("ada", "general", "weekly")
        await slack.until(lambda: len(slack.channel("general").pins) == 2, 15)
        rows = await it.panels()

    assert [row.topic for row in rows] == ["Search?", "Search?"]


async def test_the_message_shortcut_reviews_that_message_in_its_thread(tmp_path: Path) -> None:
    """The form is prefilled for a review, and needs no channel."""
    async with server() as slack, house(slack, tmp_path) as it:
        message = slack.say("ben", "general", "We retry every call five times without a pause.")
        ack = await slack.message_shortcut("ada", message)
        form = await opened(slack)
        done = await slack.submit("ada", {"option:personas": ["engineer-lens", "security-engineer"]})
        await status(it, "finished", 30)
        card = slack.posts("general")[0]
        loaded = await it.store.load((await it.panels())[0].id)

    assert ack.ok
    assert field(form, "format")["element"]["initial_option"]["value"] == "review"
    assert "where" not in block_ids(form)
    assert done.errors == {}
    assert card.thread_ts == message.ts
    assert "We retry every call five times" in str(loaded.entries[0])


async def test_an_open_question_is_answered_in_the_form(tmp_path: Path) -> None:
    """Where nobody clearly fits, the asker chooses; nothing was started before."""
    async with server() as slack, house(slack, tmp_path) as it:
        await slack.slash("ada", "general", "debate Qxv zzyq wooble flarn?")
        await slack.until(lambda: slack.whispers_to("ada") or slack.posts("general"), 10)
        if slack.whispers_to("ada"):
            await slack.press("ada", slack.whispers_to("ada")[0], "Choose who …")
            form = await opened(slack)
            assert "Qxv" in field(form, "topic")["element"]["initial_value"]
            await slack.submit("ada", {"option:personas": ["engineer-lens", "pm-lens"], "option:rounds": "1"})
        await status(it, "finished", 30)
        rows = await it.panels()

    assert len(rows) == 1
    assert rows[0].format == "debate"
