"""The piper's charms, and how the charmed may speak (M84-28 c, M84-31 to M84-33)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine.mechanics.base import Ability, Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "charm",
    clauses=("charm", "charmed", "charms_end", "silence"),
    parameters=("charmed_sounds", "charmed_marks"),
)


@dataclass(slots=True)
class Charms:
    """``charmed``: living seats, in the order of it; ``new``: of them, who is not yet announced.

    ``known``: who is charmed as far as the public knows; ``freed``: who was, until it was published
    that all charms have ended.
    """

    charmed: list[int] = field(default_factory=list)
    new: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    freed: list[int] = field(default_factory=list)


def _check(game: Game, seat: int, target: int | None) -> None:
    """Nothing is forbidden: oneself and the charmed are legal and nothing comes of it (M84-32)."""


mechanic.abilities["charm"] = Ability(check=_check, step="charm")


@mechanic.step("charm")
def settle(game: Game) -> None:
    """Charm: the piper living, the target living, not himself, no lover, not warded (M84-28 c)."""
    orders = game.abilities.orders
    warded = {target for (ability, _), target in orders.items() if ability == "ward"}
    for (ability, owner), target in list(orders.items()):
        if ability != "charm" or not isinstance(owner, int) or target is None:
            continue
        if not game.is_living(owner) or not game.is_living(target) or target == owner:
            continue
        if target in game.lovers.pair or target in warded or target in game.charm.charmed:
            continue
        game.emit(ev.Charmed(seat=target, at=game.now, clause=game.clause("charm")))


def _piper_out(game: Game, number: int) -> None:
    """The piper out: every charm ends at once (M84-33)."""
    if "charm" in game.sheet.roles[game.seats[number].role].abilities and not any(
        seat.alive and "charm" in game.sheet.roles[seat.role].abilities
        for seat in game.seats.values()
    ):
        game.emit(ev.CharmsEnded(at=game.now, clause=game.clause("charms_end")))


mechanic.departing = _piper_out


@mechanic.step("announce_charmed", "open_steps")
def announce(game: Game) -> None:
    """Publish who was newly charmed (M84-30)."""
    if game.charm.new:
        game.emit(
            ev.CharmedAnnounced(
                seats=sorted(game.charm.new), at=game.now, clause=game.clause("charmed")
            )
        )


def breaks_silence(game: Game, number: int, text: str, plain: bool) -> bool:
    """Tell whether what a charmed seat said is more than the sounds that it may make (M84-31)."""
    if not game.sheet.charmed_sounds or number not in game.charm.charmed:
        return False
    allowed = game.sheet.charmed_sounds + game.sheet.charmed_marks
    return not plain or any(not mark.isspace() and mark not in allowed for mark in text)


@mechanic.event(ev.Charmed)
def _charmed(game: Game, event: ev.Charmed) -> None:
    game.charm.charmed.append(event.seat)
    game.charm.new.append(event.seat)


@mechanic.event(ev.CharmedAnnounced)
def _announced(game: Game, event: ev.CharmedAnnounced) -> None:
    game.charm.new = []
    game.charm.known += event.seats


@mechanic.event(ev.CharmsEnded)
def _ended(game: Game, event: ev.CharmsEnded) -> None:
    game.charm = Charms(known=game.charm.known)


@mechanic.event(ev.OutAnnounced)
def _out_announced(game: Game, event: ev.OutAnnounced) -> None:
    known = game.charm.known
    ended = event.role and "charm" in game.sheet.roles[event.role].abilities
    left = [seat for seat in known if seat != event.seat]
    if ended:
        game.charm.freed, left = left, []
    game.charm.known = left


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    for seats in (game.charm.charmed, game.charm.new):
        if event.seat in seats:
            seats.remove(event.seat)
