"""The statements, built once: SQLAlchemy then compiles each a single time, and a commit costs what the database costs.

`b_…` parameters are those of the condition, so that they do not collide with the columns that are set.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, Update, and_, bindparam, delete, exists, false, func, insert, or_, select, update

from bot.core.store import Query
from storage.rows import SUMMARY_COLUMNS
from storage.tables import delivery, entry, owner, panel, seen, shelf, signal

Insert = Callable[..., Any]

_lives = exists().where(owner.c.id == panel.c.owner, owner.c.beat >= bindparam("b_stale_before"))
_this_panel = panel.c.id == bindparam("b_panel")
_this_post = and_(
    delivery.c.panel == bindparam("b_panel"),
    delivery.c.turn == bindparam("b_turn"),
    delivery.c.part == bindparam("b_part"),
)


def _fence(entries: bool, summary: bool) -> Update:
    statement = update(panel).where(_this_panel, panel.c.epoch == bindparam("b_epoch"))
    columns = SUMMARY_COLUMNS if summary else ()
    if entries:
        statement = statement.where(panel.c.last_seq == bindparam("b_last_seq"))
        columns = ("last_seq", *columns)
    if not columns:
        return statement.values(epoch=panel.c.epoch)
    return statement.values({name: bindparam(name) for name in columns})


FENCES = {(entries, summary): _fence(entries, summary) for entries in (False, True) for summary in (False, True)}
"""(with entries, with a summary) → the first statement of a commit. It holds the panel's row, moves the end of its log
and renews what listings read; where epoch or end are not as expected it touches nothing."""
APPEND = insert(entry)
CLAIM = (
    update(panel)
    .where(_this_panel, or_(panel.c.owner == bindparam("b_owner"), ~_lives))
    .values(epoch=panel.c.epoch + 1, owner=bindparam("b_owner"))
)
RELEASE = update(panel).where(_this_panel, panel.c.epoch == bindparam("b_epoch")).values(owner="")
STANDING = select(panel.c.epoch, panel.c.owner, panel.c.last_seq).where(_this_panel)

LOG = (
    select(panel.c.epoch, panel.c.opened_at_place, panel.c.last_seq, entry.c.seq, entry.c.body)
    .select_from(panel.outerjoin(entry, and_(entry.c.panel == panel.c.id, entry.c.seq > bindparam("b_after"))))
    .where(_this_panel)
    .order_by(entry.c.seq)
)
"""Row and log in one statement: the epoch, the log's end and the entries are those of one moment."""
POSTS = select(delivery).where(delivery.c.panel == bindparam("b_panel")).order_by(delivery.c.turn, delivery.c.part)
OPEN_POSTS = POSTS.where(delivery.c.ext_id.is_(None), delivery.c.withdrawn == false())
POST = select(delivery).where(_this_post)

CONFIRM = (
    update(delivery).where(_this_post, delivery.c.ext_id.is_(None)).values(ext_id=bindparam("ext_id"), withdrawn=False)
)
ARM = (
    update(delivery)
    .where(
        _this_post,
        delivery.c.ext_id.is_(None),
        delivery.c.withdrawn == false(),
        delivery.c.attempted_at.is_(None),
    )
    .values(attempted_at=bindparam("attempted_at"))
)
REARM = (
    update(delivery)
    .where(
        _this_post,
        delivery.c.ext_id.is_(None),
        delivery.c.withdrawn == false(),
        delivery.c.attempted_at == bindparam("b_seen"),
    )
    .values(attempted_at=bindparam("attempted_at"))
)

TAKE_IN = (
    update(signal)
    .where(signal.c.panel == bindparam("b_panel"), signal.c.id == bindparam("b_id"))
    .values(taken=bindparam("taken"), body="")
)
WAITING = (
    select(signal.c.id, signal.c.message_id, signal.c.body)
    .where(signal.c.panel == bindparam("b_panel"), signal.c.taken.is_(None))
    .order_by(signal.c.id)
)

RUNG = select(signal.c.panel).where(signal.c.taken.is_(None)).distinct()

OWNERLESS = (
    select(panel.c.id)
    .where(panel.c.status == "running", panel.c.platform.in_(bindparam("b_platforms", expanding=True)), ~_lives)
    .order_by(panel.c.created_at, panel.c.id)
)
FORGET_EVENTS = delete(seen).where(seen.c.at < bindparam("b_before"))
FORGET_OWNERS = delete(owner).where(owner.c.beat < bindparam("b_before"))

_of_shelf = and_(shelf.c.workspace == bindparam("b_workspace"), shelf.c.kind == bindparam("b_kind"))
_of_name = and_(_of_shelf, shelf.c.name == bindparam("b_name"))
LAST_VERSION = select(func.coalesce(func.max(shelf.c.version), 0)).where(_of_name)
VERSIONS = (
    select(shelf.c.version, shelf.c.at, shelf.c.by_name, shelf.c.value).where(_of_name).order_by(shelf.c.version.desc())
)
_newest = (
    select(shelf.c.name, func.max(shelf.c.version).label("version")).where(_of_shelf).group_by(shelf.c.name).subquery()
)
VALUES = (
    select(shelf.c.name, shelf.c.value)
    .join(_newest, and_(_newest.c.name == shelf.c.name, _newest.c.version == shelf.c.version))
    .where(_of_shelf, shelf.c.value.is_not(None))
)


def listing(query: Query) -> Select[Any]:
    """The panels that the query lets through, the newest first."""
    found = select(panel).order_by(panel.c.created_at.desc(), panel.c.id.desc()).limit(query.limit)
    if query.statuses:
        found = found.where(panel.c.status.in_(sorted(query.statuses)))
    if query.platforms:
        found = found.where(panel.c.platform.in_(sorted(query.platforms)))
    if query.workspace is not None:
        found = found.where(panel.c.workspace == query.workspace)
    if query.place is not None:
        place = query.place
        found = found.where(panel.c.platform == place.platform, panel.c.workspace == place.workspace)
        found = found.where(panel.c.channel == place.channel, panel.c.thread == place.thread)
    if query.text:
        found = found.where(panel.c.words.contains(query.text.casefold(), autoescape=True))
    if query.target:
        found = found.where(panel.c.target == query.target)
    return found


_COUNTED = {"preserve_rowcount": True}
"""How many rows an INSERT made is otherwise forgotten, on some drivers only:
https://docs.sqlalchemy.org/en/20/core/connections.html#sqlalchemy.engine.Connection.execution_options.params.preserve_rowcount
"""


def _insert_of(dialect: str) -> Insert:
    """Both know ON CONFLICT; SQLAlchemy has no insert in common that does, and each takes its time to import."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as of_sqlite

        return of_sqlite
    from sqlalchemy.dialects.postgresql import insert as of_postgresql

    return of_postgresql


class Upserts:
    """The inserts that may meet a row that is there already, in the words of one dialect."""

    def __init__(self, dialect: str) -> None:
        insert_into = _insert_of(dialect)
        post = insert_into(delivery)
        self.post = post.on_conflict_do_update(
            index_elements=["panel", "turn", "part"],
            set_={
                "parts": post.excluded.parts,
                "text": post.excluded.text,
                "attempted_at": post.excluded.attempted_at,
                # What the platform confirmed stays: a confirmation is not fenced, and may be newer than this write.
                "ext_id": func.coalesce(delivery.c.ext_id, post.excluded.ext_id),
                "withdrawn": and_(post.excluded.withdrawn, delivery.c.ext_id.is_(None)),
            },
        )
        self.panel = insert_into(panel).on_conflict_do_nothing().execution_options(**_COUNTED)
        heard = insert_into(signal).on_conflict_do_nothing(index_elements=["panel", "message_id"])
        self.signal = heard.execution_options(**_COUNTED)
        self.event = insert_into(seen).on_conflict_do_nothing().execution_options(**_COUNTED)
        self.value = insert_into(shelf).on_conflict_do_nothing().execution_options(**_COUNTED)
        beat = insert_into(owner)
        self.beat = beat.on_conflict_do_update(index_elements=["id"], set_={"beat": beat.excluded.beat})
