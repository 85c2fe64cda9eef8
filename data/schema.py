"""The tables. Events are the truth; every other row is derived from them, or is delivery.

Rows that derive from events are written in the transaction that writes the events.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)


class Moment(TypeDecorator[datetime]):
    """An aware datetime, kept in UTC (SQLite knows no zones and would forget it)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Aware datetime to what the driver takes; ``ValueError`` for a naive one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment must be an aware datetime")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """What the driver gives to an aware datetime in UTC."""
        if value is None:
            return None
        assert isinstance(value, datetime)
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("group_id", String(64), nullable=False, index=True),
    Column("sheet", String(64), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("created", Moment, nullable=False),
    Column("ended", Moment),
    # The last event, and the chain of digests up to it.
    Column("seq", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    # The facts as JSON as they were after event facts_seq: what `verify` compares the fold with.
    Column("facts_seq", Integer, nullable=False),
    Column("facts", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("game_id", Integer, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    Column("type", String(32), nullable=False),
    Column("body", Text, nullable=False),
    # Of the digest before it, and of this body with its version.
    Column("digest", String(64), nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    # In the order of saying.
    Column(
        "id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    ),
    Column("game_id", Integer, ForeignKey("games.id")),
    # Whom the message was meant for ("seat:4"); the target is where it goes.
    Column("audience", String(80), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("target", String(64), nullable=False),
    Column("via_group", String(64)),
    Column("action", String(16), nullable=False),
    Column("arguments", Text, nullable=False),
    Column("text", Text, nullable=False),
    # What a picture beside the text shows, as JSON.
    Column("picture", Text),
    Column("created", Moment, nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", Moment),
    # A call was begun and its outcome isn't known: it may have arrived.
    Column("in_flight", Boolean, nullable=False),
    # How many characters have arrived of a text that goes in parts.
    Column("said", Integer, nullable=False, server_default="0"),
    CheckConstraint("kind IN ('private', 'group')", name="kind"),
    CheckConstraint("state IN ('waiting', 'sent', 'undeliverable')", name="state"),
    sqlite_autoincrement=True,
)
Index("ix_outbox_waiting", outbox.c.state, outbox.c.kind, outbox.c.target, outbox.c.id)

handled = Table(
    "handled",
    metadata,
    Column("key", String(160), primary_key=True),
    Column("at", Moment, nullable=False, index=True),
)

people = Table(
    "people",
    metadata,
    Column("account", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    # NULL: not known.
    Column("reachable", Boolean),
    # The game chosen by 切换.
    Column("chosen", Integer, ForeignKey("games.id")),
)

records = Table(
    "records",
    metadata,
    # A part in a game that is over: who held the seat at the end, coached it, was replaced on it.
    Column("game_id", Integer, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("part", String(8), primary_key=True),
    Column("account", String(64), nullable=False, index=True),
    Column("theme", String(64), nullable=False),
    Column("role", String(64), nullable=False),
    Column("faction", String(64), nullable=False),
    Column("result", String(8), nullable=False),
    Column("alive", Boolean, nullable=False),
    Column("warnings", Integer, nullable=False),
    Column("blue", Integer, nullable=False),
    Column("yellow", Integer, nullable=False),
    Column("red", Integer, nullable=False),
)

queue = Table(
    "queue",
    metadata,
    # Who waits for the next game of a group, in the order of place.
    Column("group_id", String(64), primary_key=True),
    Column("account", String(64), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("name", Text, nullable=False),
)

forgotten = Table(
    "forgotten",
    metadata,
    # Who asked to be forgotten (忘记我), and the last game that there was then.
    Column("account", String(64), primary_key=True),
    Column("game_id", Integer, nullable=False),
)
