"""The seer: is a seat of the town, or not? Answered at once, once a night (M84-22, C-06)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused
from engine.mechanics.base import Ability, Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "inspect", factions=("town",), clauses=("inspect",), parameters=("inspect_shows",)
)


def _check(game: Game, seat: int, target: int | None) -> None:
    if ("inspect", seat) in game.abilities.orders:
        raise Refused("inspected_already")


def _acted(game: Game, seat: int, target: int) -> None:
    seen = game.seats[target]
    if game.sheet.inspect_shows == "werewolf":
        town = seen.role not in game.sheet.channels.values()
    else:
        town = seen.faction == "town"
    found = "town" if town else "not_town"
    game.emit(
        ev.Told(
            seat=seat,
            notice=["inspected", target, found],
            at=game.now,
            clause=game.clause("inspect"),
        )
    )


mechanic.abilities["inspect"] = Ability(check=_check, acted=_acted, binding=True)
