"""Cupid's link, the lovers' faction, and how one goes with the other (M84-02 to 07, M84-38)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine import victory
from engine.commands import Link, Refused
from engine.mechanics import abilities, lifecycle
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import unschedule

if TYPE_CHECKING:
    from engine.game import Game

CUPID = "cupid"
FACTION = "lovers"
CHANNEL = "lovers"
KILL = "lovers_kill"

mechanic = Mechanic(
    "lovers",
    roles=(CUPID,),
    factions=(FACTION,),
    spans=("setup_minutes",),
    powers=("link",),
    clauses=(
        *("bond", "chain", "deserted", "elope", "faction_told", "link", "lone_wolf"),
        "lovers_kill",
    ),
    parameters=("lovers_kill_after", "setup_minutes", "link_self", "follower_announced"),
)


@dataclass(slots=True)
class Lovers:
    """``pair``: the two lovers once they are linked."""

    pair: list[int] = field(default_factory=list)


def cupid(game: Game) -> int | None:
    """Return cupid's seat, if one was dealt."""
    return next((n for n, seat in game.seats.items() if seat.role == CUPID), None)


@mechanic.command(Link)
def link(game: Game, command: Link) -> None:
    """``恋 A B`` (M84-02).

    Refused: out, paused, not cupid, set-up is over, a seat that is out, one seat twice, himself
    where the sheet forbids it.
    """
    game.require_actor(command.seat)
    if command.seat != cupid(game):
        raise Refused("no_ability")
    if "link" not in game.due:
        raise Refused("wrong_phase", need="setup")
    for number in (command.first, command.second):
        game.require_seat(number)
        if not game.is_living(number):
            raise Refused("target_out", seat=number)
    if command.first == command.second:
        raise Refused("same_seat", seat=command.first)
    if not game.sheet.link_self and command.seat in (command.first, command.second):
        raise Refused("self_forbidden")
    unschedule(game, "link")
    _join(game, command.first, command.second, drawn=False)


@mechanic.deadline("link")
def link_due(game: Game) -> None:
    """Cupid was silent, or is out: two others at random (M84-02, M84-51)."""
    clause = game.clause("link")
    first = game.draw("lover", clause)
    second = game.draw("lover", clause)
    _join(game, first, second, drawn=True)


def _others(game: Game) -> list[int]:
    drawn = game.drawn("lover")
    return [n for n in game.living() if n != cupid(game) and n not in drawn]


mechanic.draws["lover"] = _others


def _join(game: Game, first: int, second: int, *, drawn: bool) -> None:
    clause = game.clause("link")
    game.emit(ev.Linked(first=first, second=second, drawn=drawn, at=game.now, clause=clause))
    before = {number: seat.faction for number, seat in game.seats.items()}
    base = {before[first], before[second]}
    if len(base) > 1 or "" in base:
        for number in (first, second):
            _change(game, number, FACTION)
    archer = cupid(game)
    if archer is not None and game.seats[archer].faction != game.seats[first].faction:
        _change(game, archer, game.seats[first].faction)
    for one, other in ((first, second), (second, first)):
        game.emit(
            ev.Told(seat=one, notice=["lover", other], at=game.now, clause=game.clause("bond"))
        )
    _part_from_packs(game, first, second)
    for number, seat in game.seats.items():
        if seat.faction != before[number]:
            game.emit(
                ev.Told(
                    seat=number,
                    notice=["faction", seat.faction],
                    at=game.now,
                    clause=game.clause("faction_told"),
                )
            )
    lifecycle.open_channels(game)
    _lose_deserted(game, before)
    victory.check(game)
    if game.phase != "over":
        lifecycle.begin(game)


def _part_from_packs(game: Game, first: int, second: int) -> None:
    """Open the lovers' channel; a wolf among them alone leaves the wolves (M84-04, M84-05)."""
    clause = game.clause("lone_wolf")
    packs = [lifecycle.pack_of(game, number) for number in (first, second)]
    if packs[0] is None or packs[0] != packs[1]:
        members = sorted((first, second))
        game.emit(ev.ChannelOpened(channel=CHANNEL, members=members, at=game.now, clause=clause))
        for number, pack in zip((first, second), packs, strict=True):
            if pack is not None:
                ability = game.sheet.channel_abilities[pack]
                game.emit(ev.AbilityLost(seat=number, ability=ability, at=game.now, clause=clause))
                game.emit(
                    ev.Told(
                        seat=number,
                        notice=["lost_ability", ability],
                        at=game.now,
                        clause=clause,
                    )
                )


def _lose_deserted(game: Game, before: dict[int, str]) -> None:
    """A faction whose seats have all left it counts as lost from the start (M84-07)."""
    now = {seat.faction for seat in game.seats.values()}
    for faction in game.sheet.factions:
        if faction in before.values() and faction not in now:
            victory.lose(game, faction, game.clause("deserted"))


def _change(game: Game, number: int, faction: str) -> None:
    game.emit(
        ev.FactionChanged(seat=number, faction=faction, at=game.now, clause=game.clause("elope"))
    )


def _together(game: Game, number: int) -> list[int]:
    """One lover out, the other at once (M84-38)."""
    if number not in game.lovers.pair:
        return []
    return [other for other in game.lovers.pair if other != number and game.is_living(other)]


mechanic.chains = _together


def _losing(game: Game, faction: str) -> None:
    """When the pack is lost, a pair of the lovers' faction may kill (M84-35)."""
    if faction != game.sheet.lovers_kill_after:
        return
    for number in game.members(CHANNEL):
        if game.seats[number].faction == FACTION:
            abilities.gain(game, number, KILL, game.clause("lovers_kill"))


mechanic.losing = _losing


def _owed(game: Game) -> Iterable[Owed]:
    archer = cupid(game)
    if "link" in game.due and archer is not None and game.is_living(archer):
        yield owing(game, archer, "link", "link")


mechanic.owed = _owed


@mechanic.event(ev.Linked)
def _linked(game: Game, event: ev.Linked) -> None:
    game.lovers.pair = sorted((event.first, event.second))


@mechanic.event(ev.FactionChanged)
def _faction_changed(game: Game, event: ev.FactionChanged) -> None:
    game.seats[event.seat].faction = event.faction
