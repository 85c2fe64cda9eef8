"""The clock: what falls due, reminders, and a game that stands still (K-26, K-27)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine import calendar
from engine import events as ev
from engine.commands import Pause, Refused, Resume, Tick
from engine.mechanics.base import Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("_clock")

STALE_REMINDER_SECONDS = 60


@mechanic.command(Tick)
def tick(game: Game, command: Tick) -> None:
    """Do the one thing that falls due first: a deadline, or a reminder. Refused: nothing is due."""
    alarm = game.next_alarm()
    if alarm is None or alarm > command.at:
        raise Refused("nothing_due")
    due, kind = game.deadlines()[0]
    if due > alarm:
        _remind(game, command.late)
        return
    if kind == "attendance" and game.due.get("close") == due:
        kind = "close"  # one settlement, in which the posts are looked at too (K-26)
    if command.late >= STALE_REMINDER_SECONDS and kind not in calendar.HIDDEN:
        game.emit(ev.SettledLate(kind=kind, late=command.late, at=game.now))
    unschedule(game, kind)
    game.rules.deadlines[kind](game)


def _remind(game: Game, late: int) -> None:
    _, kind, minutes = game.reminders[0]
    owed: list[list[str | int]] = []
    # The witch was told all she needs in the moment in which her time began.
    just_told = kind == "witch" and minutes >= game.sheet.witch_minutes
    if late < STALE_REMINDER_SECONDS and not just_told:
        owed = [[o.who, o.what] for o in game.owed() if o.kind == kind and o.expected]
    game.emit(ev.Reminded(kind=kind, minutes=minutes, owed=owed, at=game.now))


def schedule(game: Game, kind: str, due: datetime, clause: str) -> None:
    """Set the deadline of a kind to ``due`` (aware, UTC)."""
    game.emit(ev.Scheduled(kind=kind, due=due, at=game.now, clause=clause))


def unschedule(game: Game, kind: str) -> None:
    """Lift the deadline of a kind, if there is one."""
    if kind in game.due:
        game.emit(ev.Scheduled(kind=kind, due=None, at=game.now))


@mechanic.command(Pause)
def pause(game: Game, command: Pause) -> None:
    """Let the game stand still. Refused: not running, over, paused already."""
    game.require_running()
    if game.paused_at is not None:
        raise Refused("paused")
    game.emit(ev.Paused(at=game.now, clause=game.clause("hand")))


@mechanic.command(Resume)
def resume(game: Game, command: Resume) -> None:
    """Let the game go on; every hour of the day moves by the pause. Refused: not paused."""
    game.require_running()
    if game.paused_at is None:
        raise Refused("not_paused")
    seconds = (game.now - game.paused_at).total_seconds()
    game.emit(ev.Resumed(seconds=seconds, at=game.now, clause=game.clause("hand")))


@mechanic.event(ev.Scheduled)
def _scheduled(game: Game, event: ev.Scheduled) -> None:
    game.schedule(event.kind, event.due)


@mechanic.event(ev.Reminded)
def _reminded(game: Game, event: ev.Reminded) -> None:
    entry = (game.due[event.kind] - timedelta(minutes=event.minutes), event.kind, event.minutes)
    game.reminders.remove(entry)


@mechanic.event(ev.Paused)
def _paused(game: Game, event: ev.Paused) -> None:
    game.paused_at = event.at


@mechanic.event(ev.Resumed)
def _resumed(game: Game, event: ev.Resumed) -> None:
    span = timedelta(seconds=event.seconds)
    game.paused_at = None
    game.shift += span
    game.due = {kind: due + span for kind, due in game.due.items()}
    game.reminders = [(when + span, kind, minutes) for when, kind, minutes in game.reminders]


@mechanic.event(ev.Rewound)
def _rewound(game: Game, event: ev.Rewound) -> None:
    game.paused_at = event.paused or game.paused_at
    game.reminders = [entry for entry in game.reminders if entry[0] > game.clock]
