"""The desk: who is this, which game, which seat, what do they ask; and where the answer goes.

Everything here is synchronous and knows neither QQ nor a clock, so that a rehearsal plays through
the very same code. Nothing is on disk, or said, until the ledger commits.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from data import records
from data.ledger import Ledger, NoSuchGame, takes_part, targets
from data.message import Message, Target
from data.pictures import Picture
from data.sentences import Rendered, block
from data.sentences import line as one_line
from data.speech import Speech
from data.store import Queued
from data.story import Story
from engine import commands as c
from engine import events as ev
from engine import view
from engine.game import Game
from engine.mechanics import charm, rooms
from engine.mechanics.people import is_coach
from engine.proof import seed_before
from engine.rewind import at_rest, is_stirring, last_directed
from engine.ruleset import Sheet
from engine.seats import Seat
from plugins.gamemaster import people, words
from plugins.gamemaster.people import Notice
from plugins.gamemaster.words import Intent, Line, Misread, Roll, Word

_NOBODY: Mapping[str, str] = MappingProxyType({})

Heard = Literal["done", "refused", "talk", "repeat"]
"""What became of a message: a command done or answered, one refused, no command, or one that came
before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message as it arrived.

    ``at``: when it was received (aware, UTC). ``name``: what its sender is called there. ``text``:
    what was typed, without QQ's own faces; a mention is ``@ACCOUNT``. ``group``: where, ``None`` in
    private. ``via_group``: the group of a temporary private session. ``admin``: the sender is an
    admin of the group.
    ``mentions``: account → name of those mentioned. ``faces``: there are QQ's own faces in it.
    ``quotes``: it quotes another message. ``pictures``: there is more in it than all these.
    ``secret``: said in the sender's own secret channel, which has no group (a
    rehearsal). ``me``: the bot's own account.
    """

    at: datetime
    account: str
    name: str
    text: str
    message_id: str
    group: str | None = None
    via_group: str | None = None
    admin: bool = False
    mentions: Mapping[str, str] = field(default_factory=dict)
    faces: bool = False
    quotes: bool = False
    pictures: bool = False
    secret: bool = False
    me: str = ""

    @property
    def key(self) -> str:
        """What tells this message from every other."""
        return f"{self.group or '@' + self.account}:{self.message_id}"


@dataclass(slots=True)
class _Told:
    """What a game's messages have told, up to the row ``seen``: place → lines.

    ``said``: the ledger's count when they were last read.
    """

    seen: int = 0
    said: int = -1
    lines: dict[tuple[str, str], set[str]] = field(default_factory=dict)


@dataclass(slots=True)
class _Asked:
    """Somebody was asked whether what can't be lightly undone is really to be done.

    ``game``: which it is about, if any. ``may``: whether he still may. ``do``: does it.
    ``dropped``: what is said if it isn't done. ``keys``: the messages that belong to this; any
    other drops it. ``places``: where he may say so, groups or ``None`` for privately.
    """

    game: int | None
    places: tuple[str | None, ...]
    to: Target
    may: Callable[[], bool]
    do: Callable[[Incoming], Heard]
    dropped: str
    keys: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Who may host: everyone, the admins of the group, superusers only, or these accounts.

    Superusers always may. ``parameters``: of every new game, before those typed with 开局.
    ``pages``: the address under which games have pages, of which their groups are told.
    """

    hosts: Literal["everyone", "admins", "superusers"] | Collection[str] = "everyone"
    superusers: Collection[str] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    pages: str = ""


class Desk:
    """Takes every message; see :meth:`receive`."""

    def __init__(self, ledger: Ledger, speech: Speech, settings: Settings) -> None:
        self.ledger = ledger
        self.speech = speech
        self.settings = settings
        # What accounts were last called: for those whom a mention names by number alone.
        self._names: dict[str, str] = {}
        self._told: dict[int, _Told] = {}
        self._asked: dict[str, _Asked] = {}
        # (game, account) → the card of who may not speak, of which the directors were told.
        self.held_cards: dict[tuple[int, str], str] = {}
        # Group → who was seen to come into it, and not to go.
        self.joined: dict[str, set[str]] = {}

    def receive(self, message: Incoming | Notice) -> Heard:
        """Do what a message asks, or let it be talk; what is to be said goes into the outbox.

        Raises StoreError when the database fails; the message may then be received again.
        """
        if isinstance(message, Notice):
            people.learn(self, message)
            return "done"
        line = words.read(message.text)
        if len(self._names) > 10_000:
            self._names.clear()
        self._names[message.account] = message.name
        asked = self._asked.get(message.account)
        if asked is None:
            return self._sort(message, line)
        if self._confirms(message, line, asked):
            asked.keys.append(message.key)
            return asked.do(message)
        if message.text.strip() == "取消" and message.group in asked.places:
            if self.ledger.repeat(message.key):
                return "repeat"
            self._drop(message.account, asked)
            return "done"
        heard = self._sort(message, line)
        if heard != "repeat" and message.key not in asked.keys:
            self._drop(message.account, asked)
        return heard

    def _sort(self, message: Incoming, line: Line) -> Heard:
        """Find the place that a message belongs to."""
        if message.group is None:
            return self._private(message, line)
        games = self.ledger.open_games()
        for game in games:
            if game.group == message.group:
                return self._public(message, game)
        rooms = [game for game in games if message.group in game.bound.values()]
        if rooms:
            return self._room(message, line, rooms)
        return self._elsewhere(message, line)

    # --- places ---------------------------------------------------------------------------------

    def _line(self, message: Incoming, game: Game) -> Line:
        """The message as it is read in a game, with its board's own words.

        Where all that is typed is for the bot or the pack, an ability is called by the name that is
        shown too; in the public group such names are talk.
        """
        names = self.speech.typed(game.sheet)
        if message.group != game.group:
            names = {**self.speech.shown_names(game.sheet), **names}
        return words.read(message.text, names)

    def _public(self, message: Incoming, game: Game) -> Heard:
        """The group in which the game is played."""
        seat = game.seat_of(message.account)
        if seat is not None and seat.from_card and seat.name != message.name:
            people.rename(self, game, message.account, message.name, message.at)
        line = self._line(message, game)
        word = line.word
        if word is None:
            return self._post(message, game)
        past = self._past_meant(message, line, word, game)
        if past is not None:
            heard = self._read(message, line, past)
            if heard == "talk":
                return self._post(message, game)
            return self._overheard(message, message.text if heard == "refused" else "", heard, game)
        if word.private or (word.mechanic and word.mechanic not in game.sheet.mechanics):
            return self._post(message, game)
        try:
            intent = words.understand(line, roll(game))
        except Misread as misread:
            if word.secret:
                return self._secret_in_public(message, word, game)
            if word.director and not self._may_direct(message.account, word, game):
                return self._post(message, game)
            heard = self._misread(message, word, misread, game)
            return self._overheard(message, message.text, heard, game)
        if intent is None or self._is_talk(intent):
            return self._post(message, game)
        if word.secret:
            return self._secret_in_public(message, word, game)
        if line.game not in (None, game.id):
            return self._refuse(message, "bot.no_such_game", game=line.game)
        heard = self._do(message, intent, game)
        # Of a name for the next game this game tells nobody.
        told = word.key != "sign_up"
        return self._overheard(message, intent.text, heard, game, told=told)

    def _past_meant(self, message: Incoming, line: Line, word: Word, game: Game) -> Game | None:
        """The ended game that is asked about in a group where another one is open, if any is.

        It may be named. Without a number it is the last one, as long as nobody plays the other, and
        for words that are of no use to who asks before a deal.
        """
        if word.key not in _LOOKUPS:
            return None
        if line.game is not None:
            return None if line.game == game.id else self._ended_in(game.group, line.game)
        told = _OF_THE_PAST[:2] if game.sees_all(message.account) else _OF_THE_PAST
        if game.seats or word.key not in told or (word.private and not line.tail):
            return None
        return self._ended_in(game.group, None)

    def _ended_in(self, group: str, number: int | None) -> Game | None:
        """The game of a group that has ended: of a number, or the last one."""
        past = [
            row.id
            for row in self.ledger.store.games(group=group)
            if row.phase == "over" and number in (None, row.id)
        ]
        return self.ledger.game(past[-1]) if past else None

    def _room(self, message: Incoming, line: Line, games: list[Game]) -> Heard:
        """A group that is bound as a game's secret channel, or as its directors' room."""
        if line.word is not None and line.word.key in ("bind", "unbind"):
            return self._elsewhere(message, line)
        mine = [
            game
            for game in games
            if game.seat_of(message.account)
            or game.is_director(message.account)
            or game.bound.get(ev.SPECTATORS) == message.group
        ]
        if not any(self._line(message, game).word for game in mine):
            return "talk"
        game, heard = self._pick(message, line, mine)
        if game is None:
            return heard
        line = self._line(message, game)
        if line.word is None:
            return "talk"
        if game.bound.get(ev.SPECTATORS) == message.group:
            return self._read(message, line, game) if line.word.key in _GALLERY else "talk"
        if game.bound.get(ev.DIRECTORS) == message.group:
            if not game.is_director(message.account):
                return "talk"
            return self._read(message, line, game)
        director = game.is_director(message.account)
        if director and line.word.key in _LOOKUPS:
            # What a director looks up is not for those whose room it is.
            aside = replace(message, group=None, via_group=message.group)
            return self._read(aside, line, game)
        return self._channel(message, line, game)

    def _channel(self, message: Incoming, line: Line, game: Game) -> Heard:
        """A seat's secret channel: few words are commands there, all others are said to it."""
        seat = game.seat_of(message.account)
        if seat is None and not message.secret:
            return "talk"
        channel = game.channel_of(seat.number) if seat else None
        if seat is None or channel is None:
            return self._refused(message, c.Refused("no_channel"), game)
        if not message.secret and game.bound.get(channel) != message.group:
            return "talk"
        if line.word is not None and line.word.key == "withdraw":
            # What else he may have ordered is no business of the channel's.
            intent = words.understand(line, roll(game))
            own = game.sheet.channel_abilities.get(channel, "")
            if intent is not None and intent.key in ("", own):
                return self._do(message, replace(intent, key=own), game)
        elif line.word is not None and line.word.channel:
            heard = self._read(message, line, game)
            if heard != "talk":
                return heard
        elif line.word is not None and line.word.key == "say" and message.group is not None:
            # Where there are others, it is for none but those to whom it is said privately.
            if rooms.is_right(game, channel):
                return "talk"
            example = self._example(line.word, game)
            return self._refuse(message, "bot.private_only", game, example=example)
        if message.secret:
            return self._command(
                message, game, c.Say(at=message.at, seat=seat.number, text=message.text)
            )
        return "talk"

    def _elsewhere(self, message: Incoming, line: Line) -> Heard:
        """A group without a game, or whose last one is over."""
        if line.word is None:
            return "talk"
        key, group = line.word.key, message.group or ""
        waits = any(person.account == message.account for person in self.ledger.queue(group))
        last = None
        if key not in ("open", "bind", "unbind") and not (key == "sign_off" and waits):
            last = self._ended_in(group, line.game)
            if last is None and line.game is not None and key in _LOOKUPS:
                return self._refuse(message, "bot.no_such_game", game=line.game)
        # Who played may look things up, all may be told the story, and a record may be of a seat.
        if last is not None and (
            key == "record"
            or key in _OF_THE_PAST
            or (key != "again" and takes_part(last, message.account))
        ):
            return self._read(message, line, last)
        if key not in _WITHOUT_GAME:
            return "talk"
        try:
            intent = words.understand(line, Roll())
        except Misread as misread:
            return self._misread(message, line.word, misread, None)
        if intent is None or self._is_talk(intent):
            return "talk"
        match intent.word.key:
            case "open":
                return self._open(message, intent)
            case "bind":
                return self._bind(message, intent)
            case "unbind":
                return self._unbind(message, intent)
            case "help":
                return self._answer(message, self.speech.help("group", None, None, False))
            case "rules":
                return self._rules(message, intent, None)
            case "record":
                return self._record(message, intent, None)
            case "forget":
                return self._forget(message, intent)
            case "again" if last is not None:
                return self._again(message, last)
            case "sign_off" if waits:
                return self._leave_queue(message, group)
            case "roster" if waiting := self.ledger.queue(group):
                names = [person.name for person in waiting]
                return self._answer(message, self.speech.queue(names))
        return self._refuse(message, "bot.no_game_here", title=self.example_title())

    def _private(self, message: Incoming, line: Line) -> Heard:
        account = message.account
        mine = [game for game in self.ledger.open_games() if takes_part(game, account)]
        if message.via_group is None and mine:
            # Whoever is no friend can be answered through a group that both are in.
            message = replace(message, via_group=mine[0].group)
        reached = self._reached(message, line, mine)
        word = line.word
        if reached and word is None and not any(self._line(message, g).word for g in mine):
            return "talk"
        if word is not None and self._needs_no_game(line):
            try:
                intent = words.understand(line, Roll())
            except Misread as misread:
                return self._misread(message, word, misread, None)
            if intent is not None and not self._is_talk(intent):
                match word.key:
                    case "open":
                        return self._refuse(message, "bot.group_only", example=self._example(word))
                    case "choose_game":
                        return self._choose_game(message, intent, mine)
                    case "record":
                        return self._record(message, intent, None)
                    case "forget":
                        return self._forget(message, intent)
                return self._held(message)
        if not mine and line.game is None:
            return self._outside(message, line)
        game, heard = self._pick(message, line, mine)
        if game is None:
            return heard
        line = self._line(message, game)
        if message.secret:
            return self._channel(message, line, game)
        if line.word is None:
            return self._alone(message, line, game)
        heard = self._read(message, line, game)
        if heard == "talk" and self._chooses(message, line.word, game):
            return self._misread(message, line.word, Misread("too_much"), game)
        return self._not_understood(message) if heard == "talk" else heard

    def _needs_no_game(self, line: Line) -> bool:
        """Whether a private line is for no game, however many the sender is in."""
        assert line.word is not None
        if line.word.key == "record" and line.game is None:
            # A seat, or a name, is somebody's in a game.
            return not line.tail or _ACCOUNT.fullmatch(line.tail.flat) is not None
        return line.word.key in ("open", "choose_game", "held", "forget")

    def _chooses(self, message: Incoming, word: Word, game: Game) -> bool:
        """Whether the sender is asked for a choice, and the word is one of its answers."""
        seat = game.seat_of(message.account)
        if seat is None or word.key not in game.sheet.choices:
            return False
        return any(what == "choice" for what, _ in view.seat_view(game, seat.number)["owed"])

    def _not_understood(self, message: Incoming) -> Heard:
        """In private nothing is left unanswered: somebody may think that he has given an order."""
        heard = self._answer(message, self._say("chat.not_understood"))
        return "talk" if heard == "done" else heard

    def _outside(self, message: Incoming, line: Line) -> Heard:
        """In private, from somebody who takes part in no game."""
        if line.word is None:
            return "talk"
        if line.word.key == "sign_off" and (groups := self.ledger.queued(message.account)):
            if len(groups) > 1:
                example = self._example(line.word)
                return self._refuse(message, "bot.queue_off_where", example=example)
            return self._leave_queue(message, groups[0])
        # A game that has ended can be looked at, and led back.
        if line.word.key in {*_LOOKUPS, "rewind", "undo"} - {"held", "help", "rules"}:
            last = self.ledger.store.last_game_of(message.account)
            for game in self._ended(last or 0):
                if takes_part(game, message.account):
                    return self._read(message, line, game)
        key = line.word.key
        refusal, values = "bot.not_playing", dict[str, Any]()
        if key in _OF_THE_PAST:
            refusal, values = "bot.story_elsewhere", {"example": self._example(line.word)}
        try:
            intent = words.understand(line, Roll())
        except Misread:
            return self._refuse(message, refusal, **values)
        if intent is None or self._is_talk(intent):
            return "talk"
        match key:
            case "help":
                return self._answer(message, self.speech.help("private", None, None, False))
            case "rules":
                return self._rules(message, intent, None)
        return self._refuse(message, refusal, **values)

    # --- which game -----------------------------------------------------------------------------

    def _pick(
        self, message: Incoming, line: Line, mine: Sequence[Game]
    ) -> tuple[Game | None, Heard]:
        """The game that a message is for, or what became of it when that can't be told."""
        if line.game is not None:
            for game in [*mine, *self._ended(line.game)]:
                if game.id == line.game and takes_part(game, message.account):
                    return game, "done"
            if line.word is not None and line.word.key == "end":
                for game in self.ledger.open_games():
                    if game.id == line.game and self._may_direct(message.account, line.word, game):
                        return game, "done"
            if line.word is None:
                return None, "talk"
            return None, self._refuse(message, "bot.no_such_game", game=line.game)
        mine = self._fitting(message, line, mine)
        if len(mine) == 1:
            return mine[0], "done"
        chosen = self.ledger.person(message.account).chosen
        for game in mine:
            if game.id == chosen:
                return game, "done"
        lines = [self._line(message, game) for game in mine]
        read = next((line for line in lines if line.word is not None), line)
        if read.word is None and all(words.alone(line, roll(game)) is None for game in mine):
            return None, "talk"
        example = self._example(read.word, mine[0]) if read.word else line.tail.raw
        return None, self._ask_which(message, mine, example)

    def _fitting(self, message: Incoming, line: Line, mine: Sequence[Game]) -> Sequence[Game]:
        """Of somebody's games those in which a word can be his; all, if it can in none.

        Who directs one game and sits in another need not say which he means with a director's word.
        """
        if line.word is not None and line.word.director:
            directed = [game for game in mine if game.is_director(message.account)]
            return directed or mine
        if line.word is None or line.word.key in _SEATS:
            return [game for game in mine if game.seat_of(message.account)] or mine
        return mine

    def _ask_which(self, message: Incoming, games: Sequence[Game], example: str) -> Heard:
        if self.ledger.repeat(message.key):
            return "repeat"
        text = self._say(
            "bot.which_game",
            games=Rendered("\n".join(self._game_line(message.account, game) for game in games)),
            game=games[0].id,
            example=example,
        )
        self._tell(message, text, private=True)
        return "refused"

    def _game_line(self, account: str, game: Game) -> str:
        values = {
            "game": game.id,
            "title": self.speech.title(game.sheet),
            "phase": self.speech.phase(view.public_view(game)),
            "group": game.group,
        }
        seat = game.seat_of(account)
        if seat is not None:
            return self._say("bot.game_line.seat", game, seat=seat.number, **values)
        which = "director" if account in game.directors else "signed_up"
        if account in game.spectators:
            which = "spectator"
        elif which == "signed_up" and is_coach(game, account):
            which = "coach"
        return self._say(f"bot.game_line.{which}", **values)

    def _ended(self, number: int) -> list[Game]:
        try:
            game = self.ledger.game(number)
        except NoSuchGame:
            return []
        return [game] if game.phase == "over" else []

    def _choose_game(self, message: Incoming, intent: Intent, mine: Sequence[Game]) -> Heard:
        if message.group is not None:
            return self._refuse(message, "bot.private_only", example=self._example(intent.word))
        for game in mine:
            if game.id == intent.count:
                self.ledger.choose(message.account, game.id)
                return self._answer(
                    message,
                    self._say("bot.switched", game=game.id, title=self.speech.title(game.sheet)),
                )
        return self._refuse(message, "bot.no_such_game", game=intent.count)

    # --- what is asked --------------------------------------------------------------------------

    def _read(self, message: Incoming, line: Line, game: Game) -> Heard:
        assert line.word is not None
        try:
            intent = words.understand(line, roll(game))
        except Misread as misread:
            if line.word.private and message.group == game.group:
                return "talk"
            return self._misread(message, line.word, misread, game)
        return "talk" if intent is None else self._do(message, intent, game)

    def _alone(self, message: Incoming, line: Line, game: Game) -> Heard:
        """A lone number or name answers the one thing that is being asked of that person."""
        named = words.alone(line, roll(game))
        seat = game.seat_of(message.account)
        if named is None or seat is None:
            return self._not_understood(message)
        self.ledger.wake(game.id, message.at)
        game = self.ledger.game(game.id)
        asked = view.seat_view(game, seat.number)["owed"]
        answers = [_ANSWERS[what] for what, _ in asked if what in _ANSWERS]
        if not answers:
            return self._not_understood(message)
        word, make = answers[0]
        if len(answers) > 1:
            example = self._example(_BY_KEY[word], game)
            heard = self._answer(message, self._say("bot.ask_what", example=example))
            return "talk" if heard == "done" else heard
        return self._command(message, game, make(message.at, seat.number, named))

    def _do(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """Do or answer what was understood."""
        word = intent.word
        if (message.pictures or message.faces) and word.key not in _PICTURED:
            return self._refuse(message, "bot.only_text", game, example=self._example(word, game))
        if word.director and not self._may_direct(message.account, word, game):
            seated = message.account in game.directors
            key = "bot.seated_director" if seated else "bot.not_director"
            return self._refuse(message, key, game)
        if word.key in _LOOKUPS:
            self.ledger.wake(game.id, message.at)
            return _LOOKUPS[word.key](self, message, intent, self.ledger.game(game.id))
        if word.key in _SPECIAL:
            return _SPECIAL[word.key](self, message, intent, game)
        if word.director:
            return self._command(message, game, _DIRECTORS[word.key](message.at, intent))
        if word.key not in _SEATS:
            return self._refused(message, c.Refused("no_ability"), game)
        seat = game.seat_of(message.account)
        if seat is None:
            if word.key == "confirm" and game.is_director(message.account):
                return self._refuse(message, "bot.nothing_asked", game)
            if not game.seats:
                return self._refused(message, c.Refused("not_running"), game)
            return self._refuse(message, "bot.stranger", game)
        return self._command(message, game, _SEATS[word.key](message, seat.number, intent))

    def _may_direct(self, account: str, word: Word, game: Game) -> bool:
        ends = word.key == "end" and account in self.settings.superusers
        # What the directors saw is everybody's once the game is over (M84-37).
        over = game.phase == "over" and word.key in ("table", "log")
        watches = word.key in ("table", "log") and game.sees_all(account)
        return ends or over or watches or game.is_director(account)

    def _command(self, message: Incoming, game: Game, command: c.Command) -> Heard:
        """Let the game handle a command, and answer it."""
        if (
            isinstance(command, (c.DirectorCommand, c.Deal))
            or (isinstance(command, c.Vote) and command.proxy)
            or (isinstance(command, c.Watch) and command.admitted)
        ):
            command = msgspec.structs.replace(command, by=message.account)
        outcome = self.ledger.act(game.id, command, None, message.key)
        if outcome.repeat:
            return "repeat"
        game = self.ledger.game(game.id)
        if outcome.failed:
            self._tell(message, self._say("error.internal"), game, private=True)
            return "refused"
        if outcome.refused is not None:
            code, values = outcome.refused.code, outcome.refused.values
            text = self.speech.refusal(code, values, game, command)
            self._tell(message, text, game, private=True)
            return "refused"
        self._recall_breach(message, outcome.events, game)
        said_here = message.group is not None and any(
            target == Target("group", message.group)
            for said in outcome.messages
            if said.action == "text"
            for target in targets(game, said.audience)
        )
        if not said_here and (text := self.speech.reply(game, command, outcome.events)):
            self._tell(message, text, game)
        return "done"

    def _post(self, message: Incoming, game: Game) -> Heard:
        seat = game.seat_of(message.account)
        if seat is None:
            return "talk"
        plain = not (message.pictures or message.mentions or message.quotes)
        post = c.Post(at=message.at, seat=seat.number, text=message.text, plain=plain)
        outcome = self.ledger.act(game.id, post, None, message.key)
        if outcome.repeat:
            return "repeat"
        self._recall_breach(message, outcome.events, game)
        return self._overheard(message, message.text, "talk", game)

    def _overheard(
        self, message: Incoming, text: str, heard: Heard, game: Game, *, told: bool = True
    ) -> Heard:
        """Tell the directors of what they must judge, as far as the game does not tell it.

        ``text``: what was said in the group in so many words. Of a charmed seat everything is
        looked at that was not done; a reason that was none of the sounds the game has told
        (``told``: it tells of such words).
        """
        seat = game.seat_of(message.account)
        game = self.ledger.game(game.id)
        if seat is None or heard == "repeat" or game.phase not in ("day", "night"):
            return heard
        if game.clause("reports") and self._pasted(text, seat, game):
            self._report("chat.pasted", seat, message, game)
        unsaid = heard == "refused" or (heard == "done" and not (text and told))
        plain = not message.pictures
        if unsaid and game.phase == "day" and charm.breaks_silence(game, seat.number, text, plain):
            self._recall(message, game)
            self._report("chat.charmed", seat, message, game)
        return heard

    def _report(self, key: str, seat: Seat, message: Incoming, game: Game) -> None:
        quoted = self._say("format.quote", game, text=block(message.text))
        text = self._say(key, game, game=game.id, seat=seat.number, text=Rendered(quoted))
        self.ledger.tell(game.id, Message("directors", text))

    def _pasted(self, text: str, seat: Seat, game: Game) -> bool:
        """Whether it holds a line that the seat was told privately, or a result's usual form."""
        if _RESULT.search(words.flatten(text)):
            return True
        folded = words.fold(text)
        if len(folded) < _PASTED_LENGTH:
            return False
        told = self._told_lines(game)
        places = [("private", account) for account in (seat.account, *seat.former)]
        places += [
            ("group", game.bound[channel])
            for channel, members in game.channels.items()
            if seat.number in members and channel in game.bound
        ]
        public = told.get(("group", game.group), set())
        return any(
            line in folded and line not in public
            for place in places
            for line in told.get(place, ())
        )

    def _told_lines(self, game: Game) -> dict[tuple[str, str], set[str]]:
        """Place → the lines that were said there in a game, folded, without the shortest."""
        if game.id not in self._told:
            on = {game.id for game in self.ledger.open_games()}
            self._told = {number: told for number, told in self._told.items() if number in on}
            self._told[game.id] = _Told()
        told = self._told[game.id]
        prefix = self._say("bot.game_prefix", game=game.id)
        if told.said == self.ledger.said:
            return told.lines
        for row in self.ledger.store.messages(told.seen, game.id):
            told.seen = row.id
            lines = told.lines.setdefault((row.target.kind, row.target.id), set())
            for line in map(words.fold, row.text.removeprefix(prefix).splitlines()):
                # An answer is told by what follows its last colon alone.
                answer = line.rpartition(":")[2] if row.audience.startswith("seat:") else line
                lines.update(text for text in (line, answer) if len(text) >= _PASTED_LENGTH)
        told.said = self.ledger.said
        return told.lines

    def _recall(self, message: Incoming, game: Game) -> None:
        """Take a message off the group's screen, where the bot may."""
        assert message.group is not None
        self.ledger.say(
            Target("group", message.group),
            "",
            game.id,
            action="recall",
            arguments={"message_id": message.message_id},
        )

    def _recall_breach(self, message: Incoming, events: Sequence[ev.Event], game: Game) -> None:
        """Take back what a charmed seat may not say (M84-31); the game tells the directors."""
        if message.group == game.group and any(
            isinstance(event, ev.Reported) and event.what.startswith("charmed") for event in events
        ):
            self._recall(message, game)

    def _secret_in_public(self, message: Incoming, word: Word, game: Game) -> Heard:
        """Take it off the screen where the bot may, and say privately where it belongs."""
        if self.ledger.repeat(message.key):
            return "repeat"
        self._recall(message, game)
        text = self._say("bot.secret_in_public.recalled", example=self._example(word, game))
        self._tell(message, text, game, private=True)
        return "refused"

    # --- what is asked back ---------------------------------------------------------------------

    def _ask_back(
        self,
        message: Incoming,
        word: Word,
        game: Game,
        text: str,
        make: Callable[[datetime], c.Command],
        dropped: str,
        *,
        private: bool = False,
    ) -> Heard:
        """Ask whether a game's command is really to be done, as :meth:`_ask` does."""
        return self._ask(
            message,
            game,
            text,
            lambda: self._may_direct(message.account, word, self.ledger.game(game.id)),
            lambda said: self._command(said, self.ledger.game(game.id), make(said.at)),
            dropped,
            private=private,
        )

    def _ask(
        self,
        message: Incoming,
        game: Game | None,
        text: str,
        may: Callable[[], bool],
        do: Callable[[Incoming], Heard],
        dropped: str,
        *,
        private: bool = False,
    ) -> Heard:
        """Ask whether it is really to be done: only 确认, there and next, does it."""
        heard = self._answer(message, text, game, private=private)
        if heard == "done":
            # There where he was asked, or where he said what he is asked about.
            self._asked[message.account] = _Asked(
                game=game.id if game is not None else None,
                places=(message.group, None) if private else (message.group,),
                to=self._to(message, private, game),
                may=may,
                do=do,
                dropped=dropped,
                keys=[message.key],
            )
        return heard

    def _end(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """``终局`` tells everybody's role, so it is asked back."""
        if game.phase == "over":
            return self._command(message, game, c.EndGame(at=message.at))
        return self._ask_back(
            message,
            intent.word,
            game,
            self._say("bot.end_confirm", game=game.id),
            lambda at: c.EndGame(at=at),
            self._say("bot.end_dropped"),
        )

    def _rewind(
        self, message: Incoming, intent: Intent, game: Game, shown: int | None = None
    ) -> Heard:
        """``回到 N`` and ``撤销``: shows what would be undone, where directors can read it.

        ``shown``: how long the log was when that was last shown. If anything but talk has happened
        since, it is shown anew, else done.
        """
        self.ledger.wake(game.id, message.at)
        game, log = self.ledger.game(game.id), self.ledger.log(game.id)
        try:
            to = intent.count if intent.word.key == "rewind" else last_directed(log)
            to = at_rest(log, to)
        except c.Refused as refused:
            return self._refused(message, refused, game)
        text = self.speech.rewind_asked(game, Game.fold(log[:to]), log, to, message.at)
        if shown is not None:
            if not any(is_stirring(event) for event in log[shown:]):
                rewind = c.Rewind(at=message.at, to=to)
                return self._command(message, game, rewind)
            text = f"{self._say('bot.rewind_stale')}\n{text}"
        return self._ask(
            message,
            game,
            text,
            lambda: self._may_direct(message.account, intent.word, self.ledger.game(game.id)),
            lambda said: self._rewind(said, intent, self.ledger.game(game.id), len(log)),
            self._say("bot.rewind_dropped"),
            private=message.group != game.bound.get("directors"),
        )

    def _confirms(self, message: Incoming, line: Line, asked: _Asked) -> bool:
        if line.word is None or line.word.key != "confirm" or message.group not in asked.places:
            return False
        if len(asked.keys) > 1 and message.key not in asked.keys:
            return False  # it was confirmed before
        try:
            understood = words.understand(line, Roll()) is not None and not message.pictures
        except Misread:
            return False
        return understood and line.game in (None, asked.game) and asked.may()

    def _drop(self, account: str, asked: _Asked) -> None:
        """Something else was said: it is not done, unless it has been."""
        if self._asked[account] is not asked:
            return  # asked again
        del self._asked[account]
        if len(asked.keys) == 1:
            self.ledger.say(asked.to, asked.dropped, asked.game)

    # --- opening, sign-up, deal -----------------------------------------------------------------

    def _may_host(self, message: Incoming) -> bool:
        if message.account in self.settings.superusers:
            return True
        match self.settings.hosts:
            case "everyone":
                return True
            case "admins":
                return message.admin
            case "superusers":
                return False
        return message.account in self.settings.hosts

    def _open(self, message: Incoming, intent: Intent) -> Heard:
        title = self.example_title()
        if not self._may_host(message):
            return self._refuse(message, "bot.not_host")
        asked, _, rest = " ".join(intent.text.split()).partition(" ")
        if not asked:
            return self._misread(message, intent.word, Misread("no_sheet"), None)
        sheet = self._sheet(asked)
        if sheet is None:
            return self._unknown_sheet(message, asked)
        try:
            typed = self._parameters(rest, sheet)
        except Misread as misread:
            return self._refuse(
                message, "bot.bad_parameter", text=misread.values["typed"], title=title
            )
        outcome = self.ledger.create(
            at=message.at,
            group=message.group or "",
            sheet=sheet.key,
            parameters={**self.settings.parameters, **{k: v for k, (_, v) in typed.items()}},
            account=message.account,
            name=self.called(message.account, message.name),
            key=message.key,
        )
        if outcome.repeat:
            return "repeat"
        if outcome.failed:
            said = self._say("error.internal")
        elif outcome.refused is None and outcome.game_id is not None:
            if typed:
                named = {key: name for name, key in words.PARAMETERS.items()}
                shown = [
                    f"{named.get(key, name)} {value}"
                    for key, (what, _) in typed.items()
                    for name, _, value in [what.partition("=")]
                ]
                text = "，".join(shown)
                self._tell(message, self._say("bot.opened_with", text=text))
            self._enrol(message, self.ledger.game(outcome.game_id))
            return "done"
        elif outcome.refused is not None and outcome.refused.code == "game_open":
            said = self._say("bot.game_here", game=outcome.refused.values["game"])
        else:
            assert outcome.refused is not None
            # What was typed for the wrong key; a wrong sum of several is all that was typed.
            key = str(outcome.refused.values["key"]).removeprefix("roles.").partition(".")[0]
            wrong = typed[key][0] if key in typed else rest
            said = self._say("bot.bad_parameter", text=wrong, title=title)
        self._tell(message, said, private=True)
        return "refused"

    def _again(self, message: Incoming, last: Game) -> Heard:
        """``再来一局``: the last game's very sheet; who was in it is asked, and must say 报名.

        Whoever asks for it hosts it, if he hosted the last one or may open games; the group is told
        who that is, and how the former host can have it.
        """
        if message.account not in last.directors and not self._may_host(message):
            return self._refuse(message, "bot.not_host")
        outcome = self.ledger.create(
            at=message.at,
            group=last.group,
            sheet=last.sheet,
            parameters={},
            account=message.account,
            name=self.called(message.account, message.name),
            key=message.key,
        )
        if outcome.repeat:
            return "repeat"
        if outcome.game_id is None:
            # The sheet is of a time when other sheets were right.
            key = "error.internal" if outcome.failed else "bot.again_not"
            values = {} if outcome.failed else {"title": self.example_title()}
            self._tell(message, self._say(key, **values), private=True)
            return "refused"
        self._enrol(message, self.ledger.game(outcome.game_id))
        game = self.ledger.game(outcome.game_id)
        known = {person.account for person in game.signups} | {message.account}
        former = [seat.account for seat in last.seats.values()]
        former = former or [person.account for person in last.signups]
        # Whoever asked to be forgotten is not called any more.
        known |= self.ledger.gone(last.id)
        host = self.speech.names(list(game.directors.values()))
        text = self._say("bot.again", game=game.id, name=host)
        if message.account not in last.directors and last.directors:
            former_host = self.speech.names(list(last.directors.values()))
            text += "\n" + self._say("bot.again_other", name=host, names=former_host)
        self.ledger.say(
            Target("group", game.group),
            text,
            game.id,
            arguments={"at": [account for account in former if account not in known]},
        )
        return "done"

    def _again_elsewhere(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """``再来一局`` where no game can be opened."""
        return self._refuse(message, "bot.group_only", example=self._example(intent.word))

    def _parameters(self, text: str, sheet: Sheet) -> dict[str, tuple[str, Any]]:
        """Parameter → what was typed for it, and its value. Raises Misread."""
        roles = {words.fold(name): key for key, name in self.speech.roles(sheet).items()}
        found: dict[str, tuple[str, Any]] = {}
        for name, value in words.parameters(text):
            key = roles.get(words.fold(name)) or words.PARAMETERS.get(name, name)
            if key == "theme":
                found[key] = (f"{name}={value}", self.speech.theme(value) or value)
            else:
                found[key] = (f"{name}={value}", _value(value, key))
        return found

    def _sheet(self, name: str) -> Sheet | None:
        """The sheet of that key, word or title; or the one of the shortest word that begins so."""
        wanted = words.fold(name)
        begun: dict[str, Sheet] = {}
        for key, sheet in self.ledger.rulesets.items():
            word, title = (words.fold(of(sheet)) for of in (self.speech.word, self.speech.title))
            if wanted in (words.fold(key), word, title):
                return sheet
            if wanted and (word.startswith(wanted) or title.startswith(wanted)):
                begun[word] = sheet
        return begun[min(begun, key=len)] if begun else None

    def _is_talk(self, intent: Intent) -> bool:
        """Whether what follows a word with no space between is no board: ``开局吧``."""
        return intent.key == "glued" and self._sheet(intent.text.split()[0]) is None

    def _unknown_sheet(self, message: Incoming, asked: str) -> Heard:
        titles = [self.speech.word(sheet) for sheet in self.ledger.rulesets.values()]
        return self._refuse(
            message, "bot.unknown_sheet", text=asked, sheets=titles, title=titles[0]
        )

    def _sign_up(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        if message.group is None:
            return self._refuse(message, "bot.group_only", example=self._example(intent.word))
        queues = game.phase != "over" and (game.seats or self._is_full(message.account, game))
        wrong = self._wrong_name(message.account, intent.text, game) if intent.text else ""
        if wrong and not (queues and wrong == "bot.taken_name"):
            word, _, name = intent.word.example.partition(" ")
            values = {"example": f"{word} {self.name_in(game, '', name)}"}
            if wrong != "bot.bad_name":
                values["text"] = one_line(intent.text, _NAME_LENGTH)
            return self._refuse(message, wrong, game, **values)
        if queues:
            name = self.called(message.account, intent.text, message.name)
            seat = game.seat_of(message.account)
            if seat is not None:
                # Who may not speak does not do so by my mouth either.
                name = seat.name
            return self._join_queue(message, name, game)
        name = self.name_in(game, message.account, intent.text, message.name)
        games = self.ledger.store.finished(message.account)
        command = c.SignUp(
            at=message.at,
            account=message.account,
            name=name,
            games=games,
            from_card=not intent.text,
        )
        heard = self._command(message, game, command)
        if heard == "done":
            self.unqueue(message.account, game.group)
            self.ledger.saw(message.account, name)
            self._hello(message.account, name, game)
            if message.account in game.directors and not self._unseated(game):
                to = Target("private", message.account, game.group)
                self.ledger.say(to, self._say("bot.last_director", game=game.id), game.id)
        return heard

    def _is_full(self, account: str, game: Game) -> bool:
        """Whether there is no place on the list for somebody who is not on it."""
        signed_up = any(person.account == account for person in game.signups)
        return not signed_up and len(game.signups) >= view.public_view(game)["players_max"]

    def _unseated(self, game: Game) -> bool:
        """Whether some director has not signed up, and so stays one after the deal."""
        signed_up = {person.account for person in game.signups}
        return any(account not in signed_up for account in game.directors)

    def _hello(self, account: str, name: str, game: Game) -> None:
        """The private line that shows whether the person can be reached."""
        text = self._say("bot.hello", name=name, game=game.id, title=self.speech.title(game.sheet))
        self.ledger.say(Target("private", account, game.group), text, game.id)

    def _sign_off(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        groups = self.ledger.queued(message.account)
        if game.group in groups:
            return self._leave_queue(message, game.group)
        if message.group is None and game.seats and len(groups) == 1:
            return self._leave_queue(message, groups[0])
        command = c.SignOff(at=message.at, account=message.account)
        heard = self._command(message, game, command)
        if heard == "done":
            self._enrol(message, self.ledger.game(game.id))
        return heard

    # --- the queue for the next game ------------------------------------------------------------

    def _join_queue(self, message: Incoming, name: str, game: Game) -> Heard:
        """``报名`` while a game runs, or when it is full."""
        waiting = self.ledger.queue(game.group)
        for number, person in enumerate(waiting, 1):
            if person.account == message.account:
                return self._refuse(message, "bot.queued_already", game, number=number)
        if self.ledger.repeat(message.key):
            return "repeat"
        waiting.append(Queued(message.account, name))
        self.ledger.set_queue(game.group, waiting)
        key = "bot.queued" if game.seats else "bot.queued_full"
        self._tell(message, self._say(key, name=name, number=len(waiting)), game)
        return "done"

    def _leave_queue(self, message: Incoming, group: str) -> Heard:
        if self.ledger.repeat(message.key):
            return "repeat"
        self.unqueue(message.account, group)
        self._tell(message, self._say("bot.queue_off"))
        return "done"

    def unqueue(self, account: str, group: str) -> None:
        """Somebody waits no more for the next game of a group, if he did."""
        waiting = self.ledger.queue(group)
        kept = [person for person in waiting if person.account != account]
        if len(kept) < len(waiting):
            self.ledger.set_queue(group, kept)

    def _enrol(self, message: Incoming, game: Game) -> None:
        """Sign up those who waited for this game, as many as fit; the rest waits on."""
        waiting = self.ledger.queue(game.group)
        if not waiting:
            return
        people: list[c.Applicant] = []
        for person in waiting:
            given = {one.account: one.name for one in people}
            name = self.name_in(game, person.account, person.name, given=given)
            games = self.ledger.store.finished(person.account)
            people.append(c.Applicant(person.account, name, games))
        outcome = self.ledger.act(game.id, c.Enrol(at=message.at, people=people))
        if outcome.failed or outcome.refused is not None:
            return
        game = self.ledger.game(game.id)
        for event in outcome.events:
            if isinstance(event, ev.SignedUp):
                self.ledger.saw(event.account, event.name)
                self._hello(event.account, event.name, game)
        for person in waiting:
            if person.account in game.directors:
                to = Target("private", person.account, game.group)
                self.ledger.say(to, self._say("bot.queue_host"), game.id)
        known = {person.account for person in game.signups} | game.directors.keys()
        left = [person for person in waiting if person.account not in known]
        self.ledger.set_queue(game.group, left)
        if left and outcome.events:
            names = self.speech.names([person.name for person in left])
            text = self._say("bot.queue_left", names=names)
            self.ledger.say(Target("group", game.group), text, game.id)

    def _start(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        if not intent.text and not game.seats:
            missing = [
                person.name
                for person in game.signups
                if self.ledger.person(person.account).reachable is not True
            ]
            if missing:
                names = self.speech.names(missing)
                return self._refuse(message, "bot.unreachable_start", game, names=names)
            if not self._unseated(game):
                names = self.speech.names(list(game.directors.values()))
                return self._refuse(message, "bot.no_director_left", game, names=names)
        # Whoever has the same people in the same seats again has the same deal again.
        seed = seed_before(self.ledger.log(game.id), game) or secrets.token_hex(16)
        return self._command(message, game, c.Deal(at=message.at, seed=seed))

    def _bind(self, message: Incoming, intent: Intent, game: Game | None = None) -> Heard:
        """``绑定``: the group in which it is typed becomes a channel of the game that it names."""
        if message.group is None:
            return self._refuse(message, "bot.group_only", example=self._example(intent.word))
        games = self.ledger.open_games()
        for game in games:
            if game.group == message.group:
                example = self._example(intent.word)
                return self._refuse(message, "chat.bind_here", game=game.id, example=example)
        directed = [game for game in games if game.is_director(message.account)]
        if intent.count:
            directed = [game for game in directed if game.id == intent.count]
        if not directed:
            return self._refuse(message, "bot.not_director")
        if len(directed) > 1:
            return self._ask_which(message, directed, self._example(intent.word))
        channel = intent.text
        if channel == "pack":
            channel = next(iter(directed[0].sheet.channels), channel)
        game, group = directed[0], message.group
        others = [
            (other.id, key, place)
            for other in games
            for key, place in other.bound.items()
            if (place == group) != ((other.id, key) == (game.id, channel))
            # Directors of several games may have one room.
            and not (key == channel == ev.DIRECTORS and other.id != game.id)
        ]
        if not others:
            return self._bind_now(message, game.id, channel, group, [])
        moved = [number for number, _, _ in others if number != game.id]
        if not all(self.ledger.game(number).is_director(message.account) for number in moved):
            return self._refuse(message, "chat.bind_elsewhere")
        was = [
            self._say(
                "chat.bind_place", game=number, room=self._room_name(number, key), group=place
            )
            for number, key, place in others
        ]
        asked = {"game": game.id, "room": self._room_name(game.id, channel)}
        return self._ask(
            message,
            game,
            self._say("chat.bind_moves", **asked, was=Rendered("；".join(was))),
            lambda: self.ledger.game(game.id).is_director(message.account),
            lambda said: self._bind_now(said, game.id, channel, group, others),
            self._say("chat.bind_dropped"),
            private=True,
        )

    def _room_name(self, number: int, channel: str) -> Rendered:
        """How a room is called in a game."""
        if channel in (ev.DIRECTORS, ev.SPECTATORS):
            return Rendered(self._say(f"format.room_{channel}"))
        return Rendered(self._say("format.room", self.ledger.game(number), channel=channel))

    def _bind_now(
        self,
        message: Incoming,
        number: int,
        channel: str,
        group: str,
        others: Sequence[tuple[int, str, str]],
    ) -> Heard:
        """Bind it; ``others``: the rooms (game, channel, group) that this makes none."""
        for other, key, _ in others:
            if (other, key) != (number, channel):
                unbind = c.Unbind(at=message.at, by=message.account, channel=key)
                self.ledger.act(other, unbind)
        command = c.Bind(at=message.at, channel=channel, group=group)
        return self._command(message, self.ledger.game(number), command)

    def _unbind(self, message: Incoming, intent: Intent, game: Game | None = None) -> Heard:
        """``解绑``: the group in which it is typed is a room of nothing that the sender directs."""
        found = [
            (other.id, channel)
            for other in self.ledger.open_games()
            for channel, group in other.bound.items()
            if group == message.group and other.is_director(message.account)
        ]
        if not found:
            return self._refuse(message, "chat.not_bound", example=_BY_KEY["bind"].example)
        if self.ledger.repeat(message.key):
            return "repeat"
        for number, channel in found:
            unbind = c.Unbind(at=message.at, by=message.account, channel=channel)
            self.ledger.act(number, unbind)
        return "done"

    def _rule_lost(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """``判负``: the faction by its key, or by the board's name for it."""
        typed = _faction(intent.key)
        named = {_faction(name): key for key, name in self.speech.factions(game.sheet).items()}
        faction = named.get(typed, typed)
        return self._command(
            message, game, c.RuleLost(at=message.at, faction=faction, reason=intent.text)
        )

    def _person(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """替补, 场助, 副导演, 观战: somebody is mentioned."""
        account, at = intent.account, message.at
        known = self._names.get(account) or self.ledger.person(account).name
        if account not in message.mentions and not account.isdecimal():
            return self._misread(
                message, intent.word, Misread("no_person", example=intent.word.example), game
            )
        if account == message.me:
            return self._refuse(message, "bot.not_me", game, example=intent.word.example)
        names = (intent.text, message.mentions.get(account, ""), known)
        name = self.called(account, *names)
        if intent.word.key == "replace":
            name = self.name_in(game, account, *names)
        command: c.Command
        if intent.word.key == "add_director":
            command = c.AddDirector(at=at, account=account, name=name)
        elif intent.word.key == "watch":
            command = c.Watch(at=at, account=account, name=name, admitted=True)
        else:
            seat = _named(intent.seat)
            if intent.word.key == "coach":
                command = c.Coach(at=at, target=seat, account=account, name=name)
            else:
                games = self.ledger.store.finished(account)
                command = c.Replace(
                    at=at,
                    target=seat,
                    account=account,
                    name=name,
                    games=games,
                    from_card=not intent.text,
                )
        heard = self._command(message, game, command)
        if heard == "done" and intent.word.key == "coach":
            game = self.ledger.game(game.id)
            text = self._say("bot.coach_hello", game, game=game.id, seat=intent.seat)
            self.ledger.say(Target("private", account, game.group), text, game.id)
        if heard == "done" and intent.word.key == "replace":
            game = self.ledger.game(game.id)
            former = game.seats[_named(intent.seat)].former[-1]
            gone = self._say("bot.replaced_gone", game=game.id)
            self.ledger.say(Target("private", former, game.group), gone, game.id)
            own, public = view.seat_view(game, _named(intent.seat)), view.public_view(game)
            card = self.speech.card_picture(own, public)
            for text, picture in (
                (self._say("bot.replaced_hello", game, game=game.id, seat=intent.seat), None),
                (self.speech.role_card(own, public), card),
                (self.speech.all_told(own, public), None),
            ):
                to = Target("private", account, game.group)
                self.ledger.say(to, text, game.id, picture=picture)
        return heard

    def _watch(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """``观战``, for oneself; with a mention, a director lets somebody in."""
        if not intent.account:
            seat = game.seat_of(message.account)
            name = seat.name if seat is not None else self.called(message.account, message.name)
            return self._command(
                message, game, c.Watch(at=message.at, account=message.account, name=name)
            )
        if not game.is_director(message.account):
            return self._refuse(message, "bot.not_director")
        return self._person(message, intent, game)

    # --- looking things up ----------------------------------------------------------------------

    def _help(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        public = view.public_view(game)
        if message.group == game.group:
            return self._answer(message, self.speech.help("group", public, None, False), game)
        seat = game.seat_of(message.account)
        own = view.seat_view(game, seat.number) if seat is not None else None
        director = game.is_director(message.account)
        if message.group is not None and message.group == game.bound.get(ev.SPECTATORS):
            return self._answer(message, self.speech.help("group", public, None, False), game)
        where: Literal["private", "directors", "channel"] = "private"
        if message.group is not None:
            where = "directors" if director else "channel"
        if own is not None and where == "channel":
            # What a member can do besides is none of the others' business.
            shared = game.sheet.channel_abilities.get(own["channel"] or "")
            abilities = [ability for ability in own["abilities"] if ability == shared]
            owed = [[what, due] for what, due in own["owed"] if what == shared]
            own = {**own, "abilities": abilities, "owed": owed}
        return self._answer(message, self.speech.help(where, public, own, director), game)

    def _rules(self, message: Incoming, intent: Intent, game: Game | None) -> Heard:
        sheet = self._sheet(intent.text)
        if intent.text and sheet is None:
            return self._unknown_sheet(message, intent.text)
        if game is not None and (sheet is None or sheet.key == game.sheet.key):
            sheet = game.sheet
        if sheet is None:
            sheet = next(iter(self.ledger.rulesets.values()))
        return self._answer(message, self.speech.rules(sheet), game)

    def _card(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        public = view.public_view(game)
        text: str = getattr(self.speech, intent.word.key)(public)
        waiting = self.ledger.queue(game.group) if intent.word.key == "roster" else []
        if waiting:
            text += "\n" + self.speech.queue([person.name for person in waiting])
        picture = None if intent.key else self.speech.picture(intent.word.key, public)
        return self._answer(message, text, game, picture=picture)

    def _record(self, message: Incoming, intent: Intent, game: Game | None) -> Heard:
        """战绩: one's own, of a seat, or of somebody who is mentioned."""
        account, name = message.account, message.name
        if intent.account:
            account = intent.account
            if account not in message.mentions and not account.isdecimal():
                return self._misread(message, intent.word, Misread("no_person"), game)
            known = self._names.get(account) or self.ledger.person(account).name
            name = self.called(account, message.mentions.get(account, ""), known)
        elif intent.seat is not None and game is not None:
            seat = game.seats[intent.seat]
            account = seat.account
            name = seat.name or self._say("format.seat", number=str(seat.number))
        own = game.seat_of(account) if game is not None and game.phase != "over" else None
        if own is not None:
            name = own.name  # a card may say what its owner may not
        record = records.add_up(self.ledger.store.records(account))
        return self._answer(message, self.speech.record(name, record))

    def _own_card(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """我的身份, 我的信息: privately, wherever it was asked."""
        seat = game.seat_of(message.account)
        if seat is None:
            if not game.seats:
                return self._refused(message, c.Refused("not_running"), game)
            return self._refuse(message, "bot.stranger", game)
        self.pull(message.account)
        own, public = view.seat_view(game, seat.number), view.public_view(game)
        if intent.word.key == "my_notices":
            return self._answer(message, self.speech.all_told(own, public), game, private=True)
        text, picture = self.speech.role_card(own, public), self.speech.card_picture(own, public)
        return self._answer(message, text, game, private=True, picture=picture)

    def _held(
        self, message: Incoming, intent: Intent | None = None, game: Game | None = None
    ) -> Heard:
        count = self.pull(message.account)
        text = self._say("bot.held_some", count=count) if count else self._say("bot.held_none")
        return self._answer(message, text, game, private=True)

    def pull(self, account: str) -> int:
        """Send again what could not be delivered; how many messages these are."""
        count = len(self.ledger.store.undelivered(account))
        if count:
            self.ledger.pull(account)
        return count

    def _directors_card(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """身份表, 待办: privately, or where all may be told, wherever it was asked."""
        public = view.public_view(game)
        match intent.word.key:
            case "table":
                text = self.speech.director_table(view.director_view(game), public)
            case _:
                text = self.speech.todo(view.owed(game), public)
        return self._answer(message, text, game, private=not self._tells_all(message, game))

    def _tells_all(self, message: Incoming, game: Game) -> bool:
        """Whether what directors see may be said where a message came from.

        Once it is over, nothing of a game is a secret in its group.
        """
        where = message.group
        over = game.phase == "over" and where == game.group
        return where is not None and (over or where == game.bound.get(ev.DIRECTORS))

    def _story(self, message: Incoming, intent: Intent, game: Game) -> Heard:
        """记录, 为什么, 复盘: what the log tells; to directors, and to all after the end."""
        over, word = game.phase == "over", intent.word.key
        if not over and word == "retell":
            return self._refuse(message, "bot.retell_later")
        if not over and not game.sees_all(message.account):
            return self._refuse(message, "bot.why_later")
        if word == "why" and intent.seat is None and not intent.key:
            if message.group == game.group and words.flatten(message.text).rstrip().endswith("?"):
                return "talk"  # people ask one another
            return self._refuse(message, "bot.why_what", example=intent.word.example)
        events = self.ledger.log(game.id)
        story = Story(self.speech, game, events)
        private = not self._tells_all(message, game)
        if word == "why":
            return self._answer(message, self._because(story, intent), game, private=private)
        if word == "log":
            day = None if intent.count < 0 else intent.count
            pages = story.record(intent.key, day)
            if not pages:
                return self._refuse(message, "bot.no_phase", example=intent.word.example)
            head = self._say("bot.log_head", game=game.id, count=len(events))
            pages[0] = f"{head}\n{pages[0]}"
        else:
            pages = story.retell()
        if self.ledger.repeat(message.key):
            return "repeat"
        self.ledger.tell_pages(self._to(message, private, game), pages, game.id, message.me)
        return "done"

    def _because(self, story: Story, intent: Intent) -> str:
        """Why a seat went, a vote fell, or a day or night ended as it did."""
        if intent.seat is not None:
            return story.why_seat(intent.seat)
        if intent.key == "vote":
            return story.why_vote() or self._say("bot.no_vote_yet")
        asked = story.why_phase(intent.key, intent.count)
        return asked or self._say("bot.no_phase", example=intent.word.example)

    # --- being forgotten ------------------------------------------------------------------------

    def _forget(self, message: Incoming, intent: Intent, game: Game | None = None) -> Heard:
        """``忘记我``: in private, asked back, and not while a game needs to know who he is."""
        if message.group is not None:
            return self._refuse(message, "bot.private_only", example=self._example(intent.word))
        if busy := self._needed_in(message.account):
            return self._refuse(message, "bot.forget_playing", games=busy)
        return self._ask(
            message,
            None,
            self._say("bot.forget_confirm"),
            lambda: not self._needed_in(message.account),
            self._forget_now,
            self._say("bot.forget_dropped"),
        )

    def _forget_now(self, message: Incoming) -> Heard:
        if self.ledger.repeat(message.key):
            return "repeat"
        self.ledger.forget(message.account)
        del self._names[message.account]
        self._tell(message, self._say("bot.forgotten"))
        return "done"

    def _needed_in(self, account: str) -> list[int]:
        """The games that are on and in which an account has or had a part."""
        return [
            game.id
            for game in self.ledger.open_games()
            if takes_part(game, account) or game.has_sat(account)
        ]

    # --- who can be reached ---------------------------------------------------------------------

    def _reached(self, message: Incoming, line: Line, mine: Sequence[Game]) -> bool:
        """Somebody has written privately, so can be written to; whether that was said.

        To whoever asks for what was held it is said once, in answer.
        """
        if self.ledger.person(message.account).reachable:
            return False
        held = people.reached(self, message.account, message.at)
        signed_up = [person for game in mine if not game.seats for person in game.signups]
        if any(person.account == message.account for person in signed_up):
            self._tell(message, self._say("bot.reachable"))
        elif held and (line.word is None or line.word.key != "held"):
            self._tell(message, self._say("bot.held_some", count=held))
        else:
            return False
        return True

    # --- answering ------------------------------------------------------------------------------

    def _to(self, message: Incoming, private: bool = False, game: Game | None = None) -> Target:
        room = self._room_of(message.group, game)
        if room is not None and game is not None and not rooms.is_right(game, room):
            private = True
        if message.group is not None and not private:
            return Target("group", message.group)
        via = message.group or (game.group if game is not None else message.via_group)
        return Target("private", message.account, via)

    def _tell(
        self,
        message: Incoming,
        text: str,
        game: Game | None = None,
        *,
        private: bool = False,
        picture: Picture | None = None,
    ) -> None:
        room = self._room_of(message.group, game)
        if game is None or room is None or private or not rooms.is_right(game, room):
            to = self._to(message, private, game)
            self.ledger.say(to, text, game.id if game else None, picture=picture)
        else:
            # If it must not be said in the room after all, it is said to all who are of it.
            said = Message(ev.room_audience(room), text, picture=picture)
            self.ledger.tell(game.id, said)

    def _room_of(self, group: str | None, game: Game | None) -> str | None:
        """The channel whose room a group is in a game."""
        bound = {} if game is None else game.bound
        return next((channel for channel, room in bound.items() if room == group), None)

    def _answer(
        self,
        message: Incoming,
        text: str,
        game: Game | None = None,
        *,
        private: bool = False,
        picture: Picture | None = None,
    ) -> Heard:
        if self.ledger.repeat(message.key):
            return "repeat"
        self._tell(message, text, game, private=private, picture=picture)
        return "done"

    def _refuse(
        self, message: Incoming, key: str, about: Game | None = None, /, **values: Any
    ) -> Heard:
        """Say why to who asked, and to nobody else."""
        if self.ledger.repeat(message.key):
            return "repeat"
        self._tell(message, self._say(key, about, **values), about, private=True)
        return "refused"

    def _refused(
        self,
        message: Incoming,
        refused: c.Refused,
        game: Game | None,
        command: c.Command | None = None,
        example: str = "",
    ) -> Heard:
        """Say why; ``command``: what was meant, for the example; or that ``example`` itself."""
        if self.ledger.repeat(message.key):
            return "repeat"
        text = self.speech.refusal(refused.code, refused.values, game, command, example)
        self._tell(message, text, game, private=True)
        return "refused"

    def _misread(self, message: Incoming, word: Word, misread: Misread, game: Game | None) -> Heard:
        if game is not None and not game.seats and misread.code in _NEEDS_SEATS:
            return self._refused(message, c.Refused("not_running"), game)
        values = {"word": self._form(word, game), "example": self._example(word, game)}
        match misread.code:
            case "no_such_seat":
                named = {key: misread.values[key] for key in ("seat", "count")}
                refused = c.Refused("no_such_seat", **named)
                meant = self._meant(message, word, game)
                example = "" if meant is not None else values["example"]
                return self._refused(message, refused, game, meant, example)
            case "no_target":
                return self._refuse(message, "bot.need_seat", game, **values)
            case "two_seats":
                return self._refuse(message, "bot.one_seat", game, **values)
            case "no_reason":
                return self._refuse(message, "bot.need_reason", game, **values)
            case "no_text":
                return self._refuse(message, "bot.need_text", game, **values)
            case "unknown_name":
                return self._refuse(
                    message,
                    "bot.unknown_name",
                    game,
                    text=misread.values["typed"],
                    example=values["example"],
                )
            case "shared_name":
                return self._refuse(
                    message,
                    "bot.same_name",
                    game,
                    text=misread.values["typed"],
                    seats=misread.values["seats"],
                    example=values["example"],
                )
        return self._refuse(message, "bot.misread", game, **values)

    def _meant(self, message: Incoming, word: Word, game: Game | None) -> c.Command | None:
        """The command that a word makes, whatever was to follow it."""
        seat = game.seat_of(message.account) if game is not None else None
        intent = Intent(word, seat=0, other=0, seats=(0,), count=1, key="red")
        if word.key in _DIRECTORS:
            return _DIRECTORS[word.key](message.at, intent)
        if word.key in _SEATS and seat is not None:
            return _SEATS[word.key](message, seat.number, intent)
        return None

    def _say(self, key: str, about: Game | None = None, /, **values: Any) -> str:
        return self.speech.say(key, about, **values)

    def _example(self, word: Word, game: Game | None = None) -> str:
        if game is not None and word.key == "take_card" and "cards" in game.sheet.mechanics:
            return word.example.replace("警告", "黄牌")
        if game is not None and word.key == "rule_lost":
            faction = next(iter(self.speech.factions(game.sheet).values()))
            return word.example.replace("狼人", faction)
        form = self._form(word, game)
        return word.example.replace(word.forms[0], form, 1) or form

    def _form(self, word: Word, game: Game | None) -> str:
        """How a word is shown: as it is, or as the board's theme says it."""
        if game is None:
            return word.forms[0]
        return self.speech.shown(game.sheet, word.forms[0], word.key, word.ability)

    def example_title(self) -> str:
        """A board for any number of players, so that what is shown beside it fits."""
        sheets = self.ledger.rulesets.values()
        wide = [sheet for sheet in sheets if sheet.players_min < 12 < sheet.players_max]
        return min((self.speech.word(sheet) for sheet in wide or sheets), key=len)

    def called(self, account: str, *names: str) -> str:
        """The first of these that can be a name, failing all the account."""
        cleaned = (one_line(name.lstrip("【】 "), _NAME_LENGTH) for name in names)
        return next((name for name in cleaned if self._is_name(name)), account)

    def name_in(
        self, game: Game, account: str, *names: str, given: Mapping[str, str] = _NOBODY
    ) -> str:
        """What a player is called in a game: the first of these that can be a name there.

        One that somebody else has gets a number; failing all, it is the account. ``given``: account
        → name of those who are about to sign up.
        """
        for name in names:
            cleaned = one_line(name.lstrip("【】 "), _NAME_LENGTH)
            for number in range(1, 100):
                more = f"-{number}" if cleaned[-1:].isdigit() else str(number)
                more = more if number > 1 else ""
                numbered = cleaned[: _NAME_LENGTH - len(more)] + more
                wrong = self._wrong_name(account, numbered, game, given)
                if not wrong:
                    return numbered
                if wrong != "bot.taken_name":
                    break
        return account

    def _wrong_name(
        self, account: str, name: str, game: Game, given: Mapping[str, str] = _NOBODY
    ) -> str:
        """Why a player can't be called so in a game: the key of the sentence, if he can't."""
        if not self._is_name(name, game):
            return "bot.bad_name"
        folded = words.fold(words.flatten(name))
        me = words.fold(self._say("bot.name"))
        if folded in words.RESERVED or me in folded:
            return "bot.reserved_name"
        known = [*game.seats.values()] or [*game.signups]
        others = {**given, **game.directors, **{who.account: who.name for who in known}}
        others.pop(account, None)
        taken = {words.fold(words.flatten(called)) for called in others.values()}
        return "bot.taken_name" if folded in taken else ""

    def _is_name(self, name: str, game: Game | None = None) -> bool:
        """Whether it can be told from a command, a seat's number and what the bot says."""
        typed = self.speech.typed(game.sheet) if game is not None else {}
        read = words.read(name, typed)
        if read.game is not None or (read.word is not None and not read.tail):
            return False
        flat = words.flatten(name).strip()
        breaks = len(flat.splitlines()) != 1 or flat.startswith(("【", "】"))
        return not breaks and not _SEATLIKE.fullmatch(flat) and bool(one_line(name))


# --- who is who ----------------------------------------------------------------------------------


def roll(game: Game) -> Roll:
    """Those who can be named in a game: everybody who has a seat.

    Whose card is another's too goes by it with a number; by the card alone, it may be either.
    """
    seats = list(game.seats.values())
    named = [(seat.number, seat.account, seat.name) for seat in seats]
    known = {*game.directors.values(), *(seat.name for seat in seats)}
    for seat in seats:
        card = _NUMBERED.sub("", seat.name)
        if seat.from_card and card != seat.name and card in known:
            named.append((seat.number, seat.account, card))
    return Roll(named)


def _faction(name: str) -> str:
    """A faction's name or key for comparing, with the word for a faction or without."""
    folded = words.fold(name)
    return folded.removesuffix("阵营").removesuffix("方") or folded


def _value(text: str, key: str) -> Any:
    """A parameter's value as typed: a number, a list of numbers, true or false, or text."""
    if key == "reminders":
        return [int(piece) for piece in text.split(",") if piece.isdecimal()]
    if text.isdecimal():
        return int(text)
    return {"true": True, "false": False}.get(text.casefold(), text)


# --- what each word does -------------------------------------------------------------------------

_BY_KEY = {word.key: word for word in words.WORDS}

_WITHOUT_GAME = {
    *(
        "open",
        "bind",
        "unbind",
        "help",
        "rules",
        "sign_up",
        "sign_off",
        "roster",
        "start",
        "status",
        "times",
    ),
    *("again", "record", "forget"),
}

_OF_THE_PAST = ("why", "retell", "log", "table")
"""What the log of a game that is over tells everybody."""

_GALLERY = {"watch", "stop_watching", "help", "rules", "status", "times", "roster", "tally"}
"""What counts in the spectators' room."""

_NEEDS_SEATS = {"no_such_seat", "unknown_name"}

_SeatWord = Callable[[Incoming, int, Intent], c.Command]

_PICTURED = {"vote", "abstain", "last_words"}
"""Words whose command sees for itself to what else is in the message."""

_PASTED_LENGTH = 6
"""How long a line must be to be known again (M84-47)."""

_RESULT = re.compile(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\s*(?:反馈|结果)\s*:")
"""The usual form of a private result, ``21:15:03 反馈：…``, of this bot or another."""

_NAME_LENGTH = 20

_NUMBERED = re.compile(r"(?:(?<=[0-9])-|(?<![0-9-]))[0-9]{1,2}$")
"""The number behind a name that two have."""

_ACCOUNT = re.compile(r"@\s*[0-9]+|[0-9]{5,12}")
"""A mention, or a QQ number."""

_SEATLIKE = re.compile(r"[@#]?\s*[0-9]+\s*号?(?:位|玩家)?")

_MARKUP = re.compile(r"\[/?[A-Za-z][^\]\n]*\]|</?[A-Za-z][^>\n]*>")
"""Codes that change how a text looks, or what it is (M84-40)."""


def _vote(message: Incoming, seat: int, intent: Intent) -> c.Command:
    return c.Vote(
        at=message.at,
        seat=seat,
        target=intent.seat,
        reason=intent.text,
        plain=not message.pictures,
    )


def _last_words(message: Incoming, seat: int, intent: Intent) -> c.Command:
    more = message.pictures or message.faces or message.mentions
    plain = not more and _MARKUP.search(words.flatten(intent.text)) is None
    return c.LastWords(at=message.at, seat=seat, text=intent.text, plain=plain)


def _petition(ask: Literal["speed_up", "delay"] | None) -> _SeatWord:
    return lambda m, seat, i: c.Petition(at=m.at, seat=seat, ask=ask)


def _card(colour: Literal["blue", "yellow", "red"]) -> Callable[[datetime, Intent], c.Command]:
    return lambda at, i: c.Card(at=at, target=_named(i.seat), colour=colour, reason=i.text)


def _take_card(at: datetime, intent: Intent) -> c.Command:
    if intent.key == "warning":
        return c.Unwarn(at=at, target=_named(intent.seat))
    return c.TakeCard(at=at, target=_named(intent.seat), colour=intent.key)  # type: ignore[arg-type]


_ORDERS = [word.key for word in words.WORDS if word.ability and word.key != "link"]

_SEATS: dict[str, _SeatWord] = {
    "say": lambda m, seat, i: c.Say(at=m.at, seat=seat, text=i.text),
    **dict.fromkeys(
        _ORDERS,
        lambda m, seat, i: c.Act(at=m.at, seat=seat, ability=i.word.ability, target=i.seat),
    ),
    "withdraw": lambda m, seat, i: c.Withdraw(at=m.at, seat=seat, ability=i.key or None),
    "link": lambda m, seat, i: c.Link(
        at=m.at, seat=seat, first=_named(i.seat), second=_named(i.other)
    ),
    "crown": lambda m, seat, i: c.NameCrown(
        at=m.at, seat=seat, first=_named(i.seat), substitute=i.other
    ),
    "order": lambda m, seat, i: c.Order(at=m.at, seat=seat, target=_named(i.seat)),
    "confirm": lambda m, seat, i: c.Confirm(at=m.at, seat=seat),
    **dict.fromkeys(
        ("dictatorship", "constitution", "grant", "republic", "democracy"),
        lambda m, seat, i: c.Choose(at=m.at, seat=seat, choice=i.word.key),
    ),
    "abdicate": lambda m, seat, i: c.Abdicate(at=m.at, seat=seat),
    "depose": lambda m, seat, i: c.Depose(at=m.at, seat=seat, voice=i.text or None),  # type: ignore[arg-type]
    **dict.fromkeys(("vote", "abstain"), _vote),
    "speed_up": _petition("speed_up"),
    "delay": _petition("delay"),
    "no_petition": _petition(None),
    "stand": lambda m, seat, i: c.Stand(at=m.at, seat=seat),
    "stand_down": lambda m, seat, i: c.StandDown(at=m.at, seat=seat),
    "shoot": lambda m, seat, i: c.Shoot(at=m.at, seat=seat, target=_named(i.seat)),
    "explode": lambda m, seat, i: c.Explode(at=m.at, seat=seat),
    "ready": lambda m, seat, i: c.Ready(at=m.at, seat=seat),
    **dict.fromkeys(
        ("heirs", "badge", "badge_flow", "no_badge"),
        lambda m, seat, i: c.NameHeirs(at=m.at, seat=seat, heirs=list(i.seats)),
    ),
    "last_words": _last_words,
}
"""What a seat asks with a word."""

_DIRECTORS: dict[str, Callable[[datetime, Intent], c.Command]] = {
    "warn": lambda at, i: c.Warn(at=at, target=_named(i.seat), reason=i.text),
    "blue_card": _card("blue"),
    "yellow_card": _card("yellow"),
    "red_card": _card("red"),
    "take_card": _take_card,
    "reinstate": lambda at, i: c.Reinstate(at=at, target=_named(i.seat)),
    "rule_out": lambda at, i: c.RuleOut(at=at, target=_named(i.seat), reason=i.text),
    "add_posts": lambda at, i: c.AdjustPosts(at=at, target=_named(i.seat), count=i.count),
    "take_posts": lambda at, i: c.AdjustPosts(at=at, target=_named(i.seat), count=-i.count),
    "mute": lambda at, i: c.Mute(at=at, target=_named(i.seat), minutes=i.count),
    "unmute": lambda at, i: c.Unmute(at=at, target=_named(i.seat)),
    "proxy": lambda at, i: c.Vote(at=at, seat=_named(i.seat), target=i.other, proxy=True),
    "close_day": lambda at, i: c.CloseDay(at=at),
    "open_day": lambda at, i: c.OpenDay(at=at),
    "settle_night": lambda at, i: c.SettleNight(at=at),
    "extend": lambda at, i: c.Extend(at=at, minutes=i.count),
    "pause": lambda at, i: c.Pause(at=at),
    "resume": lambda at, i: c.Resume(at=at),
    "announce": lambda at, i: c.Announce(at=at, text=i.text),
}
"""What a director asks with a word."""

_Answer = Callable[[datetime, int, int], c.Command]


def _order(ability: str) -> _Answer:
    return lambda at, seat, n: c.Act(at=at, seat=seat, ability=ability, target=n)


_ANSWERS: dict[str, tuple[str, _Answer]] = {
    **{
        _BY_KEY[key].ability: (key, _order(_BY_KEY[key].ability))
        for key in _ORDERS
        if key != "no_kill"
    },
    "crown": ("crown", lambda at, seat, n: c.NameCrown(at=at, seat=seat, first=n)),
    "order": ("order", lambda at, seat, n: c.Order(at=at, seat=seat, target=n)),
    "ballot": ("vote", lambda at, seat, n: c.Vote(at=at, seat=seat, target=n)),
    "heir": ("heirs", lambda at, seat, n: c.NameHeirs(at=at, seat=seat, heirs=[n])),
    "shot": ("shoot", lambda at, seat, n: c.Shoot(at=at, seat=seat, target=n)),
}
"""What a lone number or name answers, by what is owed; and the word for it."""

_LOOKUPS: dict[str, Callable[[Desk, Incoming, Intent, Game], Heard]] = {
    "help": Desk._help,
    "rules": Desk._rules,
    **dict.fromkeys(("status", "times", "roster", "tally"), Desk._card),
    **dict.fromkeys(("my_role", "my_notices"), Desk._own_card),
    "held": Desk._held,
    "record": Desk._record,
    **dict.fromkeys(("table", "todo"), Desk._directors_card),
    **dict.fromkeys(("log", "why", "retell"), Desk._story),
}
"""Words that change nothing."""

_SPECIAL: dict[str, Callable[[Desk, Incoming, Intent, Game], Heard]] = {
    "open": lambda desk, message, intent, game: desk._open(message, intent),
    "choose_game": lambda desk, message, intent, game: desk._choose_game(message, intent, ()),
    "sign_up": Desk._sign_up,
    "sign_off": Desk._sign_off,
    "again": Desk._again_elsewhere,
    "forget": Desk._forget,
    "start": Desk._start,
    "bind": Desk._bind,
    "unbind": Desk._unbind,
    "rule_lost": Desk._rule_lost,
    "end": Desk._end,
    "watch": Desk._watch,
    **dict.fromkeys(("rewind", "undo"), Desk._rewind),
    **dict.fromkeys(("replace", "coach", "add_director"), Desk._person),
    "stop_watching": lambda desk, message, intent, game: desk._command(
        message, game, c.StopWatching(at=message.at, account=message.account)
    ),
    "resign": lambda desk, message, intent, game: desk._command(
        message, game, c.Resign(at=message.at, account=message.account)
    ),
}
"""Words that need more than a command made of them."""


def _named(seat: int | None) -> int:
    assert seat is not None
    return seat
