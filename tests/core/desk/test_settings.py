"""Settings of a workspace: typed values with defaults, changed by those who may, kept with author and time."""

import asyncio
import json

import pytest

from bot.core.desk.form import submitted
from bot.core.desk.setting_table import SETTINGS, value_from, value_shown
from bot.core.desk.workspace import WorkspaceSettings, applied
from bot.core.errors import NotAllowed, NotFound, PanelistError
from bot.core.starting.command import DeskCommand, PanelCommand, parse
from bot.core.steering.permissions import Permissions
from tests.core.desk.room import ADMIN, GUEST, HERE, MEMBER, Workspace

OTHER_CHANNEL = HERE.model_copy(update={"channel": "D"})


async def settings_of(workspace: Workspace) -> WorkspaceSettings:
    return await workspace.desk.settings(HERE)


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("channels here", "channels", ("C",)),
        ("channels C1, C2", "channels", ("C1", "C2")),
        ("channels all", "channels", ()),
        ("bots B1", "bots", ("B1",)),
        ("max-cost 2.50", "max_cost", 2.5),
        ("max-cost $3", "max_cost", 3.0),
        ("max-cost none", "max_cost", None),
        ("daily-budget 40", "daily_budget", 40.0),
        ("person-budget 5", "person_budget", 5.0),
        ("panels-at-once 3", "panels_at_once", 3),
        ("panels-each 1", "panels_each", 1),
        ("ai-suffix off", "ai_suffix", False),
        ("ai-suffix ON", "ai_suffix", True),
        ("pins off", "keep_pins", 0),
        ("pins 5", "keep_pins", 5),
        ("pins on", "keep_pins", None),
        ("model anthropic:claude-x", "model", "anthropic:claude-x"),
        ("model fast", "model", "fast"),
        ("go-ahead-over 10", "go_ahead_over", 10.0),
        ("go-ahead-over none", "go_ahead_over", None),
        ("roots docs", "roots", ("docs",)),
        ("roots-here docs", "channel_roots", {"C": ("docs",)}),
    ],
)
async def test_each_setting_takes_its_kind_of_value(words: str, field: str, value: object) -> None:
    """And says what it is now."""
    workspace = Workspace(grantable=frozenset({"docs"}))
    told = await workspace.ask(f"settings {words}")
    key = words.split()[0]

    assert getattr(await settings_of(workspace), field) == value
    assert told.text.startswith(f"`{key}` is **")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("max-cost lots", "takes US dollars above 0, for example 2.50, or none, not “lots”"),
        ("max-cost -1", "takes US dollars above 0"),
        ("max-cost nan", "takes US dollars above 0"),
        ("max-cost ١", "takes US dollars above 0"),
        ("panels-each 0", "takes a whole number from 1 to 10000, or none"),
        ("panels-each 1e3", "takes a whole number"),
        ("ai-suffix maybe", "takes on or off"),
        ("pins 101", "takes on, off, or how many"),
        ("who-starts friends", "takes members, starter (the starter and admins) or admins"),
        ("model two words", "takes a model id"),
        ("model a\u202eb", "takes a model id"),
        ("channels +", "takes ids with commas"),
        ("bots \x07", "takes ids with commas"),
        ("bots " + "x" * 101, "takes ids with commas"),
        ("bots " + ",".join(f"B{n}" for n in range(501)), "keeps at most 500"),
        ("roots secrets", "is not open to chats"),
    ],
)
async def test_a_wrong_value_is_refused_with_what_it_takes(words: str, said: str) -> None:
    """And nothing is changed."""
    workspace = Workspace()
    with pytest.raises(PanelistError) as refused:
        await workspace.ask(f"settings {words}")

    assert said in str(refused.value)
    assert await workspace.shelf.names("W", "settings") == ()


async def test_an_unknown_setting_suggests_the_nearest() -> None:
    """In the form and in the command line alike; in chat, words that are no setting are a topic."""
    workspace = Workspace()
    with pytest.raises(NotFound, match="Did you mean `max-cost`"):
        await workspace.desk.ask(HERE, ADMIN, DeskCommand(word="settings", rest="max-costs 2"))

    assert parse("settings of our API") == PanelCommand(format="discussion", words="settings of our API")


async def test_lists_grow_and_shrink() -> None:
    """`+` adds, `-` removes, `default` takes back what was set."""
    workspace = Workspace()
    for words in ("channels here", "channels +C2,C3", "channels -C2"):
        await workspace.ask(f"settings {words}")
    kept = (await settings_of(workspace)).channels
    await workspace.ask("settings channels default")

    assert kept == ("C", "C3")
    assert (await settings_of(workspace)).channels == ()
    assert await workspace.shelf.take("W", "settings", "workspace") is None


async def test_permissions_are_settings_too() -> None:
    """They stand where the steering looks for them."""
    workspace = Workspace()
    await workspace.ask("settings who-stops members")
    kept = await workspace.shelf.take("W", "settings", "permissions")

    assert Permissions.model_validate(json.loads(kept or "")) == Permissions(stop="members")
    assert (await settings_of(workspace)).rules.stop == "members"


async def test_who_may_change_what() -> None:
    """Admins change settings; budgets can be left to others; guests see none."""
    workspace = Workspace()
    with pytest.raises(NotAllowed, match="Only admins can change settings here"):
        await workspace.ask("settings ai-suffix off", MEMBER)
    with pytest.raises(NotAllowed, match="Only admins can change a budget here"):
        await workspace.ask("settings max-cost 9", MEMBER)
    with pytest.raises(NotAllowed, match="Settings are for members"):
        await workspace.ask("settings", GUEST)
    await workspace.ask("settings who-budgets members")
    await workspace.ask("settings max-cost 9", MEMBER)
    with pytest.raises(NotAllowed, match="change settings"):
        await workspace.ask("settings who-budgets admins", MEMBER)

    assert (await settings_of(workspace)).max_cost == 9.0


async def test_all_settings_are_shown_with_their_defaults() -> None:
    """Members look; admins get the form, too."""
    workspace = Workspace()
    await workspace.ask("settings max-cost 2.50")
    member = await workspace.ask("settings", MEMBER)
    admin = await workspace.ask("settings")

    assert [setting.key for setting in SETTINGS if f"`{setting.key}`" not in member.text] == []
    assert "- `max-cost` **2.50** (default none): " in member.text
    assert member.form is None
    assert admin.form is not None
    assert (await workspace.ask("settings max-cost", MEMBER)).text.startswith("`max-cost` is **2.50** (default none).")


async def test_the_form_changes_what_was_changed_in_it() -> None:
    """Every field comes back; those that stand as they were cost nothing and need no right."""
    workspace = Workspace()
    await workspace.ask("settings max-cost 2.50")
    form = (await workspace.ask("settings")).form
    assert form is not None
    values = {field.key: field.value for field in form.fields} | {"pins": "3", "max-cost": ""}
    await workspace.desk.ask(HERE, ADMIN, submitted(form.key, values))
    now = await settings_of(workspace)

    assert (now.keep_pins, now.max_cost, now.channels) == (3, None, ())


async def test_of_several_lines_all_or_none_take_effect() -> None:
    """The wrong one is named."""
    workspace = Workspace()
    with pytest.raises(PanelistError, match="`pins` takes"):
        await workspace.ask("settings max-cost 3\npins everything")

    assert await workspace.shelf.names("W", "settings") == ()


async def test_history_says_who_changed_what_when() -> None:
    """For admins."""
    workspace = Workspace()
    await workspace.ask("settings max-cost 3")
    workspace.clock.time += 60
    await workspace.ask("settings who-starts admins")
    history = await workspace.ask("settings history")
    with pytest.raises(NotAllowed):
        await workspace.ask("settings history", MEMBER)

    assert history.text.splitlines() == [
        '- 2027-01-15 08:01 UTC by Boss: `{"start":"admins","steer":"members","stop":"starter",'
        '"budget":"admins","personas":"admins"}`',
        '- 2027-01-15 08:00 UTC by Boss: `{"max_cost": 3.0}`',
    ]


async def test_folders_are_granted_by_workspace_and_by_channel() -> None:
    """Only those that the operator opened to chats."""
    workspace = Workspace(grantable=frozenset({"docs", "app"}))
    await workspace.ask("settings roots docs")
    await workspace.ask("settings roots-here app")
    await workspace.ask("settings roots-here docs", place=OTHER_CHANNEL)
    now = await settings_of(workspace)
    await workspace.ask("settings roots-here none")

    assert now.roots_at(HERE) == {"docs", "app"}
    assert now.roots_at(OTHER_CHANNEL) == {"docs"}
    assert (await settings_of(workspace)).channel_roots == {"D": ("docs",)}


async def test_two_admins_at_once_both_keep_what_they_set() -> None:
    """Whatever the order in which their words arrive."""
    workspace = Workspace()
    changes = ("max-cost 3", "pins 2", "ai-suffix off", "daily-budget 9", "who-stops members", "who-starts admins")
    await asyncio.gather(*(workspace.ask(f"settings {words}") for words in changes))
    now = await settings_of(workspace)

    assert (now.max_cost, now.keep_pins, now.ai_suffix, now.daily_budget) == (3.0, 2, False, 9.0)
    assert (now.rules.stop, now.rules.start) == ("members", "admins")


@pytest.mark.parametrize("value", ["{", "[]", '{"max_cost": "x", "keep_pins": 4}', '{"unknown": 1, "keep_pins": 4}'])
async def test_a_damaged_value_keeps_the_defaults(value: str) -> None:
    """What fits of it counts."""
    workspace = Workspace()
    await workspace.shelf.put("W", "settings", "workspace", value, ADMIN, 1.0)
    now = await settings_of(workspace)

    assert (now.max_cost, now.ai_suffix) == (None, True)
    assert now.keep_pins == (4 if "keep_pins" in value else None)


def test_every_shown_value_can_be_set_again() -> None:
    """What a form shows it also takes."""
    plain = applied(WorkspaceSettings(), {"model": "fast", "channels": ("C1", "C2"), "bots": ("B",), "max_cost": 2.5})
    for setting in SETTINGS:
        shown = value_shown(setting, plain, "C")
        if shown == "default":
            continue
        value = value_from(setting, shown, (), "C")

        if setting.kind != "circle" and setting.field != "channel_roots":
            assert value == getattr(plain, setting.field), setting.key
