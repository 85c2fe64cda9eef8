"""The hunter: out, he may take a seat with him.

The time for it runs for every seat that goes as a hunter could, whoever it was: what waits for it
and what comes of its end is the same, so that no length of a stage tells that there is a hunter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import events as ev
from engine import night
from engine.commands import Refused, Shoot
from engine.departure import depart
from engine.mechanics import pace
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import schedule, unschedule

if TYPE_CHECKING:
    from engine.game import Game

HUNTER = "hunter"

mechanic = Mechanic(
    HUNTER,
    roles=(HUNTER,),
    spans=("shot_minutes",),
    clauses=("shot", "shot_right"),
    parameters=("shot_after", "shot_minutes"),
)


@dataclass(slots=True)
class Gun:
    """``holder``: the hunter who is out and may still shoot; ``unseen``: some are out unseen."""

    holder: int | None = None
    unseen: bool = False


def may_shoot(game: Game) -> bool:
    """Tell whether a hunter may shoot now: he is announced, and his time runs."""
    holder = game.gun.holder
    return holder is not None and game.seats[holder].announced and "shot" in game.due


@mechanic.command(Shoot)
def shoot(game: Game, command: Shoot) -> None:
    """``开枪 N``. Refused: not running, over, paused, no right, not yet, a seat that is out."""
    game.require_running()
    if game.paused_at is not None:
        raise Refused("paused")
    if game.gun.holder != command.seat:
        raise Refused("no_ability")
    if not may_shoot(game):
        raise Refused("shot_not_yet")
    game.require_target(command.target)
    clause = game.clause("shot")
    game.emit(ev.Shot(seat=command.seat, target=command.target, at=game.now, clause=clause))
    unschedule(game, "shot")
    depart(game, command.target, "shot", clause)
    night.settle(game, ("victory", "succession"))
    pace.go_on(game)


@mechanic.deadline("shot")
def lapse(game: Game) -> None:
    """Whoever could shoot by now did not."""
    holder = game.gun.holder
    if holder is not None and game.seats[holder].announced:
        game.emit(ev.ShotLapsed(seat=holder, at=game.now, clause=game.clause("shot")))
    pace.go_on(game)


def _departing(game: Game, number: int) -> None:
    seat = game.seats[number]
    if seat.cause not in game.sheet.shot_after:
        return
    # By night it waits for the opening, which announces him.
    if seat.announce:
        _schedule(game)
    if seat.role != HUNTER:
        return
    # Killed and poisoned in one night he has gone by the poison too.
    orders = game.abilities.orders if game.phase == "night" and not game.closing else {}
    if "poison" not in game.sheet.shot_after and any(
        ability == "poison" and target == number for (ability, _), target in orders.items()
    ):
        return
    game.emit(ev.ShotGiven(seat=number, at=game.now, clause=game.clause("shot")))


mechanic.departing = _departing


def _schedule(game: Game) -> None:
    due = game.clock + timedelta(minutes=game.sheet.shot_minutes)
    schedule(game, "shot", due, game.clause("shot"))


def _opened(game: Game) -> None:
    if game.gun.unseen:
        _schedule(game)


mechanic.opened = _opened


def _rights(game: Game, number: int) -> list[str]:
    return ["shot_right"] if game.gun.holder == number else []


mechanic.rights = _rights


def _owed(game: Game) -> Iterable[Owed]:
    if game.gun.holder is not None and may_shoot(game):
        yield owing(game, game.gun.holder, "shot", "shot")


mechanic.owed = _owed


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    # By what cause, kill or poison, nobody can tell either.
    if not event.announce:
        game.gun.unseen = True


@mechanic.event(ev.Scheduled)
def _scheduled(game: Game, event: ev.Scheduled) -> None:
    if event.kind == "shot" and event.due is not None:
        game.gun.unseen = False


@mechanic.event(ev.ShotGiven)
def _shot_given(game: Game, event: ev.ShotGiven) -> None:
    game.gun.holder = event.seat


@mechanic.event(ev.Shot)
def _shot(game: Game, event: ev.Shot) -> None:
    game.gun.holder = None


@mechanic.event(ev.ShotLapsed)
def _shot_lapsed(game: Game, event: ev.ShotLapsed) -> None:
    game.gun.holder = None
