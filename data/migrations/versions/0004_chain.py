"""The chain of digests by SHA-256, over the versions of the events too."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

EVENTS = sa.table(
    "events",
    *(sa.column(name) for name in ("game_id", "seq", "version", "body", "digest")),
)
GAMES = sa.table("games", sa.column("id"), sa.column("digest"))


def upgrade() -> None:
    """Make room, and chain anew each game whose old chain holds.

    A game whose chain was broken keeps its digests, so that it is still told of.
    """
    for table in ("games", "events"):
        with op.batch_alter_table(table) as changed:
            changed.alter_column(
                "digest",
                existing_type=sa.String(32),
                type_=sa.String(64),
                existing_nullable=False,
            )
    connection = op.get_bind()
    for (game,) in connection.execute(sa.select(GAMES.c.id)).all():
        _chain(connection, game)


def _chain(connection: sa.Connection, game: int) -> None:
    query = sa.select(EVENTS).where(EVENTS.c.game_id == game).order_by(EVENTS.c.seq)
    rows = connection.execute(query).all()
    old = new = ""
    changed = []
    for row in rows:
        old = hashlib.blake2b((old + row.body).encode(), digest_size=16).hexdigest()
        if row.digest != old:
            return
        new = hashlib.sha256(f"{new} {row.version} {row.body}".encode()).hexdigest()
        changed.append({"place": row.seq, "value": new})
    if not changed:
        return
    own = EVENTS.c.game_id == game
    connection.execute(
        sa.update(EVENTS)
        .where(own, EVENTS.c.seq == sa.bindparam("place"))
        .values(digest=sa.bindparam("value")),
        changed,
    )
    connection.execute(
        sa.update(GAMES).where(GAMES.c.id == game, GAMES.c.digest == old).values(digest=new)
    )
