"""Who is lost, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from engine import departure
from engine import events as ev

if TYPE_CHECKING:
    from engine.game import Game
    from engine.ruleset import Losing, Winning


def check(game: Game) -> None:
    """Tell who is out, see who is lost, in the sheet's order of factions, then who has won.

    A faction that was never in the game is not in play. The only one left in play wins; of two
    that win at one moment, the sheet's order decides; none left is a draw (K-25, M84-34 to M84-36).
    """
    if game.phase == "over":
        return
    departure.conclude(game)
    playing = in_play(game)
    for faction in game.sheet.factions:
        if faction in playing and is_lost(game, faction):
            lose(game, faction, game.clause("lost"))
    left = [faction for faction in playing if faction not in game.lost]
    winner: str | None = None
    if not left:
        winner = "draw"
    elif len(left) == 1:
        winner = left[0]
    else:
        winner = next((faction for faction in left if way_won(game, faction) is not None), None)
    if winner is not None:
        game.emit(ev.GameOver(winner=winner, at=game.now, clause=game.clause("victory")))


def in_play(game: Game) -> list[str]:
    """Return the factions that have or had seats and are not lost, in the order of victory."""
    seats = {seat.faction for seat in game.seats.values()}
    order = game.sheet.victory_order or game.sheet.factions
    return [faction for faction in order if faction in seats and faction not in game.lost]


def lose(game: Game, faction: str, clause: str) -> None:
    """Let a faction be lost, with what that takes and gives (M84-35)."""
    game.emit(ev.FactionLost(faction=faction, at=game.now, clause=clause))
    for losing in game.rules.losings:
        losing(game, faction)


def is_lost(game: Game, faction: str) -> bool:
    """Tell whether one of the sheet's ways to lose holds, or the faction has too many red cards."""
    return way_lost(game, faction) is not None


def way_lost(game: Game, faction: str) -> Losing | Literal["red_cards"] | None:
    """Return by what a faction is lost as things are, None if by nothing."""
    most = game.sheet.red_cards_lose
    if most:
        reds = sum(seat.reds for seat in game.seats.values() if seat.faction == faction)
        if reds >= most:
            return "red_cards"
    losings = game.sheet.lose.get(faction, [])
    return next((losing for losing in losings if _holds(game, faction, losing)), None)


def _holds(game: Game, faction: str, losing: Losing) -> bool:
    if losing.channel:
        group = game.channels.get(losing.channel, [])
    else:
        group = [
            number
            for number, seat in game.seats.items()
            if seat.faction == faction and (not losing.roles or seat.role in losing.roles)
        ]
    return bool(group) and not any(game.seats[number].alive for number in group)


def way_won(game: Game, faction: str) -> Winning | None:
    """Return by which of the sheet's ways a faction wins as things are, None if by none."""
    winnings = game.sheet.win.get(faction, [])
    return next((winning for winning in winnings if _wins(game, faction, winning)), None)


def _wins(game: Game, faction: str, winning: Winning) -> bool:
    living = game.living()
    if winning.half:
        own = sum(game.seats[number].faction == faction for number in living)
        return 2 * own >= len(living)
    if winning.everyone:
        rest = [n for n in living if game.seats[n].faction != faction and n not in game.lovers.pair]
        return bool(rest) and all(n in game.charm.charmed for n in rest)
    single = [number for number in living if number not in game.lovers.pair]
    needed = [number for number in single if game.seats[number].role in winning.charmed]
    others = [n for n in single if game.seats[n].faction == winning.with_faction]
    return bool(needed) and all(n in game.charm.charmed for n in needed + others)
