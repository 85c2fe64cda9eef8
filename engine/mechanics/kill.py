"""The killers' kill, and their secret channel (K-02, K-04)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import NameKill, Refused, Say
from engine.departure import depart
from engine.mechanics.base import Mechanic, Owed

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("kill")

CHANNEL = "killers"


@dataclass(slots=True)
class Kills:
    """What stands tonight: ``target`` (``None``: no kill) if it was ``named``."""

    named: bool = False
    target: int | None = None


@mechanic.command(NameKill)
def name_kill(game: Game, command: NameKill) -> None:
    """Set the channel's kill. Refused: out, paused, no killer, day, depose vote, target out."""
    game.require_actor(command.seat)
    if command.seat not in game.members(CHANNEL):
        raise Refused("no_ability")
    if game.phase != "night":
        raise Refused("wrong_phase", need="night")
    if game.regime.deposing:
        raise Refused("depose_running", due=game.due["depose"])
    if command.target is not None:
        game.require_target(command.target)
    game.emit(
        ev.KillNamed(
            channel=CHANNEL,
            seat=command.seat,
            target=command.target,
            at=game.now,
            clause=game.clause("kill_named"),
        )
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


def void(game: Game, clause: str) -> None:
    """Let what was submitted tonight be void, and tell the channel (K-20)."""
    if not game.kill.named:
        return
    game.emit(ev.KillVoided(channel=CHANNEL, at=game.now, clause=clause))
    for number in game.members(CHANNEL):
        game.emit(ev.Told(seat=number, notice=["void", "faction_kill"], at=game.now, clause=clause))


@mechanic.step("kill")
def settle(game: Game) -> None:
    """The kill of the night."""
    target = game.kill.target
    if target is not None:
        depart(game, target, "kill", game.clause("kill"))


def _owed(game: Game) -> Iterable[Owed]:
    if (
        game.phase == "night"
        and not game.kill.named
        and not game.regime.deposing
        and game.members(CHANNEL)
    ):
        yield Owed(CHANNEL, "faction_kill", game.due.get("open"), expected=True)


mechanic.owed = _owed


@mechanic.event(ev.KillNamed)
def _named(game: Game, event: ev.KillNamed) -> None:
    game.kill = Kills(named=True, target=event.target)


@mechanic.event(ev.KillVoided)
def _voided(game: Game, event: ev.KillVoided) -> None:
    game.kill = Kills()


@mechanic.event(ev.NightFell)
def _night_fell(game: Game, event: ev.NightFell) -> None:
    game.kill = Kills()
