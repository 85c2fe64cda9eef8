"""Commits a second, and what a command costs when the log is short and when it is long."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from statistics import median

from benchmarks import stage
from benchmarks.counts import Counts
from data.ledger import Ledger
from data.message import Target
from data.store import OutboxRow
from engine import commands as c
from engine.game import Game

BATCH = 10
GROUP = 7
REPLY = Target("group", str(GROUP))


class Voting:
    """A game on a day of ballots, in which the seats vote in turn, again and again.

    A ballot that says what it said before is kept and announced like any other.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / "games.sqlite3"
        self.ledger = stage.open_ledger(f"sqlite:///{self.file}")
        self.game = stage.ballot_day(self.ledger, GROUP)
        self._keys = count()
        self._new: list[OutboxRow] = []
        self.ledger.on_outbox = self._new.extend
        self._voters = list(stage.SEATS[1:])

    def act(self, command: c.Command) -> None:
        """Do as the desk does: the command, and the id of its message."""
        outcome = self.ledger.act(self.game, command, REPLY, f"{GROUP}:{next(self._keys)}")
        assert outcome.events, outcome

    def vote(self) -> None:
        """One ballot."""
        seat = self._voters[next(self._keys) % len(self._voters)]
        self.act(c.Vote(at=datetime.now(UTC), seat=seat, target=5))

    def post(self) -> None:
        """One post that counts."""
        seat = self._voters[next(self._keys) % len(self._voters)]
        self.act(c.Post(at=datetime.now(UTC), seat=seat, text="a post of a usual length"))

    def length(self) -> int:
        """Events so far."""
        return self.ledger.store.game(self.game).seq  # type: ignore[union-attr]

    def deliver(self) -> None:
        """What the courier writes for what is new in the outbox: it begins, and has arrived."""
        ids = [row.id for row in self._new]
        self.ledger.store.mark(begun=ids)
        self.ledger.store.mark(sent=ids)
        self._new.clear()

    def all_said(self) -> None:
        """Let nothing wait any more."""
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute("UPDATE outbox SET state = 'sent'")
        self._new.clear()

    def close(self) -> None:
        """Close the database."""
        self.ledger.store.close()


def run_commits(folder: Path, counts: Counts) -> None:
    """Print commits a second of one writer, each sort in turn, round by round."""
    disk, voting = stage.Disk(folder), Voting(folder)
    raw: list[float] = []
    single: list[float] = []
    single_cpu: list[float] = []
    batch: list[float] = []
    for number in range(-5, counts.commits):
        taken = disk.commit()
        begun, cpu = time.perf_counter(), time.process_time()
        voting.vote()
        voting.ledger.commit()
        after, cpu_after = time.perf_counter(), time.process_time()
        for _ in range(BATCH):
            voting.vote()
        voting.ledger.commit()
        end = time.perf_counter()
        if number >= 0:
            raw.append(taken)
            single.append(after - begun)
            single_cpu.append(cpu_after - cpu)
            batch.append(end - after)
    voting.close()
    disk.close()
    one = median(raw)
    print(f"  raw sqlite3, one row, fsync:         {1 / one:7.0f} commits/s")
    print(
        f"  ledger, one ballot a commit:         {1 / median(single):7.0f} commits/s, "
        f"{median(single) / one:.2f} x the time of a raw one "
        f"({1e3 * median(single_cpu):.2f} ms of CPU)"
    )
    print(
        f"  ledger, {BATCH} ballots a commit:        {1 / median(batch):7.0f} commits/s, "
        f"{BATCH / median(batch):.0f} commands/s"
    )


@dataclass
class _Length:
    """A game whose log has some length, and seconds found there."""

    voting: Voting
    fold: float
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    deliver: list[float] = field(default_factory=list)


def run_length(folder: Path, counts: Counts) -> None:
    """Print what a ballot costs, act and commit, at several lengths of the log, in turn."""
    found: dict[int, _Length] = {}
    for length in counts.lengths:
        place = folder / str(length)
        place.mkdir()
        voting = Voting(place)
        _fill(voting, length)
        found[length] = _Length(voting, _fold(voting.ledger, voting.game))
    # The tables are read and cached by the first few, which do not count.
    for number in range(-5, counts.commands):
        for here in found.values():
            begun, cpu = time.perf_counter(), time.process_time()
            here.voting.vote()
            here.voting.ledger.commit()
            after, cpu_after = time.perf_counter(), time.process_time()
            here.voting.deliver()
            end = time.process_time()
            if number >= 0:
                here.wall.append(after - begun)
                here.cpu.append(cpu_after - cpu)
                here.deliver.append(end - cpu_after)
    first = found[counts.lengths[0]]
    print("  events   act + commit   CPU of that   CPU to deliver   fold after a restart")
    for length, here in found.items():
        here.voting.close()
        wall, cpu, deliver = (
            median(getattr(here, n)) / median(getattr(first, n)) for n in ("wall", "cpu", "deliver")
        )
        print(
            f"  {length:6d}   {wall:10.2f} x   {cpu:9.2f} x   {deliver:12.2f} x   "
            f"{1e3 * here.fold:17.0f} ms"
        )
    print("  (x: times what it is in the first line)")


def _fill(voting: Voting, length: int) -> None:
    """Let the log grow to a length: posts, and a ballot now and then."""
    while (missing := length - voting.length()) > 0:
        for number in range(min(missing, 500)):
            voting.vote() if number % 20 == 0 else voting.post()
        voting.ledger.commit()
    voting.all_said()


def _fold(ledger: Ledger, number: int) -> float:
    """Seconds of CPU until the game is there again after a restart."""
    begun = time.process_time()
    fresh = Ledger(ledger.store, ledger._speech, ledger.rulesets)
    assert isinstance(fresh.game(number), Game)
    return time.process_time() - begun
