"""A QQ client as the bot sees one: OneBot v11 over a reverse WebSocket.

It connects as NapCat, LLOneBot and Lagrange do, reports what people type in the array format,
answers the bot's calls as QQ would (a private message to somebody who is no friend fails), and
keeps every call in the order in which it came. It can be told to fail, to be slow, never to answer,
or to break the connection.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Segment = dict[str, Any]
Behaviour = Literal["ok", "failed", "silence", "drop"]
Place = tuple[Literal["private", "group"], int]

# Long enough for a machine that is busy with something else; nothing is proved by waiting.
PATIENCE = 60.0


def text(words: str) -> Segment:
    """A piece of text."""
    return {"type": "text", "data": {"text": words}}


def at(account: int | str) -> Segment:
    """A mention of a person; ``all`` mentions everyone."""
    return {"type": "at", "data": {"qq": str(account)}}


def face(number: int) -> Segment:
    """One of QQ's own faces."""
    return {"type": "face", "data": {"id": str(number)}}


def image(file: str = "6B4DE3DFD1BD271E3297859D41C530F5.jpg") -> Segment:
    """A picture."""
    return {"type": "image", "data": {"file": file, "url": f"http://127.0.0.1:9/{file}"}}


def reply(message_id: int) -> Segment:
    """The quotation of an earlier message."""
    return {"type": "reply", "data": {"id": str(message_id)}}


def _raw(segments: list[Segment]) -> str:
    """The CQ code of a message, which clients report next to the array."""

    def escape(words: str, more: tuple[tuple[str, str], ...] = ()) -> str:
        for sign, code in (("&", "&amp;"), ("[", "&#91;"), ("]", "&#93;"), *more):
            words = words.replace(sign, code)
        return words

    pieces = []
    for segment in segments:
        if segment["type"] == "text":
            pieces.append(escape(segment["data"]["text"]))
        else:
            data = [f"{k}={escape(v, ((',', '&#44;'),))}" for k, v in segment["data"].items()]
            pieces.append(f"[{','.join(['CQ:' + segment['type'], *data])}]")
    return "".join(pieces)


@dataclass
class Call:
    """A call that the bot made.

    ``at``: monotonic seconds at which it came. ``connection``: over which connection, from 1.
    ``outcome``: what became of it, empty until then. ``message_id``: of what it said.
    """

    at: float
    connection: int
    action: str
    params: dict[str, Any]
    echo: Any
    outcome: Behaviour | Literal[""] = ""
    message_id: int | None = None

    @property
    def place(self) -> Place | None:
        """Where it says something, None if it says nothing."""
        if self.action == "send_private_msg":
            return "private", int(self.params["user_id"])
        if self.action == "send_group_msg":
            return "group", int(self.params["group_id"])
        return None

    @property
    def text(self) -> str:
        """What it says. A string would be read for CQ codes, so only segments are taken."""
        message = self.params["message"]
        assert isinstance(message, list), "a message must be sent as segments"
        words = message[1:] if message[0]["type"] == "image" else message
        assert all(segment["type"] == "text" for segment in words), "nothing but text is said"
        return "".join(segment["data"]["text"] for segment in words)

    @property
    def picture(self) -> bytes | None:
        """The picture that it shows before its words. It has no name, so it names nobody."""
        data = self.params["message"][0]["data"]
        file = data.get("file", "")
        assert not file or (list(data) == ["file"] and file.startswith("base64://"))
        return base64.b64decode(file.removeprefix("base64://")) if file else None


class Client:
    """A QQ client with one account, that of the bot.

    ``unreachable``: accounts that can't be written to privately. ``administrator``: whether the
    account may recall, mute and remove. ``members``: who is in a group besides it, as far as
    the client can say. ``rule``: decides what becomes of a call, None leaves it to the
    client. ``slowness``: seconds until a call is answered. ``names``: the name of each account.
    """

    def __init__(
        self,
        port: int,
        *,
        token: str | None = None,
        self_id: int = 10000,
        path: str = "/onebot/v11/ws",
    ) -> None:
        self.url = f"ws://127.0.0.1:{port}{path}"
        self.token = token
        self.self_id = self_id
        self.calls: list[Call] = []
        self.events: list[dict[str, Any]] = []
        self.unreachable: set[int] = set()
        self.administrator = True
        self.members: dict[int, set[int]] = {}
        self.rule: Callable[[Call], Behaviour | None] = lambda call: None
        self.slowness = 0.0
        self.names: dict[int, str] = {}
        self.connections = 0
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Condition()
        self._ids = itertools.count(1_000_001)

    # --- the connection -------------------------------------------------------------------------

    def headers(self) -> dict[str, str]:
        """What a client says of itself when it connects."""
        headers = {"X-Self-ID": str(self.self_id), "X-Client-Role": "Universal"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    async def connect(self) -> Client:
        """Connect, and report that the connection is there. Raises what websockets raises."""
        self._socket = await connect(
            self.url,
            additional_headers=self.headers(),
            user_agent_header="OneBot/11",
            proxy=None,
            ping_interval=None,
            max_queue=None,
        )
        self.connections += 1
        self._reading = asyncio.create_task(self._read(self._socket, self.connections))
        await self.lifecycle()
        return self

    @property
    def connected(self) -> bool:
        """Whether the connection is there."""
        return self._reading is not None and not self._reading.done()

    async def close(self) -> None:
        """Go offline; a client that is offline may come back with :meth:`connect`."""
        if self._socket is not None:
            await self._socket.close()
        await self._gone()

    async def drop(self) -> None:
        """Break the connection without a word."""
        if self._socket is not None:
            self._socket.transport.abort()
        await self._gone()

    async def _gone(self) -> None:
        if self._reading is not None:
            await self._reading
        for task in list(self._answering):
            task.cancel()

    async def __aenter__(self) -> Client:
        return await self.connect()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    # --- what is reported -----------------------------------------------------------------------

    async def report(self, event: dict[str, Any]) -> dict[str, Any]:
        """Send an event, which may be one that was sent before; returns it."""
        assert self._socket is not None
        self.events.append(event)
        # Escaped, since a name may hold half a character (QQ cuts names at 16 bits).
        await self._socket.send(json.dumps(event))
        return event

    def _event(self, post_type: str, **more: Any) -> dict[str, Any]:
        return {
            "time": int(time.time()),
            "self_id": self.self_id,
            "post_type": post_type,
            **more,
        }

    def lifecycle(self) -> Any:
        """Report that the connection is there."""
        return self.report(
            self._event("meta_event", meta_event_type="lifecycle", sub_type="connect")
        )

    def heartbeat(self) -> Any:
        """Report that the client lives."""
        status = {"online": True, "good": True}
        return self.report(
            self._event("meta_event", meta_event_type="heartbeat", status=status, interval=30000)
        )

    def _message(
        self, account: int, words: tuple[str | Segment, ...], message_id: int | None, **more: Any
    ) -> dict[str, Any]:
        segments = [text(word) if isinstance(word, str) else word for word in words]
        return self._event(
            "message",
            message_id=next(self._ids) if message_id is None else message_id,
            user_id=account,
            message=segments,
            raw_message=_raw(segments),
            message_format="array",
            font=14,
            **more,
        )

    async def private(
        self,
        account: int,
        *words: str | Segment,
        message_id: int | None = None,
        via: int | None = None,
    ) -> dict[str, Any]:
        """Write privately to the bot: a friend, or somebody in a group ``via`` which both are.

        Returns the event.
        """
        sender = {"user_id": account, "nickname": self._name(account), "sex": "unknown", "age": 0}
        kind = "friend" if via is None else "group"
        if via is not None:
            sender["group_id"] = via
        return await self.report(
            self._message(
                account, words, message_id, message_type="private", sub_type=kind, sender=sender
            )
        )

    async def group(
        self, group: int, account: int, *words: str | Segment, message_id: int | None = None
    ) -> dict[str, Any]:
        """A member writes in a group. Returns the event."""
        sender = {
            "user_id": account,
            "nickname": f"nick{account}",
            "card": self._name(account),
            "sex": "unknown",
            "age": 0,
            "area": "",
            "level": "1",
            "role": "member",
            "title": "",
        }
        return await self.report(
            self._message(
                account,
                words,
                message_id,
                message_type="group",
                sub_type="normal",
                group_id=group,
                anonymous=None,
                sender=sender,
            )
        )

    async def own(self, call: Call) -> dict[str, Any]:
        """Report what the bot itself has said privately, as clients do that are set to."""
        event = await self.private(self.self_id, call.text)
        return await self.report({**event, "post_type": "message_sent"})

    async def recall(self, message: dict[str, Any]) -> dict[str, Any]:
        """The sender takes a message of a group back. Returns the event."""
        return await self.report(
            self._event(
                "notice",
                notice_type="group_recall",
                group_id=message["group_id"],
                user_id=message["user_id"],
                operator_id=message["user_id"],
                message_id=message["message_id"],
            )
        )

    async def join(self, group: int, account: int) -> dict[str, Any]:
        """Somebody comes into a group. Returns the event."""
        self.members.setdefault(group, set()).add(account)
        return await self._moved("group_increase", "approve", group, account)

    async def leave(self, group: int, account: int, *, kicked: bool = False) -> dict[str, Any]:
        """Somebody leaves a group, or is put out. Returns the event."""
        self.members.setdefault(group, set()).discard(account)
        return await self._moved("group_decrease", "kick" if kicked else "leave", group, account)

    async def _moved(self, kind: str, how: str, group: int, account: int) -> dict[str, Any]:
        return await self.report(
            self._event(
                "notice",
                notice_type=kind,
                sub_type=how,
                group_id=group,
                user_id=account,
                operator_id=self.self_id if how == "kick" else account,
            )
        )

    async def card(self, group: int, account: int, name: str) -> dict[str, Any]:
        """The group calls somebody otherwise from now on. Returns the event."""
        old, self.names[account] = self._name(account), name
        return await self.report(
            self._event(
                "notice",
                notice_type="group_card",
                group_id=group,
                user_id=account,
                card_new=name,
                card_old=old,
            )
        )

    def _name(self, account: int) -> str:
        return self.names.get(account, f"玩家{account}")

    # --- what is called -------------------------------------------------------------------------

    async def _read(self, socket: ClientConnection, connection: int) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in socket:
                called = json.loads(frame)
                call = Call(
                    time.monotonic(),
                    connection,
                    called["action"],
                    called.get("params", {}),
                    called.get("echo"),
                )
                self.calls.append(call)
                behaviour = self.rule(call) or self._usual(call)
                if behaviour in ("silence", "drop"):
                    call.outcome = behaviour
                    if behaviour == "drop":
                        socket.transport.abort()
                elif self.slowness:
                    task = asyncio.create_task(self._answer_later(socket, call, behaviour))
                    self._answering.add(task)
                    task.add_done_callback(self._answering.discard)
                else:
                    await self._answer(socket, call, behaviour)
                await self._notify()
        await self._notify()

    async def _answer_later(
        self, socket: ClientConnection, call: Call, behaviour: Behaviour
    ) -> None:
        await asyncio.sleep(self.slowness)
        await self._answer(socket, call, behaviour)
        await self._notify()

    async def _answer(self, socket: ClientConnection, call: Call, behaviour: Behaviour) -> None:
        call.outcome = behaviour
        with contextlib.suppress(ConnectionClosed):
            await socket.send(json.dumps(self._result(call), ensure_ascii=False))
            if call.action == "set_group_kick" and behaviour == "ok":
                group, account = int(call.params["group_id"]), int(call.params["user_id"])
                if account in self.members.get(group, set()):
                    await self.leave(group, account, kicked=True)

    def _usual(self, call: Call) -> Behaviour:
        match call.action:
            case "send_private_msg":
                return "failed" if int(call.params["user_id"]) in self.unreachable else "ok"
            case "get_group_member_list":
                return "ok" if int(call.params["group_id"]) in self.members else "failed"
            case "delete_msg" | "set_group_ban" | "set_group_kick":
                return "ok" if self.administrator else "failed"
            case "get_msg":
                return "ok" if self._reported(call) else "failed"
            case "send_group_msg" | "get_login_info":
                return "ok"
        return "failed"

    def _result(self, call: Call) -> dict[str, Any]:
        if call.outcome == "failed":
            # As NapCat words it; clients differ in retcode and words, all say "failed".
            return {
                "status": "failed",
                "retcode": 1200,
                "data": None,
                "message": "EventChecker Failed",
                "wording": "EventChecker Failed",
                "echo": call.echo,
            }
        data: dict[str, Any] | list[dict[str, Any]] | None = None
        if call.place is not None:
            call.message_id = next(self._ids)
            data = {"message_id": call.message_id}
        elif call.action == "get_msg":
            data = self._reported(call)
        elif call.action == "get_group_member_list":
            group = int(call.params["group_id"])
            data = [
                {"group_id": group, "user_id": n, "nickname": f"nick{n}", "card": self._name(n)}
                for n in (self.self_id, *sorted(self.members[group]))
            ]
        elif call.action == "get_login_info":
            data = {"user_id": self.self_id, "nickname": "执法团"}
        return {"status": "ok", "retcode": 0, "data": data, "echo": call.echo}

    def _reported(self, call: Call) -> dict[str, Any] | None:
        for event in self.events:
            if event.get("message_id") == int(call.params["message_id"]):
                keys = ("time", "message_type", "message_id", "sender", "message")
                return {**{key: event[key] for key in keys}, "real_id": event["message_id"]}
        return None

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    # --- what was said --------------------------------------------------------------------------

    def sayings(self, place: Place | None = None, *, after: int = 0) -> Iterator[Call]:
        """What reached a place (or any), in the order of arrival, from call ``after`` on.

        What the client refused is left out; what it took and never answered has arrived.
        """
        for call in self.calls[after:]:
            if call.place is not None and place in (None, call.place) and call.outcome != "failed":
                yield call

    def heard(self, place: Place, *, after: int = 0) -> list[str]:
        """The texts of :meth:`sayings`."""
        return [call.text for call in self.sayings(place, after=after)]

    async def until(self, so: Callable[[], Any], what: str, *, patience: float = PATIENCE) -> Any:
        """Wait until ``so()`` is true, and return it. It is asked after every call."""
        try:
            async with asyncio.timeout(patience), self._changed:
                while not (value := so()):
                    await self._changed.wait()
                return value
        except TimeoutError:
            last = [(call.action, call.outcome, call.params) for call in self.calls[-8:]]
            raise AssertionError(f"never came: {what}; the last calls were {last}") from None

    async def hears(self, place: Place, words: str, *, after: int = 0) -> Call:
        """Wait for a text that contains ``words``; returns its call."""

        def found() -> Call | None:
            calls = self.sayings(place, after=after)
            return next((call for call in calls if words in call.text), None)

        call = await self.until(found, f"{words!r} to {place}")
        assert isinstance(call, Call)
        return call
