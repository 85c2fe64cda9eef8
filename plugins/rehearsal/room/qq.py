"""A QQ of our own: accounts, groups and private chats, and the OneBot v11 client of the bot in it.

Nothing here knows the game. The bot is connected as by any client, over its own reverse WebSocket;
what it says is kept in the inbox of each account that it reaches, and nowhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Segment = dict[str, Any]

_PATIENCE = 10.0
"""Seconds until a bot that does not let us in has refused us."""


@dataclass(frozen=True, slots=True)
class Place:
    """A conversation: a group, or somebody's private chat with the bot."""

    kind: Literal["group", "private"]
    id: int

    @property
    def key(self) -> str:
        """What tells it from every other, ``group:1`` or ``private:101``."""
        return f"{self.kind}:{self.id}"


@dataclass(slots=True)
class Said:
    """One message. ``sender``: an account; that of the bot for what the bot says.

    ``kind``: ``message``, or a ``notice`` of the group's own (``segments`` are then empty, and
    ``what`` says which: ``muted`` with ``account`` and ``until``).
    """

    id: int
    at: datetime
    place: Place
    sender: int
    segments: list[Segment]
    recalled: bool = False
    kind: Literal["message", "notice"] = "message"
    about: dict[str, Any] = field(default_factory=dict)


class Muted(Exception):
    """The account is muted in that group, ``until`` then."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"muted until {until}")
        self.until = until


class Refusal(Exception):
    """The bot did not let the client in."""


class QQ:
    """The accounts and groups of one rehearsal.

    ``me``: the bot's account. ``names``: of the others. ``members``: who is in a group now.
    ``now``: what time it is there. ``on_said`` is called with each message and whom it reached,
    ``on_recalled`` with one that was taken back.
    """

    def __init__(
        self,
        me: int,
        *,
        names: dict[int, str],
        members: Callable[[int], Iterable[int]],
        now: Callable[[], datetime],
    ) -> None:
        self.me = me
        self.names = names
        self.admins: set[int] = set()
        self.inboxes: dict[int, list[Said]] = {account: [] for account in names}
        self.on_said: Callable[[Said, list[int]], None] = lambda said, reached: None
        self.on_recalled: Callable[[Said], None] = lambda said: None
        self._members = members
        self._now = now
        self._said: dict[int, Said] = {}
        self._mutes: dict[tuple[int, int], datetime] = {}
        self._ids = itertools.count(1)
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None

    # --- the bot's connection -------------------------------------------------------------------

    async def log_in(self, url: str, token: str | None) -> None:
        """Connect to the bot as its QQ client. Raises :class:`Refusal` if it won't have us."""
        headers = {"X-Self-ID": str(self.me), "X-Client-Role": "Universal"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            async with asyncio.timeout(_PATIENCE):
                self._socket = await connect(
                    url,
                    additional_headers=headers,
                    user_agent_header="OneBot/11",
                    proxy=None,
                    max_size=None,
                )
        except Exception:  # whatever websockets raises
            raise Refusal from None
        self._reading = asyncio.create_task(self._read(self._socket))
        await self._report(
            {"post_type": "meta_event", "meta_event_type": "lifecycle", "sub_type": "connect"}
        )

    async def log_out(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            await self._socket.close()
        if self._reading is not None:
            await self._reading

    async def _report(self, event: dict[str, Any]) -> None:
        assert self._socket is not None
        whole = {"time": int(self._now().timestamp()), "self_id": self.me, **event}
        await self._socket.send(json.dumps(whole))

    async def _read(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in socket:
                called = json.loads(frame)
                try:
                    data = self._do(called["action"], called.get("params") or {})
                except (KeyError, TypeError, ValueError):
                    answer = {"status": "failed", "retcode": 1400, "data": None}
                else:
                    answer = {"status": "ok", "retcode": 0, "data": data}
                await socket.send(json.dumps({**answer, "echo": called.get("echo")}))

    # --- what people do -------------------------------------------------------------------------

    async def type(self, account: int, place: Place, segments: list[Segment]) -> Said:
        """Somebody sends a message. Raises :class:`Muted`."""
        if place.kind == "group" and (until := self.muted_until(place.id, account)):
            raise Muted(until)
        said = self._keep(place, account, segments)
        name = self.names[account]
        sender: dict[str, Any] = {"user_id": account, "nickname": name, "sex": "unknown", "age": 0}
        event: dict[str, Any] = {
            "post_type": "message",
            "message_type": place.kind,
            "message_id": said.id,
            "user_id": account,
            "message": segments,
            "message_format": "array",
            "raw_message": "",
            "font": 14,
            "sender": sender,
        }
        if place.kind == "group":
            sender |= {"card": name, "role": "admin" if account in self.admins else "member"}
            event |= {"sub_type": "normal", "group_id": place.id, "anonymous": None}
        else:
            event["sub_type"] = "friend"
        await self._report(event)
        return said

    def muted_until(self, group: int, account: int) -> datetime | None:
        """Until when the account can't write in a group; ``None`` if it can."""
        until = self._mutes.get((group, account))
        return until if until is not None and until > self._now() else None

    # --- what the bot does ----------------------------------------------------------------------

    def _do(self, action: str, asked: dict[str, Any]) -> Any:
        """An action of OneBot v11. Raises KeyError, TypeError or ValueError if it can't be done."""
        match action:
            case "send_private_msg":
                return self._say(Place("private", int(asked["user_id"])), asked["message"])
            case "send_group_msg":
                return self._say(Place("group", int(asked["group_id"])), asked["message"])
            case "send_private_forward_msg":
                return self._say(Place("private", int(asked["user_id"])), asked["messages"])
            case "send_group_forward_msg":
                return self._say(Place("group", int(asked["group_id"])), asked["messages"])
            case "delete_msg":
                self._recall(int(asked["message_id"]))
                return None
            case "set_group_ban":
                self._mute(int(asked["group_id"]), int(asked["user_id"]), int(asked["duration"]))
                return None
            case "get_group_member_list":
                group = int(asked["group_id"])
                return [self._member(group, account) for account in self._list(group)]
            case "set_group_kick":
                # Whoever does not belong to a group is not in it anyhow.
                return None
            case "get_login_info":
                return {"user_id": self.me, "nickname": ""}
        raise ValueError("no such action")

    def _list(self, group: int) -> list[int]:
        return [self.me, *sorted(self._members(group))]

    def _member(self, group: int, account: int) -> dict[str, Any]:
        name = self.names.get(account, "")
        role = "admin" if account == self.me or account in self.admins else "member"
        who = {"group_id": group, "user_id": account, "nickname": name, "card": name}
        return {**who, "role": role}

    def _say(self, place: Place, segments: Any) -> dict[str, Any]:
        if isinstance(segments, str):
            segments = [{"type": "text", "data": {"text": segments}}]
        if place.kind == "private" and place.id not in self.inboxes:
            raise KeyError(place.id)
        return {"message_id": self._keep(place, self.me, list(map(self._named, segments))).id}

    def _named(self, segment: Segment) -> Segment:
        """Return a segment as a client shows it: who is mentioned goes by name."""
        account = segment["data"].get("qq", "") if segment["type"] == "at" else ""
        name = self.names.get(int(account), "") if account.isdecimal() else ""
        return {**segment, "data": {**segment["data"], "name": f"@{name}"}} if name else segment

    def _recall(self, number: int) -> None:
        said = self._said[number]
        said.recalled, said.segments = True, []
        self.on_recalled(said)

    def _mute(self, group: int, account: int, seconds: int) -> None:
        until = self._now() + timedelta(seconds=seconds)
        self._mutes[group, account] = until
        about = {"what": "muted", "account": account, "until": until}
        self._keep(Place("group", group), self.me, [], kind="notice", about=about)

    def _keep(self, place: Place, sender: int, segments: list[Segment], **more: Any) -> Said:
        said = Said(next(self._ids), self._now(), place, sender, segments, **more)
        self._said[said.id] = said
        reached = [place.id] if place.kind == "private" else sorted(self._members(place.id))
        for account in reached:
            self.inboxes[account].append(said)
        self.on_said(said, reached)
        return said
