"""The shelf in SQL: one row a version, never changed; the newest counts, and a removal is a version without a value."""

from bot.core.errors import StoreError
from bot.core.place import Person
from bot.core.store import Shelf
from storage import statements as sql
from storage.database import Database

_TRIES = 50


class SqlShelf(Shelf):
    """The shelf on SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._upserts = sql.Upserts(database.dialect)

    async def put(
        self,
        workspace: str,
        kind: str,
        name: str,
        value: str | None,
        by: Person,
        now: float,
        *,
        after: int | None = None,
    ) -> int:
        row = {"workspace": workspace, "kind": kind, "name": name, "value": value, "at": now}
        row |= {"by_id": by.id, "by_name": by.name}
        async with self.database.write() as connection:
            for _ in range(_TRIES):  # where somebody else took the number meanwhile, no row is made; look again
                version = await connection.scalar(sql.LAST_VERSION, _named(workspace, kind, name))
                number = int(version or 0) + 1
                if after is not None and after != number - 1:
                    return 0
                if (await connection.execute(self._upserts.value, row | {"version": number})).rowcount == 1:
                    return number
            raise StoreError(f"{name!r} is being changed by many others at the same time; save it again")

    async def take(self, workspace: str, kind: str, name: str) -> str | None:
        async with self.database.read() as connection:
            result = await connection.execute(sql.VERSIONS.limit(1), _named(workspace, kind, name))
            row = result.one_or_none()
        return None if row is None or row.value is None else str(row.value)

    async def names(self, workspace: str, kind: str) -> tuple[str, ...]:
        return tuple(await self.values(workspace, kind))

    async def values(self, workspace: str, kind: str) -> dict[str, str]:
        async with self.database.read() as connection:
            found = await connection.execute(sql.VALUES, {"b_workspace": workspace, "b_kind": kind})
            return dict(sorted((str(row.name), str(row.value)) for row in found))

    async def history(self, workspace: str, kind: str, name: str) -> tuple[tuple[int, float, str, str | None], ...]:
        async with self.database.read() as connection:
            rows = (await connection.execute(sql.VERSIONS, _named(workspace, kind, name))).all()
        return tuple((row.version, row.at, row.by_name, row.value) for row in rows)


def _named(workspace: str, kind: str, name: str) -> dict[str, str]:
    return {"b_workspace": workspace, "b_kind": kind, "b_name": name}
