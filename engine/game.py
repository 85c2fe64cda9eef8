"""Game: what is so now. It is the fold of its events, and changed by ``apply`` and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from engine import calendar
from engine import events as ev
from engine.chance import dice
from engine.commands import Command, Refused
from engine.mechanics import APPLIERS, HANDLERS, Rules, rules_of
from engine.mechanics.abilities import Abilities
from engine.mechanics.attendance import Attendance
from engine.mechanics.ballot import Ballots
from engine.mechanics.base import Owed
from engine.mechanics.cards import Cards
from engine.mechanics.charm import Charms
from engine.mechanics.crown import Crown
from engine.mechanics.election import Election
from engine.mechanics.guard import Guards
from engine.mechanics.hero import Reflections
from engine.mechanics.hunter import Gun
from engine.mechanics.idiot import Idiots
from engine.mechanics.king import Question
from engine.mechanics.last_words import Words
from engine.mechanics.lovers import CHANNEL as LOVERS
from engine.mechanics.lovers import Lovers
from engine.mechanics.petition import Petitions
from engine.mechanics.regime import Regime
from engine.mechanics.rooms import Finding
from engine.mechanics.sheriff import Sheriff
from engine.mechanics.witch import Potions
from engine.rewind import live
from engine.ruleset import Losing, Sheet
from engine.seats import Person, Seat

Why = Losing | Literal["red_cards", "deserted", "ruled"]
"""By what a faction was lost."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Game:
    """One game.

    ``phase``: setup, night, day or over. ``day``: number of the day; night n follows day n.
    ``due``: kind of deadline → when it falls due (aware, UTC). ``decides``: how this day executes:
    order, ballot or nobody. ``whys``: a lost faction → by what, and the clause. ``reminders``:
    when, before which kind of deadline, minutes before it.
    """

    __slots__ = (
        "abilities",
        "accelerated",
        "attendance",
        "ballot",
        "bound",
        "by_hand",
        "cards",
        "channels",
        "charm",
        "closing",
        "concluded",
        "crown",
        "day",
        "decides",
        "directed",
        "directors",
        "draws",
        "due",
        "election",
        "emitted",
        "followed",
        "group",
        "guards",
        "gun",
        "hand",
        "id",
        "idiots",
        "lived",
        "longer",
        "lost",
        "lovers",
        "mendable",
        "near",
        "now",
        "out",
        "out_at_opening",
        "paused_at",
        "petitions",
        "phase",
        "potions",
        "question",
        "random",
        "ready",
        "reflections",
        "regime",
        "reminders",
        "rooms",
        "rules",
        "ruling",
        "seats",
        "seed",
        "sheet",
        "sheriff",
        "shift",
        "signups",
        "spectators",
        "together",
        "watched",
        "whys",
        "winner",
        "words",
    )

    sheet: Sheet
    rules: Rules
    together: dict[str, str]

    def __init__(self) -> None:
        self.id = 0
        self.group = ""
        self.now = EPOCH
        self.phase = "setup"
        self.day = 0
        self.decides = "nobody"
        self.accelerated = False
        self.longer = ""
        self.signups: list[Person] = []
        self.directors: dict[str, str] = {}
        self.bound: dict[str, str] = {}
        self.rooms: dict[str, Finding] = {}
        self.spectators: dict[str, str] = {}
        # whoever has directed, and whoever has watched what is hidden: that is not forgotten
        self.directed: set[str] = set()
        self.watched: set[str] = set()
        # account → the seats whose player or coach it is or was: that is not forgotten either
        self.near: dict[str, set[int]] = {}
        self.seats: dict[int, Seat] = {}
        self.channels: dict[str, list[int]] = {}
        self.out: list[int] = []
        # seats that a director's word put out, as long as nothing has followed from it
        self.mendable: list[int] = []
        self.out_at_opening = 0
        self.lost: list[str] = []
        self.whys: dict[str, tuple[Why, str]] = {}
        self.winner: str | None = None
        # the clock
        self.due: dict[str, datetime] = {}
        self.reminders: list[tuple[datetime, str, int]] = []
        self.shift = timedelta()
        self.paused_at: datetime | None = None
        # chance: what is drawn follows from the seed; fixed draws come first
        self.seed = ""
        self.random: list[int] = []
        self.draws: list[tuple[str, int]] = []
        # mechanics
        self.abilities = Abilities()
        self.attendance = Attendance()
        self.ballot = Ballots()
        self.cards = Cards()
        self.charm = Charms()
        self.crown = Crown()
        self.election = Election()
        self.guards = Guards()
        self.gun = Gun()
        self.idiots = Idiots()
        self.lovers = Lovers()
        self.petitions = Petitions()
        self.potions = Potions()
        self.question = Question()
        self.ready: set[int] = set()
        self.reflections = Reflections()
        self.regime = Regime()
        self.sheriff = Sheriff()
        self.words = Words()
        # only while one command is handled: the director who asks, what it has emitted, from which
        # seat on the departures are still to be told and followed, and whether it is a hand on the
        # clock, the settlement of a close (and who lived then), or a director's ruling
        self.hand = ""
        self.emitted: list[ev.Event] = []
        self.concluded = 0
        self.followed = 0
        self.by_hand = False
        self.closing = False
        self.ruling = False
        self.lived: list[int] = []

    # --- the one door ---------------------------------------------------------------------------

    def handle(self, command: Command) -> list[ev.Event]:
        """Do what a command asks; return the events, already applied.

        Raises Refused with nothing changed. Raises ValueError for a command out of time or of no
        known type: a fault of the caller.
        """
        if command.at < self.now:
            raise ValueError("a command from before the last event")
        handler = HANDLERS.get(type(command))
        if handler is None:
            raise ValueError(f"no handler for {type(command).__name__}")
        self.hand = getattr(command, "by", "")
        self.emitted = []
        self.concluded = self.followed = len(self.out)
        self.by_hand = self.closing = self.ruling = False
        before = self.now
        self.now = command.at
        try:
            handler(self, command)
        except Refused:
            if self.emitted:
                raise RuntimeError("refused after a change") from None
            self.now = before
            raise
        emitted, self.emitted = self.emitted, []
        if not emitted:
            self.now = before
            return []
        return [replace(emitted[0], begins=True), *emitted[1:]]

    def apply(self, event: ev.Event) -> None:
        """Let an event have happened."""
        self.now = event.at
        for applier in APPLIERS.get(type(event), ()):
            applier(self, event)

    def emit(self, event: ev.Event) -> None:
        """Let an event happen now, while a command is handled."""
        if self.hand and not self.emitted:
            directed = ev.Directed(account=self.hand, at=self.now)
            self.emitted.append(directed)
            self.apply(directed)
        self.emitted.append(event)
        self.apply(event)

    @classmethod
    def fold(cls, events: Iterable[ev.Event]) -> Game:
        """Return the Game that these events, from its first one on, have brought about."""
        game = cls()
        for _, event in live(events):
            game.apply(event)
        return game

    def set_sheet(self, sheet: Sheet) -> None:
        """Take the sheet on."""
        self.sheet = sheet
        self.together = {ability: key for key, ability in sheet.channel_abilities.items()}
        self.rules = rules_of(tuple(sheet.mechanics), sheet.abilities())

    def clause(self, rule: str) -> str:
        """Return the clause that says ``rule`` in this game's sheet, empty if it names none."""
        return self.sheet.clauses.get(rule, "")

    # --- time -----------------------------------------------------------------------------------

    @property
    def clock(self) -> datetime:
        """The moment by which the game reckons: it stands still while the game is paused."""
        return self.paused_at or self.now

    def deadlines(self) -> list[tuple[datetime, str]]:
        """Return the next deadline of each kind, soonest first (K-26 at one instant)."""
        return sorted(
            ((due, kind) for kind, due in self.due.items()),
            key=lambda entry: (entry[0], calendar.RANK[entry[1]]),
        )

    @property
    def first_night(self) -> bool:
        """Whether it is, or was last, the first night: before day 1, or after it."""
        return self.day == (0 if self.sheet.first_phase == "night" else 1)

    def next_alarm(self) -> datetime | None:
        """Return when the clock must next say Tick: a deadline or a reminder; None if never."""
        if not self.due or self.paused_at is not None:
            return None
        soonest = min(self.due.values())
        if self.reminders and self.reminders[0][0] < soonest:
            return self.reminders[0][0]
        return soonest

    def schedule(self, kind: str, due: datetime | None) -> None:
        """Set or lift the deadline of a kind, and the reminders still to come before it."""
        self.reminders = [entry for entry in self.reminders if entry[1] != kind]
        if due is None:
            self.due.pop(kind, None)
            return
        self.due[kind] = due
        for minutes in self.sheet.reminders:
            when = due - timedelta(minutes=minutes)
            if when > self.clock:
                self.reminders.append((when, kind, minutes))
        self.reminders.sort()

    def next_hour(self, after: datetime, hour: str) -> datetime:
        """Return the first moment after ``after`` at which it is ``hour`` for this game."""
        return calendar.next_hour(after, hour, self.sheet.zone, self.shift)

    # --- chance ---------------------------------------------------------------------------------

    def draw(self, what: str, clause: str, *, barred: Collection[int] = ()) -> int:
        """Draw by chance; the draw is an event. Raises ValueError if a fixed one can't be.

        ``what`` is drawn between what its mechanic says now, without ``barred``. A draw follows
        from the game's secret seed and its number, so that it can be proved later.
        """
        number = len(self.draws)
        options = self.options(what, barred)
        if number < len(self.random):
            value = self.random[number]
            if value not in options:
                raise ValueError(f"the fixed draw {number + 1} is not possible")
        else:
            value = options[dice(self.seed, str(number), len(options))]
        self.emit(ev.Drawn(what=what, value=value, at=self.now, clause=clause))
        return value

    def options(self, what: str, barred: Collection[int] = ()) -> list[int]:
        """Return between which seats or cards a draw would be now. Raises KeyError for no draw."""
        return [option for option in self.rules.draws[what](self) if option not in barred]

    def drawn(self, what: str) -> set[int]:
        """Return what the draws of this kind have given so far."""
        return {value for kind, value in self.draws if kind == what}

    # --- seats ----------------------------------------------------------------------------------

    def living(self) -> list[int]:
        """Return the living seats, ascending."""
        return [number for number, seat in self.seats.items() if seat.alive]

    def is_living(self, number: int | None) -> bool:
        """Tell whether there is such a seat and it lives."""
        seat = self.seats.get(number) if number is not None else None
        return seat is not None and seat.alive

    def seat_of(self, account: str) -> Seat | None:
        """Return the seat that the account sits on."""
        for seat in self.seats.values():
            if seat.account == account:
                return seat
        return None

    def is_director(self, account: str) -> bool:
        """Tell whether the account directs this game: nobody who is seated does (M84-50)."""
        return account in self.directors and not self.has_sat(account)

    def has_sat(self, account: str) -> bool:
        """Tell whether the account sits or sat on a seat of this game."""
        return any(
            account == seat.account or account in seat.former for seat in self.seats.values()
        )

    def other_directors(self, account: str) -> list[str]:
        """Return the accounts that direct this game besides this one."""
        return [other for other in self.directors if other != account and self.is_director(other)]

    def sees_all(self, account: str) -> bool:
        """Tell whether the account may see what is hidden: a director, or a spectator if so."""
        seat = self.seat_of(account)
        watches = account in self.spectators and (seat is None or seat.announced)
        return self.is_director(account) or (watches and self.sheet.spectators_see == "all")

    def channel_keys(self) -> list[str]:
        """Return the keys of the secret channels that this game may have."""
        keys = list(self.sheet.channels)
        if "lovers" in self.sheet.mechanics:
            keys.append(LOVERS)
        return keys

    def members(self, channel: str) -> list[int]:
        """Return the living members of a secret channel, ascending."""
        return [number for number in self.channels.get(channel, ()) if self.seats[number].alive]

    def channel_of(self, number: int) -> str | None:
        """Return the secret channel that a living seat is in; two lovers' own comes first."""
        for channel in reversed(self.channels):
            if number in self.members(channel):
                return channel
        return None

    def owed(self) -> list[Owed]:
        """Return what seats and channels still owe or may still give now."""
        if self.phase == "over" or not self.seats:
            return []
        return [owed for owing in self.rules.owed for owed in owing(self)]

    # --- what handlers ask first ----------------------------------------------------------------

    def require_running(self) -> None:
        """Raise Refused unless roles are dealt and the game is not over."""
        if self.phase == "over":
            raise Refused("over")
        if not self.seats:
            raise Refused("not_running")

    def require_actor(self, number: int) -> Seat:
        """Return the seat that asks. Raises Refused unless it lives and the game is on."""
        self.require_running()
        seat = self.seats.get(number)
        if seat is None:
            raise Refused("no_such_seat", seat=number, count=len(self.seats))
        if not seat.alive:
            raise Refused("out")
        if self.paused_at is not None:
            raise Refused("paused")
        return seat

    def require_seat(self, number: int) -> Seat:
        """Return a seat that was named. Raises Refused when there is none."""
        seat = self.seats.get(number)
        if seat is None:
            raise Refused("no_such_seat", seat=number, count=len(self.seats))
        return seat

    def require_target(self, number: int) -> Seat:
        """Return a seat named as a target: announced out ones can't be (M84-27)."""
        seat = self.require_seat(number)
        if seat.announced:
            raise Refused("target_out", seat=number)
        return seat
