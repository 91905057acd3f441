"""What the store's work costs, counted in statements and index look-ups, which no machine's speed can blur."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Select, event
from sqlalchemy.dialects import sqlite as dialect

from bot.core.store import Query, Write
from storage import statements as sql
from storage.store import SqlStore
from tests.contracts.panels import PLACE, post, running, said, spoken, summary, turn


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> SqlStore:
    store = request.getfixturevalue(request.param)
    assert isinstance(store, SqlStore)
    return store


@contextmanager
def _sent(store: SqlStore) -> Iterator[list[str]]:
    """The statements that go to the database meanwhile."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        found.append(statement)

    engines = (store.database.writing.sync_engine, store.database.reading.sync_engine)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield found
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


async def test_a_turn_takes_three_statements_and_its_confirmation_one(store: SqlStore) -> None:
    """Fence with the row, entry, posts, in one transaction; however many parts the post has."""
    epoch = await running(store)
    write = Write(entries=(turn(2),), deliveries=tuple(post(2, part, 5) for part in range(1, 6)), summary=summary())

    with _sent(store) as commit:
        await store.commit("p1", epoch, write)
    with _sent(store) as confirmation:
        await store.confirm("p1", 2, 5, "x5", next_at=None)
    with _sent(store) as onward:
        await store.confirm("p1", 2, 1, "x1", next_at=1.0)

    assert [statement.split()[0] for statement in commit] == ["UPDATE", "INSERT", "INSERT"]
    assert (len(confirmation), len(onward)) == (1, 2)


async def test_a_load_takes_two_statements_however_long_the_log(store: SqlStore) -> None:
    """The log in one, the posts in the other; nothing is asked for by entry."""
    epoch = await spoken(store)
    entries = tuple(turn(seq) for seq in range(3, 300))
    await store.commit("p1", epoch, Write(entries=entries, deliveries=tuple(post(seq) for seq in range(3, 300))))

    with _sent(store) as whole:
        await store.load("p1")
    with _sent(store) as rest:
        await store.load("p1", after=298)

    assert (len(whole), len(rest)) == (2, 2)


async def test_a_message_and_an_event_take_one_statement(store: SqlStore) -> None:
    """A chat waits a few seconds for its answer, whatever else goes on."""
    await running(store)
    await store.first_seen("e1", 10.0)

    with _sent(store) as statements:
        await store.signal(said())
        await store.first_seen("e2", 11.0)

    assert len(statements) == 2


@pytest.mark.parametrize(
    ("statement", "values", "index"),
    [
        (sql.OPEN_POSTS, {"b_panel": "p1"}, "ix_delivery_unconfirmed"),
        (sql.WAITING, {"b_panel": "p1"}, "ix_signal_waiting"),
        (sql.OWNERLESS, {"b_platforms": ["terminal"], "b_stale_before": 1.0}, "ix_panel_status"),
        (sql.listing(Query()), {}, "ix_panel_created"),
        (sql.listing(Query(place=PLACE)), {}, "ix_panel_place"),
        (sql.listing(Query(target="docs/rfc.md")), {}, "ix_panel_target"),
    ],
)
async def test_what_is_asked_often_is_found_by_its_index(
    sqlite: SqlStore, statement: Select[Any], values: dict[str, Any], index: str
) -> None:
    """What was sent, taken in or ended long ago is not looked at again, so that each turn costs the same."""
    literal = statement.params(values).compile(dialect=dialect.dialect(), compile_kwargs={"literal_binds": True})

    async with sqlite.database.read() as connection:
        plan = str((await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {literal}")).all())

    assert index in plan
