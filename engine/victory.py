"""Who is lost, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev

if TYPE_CHECKING:
    from engine.game import Game


def check(game: Game) -> None:
    """See who is lost, in the sheet's order of factions, then whether somebody has won (K-25).

    A faction is lost when none of its seats lives; the only one left in play wins; none left is a
    draw. A faction that was never dealt is not in play.
    """
    if game.phase == "over":
        return
    clause = game.sheet.clauses.get("victory", "")
    dealt = {seat.faction for seat in game.seats.values()}
    living = {seat.faction for seat in game.seats.values() if seat.alive}
    for faction in game.sheet.factions:
        if faction in dealt and faction not in living and faction not in game.lost:
            game.emit(ev.FactionLost(faction=faction, at=game.now, clause=clause))
    left = [faction for faction in dealt if faction not in game.lost]
    if len(left) <= 1:
        winner = left[0] if left else "draw"
        game.emit(ev.GameOver(winner=winner, at=game.now, clause=clause))
