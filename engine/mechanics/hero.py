"""The hero: a king who orders his execution dies in his place (K-33 to K-36)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import events as ev
from engine.mechanics.base import Mechanic

if TYPE_CHECKING:
    from engine.game import Game

HERO = "hero"

mechanic = Mechanic(
    HERO,
    needs=("king",),
    roles=(HERO,),
    parameters=("hero_uses", "hero_told", "killers_told_of_hero"),
)


@dataclass(slots=True)
class Reflections:
    """``count``: how often the hero's ability has worked."""

    count: int = 0


def told_as(game: Game, role: str) -> str:
    """Return the role that a seat is told it has: an untold hero is a civilian (K-35)."""
    return "civilian" if role == HERO and not game.sheet.hero_told else role


def tell_killers(game: Game) -> None:
    """Tell the killers that there is a hero, where the sheet says so (K-35)."""
    if not game.sheet.killers_told_of_hero:
        return
    if any(seat.role == HERO for seat in game.seats.values()):
        for channel in game.channels:
            for number in game.members(channel):
                game.emit(ev.Told(seat=number, notice=["hero_exists"], at=game.now, clause="K-35"))


def reflects(game: Game, king: int, target: int) -> bool:
    """Tell whether an order falls back on the king who gave it (K-33, K-34).

    While the hero is king himself, an order on himself kills him.
    """
    spent = game.sheet.hero_uses and game.reflections.count >= game.sheet.hero_uses
    return game.seats[target].role == HERO and target != king and not spent


def reflect(game: Game, king: int, target: int) -> None:
    """Make it public that it was so; a hero who did not know it learns it (K-33, K-35)."""
    game.emit(ev.Reflected(seat=target, king=king, at=game.now, clause="K-33"))
    if not game.sheet.hero_told and game.reflections.count == 1:
        game.emit(ev.Told(seat=target, notice=["role", HERO], at=game.now, clause="K-35"))


@mechanic.event(ev.Reflected)
def _reflected(game: Game, event: ev.Reflected) -> None:
    game.reflections.count += 1
