"""The tables.

A panel is one row of `panel` and its log in `entry`. The row carries three things that are not in the log: the fence
(`epoch`, `owner`), the number of the last entry (`last_seq`: a writer that would leave a gap or write twice is refused
by the same statement that checks the fence), and the columns that listings read.

What is posted lives in `delivery`, because it changes after it was written and the log never does. What people said
waits in `signal` until a commit takes it in; the row stays afterwards without its text, so that the same message is
not taken in again. Entries are JSON in one text column: the log is read whole and in order, never searched.

Times are seconds since 1970. A change here needs a migration; a test compares the two.
"""

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, MetaData, Table, Text, UniqueConstraint

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

panel = Table(
    "panel",
    metadata,
    Column("id", Text, primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("owner", Text, nullable=False),
    Column("last_seq", Integer, nullable=False),
    # Where it was opened, as JSON; the four columns below say where it stands now.
    Column("opened_at_place", Text, nullable=False),
    Column("platform", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("topic", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("rounds_max", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("spent_usd", Double, nullable=False),
    Column("target", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("starter", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("model_is_ai", Boolean, nullable=False),
    # Id, topic and target, case-folded: the databases fold the case of ASCII only, or by locale.
    Column("words", Text, nullable=False),
    Index("ix_panel_created", "created_at", "id"),
    Index("ix_panel_status", "status", "created_at"),
    Index("ix_panel_place", "platform", "workspace", "channel", "thread"),
    Index("ix_panel_target", "target", "created_at"),
)

entry = Table(
    "entry",
    metadata,
    Column("panel", Text, ForeignKey(panel.c.id), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
)

delivery = Table(
    "delivery",
    metadata,
    Column("panel", Text, ForeignKey(panel.c.id), primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("parts", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("attempted_at", Double),
    Column("ext_id", Text),
    Column("withdrawn", Boolean, nullable=False),
)
Index(
    "ix_delivery_unconfirmed",
    delivery.c.panel,
    delivery.c.turn,
    delivery.c.part,
    sqlite_where=delivery.c.ext_id.is_(None),
    postgresql_where=delivery.c.ext_id.is_(None),
)

signal = Table(
    "signal",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("panel", Text, ForeignKey(panel.c.id), nullable=False),
    Column("message_id", Text, nullable=False),
    Column("body", Text, nullable=False),
    # The log's last number in the commit that took it in.
    Column("taken", Integer),
    UniqueConstraint("panel", "message_id"),
)
Index(
    "ix_signal_waiting",
    signal.c.panel,
    signal.c.id,
    sqlite_where=signal.c.taken.is_(None),
    postgresql_where=signal.c.taken.is_(None),
)

owner = Table(
    "owner",
    metadata,
    Column("id", Text, primary_key=True),
    Column("beat", Double, nullable=False),
)

seen = Table(
    "seen",
    metadata,
    Column("event", Text, primary_key=True),
    Column("at", Double, nullable=False, index=True),
)

shelf = Table(
    "shelf",
    metadata,
    Column("workspace", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("value", Text),
    Column("by_id", Text, nullable=False),
    Column("by_name", Text, nullable=False),
    Column("at", Double, nullable=False),
)
