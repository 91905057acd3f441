"""Forms of the desk: what is filled in means the same as what is typed."""

import pytest

from bot.core.desk.form import submitted
from bot.core.errors import UsageError
from bot.core.starting.command import DeskCommand
from tests.core.desk.room import ADA, ADMIN, HERE, Workspace


async def test_a_filled_in_persona_form_adds_or_changes_one() -> None:
    """With the text as it was written, lines and all."""
    workspace = Workspace()
    for key, values in (
        ("persona add", {"name": 'Ada "the" Counter', "text": "I count.\n\n---\n\nTwice."}),
        ("persona edit cranky-old-sam", {"text": ADA.replace("Ada", "Samuel")}),
        ("note", {"name": "Cranky Old Sam", "text": "We moved."}),
    ):
        form = submitted(key, values)
        await workspace.desk.ask(HERE, ADMIN, form)
    catalog = await workspace.catalogs.of(HERE)
    ada, sam = catalog.persona("ada-the-counter"), catalog.persona("cranky-old-sam")

    assert ada is not None
    assert (ada.name, ada.body) == ("Ada 'the' Counter", "I count.\n\n---\n\nTwice.")
    assert sam is not None
    assert (sam.name, [note.text for note in sam.notes]) == ("Samuel", ["We moved."])


async def test_every_form_that_is_opened_can_be_sent_back() -> None:
    """Unchanged fields are fine; keys and titles fit what platforms take."""
    workspace = Workspace()
    for words in ("persona add Ada Lowell", "persona edit sam", "note sam", "settings"):
        form = (await workspace.ask(words)).form
        assert form is not None
        values = {field.key: field.value or "x" for field in form.fields}
        answer = await workspace.desk.ask(HERE, ADMIN, submitted(form.key, values))

        assert answer.text
        assert len(form.title) <= 24
        assert len(form.key) <= 100


def test_an_emptied_setting_goes_back_to_its_default() -> None:
    """One line a field."""
    assert submitted("settings", {"pins": "3", "max-cost": " "}) == DeskCommand(
        word="settings", rest="pins 3\nmax-cost default"
    )


def test_a_form_of_another_version_is_a_sentence() -> None:
    """Forms can stay open for days."""
    with pytest.raises(UsageError, match="open it again"):
        submitted("persona rename ada", {})
