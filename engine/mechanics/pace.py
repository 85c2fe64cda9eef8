"""Pace: a stage of the night ends early when every living seat has said that it is ready.

All say it, with an ability or without, so that the length of a stage tells nothing about who acted.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Ready, Refused
from engine.mechanics import phases
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import schedule, unschedule

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("_pace", clauses=("pace",))


@mechanic.command(Ready)
def ready(game: Game, command: Ready) -> None:
    """``过``. Refused: out, paused, a fixed pace, day, said already."""
    game.require_actor(command.seat)
    if game.sheet.pace != "ready":
        raise Refused("fixed_pace")
    if game.phase != "night":
        raise Refused("wrong_phase", need="night")
    if command.seat in game.ready:
        raise Refused("ready_already")
    game.emit(ev.ReadySaid(seat=command.seat, at=game.now, clause=game.clause("pace")))
    go_on(game)


def go_on(game: Game) -> None:
    """End the stage if all who live are ready and nobody who is out has still to speak.

    Nobody waits for what is hidden: the time for a shot runs whether or not there is a hunter, and
    a sheriff counts once it is announced that he is out.
    """
    if game.sheet.pace != "ready" or game.phase != "night" or game.by_hand:
        return
    leaving = game.sheriff.leaving
    waiting = "shot" in game.due or (leaving is not None and game.seats[leaving].announced)
    if waiting or not all(number in game.ready for number in game.living()):
        return
    clause = game.clause("pace")
    if "night" in game.due:
        unschedule(game, "night")
        phases.end_hour(game)
        witch = game.clock + timedelta(minutes=game.sheet.witch_minutes)
        schedule(game, "witch", witch, clause)
        schedule(game, "open", witch, clause)
        if game.sheet.witch_minutes:
            return
    if not game.abilities.settled:
        unschedule(game, "witch")
        phases.settle_night(game)
    if game.phase != "over":
        until_opening = game.due.get("heir") == game.due.get("open")
        unschedule(game, "open")
        if "heir" in game.due and until_opening:
            unschedule(game, "heir")
            game.rules.deadlines["heir"](game)
        phases.open_day(game)


def _follow(game: Game, gone: list[int]) -> None:
    """Nobody waits for who has gone; a settlement goes its own way."""
    if not game.abilities.settled and not game.closing:
        go_on(game)


mechanic.follows = _follow


def _owed(game: Game) -> Iterable[Owed]:
    if game.sheet.pace == "ready" and game.phase == "night":
        kind = next(kind for kind in ("night", "witch", "open") if kind in game.due)
        for number in game.living():
            if number not in game.ready:
                yield owing(game, number, "ready", kind, expected=False)


mechanic.owed = _owed


@mechanic.event(ev.ReadySaid)
def _ready_said(game: Game, event: ev.ReadySaid) -> None:
    game.ready.add(event.seat)


def _clear(game: Game, event: ev.Event) -> None:
    game.ready = set()


for _stage in (ev.NightFell, ev.HourEnded, ev.DayOpened):
    mechanic.event(_stage)(_clear)
