"""Presets: a name for a format and its options, never in the way of commands or topics."""

import pytest

from bot.core.desk.presets_kept import preset_of, preset_value, written
from bot.core.errors import NotAllowed, NotFound, PanelistError, UsageError
from bot.core.options import COMMANDS
from bot.core.starting.command import DESK, DeskCommand, PanelCommand
from tests.core.desk.room import ADMIN, GUEST, HERE, MEMBER, OTHER, Workspace

REVIEW = "preset save weekly-review review --mode voting-quorum --quorum 3 --personas pm-lens,sam"


async def test_a_preset_starts_its_panel() -> None:
    """`/panel NAME` is its format with its options; words and options behind it go over them."""
    workspace = Workspace()
    told = await workspace.ask(REVIEW, MEMBER)
    plain = await workspace.desk.command(HERE, "weekly-review")
    changed = await workspace.desk.command(HERE, "Weekly-Review the draft of May --quorum 2")

    assert told.text == f"`/panel weekly-review` now means `{REVIEW.removeprefix('preset save weekly-review ')}`."
    options = {"mode": "voting-quorum", "quorum": 3, "personas": ("pm-lens", "sam")}
    assert plain == PanelCommand(format="review", words=None, options=options)
    assert changed == PanelCommand(format="review", words="the draft of May", options={**options, "quorum": 2})


async def test_presets_are_listed_shown_run_and_removed() -> None:
    """`run` starts one as its name does."""
    workspace = Workspace()
    await workspace.ask(REVIEW, MEMBER)
    listed = await workspace.ask("preset list", GUEST)
    shown = await workspace.ask("preset show weekly-review", GUEST)
    ran = await workspace.ask("preset run weekly-review our plan", OTHER)
    await workspace.ask("preset remove weekly-review", MEMBER)

    assert "- `weekly-review`: `review --mode voting-quorum" in listed.text
    assert shown.text.startswith("`review --mode")
    assert ran.start is not None
    assert (ran.start.format, ran.start.words) == ("review", "our plan")
    assert await workspace.desk.command(HERE, "weekly-review") == PanelCommand(
        format="discussion", words="weekly-review"
    )


@pytest.mark.parametrize("name", [*COMMANDS, *DESK, "new", "here"])
async def test_no_preset_takes_the_name_of_a_command(name: str) -> None:
    """Not even in other letters."""
    workspace = Workspace()
    with pytest.raises(UsageError, match="is a command"):
        await workspace.ask(f"preset save {name.upper()} discuss --rounds 2")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("preset save", "has only a-z"),
        ("preset save weekly", "say what it starts"),
        ("preset save weekly our plan", "say what it starts"),
        ("preset save weekly list", "say what it starts"),
        ("preset save weekly discuss --mode isolated", "is no option of a discussion"),
        ("preset save weekly discuss --rounds 0", "--rounds takes a whole number"),
        ("preset save -weekly discuss", "has only a-z"),
        ("preset save wöchentlich discuss", "has only a-z"),
        ("preset save w\u202eeekly discuss", "has only a-z"),
        ("preset save " + "w" * 41 + " discuss", "at most 40"),
        ("preset show nothing", "there is no preset “nothing”; known: none"),
        ("preset remove nothing", "there is no preset"),
        ("preset run", "there is no preset"),
        ("preset frob", "is nothing that I know"),
    ],
)
async def test_what_can_not_be_saved_is_one_sentence(words: str, said: str) -> None:
    """With the remedy, and nothing is kept."""
    workspace = Workspace()
    with pytest.raises(PanelistError) as refused:
        await workspace.ask(words)

    assert said in str(refused.value)
    assert await workspace.shelf.names("W", "preset") == ()


async def test_a_preset_of_one_plain_word_hides_no_topic() -> None:
    """Alone and in front of options it counts; in front of more words it is the beginning of a topic."""
    workspace = Workspace()
    await workspace.ask("preset save retro discuss What went well? --rounds 3")

    assert await workspace.desk.command(HERE, "retro --rounds 2") == PanelCommand(
        format="discussion", words="What went well?", options={"rounds": 2}
    )
    assert await workspace.desk.command(HERE, "retro of the launch") == PanelCommand(
        format="discussion", words="retro of the launch"
    )


async def test_a_preset_belongs_to_its_author_and_the_admins() -> None:
    """Others choose another name; guests save none."""
    workspace = Workspace()
    await workspace.ask(REVIEW, MEMBER)
    for words in (REVIEW, "preset remove weekly-review"):
        with pytest.raises(NotAllowed, match="somebody else saved"):
            await workspace.ask(words, OTHER)
    with pytest.raises(NotAllowed, match="Guests can contribute, but not start panels"):
        await workspace.ask(REVIEW, GUEST)
    await workspace.ask("preset remove weekly-review", ADMIN)

    assert await workspace.shelf.names("W", "preset") == ()


async def test_a_form_saves_what_it_says() -> None:
    """The same preset as in words."""
    workspace = Workspace()
    command = PanelCommand(format="debate", words=None, options={"rounds": 2, "max-cost": 1.5, "no-synthesis": True})
    await workspace.desk.save_preset(HERE, MEMBER, "quick-debate", command)

    assert await workspace.desk.command(HERE, "quick-debate") == command
    assert written(command) == "debate --rounds 2 --max-cost 1.5 --no-synthesis"


async def test_a_preset_that_fits_no_more_says_so_and_can_be_saved_anew() -> None:
    """Options may change from version to version."""
    workspace = Workspace()
    old = preset_value(PanelCommand(format="review", words=None, options={"gone": "x"}), "U9")
    await workspace.shelf.put("W", "preset", "weekly-review", old, ADMIN, 1.0)
    with pytest.raises(UsageError, match=r"does not fit this version .*; save it again"):
        await workspace.desk.command(HERE, "weekly-review")
    listed = await workspace.ask("preset list")
    await workspace.ask(REVIEW, MEMBER)

    assert "does not fit this version" in listed.text
    assert isinstance(await workspace.desk.command(HERE, "weekly-review"), PanelCommand)


async def test_a_preset_keeps_no_control_characters() -> None:
    """It is shown to others, and stored."""
    workspace = Workspace()
    await workspace.ask("preset save weekly-talk discuss What\u202e now\x07? \ud800")

    assert await workspace.desk.command(HERE, "weekly-talk") == PanelCommand(format="discussion", words="What now?")


@pytest.mark.parametrize("value", ["", "[]", "{}", '{"format": "x"}', "null", '{"format": "review", "options": []}'])
def test_a_damaged_value_is_a_sentence(value: str) -> None:
    """Never a traceback."""
    with pytest.raises(UsageError, match="save it again"):
        preset_of("x", value)


async def test_another_workspace_has_its_own() -> None:
    """Names of one mean nothing in the other."""
    workspace = Workspace()
    await workspace.ask(REVIEW)
    other = await workspace.desk.command(HERE.model_copy(update={"workspace": "X"}), "preset list")

    assert isinstance(other, DeskCommand)
    with pytest.raises(NotFound):
        await workspace.ask("preset show weekly-review", place=HERE.model_copy(update={"workspace": "X"}))
