"""A rehearsal: a house of its own, a QQ of its own with its people, and a clock that stands.

The clock goes only when somebody moves it, so nobody is hurried, and what was played can be written
down to the second. Everything is typed: by whoever looks on, by the random players, and by the room
itself when it opens the game. The bot cannot tell it from a real group.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Literal

import msgspec

from data.speech import Speech
from engine import calendar, view
from engine import events as ev
from engine.game import Game
from engine.rewind import live
from engine.ruleset import Sheet
from plugins.clock import settle_overdue
from plugins.courier import send_for, stop_for
from plugins.courier.config import Config as Pace
from plugins.gamemaster import words
from plugins.gamemaster.chat import move_in
from plugins.gamemaster.desk import Heard, Incoming, Settings
from plugins.gamemaster.house import House, log_fault
from plugins.rehearsal.room.players import TRIES, Wish, wishes
from plugins.rehearsal.room.qq import QQ, Muted, Place, Said, Segment
from plugins.rehearsal.room.record import Line, Record

DIRECTOR = 10
BYSTANDERS = (11, 12)
FIRST_PLAYER = 101
GROUP = Place("group", 1)
FIRST_CHANNEL = 2

PATIENCE = 10.0
"""Seconds after which something is wrong: all of it happens on this machine."""

BREATH = 0.4
"""Seconds between two moves of a game that plays itself, so that eyes can follow."""

_LOOKED = (ev.RoomChecked, ev.RoomOpened, ev.RoomClosed)
_BACK = re.compile(r"(\s*(?:#\d+\s*)?[/／]?回到\s*)(\d+)\s*")

_AT_ONCE = Pace(send_pace=0, send_pace_target=0)


class Broken(Exception):
    """The bot did not answer as it should; the rehearsal can't go on."""


@dataclass(frozen=True, slots=True)
class _Typed:
    """What somebody types somewhere."""

    account: int
    place: Place
    text: str


class Table:
    """One rehearsal. :meth:`open` before anything else, :meth:`close` at its end.

    ``number``: the bot's account in it, and the rehearsal's own number. ``like``: the house whose
    sheets and texts it has. ``start``: what time it is at first (aware). ``rng``: of the random
    players. ``on_change`` is called after whatever has changed.
    """

    def __init__(
        self, number: int, like: House, sheet: Sheet, players: int, start: datetime, rng: Random
    ) -> None:
        self.number = number
        self.sheet = sheet
        self.clock = start.astimezone(UTC).replace(microsecond=0)
        self.house = House(Settings(), url="sqlite://", clock=lambda: self.clock, like=like)
        self.running = False
        self.failed = False
        self.by_hand: set[int] = set()
        """Seats that no random player plays."""
        self.on_change: Callable[[], None] = lambda: None
        self._rng = rng
        said = self.speech.say
        self._talk = str(said("room.talk")).split("\n")
        names = str(said("room.names")).split()
        names += [f"{name}{turn}" for turn in range(2, 9) for name in names[:players]]
        self.players = range(FIRST_PLAYER, FIRST_PLAYER + players)
        self.names = {
            DIRECTOR: str(said("room.name.director")),
            **dict(zip(self.players, names, strict=False)),
            **dict(zip(BYSTANDERS, str(said("room.name.bystanders")).split(), strict=True)),
        }
        self.qq = QQ(number, names=self.names, members=self._members, now=lambda: self.clock)
        self.qq.admins.add(DIRECTOR)
        self.channels: dict[int, str] = {}
        self._turn = asyncio.Lock()
        self._waiting: dict[str, asyncio.Future[Heard]] = {}
        self._record: Record | None = None
        self._recorded = 0
        self._ahead = self._dealt = 0
        self._phase: tuple[str, int] = "", 0
        self._looked: set[tuple[int, bool]] = set()
        self._stage: Any = None
        self._run: asyncio.Task[None] | None = None
        self._waited: Any = None

    @property
    def speech(self) -> Speech:
        """The bot's own texts."""
        return self.house.speech

    # --- opening and closing --------------------------------------------------------------------

    async def open(self, url: str, token: str | None) -> None:
        """Log in, open the game, sign everybody up and deal, all by typing.

        Raises :class:`qq.Refusal` if the bot has no place for the client, :class:`Broken`.
        """
        self.house.open()
        self.house.on_heard = self._heard
        move_in(str(self.number), self.house)
        send_for(self.house, _AT_ONCE)
        await self.qq.log_in(url, token)
        said = [f"{_form('open')} {self.sheet.key} {len(self.players)}人"]
        await self._type([_Typed(DIRECTOR, GROUP, text) for text in said])
        await self._type([_Typed(account, GROUP, _form("sign_up")) for account in self.players])
        for group, key in enumerate(self._game().channel_keys(), FIRST_CHANNEL):
            self.channels[group] = key
            bind = f"{_form('bind')} {_channel_word(key)}"
            await self._type([_Typed(DIRECTOR, Place("group", group), bind)])
        await self._type([_Typed(DIRECTOR, GROUP, _form("start"))])
        self.on_change()

    async def close(self) -> None:
        """End it: nothing of it is left."""
        await self.stop()
        async with self._turn:
            # Whatever is still on its way is for nobody, least of all for the real games.
            move_in(str(self.number), None)
            await stop_for(self.house)
            await self.qq.log_out()
            self.house.on_heard = lambda message, heard: None
            self.house.store.close()

    # --- who is who -----------------------------------------------------------------------------

    def game(self) -> Game | None:
        """The game that is played, the last one if one was played before; ``None`` before it."""
        number = self.house.ledger.store.last_game()
        return self.house.ledger.game(number) if number else None

    def _game(self) -> Game:
        game = self.game()
        if game is None:
            raise Broken("no game was opened")
        return game

    def seat(self, account: int) -> int | None:
        """The seat on which an account sits."""
        game = self.game()
        found = game.seat_of(str(account)) if game is not None else None
        return found.number if found is not None else None

    def called(self, seat: int) -> str:
        """A seat with its number and its player's name."""
        account = int(self._game().seats[seat].account)
        return str(self.speech.say("room.page.seat", seat=seat)) + f" {self.names[account]}"

    def members(self, group: int) -> list[int]:
        """Who is in a group now: everybody in the public one, a channel's own in its group."""
        return sorted(self._members(group))

    def _members(self, group: int) -> Iterator[int]:
        if group == GROUP.id:
            yield from self.names
            return
        yield DIRECTOR
        game = self.game()
        if game is not None and group in self.channels:
            for number in game.members(self.channels[group]):
                yield int(game.seats[number].account)

    def places(self, account: int) -> list[Place]:
        """The conversations that an account has, those it is no longer in too."""
        groups = [Place("group", g) for g in self.channels if account in self._members(g)]
        heard = [said.place for said in self.qq.inboxes[account]]
        private = Place("private", account)
        return list(dict.fromkeys([GROUP, *groups, *heard, private]))

    def may_type(self, account: int, place: Place) -> bool:
        """Whether the account is there."""
        if place.kind == "private":
            return place.id == account
        return account in self._members(place.id)

    # --- typing ---------------------------------------------------------------------------------

    async def type(self, account: int, place: Place, text: str) -> None:
        """Somebody types something; ends when all that came of it was said.

        Raises Muted, :class:`Broken`, or ValueError for a place where the account is not.
        """
        if not self.may_type(account, place):
            raise ValueError("not there")
        async with self._turn:
            await self._type([_Typed(account, place, text)])
        await self._begin()

    async def _type(self, lines: Sequence[_Typed]) -> list[Heard]:
        """Type these one after the other, wait until each was heard, and all answers are there."""
        futures: list[asyncio.Future[Heard]] = []
        for line in lines:
            said = await self.qq.type(line.account, line.place, self._segments(line.text))
            future = asyncio.get_running_loop().create_future()
            self._waiting[str(said.id)] = future
            futures.append(future)
        try:
            async with asyncio.timeout(PATIENCE):
                heard = list(await asyncio.gather(*futures))
        except TimeoutError:
            self.failed = True
            raise Broken("a message was not heard") from None
        await self._quiet()
        self.on_change()
        return heard

    def _segments(self, text: str) -> list[Segment]:
        """A text with ``@name`` made a mention, as a QQ client does."""
        accounts = {name: account for account, name in self.names.items()}
        pattern = "|".join(map(re.escape, sorted(accounts, key=len, reverse=True)))
        segments: list[Segment] = []
        for number, piece in enumerate(re.split(f"@({pattern})", text)):
            if number % 2:
                data = {"qq": str(accounts[piece]), "name": f"@{piece}"}
                segments.append({"type": "at", "data": data})
            elif piece:
                segments.append({"type": "text", "data": {"text": piece}})
        return segments

    def _heard(self, message: Incoming, heard: Heard) -> None:
        self._write_down(message, heard)
        future = self._waiting.pop(message.message_id, None)
        if future is not None and not future.done():
            future.set_result(heard)

    async def _quiet(self) -> None:
        """Wait until all that the bot has to say was said."""
        try:
            async with asyncio.timeout(PATIENCE):
                while self.house.store.waiting():
                    await asyncio.sleep(0.002)
        except TimeoutError:
            self.failed = True
            raise Broken("something was not said") from None

    # --- the clock ------------------------------------------------------------------------------

    def next_deadline(self) -> datetime | None:
        """When the next thing falls due, ``None`` if nothing does."""
        game = self.game()
        if game is None or game.next_alarm() is None:
            return None
        return min(game.due.values())

    async def step(self) -> None:
        """Let the random players do what is left to do; then, if all is as it was, move the clock
        to the next deadline."""
        await self.act()
        if not self.at_new_stage():
            due = self.next_deadline()
            if due is not None:
                await self._move(due)
        await self._begin()

    async def move(self, span: timedelta) -> None:
        """Move the clock on; all that falls due on the way is settled in order."""
        await self._move(self.clock + span)
        await self._begin()

    async def _move(self, to: datetime) -> None:
        async with self._turn:
            self.house.settle()
            if self._record is not None:
                self._record.moved(to, self._facts())
            alarms = self.house.ledger.alarms
            while (due := min(alarms().values(), default=None)) is not None and due <= to:
                self.clock = max(due, self.clock)
                settle_overdue(self.house)
                await self._quiet()
                if min(alarms().values(), default=None) == due:
                    self.failed = True
                    raise Broken("the clock stands still")
            self.clock = max(to, self.clock)
            if self._record is not None:
                self._phase = self._game().phase, self._game().day
        self.on_change()

    # --- random players -------------------------------------------------------------------------

    def _now_stage(self) -> Any:
        game = self._game()
        paused = game.paused_at is not None
        return game.id, game.phase, game.day, game.decides, sorted(game.due), paused

    def at_new_stage(self) -> bool:
        """Whether the game is at another stage than when the random players last looked."""
        return bool(self._now_stage() != self._stage)

    async def _begin(self) -> None:
        """A stage has begun: the random players do what ends nothing."""
        game = self.game()
        if game is not None and game.seats and self.at_new_stage():
            self._stage = self._now_stage()
            self._looked = set()
            await self._play(last=False)

    async def act(self) -> None:
        """The random players do all that they would do at this stage."""
        await self._begin()
        await self._play(last=False)
        await self._play(last=True)

    async def _play(self, *, last: bool) -> None:
        """Let each look once a stage at what is to be done, and do it. Stops at a new stage."""
        said: list[_Typed] = []
        for account in list(self._random_accounts()):
            for wish in self._wishes(account, last):
                if not last:
                    said.append(_Typed(account, GROUP, wish.ways[0]))
                    continue
                await self._try(account, wish)
                if self.at_new_stage():
                    return
        free = [line for line in said if not self.qq.muted_until(GROUP.id, line.account)]
        if free:
            async with self._turn:
                await self._type(free)

    def _random_accounts(self) -> Iterator[int]:
        game = self._game()
        for number, seat in game.seats.items():
            if number not in self.by_hand:
                yield int(seat.account)

    def _wishes(self, account: int, last: bool) -> list[Wish]:
        """What a seat's player would type now; nothing if he has looked at this stage before."""
        game = self._game()
        seat = game.seat_of(str(account))
        if seat is None or game.phase == "over" or game.paused_at is not None:
            return []
        if (account, last) in self._looked:
            return []
        self._looked.add((account, last))
        own, public = view.seat_view(game, seat.number), view.public_view(game)
        found = wishes(own, public, self._rng, self._talk)
        return [wish for wish in found if wish.last == last and wish.ways]

    async def _try(self, account: int, wish: Wish) -> None:
        place = GROUP if wish.where == "group" else Place("private", account)
        for text in wish.ways[: 2 * TRIES]:
            async with self._turn:
                try:
                    (heard,) = await self._type([_Typed(account, place, text)])
                except Muted:
                    return
            if heard != "refused" or self.at_new_stage():
                return

    def owing(self) -> list[int]:
        """Seats that are played by hand and of which something is waited for, ascending."""
        game = self._game()
        owing = {owed.who for owed in view.owed(game) if owed.expected}
        for channel in [who for who in owing if isinstance(who, str)]:
            owing.update(game.members(channel))
        return [seat for seat in sorted(self.by_hand & game.seats.keys()) if seat in owing]

    def run(self, on_owing: Callable[[Sequence[int]], None]) -> None:
        """Let the game play itself from here on, until it is over or :meth:`stop`.

        At each stage it stops once for those who are played by hand and owe something, and says
        who they are (``on_owing``).
        """
        if not self.running:
            self.running = True
            self._run = asyncio.create_task(self._run_on(on_owing))

    async def stop(self) -> None:
        """Play no further by itself."""
        task, self._run = self._run, None
        self.running = False
        if task is not None:
            await task
        self.on_change()

    async def _run_on(self, on_owing: Callable[[Sequence[int]], None]) -> None:
        try:
            while self.running and self._game().phase != "over" and self.next_deadline():
                owing = self.owing()
                if owing and self._waited != self._now_stage():
                    self._waited = self._now_stage()
                    on_owing(owing)
                    return
                await self.step()
                await asyncio.sleep(BREATH)
        except Exception as error:
            log_fault("a rehearsal", error)
        finally:
            self.running = False
            self.on_change()

    # --- what is to be seen ---------------------------------------------------------------------

    def views(self) -> dict[str, Any]:
        """What everybody may see (``status``), and of each seat what it knows and was told.

        ``seats``: a list of seat, name, card, told.
        """
        game = self._game()
        public = view.public_view(game)
        seats = []
        for number, seat in game.seats.items():
            own = view.seat_view(game, number)
            card, told = self.speech.role_card(own, public), self.speech.all_told(own, public)
            seats.append({"seat": number, "name": seat.name, "card": card, "told": told})
        return {"status": self.speech.status(public), "seats": seats}

    def log(self) -> list[dict[str, Any]]:
        """What has happened, without what players have said in the group: number, line, undone."""
        game = self._game()
        log = self.house.ledger.log(game.id)
        holds = {number for number, _ in live(log)}
        return [
            {
                "number": number,
                "line": self.speech.log_line(event, game),
                "undone": number not in holds,
            }
            for number, event in enumerate(log, 1)
            if not isinstance(event, ev.Posted)
        ]

    def show(self, said: Said) -> dict[str, Any]:
        """A message as the page takes it, with the board's own time."""
        zone = calendar.zone(self.sheet.zone)
        about = {
            key: value.astimezone(zone).isoformat() if isinstance(value, datetime) else value
            for key, value in said.about.items()
        }
        return {
            "id": said.id,
            "at": said.at.astimezone(zone).isoformat(),
            "place": said.place.key,
            "sender": said.sender,
            "segments": said.segments,
            "recalled": said.recalled,
            "kind": said.kind,
            "about": about,
        }

    # --- what was played ------------------------------------------------------------------------

    def _facts(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(
            msgspec.json.encode(view.facts(self._recorded_game(), self.clock))
        )
        return found

    def _write_down(self, message: Incoming, heard: Heard) -> None:
        """Keep what was typed, from the deal on, as far as a scenario can say it."""
        game = self.game()
        if game is None or not game.seats:
            return
        if self._record is None or self._recorded != game.id:
            # The deal itself.
            self._record, self._recorded = Record(), game.id
            self._phase = game.phase, game.day
            log = self.house.ledger.log(game.id)
            dealt = next(n for n, event in enumerate(log, 1) if isinstance(event, ev.Dealt))
            self._dealt = dealt
            # A scenario is opened, signed up for and dealt: other things have no number there.
            self._ahead = dealt - (len(game.seats) + 2)
            return
        who, where = self._who(message.account, game), self._where(message, heard, game)
        if who and where:
            text = self._with_numbers(message, game)
            self._record.typed(Line(who, where, text, heard == "refused"))
        if (game.phase, game.day) != self._phase:
            self._phase = game.phase, game.day
            self._record.turned(self._facts())

    def _who(self, account: str, game: Game) -> str:
        seat = game.seat_of(account)
        if seat is not None:
            return str(seat.number)
        if int(account) == DIRECTOR:
            return "导演"
        return self.names[int(account)] if int(account) in BYSTANDERS else ""

    def _where(self, message: Incoming, heard: Heard, game: Game) -> Literal["私", "群", "密", ""]:
        if message.group is None:
            return "私"
        if message.group == str(GROUP.id):
            return "群"
        # What is said there among themselves is no event in a group of its own.
        return "密" if game.seat_of(message.account) and heard != "talk" else ""

    def _with_numbers(self, message: Incoming, game: Game) -> str:
        """The text as it is typed in a scenario, where people are called otherwise."""
        text = message.text
        for account in message.mentions:
            person = int(account) in BYSTANDERS
            who = self.names[int(account)] if person else self._who(account, game)
            text = re.sub(rf" ?@{account}\b ?", f"@{who} ", text) if who else text
        for seat in game.seats.values():
            if int(seat.account) not in BYSTANDERS:
                text = text.replace(self.names[int(seat.account)], f"{seat.number}号")
        back = _BACK.fullmatch(text)
        if back is None:
            return text.strip()
        # Who is in a room is looked at where there are rooms, and in a scenario there are none.
        log = self.house.ledger.log(game.id)[self._dealt : int(back[2])]
        looked = sum(isinstance(event, _LOOKED) for event in log)
        return f"{back[1]}{int(back[2]) - self._ahead - looked}"

    def _recorded_game(self) -> Game:
        return self.house.ledger.game(self._recorded)

    def recorded(self) -> Game | None:
        """The last game that was dealt, if anything was played of it."""
        if self._record is None or self._record.is_empty:
            return None
        return self._recorded_game()

    def scenario(self) -> str:
        """What was played of :meth:`recorded`, as a scenario file. Raises ValueError without it."""
        game = self.recorded()
        if game is None or self._record is None:
            raise ValueError("nothing was played")
        log = self.house.ledger.log(game.id)
        title = self.speech.say(
            "room.scenario_title", title=self.speech.title(self.sheet), count=len(game.seats)
        )
        people = [self.names[account] for account in BYSTANDERS]
        base = self.house.rulesets[game.sheet.key]
        return self._record.scenario(title, base, game, log, people, self._facts())


def _form(key: str) -> str:
    return next(word.forms[0] for word in words.WORDS if word.key == key)


def _channel_word(key: str) -> str:
    """How a channel is named when a group is bound to it."""
    named = {channel: word for word, channel in reversed(words.CHANNELS.items())}
    return named.get(key) or named["pack"]
