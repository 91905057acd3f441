"""The first tables.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _panels()
    _logs()
    _inbox()
    _processes()
    _shelf()


def _panels() -> None:
    op.create_table(
        "panel",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("opened_at_place", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("rounds_max", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("spent_usd", sa.Double(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("starter", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("model_is_ai", sa.Boolean(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_panel")),
    )
    op.create_index("ix_panel_created", "panel", ["created_at", "id"])
    op.create_index("ix_panel_place", "panel", ["platform", "workspace", "channel", "thread"])
    op.create_index("ix_panel_status", "panel", ["status", "created_at"])
    op.create_index("ix_panel_target", "panel", ["target", "created_at"])


def _logs() -> None:
    op.create_table(
        "entry",
        sa.Column("panel", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["panel"], ["panel.id"], name=op.f("fk_entry_panel")),
        sa.PrimaryKeyConstraint("panel", "seq", name=op.f("pk_entry")),
    )
    op.create_table(
        "delivery",
        sa.Column("panel", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("attempted_at", sa.Double(), nullable=True),
        sa.Column("ext_id", sa.Text(), nullable=True),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["panel"], ["panel.id"], name=op.f("fk_delivery_panel")),
        sa.PrimaryKeyConstraint("panel", "turn", "part", name=op.f("pk_delivery")),
    )
    op.create_index(
        "ix_delivery_unconfirmed",
        "delivery",
        ["panel", "turn", "part"],
        sqlite_where=sa.text("ext_id IS NULL"),
        postgresql_where=sa.text("ext_id IS NULL"),
    )


def _inbox() -> None:
    op.create_table(
        "signal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("panel", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["panel"], ["panel.id"], name=op.f("fk_signal_panel")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signal")),
        sa.UniqueConstraint("panel", "message_id", name=op.f("uq_signal_panel")),
    )
    op.create_index(
        "ix_signal_waiting",
        "signal",
        ["panel", "id"],
        sqlite_where=sa.text("taken IS NULL"),
        postgresql_where=sa.text("taken IS NULL"),
    )


def _processes() -> None:
    op.create_table(
        "owner",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("beat", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner")),
    )
    op.create_table(
        "seen",
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("event", name=op.f("pk_seen")),
    )
    op.create_index(op.f("ix_seen_at"), "seen", ["at"])


def _shelf() -> None:
    op.create_table(
        "shelf",
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("by_id", sa.Text(), nullable=False),
        sa.Column("by_name", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "kind", "name", "version", name=op.f("pk_shelf")),
    )
