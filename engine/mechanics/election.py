"""The republic: each day begins with the election of a president (K-42)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused, Stand
from engine.mechanics import ballot
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import schedule
from engine.mechanics.regime import REPUBLIC

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("election")

ELECTION = "election"


@dataclass(slots=True)
class Election:
    """``candidates``: who stands today, in the order of it."""

    candidates: list[int] = field(default_factory=list)


@mechanic.command(Stand)
def stand(game: Game, command: Stand) -> None:
    """``参选``. Refused: out, paused, no election now, standing already."""
    game.require_actor(command.seat)
    if "election" not in game.due:
        raise Refused("no_election")
    if command.seat in game.election.candidates:
        raise Refused("standing_already")
    game.emit(ev.Stood(seat=command.seat, at=game.now, clause="K-42"))


@mechanic.deadline("election")
def count(game: Game) -> None:
    """Most ballots, on a tie the first to reach it; nobody stands or votes: nobody (K-42)."""
    weights = ballot.weigh(game)
    leaders = ballot.leaders(weights)
    elected = ballot.first_there(game, leaders) if leaders else None
    ballot.publish(game, weights, elected, "K-42")
    game.emit(ev.PresidentElected(seat=elected, at=game.now, clause="K-42"))
    decides = "nobody" if elected is None else "order"
    game.emit(ev.DayTurned(decides=decides, at=game.now, clause="K-42"))


def _decides(game: Game) -> str | None:
    return ELECTION if game.regime.key == REPUBLIC else None


mechanic.decides = _decides


def _opened(game: Game) -> None:
    if game.decides == ELECTION:
        due = game.clock + timedelta(minutes=game.sheet.election_minutes)
        schedule(game, "election", min(due, game.due["close"]), "K-42")


mechanic.opened = _opened


def _owed(game: Game) -> Iterable[Owed]:
    if "election" in game.due:
        for number in game.living():
            if number not in game.ballot.cast:
                yield owing(game, number, "election", "election", expected=False)


mechanic.owed = _owed


@mechanic.event(ev.DayOpened)
def _day_opened(game: Game, event: ev.DayOpened) -> None:
    game.election = Election()


@mechanic.event(ev.Stood)
def _stood(game: Game, event: ev.Stood) -> None:
    game.election.candidates.append(event.seat)


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    if event.seat in game.election.candidates:
        game.election.candidates.remove(event.seat)
