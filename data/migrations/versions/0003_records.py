"""What somebody's games have come to; who waits for the next game; who is forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables. The rows of games that are over are derived at the next start."""
    op.create_table(
        "records",
        sa.Column("game_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("part", sa.String(8), nullable=False),
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("theme", sa.String(64), nullable=False),
        sa.Column("role", sa.String(64), nullable=False),
        sa.Column("faction", sa.String(64), nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("alive", sa.Boolean, nullable=False),
        sa.Column("warnings", sa.Integer, nullable=False),
        sa.Column("blue", sa.Integer, nullable=False),
        sa.Column("yellow", sa.Integer, nullable=False),
        sa.Column("red", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "part", name="pk_records"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_records_game_id"),
    )
    op.create_index("ix_records_account", "records", ["account"])
    op.drop_table("played")
    op.create_table(
        "queue",
        sa.Column("group_id", sa.String(64), nullable=False),
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("group_id", "account", name="pk_queue"),
    )
    op.create_table(
        "forgotten",
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_forgotten"),
    )
