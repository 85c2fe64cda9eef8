"""Day and night: how they begin and end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine import departure, night, victory
from engine import events as ev
from engine.calendar import clock_time
from engine.commands import CloseDay, EndGame, OpenDay, Refused
from engine.mechanics.base import Mechanic
from engine.mechanics.clock import schedule, unschedule

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("_phases")

_INSTANT = timedelta(microseconds=1)


def fall_night(game: Game, clause: str) -> None:
    """Begin the night that follows the present day; it ends at the next ``open`` (K-03, K-09)."""
    opens = game.next_hour(game.clock, game.sheet.open)
    game.emit(ev.NightFell(day=game.day, opens=opens, at=game.now, clause=clause))
    schedule(game, "open", opens, clause)


def end_day(game: Game, clause: str) -> None:
    """Let the day be over; the night is still to fall."""
    unschedule(game, "close")
    game.emit(ev.DayClosed(day=game.day, at=game.now, clause=clause))


@mechanic.deadline("open")
def open_day(game: Game) -> None:
    """Settle the night, then open the day (K-08)."""
    unschedule(game, "attendance")
    night.settle(game, game.sheet.night_steps)
    if game.phase == "over":
        return
    clause = game.clause("open")
    closes = closing_hour(game)
    decides = "ballot"
    for decide in game.rules.decides:
        decides = decide(game) or decides
    game.emit(
        ev.DayOpened(day=game.day + 1, decides=decides, closes=closes, at=game.now, clause=clause)
    )
    schedule(game, "close", closes, clause)
    schedule(game, "attendance", closes, clause)


@mechanic.deadline("close")
def close_day(game: Game) -> None:
    """Close the day by the clock or by hand: the sheet's steps, then night (K-09, K-10, K-23)."""
    clause = game.clause("close")
    end_day(game, clause)
    night.settle(game, game.sheet.close_steps)
    if game.phase == "over":
        return
    fall_night(game, clause)


def closing_hour(game: Game) -> datetime:
    """Return when a day that opens now closes: the first ``close`` that leaves it long enough.

    Long enough is ``day_min_minutes``, or the sheet's own length of a day if that is less (K-27).
    """
    opens, closes = (clock_time(hour) for hour in (game.sheet.open, game.sheet.close))
    usual = (closes.hour - opens.hour) * 60 + closes.minute - opens.minute
    least = timedelta(minutes=min(game.sheet.day_min_minutes, usual % (24 * 60)))
    return game.next_hour(game.clock + least - _INSTANT, game.sheet.close)


def too_late(game: Game) -> bool:
    """Tell whether less than ``regency_minutes`` are left of the day (K-11, K-18)."""
    regency = timedelta(minutes=game.sheet.regency_minutes)
    return "close" in game.due and game.due["close"] - game.clock < regency


@mechanic.command(CloseDay)
def close_now(game: Game, command: CloseDay) -> None:
    """``截票``. Refused: not running, over, paused, it is night (K-27)."""
    game.require_running()
    if game.paused_at is not None:
        raise Refused("paused")
    if game.phase != "day":
        raise Refused("close_by_night")
    game.emit(ev.Forced(what="close", at=game.now, clause=game.clause("hand")))
    game.by_hand = True
    unschedule(game, "attendance")
    close_day(game)


@mechanic.command(OpenDay)
def open_now(game: Game, command: OpenDay) -> None:
    """``开楼``. Refused: not running, over, paused, it is day (K-27)."""
    game.require_running()
    if game.paused_at is not None:
        raise Refused("paused")
    if game.phase != "night":
        raise Refused("open_by_day")
    game.emit(ev.Forced(what="open", at=game.now, clause=game.clause("hand")))
    game.by_hand = True
    for kind in [kind for _, kind in game.deadlines() if kind not in ("open", "attendance")]:
        unschedule(game, kind)
        game.rules.deadlines[kind](game)
    unschedule(game, "open")
    open_day(game)


@mechanic.step("victory")
def victory_step(game: Game) -> None:
    """See who is lost and who has won (K-25)."""
    victory.check(game)


@mechanic.step("succession")
def succession_step(game: Game) -> None:
    """Let what follows from departures follow (K-08)."""
    departure.follow(game)


@mechanic.command(EndGame)
def end_game(game: Game, command: EndGame) -> None:
    """``终局``: end the game without a winner. Refused: over."""
    if game.phase == "over":
        raise Refused("over")
    game.emit(ev.GameOver(winner="", at=game.now))


@mechanic.event(ev.NightFell)
def _night_fell(game: Game, event: ev.NightFell) -> None:
    game.phase = "night"


@mechanic.event(ev.DayOpened)
def _day_opened(game: Game, event: ev.DayOpened) -> None:
    game.phase = "day"
    game.day = event.day
    game.decides = event.decides


@mechanic.event(ev.DayTurned)
def _day_turned(game: Game, event: ev.DayTurned) -> None:
    game.decides = event.decides


@mechanic.event(ev.DayClosed)
def _day_closed(game: Game, event: ev.DayClosed) -> None:
    # What follows from departures at the close follows as by night: nobody takes over this day.
    game.phase = "night"


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    seat = game.seats[event.seat]
    seat.alive = False
    seat.cause = event.cause
    game.out.append(event.seat)


@mechanic.event(ev.OutAnnounced)
def _out_announced(game: Game, event: ev.OutAnnounced) -> None:
    seat = game.seats[event.seat]
    seat.announced = True
    seat.shown_role = event.role
    seat.shown_cause = event.cause


@mechanic.event(ev.FactionLost)
def _faction_lost(game: Game, event: ev.FactionLost) -> None:
    game.lost.append(event.faction)


@mechanic.event(ev.GameOver)
def _game_over(game: Game, event: ev.GameOver) -> None:
    game.phase = "over"
    game.winner = event.winner or None
    game.paused_at = None
    game.due = {}
    game.reminders = []
