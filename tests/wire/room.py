"""A page of the rehearsal room, as far as it speaks to the bot."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from data.speech import Speech
from plugins.rehearsal.__main__ import Stage
from tests.wire.client import PATIENCE

TEXTS = Speech().templates("room")
DIRECTOR = 10
GROUP = "group:1"
STAGE = Stage()


class Page:
    """A page that is open. ``frames``: all that it was sent; ``state``: how things stood last."""

    def __init__(self, port: int, *, cookie: str = "") -> None:
        self.port = port
        self.cookie = cookie
        self.frames: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Page:
        self._socket = await knock(self.port, cookie=self.cookie)
        await self.until("hello")
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def ask(self, what: str, **values: Any) -> None:
        """Ask the room for something."""
        await self.send(json.dumps({"do": what, **values}))

    async def send(self, frame: str | bytes) -> None:
        """Send a frame, whatever it is."""
        assert self._socket is not None
        await self._socket.send(frame)

    async def until(self, kind: str) -> dict[str, Any]:
        """The next frame of a kind."""
        assert self._socket is not None
        async with asyncio.timeout(PATIENCE):
            while True:
                frame: dict[str, Any] = json.loads(await self._socket.recv())
                self.frames.append(frame)
                if frame["kind"] == "state":
                    self.state = frame
                if frame["kind"] == kind:
                    return frame
                assert frame["kind"] != "wrong", frame

    async def open(self, board: str, players: int) -> None:
        """Open a rehearsal."""
        await self.ask("open", board=board, players=players)
        await self.until("inbox")
        await self.until("state")

    async def look(self, account: int) -> list[dict[str, Any]]:
        """Speak as an account from now on; all that reached it."""
        await self.ask("look", **{"as": account})
        while (inbox := await self.until("inbox"))["as"] != account:
            pass
        await self.until("state")
        messages: list[dict[str, Any]] = inbox["messages"]
        return messages

    async def do(self, what: str, **values: Any) -> None:
        """Ask for something, and wait until all of it was done."""
        await self.ask(what, **values)
        await self.look(self.state["as"])

    async def type(self, account: int, place: str, text: str) -> None:
        """Somebody types something."""
        await self.do("say", **{"as": account, "place": place, "text": text})

    async def play_on(self) -> None:
        """Let the random players play to the end."""
        for _ in range(200):
            if self.state["over"]:
                return
            await self.do("step")
        raise AssertionError("the game does not end")

    async def do_out(self) -> None:
        """Look at no rehearsal any more; it goes on."""
        await self.ask("go_out")
        await self.until("hello")
        self.state = {}

    async def scenario(self, folder: Path) -> Path:
        """Save what was played."""
        await self.ask("save")
        file = await self.until("file")
        path = folder / file["name"]
        path.write_text(file["text"], encoding="utf-8")
        return path

    async def roles(self) -> dict[int, str]:
        """Seat → its role card."""
        await self.ask("seats")
        views = await self.until("seats")
        return {one["seat"]: one["card"] for one in views["seats"]}

    def account(self, seat: int) -> int:
        """Who sits there."""
        return next(one["account"] for one in self.state["people"] if one["seat"] == seat)


async def knock(port: int, *, origin: str | None = "", host: str = "", cookie: str = "") -> Any:
    """Connect as the page does, or from another site's ``origin`` (``None``: none at all).

    ``host``: by which name, with a port, the page was opened.
    """
    name = host or f"127.0.0.1:{port}"
    headers = {"Cookie": cookie} if cookie else {}
    if origin is not None:
        headers["Origin"] = origin or f"http://{name}"
    return await connect(
        f"ws://{name}/room/ws",
        additional_headers=headers,
        host="127.0.0.1",
        port=port,
        max_size=None,
        proxy=None,
    )


def words(message: dict[str, Any]) -> str:
    """The text of a message."""
    return "".join(one["data"]["text"] for one in message["segments"] if one["type"] == "text")
