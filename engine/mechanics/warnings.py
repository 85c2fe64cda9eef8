"""Warnings, and going out by them (K-13, K-50)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from engine import events as ev
from engine import night
from engine.commands import Refused, Unwarn, Warn
from engine.departure import depart
from engine.mechanics.base import Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "warnings",
    spans=("warnings_out",),
    clauses=("director", "exits"),
    parameters=(
        "warnings_out",
        "posts_warnings",
        "no_order_warnings",
        "no_crown_warnings",
        "no_ballot_warnings",
    ),
)

Why = Literal["posts", "no_order", "no_ballot", "no_crown", "director"]


def warn(game: Game, seat: int, count: int, why: Why, clause: str, reason: str = "") -> None:
    """Give a seat ``count`` warnings; it goes out by them in the step ``exits`` (K-13)."""
    if count > 0:
        game.emit(
            ev.Warned(
                seat=seat,
                count=count,
                total=game.seats[seat].warnings + count,
                why=why,
                reason=reason,
                at=game.now,
                clause=clause,
            )
        )


@mechanic.step("exits", "close_steps")
def exits(game: Game) -> None:
    """All who have too many warnings go together, ascending (K-13)."""
    for number in game.living():
        if game.seats[number].warnings >= game.sheet.warnings_out:
            depart(game, number, "warnings", game.clause("exits"))


@mechanic.command(Warn)
def give(game: Game, command: Warn) -> None:
    """``警告 N 理由``. Refused: not running, over, no such seat, out (K-13)."""
    game.require_running()
    if not game.require_seat(command.target).alive:
        raise Refused("already_out", seat=command.target)
    warn(game, command.target, 1, "director", game.clause("director"), command.reason)
    night.settle(game, ("exits", "victory", "succession"))


@mechanic.command(Unwarn)
def take_back(game: Game, command: Unwarn) -> None:
    """``撤牌 N 警告``. Refused: not running, over, no such seat, out, has none."""
    game.require_running()
    seat = game.require_seat(command.target)
    if not seat.alive:
        raise Refused("already_out", seat=command.target)
    if not seat.warnings:
        raise Refused("no_warning", seat=command.target)
    game.emit(
        ev.Unwarned(
            seat=command.target,
            total=seat.warnings - 1,
            at=game.now,
            clause=game.clause("director"),
        )
    )


@mechanic.event(ev.Warned)
def _warned(game: Game, event: ev.Warned) -> None:
    game.seats[event.seat].warnings = event.total


@mechanic.event(ev.Unwarned)
def _unwarned(game: Game, event: ev.Unwarned) -> None:
    game.seats[event.seat].warnings = event.total


@mechanic.event(ev.Reinstated)
def _reinstated(game: Game, event: ev.Reinstated) -> None:
    # The warning that was one too many is taken back with what it did.
    seat = game.seats[event.seat]
    seat.warnings = min(seat.warnings, game.sheet.warnings_out - 1)
