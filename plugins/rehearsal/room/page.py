"""The room's web page: what it is made of, and the one connection by which it is driven.

Every page that is open looks at one rehearsal, as one of its people, and is sent what that account
was told and nothing else; what all seats know is sent only when it is asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any
from urllib.parse import parse_qs

import msgspec
from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.responses import Response

from engine import calendar, view
from engine.ruleset import Sheet
from plugins.gamemaster import words
from plugins.gamemaster.house import House, log, log_fault, now
from plugins.rehearsal.room.asks import asks
from plugins.rehearsal.room.door import COOKIE, Door
from plugins.rehearsal.room.qq import Muted, Place, Refusal, Said
from plugins.rehearsal.room.table import DIRECTOR, GROUP, Table

WEB = Path(__file__).parent / "web"

FILES = {"page.js": "text/javascript", "page.css": "text/css", "icon.svg": "image/svg+xml"}

ACCOUNTS = range(1000, 10_000)
"""Accounts that the bot may have in a rehearsal: no QQ number is as short."""

AT_ONCE = 8
"""So many rehearsals may be on at one time."""

_ATTEMPTS = 3
"""So many accounts are tried, should a client have one of them."""

LONGEST = 4500
"""Characters of a message, as in QQ."""

_SOON = 0.05
"""Seconds until a page is shown what has changed."""

_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        " img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    # With "no-referrer" a browser does not say either that a form was sent by the page itself.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Room:
    """All rehearsals, and whoever looks at them.

    ``house``: whose sheets and texts they have. ``url`` and ``token``: how a client reaches the
    bot. ``rng``: of the random players.
    """

    def __init__(self, house: House, door: Door, url: str, token: str | None) -> None:
        self.house = house
        self.door = door
        self.url = url
        self.token = token
        self.tables: dict[int, Table] = {}
        self.visitors: set[Visitor] = set()
        self.name = secrets.token_urlsafe(8)
        """What tells it from the room before a restart, whose rehearsals had the same numbers."""
        self._stale: set[Table] = set()
        self._numbers = itertools.count(ACCOUNTS.start)
        self.router = APIRouter()
        self.router.add_api_route("/", self._page, methods=["GET"])
        self.router.add_api_route("/room/enter", self._enter, methods=["POST"])
        self.router.add_api_route("/room/{name}", self._file, methods=["GET"])
        self.router.add_api_websocket_route("/room/ws", self._connect)

    async def close(self) -> None:
        """End all rehearsals."""
        for table in list(self.tables.values()):
            await self.leave(table)

    # --- what is served -------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        if not self.door.is_here(request):
            return self._turned_away()
        if not self.door.is_known(request):
            return self._html("password.html", wrong="")
        return self._html("index.html")

    async def _enter(self, request: Request) -> Response:
        if not self.door.is_here(request) or not self.door.is_own_page(request):
            return self._turned_away()
        body = b""
        async for chunk in request.stream():
            body = (body + chunk)[: LONGEST + 1]
        typed = parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
        key = await self.door.try_password(typed) if self.door.asks else None
        if key is None:
            return self._html("password.html", 403, wrong=self._say("room.password_wrong"))
        answer = RedirectResponse("/", 303, headers=_HEADERS)
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, key, httponly=True, samesite="strict", secure=secure)
        return answer

    async def _file(self, request: Request, name: str) -> Response:
        # What the page is made of is no secret; the door is at the page and its connection.
        if name not in FILES or not self.door.is_here(request):
            return PlainTextResponse("", 404, headers=_HEADERS)
        return FileResponse(WEB / name, media_type=FILES[name], headers=_HEADERS)

    def _turned_away(self) -> Response:
        key = "room.elsewhere" if self.door.is_open else "room.closed"
        return PlainTextResponse(self._say(key), 403, headers=_HEADERS)

    def _html(self, name: str, status: int = 200, **values: str) -> Response:
        """A page, with the room's texts put in where it has ``{{key}}``."""
        texts = {**self.house.speech.templates("room"), **values}
        page = (WEB / name).read_text(encoding="utf-8")
        filled = re.sub(r"\{\{([\w.]+)\}\}", lambda match: texts[match[1]], page)
        return HTMLResponse(filled, status, headers=_HEADERS)

    def _say(self, key: str, **values: Any) -> str:
        return self.house.speech.say(key, **values)

    # --- the connection -------------------------------------------------------------------------

    async def _connect(self, socket: WebSocket) -> None:
        if not self.door.is_known(socket) or not self.door.is_own_page(socket):
            await socket.close(1008)
            return
        await socket.accept()
        visitor = Visitor(self, socket)
        self.visitors.add(visitor)
        try:
            await visitor.stay()
        finally:
            self.visitors.discard(visitor)

    def hello(self) -> dict[str, Any]:
        """What the page needs before anything else."""
        speech = self.house.speech
        return {
            "kind": "hello",
            "room": self.name,
            "texts": {**speech.templates("room")},
            "back": _BACK if _BACK[0] in _FORMS else None,
            "boards": [
                {
                    "key": key,
                    "title": speech.title(sheet),
                    "least": sheet.players or sheet.players_min,
                    "most": sheet.players or sheet.players_max,
                }
                for key, sheet in sorted(self.house.rulesets.items(), key=_rank)
            ],
            "tables": [self.summary(table) for table in self.tables.values()],
        }

    def summary(self, table: Table) -> dict[str, Any]:
        """A rehearsal in the list of them."""
        game = table.game()
        phase = table.speech.phase(view.public_view(game)) if game is not None else ""
        title = table.speech.title(table.sheet)
        return {
            "table": table.number,
            "title": title,
            "players": len(table.players),
            "phase": phase,
        }

    async def open(self, key: str, players: int) -> Table:
        """Open a rehearsal. Raises :class:`Misfit`, :class:`Full`, Refusal or Broken."""
        sheet = self.house.rulesets.get(key)
        if sheet is None:
            raise Misfit
        least = sheet.players or sheet.players_min
        if not least <= players <= (sheet.players or sheet.players_max):
            raise Misfit
        await self._make_room()
        start = now().replace(second=0, microsecond=0)
        for number in itertools.islice(self._numbers, _ATTEMPTS):
            if number not in ACCOUNTS:
                raise Full
            rng = Random(SystemRandom().getrandbits(64))
            table = Table(number, self.house, sheet, players, start, rng)
            self.tables[number] = table
            table.qq.on_said = partial(self._said, table)
            table.qq.on_recalled = partial(self._recalled, table)
            try:
                await table.open(self.url, self.token)
            except Refusal:
                # Some client may have that number.
                await self.leave(table)
                continue
            except BaseException:
                await self.leave(table)
                raise
            table.on_change = partial(self._changed, table)
            return table
        raise Refusal

    async def _make_room(self) -> None:
        """End the oldest rehearsal that nobody looks at, if there are too many."""
        if len(self.tables) < AT_ONCE:
            return
        looked_at = {visitor.table for visitor in self.visitors}
        for table in self.tables.values():
            if table not in looked_at:
                await self.leave(table)
                return
        raise Full

    async def leave(self, table: Table) -> None:
        """End a rehearsal."""
        self.tables.pop(table.number, None)
        for visitor in self.visitors:
            if visitor.table is table:
                visitor.table = None
                visitor.tell({"kind": "gone"})
        await table.close()

    # --- what has happened ----------------------------------------------------------------------

    def _said(self, table: Table, said: Said, reached: list[int]) -> None:
        for visitor in self.visitors:
            if visitor.table is table:
                visitor.heard(said, reached)

    def _recalled(self, table: Table, said: Said) -> None:
        for visitor in self.visitors:
            if visitor.table is table:
                visitor.tell({"kind": "recalled", "id": said.id})

    def _changed(self, table: Table) -> None:
        """Show it soon: a great deal may change at one time."""
        if table not in self._stale:
            self._stale.add(table)
            asyncio.get_running_loop().call_later(_SOON, self._show, table)

    def _show(self, table: Table) -> None:
        self._stale.discard(table)
        for visitor in self.visitors:
            if visitor.table is table:
                visitor.see(again=False)


class Misfit(Exception):
    """A page has asked for what there is not."""


class Asked(msgspec.Struct):
    """What a page asks: ``do``, and what that takes of the rest."""

    do: str
    board: str = ""
    players: int = 0
    table: int = 0
    account: int = msgspec.field(name="as", default=DIRECTOR)
    place: str = ""
    text: str = ""
    seats: list[int] = []


class Full(Exception):
    """There are as many rehearsals as there may be."""


class Visitor:
    """A page that is open. ``table``: the rehearsal that it looks at, ``account``: as whom."""

    def __init__(self, room: Room, socket: WebSocket) -> None:
        self.room = room
        self.table: Table | None = None
        self.account = DIRECTOR
        self._socket = socket
        self._unread: dict[int, int] = {}
        self._seen: dict[str, Any] = {}
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def stay(self) -> None:
        """Do what the page asks, until it is closed."""
        sending = asyncio.create_task(self._send())
        self.tell(self.room.hello())
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self._do(message.get("text") or message.get("bytes") or "")
        finally:
            sending.cancel()

    def tell(self, what: dict[str, Any]) -> None:
        """Send something to the page."""
        self._outbox.put_nowait(what)

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(json.dumps(await self._outbox.get()))

    # --- what the page is told ------------------------------------------------------------------

    def heard(self, said: Said, reached: list[int]) -> None:
        """Somebody has said something there."""
        assert self.table is not None
        for account in reached:
            if account == self.account:
                self.tell({"kind": "said", "message": self.table.show(said)})
            elif said.sender != account and said.place != GROUP:
                self._unread[account] = self._unread.get(account, 0) + 1

    def see(self, *, again: bool = True) -> None:
        """Show how things stand; not ``again`` what was shown last.

        That something has happened of which this account sees nothing would be a secret told.
        """
        table = self.table
        if table is None:
            return
        game = table.game()
        if game is None:
            return
        public = view.public_view(game)
        zone = calendar.zone(game.sheet.zone)
        out = {seat["account"] for seat in public["seats"] if seat["out"]}
        due = [due for due, kind in public["deadlines"]]
        seat = table.seat(self.account)
        own = view.seat_view(game, seat) if seat is not None else None
        directs = self.account == DIRECTOR
        state = {
            "kind": "state",
            "table": table.number,
            "title": table.speech.title(game.sheet),
            "phase": table.speech.phase(public),
            "times": table.speech.times(public),
            "game": game.id,
            "over": game.phase == "over",
            "clock": table.clock.astimezone(zone).isoformat(),
            "next": min(due).astimezone(zone).isoformat() if due else None,
            "paused": public["paused"],
            "stands": table.next_deadline() is None,
            "running": table.running,
            "failed": table.failed,
            "as": self.account,
            "by_hand": sorted(table.by_hand),
            "people": [
                {
                    "account": account,
                    "name": name,
                    "seat": table.seat(account),
                    "out": str(account) in out,
                    # Who is told something in private is a secret of the game's.
                    "unread": self._unread.get(account, 0) if directs else 0,
                }
                for account, name in table.names.items()
            ],
            "places": self._places(table),
            "asks": asks(own, public, directs),
        }
        if again or state != self._seen:
            self._seen = state
            self.tell(state)

    def _places(self, table: Table) -> list[dict[str, Any]]:
        game = table.game()
        names = table.speech.channels(game.sheet) if game is not None else {}
        return [
            {
                "key": place.key,
                "kind": "private"
                if place.kind == "private"
                else "channel"
                if place.id in table.channels
                else "group",
                "name": names.get(table.channels.get(place.id, ""), ""),
                "here": table.may_type(self.account, place),
            }
            for place in table.places(self.account)
        ]

    def _look(self, account: int) -> None:
        table = self._table()
        if account not in table.names:
            raise Misfit
        self.account = account
        self._unread.pop(account, None)
        inbox = [table.show(said) for said in table.qq.inboxes[account]]
        self.tell({"kind": "inbox", "as": account, "messages": inbox})
        self.see()

    # --- what the page asks ---------------------------------------------------------------------

    def _table(self) -> Table:
        if self.table is None:
            raise Gone
        return self.table

    async def _do(self, frame: str | bytes) -> None:
        try:
            asked = _ASKED.decode(frame)
            act = _ACTS[asked.do]
        except (msgspec.MsgspecError, UnicodeError, RecursionError, KeyError):
            self._wrong("room.page.misread")
            return
        try:
            await act(self, asked)
        except Misfit:
            self._wrong("room.page.misread")
        except Gone:
            self.tell({"kind": "gone"})
        except Full:
            self._wrong("room.page.full", count=AT_ONCE)
        except Muted as muted:
            game = self._table().game()
            assert game is not None
            until = muted.until.astimezone(calendar.zone(game.sheet.zone))
            self._wrong("room.page.muted_you", until=f"{until:%H:%M}")
        except Refusal:
            log.warning("the bot did not let the rehearsal's client in")
            self._wrong("room.page.failed")
        except Exception as error:
            log_fault("the rehearsal room", error)
            self._wrong("room.page.failed")

    def _wrong(self, key: str, **values: Any) -> None:
        self._tell("wrong", key, **values)

    def _tell(self, kind: str, key: str, **values: Any) -> None:
        self.tell({"kind": kind, "text": self.room.house.speech.say(key, **values)})

    async def _open(self, asked: Asked) -> None:
        self.table = await self.room.open(asked.board, asked.players)
        self._unread = {}
        self._look(DIRECTOR)

    async def _join(self, asked: Asked) -> None:
        self.table = self.room.tables.get(asked.table)
        self._unread = {}
        self._look(asked.account)

    async def _leave(self, asked: Asked) -> None:
        table, self.table = self._table(), None
        await self.room.leave(table)
        self.tell(self.room.hello())

    async def _go_out(self, asked: Asked) -> None:
        self.table = None
        self.tell(self.room.hello())

    async def _look_as(self, asked: Asked) -> None:
        self._look(asked.account)

    async def _say(self, asked: Asked) -> None:
        table, account, text = self._table(), asked.account, asked.text[:LONGEST]
        match = _PLACE.fullmatch(asked.place)
        if match is None or account not in table.names:
            raise Misfit
        place = Place("private" if match[1] == "private" else "group", int(match[2]))
        if not table.may_type(account, place):
            self._wrong("room.page.not_member")
        elif text.strip():
            await table.type(account, place, text)

    async def _step(self, asked: Asked) -> None:
        await self._table().step()

    async def _act(self, asked: Asked) -> None:
        await self._table().act()

    async def _plus(self, asked: Asked) -> None:
        await self._table().move(timedelta(minutes=10))

    async def _run(self, asked: Asked) -> None:
        table = self._table()
        table.run(partial(self._owing, table))
        self.see()

    def _owing(self, table: Table, seats: Sequence[int]) -> None:
        """Whoever lets the game play itself is told for whom it waits."""
        if self.table is table:
            named = table.speech.names([table.called(seat) for seat in seats])
            self._tell("owing", "room.page.owing", seats=named)

    async def _halt(self, asked: Asked) -> None:
        await self._table().stop()

    async def _by_hand(self, asked: Asked) -> None:
        table = self._table()
        table.by_hand = {seat for seat in asked.seats if 1 <= seat <= len(table.players)}
        table.on_change()

    async def _seats(self, asked: Asked) -> None:
        self.tell({"kind": "seats", **self._table().views()})

    async def _log(self, asked: Asked) -> None:
        self.tell({"kind": "log", "lines": self._table().log()})

    async def _save(self, asked: Asked) -> None:
        table = self._table()
        game = table.recorded()
        if game is None:
            self._wrong("room.page.nothing")
            return
        local = table.clock.astimezone(calendar.zone(game.sheet.zone))
        name = f"{game.sheet.key}-{local:%Y%m%d-%H%M}.toml"
        self.tell({"kind": "file", "name": name, "text": table.scenario(), "game": game.id})


class Gone(Exception):
    """The rehearsal is no more."""


_ACTS: dict[str, Callable[[Visitor, Asked], Awaitable[None]]] = {
    "open": Visitor._open,
    "join": Visitor._join,
    "leave": Visitor._leave,
    "go_out": Visitor._go_out,
    "look": Visitor._look_as,
    "say": Visitor._say,
    "step": Visitor._step,
    "act": Visitor._act,
    "plus": Visitor._plus,
    "run": Visitor._run,
    "halt": Visitor._halt,
    "by_hand": Visitor._by_hand,
    "seats": Visitor._seats,
    "log": Visitor._log,
    "save": Visitor._save,
}

_ASKED = msgspec.json.Decoder(Asked)
_PLACE = re.compile(r"(group|private):([0-9]{1,12})")

_FORMS = {form for word in words.WORDS for form in word.forms}

_BACK = ("回到", "确认")
"""What a director types to go back to an earlier moment."""


def _rank(board: tuple[str, Sheet]) -> tuple[bool, str, str]:
    """In which order boards are offered: first those that a theme is made for."""
    key, sheet = board
    return bool(sheet.title), sheet.theme, key
