"""The database: games, events, outbox, people, records. SQLite or PostgreSQL, by the same code.

Everything here is synchronous: one writer on the event loop (measured: a hop to a thread for each
commit halves what the bot can do). A batch is one transaction; either all of it is kept or nothing.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Select,
    Update,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    make_url,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from data import ROOM
from data.message import Target
from data.pictures import Picture
from data.records import RecordRow
from data.schema import events, forgotten, games, handled, outbox, people, queue, records

_MIGRATIONS = ROOM / "migrations"

EXPECTED = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
"""What the address of a database looks like."""

_CONNECT_TIMEOUT = 10  # seconds; the default is to wait for minutes
_PEOPLE = 10_000  # so many are kept in memory at most
_MIGRATING = 0x7A6674  # any number of our own for PostgreSQL's advisory lock


class StoreError(Exception):
    """The database failed. The error's text holds nothing of what is in a row."""


class Conflict(StoreError):
    """Somebody else has written to these games since they were read; nothing was kept."""

    def __init__(self, game_ids: Sequence[int]) -> None:
        super().__init__(f"games {', '.join(map(str, game_ids)) or '-'} were written to elsewhere")
        self.game_ids = list(game_ids)


class _Clash(StoreError):
    """A row that had to be new is not."""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked up of a game. ``facts``: JSON, as they were after event ``facts_seq``."""

    id: int
    group: str
    sheet: str
    phase: str
    created: datetime
    ended: datetime | None
    seq: int
    digest: str
    facts_seq: int
    facts: str


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    """One stored event; see :mod:`data.codec`."""

    game_id: int
    seq: int
    version: int
    at: datetime
    type: str
    body: str
    digest: str


class Saying(msgspec.Struct, frozen=True, kw_only=True):
    """A message for the outbox. ``audience``: whom it is meant for (``seat:4``)."""

    game_id: int | None
    audience: str
    target: Target
    text: str
    created: datetime
    action: str = "text"
    arguments: dict[str, Any] = {}
    picture: Picture | None = None


class OutboxRow(Saying, frozen=True, kw_only=True):
    """A message in the outbox. ``in_flight``: a call was begun, so it may have arrived.

    ``said``: how many characters have arrived of a text that goes in parts.
    """

    id: int
    state: Literal["waiting", "sent", "undeliverable"]
    attempts: int
    not_before: datetime | None
    in_flight: bool
    said: int


class PersonRow(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an account. ``reachable`` privately: None is not known.

    ``chosen``: the game that the person's messages are for (切换).
    """

    account: str
    name: str = ""
    reachable: bool | None = None
    chosen: int | None = None


class Queued(msgspec.Struct, frozen=True):
    """Somebody who waits for the next game of a group."""

    account: str
    name: str


class GameChange(msgspec.Struct, kw_only=True):
    """How a game's row changes. ``before``: the seq it had when it was read, 0 for a new game.

    ``facts_changed``: so it is when the phase has changed. ``records``: of a game that is over;
    written with the facts, so one that goes on again has none.
    """

    before: int
    row: GameRow
    facts_changed: bool
    records: list[RecordRow] = []


class Changes(msgspec.Struct, kw_only=True):
    """A batch: everything that one turn of the loop has caused."""

    games: dict[int, GameChange] = {}
    events: list[EventRow] = []
    outbox: list[Saying] = []
    handled: dict[str, datetime] = {}
    people: dict[str, dict[str, Any]] = {}
    """account → the columns of ``people`` that change."""
    queues: dict[str, list[Queued]] = {}
    """A group → who waits there for the next game, in order, from now on."""
    forgotten: dict[str, int] = {}
    """An account that is to be forgotten → the last game that there is."""
    pulled: list[str] = []
    """Accounts whose undeliverable messages are to be tried again."""
    left: list[tuple[int, str]] = []
    """A game and an account that has left it: whose unsaid messages are dropped (M84-48)."""
    dropped: list[int] = []
    """Rows of the outbox that are not to be said any more."""

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__struct_fields__)


# Built once: a statement built for each call costs half as much again as running it.
_INSERT_GAME, _INSERT_EVENTS, _INSERT_HANDLED = (
    insert(table) for table in (games, events, handled)
)
_INSERT_OUTBOX = insert(outbox).returning(outbox.c.id, sort_by_parameter_order=True)
_UPDATE_GAME = (
    update(games)
    .where(games.c.id == bindparam("game"), games.c.seq == bindparam("before"))
    .values(
        phase=bindparam("phase"),
        ended=bindparam("ended"),
        seq=bindparam("seq"),
        digest=bindparam("digest"),
    )
)
_UPDATE_GAME_AND_FACTS = _UPDATE_GAME.values(
    facts_seq=bindparam("facts_seq"), facts=bindparam("facts")
)
_UPDATE_OUTBOX = update(outbox).where(outbox.c.id == bindparam("row"))
_BEGIN_SENDING = _UPDATE_OUTBOX.values(in_flight=True, attempts=outbox.c.attempts + 1)
_SAID = _UPDATE_OUTBOX.values(said=bindparam("characters"))
_SENT = _UPDATE_OUTBOX.values(state="sent", in_flight=False, not_before=None)
_GIVE_UP = _UPDATE_OUTBOX.values(state="undeliverable", not_before=None)
_POSTPONE = _UPDATE_OUTBOX.values(
    in_flight=bindparam("may_have_arrived"), not_before=bindparam("until")
)


class Store:
    """The database behind a SQLAlchemy URL: ``sqlite:///file``, ``sqlite://``, ``postgresql://…``.

    Every method raises :class:`StoreError` when the database fails.
    """

    def __init__(self, url: str) -> None:
        try:
            self.url = make_url(url)
            if self.url.drivername in ("postgresql", "postgres"):
                self.url = self.url.set(drivername="postgresql+psycopg")
            engine = self._engine = self._open()
        except (SQLAlchemyError, ValueError, ImportError):
            raise StoreError(f"DATABASE_URL: expected {EXPECTED}") from None
        self._reading = engine.execution_options(use="read")
        self._writing = engine.execution_options(use="write")
        # How delivery stands: survives the end of this process, a power cut maybe not. Then a
        # message is said once more, which delivery at least once allows.
        self._marking = engine.execution_options(use="mark")
        self._migrating = engine.execution_options(use="migrate")
        # People who were looked up: every private message asks for its sender.
        self._persons: dict[str, PersonRow] = {}

    def _open(self) -> Engine:
        options: dict[str, Any] = {"hide_parameters": True}
        if self._is_sqlite:
            if self.url.database in (None, "", ":memory:"):
                options["poolclass"] = StaticPool
        elif self.url.get_backend_name() == "postgresql":
            options["pool_pre_ping"] = True
            if "connect_timeout" not in self.url.query:
                options["connect_args"] = {"connect_timeout": _CONNECT_TIMEOUT}
        else:
            raise ValueError
        engine = create_engine(self.url, **options)
        if self._is_sqlite:
            event.listen(engine, "connect", _connect_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        else:
            event.listen(engine, "begin", _begin_postgresql)
        return engine

    @property
    def _is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    # --- the tables -----------------------------------------------------------------------------

    def migrate(self) -> None:
        """Bring the tables to what this program needs; creates them in an empty database."""
        self._make_private()
        with _failures(), self._migrating.connect() as connection:
            with connection.begin():
                if not self._is_sqlite:
                    connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
                config = _alembic()
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
            if self._is_sqlite:
                _raw(connection).execute("PRAGMA foreign_keys=ON")

    def check(self) -> None:
        """Raise :class:`StoreError` unless the database has the tables that this program needs."""
        self._see_that_it_is_there()
        with self._read() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
        head = ScriptDirectory.from_config(_alembic()).get_current_head()
        if found != head:
            raise StoreError(f"the tables are of revision {found}, this program needs {head}")

    def _see_that_it_is_there(self) -> None:
        """SQLite would make the file that it is asked to look into."""
        if self._is_sqlite and self._engine.pool.__class__ is not StaticPool:
            path = Path(self.url.database or "")
            if not path.is_file():
                raise StoreError(f"there is no database {path.name} here")

    def _make_private(self) -> None:
        """A new SQLite file holds every secret: nobody but its owner may read it."""
        name = self.url.database or ""
        if self._is_sqlite and self._engine.pool.__class__ is not StaticPool:
            # That it can't be made is said by whoever opens it.
            with contextlib.suppress(OSError):
                os.close(os.open(name, os.O_CREAT | os.O_EXCL, 0o600))

    def backup(self, path: Path) -> None:
        """Write the database as it is at this moment into a new file, beside a bot that writes.

        It is whole or it is not there; what was deleted is not in it, and only its owner may read
        it. Raises :class:`StoreError` when ``path`` is there already, when it can't be written, or
        when the database is no SQLite file: PostgreSQL has its own tool for this.
        """
        if not self._is_sqlite:
            raise StoreError(f"a PostgreSQL database is backed up with: {self._pg_dump(path)}")
        self._see_that_it_is_there()
        if path.exists():
            raise StoreError(f"{path} is there already, and is not overwritten")
        try:
            # In the same folder, so that it gets its name in one step; a link overwrites nothing.
            handle, unnamed = tempfile.mkstemp(".part", f"{path.name}.", path.parent)
            try:
                with contextlib.closing(self._engine.raw_connection()) as connection:
                    connection.cursor().execute("VACUUM INTO ?", (unnamed,))
                os.fsync(handle)
                os.link(unnamed, path)
            finally:
                os.close(handle)
                os.unlink(unnamed)
        except OSError as error:
            raise StoreError(f"{path} can't be written: {error.strerror}") from None
        except (sqlite3.Error, SQLAlchemyError) as error:
            raise StoreError(f"the backup failed: {type(error).__name__}") from None

    def _pg_dump(self, path: Path) -> str:
        url = self.url.difference_update_query(["password"])
        place = (url.username, None, url.host, url.port, url.database, url.query)
        address = URL.create("postgresql", *place).render_as_string()
        return shlex.join(["pg_dump", "--format=custom", f"--file={path}", address])

    # --- the one way in -------------------------------------------------------------------------

    def commit(self, changes: Changes) -> list[OutboxRow]:
        """Write a batch in one transaction; gives what it put into the outbox, in order.

        Raises :class:`Conflict` when a game has moved on since it was read, or when a message id
        was handled elsewhere, and :class:`StoreError` when the database fails; nothing is kept.
        """
        ids: Sequence[int] = ()
        try:
            with _failures(), self._writing.begin() as connection:
                _write_games(connection, changes.games)
                if changes.events:
                    connection.execute(
                        _INSERT_EVENTS, [msgspec.structs.asdict(row) for row in changes.events]
                    )
                if changes.handled:
                    connection.execute(
                        _INSERT_HANDLED, [{"key": k, "at": at} for k, at in changes.handled.items()]
                    )
                for account, values in changes.people.items():
                    self._persons.pop(account, None)
                    _write_person(connection, account, values)
                for account, game_id in changes.forgotten.items():
                    self._persons.pop(account, None)
                    _forget(connection, account, game_id)
                for game_id, change in changes.games.items():
                    if change.facts_changed:
                        _write_records(connection, game_id, change.records)
                for group, waiting in changes.queues.items():
                    _write_queue(connection, group, waiting)
                for game_id, account in changes.left:
                    connection.execute(
                        delete(outbox).where(
                            outbox.c.game_id == game_id,
                            outbox.c.kind == "private",
                            outbox.c.target == account,
                            outbox.c.state != "sent",
                        )
                    )
                if changes.dropped:
                    connection.execute(delete(outbox).where(outbox.c.id.in_(changes.dropped)))
                if changes.outbox:
                    said = [_saying(row) for row in changes.outbox]
                    ids = connection.execute(_INSERT_OUTBOX, said).scalars().all()
                for account in changes.pulled:
                    _say_anew(connection, account)
        except _Clash:
            raise Conflict(list(changes.games)) from None
        return [_waiting(row, row_id) for row, row_id in zip(changes.outbox, ids, strict=True)]

    # --- games ----------------------------------------------------------------------------------

    def games(self, *, group: str | None = None, open_only: bool = False) -> list[GameRow]:
        """The games, ascending by number; only those of a group, or only those not over."""
        query = select(games).order_by(games.c.id)
        if group is not None:
            query = query.where(games.c.group_id == group)
        if open_only:
            query = query.where(games.c.ended.is_(None))
        return [_game(row) for row in self._rows(query)]

    def game(self, game_id: int) -> GameRow | None:
        """The row of one game."""
        rows = self._rows(select(games).where(games.c.id == game_id))
        return _game(rows[0]) if rows else None

    def last_game(self) -> int:
        """The highest number that a game has; 0 without any."""
        return int(self._rows(select(func.coalesce(func.max(games.c.id), 0)))[0][0])

    def last_game_of(self, account: str) -> int | None:
        """The highest number of a game of which the account was told something in private."""
        query = select(func.max(outbox.c.game_id)).where(
            outbox.c.kind == "private", outbox.c.target == account
        )
        found: int | None = self._rows(query)[0][0]
        return found

    def load_events(self, game_id: int, kind: str | None = None) -> list[EventRow]:
        """A game's events in their order, or those of a kind; empty if there is no such game."""
        query = select(events).where(events.c.game_id == game_id).order_by(events.c.seq)
        if kind is not None:
            query = query.where(events.c.type == kind)
        return [EventRow(**row._mapping) for row in self._rows(query)]

    def phases(self) -> dict[str, int]:
        """Phase → how many games are in it."""
        query = select(games.c.phase, func.count()).group_by(games.c.phase)
        return {phase: count for phase, count in self._rows(query)}

    # --- what games have come to, and who waits for one -----------------------------------------

    def finished(self, account: str) -> int:
        """How many games the account has played to their end, or coached in (M84-49)."""
        query = select(func.count(records.c.game_id.distinct())).where(
            records.c.account == account,
            records.c.part != "replaced",
            records.c.result != "stopped",
        )
        return int(self._rows(query)[0][0])

    def records(self, account: str) -> list[RecordRow]:
        """What the account's games have come to, in the order of the games."""
        query = select(records).where(records.c.account == account)
        query = query.order_by(records.c.game_id, records.c.seat, records.c.part)
        return [RecordRow(**row._mapping) for row in self._rows(query)]

    def unrecorded(self) -> list[int]:
        """The games that are over and have no record: none can be had, or none was made yet."""
        query = select(games.c.id).where(
            games.c.ended.is_not(None), games.c.id.not_in(select(records.c.game_id))
        )
        return [row.id for row in self._rows(query.order_by(games.c.id))]

    def write_records(self, game_id: int, rows: Sequence[RecordRow]) -> None:
        """Put these in the place of a game's records."""
        with _failures(), self._writing.begin() as connection:
            _write_records(connection, game_id, rows)

    def queues(self) -> dict[str, list[Queued]]:
        """Group → who waits there for the next game, in order."""
        found: dict[str, list[Queued]] = {}
        for row in self._rows(select(queue).order_by(queue.c.group_id, queue.c.place)):
            found.setdefault(row.group_id, []).append(Queued(row.account, row.name))
        return found

    def forgotten(self) -> dict[str, int]:
        """Account that asked to be forgotten → the last game that there was then."""
        return {row.account: row.game_id for row in self._rows(select(forgotten))}

    # --- handled messages and people ------------------------------------------------------------

    def handled(self) -> dict[str, datetime]:
        """The message ids that were handled, and when; oldest first."""
        return {row.key: row.at for row in self._rows(select(handled).order_by(handled.c.at))}

    def forget_handled(self, before: datetime) -> None:
        """Drop the ids of messages handled earlier than ``before``."""
        with self._mark() as connection:
            connection.execute(delete(handled).where(handled.c.at < before))

    def person(self, account: str) -> PersonRow:
        """What is known of an account; an empty row if nothing is."""
        person = self._persons.get(account)
        if person is None:
            rows = self._rows(select(people).where(people.c.account == account))
            person = PersonRow(**rows[0]._mapping) if rows else PersonRow(account=account)
            if len(self._persons) >= _PEOPLE:
                self._persons.clear()
            self._persons[account] = person
        return person

    def set_reachable(self, account: str, reachable: bool) -> None:
        """Keep whether a private message to the account arrives."""
        self._persons.pop(account, None)
        with self._mark() as connection:
            _write_person(connection, account, {"reachable": reachable})

    # --- the outbox -----------------------------------------------------------------------------

    def waiting(self) -> list[OutboxRow]:
        """Every message that is still to be said, in the order of saying."""
        query = select(outbox).where(outbox.c.state == "waiting").order_by(outbox.c.id)
        return [_said(row) for row in self._rows(query)]

    def backlog(self) -> tuple[int, datetime | None]:
        """How many messages are still to be said, and when the oldest of them was written."""
        query = select(func.count(), func.min(outbox.c.created)).where(outbox.c.state == "waiting")
        count, oldest = self._rows(query)[0]
        return count, oldest

    def mark(self, *, sent: Iterable[int] = (), begun: Iterable[int] = ()) -> None:
        """Some messages have arrived; for others a call begins: they may have, from now on."""
        with self._mark() as connection:
            for row_id in sent:
                connection.execute(_SENT, {"row": row_id})
            for row_id in begun:
                connection.execute(_BEGIN_SENDING, {"row": row_id})

    def is_kept(self, row_id: int) -> bool:
        """Whether the message is still in the outbox, or was dropped."""
        return bool(self._rows(select(outbox.c.id).where(outbox.c.id == row_id)))

    def said(self, row_id: int, characters: int) -> None:
        """So many characters of a text that goes in parts have arrived."""
        self._set(_SAID, row=row_id, characters=characters)

    def postpone(self, row_id: int, until: datetime, *, may_have_arrived: bool) -> None:
        """The call failed; it is to be tried again not before ``until``."""
        self._set(_POSTPONE, row=row_id, until=until, may_have_arrived=may_have_arrived)

    def give_up(self, row_id: int) -> None:
        """The message can't be delivered; it is kept, and the person may pull it."""
        self._set(_GIVE_UP, row=row_id)

    def was_said(self, game_id: int, text: str) -> bool:
        """Whether this text was said, or is still to be, because of a game; its number may lead."""
        said = outbox.c.text.endswith(text, autoescape=True)
        found = select(outbox.c.id).where(outbox.c.game_id == game_id, said)
        return bool(self._rows(found.limit(1)))

    def undelivered(self, account: str) -> list[OutboxRow]:
        """The private messages to an account that could not be delivered, oldest first."""
        query = select(outbox).where(*_undelivered(account)).order_by(outbox.c.id)
        return [_said(row) for row in self._rows(query)]

    def messages(self, after: int = 0, game_id: int | None = None) -> list[OutboxRow]:
        """Every message with an id above ``after``, whatever its state, in the order of saying.

        ``game_id``: only those of one game.
        """
        query = select(outbox).where(outbox.c.id > after).order_by(outbox.c.id)
        if game_id is not None:
            query = query.where(outbox.c.game_id == game_id)
        return [_said(row) for row in self._rows(query)]

    # --- inside ---------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _read(self) -> Iterator[Connection]:
        with _failures(), self._reading.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def _mark(self) -> Iterator[Connection]:
        with _failures(), self._marking.begin() as connection:
            yield connection

    def _rows(self, query: Select[*tuple[Any, ...]]) -> Sequence[Any]:
        with self._read() as connection:
            return connection.execute(query).all()

    def _set(self, statement: Update, **values: Any) -> None:
        with self._mark() as connection:
            connection.execute(statement, values)


# --- connections ---------------------------------------------------------------------------------


def _connect_sqlite(connection: Any, record: Any) -> None:
    # The driver's own transactions begin late and shared, and lose writers: we say BEGIN ourselves.
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout=5000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    use = connection.get_execution_options()["use"]
    if use == "read":
        connection.exec_driver_sql("BEGIN")
        return
    raw = _raw(connection)
    raw.execute(f"PRAGMA synchronous={'NORMAL' if use == 'mark' else 'FULL'}")
    if use == "migrate":
        # A table that Alembic rebuilds must not take with it the rows that refer to it.
        raw.execute("PRAGMA foreign_keys=OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    if connection.get_execution_options()["use"] == "mark":
        connection.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")


def _raw(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    """Turn the database's errors into ours: theirs may quote rows, and so secrets."""
    try:
        yield
    except IntegrityError:
        raise _Clash("the database failed: a row that was to be new is not") from None
    except DBAPIError as error:
        raise StoreError(f"the database failed: {type(error.orig).__name__}") from None
    except (SQLAlchemyError, CommandError) as error:
        raise StoreError(f"the database failed: {type(error).__name__}") from None


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


# --- rows ----------------------------------------------------------------------------------------


def _write_games(connection: Connection, changed: dict[int, GameChange]) -> None:
    stale = []
    for game_id, change in changed.items():
        row = change.row
        values = {
            "phase": row.phase,
            "ended": row.ended,
            "seq": row.seq,
            "digest": row.digest,
        }
        facts = {"facts_seq": row.facts_seq, "facts": row.facts}
        if change.before == 0:
            born = {
                "id": row.id,
                "group_id": row.group,
                "sheet": row.sheet,
                "created": row.created,
            }
            connection.execute(_INSERT_GAME, {**born, **values, **facts})
            continue
        values |= {"game": game_id, "before": change.before}
        if change.facts_changed:
            done = connection.execute(_UPDATE_GAME_AND_FACTS, {**values, **facts})
        else:
            done = connection.execute(_UPDATE_GAME, values)
        if done.rowcount != 1:
            stale.append(game_id)
    if stale:
        raise Conflict(stale)


def _write_person(connection: Connection, account: str, values: dict[str, Any]) -> None:
    done = connection.execute(update(people).where(people.c.account == account).values(**values))
    if done.rowcount == 0:
        connection.execute(insert(people), {"account": account, "name": "", **values})


def _write_records(connection: Connection, game_id: int, rows: Sequence[RecordRow]) -> None:
    """Write a game's records anew, without those who asked to be forgotten after it."""
    connection.execute(delete(records).where(records.c.game_id == game_id))
    if not rows:
        return
    query = select(forgotten.c.account).where(forgotten.c.game_id >= game_id)
    gone = set(connection.execute(query).scalars())
    if kept := [msgspec.structs.asdict(row) for row in rows if row.account not in gone]:
        connection.execute(insert(records), kept)


def _write_queue(connection: Connection, group: str, waiting: Sequence[Queued]) -> None:
    connection.execute(delete(queue).where(queue.c.group_id == group))
    places = [
        {"group_id": group, "account": person.account, "place": place, "name": person.name}
        for place, person in enumerate(waiting)
    ]
    if places:
        connection.execute(insert(queue), places)


def _forget(connection: Connection, account: str, game_id: int) -> None:
    """Drop all that is kept of an account but the games' own events."""
    for table in (people, records, queue, forgotten):
        connection.execute(delete(table).where(table.c.account == account))
    to_him = (outbox.c.kind == "private", outbox.c.target == account)
    connection.execute(delete(outbox).where(*to_him))
    connection.execute(insert(forgotten), {"account": account, "game_id": game_id})


def _undelivered(account: str) -> tuple[Any, ...]:
    return (
        outbox.c.state == "undeliverable",
        outbox.c.kind == "private",
        outbox.c.target == account,
    )


def _say_anew(connection: Connection, account: str) -> None:
    """Put what could not be delivered behind what is said now: its heading comes first."""
    query = select(outbox).where(*_undelivered(account)).order_by(outbox.c.id)
    rows = [dict(row._mapping) for row in connection.execute(query)]
    connection.execute(delete(outbox).where(*_undelivered(account)))
    for row in rows:
        del row["id"]
        row |= {"state": "waiting", "attempts": 0, "not_before": None}
        connection.execute(insert(outbox), row)


def _game(row: Any) -> GameRow:
    values = dict(row._mapping)
    return GameRow(group=values.pop("group_id"), **values)


def _saying(row: Saying) -> dict[str, Any]:
    return {
        "game_id": row.game_id,
        "audience": row.audience,
        "kind": row.target.kind,
        "target": row.target.id,
        "via_group": row.target.via_group,
        "action": row.action,
        "arguments": msgspec.json.encode(row.arguments).decode(),
        "text": row.text,
        "picture": None if row.picture is None else _described(row.picture),
        "created": row.created,
        "state": "waiting",
        "attempts": 0,
        "not_before": None,
        "in_flight": False,
        "said": 0,
    }


def _waiting(row: Saying, row_id: int) -> OutboxRow:
    return OutboxRow(
        **msgspec.structs.asdict(row),
        id=row_id,
        state="waiting",
        attempts=0,
        not_before=None,
        in_flight=False,
        said=0,
    )


def _said(row: Any) -> OutboxRow:
    values = dict(row._mapping)
    target = Target(values.pop("kind"), values.pop("target"), values.pop("via_group"))
    arguments = msgspec.json.decode(values.pop("arguments"))
    picture = _picture(values.pop("picture"))
    return OutboxRow(target=target, arguments=arguments, picture=picture, **values)


def _described(picture: Picture) -> str:
    # Finished sentences are a kind of str, which has to be told.
    return msgspec.json.encode(picture, enc_hook=str).decode()


def _picture(described: str | None) -> Picture | None:
    if described is None:
        return None
    try:
        return msgspec.json.decode(described, type=Picture)
    except msgspec.DecodeError:
        return None  # of another version: the text says it all
