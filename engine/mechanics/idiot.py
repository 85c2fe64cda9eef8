"""The idiot: voted out, he shows his card, stays, and has no vote from then on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine.mechanics.base import Mechanic

if TYPE_CHECKING:
    from engine.game import Game

IDIOT = "idiot"

mechanic = Mechanic(IDIOT, needs=("ballot",), roles=(IDIOT,), clauses=("idiot",))


@dataclass(slots=True)
class Idiots:
    """``revealed``: seats that have shown the card."""

    revealed: list[int] = field(default_factory=list)


def _spares(game: Game, number: int) -> bool:
    if game.seats[number].role != IDIOT or number in game.idiots.revealed:
        return False
    game.emit(ev.IdiotRevealed(seat=number, at=game.now, clause=game.clause("idiot")))
    return True


mechanic.spares = _spares


@mechanic.event(ev.IdiotRevealed)
def _revealed(game: Game, event: ev.IdiotRevealed) -> None:
    game.idiots.revealed.append(event.seat)
