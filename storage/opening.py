"""From an address to a store that is ready: folder, connection, schema."""

from pathlib import Path

from bot.core.errors import StoreError
from storage.database import connect
from storage.schema import migrate
from storage.store import SqlStore

BUSY_SECONDS = 10.0
"""How long another program's lock on a SQLite file is waited for."""


async def open_store(url: str, *, busy_seconds: float = BUSY_SECONDS) -> SqlStore:
    """The store at that address, its tables brought up to date; its `shelf` lies in the same database.

    `sqlite:///FOLDER/FILE` (made where it is missing, the folder for this user alone) or
    `postgresql://USER:PASSWORD@HOST/NAME`. Raises StoreError, and StoreNewer for the database of a newer program.
    """
    database = connect(url, busy_seconds=busy_seconds)
    if database.dialect == "sqlite":
        _make_folder(Path(database.place))
    try:
        await migrate(database)
    except BaseException:
        await database.close()
        raise
    return SqlStore(database)


def _make_folder(file: Path) -> None:
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder of the database {file} can not be made ({error.strerror}); make it, allow writing there, or "
            "name another database in DATABASE_URL"
        ) from error
