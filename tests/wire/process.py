"""bot.py as a process of its own, in a room of its own, so that nobody's settings are read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from data.store import OutboxRow, Store
from tests.wire.client import PATIENCE

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def run(
    *arguments: str, room: Path, root: Path = ROOT, patience: float = PATIENCE
) -> tuple[int, str]:
    """Run Python with these arguments in a room; gives the exit code and all that it printed.

    Fails when it has not ended after ``patience`` seconds.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=room,
        env=_environment(room, root),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    ending = asyncio.create_task(process.communicate())
    ended, _ = await asyncio.wait({ending}, timeout=patience)
    if not ended:
        process.kill()
    output, _ = await ending
    assert ended, f"{arguments} did not end: {output.decode()[:2000]}"
    return process.returncode or 0, output.decode()


def _environment(room: Path, root: Path) -> dict[str, str]:
    """What a process is told by its environment: nothing that could be a setting."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(room),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(root),
        "PYTHONUNBUFFERED": "1",
    }


# Runs a piece of Python, and then a program as if it had been started itself.
_AFTER = "import runpy, sys; exec(sys.argv[1]); runpy.run_path(sys.argv[2], run_name='__main__')"


class Bot:
    """The bot as a process. ``settings`` is its .env; ``root`` holds bot.py.

    ``before``: a piece of Python that the process runs before bot.py.
    It may be started again after it was stopped or killed; the database stays.
    """

    def __init__(self, room: Path, *, root: Path = ROOT, before: str = "", **settings: str) -> None:
        self.room = room
        self.root = root
        self.before = before
        self.port = free_port()
        self.url = f"sqlite:///{room / 'games.sqlite3'}"
        self.settings = {
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "DATABASE_URL": self.url,
            "SEND_PACE": "0",
            "SEND_PACE_TARGET": "0",
            **settings,
        }
        lines = [f"{key}={value}\n" for key, value in self.settings.items()]
        (room / ".env").write_text("".join(lines), encoding="utf-8")
        self._output = room / "output"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it listens."""
        with self._output.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                _AFTER,
                self.before,
                str(self.root / "bot.py"),
                cwd=self.room,
                env=_environment(self.room, self.root),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self._listens():
                    assert self._process.returncode is None, f"it ended: {self.output()}"
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"it does not listen: {self.output()}") from None

    async def _listens(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True

    async def kill(self) -> None:
        """End it as a power cut would."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Ask it to end, as a person does at the console."""
        await self._end(signal.SIGINT)

    async def _end(self, sign: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.send_signal(sign)
        try:
            await asyncio.wait_for(process.wait(), 20)
        except TimeoutError:
            process.kill()
            await process.wait()

    def output(self) -> str:
        """All that it has printed since its first start."""
        return self._output.read_text(encoding="utf-8", errors="replace")

    def memory(self) -> int:
        """How much memory it holds, in bytes."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    # --- what it has written --------------------------------------------------------------------

    async def data(self, *arguments: str) -> str:
        """What ``python -m data`` prints. Fails unless its exit code is 0."""
        code, output = await run("-m", "data", *arguments, room=self.room, root=self.root)
        assert code == 0, output
        return output

    async def facts(self, game: int) -> dict[str, Any]:
        """The whole truth about a game."""
        facts: dict[str, Any] = json.loads(await self.data("facts", str(game)))
        return facts

    async def log(self, game: int, *kinds: str) -> list[dict[str, Any]]:
        """A game's events, only those of some kinds if any are named."""
        lines = (await self.data("log", str(game))).splitlines()
        events = [json.loads(line)["event"] for line in lines]
        return [event for event in events if not kinds or event["event"] in kinds]

    def length(self, game: int) -> int:
        """How many events a game has."""
        with self._store() as store:
            row = store.game(game)
        assert row is not None
        return row.seq

    def outbox(self) -> list[OutboxRow]:
        """All that was to be said so far, in the order of saying."""
        with self._store() as store:
            return store.messages()

    def waiting(self) -> int:
        """How many messages are still to be said."""
        with contextlib.closing(sqlite3.connect(self.room / "games.sqlite3")) as connection:
            query = "SELECT count(*) FROM outbox WHERE state = 'waiting'"
            return int(connection.execute(query).fetchone()[0])

    @contextlib.contextmanager
    def _store(self) -> Iterator[Store]:
        store = Store(self.url)
        try:
            yield store
        finally:
            store.close()
