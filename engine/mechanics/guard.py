"""The guard: guard holds against kills, ward against charms; each seat once for each (M84-23)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused
from engine.mechanics.base import Ability, Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("guard", parameters=("guard_again",))

KEYS = ("guard", "ward")


@dataclass(slots=True)
class Guards:
    """``used``: (ability, owner, target) that an hour's end has spent; ``last``: last night's."""

    used: set[tuple[str, int, int]] = field(default_factory=set)
    last: dict[tuple[str, int], int] = field(default_factory=dict)


def _check(key: str, game: Game, seat: int, target: int | None) -> None:
    again = game.sheet.guard_again
    if target is None or again == "always":
        return
    if again == "not_next_night" and game.guards.last.get((key, seat)) == target:
        raise Refused("guarded_last_night", seat=target)
    if again == "never" and (key, seat, target) in game.guards.used:
        raise Refused("guarded_before", seat=target)


for _key in KEYS:
    mechanic.abilities[_key] = Ability(
        check=lambda game, seat, target, key=_key: _check(key, game, seat, target),  # type: ignore[misc]
        step="kill" if _key == "guard" else "charm",
    )


@mechanic.event(ev.HourEnded)
def _hour_ended(game: Game, event: ev.HourEnded) -> None:
    game.guards.last = {}
    for (ability, owner), target in game.abilities.orders.items():
        if ability in KEYS and isinstance(owner, int) and target is not None:
            game.guards.used.add((ability, owner, target))
            game.guards.last[ability, owner] = target
