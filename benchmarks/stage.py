"""Games to measure with, brought to some moment through the ledger, and a commit to compare with.

Twelve seats: the kingmaker on 1, killers on 2 to 4, civilians on the others. Opening and close are
hours away, so that no deadline comes in between.
"""

from __future__ import annotations

import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from data.ledger import Ledger
from data.rulesets import load_rulesets
from data.speech import Speech
from data.store import Store
from engine import commands as c

SEATS = range(1, 13)
KILLER = 2
ROLES = {1: "kingmaker", **{n: "killer" for n in (2, 3, 4)}, **{n: "civilian" for n in SEATS[4:]}}


def account(group: int, seat: int) -> int:
    """Who sits on a seat of the game in a group."""
    return group * 100 + seat


def open_ledger(url: str) -> Ledger:
    """A ledger on the database behind a URL, whose tables are made if need be."""
    store = Store(url)
    store.migrate()
    return Ledger(store, Speech(), load_rulesets())


def night(ledger: Ledger, group: int) -> int:
    """A game in its first night; returns its number."""
    at = datetime.now(UTC)
    local = at.astimezone(ZoneInfo("Asia/Shanghai"))
    hours = {
        "open": f"{local + timedelta(hours=10):%H:%M}",
        "close": f"{local + timedelta(hours=16):%H:%M}",
    }
    director = str(account(group, 99))
    game = ledger.create(
        at=at,
        group=str(group),
        sheet="kingmaker",
        parameters=hours,
        account=director,
        name="director",
    ).game_id
    assert game is not None
    for seat in SEATS:
        who = str(account(group, seat))
        _do(ledger, game, c.SignUp(at=at, account=who, name=f"player{seat}"))
    _do(ledger, game, c.Deal(at=at, seed="5eed", roles=ROLES))
    return game


def ballot_day(ledger: Ledger, group: int) -> int:
    """A game on its second day, in a democracy of the seats 2 to 12; returns its number."""
    at = datetime.now(UTC)
    number = night(ledger, group)
    game = ledger.game(number)
    _do(ledger, number, c.OpenDay(at=at))
    king = game.crown.king
    assert king is not None
    _do(ledger, number, c.Order(at=at, seat=king, target=1))
    _do(ledger, number, c.Choose(at=at, seat=king, choice="dictatorship"))
    _do(ledger, number, c.Abdicate(at=at, seat=king))
    _do(ledger, number, c.OpenDay(at=at))
    assert game.phase == "day" and game.decides == "ballot"
    return number


def _do(ledger: Ledger, game: int, command: c.Command) -> None:
    outcome = ledger.act(game, command)
    assert outcome.refused is None and not outcome.failed, outcome.refused
    ledger.commit()


class Disk:
    """One row more, on disk: the least that a durable command can cost in this folder."""

    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / "raw.sqlite3", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("CREATE TABLE said (id INTEGER PRIMARY KEY, words TEXT)")

    def commit(self) -> float:
        """Insert a row of 300 characters and commit; seconds that it took."""
        begun = time.perf_counter()
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO said (words) VALUES (?)", ("x" * 300,))
        self._connection.execute("COMMIT")
        return time.perf_counter() - begun

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
