"""Petitions: a shorter or a longer day, if half of the living ask for it (M84-12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from engine import calendar
from engine import events as ev
from engine.commands import Petition, Refused
from engine.mechanics.base import Mechanic
from engine.mechanics.clock import schedule

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "petition",
    spans=("day_length",),
    clauses=("petition",),
    calendar=True,
    parameters=("petition_lead_minutes",),
)


@dataclass(slots=True)
class Petitions:
    """``asks``: seat → speed_up or delay, made on ``date`` (of the game's own clock).

    ``passed``: what of this day's was granted last, if anything.
    """

    asks: dict[int, str] = field(default_factory=dict)
    date: date | None = None
    passed: str = ""


def today(game: Game) -> date:
    """Return the calendar day that it is for this game."""
    return calendar.local_date(game.clock, game.sheet.zone, game.shift)


def counted(game: Game) -> tuple[int, int]:
    """Return how many living seats ask today for speed_up and for delay."""
    asks = game.petitions.asks if game.petitions.date == today(game) else {}
    living = [asks[number] for number in game.living() if number in asks]
    return living.count("speed_up"), living.count("delay")


@mechanic.command(Petition)
def petition(game: Game, command: Petition) -> None:
    """``加速``, ``延时``, ``撤回申请``. Refused: out, paused, no day, nothing to take back."""
    game.require_actor(command.seat)
    if game.phase != "day":
        raise Refused("wrong_phase", need="day")
    petitions = game.petitions
    if command.ask is None and (
        petitions.date != today(game) or command.seat not in petitions.asks
    ):
        raise Refused("nothing_stands")
    game.emit(
        ev.Petitioned(
            seat=command.seat, ask=command.ask or "", at=game.now, clause=game.clause("petition")
        )
    )


def next_check(game: Game) -> datetime | None:
    """Return when petitions are next looked at before the day closes, if ever."""
    close = calendar.clock_time(game.sheet.close)
    minutes = close.hour * 60 + close.minute - game.sheet.petition_lead_minutes
    hour = f"{minutes // 60 % 24:02}:{minutes % 60:02}"
    check = game.next_hour(game.clock, hour)
    return check if check < game.due["close"] else None


def schedule_check(game: Game) -> None:
    """Set the next look at the petitions of a day that runs."""
    check = next_check(game)
    if check is not None:
        schedule(game, "petition", check, game.clause("petition"))


mechanic.opened = schedule_check


@mechanic.deadline("petition")
def check(game: Game) -> None:
    """Count today's asks: half of the living is enough; both at once is a delay (M84-12)."""
    living = len(game.living())
    speed_up, delay = counted(game)
    closes = game.due["close"]
    result = ""
    if 2 * delay >= living:
        result = "delay"
        closes += timedelta(days=1)
    elif 2 * speed_up >= living:
        result = "speed_up"
        closes = game.next_hour(game.clock, game.sheet.close)
    clause = game.clause("petition")
    game.emit(
        ev.PetitionChecked(
            result=result,
            speed_up=speed_up,
            delay=delay,
            living=living,
            closes=closes,
            at=game.now,
            clause=clause,
        )
    )
    if closes != game.due["close"]:
        schedule(game, "close", closes, clause)
    schedule_check(game)


@mechanic.event(ev.Petitioned)
def _petitioned(game: Game, event: ev.Petitioned) -> None:
    if game.petitions.date != today(game):
        game.petitions = Petitions(date=today(game), passed=game.petitions.passed)
    if event.ask:
        game.petitions.asks[event.seat] = event.ask
    else:
        game.petitions.asks.pop(event.seat, None)


@mechanic.event(ev.PetitionChecked)
def _checked(game: Game, event: ev.PetitionChecked) -> None:
    if event.result:
        game.accelerated = event.result == "speed_up"
        game.petitions.passed = event.result


@mechanic.event(ev.DayOpened)
def _day_opened(game: Game, event: ev.DayOpened) -> None:
    game.petitions = Petitions()
