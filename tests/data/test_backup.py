"""``python -m data backup``: whole, of one moment, beside a bot that writes; or nothing at all."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from data.__main__ import main
from data.store import Changes, Store, StoreError
from tests.data.test_ledger import House
from tests.data.test_store import grow, saying


@pytest.fixture
def sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store in a file of its own folder, which DATABASE_URL names."""
    (tmp_path / "bot").mkdir()
    url = f"sqlite:///{tmp_path}/bot/games.sqlite3"
    monkeypatch.setenv("DATABASE_URL", url)
    store = Store(url)
    store.migrate()
    return store


def ask(path: Path, *queries: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return [connection.execute(query).fetchone()[0] for query in queries]


def test_a_backup_is_the_game_and_says_nothing_twice(
    sqlite: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    house = House(sqlite)
    house.create()
    house.deal()
    house.ledger.commit()
    rows = sqlite.messages()
    sqlite.mark(sent=[row.id for row in rows[:3]])
    copy = tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy)]) == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600, "it holds every secret"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [copy.name]
    # What comes later is not in it.
    before = len(house.log(1))
    house.create("701")
    house.ledger.commit()
    restored = Store(f"sqlite:///{copy}")
    restored.migrate()
    assert [row.id for row in restored.games()] == [1]
    assert len(restored.load_events(1)) == before
    assert [row.id for row in restored.waiting()] == [row.id for row in rows[3:]]
    assert restored.messages()[:3] == sqlite.messages()[:3]
    # The next message gets the number that it would have had.
    new = restored.commit(Changes(outbox=[saying("新")]))
    assert new[0].id == rows[-1].id + 1
    restored.close()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{copy}")
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == "1 games, 0 differences\n"


def test_each_of_many_backups_beside_a_writer_is_of_one_moment(
    sqlite: Store, tmp_path: Path
) -> None:
    stop, begun = threading.Event(), threading.Event()
    written: list[int] = []

    def write() -> None:
        store = Store(sqlite.url.render_as_string(hide_password=False))
        seq = 0
        while not stop.is_set():
            changes = grow(1, seq, 7)
            changes.outbox = [saying(f"第{n}条") for n in range(7)]
            store.commit(changes)
            seq += 7
            written.append(seq)
            begun.set()
        store.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(20)
        marks = []
        for number in range(8):
            least = written[-1]
            path = tmp_path / f"copy{number}"
            sqlite.backup(path)
            marks.append((path, least, len(written)))
    finally:
        stop.set()
        writer.join()
    assert len({count for _, _, count in marks}) > 1, "nobody wrote meanwhile"
    for path, least, _ in marks:
        check, seq, events, said = ask(
            path,
            "PRAGMA integrity_check",
            "SELECT seq FROM games",
            "SELECT count(*) FROM events",
            "SELECT count(*) FROM outbox",
        )
        assert check == "ok" and seq == events == said >= least


def test_run_as_a_program_it_overwrites_nothing(sqlite: Store, tmp_path: Path) -> None:
    sqlite.commit(grow(1, 0))
    copy = tmp_path / "copy"

    def backup(file: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "data", "backup", str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert (backup(copy).returncode, ask(copy, "SELECT count(*) FROM games")) == (0, [1])
    sqlite.commit(grow(2, 0))
    again = backup(copy)
    assert (again.returncode, again.stdout) == (2, "") and "is not overwritten" in again.stderr
    assert ask(copy, "SELECT count(*) FROM games") == [1]
    own = backup(Path(sqlite.url.database or ""))
    assert own.returncode == 2 and len(sqlite.games()) == 2
    for other in (tmp_path / "no" / "such" / "folder", tmp_path):
        failed = backup(other)
        assert failed.returncode == 2 and "Traceback" not in failed.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot", "copy"]


@pytest.mark.parametrize("step", ["fsync", "link"])
def test_what_fails_leaves_nothing(
    sqlite: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(StoreError, match="No space left"):
        sqlite.backup(tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == ["bot"]


def test_of_a_broken_database_there_is_no_backup(sqlite: Store, tmp_path: Path) -> None:
    sqlite.commit(Changes(outbox=[saying("长" * 2000) for _ in range(200)]))
    sqlite.close()
    path = Path(sqlite.url.database or "")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError, match="the backup failed: DatabaseError"):
        Store(f"sqlite:///{path}").backup(tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == ["bot"]


def test_someone_else_was_quicker(
    sqlite: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file comes into being while the backup is written: it stays as it is."""
    copy, fsync = tmp_path / "copy", os.fsync

    def meanwhile(handle: int) -> None:
        copy.write_text("another's")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(StoreError, match="exists"):
        sqlite.backup(copy)
    assert copy.read_text() == "another's" and len(list(tmp_path.iterdir())) == 2


def test_before_an_upgrade_a_database_of_another_revision_is_backed_up(
    sqlite: Store, tmp_path: Path
) -> None:
    with sqlite._writing.begin() as connection:
        connection.execute(sqlalchemy.text("UPDATE alembic_version SET version_num = 'older'"))
    with pytest.raises(StoreError):
        sqlite.check()
    sqlite.backup(tmp_path / "copy")
    assert ask(tmp_path / "copy", "SELECT version_num FROM alembic_version") == ["older"]


def test_without_a_database_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["backup", "copy"]) == 2
    assert "zhifatuan.sqlite3" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_for_postgresql_it_names_the_tool_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@here:5433/games")
    assert main(["backup", str(tmp_path / "the copy")]) == 2
    said = capsys.readouterr().err
    assert (
        f"pg_dump --format=custom '--file={tmp_path}/the copy' postgresql://me@here:5433/games"
        in said
    )
    assert "secret" not in said and list(tmp_path.iterdir()) == []
