"""What a picture beside a text shows."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what waits is said without a picture."""
    op.add_column("outbox", sa.Column("picture", sa.Text))
