"""Elections among those who stand: of a president (K-42), or of the sheriff on day 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused, Stand, StandDown
from engine.mechanics import ballot, phases
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import schedule
from engine.mechanics.regime import REPUBLIC

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "election",
    needs=("ballot",),
    spans=("election_minutes",),
    clauses=("election", "stand"),
    parameters=("election_minutes",),
)

ELECTION = "election"


@dataclass(slots=True)
class Election:
    """``candidates``: who stands, in the order of it. ``again``: a tie was voted on once more.

    ``stood``: who has stood, though no more: of a sheriff only the others elect.
    """

    candidates: list[int] = field(default_factory=list)
    again: bool = False
    stood: set[int] = field(default_factory=set)


@mechanic.command(Stand)
def stand(game: Game, command: Stand) -> None:
    """``参选``. Refused: out, paused, nobody can stand now, standing already."""
    game.require_actor(command.seat)
    if not _standing_runs(game):
        raise Refused("no_election")
    if command.seat in game.election.candidates:
        raise Refused("standing_already")
    game.emit(ev.Stood(seat=command.seat, at=game.now, clause=game.clause("stand")))


@mechanic.command(StandDown)
def stand_down(game: Game, command: StandDown) -> None:
    """``退水``. Refused: out, paused, nobody stands now, not standing."""
    game.require_actor(command.seat)
    if not _standing_runs(game):
        raise Refused("no_election")
    if command.seat not in game.election.candidates:
        raise Refused("not_standing", seat=command.seat)
    game.emit(ev.StoodDown(seat=command.seat, at=game.now, clause=game.clause("stand")))


def _standing_runs(game: Game) -> bool:
    return "candidacy" in game.due or (game.decides == ELECTION and "election" in game.due)


@mechanic.deadline("candidacy")
def close_candidacy(game: Game) -> None:
    """The list is closed: nobody, one, or a vote between several."""
    candidates = game.election.candidates
    if len(candidates) < 2 or game.election.stood >= set(game.living()):
        _end(game, candidates[0] if len(candidates) == 1 else None)
        return
    _vote(game)


def _vote(game: Game) -> None:
    clause = game.clause("election")
    game.emit(ev.DayTurned(decides="sheriff", at=game.now, clause=clause))
    due = game.clock + timedelta(minutes=game.sheet.election_minutes)
    schedule(game, "election", due, clause)
    _put_off_close(game, due)


def _put_off_close(game: Game, start: datetime) -> None:
    if game.sheet.clock == "span":
        closes = start + timedelta(minutes=game.sheet.day_minutes)
        schedule(game, "close", closes, game.clause("close"))


def _end(game: Game, elected: int | None) -> None:
    clause = game.clause("election")
    if elected is None:
        game.emit(ev.NobodyElected(at=game.now, clause=clause))
    else:
        game.emit(ev.SheriffTook(seat=elected, how="elected", at=game.now, clause=clause))
    game.emit(ev.DayTurned(decides="ballot", at=game.now, clause=clause))
    _put_off_close(game, game.clock)


@mechanic.deadline("election")
def count(game: Game) -> None:
    """Count: of a president, the first to reach most; of a sheriff, a tie is voted on once more."""
    weights = ballot.weigh(game)
    leaders = ballot.leaders(weights)
    clause = game.clause("election")
    if game.decides == ELECTION:
        # With too little of the day left to give an order, nobody is president (K-11, K-42).
        late = phases.too_late(game)
        elected = ballot.first_there(game, leaders) if leaders and not late else None
        ballot.publish(game, weights, elected, clause)
        game.emit(ev.PresidentElected(seat=elected, at=game.now, clause=clause))
        decides = "nobody" if elected is None else "order"
        game.emit(ev.DayTurned(decides=decides, at=game.now, clause=clause))
        return
    ballot.publish(game, weights, leaders[0] if len(leaders) == 1 else None, clause)
    if len(leaders) > 1 and not game.election.again:
        due = game.clock + timedelta(minutes=game.sheet.election_minutes)
        game.emit(ev.RunoffOpened(seats=leaders, closes=due, at=game.now, clause=clause))
        _vote(game)
    else:
        _end(game, leaders[0] if len(leaders) == 1 else None)


def _decides(game: Game) -> str | None:
    if game.regime.key == REPUBLIC:
        return ELECTION
    if game.sheet.sheriff_election == "candidates" and game.day == 0:
        return "candidacy"
    return None


mechanic.decides = _decides


def _opened(game: Game) -> None:
    if game.decides == ELECTION:
        due = game.clock + timedelta(minutes=game.sheet.election_minutes)
        schedule(game, "election", min(due, game.due["close"]), game.clause("election"))
    elif game.decides == "candidacy":
        due = game.clock + timedelta(minutes=game.sheet.candidacy_minutes)
        schedule(game, "candidacy", due, game.clause("stand"))
        _put_off_close(game, due)


mechanic.opened = _opened


def _owed(game: Game) -> Iterable[Owed]:
    if game.decides == ELECTION and "election" in game.due:
        for number in game.living():
            if number not in game.ballot.cast:
                yield owing(game, number, "election", "election", expected=False)


mechanic.owed = _owed


@mechanic.event(ev.RunoffOpened)
def _runoff_opened(game: Game, event: ev.RunoffOpened) -> None:
    if game.decides == "sheriff":
        game.election = Election(list(event.seats), again=True, stood=game.election.stood)


@mechanic.event(ev.StoodDown)
def _stood_down(game: Game, event: ev.StoodDown) -> None:
    game.election.candidates.remove(event.seat)


@mechanic.event(ev.DayOpened)
def _day_opened(game: Game, event: ev.DayOpened) -> None:
    game.election = Election()


@mechanic.event(ev.Stood)
def _stood(game: Game, event: ev.Stood) -> None:
    game.election.candidates.append(event.seat)
    game.election.stood.add(event.seat)


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    if event.seat in game.election.candidates:
        game.election.candidates.remove(event.seat)
