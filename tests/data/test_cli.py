"""``python -m data``: what it shows, and that ``verify`` finds what is wrong."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from data import DEFAULT_URL, codec, database_url
from data.__main__ import main
from data.store import Store
from engine import commands as c
from engine import view
from engine.game import Game
from tests.data.test_ledger import OPENING, House


@pytest.fixture
def house(url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """Game 1 on its first day, game 2 in sign-up, in the database that DATABASE_URL names."""
    monkeypatch.setenv("DATABASE_URL", url)
    store = Store(url)
    store.migrate()
    house = House(store)
    house.create()
    house.deal()
    house.act(c.Act, seat=2, ability="faction_kill", target=5)
    house.create("701")
    house.ledger.commit()
    house.now = OPENING + timedelta(minutes=5)
    house.act(c.Announce, text="天亮了")
    house.ledger.commit()
    return house


def spoil(house: House, statement: str) -> None:
    """Change the database behind everybody's back."""
    with house.store._writing.begin() as connection:
        connection.execute(sqlalchemy.text(statement))


def test_list(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.act(c.EndGame, 2)
    house.ledger.commit()
    assert main(["list"]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split()[:5] == ["game", "sheet", "group", "phase", "events"]
    count = len(house.log(1))
    assert first.split() == ["1", "kingmaker", "700", "day", str(count), "2026-03-02", "00:00"]
    assert second.split()[3] == "over" and second.split()[-2:] == ["2026-03-02", "09:05"]


def test_facts(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    game = house.ledger.game(1)
    assert found == json.loads(json.dumps(view.facts(game, game.now)))
    assert found["day"] == 1 and found["roles"]["2"] == "killer"


def test_log_is_the_whole_game(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "1"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(house.log(1)) + 1))
    assert lines[0]["event"]["event"] == "created"
    game = Game.fold(codec.decode(line["version"], json.dumps(line["event"])) for line in lines)
    assert codec.facts(game) == codec.facts(house.ledger.game(1))


@pytest.mark.parametrize("command", ["facts", "log", "story", "verify"])
def test_a_game_that_there_is_not(
    house: House, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "3"]) == 2
    assert "no game 3" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["list"], ["verify"], ["log", "1"]])
def test_without_a_database_nothing_is_made(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(command) == 2
    assert "zhifatuan.sqlite3" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_run_as_a_program(house: House) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "data", "verify"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 games, 0 differences\n", "")


def test_verify_finds_nothing_in_what_the_ledger_wrote(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    house.ledger.wake(1, OPENING + timedelta(days=2))
    house.act(c.EndGame, 2)
    house.ledger.commit()
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == "2 games, 0 differences\n"


def test_verify_while_the_bot_writes(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load_events, texts = Store.load_events, ["x", "y"]

    def load(store: Store, game_id: int) -> Any:
        if game_id == 1 and texts:
            house.act(c.Announce, text=texts.pop())
            house.ledger.commit()
        return load_events(store, game_id)

    monkeypatch.setattr(Store, "load_events", load)
    assert main(["verify"]) == 0, capsys.readouterr().out
    assert not texts


SPOILED = {
    "an event is gone": ("DELETE FROM events WHERE game_id = 1 AND seq = 4", 4),
    "the last event is gone": (
        "DELETE FROM events WHERE game_id = 1 AND type = 'announced'",
        -2,
    ),
    "all events are gone": ("DELETE FROM events WHERE game_id = 1", 0),
    "a body was changed": (
        "UPDATE events SET body = replace(body, '\"seat\"\\:2', '\"seat\"\\:3')"
        " WHERE game_id = 1 AND type = 'kill_named'",
        "kill_named",
    ),
    "a body with other spaces": (
        "UPDATE events SET body = replace(body, ',', ', ') WHERE game_id = 1 AND seq = 3",
        3,
    ),
    "a body that is none": ("UPDATE events SET body = '{}' WHERE game_id = 1 AND seq = 5", 5),
    "a body of a version that there is not": (
        "UPDATE events SET version = 9 WHERE game_id = 1 AND seq = 5",
        5,
    ),
    "another type": ("UPDATE events SET type = 'x' WHERE game_id = 1 AND seq = 5", 5),
    "another digest at the end": ("UPDATE games SET digest = 'x' WHERE id = 1", -1),
    "another phase": ("UPDATE games SET phase = 'night' WHERE id = 1", -1),
    "another group": ("UPDATE games SET group_id = '9' WHERE id = 1", -1),
    "other facts": (
        "UPDATE games SET facts = replace(facts, '\"civilian\"', '\"killer\"') WHERE id = 1",
        "day_opened",
    ),
}


@pytest.mark.parametrize("what", SPOILED)
def test_verify_names_what_is_wrong(
    house: House, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    statement, where = SPOILED[what]
    log = house.log(1)
    seqs = {where}
    if where == "day_opened":
        row = house.store.game(1)
        assert row is not None
        seqs = {row.facts_seq}
    elif isinstance(where, str):
        seqs = {log.index(where) + 1}
    elif where < 0:
        seqs = {len(log) + 1 + where}
    spoil(house, statement)
    assert main(["verify"]) == 1
    *found, summary = capsys.readouterr().out.splitlines()
    assert found and summary == f"2 games, {len(found)} differences"
    assert {line.split(":")[0] for line in found} == {f"game 1, event {seq}" for seq in seqs}
    assert not any(secret in line for line in found for secret in ("killer", "civilian", "1970"))


def test_verify_finds_rules_that_have_changed(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is whole, but this engine makes something else of it than the one that wrote it."""
    apply = Game.apply

    def forget(game: Game, event: Any) -> None:
        if codec.kind(event) != "departed":
            apply(game, event)

    monkeypatch.setattr(Game, "apply", forget)
    assert main(["verify"]) == 1
    out = capsys.readouterr().out
    assert "game 1" in out and "alive" in out and "game 2" not in out


def test_verify_finds_an_event_that_cannot_be_applied(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: Game, event: Any) -> None:
        raise KeyError("3 is the killer")

    monkeypatch.setattr(Game, "apply", fail)
    assert main(["verify"]) == 1
    assert capsys.readouterr().out.startswith("game 1, event 1: can't be applied: KeyError\n")


def test_verify_lets_new_facts_be(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts: Callable[..., dict[str, Any]] = view.facts
    monkeypatch.setattr(view, "facts", lambda game, now: facts(game, now) | {"new": 1})
    assert main(["verify"]) == 0


def test_an_older_version_is_read_through_its_upcast(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Version 0 called the seat of a kill ``who``; a game written then is read, and verifies."""

    def upcast(plain: dict[str, Any]) -> dict[str, Any]:
        if "who" in plain:
            plain["seat"] = plain.pop("who")
        return plain

    rows = house.store.load_events(1)
    digest = ""
    for row in rows:
        body = row.body
        if row.type == "kill_named":
            body = body.replace('"seat"', '"who"')
        digest = codec.chain(digest, 0, body)
        with house.store._writing.begin() as connection:
            connection.execute(
                sqlalchemy.text(
                    "UPDATE events SET body = :b, version = 0, digest = :d"
                    " WHERE game_id = 1 AND seq = :s"
                ),
                {"b": body, "s": row.seq, "d": digest},
            )
    spoil(house, f"UPDATE games SET digest = '{digest}' WHERE id = 1")
    assert main(["verify"]) == 1, "without an upcast it can't be read"
    monkeypatch.setitem(codec.UPCASTS, 0, upcast)
    capsys.readouterr()
    assert main(["verify"]) == 0, capsys.readouterr().out
    house.restart()
    assert codec.facts(house.ledger.game(1)) == codec.facts(
        Game.fold(codec.decode(row.version, row.body) for row in rows)
    )


def test_where_the_database_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "ENVIRONMENT"):
        monkeypatch.delenv(name, raising=False)
    assert database_url() == DEFAULT_URL
    Path(".env").write_text("DATABASE_URL=sqlite:///a\n")
    assert database_url() == "sqlite:///a"
    Path(".env.prod").write_text("database_url=sqlite:///b\n")
    assert database_url() == "sqlite:///b"
    Path(".env.test").write_text("")
    monkeypatch.setenv("ENVIRONMENT", "test")
    assert database_url() == "sqlite:///a"
    monkeypatch.setenv("DATABASE_URL", "sqlite:///c")
    assert database_url() == "sqlite:///c"
    assert os.listdir() and not Path("c").exists()


@pytest.mark.parametrize("module", ["data", "plugins.rehearsal"])
def test_a_reader_who_goes_ends_it_quietly(house: House, module: str) -> None:
    arguments = {"data": ["log", "1"], "plugins.rehearsal": ["--clauses"]}[module]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")


# --- stories -------------------------------------------------------------------------------------


def test_a_running_game_has_no_story(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["story", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "game 1 is not over" in err


def test_verify_looks_at_one_game(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(house, "UPDATE games SET digest = 'x' WHERE id = 1")
    assert main(["verify", "2"]) == 0
    assert capsys.readouterr().out == "1 games, 0 differences\n"
    assert main(["verify", "1"]) == 1


def test_a_story_is_checked_without_the_database(
    house: House,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for account in range(1, 7):
        house.act(c.SignUp, 2, account=str(account), name=f"玩家{account}")
    house.act(c.Deal, 2, seed="5eed" * 8)
    house.act(c.EndGame, 2)
    house.ledger.commit()
    public = "\n".join(row.text for row in house.store.messages(0, 2) if row.audience == "public")
    codes = re.findall(r"存证：([0-9A-Z-]+)", public)
    assert len(codes) == 2
    assert main(["story", "2"]) == 0
    story = capsys.readouterr().out
    assert story.startswith("# 第2局 · 拥王者1.0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///nowhere.sqlite3")
    file = tmp_path / "story.md"
    file.write_text(story, encoding="utf-8")
    assert main(["verify", "story.md"]) == 0
    assert "请和群里当时公布的对一对" in capsys.readouterr().out
    assert main(["verify", "story.md", *codes]) == 0
    assert main(["verify", "story.md", codes[0], codes[1][:-1] + "!"]) == 1
    assert "对不上" in capsys.readouterr().out
    file.write_text(story.replace('"name":"玩家3"', '"name":"玩家X"'), encoding="utf-8")
    assert main(["verify", "story.md", *codes]) == 1
    assert re.match(r"第 \d+ 条：它或它前面的一条被改过", capsys.readouterr().out)
    assert main(["verify", "nothing.md"]) == 1
    assert "nothing.md 不是复盘文件" in capsys.readouterr().out
    file.write_bytes(b"\xff")
    assert main(["verify", "story.md"]) == 1
