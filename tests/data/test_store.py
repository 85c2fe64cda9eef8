"""The store, on SQLite and on PostgreSQL: whole batches or nothing, order, what a crash leaves."""

import hashlib
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, text

from data import ROOM, codec
from data.message import Target
from data.records import RecordRow
from data.schema import metadata
from data.store import (
    Changes,
    Conflict,
    EventRow,
    GameChange,
    GameRow,
    PersonRow,
    Queued,
    Saying,
    Store,
    StoreError,
    _alembic,
)

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def game_row(game_id: int, seq: int, **values: Any) -> GameRow:
    fields: dict[str, Any] = {
        "id": game_id,
        "group": "700",
        "sheet": "kingmaker",
        "phase": "setup",
        "created": NOW,
        "ended": None,
        "seq": seq,
        "digest": f"{seq:064}",
        "facts_seq": 1,
        "facts": "{}",
    }
    return GameRow(**fields | values)


def event_row(game_id: int, seq: int, body: str = '{"event":"x"}') -> EventRow:
    return EventRow(
        game_id=game_id, seq=seq, version=1, at=NOW, type="x", body=body, digest=f"{seq:064}"
    )


def grow(game_id: int, before: int, count: int = 1, **values: Any) -> Changes:
    """A batch that adds events to a game which stood at ``before``."""
    seq = before + count
    return Changes(
        games={
            game_id: GameChange(
                before=before, row=game_row(game_id, seq, **values), facts_changed=bool(values)
            )
        },
        events=[event_row(game_id, n) for n in range(before + 1, seq + 1)],
    )


def over(game_id: int, before: int, rows: list[RecordRow]) -> Changes:
    """A batch with a game's last event, and its records."""
    batch = grow(game_id, before, phase="over", ended=NOW)
    batch.games[game_id].records = rows
    return batch


def record(game_id: int, seat: int, account: str, **values: Any) -> RecordRow:
    fields: dict[str, Any] = {"part": "seat", "result": "won", "alive": True}
    names = {"theme": "standard", "role": "seer", "faction": "town"}
    return RecordRow(game_id=game_id, seat=seat, account=account, **names, **fields | values)


def saying(
    text: str, account: str = "1", *, kind: Any = "private", game_id: int | None = None
) -> Saying:
    target = Target(kind, account, "700")
    return Saying(game_id=game_id, audience="seat:1", target=target, text=text, created=NOW)


def said(store: Store, *texts: str, account: str = "1") -> None:
    store.commit(Changes(outbox=[saying(text, account) for text in texts]))


@pytest.mark.skipif(
    "TEST_DATABASE_URL" not in os.environ,
    reason="TEST_DATABASE_URL is not set: none of the data tests ran on PostgreSQL",
)
def test_postgresql() -> None:
    """Only the line that says so when there is no server."""
    assert Store(os.environ["TEST_DATABASE_URL"]).url.get_backend_name() == "postgresql"


def test_migrations_make_the_schema(store: Store) -> None:
    with sqlalchemy.create_engine(store.url).connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), metadata)
    assert found == []


def test_what_waits_and_how_many_games_are_in_which_phase(store: Store) -> None:
    assert (store.backlog(), store.phases()) == ((0, None), {})
    for game_id, phase in enumerate(("setup", "night", "night"), 1):
        store.commit(grow(game_id, 0, phase=phase))
    said(store, "一", "二", "三")
    first, second, _ = store.messages()
    assert store.backlog() == (3, NOW)
    store.mark(sent=[first.id])
    store.give_up(second.id)
    assert (store.backlog(), store.phases()) == ((1, NOW), {"setup": 1, "night": 2})


def test_nobody_else_may_read_a_new_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    umask = os.umask(0o022)
    try:
        store = Store(url)
        store.migrate()
        # The files of SQLite's own beside it, too.
        found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(umask)
    assert "new.sqlite3" in found and set(found.values()) == {0o600}


def test_migrating_twice_keeps_what_is_there(store: Store) -> None:
    store.commit(grow(1, 0))
    store.migrate()
    store.check()
    assert [row.id for row in store.games()] == [1]


def test_a_database_without_tables_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        Store(url).check()
    assert list(tmp_path.iterdir()) == [], "asking must not create a database"


def test_migrate_works_from_anywhere(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store(url)
    store.migrate()
    store.check()


@pytest.mark.parametrize(
    "wrong",
    [
        "nonsense",
        "mysql://host/name",
        "sqlite:///no/such/dir/x",
        "sqlite+nowhere:///x",
        "postgresql+asyncpg://host/name",
        "postgresql://host:port/name",
    ],
)
def test_a_wrong_address_is_a_store_error(wrong: str) -> None:
    with pytest.raises(StoreError):
        Store(wrong).migrate()


def test_what_is_written_is_read_back(store: Store) -> None:
    beijing = timezone(timedelta(hours=8))
    at = datetime(2026, 3, 2, 17, 0, 0, 123456, tzinfo=beijing)
    store.commit(grow(1, 0, 2, facts='{"a":1}'))
    store.commit(grow(2, 0, group="701"))
    changes = grow(1, 2, 1, phase="over", ended=at, facts_seq=3, facts='{"a":2}')
    store.commit(changes)
    assert store.game(1) == changes.games[1].row
    assert store.game(3) is None
    assert [row.id for row in store.games(open_only=True)] == [2]
    assert [row.id for row in store.games(group="700")] == [1]
    assert store.last_game() == 2
    assert store.load_events(1) == [event_row(1, n) for n in (1, 2, 3)]
    ended = store.games()[0].ended
    assert ended == at and ended.utcoffset() == timedelta(0)


def test_facts_stay_until_they_are_noted_anew(store: Store) -> None:
    store.commit(grow(1, 0, facts='{"a":1}'))
    changes = grow(1, 1, facts='{"a":2}')
    changes.games[1].facts_changed = False
    store.commit(changes)
    row = store.game(1)
    assert row is not None and (row.seq, row.facts) == (2, '{"a":1}')


def test_a_game_that_moved_on_is_a_conflict_and_nothing_is_kept(store: Store) -> None:
    store.commit(grow(1, 0))
    store.commit(grow(2, 0))
    batch = grow(1, 1)
    stale = grow(2, 0 + 1)
    store.commit(grow(2, 1))
    batch.games |= stale.games
    batch.events += stale.events
    batch.outbox = [saying("x")]
    batch.handled = {"7:1": NOW}
    batch.people = {"1": {"name": "甲"}}
    with pytest.raises(Conflict) as caught:
        store.commit(batch)
    assert caught.value.game_ids == [2]
    assert [len(store.load_events(n)) for n in (1, 2)] == [1, 2]
    assert store.messages() == [] and store.handled() == {}
    assert store.person("1") == PersonRow(account="1")


def test_two_games_with_one_number_are_a_conflict(store: Store) -> None:
    store.commit(grow(1, 0))
    with pytest.raises(Conflict):
        store.commit(grow(1, 0))


def test_a_message_handled_elsewhere_is_a_conflict(store: Store) -> None:
    store.commit(Changes(handled={"7:1": NOW}))
    batch = grow(1, 0)
    batch.handled = {"7:1": NOW}
    with pytest.raises(Conflict):
        store.commit(batch)
    assert store.games() == []


def test_two_writers_lose_nothing(url: str) -> None:
    """Each adds to the same game over its own connection, and tries again after a conflict."""
    first = Store(url)
    first.migrate()
    first.commit(grow(1, 0))
    each = 40
    conflicts: list[int] = []
    failed: list[BaseException] = []
    start = threading.Barrier(2)

    def write() -> None:
        try:
            store = Store(url)
            start.wait(10)
            for _ in range(each):
                while True:
                    row = store.game(1)
                    assert row is not None
                    try:
                        store.commit(grow(1, row.seq))
                        break
                    except Conflict:
                        conflicts.append(1)
            store.close()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    assert [row.seq for row in first.load_events(1)] == list(range(1, 2 * each + 2))
    row = first.game(1)
    assert row is not None and row.seq == 2 * each + 1
    first.close()


def test_sqlite_keeps_its_word(tmp_path: Path) -> None:
    """WAL, a sync at each commit of a batch, foreign keys, and BEGIN IMMEDIATE for a writer."""
    store = Store(f"sqlite:///{tmp_path}/games.sqlite3")
    store.migrate()
    with store._writing.begin() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
        other = sqlalchemy.create_engine(store.url, connect_args={"timeout": 0})
        with pytest.raises(sqlalchemy.exc.OperationalError), other.connect() as second:
            second.exec_driver_sql("BEGIN IMMEDIATE")
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    with store._marking.begin() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1
    with store._writing.begin() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()


def test_an_error_quotes_no_row(store: Store) -> None:
    with pytest.raises(StoreError) as caught:
        batch = Changes(outbox=[saying("刀 3")])
        batch.outbox.append(
            Saying(
                game_id=99,
                audience="seat:1",
                target=Target("private", "1"),
                text="刀 4",
                created=NOW,
            )
        )
        store.commit(batch)
    error: BaseException | None = caught.value
    assert error is not None and error.__suppress_context__
    assert "刀" not in str(error) and store.messages() == []


def test_a_moment_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        store.commit(Changes(handled={"1": NOW.replace(tzinfo=None)}))


def test_messages_keep_their_order_and_their_content(store: Store) -> None:
    store.commit(
        Changes(
            outbox=[
                saying("甲"),
                Saying(
                    game_id=None,
                    audience="public",
                    target=Target("group", "700"),
                    text="",
                    created=NOW,
                    action="mute",
                    arguments={"account": "5", "seconds": 60},
                ),
            ]
        )
    )
    said(store, "乙")
    rows = store.messages()
    assert [row.text for row in rows] == ["甲", "", "乙"]
    assert rows[1].action == "mute" and rows[1].arguments == {"account": "5", "seconds": 60}
    assert rows[0].target == Target("private", "1", "700") and rows[0].audience == "seat:1"
    assert [row.text for row in store.messages(after=rows[1].id)] == ["乙"]


def test_what_a_commit_put_into_the_outbox_is_given_as_it_will_be_read(store: Store) -> None:
    said(store, "before")
    batch = [saying("p", account="3"), saying("q", kind="group"), saying("r", account="1")]
    assert store.commit(Changes(outbox=batch)) == store.messages()[1:]
    assert store.commit(Changes(handled={"k": NOW})) == []


def test_many_messages_at_once_keep_their_order(store: Store) -> None:
    batch = [saying(f"text {number}") for number in range(2500)]
    rows = store.commit(Changes(outbox=batch))
    assert [row.text for row in rows] == [saying.text for saying in batch]
    assert rows == store.messages()


def test_what_waits_and_how_its_delivery_stands(store: Store) -> None:
    said(store, "a1", "a2", account="1")
    said(store, "b1", account="2")
    a1, a2, b1 = store.waiting()
    store.mark(begun=[a1.id, b1.id])
    later = NOW + timedelta(seconds=5)
    store.postpone(a1.id, later, may_have_arrived=False)
    store.mark(sent=[b1.id], begun=[a2.id])
    assert [(row.text, row.attempts, row.in_flight, row.not_before) for row in store.waiting()] == [
        ("a1", 1, False, later),
        ("a2", 1, True, None),
    ]
    store.mark(sent=[a1.id, a2.id])
    assert store.waiting() == []


def test_a_call_in_flight_is_known_after_a_restart(url: str) -> None:
    store = Store(url)
    store.migrate()
    said(store, "x", "y")
    first = store.waiting()[0].id
    store.mark(begun=[first])
    store.said(first, 1)
    store.close()
    row, _ = Store(url).waiting()
    assert (row.text, row.in_flight, row.attempts, row.said) == ("x", True, 1, 1)
    other = Store(url)
    other.postpone(row.id, NOW, may_have_arrived=True)
    assert other.waiting()[0].in_flight
    other.mark(sent=[row.id])
    assert not other.messages()[0].in_flight
    other.close()


def test_what_could_not_be_delivered_is_kept_and_pulled(store: Store) -> None:
    said(store, "x1", "x2", "x3", account="1")
    said(store, "y", account="2")
    for row in store.messages()[:2] + store.messages()[3:]:
        store.mark(begun=[row.id])
        store.give_up(row.id)
    assert [row.text for row in store.undelivered("1")] == ["x1", "x2"]
    assert [row.text for row in store.waiting()] == ["x3"], "what was given up bars nothing"
    store.commit(Changes(pulled=["1"]))
    assert store.undelivered("1") == [] and [row.text for row in store.undelivered("2")] == ["y"]
    waiting = [(row.text, row.in_flight) for row in store.waiting()]
    assert waiting == [("x3", False), ("x1", True), ("x2", True)], "behind what is being said"


def test_what_was_not_said_to_somebody_who_has_left_is_dropped(store: Store) -> None:
    store.commit(grow(1, 0))
    store.commit(grow(2, 0))
    rows = [
        saying(f"{game_id}-{account}", account, game_id=game_id)
        for game_id, account in ((1, "1"), (1, "1"), (1, "1"), (2, "1"), (1, "2"))
    ]
    rows.append(saying("group", "1", kind="group", game_id=1))
    store.commit(Changes(outbox=rows))
    sent, given_up, waiting, *_ = store.messages()
    store.mark(sent=[sent.id])
    store.give_up(given_up.id)
    store.commit(Changes(pulled=["1"], left=[(1, "1")]))
    kept = [sent.text, "2-1", "1-2", "group"]
    assert [row.text for row in store.messages()] == kept
    assert store.undelivered("1") == []
    assert store.is_kept(sent.id) and not store.is_kept(waiting.id)
    store.mark(sent=[waiting.id], begun=[waiting.id])
    store.give_up(waiting.id)
    assert [row.text for row in store.messages()] == kept


def test_handled_ids_are_forgotten_by_age(store: Store) -> None:
    store.commit(Changes(handled={"b": NOW, "a": NOW - timedelta(days=4)}))
    assert list(store.handled()) == ["a", "b"]
    store.forget_handled(NOW - timedelta(days=3))
    assert store.handled() == {"b": NOW}


def test_people(store: Store) -> None:
    store.commit(grow(1, 0))
    # What was looked up is looked up again once it has changed.
    assert store.person("1") == PersonRow(account="1")
    store.set_reachable("1", False)
    assert store.person("1") == PersonRow(account="1", reachable=False)
    store.commit(Changes(people={"1": {"name": "甲"}, "2": {"name": "乙", "chosen": 1}}))
    assert store.person("1") == PersonRow(account="1", name="甲", reachable=False)
    assert store.person("2") == PersonRow(account="2", name="乙", chosen=1)
    store.commit(Changes(people={"2": {"chosen": None}}))
    assert store.person("2") == PersonRow(account="2", name="乙")
    store.set_reachable("2", True)
    assert store.person("2") == PersonRow(account="2", name="乙", reachable=True)


def test_games_played_count_once(store: Store) -> None:
    store.commit(over(1, 0, [record(1, 1, "1"), record(1, 2, "2")]))
    store.commit(over(2, 0, [record(2, 1, "1"), record(2, 2, "2", result="stopped")]))
    assert [store.finished(account) for account in "123"] == [2, 1, 0]
    # Whoever coached has played, in one game once; who was replaced has not to the end.
    coached = [record(3, seat, "3", part="coach") for seat in (1, 2)]
    store.commit(over(3, 0, [*coached, record(3, 1, "1", part="replaced")]))
    assert [store.finished(account) for account in "123"] == [2, 1, 1]
    assert store.records("3") == coached


def test_a_game_that_goes_on_again_has_no_record(store: Store) -> None:
    store.commit(over(1, 0, [record(1, 1, "1")]))
    store.commit(grow(1, 1, phase="day"))
    assert (store.records("1"), store.unrecorded()) == ([], [])
    store.commit(over(1, 2, [record(1, 1, "2")]))
    assert [store.finished(account) for account in "12"] == [0, 1]
    # What does not change the phase leaves the records alone.
    store.commit(grow(1, 3))
    assert store.finished("2") == 1


def test_which_games_have_no_record_yet(store: Store) -> None:
    store.commit(over(1, 0, []))
    store.commit(over(2, 0, [record(2, 1, "1")]))
    store.commit(grow(3, 0))
    assert store.unrecorded() == [1]
    store.write_records(1, [record(1, 1, "1")])
    assert store.unrecorded() == [] and store.finished("1") == 2


def test_queues_keep_their_order_group_by_group(store: Store) -> None:
    first = [Queued("7", "甲"), Queued("5", "乙"), Queued("6", "丙")]
    store.commit(Changes(queues={"700": first, "701": [Queued("7", "甲")]}))
    assert store.queues() == {"700": first, "701": [Queued("7", "甲")]}
    store.commit(Changes(queues={"700": first[1:], "701": []}))
    assert store.queues() == {"700": first[1:]}


def test_what_is_forgotten_and_what_is_kept(store: Store) -> None:
    batch = over(1, 0, [record(1, 1, "1"), record(1, 2, "2")])
    batch.people = {"1": {"name": "甲", "chosen": 1}, "2": {"name": "乙"}}
    batch.queues = {"700": [Queued("1", "甲"), Queued("2", "乙")]}
    batch.outbox = [saying("给甲", "1"), saying("给乙", "2"), saying("给群", "1", kind="group")]
    store.commit(batch)
    assert store.person("1").name == "甲"
    store.commit(Changes(forgotten={"1": 1}, outbox=[saying("再见", "1")]))
    assert store.person("1") == PersonRow(account="1") and store.person("2").name == "乙"
    assert (store.records("1"), store.finished("2")) == ([], 1)
    assert store.queues() == {"700": [Queued("2", "乙")]}
    assert [row.text for row in store.messages()] == ["给乙", "给群", "再见"]
    assert len(store.load_events(1)) == 1 and store.forgotten() == {"1": 1}
    # Derived anew, his part in that game stays out; what he plays later is his again.
    store.write_records(1, [record(1, 1, "1"), record(1, 2, "2")])
    store.commit(over(2, 0, [record(2, 1, "1")]))
    assert [(r.game_id, r.seat) for r in store.records("1")] == [(2, 1)]
    store.commit(Changes(forgotten={"1": 2}))
    assert store.records("1") == [] and store.forgotten() == {"1": 2}


def test_an_older_database_gets_its_records_at_the_next_start(url: str) -> None:
    """What was kept of games played before there were records is in their events."""
    store = Store(url)
    old = create_engine(store.url)
    with old.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(ROOM / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.execute(
            text(
                "INSERT INTO games VALUES (1, '700', 'kingmaker', 'over', :now, :now, 1, '', 1, '')"
            ),
            {"now": NOW.replace(tzinfo=None) if "sqlite" in url else NOW},
        )
        connection.execute(text("INSERT INTO played VALUES ('1', 1)"))
    old.dispose()
    store.migrate()
    store.check()
    assert store.unrecorded() == [1]
    store.close()


def test_a_server_that_does_not_answer_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("data.store._CONNECT_TIMEOUT", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        store = Store(f"postgresql://me@127.0.0.1:{silent.getsockname()[1]}/games")
        begun = time.monotonic()
        with pytest.raises(StoreError):
            store.migrate()
        assert time.monotonic() - begun < 30


KILLED = """
import os, signal, sys
sys.path.insert(0, os.getcwd())
from tests.data.test_store import grow, saying, NOW
from data.store import Changes, Store
store = Store(sys.argv[1])
store.migrate()
batch = grow(1, 0, 3)
batch.outbox = [saying("x"), saying("y")]
batch.handled = {"7:1": NOW}
store.commit(batch)
store.mark(begun=[1])
store.mark(sent=[1], begun=[2])
with store._writing.begin() as connection:
    connection.exec_driver_sql("UPDATE games SET seq = 99")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_at_once_after_a_commit(url: str) -> None:
    """All that was committed is there, with where its delivery stood; what was not, is not."""
    done = subprocess.run([sys.executable, "-c", KILLED, url], cwd=os.getcwd(), check=False)
    assert done.returncode == -signal.SIGKILL
    store = Store(url)
    assert store.last_game() == 1 and len(store.load_events(1)) == 3
    row = store.game(1)
    assert row is not None and row.seq == 3
    assert list(store.handled()) == ["7:1"]
    assert [(row.state, row.in_flight) for row in store.messages()] == [
        ("sent", False),
        ("waiting", True),
    ]
    store.commit(grow(1, 3))
    store.close()


def test_closed_everything_is_in_the_one_file(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    store.migrate()
    store.set_reachable("7", True)
    assert (tmp_path / "games.sqlite3-wal").exists()
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["games.sqlite3"]
    assert Store(f"sqlite:///{tmp_path / 'games.sqlite3'}").person("7").reachable


def test_an_older_chain_is_made_anew_where_it_holds(url: str) -> None:
    """What 0003 does to games that were written with 128 bits; a broken one is left as it was."""
    store = Store(url)
    with store._migrating.begin() as connection:
        config = _alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        for game, broken in ((1, False), (2, True)):
            digest, rows = "", []
            for seq, body in enumerate(('{"a":1}', '{"b":2}'), 1):
                digest = hashlib.blake2b((digest + body).encode(), digest_size=16).hexdigest()
                stored = "x" if broken and seq == 1 else digest
                rows.append({"game_id": game, "seq": seq, "body": body, "digest": stored})
            row = {**msgspec.structs.asdict(game_row(game, 2)), "digest": digest}
            row["group_id"] = row.pop("group")
            connection.execute(sqlalchemy.insert(metadata.tables["games"]), row)
            common = {"version": 1, "at": NOW, "type": "x"}
            connection.execute(
                sqlalchemy.insert(metadata.tables["events"]), [{**each, **common} for each in rows]
            )
    store.migrate()
    first, second = store.load_events(1)
    assert first.digest == codec.chain("", 1, first.body)
    assert second.digest == codec.chain(first.digest, 1, second.body)
    assert [row.digest == second.digest for row in store.games()] == [True, False]
    assert [len(row.digest) for row in store.load_events(2)] == [1, 32]
