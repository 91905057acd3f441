"""Brings a database to the schema of this program, at every start.

`HEAD` names the newest migration. A database that has it is left alone after one look; any other is brought there in
one transaction, in which all other processes wait: SQLite by BEGIN IMMEDIATE, PostgreSQL by an advisory lock. Both
undo a change of tables that did not come to its end. A database with a number that is not among ours was written by a
newer program, and nothing is done to it.

To add a migration: a new file in `migrations/versions` with `down_revision` set to the old HEAD, then HEAD itself.
"""

from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table, text

from bot.core.errors import StoreError, StoreNewer
from storage.database import Database

HEAD = "0001"
SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = 0x70616E656C
_VERSION = table("alembic_version", column("version_num"))


async def migrate(database: Database, *, scripts: Path = SCRIPTS, head: str = HEAD) -> bool:
    """True where something had to be changed. Raises StoreNewer, and StoreError for what can not be written."""
    async with database.read() as connection:
        if await connection.run_sync(_revision) == head:
            return False
    async with database.write() as connection:
        if database.dialect == "sqlite":  # the driver begins by itself only before INSERT, UPDATE and DELETE
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            await connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        return await connection.run_sync(_upgrade, database.place, scripts, head)


def _revision(connection: Connection) -> str | None:
    """The migration that the database stands at; None for an empty one."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(select(_VERSION.c.version_num))


def _upgrade(connection: Connection, place: str, scripts: Path, head: str) -> bool:
    revision = _revision(connection)
    if revision == head:  # another process was quicker
        return False
    # Slow to import, and needed once in a database's life.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    if revision is not None and revision not in known:
        raise StoreNewer(
            f"{place} was written by a newer version of Panelist (its schema is {revision}, this program knows up to "
            f"{head}); install that version, or name another database in DATABASE_URL. Nothing was changed."
        )
    _refuse_foreign(connection, revision, place)
    command.upgrade(config, head)
    return True


def _refuse_foreign(connection: Connection, revision: str | None, place: str) -> None:
    names = inspect(connection).get_table_names()
    if revision is None and names:
        raise StoreError(
            f"{place} belongs to another program (it holds the table {names[0]!r}); name another database in "
            "DATABASE_URL. Nothing was changed."
        )
