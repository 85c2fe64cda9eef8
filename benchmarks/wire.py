"""Over a real WebSocket: our bot beside a bare one, each its own process, turn by turn."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from benchmarks import stage
from benchmarks.counts import Counts
from tests.wire.client import Call, Client, Place

ROOT = Path(__file__).parents[1]

NIGHT, DAY, ELSEWHERE = 71, 72, 73
"""Groups: a game in its night, one on a day of ballots, and one without a game."""

MARK = "答"
"""What the bare bot answers begins with it."""

BREATH = 0.01
"""Seconds between two messages: what the one has caused is over before the other comes."""


class Side:
    """A bot as a process of its own in a folder of its own, and the client that is connected."""

    def __init__(self, folder: Path, *command: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        settings = {
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "DATABASE_URL": url(folder),
            # Answers at once: what a pace makes wait is not what a command costs.
            "SEND_PACE": "0",
            "SEND_PACE_TARGET": "0",
        }
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        # In memory: the log would make the disk slower for the commits.
        self._output = os.memfd_create("output")
        self._process = subprocess.Popen(
            [sys.executable, *command],
            cwd=folder,
            env={**kept, **settings, "HOME": str(folder), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
        )
        # The clock of all CPU time of a process (clock_getcpuclockid): finer than /proc's ticks.
        self._clock = ~self._process.pid << 3 | 2
        self.client = Client(port)
        self.client.rule = self._called
        self._awaited: tuple[Place, asyncio.Future[float]] | None = None

    async def connect(self) -> None:
        """Wait until the bot listens, and connect. Raises RuntimeError if it has ended."""
        while True:
            if self._process.poll() is not None:
                os.lseek(self._output, 0, os.SEEK_SET)
                output = os.read(self._output, 1 << 20).decode(errors="replace")
                raise RuntimeError(f"a bot has ended: {output}")
            try:
                await self.client.connect()
                return
            except OSError:
                await asyncio.sleep(0.05)

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        os.close(self._output)

    def cpu(self) -> float:
        """Seconds of CPU that the process has used, all its threads."""
        return time.clock_gettime(self._clock)

    async def quiet(self) -> None:
        """Wait until the process does nothing, nor has put anything off a little."""
        while True:
            before = self.cpu()
            await asyncio.sleep(0.3)
            if self.cpu() - before < 0.003:
                return

    def _called(self, call: Call) -> None:
        self.client.calls.clear()
        if self._awaited is not None and call.place == self._awaited[0]:
            self._awaited[1].set_result(call.at)
            self._awaited = None

    async def say(self, place: Place, account: int, words: str) -> None:
        """Somebody says something."""
        self.client.events.clear()
        if place[0] == "group":
            await self.client.group(place[1], account, words)
        else:
            await self.client.private(account, words)

    async def ask(self, place: Place, account: int, words: str) -> float:
        """Somebody says something that is answered there; seconds until the answer has come."""
        answered = asyncio.get_running_loop().create_future()
        self._awaited = place, answered
        begun = time.monotonic()
        await self.say(place, account, words)
        async with asyncio.timeout(30):
            return float(await answered) - begun


def url(folder: Path) -> str:
    """The database of the bot in a folder."""
    return f"sqlite:///{folder / 'games.sqlite3'}"


def run(folder: Path, counts: Counts) -> None:
    """Print round trips and CPU per message."""
    asyncio.run(_run(folder, counts))


async def _run(folder: Path, counts: Counts) -> None:
    ours, bare = folder / "ours", folder / "bare"
    ours.mkdir()
    bare.mkdir()
    ledger = stage.open_ledger(url(ours))
    stage.night(ledger, NIGHT)
    stage.ballot_day(ledger, DAY)
    ledger.store.close()
    with ExitStack() as stack:
        disk = stage.Disk(folder)
        stack.callback(disk.close)
        sides = []
        for place, command in ((bare, ("bare/bot.py", MARK)), (ours, ("../bot.py",))):
            path = str((ROOT / "benchmarks" / command[0]).resolve())
            side = Side(place, path, *command[1:])
            stack.callback(side.stop)
            sides.append(side)
        for side in sides:
            await side.connect()
            await side.quiet()
        await _round_trips(sides, disk, counts)
        await _chatter(sides, counts)
        for side in sides:
            await side.client.close()


# --- commands ------------------------------------------------------------------------------------

Asking = tuple[Place, int, Callable[[int], str]]

COMMANDS: dict[str, Asking] = {
    "刀 N (private, on disk, to three seats)": (
        ("private", stage.account(NIGHT, stage.KILLER)),
        stage.account(NIGHT, stage.KILLER),
        lambda number: f"刀 {5 + number % 8}",
    ),
    "投票 N (group, on disk)": (
        ("group", DAY),
        stage.account(DAY, 3),
        lambda number: "投票 5",
    ),
    "状态 (group, only looked up)": (
        ("group", DAY),
        stage.account(DAY, 3),
        lambda number: "状态",
    ),
}


async def _round_trips(sides: list[Side], disk: stage.Disk, counts: Counts) -> None:
    """Each command in turn to the bare bot, to ours, and to the disk alone."""
    bare, ours = sides
    for name, (place, account, words) in COMMANDS.items():
        trips: list[list[float]] = [[], []]
        commits: list[float] = []
        used = [0.0, 0.0]
        for number in range(-counts.warm, counts.exchanges):
            if number == 0:
                used = [side.cpu() for side in sides]
            taken = []
            for side, prefix in ((bare, MARK), (ours, "")):
                taken.append(await side.ask(place, account, prefix + words(number)))
                await asyncio.sleep(BREATH)
            commit = disk.commit()
            if number >= 0:
                for kept, seconds in zip(trips, taken, strict=True):
                    kept.append(seconds)
                commits.append(commit)
        cpu = [(side.cpu() - u) / counts.exchanges for side, u in zip(sides, used, strict=True)]
        theirs, mine, commit = (1e3 * median(seconds) for seconds in (*trips, commits))
        aim = 1.5 * theirs + commit
        print(f"  {name}")
        print(
            f"    round trip: bare {theirs:.2f} ms, a raw commit {commit:.2f} ms, "
            f"ours {mine:.2f} ms = {mine / theirs:.2f} x bare; "
            f"aim {aim / theirs:.2f} x: {_verdict(mine, aim)}"
        )
        print(
            f"    CPU, delivery and answers included: bare {1e3 * cpu[0]:.2f} ms, "
            f"ours {1e3 * cpu[1]:.2f} ms, {cpu[1] / cpu[0]:.2f} x"
        )


def _verdict(found: float, aim: float) -> str:
    return "met" if found <= aim else "MISSED"


# --- chatter -------------------------------------------------------------------------------------

CHATTER: dict[str, Asking] = {
    "in a group without a game": (
        ("group", ELSEWHERE),
        stage.account(ELSEWHERE, 1),
        lambda number: f"闲话，第{number}句，不是命令",
    ),
    "of a player by night (not counted)": (
        ("group", NIGHT),
        stage.account(NIGHT, 5),
        lambda number: f"闲话，第{number}句，不是命令",
    ),
    "of a player by day (a post, on disk)": (
        ("group", DAY),
        stage.account(DAY, 5),
        lambda number: f"闲话，第{number}句，不是命令",
    ),
}


async def _chatter(sides: list[Side], counts: Counts) -> None:
    """Blocks of messages that nobody answers: one by one to each bot in turn, then at once."""
    for name, asking in CHATTER.items():
        await _block(sides, asking, counts.warm, BREATH / 2)
        for how, pause in (("one by one", BREATH / 2), ("at once", 0.0)):
            used: list[list[float]] = []
            for _ in range(counts.blocks):
                used.append(await _block(sides, asking, counts.chatter, pause))
            bare, ours = (1e3 * median(side) / counts.chatter for side in zip(*used, strict=True))
            ratio = median(ours / bare for bare, ours in used)
            print(
                f"  {name}, {how}: bare {bare:.2f} ms, ours {ours:.2f} ms of CPU; "
                f"ours is {ratio:.2f} x bare; aim 1.20 x: {_verdict(ratio, 1.2)}"
            )


async def _block(sides: list[Side], asking: Asking, size: int, pause: float) -> list[float]:
    """Seconds of CPU that each side used for ``size`` messages."""
    place, account, words = asking
    before = [side.cpu() for side in sides]
    if pause:
        for number in range(size):
            for side in sides:
                await side.say(place, account, words(number))
                await asyncio.sleep(pause)
        for side in sides:
            await side.quiet()
        return [side.cpu() - used for side, used in zip(sides, before, strict=True)]
    found = []
    for side, used in zip(sides, before, strict=True):
        for number in range(size):
            await side.say(place, account, words(number))
        await side.quiet()
        found.append(side.cpu() - used)
    return found
