"""The sheriff: election, weight, heirs (M84-08 to M84-10, M84-41, M84-53, M84-54)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import NameHeirs, Refused
from engine.mechanics import ballot, pace
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import schedule

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "sheriff",
    needs=("ballot",),
    spans=("heir_minutes",),
    clauses=("election", "heir", "heir_wanted"),
    parameters=(
        "sheriff_election",
        "sheriff_weight",
        "heir_minutes",
        "heir_silent",
        "candidacy_minutes",
    ),
)

ELECTION = "sheriff"


@dataclass(slots=True)
class Sheriff:
    """``seat``: who holds the office; ``known``: who does as far as the public knows.

    ``leaving``: a sheriff who is out and may still name ``heirs``; ``named``: he has.
    """

    seat: int | None = None
    known: int | None = None
    leaving: int | None = None
    named: bool = False
    heirs: list[int] = field(default_factory=list)


@mechanic.step("election", "close_steps", when={"sheriff_election": "ballot"})
def elect(game: Game) -> None:
    """Count day 1's ballots: most, on a tie the first to reach it; none at all: drawn (M84-09)."""
    if game.decides != ELECTION:
        return
    weights = ballot.weigh(game)
    clause = game.clause("election")
    leaders = ballot.leaders(weights)
    if leaders:
        elected, how = ballot.first_there(game, leaders), "elected"
    else:
        elected, how = game.draw("sheriff", clause), "drawn"
    ballot.publish(game, weights, elected if leaders else None, clause)
    game.emit(ev.SheriffTook(seat=elected, how=how, at=game.now, clause=clause))


@mechanic.command(NameHeirs)
def name_heirs(game: Game, command: NameHeirs) -> None:
    """``继任`` (M84-41). Refused: not running, over, paused, no sheriff gone, none named, out."""
    game.require_running()
    if game.paused_at is not None:
        raise Refused("paused")
    if game.sheriff.leaving is None or game.sheriff.leaving != command.seat:
        raise Refused("no_ability")
    if not command.heirs and game.sheet.heir_silent != "none":
        raise Refused("need_target")
    for number in command.heirs:
        game.require_target(number)
        if number == command.seat:
            raise Refused("self_forbidden")
    game.emit(
        ev.HeirsNamed(
            seat=command.seat, heirs=command.heirs, at=game.now, clause=game.clause("heir")
        )
    )


def _departing(game: Game, number: int) -> None:
    """The office is empty: an heir at once by chance, or later by the wish of who held it."""
    if game.sheriff.seat != number:
        return
    clause = game.clause("heir")
    seat = game.seats[number]
    if seat.cause in ("red_card", "ruled") or game.ruling:
        game.emit(ev.SheriffVacated(seat=number, at=game.now, clause=clause))
        if game.living() and game.sheet.heir_silent == "random":
            _draw(game, public=seat.announce)
        return
    if game.closing or game.phase == "day" or game.sheet.clock == "span":
        # On a span clock, after the opening that announces him.
        start = max(game.clock, game.due.get("open", game.clock))
        until = start + timedelta(minutes=game.sheet.heir_minutes)
    else:
        until = game.due["open"]
    game.emit(ev.SheriffVacated(seat=number, until=until, at=game.now, clause=clause))
    schedule(game, "heir", until, clause)


mechanic.departing = _departing


def _rights(game: Game, number: int) -> list[str]:
    return ["heir_wanted"] if game.sheriff.leaving == number else []


mechanic.rights = _rights


@mechanic.deadline("heir")
def heir_due(game: Game) -> None:
    """The time for naming is over: the first named who lives takes office, else one by chance.

    Where that is the opening, the opening publishes it, after those who are out (M84-30).
    """
    public = game.phase == "day" or game.due.get("open", game.now) > game.now
    public = public and not (game.by_hand and game.phase == "night")
    heir = next((number for number in game.sheriff.heirs if game.is_living(number)), None)
    if heir is None and game.sheet.heir_silent == "none":
        game.emit(ev.NobodyElected(at=game.now, clause=game.clause("heir")))
    elif heir is None:
        _draw(game, public=public)
    else:
        _take(game, heir, "named", public=public)
    if public:
        pace.go_on(game)


def _draw(game: Game, *, public: bool) -> None:
    _take(game, game.draw("heir", game.clause("heir")), "drawn", public=public)


def _take(game: Game, number: int, how: str, *, public: bool) -> None:
    game.emit(
        ev.SheriffTook(seat=number, how=how, public=public, at=game.now, clause=game.clause("heir"))
    )


@mechanic.step(
    "announce_sheriff",
    "open_steps",
    when={"night_minutes": True, "heir_silent": "random"},
)
def announce(game: Game) -> None:
    """Publish who is sheriff, if he took office unseen."""
    seat = game.sheriff.seat
    if seat is not None and game.sheriff.known != seat:
        game.emit(ev.SheriffAnnounced(seat=seat, at=game.now, clause=game.clause("heir")))


mechanic.draws = dict.fromkeys(("sheriff", "heir"), lambda game: game.living())


def _decides(game: Game) -> str | None:
    by_ballot = game.sheet.sheriff_election == "ballot"
    return ELECTION if by_ballot and game.day == 0 else None


mechanic.decides = _decides


def _owed(game: Game) -> Iterable[Owed]:
    leaving = game.sheriff.leaving
    if leaving is not None and not game.sheriff.named:
        yield owing(game, leaving, "heir", "heir")


mechanic.owed = _owed


@mechanic.event(ev.SheriffTook)
def _took(game: Game, event: ev.SheriffTook) -> None:
    known = event.seat if event.public else game.sheriff.known
    game.sheriff = Sheriff(seat=event.seat, known=known)


@mechanic.event(ev.SheriffAnnounced)
def _announced(game: Game, event: ev.SheriffAnnounced) -> None:
    game.sheriff.known = event.seat


@mechanic.event(ev.OutAnnounced)
def _out_announced(game: Game, event: ev.OutAnnounced) -> None:
    if game.sheriff.known == event.seat:
        game.sheriff.known = None


@mechanic.event(ev.SheriffVacated)
def _vacated(game: Game, event: ev.SheriffVacated) -> None:
    leaving = event.seat if event.until is not None else None
    game.sheriff = Sheriff(known=game.sheriff.known, leaving=leaving)


@mechanic.event(ev.NobodyElected)
def _nobody(game: Game, event: ev.NobodyElected) -> None:
    game.sheriff = Sheriff()


@mechanic.event(ev.HeirsNamed)
def _heirs_named(game: Game, event: ev.HeirsNamed) -> None:
    game.sheriff.heirs = list(event.heirs)
    game.sheriff.named = True
