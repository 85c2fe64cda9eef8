"""How a seat goes out, and all that follows from it, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev

if TYPE_CHECKING:
    from engine.game import Game


def depart(game: Game, number: int, cause: str, clause: str) -> None:
    """Put a seat out for ``cause``; a seat that is out already stays as it went (M84-39).

    It is announced at once, with what is shown of its role. What follows for others waits for
    :func:`follow`, since victory is checked before it.
    """
    seat = game.seats[number]
    if not seat.alive:
        return
    shown = shown_role(game, number) if game.sheet.show_role else ""
    game.emit(ev.Departed(seat=number, cause=cause, at=game.now, clause=clause))
    game.emit(ev.Told(seat=number, notice=["out"], at=game.now, clause=clause))
    game.emit(ev.OutAnnounced(seat=number, role=shown, cause=cause, at=game.now, clause=clause))


def shown_role(game: Game, number: int) -> str:
    """Return the role that a seat is published as: an heir as the kingmaker it was (K-16)."""
    if game.crown.kingmaker == number:
        return "kingmaker"
    return game.seats[number].role


def follow(game: Game) -> None:
    """Let everything follow from the departures of this command that nothing followed from yet."""
    while game.phase != "over" and game.followed < len(game.out):
        gone = game.out[game.followed :]
        game.followed = len(game.out)
        for follows in game.rules.follows:
            follows(game, gone)
