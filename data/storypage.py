"""A game as a page to be read in a browser: what is public while it runs, all of it afterwards.

What was said is made anew from the log, message by message, so that the page of a game that runs
says to everybody what the group was told, and what anybody may ask for (:func:`public_view`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import msgspec

from data.speech import Speech
from data.story import DAY, NIGHT, SET_UP, Chapter, Entry, Story
from data.telling import SILENT
from engine import events as ev
from engine import view
from engine.game import Game
from engine.mechanics.ballot import VOTED
from engine.rewind import live

_QUIET = (
    *(ev.Posted, ev.PostsAdjusted, ev.BallotCast, ev.Petitioned, ev.DeposeVoiced, ev.Reminded),
)
"""What there is too much of, or what is counted in the end."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the story. ``known``: who knew of it then, in words; empty: everybody."""

    at: str
    text: str
    clause: str
    known: str


@dataclass(frozen=True, slots=True)
class Said:
    """A message. ``seats``: who got it, ``None``: everybody; ``where``: in which secret place."""

    at: str
    text: str
    seats: frozenset[int] | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A phase: the story of it, empty while the game runs; and what was said."""

    title: str
    night: bool
    lines: list[Line] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)

    def speaks_to(self, seat: int) -> bool:
        """Tell whether a seat was told anything then."""
        return any(said.seats is None or seat in said.seats for said in self.said)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. ``fate``: what is known of its end, empty while it is alive.

    After the end also ``view``, how its view is headed, and ``why``, what it is out by, in lines.
    """

    number: int
    name: str
    out: bool
    fate: str
    view: str = ""
    role: str = ""
    faction: str = ""
    won: bool = False
    why: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Page:
    """What the page of a game says. ``head``: how it stands, or how it ended; ``now``: in blocks.

    ``parts`` are in the order of the game.
    """

    game: int
    title: str
    over: bool
    head: list[str]
    now: list[str]
    seats: list[Seat]
    parts: list[Part]


def page(speech: Speech, events: Sequence[ev.Event]) -> Page | None:
    """Return the page of a game by its whole log; ``None`` before the deal."""
    game = Game.fold(events)
    dealt = deal(events)
    if dealt is None:
        return None
    if game.phase != "over":
        return _running(speech, game, events)
    story = Story(speech, game, events)
    said = _said(speech, events, secrets=True)
    parts = []
    for chapter in story.chapters:
        heard = said.get((chapter.phase, chapter.day), [])
        lines = list(_lines(story, chapter))
        if lines or heard:
            title = story.title(chapter)
            parts.append(Part(title, chapter.phase == NIGHT, lines, heard))
    result = {"": "stopped", "draw": "draw"}.get(game.winner or "", "won")
    won = {"winner": game.winner} if result == "won" else {}
    return Page(
        game=game.id,
        title=_title(speech, game),
        over=True,
        head=[
            speech.say(f"proof.{result}", game, **won),
            speech.say("storypage.span", game, begun=dealt.at, ended=events[-1].at),
            speech.say("storypage.directors", names=speech.names([*game.directors.values()])),
        ],
        now=[],
        seats=list(_seats_after(story)),
        parts=parts,
    )


def _running(speech: Speech, game: Game, events: Sequence[ev.Event]) -> Page:
    """Return the page of a game that runs: of nothing but what is public."""
    public = view.public_view(game)
    now = ["\n".join(speech.standing(public)), speech.times(public)]
    voted = public["decides"] in VOTED and public["ballots"]
    if voted or public["depose"] is not None:
        now.append(speech.tally(public))
    names = speech.themes[public["theme"]]
    seats = []
    for seat in public["seats"]:
        shown = [names.roles[seat["role"]]] if seat["role"] else []
        shown += [names.causes[seat["cause"]]] if seat["cause"] else []
        gone = speech.say("card.status.between").join(shown) or speech.say("storypage.gone")
        known = gone if seat["out"] or shown else ""
        name = speech.names([seat["name"]])
        seats.append(Seat(seat["number"], name, out=seat["out"], fate=known))
    return Page(
        game=game.id,
        title=_title(speech, game),
        over=False,
        head=[
            speech.say("storypage.running", phase=speech.phase(public)),
            speech.say("storypage.directors", names=speech.names(public["directors"])),
        ],
        now=[block for block in now if block],
        seats=seats,
        parts=[
            Part(
                speech.say("story.set_up")
                if phase == SET_UP
                else speech.phase_of(game, phase, day),
                phase == NIGHT,
                said=said,
            )
            for (phase, day), said in _said(speech, events, secrets=False).items()
        ],
    )


def _title(speech: Speech, game: Game) -> str:
    return speech.say("storypage.title", game=game.id, title=speech.title(game.sheet))


def _seats_after(story: Story) -> Iterator[Seat]:
    """Yield the seats of a game that is over."""
    game, speech = story.game, story.speech
    names = speech.themes[game.sheet.theme]
    out = {
        entry.event.seat: chapter
        for chapter in story.chapters
        for entry in chapter.entries
        if isinstance(entry.event, ev.Departed) and not entry.undone
    }
    for number, seat in game.seats.items():
        fate = speech.say("storypage.alive")
        if not seat.alive:
            phase = story.title(out[number])
            fate = speech.say("storypage.out", game, phase=phase, cause=seat.cause)
        no_faction = speech.say("format.no_faction")
        yield Seat(
            number,
            speech.names([seat.name]),
            out=not seat.alive,
            fate=fate,
            view=speech.say("storypage.view", game, seat=number),
            role=names.roles[seat.role],
            faction=names.factions[seat.faction] if seat.faction else no_faction,
            won=bool(seat.faction) and seat.faction == game.winner,
            why=story.why_seat(number).splitlines()[1:] if not seat.alive else [],
        )


def _lines(story: Story, chapter: Chapter) -> Iterator[Line]:
    """Yield the story of a phase, with who knew what when it happened."""
    speech, game = story.speech, story.game
    told = dict[tuple[int, datetime], Entry]()
    announced = dict[tuple[int, datetime], Entry]()
    for entry in chapter.entries:
        if isinstance(entry.event, (ev.Departed, ev.OutAnnounced)) and not entry.undone:
            kept = told if isinstance(entry.event, ev.Departed) else announced
            kept[entry.event.seat, entry.event.at] = entry
    at_once = told.keys() & announced.keys()
    later = [entry for key, entry in announced.items() if key not in at_once]
    for entry in sorted([*story.tale_of(chapter), *later]):
        event = entry.event
        public = event.audience == ev.PUBLIC
        if isinstance(event, ev.Departed):
            public = (event.seat, event.at) in at_once
        yield Line(
            at=speech.say("storypage.at", game, at=event.at),
            text=story.line(replace(entry, event=msgspec.structs.replace(event, clause=""))),
            clause=event.clause,
            known="" if public else _known(story, event.audience),
        )


def _known(story: Story, audience: str) -> str:
    """Return who knew of what only some were told."""
    kind, _, which = audience.partition(":")
    if kind == "seat":
        return story.speech.say("storypage.known_seat", story.game, seat=int(which))
    return story.speech.say("storypage.known_nobody")


def _said(
    speech: Speech, events: Sequence[ev.Event], *, secrets: bool
) -> dict[tuple[str, int], list[Said]]:
    """Return what was said from the deal on and still counts, by (phase, day), in order.

    ``secrets``: also what seats and their channels were told in private. Without it what is there
    depends on public events alone.
    """
    found: dict[tuple[str, int], list[Said]] = {}
    game, batch = Game(), list[ev.Event]()
    held = [event for _, event in live(events)]
    chapter = (SET_UP, 0)
    for event, following in zip(held, [*held[1:], None], strict=True):
        game.apply(event)
        batch.append(event)
        if following is not None and not following.begins:
            continue
        done, batch = batch, []
        if not game.seats:
            continue
        turns = [e for e in done if isinstance(e, (ev.DayOpened, ev.NightFell))]
        for turn in turns:
            if isinstance(turn, ev.DayOpened):
                chapter = (DAY, turn.day)
        here = found.setdefault(chapter, [])
        for turn in turns[-1:]:
            chapter = (NIGHT if isinstance(turn, ev.NightFell) else DAY, turn.day)
        here += _messages(speech, game, done, secrets=secrets)
    return {key: said for key, said in found.items() if said}


def _messages(
    speech: Speech, game: Game, batch: Sequence[ev.Event], *, secrets: bool
) -> Iterator[Said]:
    at = speech.say("storypage.at", game, at=batch[-1].at)
    if isinstance(batch[-1], ev.Rewound):
        yield Said(at, speech.say("storypage.rewound"))
        return
    told = [e for e in batch if not isinstance(e, _QUIET) and type(e) not in SILENT]
    news = any(event.audience == ev.PUBLIC for event in told)
    if not news and not (secrets and told):
        return
    for message in speech.events(game, batch):
        kind, _, which = message.audience.partition(":")
        if not message.text:
            continue
        if kind == ev.PUBLIC and news:
            yield Said(at, message.text)
        elif kind == "seat" and secrets:
            where = speech.say("storypage.private")
            yield Said(at, message.text, frozenset([int(which)]), where)
        elif kind == "channel" and secrets:
            where = speech.say("storypage.in_channel", game, channel=which)
            yield Said(at, message.text, frozenset(game.members(which)), where)


def deal(events: Sequence[ev.Event]) -> ev.Dealt | None:
    """Return the deal that holds, by a game's whole log; ``None`` before it."""
    for _, event in reversed(live(events)):
        if isinstance(event, ev.Dealt):
            return event
    return None
