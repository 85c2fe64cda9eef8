"""Out of the outbox, in order for each target, at least once.

A target's next message goes only when the one before it has arrived or was given up. One that may
have arrived is said again, marked as a repeat. No target waits for another. What is to be taken off
a group's screen waits for nothing.

Before anything is said in a room, the client is asked who is there. Unless it is exactly those who
belong, it is said to each of them privately instead.
"""

from __future__ import annotations

import asyncio
import contextlib
from base64 import b64encode
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from nonebot.adapters.onebot.v11 import ActionFailed, MessageSegment
from nonebot.adapters.onebot.v11.exception import ApiNotAvailable

from data.ledger import Ledger, NoSuchGame, targets
from data.message import Message, Target
from data.pictures import Picture
from data.speech import Speech
from data.store import OutboxRow, Store, StoreError
from engine.commands import Lose, Regain
from engine.events import DIRECTORS, PUBLIC, SPECTATORS, room_audience
from engine.game import Game
from engine.mechanics import rooms
from plugins.courier.config import Config
from plugins.gamemaster.house import log, log_fault

Place = tuple[str, str]
"""A person or a group: kind and number; of what is recalled in a group, ``recall`` and number."""

Call = Callable[..., Awaitable[Any]]
"""Calls an action of the QQ client: ``call(action, **parameters)``."""

PAUSES = (2, 5, 15, 60, 300)
"""Seconds until a message that could not be sent is tried again, growing."""

_SAID = ("text", "forward")
"""What is a message; anything else is something to be done."""

REFUSED_OFTEN = 3
"""After so many refusals of one message to a group the directors are told."""

REFUSED_FOR_GOOD = 30
"""After so many (some two hours) it is passed over, so that those behind it get their turn."""


class Courier:
    """Sends what waits in the outbox.

    ``call``: the action of a connected client, or ``None`` while there is none. ``commit``: writes
    what the courier has to say itself, and tells whether it was done. ``learn``: takes who is in a
    group (account → name; ``None``: the client could not say), and gives it back without the bot.
    ``draw``: a picture's description to a PNG; ``None``: no pictures, text says it all.
    """

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        speech: Speech,
        config: Config,
        *,
        call: Callable[[], Call | None],
        commit: Callable[[], Any],
        learn: Callable[[str, dict[str, str] | None], dict[str, str] | None],
        draw: Callable[[Picture], bytes] | None = None,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._speech = speech
        self._config = config
        self._call = call
        self._commit = commit
        self._learn = learn
        self._draw = draw
        # One at a time, in the order of sending: a picture holds up nothing but itself.
        self._easel = asyncio.Lock()
        self._news = asyncio.Event()
        # What waits, by target, in order; read from the outbox when that is stale.
        self._queues: dict[Place, deque[OutboxRow]] = {}
        self._stale = True
        # What has arrived, until it is marked with what begins next.
        self._sent: list[int] = []
        self._sending: dict[Place, asyncio.Task[None]] = {}
        # When the next message may go: to anybody, and to each target (times of the loop).
        self._free = 0.0
        self._target_free: dict[Place, float] = {}
        self._told: set[tuple[int | None, str]] = set()
        self._reachable: set[str] = set()

    def wake(self, rows: Sequence[OutboxRow] | None) -> None:
        """These are new in the outbox; ``None``: others in it have changed too."""
        if rows is None:
            self._stale = True
        elif not self._stale:
            for row in rows:
                self._queues.setdefault(_place(row), deque()).append(row)
        self._news.set()

    def connected(self) -> None:
        """There is a client."""
        self._news.set()

    def disconnected(self) -> None:
        """The client is gone: what is under way may have arrived or not."""
        for task in self._sending.values():
            task.cancel()

    async def run(self) -> None:
        """Send for ever."""
        try:
            await self._run()
        finally:
            with contextlib.suppress(StoreError):
                self._mark()

    async def _run(self) -> None:
        while True:
            self._news.clear()
            try:
                pause = self._dispatch()
            except StoreError as error:
                log.error("the courier waits: %s", error)
                self._stale = True
                pause = PAUSES[0]
            except Exception as error:
                log_fault("the courier", error)
                pause = PAUSES[0]
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._news.wait()

    def _dispatch(self) -> float | None:
        """Begin what may be sent now; seconds until more may, ``None`` until there is news."""
        call = self._call()
        if call is None:
            self._mark()
            return None
        self._read()
        clock = asyncio.get_running_loop().time()
        waits: list[float] = []
        begun: list[Place] = []
        idle = [p for p, queue in self._queues.items() if queue and p not in self._sending]
        for place in sorted(idle, key=lambda p: (p[0] != "recall", self._queues[p][0].id)):
            free = self._target_free.get(place, 0.0)
            if place[0] != "recall":
                free = max(free, self._free)
            if free > clock:
                waits.append(free - clock)
                continue
            if place[0] != "recall":
                self._paced(place, clock)
            begun.append(place)
        self._mark(begun)
        for place in begun:
            task = asyncio.create_task(self._send(self._queues[place][0], call))
            self._sending[place] = task
            task.add_done_callback(lambda _, place=place: self._done(place))  # type: ignore[misc]
        return min(waits, default=None)

    def _mark(self, begun: Sequence[Place] = ()) -> None:
        """Write down what has arrived and what begins, in one transaction."""
        if self._sent or begun:
            heads = [self._queues[place][0].id for place in begun]
            self._store.mark(sent=self._sent, begun=heads)
            self._sent.clear()

    def _read(self) -> None:
        """Read all that waits: at the start, and when it may be otherwise than was thought."""
        if not self._stale:
            return
        rows = self._store.waiting()
        self._queues = {
            p: deque([q[0]]) for p, q in self._queues.items() if q and p in self._sending
        }
        clock, moment = asyncio.get_running_loop().time(), datetime.now(UTC)
        busy = {*self._sent, *(queue[0].id for queue in self._queues.values())}
        for row in rows:
            if row.id in busy:
                continue
            self._queues.setdefault(_place(row), deque()).append(row)
            if row.not_before is not None and self._queues[_place(row)][0] is row:
                pause = (row.not_before - moment).total_seconds()
                self._target_free[_place(row)] = max(clock + pause, 0.0)
        self._stale = False

    def _paced(self, place: Place, clock: float) -> None:
        """A message leaves now, at ``clock``: those after it wait for their time."""
        self._free = clock + self._config.send_pace
        self._target_free[place] = clock + self._config.send_pace_target

    def _done(self, place: Place) -> None:
        del self._sending[place]
        if not self._queues.get(place, True):
            del self._queues[place]
        self._news.set()

    def _next(self, row: OutboxRow) -> None:
        """This one is done with: the next of its target may go."""
        self._queues[_place(row)].popleft()

    # --- one message ----------------------------------------------------------------------------

    async def _send(self, row: OutboxRow, call: Call) -> None:
        try:
            if not await self._is_due(row, call):
                return
        except (Exception, asyncio.CancelledError) as error:
            broken = isinstance(error, asyncio.CancelledError)
            self._later(row, may_have_arrived=row.in_flight, at_once=broken)
            return
        try:
            await self._deliver(row, call)
        except ActionFailed as error:
            if _timed_out(error):
                self._later(row, may_have_arrived=True)
            else:
                self._refused(row)
        except ApiNotAvailable:
            self._later(row, may_have_arrived=False)
        except (Exception, asyncio.CancelledError) as error:
            # No answer in time, or the connection broke: whether it arrived is not known.
            broken = isinstance(error, asyncio.CancelledError)
            if not broken:
                log.warning("no answer to a message to a %s", row.target.kind)
            if row.action not in (*_SAID, "members") and not broken:
                self._refused(row)
            else:
                self._later(row, may_have_arrived=True, at_once=broken)
        else:
            self._arrived(row)

    async def _deliver(self, row: OutboxRow, call: Call) -> None:
        timeout = self._config.send_timeout
        if row.action == "members":
            self._learn(row.target.id, await self._members(row, call))
            return
        if row.action not in _SAID:
            async with asyncio.timeout(timeout):
                await act(call, row)
            return
        # What may have arrived, or can't be forwarded by this client, goes as text.
        if row.action == "forward" and not row.in_flight and not row.said:
            try:
                async with asyncio.timeout(timeout):
                    await forward(call, row, self._speech.say("bot.name"))
                return
            except ActionFailed as error:
                if _timed_out(error):
                    raise
                log.info("a %s took no forwarded message; said as text", row.target.kind)
        image = await self._drawn(row)
        try:
            await self._speak(row, call, image)
        except ActionFailed as error:
            some_arrived = self._queues[_place(row)][0].said > row.said
            if image is None or some_arrived or _timed_out(error):
                raise
            # It may be the picture that is not taken.
            await self._speak(row, call, None)

    async def _drawn(self, row: OutboxRow) -> bytes | None:
        """The picture of a message, if it has one that was never tried."""
        fresh = not (row.attempts or row.in_flight or row.said)
        if self._draw is None or row.picture is None or not fresh:
            return None
        try:
            async with self._easel:
                return await asyncio.to_thread(self._draw, row.picture)
        except Exception as error:
            log_fault("drawing a picture", error)
            return None

    async def _speak(self, row: OutboxRow, call: Call, image: bytes | None) -> None:
        timeout = self._config.send_timeout
        whole = row.text
        if image is not None and row.picture is not None:
            whole = row.picture.caption or row.text
        parts = split(whole, self._config.send_length)
        said, end = row.said, 0
        for number, part in enumerate(parts, 1):
            end += len(part)
            if end <= row.said and number < len(parts):
                continue
            text = part.removesuffix("\n") if number < len(parts) else part
            if len(parts) > 1:
                text = self._speech.say("bot.part", part=number, parts=len(parts)) + text
            if said > row.said:
                self._progress(row, said)
                await asyncio.sleep(self._config.send_pace_target)
                if self._dropped(row):
                    return
                self._paced(_place(row), asyncio.get_running_loop().time())
            elif row.in_flight:
                text = self._speech.say("bot.repeat") + text
            mentioned = row.arguments.get("at", ()) if number == 1 else ()
            async with asyncio.timeout(timeout):
                await say(call, row.target, text, mentioned, image)
            image, said = None, end

    # --- rooms ----------------------------------------------------------------------------------

    async def _is_due(self, row: OutboxRow, call: Call) -> bool:
        """Whether it is to be said where it was to go; if not, that has been seen to.

        Raises what the client raises when it can't be asked now.
        """
        game = self._game(row)
        if row.action not in _SAID or game is None or game.phase == "over":
            return True
        audience = row.audience
        if row.target.kind == "private":
            if not audience.startswith((DIRECTORS, SPECTATORS, "channel:")):
                return True
            if any(to.id == row.target.id for to in targets(game, audience, rooms=False)):
                return True
            # He has gone out, or sat down, since it was written.
            self._ledger.drop(row)
        else:
            bound = game.bound.items()
            room = next((channel for channel, group in bound if group == row.target.id), None)
            if room is None or audience == PUBLIC:
                return True
            people = self._learn(row.target.id, await self._members(row, call))
            if rooms.is_right(game, room) and rooms.found(game, room, people).right:
                return True
            self._ledger.turn_away(msgspec.structs.replace(row, audience=room_audience(room)))
        if self._commit() is False:
            self._later(row, may_have_arrived=row.in_flight)
        else:
            self._next(row)
        return False

    async def _members(self, row: OutboxRow, call: Call) -> dict[str, str] | None:
        """Who is in the group that a row goes to: account → name; ``None``: the client won't say.

        Raises what the client raises when it doesn't answer, a few times.
        """
        try:
            async with asyncio.timeout(self._config.send_timeout):
                listed = await call(
                    "get_group_member_list", group_id=int(row.target.id), no_cache=True
                )
        except ActionFailed as error:
            if _timed_out(error) and row.attempts + 1 < REFUSED_OFTEN:
                raise
            return None
        except TimeoutError:
            if row.attempts + 1 < REFUSED_OFTEN:
                raise
            return None
        return members(listed)

    def _progress(self, row: OutboxRow, said: int) -> None:
        """So much of a long text has arrived, and is not said again."""
        queue = self._queues[_place(row)]
        queue[0] = msgspec.structs.replace(queue[0], said=said, in_flight=False)
        try:
            self._store.said(row.id, said)
        except StoreError as error:
            log.error("the outbox could not be marked: %s", error)

    def _arrived(self, row: OutboxRow) -> None:
        self._next(row)
        self._sent.append(row.id)
        try:
            account = row.target.id
            self._told.discard((row.game_id, f"group:{account}"))
            if row.target.kind == "private" and account not in self._reachable:
                if self._ledger.person(account).reachable is not True:
                    self._store.set_reachable(account, True)
                    self._regained(account)
                self._reachable.add(account)
                self._told = {told for told in self._told if told[1] != account}
        except StoreError as error:
            log.error("the outbox could not be marked: %s", error)

    def _later(self, row: OutboxRow, *, may_have_arrived: bool, at_once: bool = False) -> None:
        """It is to be tried again, after a pause that grows."""
        if self._dropped(row):
            self._next(row)
            return
        pause = 0 if at_once else PAUSES[min(row.attempts, len(PAUSES) - 1)]
        until = datetime.now(UTC) + timedelta(seconds=pause)
        place = _place(row)
        head = self._queues[place][0]
        in_flight = may_have_arrived or head.in_flight
        self._queues[place][0] = msgspec.structs.replace(
            head, in_flight=in_flight, attempts=row.attempts + 1, not_before=until
        )
        free = asyncio.get_running_loop().time() + pause
        self._target_free[place] = max(free, self._target_free.get(place, 0.0))
        try:
            self._store.postpone(row.id, until, may_have_arrived=in_flight)
        except StoreError as error:
            log.error("the outbox could not be marked: %s", error)

    # --- what can't be delivered ----------------------------------------------------------------

    def _refused(self, row: OutboxRow) -> None:
        """The client has said no."""
        try:
            if row.action not in _SAID:
                self._next(row)
                self._sent.append(row.id)
                self._failed(row)
            elif row.target.kind == "group" and row.attempts + 1 < REFUSED_FOR_GOOD:
                self._later(row, may_have_arrived=False)
                if row.attempts + 1 >= REFUSED_OFTEN:
                    self._tell_once(row, f"group:{row.target.id}")
            elif row.target.kind == "group":
                self._give_up(row)
                self._told.discard((row.game_id, "passed_over"))
                self._tell_once(row, "passed_over")
            else:
                self._unreachable(row)
            self._commit()
        except StoreError as error:
            log.error("the outbox could not be marked: %s", error)

    def _dropped(self, row: OutboxRow) -> bool:
        """Whether it is not to be said any more: whom it was for has left the game."""
        try:
            return not self._store.is_kept(row.id)
        except StoreError as error:
            log.error("the outbox could not be read: %s", error)
            return False

    def _give_up(self, row: OutboxRow) -> None:
        self._next(row)
        self._store.postpone(row.id, datetime.now(UTC), may_have_arrived=row.in_flight)
        self._store.give_up(row.id)

    def _unreachable(self, row: OutboxRow) -> None:
        """A private message can't be delivered: it is kept, and somebody is told, not what it says.

        Before the deal that is the group, later the directors.
        """
        account = row.target.id
        dropped = self._dropped(row)
        self._give_up(row)
        self._reachable.discard(account)
        self._store.set_reachable(account, False)
        game = self._game(row)
        if game is None or dropped:
            return
        signed_up = [p.name for p in game.signups if p.account == account and not game.seats]
        if signed_up:
            text = self._speech.say("bot.unreachable", name=signed_up[0])
            self._ledger.tell(game.id, Message("public", text))
            return
        if game.seat_of(account) is not None:
            lost = Lose(at=self._ledger.now(), account=account, how="unreachable")
            self._ledger.act(game.id, lost)
            return
        if (game.id, account) in self._told:
            return
        self._told.add((game.id, account))
        name = game.directors.get(account) or self._ledger.person(account).name or account
        if game.is_director(account) and not game.other_directors(account):
            # Whom should he hear it from? Nobody else is told what directors are.
            text = self._speech.say("bot.undeliverable.host", name=name)
            self._ledger.tell(game.id, Message("public", text))
            return
        text = self._speech.say("bot.undeliverable.person", name=name)
        self._ledger.tell(game.id, Message(DIRECTORS, text))

    def _regained(self, account: str) -> None:
        """Who could not be reached in private can be again."""
        for game in self._ledger.open_games():
            seat = game.seat_of(account)
            if seat is not None and "unreachable" in seat.lost:
                back = Regain(at=self._ledger.now(), account=account, how="unreachable")
                self._ledger.act(game.id, back)
                self._commit()

    def _failed(self, row: OutboxRow) -> None:
        """The bot may not do it, or its client can't: the directors are told.

        Of what can't be recalled once a game; of a mute each time, since they asked for it. Who
        could not be put out of a room is named when the room is looked at next.
        """
        game = self._game(row)
        if game is None:
            return
        if row.action == "recall":
            text = self._speech.say("chat.recall_failed", game=game.id)
            if self._store.was_said(game.id, text):
                return
        elif row.action == "mute":
            account = str(row.arguments["account"])
            seat = game.seat_of(account)
            name = seat.name if seat is not None else account
            key = "chat.mute_failed" if row.arguments["seconds"] else "chat.unmute_failed"
            text = self._speech.say(key, game=game.id, name=name)
        else:
            return
        self._ledger.tell(game.id, Message(DIRECTORS, text))

    def _tell_once(self, row: OutboxRow, what: str) -> None:
        """Tell the directors of a failure that is no player's, once."""
        game = self._game(row)
        if game is None or (game.id, what) in self._told:
            return
        self._told.add((game.id, what))
        key = "passed_over" if what == "passed_over" else "group_unreachable"
        text = self._speech.say(f"chat.{key}", game=game.id)
        self._ledger.tell(game.id, Message(DIRECTORS, text))

    def _game(self, row: OutboxRow) -> Game | None:
        if row.game_id is None:
            return None
        try:
            return self._ledger.game(row.game_id)
        except NoSuchGame:
            return None


# --- the wire ------------------------------------------------------------------------------------


def _place(row: OutboxRow) -> Place:
    return "recall" if row.action == "recall" else row.target.kind, row.target.id


async def say(
    call: Call, target: Target, text: str, at: Sequence[str] = (), image: bytes | None = None
) -> None:
    """Say a text, as text: a bare string would be read for CQ codes.

    ``at``: who is mentioned. ``image``: a picture that goes before it all.
    """
    # A client writes nothing behind a mention.
    called = [
        segment for who in at for segment in (MessageSegment.at(who), MessageSegment.text(" "))
    ]
    message = [*called, MessageSegment.text(text)]
    if image is not None:
        file = f"base64://{b64encode(image).decode()}"
        message.insert(0, MessageSegment("image", {"file": file}))
    if target.kind == "group":
        await call("send_group_msg", group_id=int(target.id), message=message)
        return
    parameters: dict[str, Any] = {"user_id": int(target.id), "message": message}
    if target.via_group is not None:
        parameters["group_id"] = int(target.via_group)
    await call("send_private_msg", **parameters)


async def forward(call: Call, row: OutboxRow, name: str) -> None:
    """Say a text in its pages, as one message that opens; ``name``: of whom says it."""
    pages, end = [], len(row.text)
    for length in reversed(row.arguments["pages"]):
        pages.append(row.text[max(end - length, 0) : end])
        end -= length + 1
    # What was put before the text belongs to the first page.
    pages[-1] = row.text[: max(end + 1, 0)] + pages[-1]
    sender = str(row.arguments["sender"]) or "0"
    nodes = [
        MessageSegment(
            "node",
            {
                # Clients differ in which of these they read.
                **{"user_id": sender, "nickname": name, "uin": sender, "name": name},
                "content": [MessageSegment.text(page)],
            },
        )
        for page in reversed(pages)
    ]
    if row.target.kind == "group":
        await call("send_group_forward_msg", group_id=int(row.target.id), messages=nodes)
    else:
        await call("send_private_forward_msg", user_id=int(row.target.id), messages=nodes)


async def act(call: Call, row: OutboxRow) -> None:
    """Do something in a group that is no text: recall a message, silence or remove somebody."""
    if row.action == "recall":
        await call("delete_msg", message_id=int(row.arguments["message_id"]))
        return
    who = {"group_id": int(row.target.id), "user_id": int(row.arguments["account"])}
    if row.action == "remove":
        await call("set_group_kick", **who, reject_add_request=False)
        return
    await call("set_group_ban", **who, duration=int(row.arguments["seconds"]))


def members(listed: Any) -> dict[str, str] | None:
    """Who is in a group, account → name there, from what a client says; ``None`` if that is none.

    Clients give a list of objects with ``user_id``; a group has one member at least.
    """
    if not isinstance(listed, list) or not listed:
        return None
    people: dict[str, str] = {}
    for member in listed:
        account = member.get("user_id") if isinstance(member, dict) else None
        if not str(account).isdecimal():
            return None
        people[str(account)] = str(member.get("card") or member.get("nickname") or "")
    return people


def _timed_out(error: ActionFailed) -> bool:
    """Whether the client says that it does not know itself whether the message went out."""
    said = f"{error.info.get('message', '')} {error.info.get('wording', '')}".casefold()
    return "timeout" in said or "超时" in said


def split(text: str, length: int) -> list[str]:
    """A text in parts of at most ``length`` characters, at line breaks where there are any.

    Such a line break is one more character at the end of its part, and need not be said.
    """
    parts: list[str] = []
    while len(text) > length:
        cut = text.rfind("\n", 1, length + 1)
        if cut <= 0:
            cut = length - 1
        parts.append(text[: cut + 1])
        text = text[cut + 1 :]
    parts.append(text)
    return parts
