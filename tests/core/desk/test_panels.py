"""Panels asked about at the desk: only those in places that the asker can read."""

from dataclasses import replace

import pytest

from bot.core.engine.opening import open_panel
from bot.core.entries import Control, Opened, Seat
from bot.core.errors import BudgetReached, NotAllowed, NotFound, UsageError
from bot.core.options import Options
from bot.core.persona import Persona
from bot.core.place import Person, Place
from bot.core.starting.command import DeskCommand, PanelCommand, parse
from bot.core.store import Query, Write
from bot.core.targets.port import Reach
from tests.core.desk.room import ADMIN, GUEST, HERE, MEMBER, OTHER, Workspace

THREAD = HERE.model_copy(update={"thread": "T1"})
PRIVATE = HERE.model_copy(update={"channel": "P", "thread": "T2"})
ELSEWHERE = HERE.model_copy(update={"workspace": "X", "thread": "T3"})
DISCUSS = PanelCommand(format="discussion", words="Should we?")


async def open_at(workspace: Workspace, place: Place, number: int, starter: Person = MEMBER) -> str:
    """A panel in that thread, waiting for a go-ahead."""
    panel = f"discussion-{number:08d}"
    seats = tuple(Seat(persona=Persona(short_name=name, name=name.title(), body="x")) for name in ("ada", "bo"))
    opened = Opened(
        format="discussion",
        topic=f"Topic {number}\nwith two lines",
        starter=starter,
        seats=seats,
        options=Options(rounds=2),
        approval=True,
    )
    await open_panel(workspace.store, workspace.clock, place, opened, panel_id=panel)
    workspace.clock.time += 1
    return panel


async def reads_public(place: Place) -> bool:
    return place.channel == "C"


async def test_the_list_shows_only_what_the_asker_can_read() -> None:
    """The newest first; private channels and other workspaces are not even counted."""
    workspace = Workspace()
    for number, place in enumerate((THREAD, PRIVATE, ELSEWHERE, THREAD.model_copy(update={"thread": "T4"}))):
        await open_at(workspace, place, number)
    listed = await workspace.ask("list", GUEST, reads=reads_public)

    assert [line.split("`")[1] for line in listed.text.splitlines()] == ["discussion-00000003", "discussion-00000000"]
    assert "waiting, round 0/2, $0.00, since 2027-01-15 08:00: Topic 0 with two lines" in listed.text


async def test_by_default_only_this_channel_is_read() -> None:
    """An adapter that says nothing about the asker gives nothing away."""
    workspace = Workspace()
    await open_at(workspace, PRIVATE, 1)

    assert "no panels yet" in (await workspace.ask("list")).text
    assert "discussion-00000001" in (await workspace.ask("list", place=PRIVATE)).text


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("list", DeskCommand(word="list", rest="")),
        ("list paused", DeskCommand(word="list", rest="paused")),
        ("list of risks", PanelCommand(format="discussion", words="list of risks")),
        ("status", DeskCommand(word="status", rest="")),
        ("status discussion-00000001", DeskCommand(word="status", rest="discussion-00000001")),
        ("status of our API", PanelCommand(format="discussion", words="status of our API")),
        ("resume `council-2345abcd`", DeskCommand(word="resume", rest="`council-2345abcd`")),
        ("resume writing for engineers", PanelCommand(format="discussion", words="resume writing for engineers")),
        ("settings max-cost 2", DeskCommand(word="settings", rest="max-cost 2")),
        ("settings history", DeskCommand(word="settings", rest="history")),
        ("help us decide", PanelCommand(format="discussion", words="help us decide")),
    ],
)
def test_desk_words_count_alone_or_with_what_they_take(words: str, command: object) -> None:
    """In front of other words they begin a topic."""
    assert parse(words) == command


async def test_the_list_is_narrowed_by_status() -> None:
    """`open` means all that may still speak."""
    workspace = Workspace()
    await open_at(workspace, THREAD, 1)

    assert "discussion-00000001" in (await workspace.ask("list open")).text
    assert "discussion-00000001" in (await workspace.ask("list waiting")).text
    assert "no panels yet" in (await workspace.ask("list finished")).text
    with pytest.raises(UsageError, match="`list` takes open"):
        await workspace.desk.ask(HERE, ADMIN, DeskCommand(word="list", rest="mine"))


async def test_status_is_of_this_thread_of_one_or_of_all_that_are_open() -> None:
    """With the panel's id, so that a surface can link it."""
    workspace = Workspace()
    panel = await open_at(workspace, THREAD, 1)
    here = await workspace.ask("status", place=THREAD)
    named = await workspace.ask(f"status {panel}")
    around = await workspace.ask("status")

    assert here.text.startswith("**Panel discussion**: Topic 1")
    assert (here.panel, named.panel, named.text) == (panel, panel, here.text)
    assert around.text.startswith(f"- `{panel}` waiting")


@pytest.mark.parametrize("words", ["status discussion-00000002", "resume discussion-00000002"])
async def test_a_panel_that_can_not_be_read_is_not_there(words: str) -> None:
    """Whether it exists is no answer, either."""
    workspace = Workspace()
    await open_at(workspace, PRIVATE, 2)
    with pytest.raises(NotFound, match="there is no panel `discussion-00000002` where you can read"):
        await workspace.ask(words, reads=reads_public)


async def test_resume_goes_on_with_the_one_that_waits() -> None:
    """As if somebody had said so in its thread."""
    workspace = Workspace()
    panel = await open_at(workspace, THREAD, 1)
    resumed = await workspace.ask("resume", MEMBER)
    (signal,) = await workspace.store.signals(panel)

    assert resumed.panel == panel
    assert isinstance(signal.entry, Control)
    assert (signal.entry.word, signal.entry.author, signal.entry.refused) == ("continue", MEMBER, "")
    assert workspace.rung == [panel]


async def test_of_several_that_wait_one_is_named() -> None:
    """They are listed; none is guessed."""
    workspace = Workspace()
    await open_at(workspace, THREAD, 1)
    second = await open_at(workspace, THREAD.model_copy(update={"thread": "T9"}), 2)
    with pytest.raises(UsageError, match=r"say which: `resume ID`"):
        await workspace.ask("resume", MEMBER)
    resumed = await workspace.ask(f"resume {second}", MEMBER)

    assert resumed.panel == second
    assert workspace.rung == [second]


async def test_nothing_waits_is_a_sentence() -> None:
    """With where to look."""
    with pytest.raises(NotFound, match="no panel waits where you can read; `list` shows them all"):
        await Workspace().ask("resume")


async def test_guests_do_not_resume() -> None:
    """They contribute; the panel rests on."""
    workspace = Workspace()
    panel = await open_at(workspace, THREAD, 1)
    told = await workspace.ask("resume", GUEST)

    assert "Guests can contribute" in told.text
    entries = [signal.entry for signal in await workspace.store.signals(panel)]
    assert all(isinstance(entry, Control) and entry.refused for entry in entries)


async def test_a_panel_is_admitted_with_the_workspaces_cap_and_folders() -> None:
    """A cap that was named stands."""
    workspace = Workspace(grantable=frozenset({"docs"}))
    await workspace.ask("settings max-cost 2.50\nroots docs")
    plain = await workspace.desk.admit(HERE, MEMBER, DISCUSS)
    named = await workspace.desk.admit(
        HERE, MEMBER, PanelCommand(format="discussion", words="x", options={"max-cost": 9.0})
    )

    assert plain.command.options == {"max-cost": 2.5}
    assert named.command.options == {"max-cost": 9.0}
    assert plain.reach == Reach(roots=frozenset({"docs"}))


async def test_panels_run_only_where_and_for_whom_the_workspace_says() -> None:
    """Guests start none; channels can be listed; who starts can be narrowed."""
    workspace = Workspace()
    with pytest.raises(NotAllowed, match="Guests can contribute, but not start panels"):
        await workspace.desk.admit(HERE, GUEST, DISCUSS)
    await workspace.ask("settings channels here")
    with pytest.raises(NotAllowed, match=r"`settings channels \+here`"):
        await workspace.desk.admit(PRIVATE, MEMBER, DISCUSS)
    await workspace.ask("settings who-starts admins")
    with pytest.raises(NotAllowed, match="Only admins can start panels here"):
        await workspace.desk.admit(HERE, MEMBER, DISCUSS)

    assert (await workspace.desk.admit(HERE, ADMIN, DISCUSS)).command == DISCUSS


async def running(workspace: Workspace, number: int, starter: Person, spent: float) -> None:
    """A panel that runs and has spent that much."""
    place = HERE.model_copy(update={"thread": f"R{number}"})
    panel = await open_at(workspace, place, number, starter)
    (row,) = await workspace.store.summaries(Query(place=place))
    epoch = await workspace.store.claim(panel, "owner", stale_before=0)
    await workspace.store.commit(panel, epoch, Write(summary=replace(row, status="running", spent_usd=spent)))


async def test_the_budget_says_what_was_spent_today_and_by_whom() -> None:
    """Against the limits, where there are any; yesterday does not count."""
    workspace = Workspace()
    await running(workspace, 1, OTHER, 9.0)
    workspace.clock.time += 86_400
    await running(workspace, 2, OTHER, 1.5)
    await running(workspace, 3, MEMBER, 0.25)
    await workspace.ask("settings daily-budget 10")
    told = (await workspace.ask("budget", MEMBER)).text.splitlines()

    assert told[:4] == [
        "- Today in this workspace: $1.75 of $10.00",
        "- Today by you: $0.25, no limit",
        "- A panel that names no cap: none",
        "- Running now: 3",
    ]


@pytest.mark.parametrize(
    ("setting", "who", "error", "said"),
    [
        ("panels-at-once 2", OTHER, NotAllowed, "2 panels run in this workspace"),
        ("panels-each 2", MEMBER, NotAllowed, "2 of your panels run"),
        ("daily-budget 3", OTHER, BudgetReached, r"today's budget of this workspace, \$3.00, is spent"),
        ("person-budget 3", MEMBER, BudgetReached, r"your budget for today, \$3.00, is spent"),
    ],
)
async def test_what_runs_and_what_was_spent_bounds_what_starts(
    setting: str, who: Person, error: type[Exception], said: str
) -> None:
    """For the workspace, and for each person."""
    workspace = Workspace()
    for number in range(2):
        await running(workspace, number, MEMBER, 1.5)
    await workspace.ask(f"settings {setting}")
    with pytest.raises(error, match=said):
        await workspace.desk.admit(HERE, who, DISCUSS)
    workspace.clock.time += 86_400

    if error is NotAllowed:  # the others wait for a new day
        await workspace.ask(f"settings {setting.split()[0]} 3")
    assert (await workspace.desk.admit(HERE, who, DISCUSS)).command == DISCUSS
