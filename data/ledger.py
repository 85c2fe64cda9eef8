"""Live games, and what they cause on its way to disk.

A command's events, the messages that they cause and the id of the message that asked for it wait
together in one batch; :meth:`Ledger.commit` writes the batch in one transaction. Messages leave
from committed outbox rows alone, so nobody is ever told what is not on disk.

Everything here runs on the event loop and is synchronous: between a command and its commit nothing
else of the loop comes in between, unless the caller lets it.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from data import codec, records
from data.message import Message, Target
from data.pictures import Picture
from data.speech import Speech
from data.store import (
    Changes,
    EventRow,
    GameChange,
    GameRow,
    OutboxRow,
    PersonRow,
    Queued,
    Saying,
    Store,
    StoreError,
)
from engine.commands import Command, CreateGame, Deal, Refused, Rewind, Tick
from engine.events import DIRECTORS, PUBLIC, SPECTATORS, Dealt, Event, Replaced
from engine.game import Game
from engine.mechanics.people import is_coach
from engine.mechanics.rooms import belonging, is_right
from engine.rewind import at_rest, rewind
from engine.ruleset import Sheet, SheetError

log = logging.getLogger("zhifatuan.ledger")

REMEMBER = timedelta(days=3)
"""How long a handled message's id is kept: far longer than any client repeats itself."""

LATE = 60
"""From how many seconds on a deadline counts as settled late."""

FORWARDED = 80
"""How many pages one forwarded message holds: clients take a hundred."""


class NoSuchGame(LookupError):
    """There is no game with this number."""


@dataclass
class Outcome:
    """What came of a command.

    ``events`` and ``messages`` are the command's own, without those of the deadlines that were
    settled before it. ``refused``: why it was turned down. ``failed``: the program has a fault, and
    the game is as it was. ``repeat``: the message was handled before, and nothing was done.
    """

    game_id: int | None
    events: list[Event] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    refused: Refused | None = None
    failed: bool = False
    repeat: bool = False


@dataclass
class _Live:
    """A game in memory, with where its log ends."""

    game: Game
    created: datetime
    seq: int = 0
    digest: str = ""
    on_disk: int = 0
    # Phase and day for which the facts were last noted, and those facts.
    noted: tuple[str, int] | None = None
    facts_seq: int = 0
    facts: str = ""


class Ledger:
    """The games that are on, and the batch that waits for :meth:`commit`.

    ``clock`` says what time it is (aware, UTC), for the outbox rows. ``on_outbox`` is called after
    a commit that changed what is to be said, with the messages that are new, or with None when
    others changed too and all is to be read anew; ``said`` counts the commits that put messages
    into the outbox. ``on_alarm`` is called after a commit that changed when a game's clock must
    next say :meth:`wake` (None: no more).
    """

    def __init__(
        self,
        store: Store,
        speech: Speech,
        rulesets: Mapping[str, Sheet],
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        pages: str = "",
    ) -> None:
        self.store = store
        self.rulesets = rulesets
        self.said = 0
        self.on_outbox: Callable[[list[OutboxRow] | None], None] = lambda rows: None
        self.on_alarm: Callable[[int, datetime | None], None] = lambda game_id, when: None
        self._speech = speech
        self._clock = clock
        self._pages = pages
        self._live: dict[int, _Live] = {}
        self._broken: set[int] = set()
        self._alarms: dict[int, datetime | None] = {}
        self._names: dict[str, str] = {}
        self._pending = Changes()
        # Read when first needed, and anew after a batch was lost.
        self._open: set[int] | None = None
        self._handled: dict[str, datetime] | None = None
        self._queues: dict[str, list[Queued]] | None = None
        self._forgotten: dict[str, int] | None = None
        self._forgot: datetime | None = None

    # --- games ----------------------------------------------------------------------------------

    def game(self, game_id: int) -> Game:
        """The game as it is now, to read from. Raises :class:`NoSuchGame`."""
        return self._load(game_id).game

    def rows(self, game_id: int) -> list[EventRow]:
        """The game's log, with what still waits for its commit; empty without such a game."""
        waiting = [row for row in self._pending.events if row.game_id == game_id]
        return self.store.load_events(game_id) + waiting

    def log(self, game_id: int) -> list[Event]:
        """Every event of a game, the undone ones too; empty without such a game."""
        return [self.read(row) for row in self.rows(game_id)]

    def read(self, row: EventRow) -> Event:
        """The event of a row, without the name of somebody who asked to be forgotten since.

        Raises :class:`~data.codec.UnreadableEvent`.
        """
        event = codec.decode(row.version, row.body)
        return codec.unnamed(event, self.gone(row.game_id))

    def gone(self, game_id: int) -> set[str]:
        """The accounts that asked to be forgotten in or after a game: of it they are not named."""
        if self._forgotten is None:
            self._forgotten = self.store.forgotten()
        return {account for account, last in self._forgotten.items() if last >= game_id}

    def open_games(self) -> list[Game]:
        """Every game that is not over, ascending by number."""
        if self._open is None:
            self._open = {row.id for row in self.store.games(open_only=True)}
        found = []
        for game_id in sorted(self._open | self._pending.games.keys()):
            if game_id in self._broken:
                continue
            try:
                game = self._load(game_id).game
            except StoreError:
                raise
            except Exception as error:
                self._broken.add(game_id)
                _log_fault(game_id, error)
                continue
            if game.phase != "over":
                found.append(game)
        return found

    def now(self) -> datetime:
        """The moment that it is (aware, UTC)."""
        return self._clock()

    def alarms(self) -> dict[int, datetime]:
        """When the clock must next :meth:`wake` which game."""
        for game in self.open_games():
            self._alarms[game.id] = game.next_alarm()
        return {game_id: when for game_id, when in self._alarms.items() if when is not None}

    # --- what is asked --------------------------------------------------------------------------

    def create(
        self,
        *,
        at: datetime,
        group: str,
        sheet: str | Sheet,
        parameters: Mapping[str, Any],
        account: str,
        name: str,
        reply_to: Target | None = None,
        key: str | None = None,
    ) -> Outcome:
        """Open a game in a group under a sheet with some of its parameters set otherwise.

        ``sheet``: the key of one, or a whole one (that of an earlier game, to be played again).
        Refused with ``game_open`` (game), ``unknown_sheet``, or ``bad_parameter`` (key, expected);
        the caller knows what was typed and says so. ``reply_to`` is told of a fault.
        """
        if key is not None and self.repeat(key):
            return Outcome(None, repeat=True)
        outcome = Outcome(None)
        try:
            game_id = max(self.store.last_game(), *self._pending.games, 0) + 1
            for game in self.open_games():
                if game.group == group:
                    raise Refused("game_open", game=game.id)
            if isinstance(sheet, str) and sheet not in self.rulesets:
                raise Refused("unknown_sheet")
            try:
                plain = self.rulesets[sheet] if isinstance(sheet, str) else sheet
                chosen = plain.with_parameters(parameters)
            except SheetError as error:
                expected = self._speech.mistake(error)
                raise Refused("bad_parameter", key=error.key, expected=expected) from None
            if self._speech.lacks(chosen):
                expected = self._speech.say("mistake.text_missing")
                raise Refused("bad_parameter", key="theme", expected=expected)
            live = _Live(Game(), at)
            command = CreateGame(
                at=at, game=game_id, group=group, sheet=chosen.dump(), account=account, name=name
            )
            outcome.events, outcome.messages = self._handle(live, command)
            outcome.game_id = game_id
            self._live[game_id] = live
        except Refused as refused:
            outcome.refused = refused
        except StoreError:
            self._unhandled(key)
            raise
        except Exception as error:
            self._fail(outcome, error, reply_to)
        return outcome

    def act(
        self,
        game_id: int,
        command: Command,
        reply_to: Target | None = None,
        key: str | None = None,
    ) -> Outcome:
        """Settle what fell due at or before the command, then do what it asks.

        ``reply_to``: who gets the reason if it is refused, or is told of a fault. ``key``: the id
        of the message that asks; one that was handled before does nothing. A command from before
        the game's last event counts as given right after it. Raises :class:`NoSuchGame`.
        """
        if key is not None and self.repeat(key):
            return Outcome(game_id, repeat=True)
        outcome = Outcome(game_id)
        try:
            live = self._load(game_id)
            command = msgspec.structs.replace(command, at=max(command.at, live.game.now))
            self._settle(live, command.at)
            outcome.events, outcome.messages = self._handle(live, command)
        except Refused as refused:
            outcome.refused = refused
            if reply_to is not None:
                self.say(reply_to, self._why(refused, live.game, command), game_id)
        except (NoSuchGame, StoreError):
            self._unhandled(key)
            raise
        except Exception as error:
            self._fail(outcome, error, reply_to)
        return outcome

    def wake(self, game_id: int, now: datetime, until: datetime | None = None) -> Outcome:
        """Settle what fell due at or before ``until`` (``now``), in the order in which it did."""
        outcome = Outcome(game_id)
        try:
            # Who takes part in several games is told which: that is seen of those in memory.
            self.open_games()
            outcome.events, outcome.messages = self._settle(self._load(game_id), now, until)
        except (NoSuchGame, StoreError):
            raise
        except Exception as error:
            self._fail(outcome, error, None)
        return outcome

    def repeat(self, key: str) -> bool:
        """Tell whether the message with this id was handled before; if not, it now is."""
        if self._handled is None:
            self._handled = self.store.handled()
        if key in self._handled:
            return True
        self._handled[key] = self._pending.handled[key] = self._clock()
        return False

    def _unhandled(self, key: str | None) -> None:
        if key is not None:
            self._pending.handled.pop(key, None)
            if self._handled is not None:
                self._handled.pop(key, None)

    # --- what is said ---------------------------------------------------------------------------

    def say(
        self,
        target: Target,
        text: str,
        game_id: int | None = None,
        *,
        action: str = "text",
        arguments: Mapping[str, Any] | None = None,
        picture: Picture | None = None,
    ) -> None:
        """Put a message for one person or group into the outbox."""
        audience = f"{'person' if target.kind == 'private' else 'group'}:{target.id}"
        message = Message(audience, text, action, dict(arguments or {}), picture)
        self._pending.outbox.append(self._saying(message, target, game_id))

    def tell_pages(self, target: Target, pages: Sequence[str], game_id: int, sender: str) -> None:
        """Put a long text in pages into the outbox: several are one message that opens.

        ``sender``: the account whose words they are shown as, the bot's own.
        """
        if len(pages) == 1:
            self.say(target, pages[0], game_id)
            return
        for start in range(0, len(pages), FORWARDED):
            part = pages[start : start + FORWARDED]
            arguments = {"pages": [len(page) for page in part], "sender": sender}
            self.say(target, "\n".join(part), game_id, action="forward", arguments=arguments)

    def tell(self, game_id: int, message: Message) -> None:
        """Put a message for an audience of a game into the outbox."""
        self._pending.outbox += self._sayings(self.game(game_id), message)

    def turn_away(self, row: OutboxRow) -> None:
        """Say a line of a room that must not be said there to each whom it is for, privately."""
        game = self.game(row.game_id or 0)
        message = Message(row.audience, row.text, row.action, row.arguments, row.picture)
        self._pending.dropped.append(row.id)
        for to in targets(game, row.audience, rooms=False):
            self._pending.outbox.append(self._saying(message, to, game.id))

    def drop(self, row: OutboxRow) -> None:
        """Don't say a line any more: whom it was for is none of its audience now."""
        self._pending.dropped.append(row.id)

    def pull(self, account: str) -> None:
        """Send anew what could not be delivered to the account (待收)."""
        self._pending.pulled.append(account)

    # --- people ---------------------------------------------------------------------------------

    def person(self, account: str) -> PersonRow:
        """What is known of an account."""
        row = self.store.person(account)
        return msgspec.structs.replace(row, **self._pending.people.get(account, {}))

    def saw(self, account: str, name: str) -> None:
        """Keep the name under which an account was last seen."""
        if self._names.get(account) != name:
            self._names[account] = name
            self._change_person(account, name=_clean(name))

    def choose(self, account: str, game_id: int | None) -> None:
        """Keep for which game the account's messages are from now on (切换)."""
        self._change_person(account, chosen=game_id)

    def forget(self, account: str) -> None:
        """Drop all that is kept of an account but the games' events, and never name it of them.

        Of games up to now, that is: whoever comes back is somebody new.
        """
        self._pending.people.pop(account, None)
        last = max(self.store.last_game(), *self._pending.games, 0)
        self._pending.forgotten[account] = last
        self._names.pop(account, None)
        if self._forgotten is not None:
            self._forgotten[account] = last
        # Games that are over are read anew, without the name.
        for game_id, live in list(self._live.items()):
            if live.game.phase == "over" and game_id not in self._pending.games:
                del self._live[game_id]
        for group in self.queued(account):
            self.set_queue(group, [p for p in self.queue(group) if p.account != account])

    # --- who waits for the next game ------------------------------------------------------------

    def queue(self, group: str) -> list[Queued]:
        """Who waits for the next game of a group, in order."""
        return list(self._waiting().get(group, ()))

    def queued(self, account: str) -> list[str]:
        """The groups for whose next game the account waits."""
        return [
            group
            for group, waiting in self._waiting().items()
            if any(person.account == account for person in waiting)
        ]

    def set_queue(self, group: str, waiting: list[Queued]) -> None:
        """These wait for the next game of a group from now on, in this order."""
        self._waiting()[group] = self._pending.queues[group] = waiting

    def _waiting(self) -> dict[str, list[Queued]]:
        if self._queues is None:
            self._queues = self.store.queues()
        return self._queues

    # --- what games have come to ----------------------------------------------------------------

    def record(self, game_ids: Iterable[int]) -> int:
        """Derive the records of games anew from their events; of how many that was done."""
        done = 0
        for game_id in game_ids:
            try:
                rows = records.of(self._load(game_id).game)
            except StoreError:
                raise
            except Exception as error:
                _log_fault(game_id, error)
                continue
            self.store.write_records(game_id, rows)
            if self._live[game_id].game.phase == "over":
                del self._live[game_id]
            done += 1
        return done

    # --- to disk --------------------------------------------------------------------------------

    @property
    def speaks(self) -> bool:
        """Whether anybody is told anything by what waits for :meth:`commit`."""
        return bool(self._pending.outbox or self._pending.pulled or self._pending.dropped)

    def commit(self) -> list[EventRow]:
        """Write all that waits in one transaction; then, and only then, the courier is told.

        Gives the events that were written. Raises :class:`Conflict` or another
        :class:`StoreError`. Then nothing was kept, the games concerned are as the database has
        them, and whoever asked may ask again.
        """
        changes, self._pending = self._pending, Changes()
        if not changes:
            return []
        try:
            said = self.store.commit(changes)
        except BaseException:
            for game_id in list(self._live) if changes.forgotten else changes.games:
                self._live.pop(game_id, None)
            self._open = self._handled = self._queues = self._forgotten = None
            self._names.clear()
            raise
        for game_id, change in changes.games.items():
            self._written(game_id, change.row)
        self.said += bool(changes.outbox)
        if changes.pulled or changes.left or changes.dropped or changes.forgotten:
            self.on_outbox(None)
        elif changes.outbox:
            self.on_outbox(said)
        self._forget_handled()
        return changes.events

    def _written(self, game_id: int, row: GameRow) -> None:
        live = self._live.get(game_id)
        if live is not None:
            live.on_disk = row.seq
        if row.ended is not None:
            # A game that is over is folded anew if anybody asks for it: memory stays flat.
            self._live.pop(game_id, None)
        if self._open is not None:
            (self._open.discard if row.ended else self._open.add)(game_id)
        when = None
        if row.ended is None:
            try:
                when = self._load(game_id).game.next_alarm()
            except Exception as error:  # what was written stays written, whatever comes now
                _log_fault(game_id, error)
        if when != self._alarms.get(game_id):
            self._alarms[game_id] = when
            self.on_alarm(game_id, when)
        if row.ended is not None:
            self._alarms.pop(game_id, None)

    def _forget_handled(self) -> None:
        now = self._clock()
        if self._handled is None or (
            self._forgot is not None and now - self._forgot < REMEMBER / 8
        ):
            return
        self._forgot = now
        try:
            self.store.forget_handled(now - REMEMBER)
        except StoreError as error:
            log.warning("old message ids were not forgotten: %s", error)
        else:
            self._handled = {k: at for k, at in self._handled.items() if at >= now - REMEMBER}

    # --- inside ---------------------------------------------------------------------------------

    def _load(self, game_id: int) -> _Live:
        live = self._live.get(game_id)
        if live is not None:
            return live
        rows = self.rows(game_id)
        if not rows:
            raise NoSuchGame(game_id)
        for seq, row in enumerate(rows, 1):
            if row.seq != seq:
                raise codec.UnreadableEvent(f"event {seq} is missing")
        game = Game.fold(self.read(row) for row in rows)
        pending = self._pending.games.get(game_id)
        on_disk = len(rows) if pending is None else pending.before
        live = _Live(game, rows[0].at, rows[-1].seq, rows[-1].digest, on_disk)
        self._live[game_id] = live
        return live

    def _settle(
        self, live: _Live, now: datetime, until: datetime | None = None
    ) -> tuple[list[Event], list[Message]]:
        """Say Tick for whatever falls due at or before ``until``, or ``now``."""
        until = until or now
        events: list[Event] = []
        messages: list[Message] = []
        while (due := live.game.next_alarm()) is not None and due <= until:
            late = int((now - due).total_seconds())
            tick = Tick(at=max(due, live.game.now), late=late if late >= LATE else 0)
            try:
                caused, said = self._handle(live, tick)
            except Refused as refused:
                raise RuntimeError(f"the clock was refused: {refused.code}") from None
            if not caused:
                raise RuntimeError("the clock stands still")
            events += caused
            messages += said
        return events, messages

    def _handle(self, live: _Live, command: Command) -> tuple[list[Event], list[Message]]:
        """Let the game handle a command, and put all that it causes into the batch, or nothing."""
        happened: list[Event]
        former: list[str] = []
        if isinstance(command, Rewind):
            game, happened, told = self._rewind(live, command)
        else:
            game = live.game
            if isinstance(command, Deal):
                former = [event.seed for event in self.log(game.id) if isinstance(event, Dealt)]
            happened = game.handle(command)
            if not happened:
                return [], []
            told = self._speech.events(game, happened)
        # What everybody is told comes first: a seat mustn't know what the group has yet to hear.
        messages = sorted(told, key=lambda message: message.audience != "public")
        seq, digest, rows = live.seq, live.digest, []
        for event in happened:
            body = codec.encode(event)
            seq, digest = seq + 1, codec.chain(digest, codec.VERSION, body)
            rows.append(
                EventRow(
                    game_id=game.id,
                    seq=seq,
                    version=codec.VERSION,
                    at=event.at,
                    type=codec.kind(event),
                    body=body,
                    digest=digest,
                )
            )
            code = self._speech.code(game, event, digest, former)
            for more in filter(None, (code, self._speech.address(game, event, self._pages))):
                # With what is said of it: the first public text.
                first = messages[0]
                messages[0] = msgspec.structs.replace(first, text=f"{first.text}\n{more}")
        sayings = [saying for message in messages for saying in self._sayings(game, message)]
        if live.noted != (game.phase, game.day):
            # Once a phase: cheap, and `verify` gets something that this fold has not made.
            live.facts = codec.facts(game)
            live.facts_seq = seq
        pending = self._pending
        before = pending.games.get(game.id)
        change = GameChange(
            before=live.on_disk,
            row=GameRow(
                id=game.id,
                group=game.group,
                sheet=game.sheet.key,
                phase=game.phase,
                created=live.created,
                ended=game.now if game.phase == "over" else None,
                seq=seq,
                digest=digest,
                facts_seq=live.facts_seq,
                facts=live.facts,
            ),
            facts_changed=live.facts_seq == seq or (before is not None and before.facts_changed),
            records=records.of(game),
        )
        # From here on nothing can fail.
        live.game = game
        live.seq, live.digest, live.noted = seq, digest, (game.phase, game.day)
        for event in happened:
            if isinstance(event, Replaced):
                self._leave(game, game.seats[event.seat].former[-1])
        pending.games[game.id] = change
        pending.events += rows
        pending.outbox += sayings
        return happened, messages

    def _rewind(self, live: _Live, command: Rewind) -> tuple[Game, list[Event], list[Message]]:
        """The game as it was, what has led back to it, and what is said of that."""
        before = live.game
        taken = (
            game.id
            for game in self.open_games()
            if game.group == before.group and game.id != before.id
        )
        log = self.log(before.id)
        command = msgspec.structs.replace(command, to=at_rest(log, command.to))
        past = Game.fold(log[: command.to])
        back = rewind(
            past,
            command,
            taken=next(taken, None),
            directed=before.directed,
            watched=before.watched,
            near=before.near,
        )
        log.append(back)
        game = Game.fold(log)
        live.noted = None
        return game, log[-1:], self._speech.rewound(before, game, log)

    def _leave(self, game: Game, account: str) -> None:
        """What was not said yet to a player who has left is not said any more (M84-48)."""
        pending = self._pending
        pending.left.append((game.id, account))
        pending.outbox = [
            saying
            for saying in pending.outbox
            if (saying.game_id, saying.target.kind, saying.target.id)
            != (game.id, "private", account)
        ]

    def _why(self, refused: Refused, game: Game, command: Command) -> str:
        try:
            return self._speech.refusal(refused.code, refused.values, game, command)
        except Exception as error:
            _log_fault(game.id, error)
            return self._speech.say("error.internal")

    def _fail(self, outcome: Outcome, error: Exception, reply_to: Target | None) -> None:
        """The program has a fault: the game in memory can't be trusted any more."""
        _log_fault(outcome.game_id, error)
        outcome.events, outcome.messages, outcome.failed = [], [], True
        if outcome.game_id is not None:
            self._live.pop(outcome.game_id, None)
        if reply_to is not None:
            self.say(reply_to, self._speech.say("error.internal"), outcome.game_id)

    def _sayings(self, game: Game, message: Message) -> list[Saying]:
        places = targets(game, message.audience)
        if message.action != "text":
            del places[1:]  # what everybody is told can be read elsewhere too; done it is once
        return [self._saying(message, to, game.id) for to in places]

    def _saying(self, message: Message, target: Target, game_id: int | None) -> Saying:
        text, picture = message.text, message.picture
        if text and target.kind == "private" and game_id is not None:
            # Those in memory: nothing is read here, since half of a command may be done.
            others = [live.game for live in self._live.values() if live.game.id != game_id]
            if any(game.phase != "over" and takes_part(game, target.id) for game in others):
                prefix = self._speech.say("bot.game_prefix", game=game_id)
                text = prefix + text
                if picture is not None and picture.caption:
                    caption = prefix + picture.caption
                    picture = msgspec.structs.replace(picture, caption=caption)
        return Saying(
            game_id=game_id,
            audience=message.audience,
            target=target,
            text=_clean(text),
            created=self._clock(),
            action=message.action,
            arguments=message.arguments,
            picture=picture,
        )

    def _change_person(self, account: str, **values: Any) -> None:
        self._pending.people.setdefault(account, {}).update(values)


def targets(game: Game, audience: str, *, rooms: bool = True) -> list[Target]:
    """Where a message to an audience of this game goes, as things stand; may be nowhere.

    ``rooms``: to the room of those whom it is for, if they have one where it may be said; else to
    each of them privately. Raises ValueError for an audience that is none.
    """
    kind, _, which = audience.partition(":")
    if audience == PUBLIC:
        mirrored = game.bound.get(SPECTATORS)
        return [Target("group", group) for group in (game.group, mirrored) if group]
    if kind == "group" and which:
        return [Target("group", which)]
    accounts: list[str]
    if kind == "seat" and which:
        accounts = [game.seats[int(which)].account]
    elif kind == "person" and which:
        accounts = [which]
    elif (kind == "channel" and which) or audience in (DIRECTORS, SPECTATORS):
        room = which or kind
        if rooms and is_right(game, room):
            return [Target("group", game.bound[room])]
        if which:
            accounts = [game.seats[number].account for number in game.members(which)]
        else:
            accounts = belonging(game, room)
    else:
        raise ValueError("not an audience")
    return [Target("private", account, game.group) for account in accounts]


def takes_part(game: Game, account: str) -> bool:
    """Whether the account sits, has signed up, directs, watches or is somebody's coach."""
    return (
        game.seat_of(account) is not None
        or account in game.directors
        or account in game.spectators
        or is_coach(game, account)
        or (not game.seats and any(person.account == account for person in game.signups))
    )


def _clean(text: str) -> str:
    """Without what a database or the wire can't hold: NUL, and halves of a character."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _log_fault(game_id: int | None, error: Exception) -> None:
    # The text of the error may hold a secret; where it was raised does not.
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].name} line {frames[-1].lineno}" if frames else "?"
    log.error("game %s: fault: %s in %s", game_id, type(error).__name__, where)
