"""Edits and deletions of messages, also out of order."""

import pytest

from bot.core.entries import Revised
from tests.core.threads import running


async def test_an_edit_changes_the_words_and_never_commands() -> None:
    """What it was taken for stays; the prefix is read as at first."""
    thread = await running()
    await thread.hear("I doubt it", message_id="a")
    await thread.hear("steer: be brief", message_id="b")
    await thread.hear("@Ada why?", message_id="c")
    await thread.hear("stop", message_id="a", edited=True)
    await thread.hear("steer: be very brief", message_id="b", edited=True)
    await thread.hear("@Ada why not?", message_id="c", edited=True)
    await thread.hear("@Ada why not?", message_id="c", edited=True)
    panel = await thread.take_in()

    assert panel.status == "running"
    assert [h.text for h in panel.humans] == ["stop"]
    assert [d.text for d in panel.standing] == ["be kind", "be very brief"]
    assert [a.question for a in panel.asks] == ["why not?"]
    assert len([e for e in panel.entries if isinstance(e, Revised)]) == 3
    assert [sign for _, sign in thread.platform.reactions] == ["👀", "🧭", "▶️"]


async def test_edits_back_and_forth_are_all_taken_in() -> None:
    """The newest text stands."""
    thread = await running()
    await thread.hear("one", message_id="a")
    for text in ("two", "one", "two"):
        await thread.hear(text, message_id="a", edited=True)

    assert [h.text for h in (await thread.take_in()).humans] == ["two"]


@pytest.mark.parametrize(
    "how", [{"deleted": True}, {"edited": True, "new": "// private"}, {"edited": True, "new": " "}]
)
async def test_a_deleted_message_leaves_no_text(how: dict[str, object]) -> None:
    """Also where it was edited into an aside or into nothing."""
    thread = await running()
    await thread.hear("secret", message_id="a")
    new = str(how.get("new", ""))
    await thread.hear(new, message_id="a", **{k: v for k, v in how.items() if k != "new"})  # type: ignore[arg-type]  # flags by name
    panel = await thread.take_in()

    assert panel.humans == ()
    assert not any("secret" in e.model_dump_json() or "private" in e.model_dump_json() for e in panel.entries)


async def test_events_out_of_order_end_as_in_order() -> None:
    """An edit or a deletion that arrives before its message counts when the message comes."""
    thread = await running()
    await thread.hear("new", message_id="a", edited=True)
    await thread.hear("old", message_id="a")
    await thread.hear("", message_id="b", deleted=True)
    await thread.hear("gone", message_id="b")
    panel = await thread.take_in()

    assert [h.text for h in panel.humans] == ["new"]


async def test_an_old_message_edited_later_is_none_of_the_panels() -> None:
    """What stood in the thread before the panel is not taken in by correcting a letter."""
    thread = await running()
    for text, how in (("fixed", {"edited": True}), ("", {"deleted": True})):
        taken = await thread.hear(text, message_id="old", at=10.0, **how)  # type: ignore[arg-type]  # a flag by name

        assert taken.kind == "blank"
    assert await thread.inbox() == []
