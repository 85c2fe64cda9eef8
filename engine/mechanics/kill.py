"""What a secret channel's members do together by night: kill, and talk (K-02, K-04, M84-21)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused, Say
from engine.departure import depart
from engine.mechanics import abilities
from engine.mechanics.base import Ability, Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("kill", clauses=("kill", "ability_lost"))

KILLS = ("faction_kill", "lovers_kill")
HOLDS = ("guard", "save")


def _check(game: Game, seat: int, target: int | None) -> None:
    if game.regime.deposing:
        raise Refused("depose_running", due=game.due["depose"])


def _blocked(game: Game) -> bool:
    return game.regime.deposing


for _key in KILLS:
    mechanic.abilities[_key] = Ability(
        check=_check,
        together=True,
        blocked=_blocked,
        gained=_key == "lovers_kill",
        step="kill",
    )


@mechanic.command(Say)
def say(game: Game, command: Say) -> None:
    """Say something to one's own secret channel. Refused: out, no channel."""
    game.require_running()
    seat = game.require_seat(command.seat)
    if not seat.alive:
        raise Refused("out")
    channel = game.channel_of(command.seat)
    if channel is None:
        raise Refused("no_channel")
    game.emit(ev.Whispered(channel=channel, seat=command.seat, text=command.text, at=game.now))


def named(game: Game) -> list[int]:
    """Return the seats that tonight's kills name, ascending, each once."""
    orders = game.abilities.orders
    targets = {orders.get((key, game.together.get(key, ""))) for key in KILLS}
    return sorted(target for target in targets if target is not None)


@mechanic.step("kill")
def settle(game: Game) -> None:
    """Whom the kills name is out, unless guarded or saved (K-08, M84-28 a)."""
    orders = game.abilities.orders
    guarded, saved = (
        {target for (ability, _), target in orders.items() if ability == key} for key in HOLDS
    )
    # Guarded and saved at once holds, or does not (同守同救).
    held = guarded | saved if game.sheet.save_and_guard == "holds" else guarded ^ saved
    for key in KILLS:
        target = orders.get((key, game.together.get(key, "")))
        if target is not None and target not in held:
            depart(game, target, "kill", game.clause("kill"), announce=not game.sheet.night_minutes)


def _losing(game: Game, faction: str) -> None:
    """A lost faction's channel can no longer kill; nor does 判负 let the kill stand (M84-35)."""
    key = "faction_kill"
    members = [
        n
        for n in game.members(game.together.get(key, ""))
        if game.seats[n].faction == faction and abilities.has(game, n, key)
    ]
    if members and game.ruling:
        abilities.void(game, key, game.clause("ability_lost"))
    for number in members:
        abilities.lose(game, number, key, game.clause("ability_lost"))


mechanic.losing = _losing
