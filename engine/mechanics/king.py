"""The reigning king: his one order, what it costs to give none, who takes over (K-09 to K-11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import events as ev
from engine import victory
from engine.commands import Confirm, Order, Refused
from engine.departure import depart, follow
from engine.mechanics import hero, phases, regime
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.crown import enthrone, next_on_throne
from engine.mechanics.warnings import warn

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "king", needs=("crown",), spans=("regency_minutes",), parameters=("regency_minutes",)
)

# Regimes under which one seat gives the order, and those in which it does so for one day.
RULING = ("monarchy", "dictatorship", "republic")
CROWNED_DAILY = ("monarchy", "republic")


@dataclass(slots=True)
class Question:
    """``asked``: the king who named himself and was asked whether he means it (K-09)."""

    asked: int | None = None


@mechanic.command(Order)
def order(game: Game, command: Order) -> None:
    """The king's order; on himself it is asked back first (K-09).

    Refused: out, paused, night, not the king, nobody orders today, a seat that is out.
    """
    _require_king(game, command.seat)
    game.require_target(command.target)
    if command.target == command.seat and game.question.asked != command.seat:
        game.emit(ev.OrderAsked(seat=command.seat, at=game.now, clause="K-09"))
        return
    _execute(game, command.seat, command.target)


@mechanic.command(Confirm)
def confirm(game: Game, command: Confirm) -> None:
    """``确认``: the king means himself (K-09). Refused: nothing was asked."""
    game.require_actor(command.seat)
    if game.question.asked != command.seat:
        raise Refused("nothing_to_confirm")
    _execute(game, command.seat, command.seat)


def _require_king(game: Game, number: int) -> None:
    game.require_actor(number)
    if game.crown.king != number or game.regime.key not in RULING:
        raise Refused("not_king")
    if game.phase != "day":
        raise Refused("wrong_phase", need="day")
    if game.decides != "order":
        raise Refused("not_king")


def _execute(game: Game, king: int, target: int) -> None:
    game.emit(ev.Ordered(seat=king, target=target, at=game.now, clause="K-09"))
    if game.regime.key in CROWNED_DAILY:
        game.emit(ev.ReignEnded(seat=king, at=game.now, clause="K-09"))
    if hero.reflects(game, king, target):
        hero.reflect(game, king, target)
        depart(game, king, "reflected", "K-33")
    else:
        depart(game, target, "order", "K-09")
    victory.check(game)
    if game.phase == "over":
        return
    phases.end_day(game, "K-09")
    follow(game)
    phases.fall_night(game, "K-09")
    if game.regime.choice_owed:
        regime.open_choice(game, king)


@mechanic.step("reign", "close_steps")
def end_reign(game: Game) -> None:
    """At the close without an order: warnings, unless by hand, and the reign is over (K-10)."""
    king = game.crown.king
    if game.decides != "order" or king is None:
        return
    if not game.by_hand and game.is_living(king):
        warn(game, king, game.sheet.no_order_warnings, "no_order", "K-10")
    if game.regime.key in CROWNED_DAILY:
        game.emit(ev.ReignEnded(seat=king, at=game.now, clause="K-27" if game.by_hand else "K-10"))


def _follow(game: Game, gone: list[int]) -> None:
    king = game.crown.king
    if king is None or king not in gone or game.regime.key not in CROWNED_DAILY:
        return
    game.emit(ev.ReignEnded(seat=king, at=game.now, clause="K-11"))
    if game.phase != "day" or game.decides != "order":
        return
    if phases.too_late(game) or game.regime.key == "republic":
        game.emit(ev.DayTurned(decides="nobody", at=game.now, clause="K-11"))
    else:
        enthrone(game, next_on_throne(game), "throne", "K-11")


mechanic.follows = _follow


def _decides(game: Game) -> str | None:
    if game.regime.key in ("monarchy", "dictatorship"):
        return "order" if game.crown.king is not None else "nobody"
    return None


mechanic.decides = _decides


def _owed(game: Game) -> Iterable[Owed]:
    king = game.crown.king
    if game.phase == "day" and game.decides == "order" and king is not None:
        yield owing(game, king, "order", "close")
        if game.question.asked == king:
            yield owing(game, king, "confirm", "close", expected=False)


mechanic.owed = _owed


@mechanic.event(ev.OrderAsked)
def _order_asked(game: Game, event: ev.OrderAsked) -> None:
    game.question.asked = event.seat


@mechanic.event(ev.DayClosed)
def _day_closed(game: Game, event: ev.DayClosed) -> None:
    game.question.asked = None


@mechanic.event(ev.RegimeChanged)
def _regime_changed(game: Game, event: ev.RegimeChanged) -> None:
    game.question.asked = None
