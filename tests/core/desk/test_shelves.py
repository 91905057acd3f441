"""The desk on each shelf, in memory and in SQL: what was changed is there for the next process, with its history."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.core.desk.shelving import amend
from bot.core.errors import NotAllowed, UsageError
from storage.memory import MemoryStore
from storage.opening import open_store
from storage.store import SqlStore
from tests.core.desk.room import ADA, ADMIN, HERE, MEMBER, Workspace

ELSEWHERE = HERE.model_copy(update={"workspace": "X"})


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MemoryStore | SqlStore]:
    opened = MemoryStore() if request.param == "memory" else await open_store(f"sqlite:///{tmp_path}/panelist.db")
    yield opened
    await opened.close()


async def test_the_next_process_finds_everything(store: MemoryStore | SqlStore) -> None:
    """Personas, notes, presets and settings, each with its author; another workspace has none of it."""
    first = Workspace(store)
    await first.ask(f"persona add {ADA}")
    await first.ask("note ada We moved 🚚 in May.")
    await first.ask("preset save weekly-review review --quorum 2", MEMBER)
    await first.ask("settings max-cost 2.50\nwho-stops members")
    second = Workspace(store)
    ada = (await second.catalogs.of(HERE)).persona("ada")
    settings = await second.desk.settings(HERE)

    assert ada is not None
    assert [note.text for note in ada.notes] == ["We moved 🚚 in May."]
    assert "weekly-review" in (await second.ask("preset list")).text
    assert (settings.max_cost, settings.rules.stop) == (2.5, "members")
    assert "by Boss" in (await second.ask("persona history ada")).text
    assert (await second.catalogs.of(ELSEWHERE)).persona("ada") is None
    assert (await second.desk.settings(ELSEWHERE)).max_cost is None


async def test_many_notes_at_once_are_all_kept(store: MemoryStore | SqlStore) -> None:
    """Two processes, ten people, one persona: ten notes, ten ids."""
    one, other = Workspace(store), Workspace(store)
    await asyncio.gather(*((one, other)[n % 2].ask(f"note sam Number {n}.") for n in range(10)))
    sam = (await one.catalogs.of(HERE)).persona("cranky-old-sam")

    assert sam is not None
    assert sorted(note.text for note in sam.notes) == sorted(f"Number {n}." for n in range(10))
    assert len({note.id for note in sam.notes}) == 10


async def test_of_two_who_add_the_same_persona_one_is_told(store: MemoryStore | SqlStore) -> None:
    """Nobody writes over what somebody else has just added."""
    one, other = Workspace(store), Workspace(store)
    await asyncio.gather(one.ask("personas"), other.ask("personas"))
    told = await asyncio.gather(
        one.ask("persona add Ada: I count."), other.ask("persona add Ada: I doubt."), return_exceptions=True
    )

    assert [type(each) for each in told if isinstance(each, Exception)] == [NotAllowed]
    assert len(await store.shelf.history("W", "persona", "ada.md")) == 1


async def test_a_change_that_came_in_between_is_changed_too(store: MemoryStore | SqlStore) -> None:
    """Nobody's change is lost or made twice; a refused change writes nothing."""
    shelf = store.shelf

    async def add(word: str) -> None:
        await amend(shelf, "W", "list", "x", lambda value: f"{value or ''}{word}", ADMIN, 1.0)

    await asyncio.gather(*(add(word) for word in "abcdefgh"))
    value = await shelf.take("W", "list", "x")

    def refuses(value: str | None) -> str | None:
        raise UsageError("no")

    with pytest.raises(UsageError):
        await amend(shelf, "W", "list", "x", refuses, ADMIN, 1.0)
    assert sorted(value or "") == list("abcdefgh")
    assert await shelf.take("W", "list", "x") == value


async def test_a_change_that_changes_nothing_is_no_version(store: MemoryStore | SqlStore) -> None:
    """The history holds changes only."""
    workspace = Workspace(store)
    for _ in range(2):
        await workspace.ask("settings max-cost 3")

    assert len(await store.shelf.history("W", "settings", "workspace")) == 1
