"""How much of a long text has arrived."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of what waits, nothing counts as said."""
    op.add_column("outbox", sa.Column("said", sa.Integer, nullable=False, server_default="0"))
