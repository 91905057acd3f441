"""What a database can do wrong, in words: one table from the drivers' codes to a sentence with the remedy.

The only place where driver errors are told apart. SQLite's codes have names (https://sqlite.org/rescode.html),
PostgreSQL's are five characters (https://www.postgresql.org/docs/current/errcodes-appendix.html).
"""

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.core.errors import StoreError

_SQLITE: dict[str, str] = {
    "SQLITE_FULL": "can not grow: the disk is full; free some space, then run the same command again",
    "SQLITE_IOERR": "can not be read or written: the disk is full, over its quota or failing; free some space or mend "
    "it, then run the same command again",
    "SQLITE_READONLY": "is read-only for this user; allow writing to the file and to its folder, or name another "
    "database in DATABASE_URL",
    "SQLITE_CANTOPEN": "can not be opened: this user may not write to the file or its folder, or it is a folder; "
    "allow writing there, or name another database in DATABASE_URL",
    "SQLITE_PERM": "may not be used by this user; allow reading and writing it, or name another in DATABASE_URL",
    "SQLITE_BUSY": "is locked by another program; close that program (a backup, a database browser), then run the "
    "same command again",
    "SQLITE_LOCKED": "is locked by another program; close that program, then run the same command again",
    "SQLITE_NOTADB": "is not a database; move that file away, or name another database in DATABASE_URL",
    "SQLITE_CORRUPT": "is damaged; restore it from a backup, or save what can be read with `sqlite3 FILE .recover`",
    "SQLITE_TOOBIG": "does not take a value of this size; share a shorter document",
}
_POSTGRES: dict[str, str] = {
    "53100": _SQLITE["SQLITE_FULL"],
    "53300": "has no connection left; raise max_connections, or stop another process",
    "53": "has run out of memory or disk; free some, then run the same command again",
    "25006": "is read-only: a standby, or default_transaction_read_only; name the primary in DATABASE_URL",
    "42501": "may not be used that way by this user; grant the rights to create and change tables",
    "55P03": "is locked by another program; close that program, then run the same command again",
    "40": "was changed by someone else at the same time; run the same command again",
    "57": "is shutting down or cancelled the statement; run the same command again once it is up",
    "XX": "is damaged; restore it from a backup",
    "08": "can not be reached; check that the server runs, then run the same command again",
    # libpq gives no code where it could not connect; the server's own words follow in brackets.
    "": "can not be reached; check that the server runs, that the database is there (`createdb` makes it), and that "
    "DATABASE_URL names host, user and password",
}
_UNCHANGED = "Nothing was half-written."


def fault(error: Exception, place: str) -> StoreError:
    """The error to raise for one that SQLAlchemy or a driver raised; `place` names the database."""
    if isinstance(error, PoolTimeout):
        return StoreError(f"{place} does not keep up: no connection came free in time; run fewer panels at once")
    if isinstance(error, UnicodeEncodeError):
        return StoreError(f"{place} does not take this text: it is not valid Unicode ({error.reason})")
    cause: BaseException = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
    sentence = _sqlite_sentence(cause) or _postgres_sentence(cause)
    detail = " ".join(str(cause).split())[:200]
    if sentence is None:
        return StoreError(f"{place} failed: {detail}. {_UNCHANGED}")
    return StoreError(f"{place} {sentence}. {_UNCHANGED} ({detail})")


def _sqlite_sentence(cause: BaseException) -> str | None:
    """Extended codes carry their group as a prefix: SQLITE_IOERR_WRITE."""
    name = getattr(cause, "sqlite_errorname", None)
    if not isinstance(name, str):
        return None
    return next((text for code, text in _SQLITE.items() if name == code or name.startswith(code + "_")), None)


def _postgres_sentence(cause: BaseException) -> str | None:
    """The whole code decides, or else its class, which is its first two characters."""
    if not hasattr(cause, "sqlstate"):
        return None
    code = cause.sqlstate
    if code is None:
        return _POSTGRES[""] if type(cause).__name__ == "OperationalError" else None
    return _POSTGRES.get(code) or _POSTGRES.get(code[:2])


def known(error: BaseException) -> bool:
    """True for what `fault` has to translate."""
    return isinstance(error, (SQLAlchemyError, UnicodeEncodeError))
