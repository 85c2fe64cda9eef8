"""Games, events, outbox, handled messages, people, games played."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("group_id", sa.String(64), nullable=False),
        sa.Column("sheet", sa.String(64), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("ended", MOMENT),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("facts_seq", sa.Integer, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_group_id", "games", ["group_id"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("type", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id"),
    )
    op.create_table(
        "outbox",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("game_id", sa.Integer),
        sa.Column("audience", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("via_group", sa.String(64)),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("arguments", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("not_before", MOMENT),
        sa.Column("in_flight", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_outbox_game_id"),
        sa.CheckConstraint("kind IN ('private', 'group')", name="ck_outbox_kind"),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'undeliverable')", name="ck_outbox_state"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_waiting", "outbox", ["state", "kind", "target", "id"])
    op.create_table(
        "handled",
        sa.Column("key", sa.String(160), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_handled"),
    )
    op.create_index("ix_handled_at", "handled", ["at"])
    op.create_table(
        "people",
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("reachable", sa.Boolean),
        sa.Column("chosen", sa.Integer),
        sa.PrimaryKeyConstraint("account", name="pk_people"),
        sa.ForeignKeyConstraint(["chosen"], ["games.id"], name="fk_people_chosen"),
    )
    op.create_table(
        "played",
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("game_id", sa.Integer, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("account", "game_id", name="pk_played"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_played_game_id"),
    )
