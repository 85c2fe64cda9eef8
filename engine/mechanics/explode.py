"""Self-destruction: a werewolf gives itself up by day, and the day is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev
from engine import night
from engine.commands import Explode, Refused
from engine.departure import depart
from engine.mechanics import abilities, phases
from engine.mechanics.base import Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("explode", needs=("kill",), clauses=("explode",))


@mechanic.command(Explode)
def explode(game: Game, command: Explode) -> None:
    """``自爆``. Refused: out, paused, no werewolf, night. An election that runs has no result."""
    game.require_actor(command.seat)
    if not abilities.has(game, command.seat, "faction_kill"):
        raise Refused("no_ability")
    if game.phase != "day":
        raise Refused("wrong_phase", need="day")
    clause = game.clause("explode")
    game.emit(ev.Exploded(seat=command.seat, at=game.now, clause=clause))
    depart(game, command.seat, "exploded", clause)
    night.settle(game, ("victory",))
    if game.phase == "over":
        return
    phases.end_day(game, clause)
    night.settle(game, ("succession",))
    phases.fall_night(game, clause)
