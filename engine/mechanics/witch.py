"""The witch: told of the victims, she saves one or poisons one, each once (M84-24 to M84-26)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused
from engine.departure import depart
from engine.mechanics import abilities, kill
from engine.mechanics.base import Ability, Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "witch",
    powers=("victim_report",),
    clauses=("poison", "save", "victims"),
    parameters=("witch_late", "save_self", "save_and_guard"),
)

REPORT = "victim_report"


@dataclass(slots=True)
class Potions:
    """``used``: (ability, seat) that is spent."""

    used: set[tuple[str, int]] = field(default_factory=set)


def _check(key: str, game: Game, seat: int, target: int | None) -> None:
    if (key, seat) in game.potions.used:
        raise Refused("used_up")
    self_allowed = game.sheet.save_self == "always" or (
        game.sheet.save_self == "first_night" and game.first_night
    )
    if key == "save" and target == seat and not self_allowed:
        raise Refused("self_forbidden")


def _other(key: str) -> str:
    return "poison" if key == "save" else "save"


def _acted(key: str, game: Game, seat: int, target: int) -> None:
    """Of save and poison one a night: naming one withdraws the other."""
    if (_other(key), seat) in game.abilities.orders:
        abilities.take_back(game, seat, _other(key))


def may_answer(game: Game, seat: int) -> bool:
    """Tell whether a seat may still answer the report of this night's victims."""
    always = game.sheet.witch_late == "always"
    return "witch" in game.due and (always or abilities.has(game, seat, REPORT))


def _late(game: Game, seat: int) -> bool:
    return may_answer(game, seat)


for _key in ("save", "poison"):
    mechanic.abilities[_key] = Ability(
        check=lambda game, seat, target, key=_key: _check(key, game, seat, target),  # type: ignore[misc]
        acted=lambda game, seat, target, key=_key: _acted(key, game, seat, target),  # type: ignore[misc]
        late=_late,
        step="kill" if _key == "save" else "poison",
        spent=lambda game, seat, key=_key: (  # type: ignore[misc]
            (key, seat) in game.potions.used or (_other(key), seat) in game.abilities.orders
        ),
    )


def report(game: Game) -> None:
    """Tell every witch that has the ability whom the kills name (M84-24)."""
    for number in abilities.holders(game, REPORT):
        game.emit(
            ev.Told(
                seat=number,
                notice=["victims", kill.named(game)],
                at=game.now,
                clause=game.clause("victims"),
            )
        )


@mechanic.step("poison")
def settle(game: Game) -> None:
    """Whom the poison names is out; nothing stops it (M84-28 b)."""
    for (ability, _), target in list(game.abilities.orders.items()):
        if ability == "poison" and target is not None:
            depart(
                game,
                target,
                "poison",
                game.clause("poison"),
                announce=not game.sheet.night_minutes,
            )


def spend(game: Game) -> None:
    """Whoever has saved is told no more of victims (M84-25)."""
    for ability, owner in list(game.abilities.orders):
        if ability == "save" and isinstance(owner, int):
            abilities.lose(game, owner, REPORT, game.clause("save"))


mechanic.hours = report
mechanic.ends = spend


@mechanic.event(ev.NightSettled)
def _night_settled(game: Game, event: ev.NightSettled) -> None:
    for ability, owner in game.abilities.orders:
        if ability in ("save", "poison") and isinstance(owner, int):
            game.potions.used.add((ability, owner))
