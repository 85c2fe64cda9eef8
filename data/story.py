"""A game told from its log: the record by phase, the tale of it, and why something came so.

All of it is made of the record's lines (:meth:`data.speech.Speech.log_text`). Secret while the game
runs: for directors; afterwards for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from data.sentences import Rendered
from data.speech import Speech
from engine import events as ev
from engine.game import Game
from engine.mechanics.ballot import leaders
from engine.mechanics.kill import HOLDS, KILLS
from engine.rewind import live

PAGE = 1500
"""How many characters a page has at most, unless a single line is longer."""

SIGN_UP, SET_UP, NIGHT, DAY = "sign_up", "set_up", "night", "day"


@dataclass(frozen=True, order=True, slots=True)
class Entry:
    """An event with its number in the log. ``undone``: it was taken back and does not count."""

    seq: int
    event: ev.Event = field(compare=False)
    undone: bool = field(default=False, compare=False)


class Chapter(NamedTuple):
    """A phase with what happened in it, in order.

    ``phase``: sign_up (till the deal), set_up (till the first night or day), night or day.
    """

    phase: str
    day: int
    entries: list[Entry]


class Story:
    """A game's log, told. ``game`` is what the events fold to."""

    def __init__(self, speech: Speech, game: Game, events: Sequence[ev.Event]) -> None:
        self.speech = speech
        self.game = game
        self.chapters = chapters(entries(events))
        self._live = [e for c in self.chapters for e in c.entries if not e.undone]
        self._live.sort()
        self._deals = [n for n, event in enumerate(events, 1) if isinstance(event, ev.Dealt)]
        self._places = {entry.seq: place for place, entry in enumerate(self._live)}

    def title(self, chapter: Chapter) -> Rendered:
        """Return how a chapter is headed: ``第2夜``."""
        if chapter.phase in (SIGN_UP, SET_UP):
            return self._say(f"story.{chapter.phase}")
        return self.speech.phase_of(self.game, chapter.phase, chapter.day)

    # --- the record -----------------------------------------------------------------------------

    def record(self, phase: str = "", day: int | None = None) -> list[str]:
        """Return the record in pages: all, or of one day or night, or of both with one number.

        Every page begins with its chapter's heading. Posts are left out: they can be read in the
        group; so is what says nothing (:meth:`_idle`). Empty when there is no such phase.
        """
        idle = self._idle()
        found = [
            chapter
            for chapter in self.chapters
            if phase in ("", chapter.phase)
            and (day is None or (chapter.day == day and chapter.phase in (phase, DAY, NIGHT)))
        ]
        return self._pages(
            (
                self._say("story.chapter", name=self.title(chapter)),
                [
                    self._recorded(e)
                    for e in chapter.entries
                    if not isinstance(e.event, ev.Posted) and e.seq not in idle
                ],
            )
            for chapter in found
        )

    def _idle(self) -> set[int]:
        """Return the numbers of reminders of nobody, and of deadlines taken off as they came."""
        due: dict[str, datetime] = {}
        idle: set[int] = set()
        by_hand: tuple[datetime, str] | None = None
        for entry in sorted(entry for chapter in self.chapters for entry in chapter.entries):
            match entry.event:
                case ev.Reminded(owed=[]):
                    idle.add(entry.seq)
                case ev.Forced() as forced:
                    by_hand = forced.at, forced.what
                case ev.Scheduled(due=None) as off:
                    come = off.kind in due and due[off.kind] <= off.at
                    if come or by_hand == (off.at, off.kind):
                        idle.add(entry.seq)
                case ev.Scheduled() as on if on.due is not None:
                    due[on.kind] = on.due
        return idle

    def _recorded(self, entry: Entry) -> str:
        line: str = Rendered(self.speech.log_line(entry.event, self.game))
        if entry.undone:
            line = self._say("story.undone", text=line)
        return self._say("story.line", number=entry.seq, text=line)

    def _pages(self, parts: Iterable[tuple[str, list[str]]]) -> list[str]:
        pages: list[str] = []
        for head, lines in parts:
            page = head
            for line in lines:
                if len(page) + len(line) >= PAGE and page != head:
                    pages.append(page)
                    page = self._say("story.further", head=Rendered(head))
                page += f"\n{line}"
            pages.append(page)
        return pages

    # --- the tale -------------------------------------------------------------------------------

    def tale(self) -> Iterator[tuple[Chapter, list[Entry]]]:
        """Yield the chapters with what makes the story of them: no clockwork, no second thoughts.

        A chapter in which nothing of that kind happened is left out.
        """
        for chapter in self.chapters:
            told = self.tale_of(chapter)
            if told:
                yield chapter, told

    def tale_of(self, chapter: Chapter) -> list[Entry]:
        """Return what makes the story of one chapter.

        That a game was led back, or its roles were dealt, is told though it was undone itself. Of
        the time before a deal nothing else is told.
        """
        told = [
            e
            for e in chapter.entries
            if isinstance(e.event, ev.Rewound)
            or (isinstance(e.event, ev.Dealt) and e.undone)
            or (not e.undone and chapter.phase != SIGN_UP and _makes_story(e.event))
        ]
        last = {(type(e.event), getattr(e.event, "seat", 0)): e.seq for e in told}
        return [
            e
            for e in told
            if not isinstance(e.event, _LAST_COUNTS)
            or last[type(e.event), getattr(e.event, "seat", 0)] == e.seq
        ]

    def retell(self) -> list[str]:
        """Return the tale of the game in pages, the first of them on who was what."""
        parts: list[tuple[str, list[str]]] = [(self.headline(), self.seats())]
        for chapter, told in self.tale():
            head = self._say("story.chapter", name=self.title(chapter))
            lines: list[str] = [self._say("story.item", text=self.line(e)) for e in told]
            parts.append((head, lines))
        return self._pages(parts)

    def headline(self) -> Rendered:
        """Return the heading of the whole."""
        return self._say("story.head", game=self.game.id, title=self.speech.title(self.game.sheet))

    def seats(self) -> list[str]:
        """Return a line on each seat: who it was, and what became of it."""
        lines = []
        for number, seat in self.game.seats.items():
            values: dict[str, Any] = {"seat": number, "role": seat.role, "faction": seat.faction}
            if seat.alive:
                lines.append(self._say("story.alive", **values))
            else:
                lines.append(self._say("story.out", **values, cause=seat.cause))
        return [str(line) for line in lines]

    def line(self, entry: Entry) -> Rendered:
        """Return the sentence on an event, with its clause."""
        if entry.undone and isinstance(entry.event, ev.Dealt):
            return self._say("story.void_deal", number=self._deals.index(entry.seq) + 1)
        text = self.speech.log_text(entry.event, self.game)
        return self._say("story.undone", text=text) if entry.undone else text

    # --- why ------------------------------------------------------------------------------------

    def why_seat(self, seat: int) -> str:
        """Return why a seat is out: what led to it and what came of it; or what befell it so far.

        Raises KeyError for a seat that there is not.
        """
        if self.game.seats[seat].alive:
            concerning = [entry for entry in map(self._concerning(seat), self._live) if entry]
            return self._chain(self._say("why.alive", seat=seat), concerning)
        (out,) = self._last(ev.Departed, seat=seat)
        return self._chain(self._say("why.out", seat=seat), self._about_departure(out))

    def why_vote(self, day: int | None = None) -> str | None:
        """Return why the vote of a day fell so, or the last vote; ``None`` if there is none."""
        counted = [
            chapter
            for chapter in self.chapters
            if any(isinstance(e.event, ev.Tallied) and not e.undone for e in chapter.entries)
            and day in (None, chapter.day)
        ]
        return self.why_phase(counted[-1].phase, counted[-1].day) if counted else None

    def why_phase(self, phase: str, day: int) -> str | None:
        """Return why a day or night ended as it did; ``None`` if there was no such phase."""
        chapter = next((c for c in self.chapters if (c.phase, c.day) == (phase, day)), None)
        if chapter is None:
            return None
        found: set[Entry] = set()
        for entry in chapter.entries:
            if entry.undone:
                continue
            if isinstance(entry.event, ev.Departed):
                found |= set(self._about_departure(entry))
            elif isinstance(entry.event, ev.NightSettled):
                found |= {entry, *self._stood(entry)}
            elif isinstance(entry.event, (ev.Tallied, *_OF_A_VOTE)):
                found |= {entry, *self._because(entry)}
        head = self._say("why.phase", name=self.title(chapter))
        return self._chain(head, sorted(found))

    def _chain(self, head: str, found: Iterable[Entry]) -> str:
        lines = [head]
        for entry in sorted(set(found)):
            text = self.line(entry)
            lines.append(self._say("story.line", number=entry.seq, text=text))
            if isinstance(entry.event, ev.Tallied):
                lines += self._decided(entry, entry.event)
            elif isinstance(entry.event, ev.NightSettled):
                lines += self._held(entry, entry.event)
        if len(lines) == 1:
            lines.append(self._say("why.nothing"))
        return "\n".join(lines)

    def _decided(self, entry: Entry, tallied: ev.Tallied) -> Iterator[str]:
        """Yield what the numbers alone do not tell of a vote."""
        game = Game.fold(e.event for e in self._live[: self._places[entry.seq]])
        cutoff = game.sheet.change_cutoff_minutes
        election = game.decides == "election"
        if cutoff and not game.accelerated and not election:
            yield self._say("why.cutoff", change_cutoff_minutes=cutoff)
        sheriff = game.sheriff.seat
        if sheriff is not None and tallied.ballots.get(sheriff) is not None:
            weight = game.sheet.sheriff_weight
            yield self._say("why.weight", office="sheriff", seat=sheriff, sheriff_weight=weight)
        weights = {seat: Fraction(weight) for seat, weight in tallied.tally.items()}
        tied = leaders(weights)
        if not weights:
            yield self._say("why.nobody_named")
        elif len(tied) > 1 and tallied.target is not None:
            yield self._say("why.first_there", seats=tied, target=tallied.target)
        elif len(tied) > 1:
            yield self._say("why.tie", seats=tied)
        elif tallied.target is None:
            yield self._say("why.no_majority", target=tied[0], living=len(game.living()))

    def _held(self, entry: Entry, settled: ev.NightSettled) -> Iterator[str]:
        """Yield what came of those who were to be killed and were guarded or saved."""
        killed = {seat for ability, _, seat in settled.actions if ability in KILLS}
        helped = [seat for ability, _, seat in settled.actions if ability in HOLDS]
        for seat in sorted(seat for seat in killed if isinstance(seat, int) and seat in helped):
            out = any(
                isinstance(e.event, ev.Departed) and (e.event.seat, e.event.cause) == (seat, "kill")
                for e in self._live[self._places[entry.seq] :]
                if e.event.at == settled.at
            )
            if not out:
                yield self._say("why.held", seat=seat)
            elif helped.count(seat) > 1:
                yield self._say("why.held_twice", seat=seat)

    # --- what led to what -----------------------------------------------------------------------

    def _about_departure(self, entry: Entry) -> list[Entry]:
        assert isinstance(entry.event, ev.Departed)
        return sorted({entry, *self._because(entry), *self._came_of(entry, entry.event)})

    def _because(self, entry: Entry) -> set[Entry]:
        """Return all that led to an event, back to what people did."""
        found: set[Entry] = set()
        ahead = [entry]
        while ahead:
            for cause in self._causes(ahead.pop()):
                if cause not in found:
                    found.add(cause)
                    ahead.append(cause)
        return found

    def _causes(self, entry: Entry) -> Iterator[Entry]:
        """Yield what led to an event directly."""
        event = entry.event
        before = self._before(entry)
        # Whose hand it was.
        if before and isinstance(before[-1].event, (ev.Directed, ev.Forced)):
            yield before[-1]
        match event:
            case ev.Departed():
                yield from self._causes_of_departure(entry, event)
            case ev.Tallied():
                yield from self._ballots(entry, event)
            case ev.Ordered():
                yield from self._last(ev.CrownSettled, entry, seat=event.seat)
                yield from self._last(ev.PresidentElected, entry, seat=event.seat)
            case ev.CrownSettled() if event.how != "throne":
                yield from self._last(ev.CrownNamed, entry)
            case ev.Reflected():
                yield from self._last(ev.Ordered, entry, seat=event.king)
            case ev.PresidentElected() | ev.RunoffOpened():
                yield from self._last(ev.Tallied, entry)
            case ev.Shot():
                yield from self._last(ev.Departed, entry, seat=event.seat)

    def _causes_of_departure(self, entry: Entry, event: ev.Departed) -> Iterator[Entry]:
        seat = event.seat
        match event.cause:
            case "kill" | "poison":
                for settled in self._last(ev.NightSettled, entry):
                    yield from (_part(settled, seat), *self._stood(settled, seat))
            case "vote":
                yield from self._last(ev.Tallied, entry, target=seat)
            case "order":
                yield from self._last(ev.Ordered, entry, target=seat)
            case "reflected":
                yield from self._last(ev.Reflected, entry, king=seat)
            case "lover":
                yield from self._last(ev.Linked, entry)
                for other in self.game.lovers.pair:
                    if other != seat:
                        yield from self._last(ev.Departed, entry, seat=other)
            case "red_card" | "warnings":
                for earlier in self._before(entry):
                    if isinstance(earlier.event, _MARKS) and earlier.event.seat == seat:
                        yield earlier
            case "ruled":
                yield from self._last(ev.RuledOut, entry, seat=seat)
            case "shot":
                yield from self._last(ev.Shot, entry, target=seat)
            case "exploded":
                yield from self._last(ev.Exploded, entry, seat=seat)

    def _stood(self, settled: Entry, seat: int | None = None) -> Iterator[Entry]:
        """Yield the orders that a night was settled by, all or those that named a seat."""
        assert isinstance(settled.event, ev.NightSettled)
        for ability, owner, target in settled.event.actions:
            if seat not in (None, target):
                continue
            order = {"ability": ability, "target": target}
            if isinstance(owner, str):
                yield from self._last(ev.KillNamed, settled, channel=owner, **order)
            else:
                yield from self._last(ev.Acted, settled, seat=owner, **order)

    def _ballots(self, entry: Entry, tallied: ev.Tallied) -> Iterator[Entry]:
        """Yield the ballots as they stood, those that fell away, and what moved the close."""
        last: dict[int, Entry] = {}
        for earlier in reversed(self._before(entry)):
            event = earlier.event
            if isinstance(event, (ev.DayOpened, ev.DayTurned)):
                yield earlier
                break
            if isinstance(event, ev.BallotCast) and event.seat in tallied.ballots:
                last.setdefault(event.seat, earlier)
            elif isinstance(event, _MOVES_THE_CLOSE) and _makes_story(event):
                yield earlier
        yield from last.values()

    def _came_of(self, entry: Entry, departed: ev.Departed) -> Iterator[Entry]:
        """Yield what came of a departure: at once, or by what it left to be done."""
        seat = departed.seat
        for later in self._live[self._places[entry.seq] + 1 :]:
            event = later.event
            at_once = event.at == departed.at
            match event:
                case ev.Departed(cause="lover"):
                    related = at_once and {seat, event.seat} == set(self.game.lovers.pair)
                case ev.Departed(cause="shot"):
                    related = self._is_of(seat, ev.Shot, later)
                case ev.FactionLost():
                    related = at_once and event.faction == self.game.seats[seat].faction
                case ev.CharmsEnded() | ev.GameOver():
                    related = at_once
                case ev.KingmakerMade():
                    related = self._is_of(seat, ev.KingmakerGone, later)
                case ev.SheriffTook():
                    related = self._is_of(seat, ev.SheriffVacated, later)
                case _:
                    own = isinstance(event, _LEFT) and event.seat == seat
                    related = own and (_makes_story(event) or isinstance(event, _TOLD_ONLY_HERE))
            if related:
                yield later

    def _concerning(self, seat: int) -> Callable[[Entry], Entry | None]:
        """Return what picks an entry that is of a seat, and of an order of the night its part."""

        def of(entry: Entry) -> Entry | None:
            event = entry.event
            if isinstance(event, ev.NightSettled):
                part = _part(entry, seat)
                return part if _makes_story(part.event) else None
            if not _makes_story(event):
                return None
            named = [getattr(event, name, None) for name in _NAMING]
            return entry if seat in named else None

        return of

    # --- looking back ---------------------------------------------------------------------------

    def _before(self, entry: Entry | None) -> list[Entry]:
        return self._live if entry is None else self._live[: self._places[entry.seq]]

    def _last(
        self, kind: type[ev.Event], before: Entry | None = None, /, **values: Any
    ) -> Iterator[Entry]:
        """Yield the last event of a kind with these values, if there is one."""
        for entry in reversed(self._before(before)):
            event = entry.event
            if isinstance(event, kind) and all(getattr(event, k) == v for k, v in values.items()):
                yield entry
                return

    def _is_of(self, seat: int, kind: type[ev.Event], before: Entry) -> bool:
        """Tell whether the last event of a kind is a seat's."""
        return any(getattr(found.event, "seat", None) == seat for found in self._last(kind, before))

    def _say(self, key: str, /, **values: Any) -> Rendered:
        return Rendered(self.speech.say(key, self.game, **values))


def entries(events: Iterable[ev.Event]) -> list[Entry]:
    """Return the events with their numbers, those that were taken back marked."""
    log = list(events)
    kept = {seq for seq, _ in live(log)}
    return [Entry(seq, event, seq not in kept) for seq, event in enumerate(log, 1)]


def chapters(log: Sequence[Entry]) -> list[Chapter]:
    """Return the log by phases, in the order in which they first began."""
    found: dict[tuple[str, int], Chapter] = {}
    keys = {0: (SIGN_UP, 0)}
    for entry in log:
        key = keys[entry.seq - 1]
        if isinstance(entry.event, ev.Rewound):
            key = keys[entry.event.to]
        elif isinstance(entry.event, ev.Dealt):
            key = (SET_UP, 0)
        elif isinstance(entry.event, ev.NightFell):
            key = (NIGHT, entry.event.day)
        elif isinstance(entry.event, ev.DayOpened):
            key = (DAY, entry.event.day)
        keys[entry.seq] = key
        found.setdefault(key, Chapter(*key, [])).entries.append(entry)
    return list(found.values())


def _part(settled: Entry, seat: int) -> Entry:
    """Return the settlement of a night with a seat's own orders and those that named it alone."""
    assert isinstance(settled.event, ev.NightSettled)
    own = [action for action in settled.event.actions if seat in action[1:]]
    return replace(settled, event=msgspec.structs.replace(settled.event, actions=own))


# Of these only the last of a seat's in a phase stood.
_LAST_COUNTS = (ev.CrownNamed, ev.HeirsNamed, ev.LastWordsLeft)

_MOVES_THE_CLOSE = (
    *(ev.BallotDropped, ev.Extended, ev.Paused, ev.Resumed, ev.Forced, ev.PetitionChecked),
)

# What somebody who is out leaves behind.
_TOLD_ONLY_HERE = (ev.OutAnnounced, ev.ShotGiven)
_LEFT = (
    *(*_TOLD_ONLY_HERE, ev.SheriffVacated, ev.KingmakerGone, ev.Shot, ev.ShotLapsed),
    *(ev.HeirsNamed, ev.LastWordsPublished),
)

_MARKS = (ev.Warned, ev.Unwarned, ev.Carded, ev.CardsMerged, ev.CardsSplit, ev.CardTaken)

_OF_A_VOTE = (
    *(ev.RunoffOpened, ev.IdiotRevealed, ev.SheriffTook, ev.NobodyElected, ev.PresidentElected),
)

_NAMING = ("seat", "target", "first", "second", "king")

_STORY = (
    *(ev.Dealt, ev.Linked, ev.FactionChanged, ev.CardsDrawn, ev.AbilityLost, ev.AbilityGained),
    *(ev.NightSettled, ev.Charmed, ev.CharmsEnded, ev.Departed, ev.FactionLost, ev.RuledLost),
    *(ev.CrownNamed, ev.CrownSettled, ev.Ordered, ev.Reflected, ev.KingmakerMade),
    *(ev.KingmakerGone, ev.Chosen, ev.RegimeChanged, ev.RegimeAhead, ev.Abdicated),
    *(ev.DeposeOpened, ev.DeposeClosed, ev.Tallied, ev.BallotDropped, ev.RunoffOpened),
    *(ev.PresidentElected, ev.SheriffTook, ev.SheriffVacated, ev.HeirsNamed, ev.NobodyElected),
    *(ev.IdiotRevealed, ev.Shot, ev.ShotLapsed, ev.Exploded, ev.LastWordsPublished),
    *(ev.Carded, ev.CardsMerged, ev.CardTaken, ev.Warned, ev.Unwarned, ev.RuledOut),
    *(ev.Forced, ev.Extended, ev.Paused, ev.Resumed, ev.Replaced, ev.Coached, ev.GameOver),
    *(ev.Rewound, ev.Reinstated, ev.CardsSplit),
)


def _makes_story(event: ev.Event) -> bool:
    if isinstance(event, ev.Told):
        return event.notice[0] in ("inspected", "victims")
    if isinstance(event, ev.PetitionChecked):
        return bool(event.result)
    if isinstance(event, ev.NightSettled):
        return bool(event.actions)
    if isinstance(event, ev.LastWordsPublished):
        return bool(event.text)
    return isinstance(event, _STORY)
