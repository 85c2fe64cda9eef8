"""Orders of the night: who has which ability, what stands, until when (K-04, M84-20 to M84-27).

The mechanics register their abilities here; an order stands under its ability and its owner, who is
a seat, or a secret channel for what its members do together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Act, Refused, Withdraw
from engine.mechanics.base import Mechanic, Owed, owing

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("_abilities")

Owner = int | str


@dataclass(slots=True)
class Abilities:
    """``orders``: (ability, owner) → target, what stands tonight (``None``: explicitly no kill).

    ``lost`` and ``gained``: (seat, ability), beside what role and channel give. ``settled``: the
    night's orders have been carried out. ``nights``: the orders of the nights settled so far.
    """

    orders: dict[tuple[str, Owner], int | None] = field(default_factory=dict)
    lost: set[tuple[int, str]] = field(default_factory=set)
    gained: set[tuple[int, str]] = field(default_factory=set)
    settled: bool = False
    nights: dict[int, list[list[str | int | None]]] = field(default_factory=dict)


def has(game: Game, number: int, ability: str) -> bool:
    """Tell whether a living seat has an ability: by its role, its channel, or gained; not lost."""
    seat = game.seats[number]
    if not seat.alive or (number, ability) in game.abilities.lost:
        return False
    if (number, ability) in game.abilities.gained:
        return True
    rule = game.rules.abilities.get(ability)
    if rule is not None and rule.together:
        return not rule.gained and number in game.channels.get(game.together[ability], ())
    return ability in game.sheet.roles[seat.role].abilities


def channel_for(game: Game, ability: str) -> str | None:
    """Return the channel whose members use an ability together, ``None`` for a seat's own."""
    return game.together.get(ability)


def owner_of(game: Game, number: int, ability: str) -> Owner:
    """Return under whom a seat's order for an ability stands."""
    return channel_for(game, ability) or number


def holders(game: Game, ability: str) -> list[int]:
    """Return the living seats that have an ability, ascending."""
    return [number for number in game.living() if has(game, number, ability)]


def hour_runs(game: Game) -> bool:
    """Tell whether orders are taken: by night, in M84 in its first hour (M84-20)."""
    if game.phase != "night" or game.abilities.settled:
        return False
    return not game.sheet.night_minutes or "night" in game.due


def closes_at(game: Game) -> str:
    """Return the kind of deadline until which orders of the night are taken."""
    return "night" if game.sheet.night_minutes else "open"


def _is_late(game: Game, number: int, ability: str) -> bool:
    """Tell whether a seat's ability is taken after the first hour, now (M84-24)."""
    late = game.rules.abilities[ability].late
    return late is not None and has(game, number, ability) and late(game, number)


def usable(game: Game, number: int, ability: str) -> bool:
    """Tell whether an order of a seat for its ability would be taken now, or a change of it."""
    rule = game.rules.abilities[ability]
    if game.phase != "night" or not has(game, number, ability):
        return False
    given = rule.binding and (ability, owner_of(game, number, ability)) in game.abilities.orders
    used = (ability, number) in game.potions.used or (rule.blocked and rule.blocked(game))
    return not given and not used and (hour_runs(game) or _is_late(game, number, ability))


def _require_open(game: Game, number: int, ability: str) -> None:
    if game.phase != "night":
        raise Refused("wrong_phase", need="night")
    if not hour_runs(game) and not _is_late(game, number, ability):
        raise Refused("hour_over")


@mechanic.command(Act)
def act(game: Game, command: Act) -> None:
    """Let an order for tonight stand, in place of an earlier one for the same ability.

    Refused: out, paused, no such ability of his, day, too late, a seat that is out, and what the
    ability itself forbids.
    """
    game.require_actor(command.seat)
    rule = game.rules.abilities.get(command.ability)
    if rule is None or not has(game, command.seat, command.ability):
        raise Refused("no_ability")
    _require_open(game, command.seat, command.ability)
    channel = channel_for(game, command.ability)
    if command.target is not None:
        game.require_target(command.target)
    rule.check(game, command.seat, command.target)
    if channel is not None:
        game.emit(
            ev.KillNamed(
                channel=channel,
                seat=command.seat,
                target=command.target,
                ability=command.ability,
                at=game.now,
                clause=game.clause(command.ability),
            )
        )
        return
    if command.target is None:
        raise Refused("need_target")
    game.emit(
        ev.Acted(
            seat=command.seat,
            ability=command.ability,
            target=command.target,
            at=game.now,
            clause=game.clause(command.ability),
        )
    )
    if rule.acted is not None:
        rule.acted(game, command.seat, command.target)


@mechanic.command(Withdraw)
def withdraw(game: Game, command: Withdraw) -> None:
    """Take orders of tonight back: one, or all that can be (M84-20).

    Refused: out, paused, day, too late, nothing stands, what can't be taken back.
    """
    game.require_actor(command.seat)
    if game.phase != "night":
        raise Refused("wrong_phase", need="night")
    own = [
        ability
        for (ability, owner) in game.abilities.orders
        if owner == owner_of(game, command.seat, ability) and has(game, command.seat, ability)
    ]
    if command.ability is not None:
        rule = game.rules.abilities.get(command.ability)
        if rule is None or not has(game, command.seat, command.ability):
            raise Refused("no_ability")
        _require_open(game, command.seat, command.ability)
        if rule.binding:
            raise Refused("cannot_withdraw")
        own = [ability for ability in own if ability == command.ability]
    else:
        own = [ability for ability in own if not game.rules.abilities[ability].binding]
        if not hour_runs(game):
            late = [key for key in game.rules.abilities if _is_late(game, command.seat, key)]
            if not late:
                raise Refused("hour_over")
            own = [ability for ability in own if ability in late]
    if not own:
        raise Refused("nothing_stands")
    for ability in own:
        take_back(game, command.seat, ability)


def take_back(game: Game, number: int, ability: str) -> None:
    """Let an order that stands fall, and say so to its seat or channel."""
    channel = channel_for(game, ability)
    clause = game.clause(ability)
    if channel is not None:
        game.emit(
            ev.KillNamed(
                channel=channel,
                seat=number,
                target=None,
                ability=ability,
                at=game.now,
                clause=clause,
            )
        )
    else:
        game.emit(ev.Withdrawn(seat=number, ability=ability, at=game.now, clause=clause))


def void(game: Game, ability: str, clause: str) -> None:
    """Let a channel's order of tonight be void, and tell its members (K-20, M84-35)."""
    channel = channel_for(game, ability)
    if channel is None or (ability, channel) not in game.abilities.orders:
        return
    game.emit(ev.KillVoided(channel=channel, ability=ability, at=game.now, clause=clause))
    for number in game.members(channel):
        game.emit(ev.Told(seat=number, notice=["void", ability], at=game.now, clause=clause))


def _follow(game: Game, gone: list[int]) -> None:
    """An order whose target is announced out before the settlement falls, and its owner may anew.

    Of a seat that is out unannounced nobody learns by that (M84-27); an answer given stays given.
    """
    if game.phase != "night" or game.abilities.settled:
        return
    for (ability, owner), target in list(game.abilities.orders.items()):
        rule = game.rules.abilities[ability]
        if target not in gone or not game.seats[target].announced or rule.binding:
            continue
        clause = game.clause(ability)
        if isinstance(owner, str):
            void(game, ability, clause)
        elif game.is_living(owner):
            game.emit(ev.Withdrawn(seat=owner, ability=ability, at=game.now, clause=clause))
            game.emit(ev.Told(seat=owner, notice=["void", ability], at=game.now, clause=clause))


mechanic.follows = _follow


def lose(game: Game, number: int, ability: str, clause: str) -> None:
    """Take an ability from a seat and tell it, if it has it."""
    if has(game, number, ability):
        game.emit(ev.AbilityLost(seat=number, ability=ability, at=game.now, clause=clause))
        game.emit(
            ev.Told(seat=number, notice=["lost_ability", ability], at=game.now, clause=clause)
        )


def gain(game: Game, number: int, ability: str, clause: str) -> None:
    """Give an ability to a seat and tell it."""
    game.emit(ev.AbilityGained(seat=number, ability=ability, at=game.now, clause=clause))
    game.emit(ev.Told(seat=number, notice=["gained_ability", ability], at=game.now, clause=clause))


def settle_actions(game: Game) -> list[list[str | int | None]]:
    """Return tonight's orders as [ability, owner, target]; of an explicit no kill it is None."""
    return [[ability, owner, target] for (ability, owner), target in game.abilities.orders.items()]


def _owed(game: Game) -> Iterable[Owed]:
    if game.phase != "night" or game.abilities.settled:
        return
    orders = game.abilities.orders
    kind = closes_at(game)
    running = hour_runs(game)
    for ability, rule in game.rules.abilities.items():
        channel = channel_for(game, ability)
        if rule.blocked is not None and rule.blocked(game):
            continue
        if channel is not None:
            if running and (ability, channel) not in orders and holders(game, ability):
                yield owing(game, channel, ability, kind)
            continue
        for number in holders(game, ability):
            if (ability, number) in orders or (rule.spent and rule.spent(game, number)):
                continue
            if rule.late is not None and rule.late(game, number):
                yield owing(game, number, ability, "witch")
            elif running:
                yield owing(game, number, ability, kind)


mechanic.owed = _owed


@mechanic.event(ev.KillNamed)
def _kill_named(game: Game, event: ev.KillNamed) -> None:
    game.abilities.orders[event.ability, event.channel] = event.target


@mechanic.event(ev.KillVoided)
def _kill_voided(game: Game, event: ev.KillVoided) -> None:
    game.abilities.orders.pop((event.ability, event.channel), None)


@mechanic.event(ev.Acted)
def _acted(game: Game, event: ev.Acted) -> None:
    game.abilities.orders[event.ability, event.seat] = event.target


@mechanic.event(ev.Withdrawn)
def _withdrawn(game: Game, event: ev.Withdrawn) -> None:
    game.abilities.orders.pop((event.ability, event.seat), None)


@mechanic.event(ev.AbilityLost)
def _ability_lost(game: Game, event: ev.AbilityLost) -> None:
    game.abilities.lost.add((event.seat, event.ability))


@mechanic.event(ev.AbilityGained)
def _ability_gained(game: Game, event: ev.AbilityGained) -> None:
    game.abilities.gained.add((event.seat, event.ability))


@mechanic.event(ev.NightFell)
def _night_fell(game: Game, event: ev.NightFell) -> None:
    game.abilities.orders = {}
    game.abilities.settled = False


@mechanic.event(ev.NightSettled)
def _night_settled(game: Game, event: ev.NightSettled) -> None:
    game.abilities.settled = True
    game.abilities.nights[event.night] = event.actions
