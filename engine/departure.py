"""How a seat goes out, and all that follows from it, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev
from engine.mechanics import last_words

if TYPE_CHECKING:
    from engine.game import Game


def depart(game: Game, number: int, cause: str, clause: str, *, announce: bool = True) -> None:
    """Put a seat out for ``cause``, and at once whoever goes with it (M84-38).

    A seat that is out already stays as it went (M84-39). One whose red card waits goes by that
    (M84-44). ``announce``: it is public when the step is over, else at the next opening. What
    follows for others waits for :func:`follow`, since victory is checked before it.
    """
    seat = game.seats[number]
    if not seat.alive:
        return
    if cause != "red_card" and number in game.cards.waiting:
        cause = "red_card"
        announce = announce or game.closing
    # Before the first day nothing is announced: day 1's opening does (M84-51).
    announce = announce and game.phase != "setup"
    words = last_words.gives(game, cause)
    game.emit(
        ev.Departed(
            seat=number, cause=cause, announce=announce, words=words, at=game.now, clause=clause
        )
    )
    at_once = game.ruling or game.sheet.follower_announced == "at_once"
    for goes_with in game.rules.chains:
        for other in goes_with(game, number):
            depart(game, other, "lover", game.clause("chain"), announce=announce and at_once)
    for after in game.rules.departing:
        after(game, number)


def conclude(game: Game) -> None:
    """Tell and announce the departures of this command that were not yet told (M84-39)."""
    for number in game.out[game.concluded :]:
        seat = game.seats[number]
        clause = game.clause("told")
        game.emit(ev.Told(seat=number, notice=["out"], at=game.now, clause=clause))
        for rights in game.rules.rights:
            for right in rights(game, number):
                told = ev.Told(seat=number, notice=[right], at=game.now, clause=game.clause(right))
                game.emit(told)
        if seat.announce:
            announce_out(game, number)
    game.concluded = len(game.out)


def announce_out(game: Game, number: int) -> None:
    """Make it public that a seat is out, with what the sheet shows of it."""
    seat = game.seats[number]
    shown = shown_role(game, number)
    open_role = game.sheet.show_role or shown in game.sheet.show_roles_of
    game.emit(
        ev.OutAnnounced(
            seat=number,
            role=shown if open_role else "",
            cause=seat.cause if seat.announce else "",
            at=game.now,
            clause=game.clause("announced"),
        )
    )


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
