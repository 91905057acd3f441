"""The contract of `Shelf`. A subclass gives the fixture `shelf`: an empty one, open, and closed afterwards."""

import asyncio

import pytest

from bot.core.place import Person
from bot.core.store import Shelf

_ANN, _BEN = Person(id="u1", name="Ann"), Person(id="u2", name="Ben")


class ShelfContract:
    """Named values with their history."""

    @pytest.fixture
    def shelf(self) -> Shelf:
        raise NotImplementedError

    async def test_the_newest_version_is_taken(self, shelf: Shelf) -> None:
        """Versions count from 1; the value comes back as it was, in any script."""
        first = await shelf.put("w", "persona", "ada", '{"name": "Ädä 🗣️"}', _ANN, 1.0)
        assert await shelf.take("w", "persona", "ada") == '{"name": "Ädä 🗣️"}'

        second = await shelf.put("w", "persona", "ada", '{"name": "B"}', _BEN, 2.0)

        assert (first, second) == (1, 2)
        assert await shelf.take("w", "persona", "ada") == '{"name": "B"}'

    async def test_nothing_is_none(self, shelf: Shelf) -> None:
        """A name that never had a value is no error."""
        assert await shelf.take("w", "persona", "ada") is None
        assert await shelf.history("w", "persona", "ada") == ()
        assert await shelf.names("w", "persona") == ()

    async def test_a_removed_value_is_gone_and_its_history_stays(self, shelf: Shelf) -> None:
        """Removing is a version too; a later value counts on."""
        await shelf.put("w", "persona", "ada", "1", _ANN, 1.0)
        removed = await shelf.put("w", "persona", "ada", None, _BEN, 2.0)

        assert removed == 2
        assert await shelf.take("w", "persona", "ada") is None
        assert await shelf.names("w", "persona") == ()
        assert await shelf.put("w", "persona", "ada", "3", _ANN, 3.0) == 3
        assert await shelf.history("w", "persona", "ada") == (
            (3, 3.0, "Ann", "3"),
            (2, 2.0, "Ben", None),
            (1, 1.0, "Ann", "1"),
        )

    async def test_names_are_sorted_and_of_that_kind_and_workspace(self, shelf: Shelf) -> None:
        """Each workspace and each kind has its own names; a name with many versions is listed once."""
        for name in ("zoe", "Ada", "ben", "ada", "zoe"):
            await shelf.put("w", "persona", name, "1", _ANN, 1.0)
        await shelf.put("other", "persona", "carl", "1", _ANN, 1.0)
        await shelf.put("w", "preset", "dora", "1", _ANN, 1.0)

        assert await shelf.names("w", "persona") == ("Ada", "ada", "ben", "zoe")
        assert await shelf.names("other", "persona") == ("carl",)
        assert await shelf.names("w", "preset") == ("dora",)
        assert await shelf.take("other", "persona", "ada") is None

    async def test_a_version_after_another_than_the_newest_is_not_kept(self, shelf: Shelf) -> None:
        """So that whoever changes what they read loses nobody's change; of many at once, one is kept."""
        first = await shelf.put("w", "notes", "ada", "1", _ANN, 1.0, after=0)
        late = await shelf.put("w", "notes", "ada", "2", _BEN, 2.0, after=0)
        numbers = await asyncio.gather(*(shelf.put("w", "notes", "ada", f"{n}", _ANN, 3.0, after=1) for n in range(6)))

        assert (first, late) == (1, 0)
        assert sorted(numbers) == [0, 0, 0, 0, 0, 2]
        assert len(await shelf.history("w", "notes", "ada")) == 2

    async def test_all_values_of_a_kind_come_at_once(self, shelf: Shelf) -> None:
        """The newest of each, removed ones left out, sorted by name."""
        for name, value in (("zoe", "1"), ("ada", "2"), ("zoe", "3"), ("ben", "4"), ("ben", None)):
            await shelf.put("w", "persona", name, value, _ANN, 1.0)
        await shelf.put("w", "notes", "ada", "5", _ANN, 1.0)

        assert list((await shelf.values("w", "persona")).items()) == [("ada", "2"), ("zoe", "3")]
        assert await shelf.values("other", "persona") == {}

    async def test_an_empty_value_is_a_value(self, shelf: Shelf) -> None:
        """Only None removes."""
        await shelf.put("", "settings", "home", "", _ANN, 1.0)

        assert await shelf.take("", "settings", "home") == ""
        assert await shelf.names("", "settings") == ("home",)

    async def test_many_at_once_each_get_their_own_number(self, shelf: Shelf) -> None:
        """No version is lost or given twice when several people save at the same moment."""
        numbers = await asyncio.gather(*(shelf.put("w", "notes", "ada", f"{n}", _ANN, float(n)) for n in range(8)))

        assert sorted(numbers) == list(range(1, 9))
        history = await shelf.history("w", "notes", "ada")
        assert [version for version, _, _, _ in history] == list(range(8, 0, -1))
        assert {value: version for version, _, _, value in history} == {f"{n}": numbers[n] for n in range(8)}
