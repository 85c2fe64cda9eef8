"""Day and night: how they begin and end, by the clock or by a director's hand."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from engine import departure, night, victory
from engine import events as ev
from engine.calendar import at_hour, clock_time, local_date
from engine.commands import CloseDay, EndGame, Extend, OpenDay, Refused, SettleNight
from engine.mechanics import ballot, petition
from engine.mechanics.abilities import settle_actions
from engine.mechanics.base import Mechanic
from engine.mechanics.clock import schedule, unschedule

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "_phases",
    clauses=(
        *("announced", "close", "first_night", "hand", "lost", "night", "open", "settlement"),
        *("told", "victory"),
    ),
)

_INSTANT = timedelta(microseconds=1)

# What ends the present phase, or its present stage: the first of these that is due.
_STAGE_ENDS = ("link", "close", "night", "witch", "open")
_ELECTION_ENDS = ("candidacy", "election")


def fall_night(game: Game, clause: str) -> None:
    """Begin the night that follows the present day; it ends at the next ``open`` (K-03, K-09).

    With ``night_minutes`` it has stages: orders for so long, then the witch's answer (M84-20).
    """
    sheet = game.sheet
    settled = game.clock + timedelta(minutes=sheet.night_minutes + sheet.witch_minutes)
    opens = settled
    if sheet.clock == "calendar":
        opens = game.next_hour(settled - bool(sheet.night_minutes) * _INSTANT, sheet.open)
    game.emit(ev.NightFell(day=game.day, opens=opens, at=game.now, clause=clause))
    if sheet.night_minutes:
        hour = game.clock + timedelta(minutes=sheet.night_minutes)
        schedule(game, "night", hour, game.clause("night"))
        witch = hour + timedelta(minutes=sheet.witch_minutes)
        schedule(game, "witch", witch, game.clause("night"))
    schedule(game, "open", opens, clause)


@mechanic.deadline("night")
def end_hour(game: Game) -> None:
    """The first hour of the night ends: what was named stands, reports are made (M84-20)."""
    game.emit(ev.HourEnded(at=game.now, clause=game.clause("night")))
    if game.sheet.pace == "ready" and game.sheet.witch_minutes:
        game.emit(ev.NightGoesOn(at=game.now, clause=game.clause("pace")))
    for hour in game.rules.hours:
        hour(game)


@mechanic.deadline("witch")
def settle_night(game: Game) -> None:
    """Carry out the night's orders in the sheet's order (K-08, M84-28)."""
    game.emit(
        ev.NightSettled(
            night=game.day,
            actions=settle_actions(game),
            at=game.now,
            clause=game.clause("settlement"),
        )
    )
    night.settle(game, game.sheet.night_steps)
    if game.phase != "over":
        for end in game.rules.ends:
            end(game)


def end_day(game: Game, clause: str) -> None:
    """Let the day be over; the night is still to fall."""
    for kind in ("petition", "candidacy", "election", "close"):
        unschedule(game, kind)
    game.emit(ev.DayClosed(day=game.day, at=game.now, clause=clause))


@mechanic.deadline("open")
def open_day(game: Game) -> None:
    """Settle the night, if it isn't yet, publish, and open the day (K-08, M84-11, M84-30)."""
    unschedule(game, "attendance")
    if game.phase == "night" and not game.abilities.settled:
        settle_night(game)
    if game.phase == "over":
        return
    clause = game.clause("open")
    decides = "ballot"
    for decide in game.rules.decides:
        decides = decide(game) or decides
    accelerated = len(game.living()) <= game.sheet.accelerate_at_alive
    closes, longer = closing(game, accelerated)
    night.settle(game, game.sheet.open_steps)
    game.emit(
        ev.DayOpened(
            day=game.day + 1,
            decides=decides,
            closes=closes,
            out=in_order(game, game.out[game.out_at_opening :]),
            accelerated=accelerated,
            longer=longer,
            at=game.now,
            clause=clause,
        )
    )
    schedule(game, "close", closes, clause)
    if "attendance" in game.sheet.mechanics and game.sheet.posts_until == "scheduled_close":
        schedule(game, "attendance", closes, clause)
    for opened in game.rules.opened:
        opened(game)


@mechanic.step("announce_out", "open_steps", when={"night_minutes": True})
def announce_out(game: Game) -> None:
    """Publish who is out and was not announced yet, in the sheet's order (M84-30)."""
    for number in in_order(game, game.out):
        if not game.seats[number].announced:
            departure.announce_out(game, number)


def in_order(game: Game, out: list[int]) -> list[int]:
    """Return seats that went, in the order of announcing them: by seat it tells no cause."""
    return list(out) if game.sheet.announce_order == "going" else sorted(out)


@mechanic.deadline("close")
def close_day(game: Game) -> None:
    """Close the day by the clock or by hand: the sheet's steps, then night (K-09, K-10, K-23)."""
    if ballot.open_runoff(game):
        return
    clause = game.clause("close")
    game.closing = True
    game.lived = game.living()
    end_day(game, clause)
    night.settle(game, game.sheet.close_steps)
    if game.phase == "over":
        return
    fall_night(game, clause)


def closing(game: Game, accelerated: bool) -> tuple[datetime, str]:
    """Return when a day that opens now closes, and why it is a day longer (empty: it isn't).

    K-27: at the first ``close`` that leaves it ``day_min_minutes``, or the sheet's own length of a
    day if that is less. M84-11, M84-13: on the last of its dates, one later if any of them is a
    Saturday, a Sunday or a holiday.
    """
    sheet = game.sheet
    if sheet.clock == "span":
        return game.clock + timedelta(minutes=sheet.day_minutes), ""
    opens, closes = (clock_time(hour) for hour in (sheet.open, sheet.close))
    usual = (closes.hour - opens.hour) * 60 + closes.minute - opens.minute
    least = game.clock + timedelta(minutes=min(sheet.day_min_minutes, usual % (24 * 60)))
    if not sheet.day_length:
        return game.next_hour(least - _INSTANT, sheet.close), ""
    first = local_date(game.clock, sheet.zone, game.shift)
    length = max(1, sheet.day_length - accelerated)
    dates = [first + timedelta(days=number) for number in range(length)]
    longer = ""
    if any(day.isoformat() in sheet.holidays for day in dates):
        longer = "holiday"
    elif any(day.weekday() >= 5 for day in dates):
        longer = "weekend"
    last = dates[-1] + timedelta(days=1 if longer else 0)
    found = at_hour(last, sheet.close, sheet.zone, game.shift)
    if found < least:
        found = game.next_hour(least - _INSTANT, sheet.close)
    return found, longer


def too_late(game: Game) -> bool:
    """Tell whether less than ``regency_minutes`` are left of the day (K-11, K-18)."""
    regency = timedelta(minutes=game.sheet.regency_minutes)
    return "close" in game.due and game.due["close"] - game.clock < regency


def _stage(game: Game) -> str:
    """Return the kind of the deadline that ends the present stage (K-27).

    A sheriff's election among those who stand is a stage of its day (C-17, C-19).
    """
    if game.decides in ("candidacy", "sheriff"):
        for kind in _ELECTION_ENDS:
            if kind in game.due:
                return kind
    return next(kind for kind in _STAGE_ENDS if kind in game.due)


def _require_hand(game: Game) -> None:
    game.require_running()
    if game.paused_at is not None:
        raise Refused("paused")


@mechanic.command(Extend)
def extend(game: Game, command: Extend) -> None:
    """``延长``: move the deadline that ends the present stage, and what is reckoned from it (K-27).

    Refused: not running, over, paused, no minutes.
    """
    _require_hand(game)
    if command.minutes < 1:
        raise Refused("bad_minutes", min=1)
    kind = _stage(game)
    span = timedelta(minutes=command.minutes)
    reckoned = {
        "close": ["attendance"],
        "night": ["witch"],
        "candidacy": ["close"],
        "election": ["close"],
    }
    moved = {k: game.due[k] + span for k in (kind, *reckoned.get(kind, [])) if k in game.due}
    opens, heir = game.due.get("open"), game.due.get("heir")
    if opens is not None:
        if game.sheet.clock == "span":
            moved["open"] = opens + span
        elif "witch" in moved:  # the settlement comes before the opening (M84-11)
            earliest = game.next_hour(moved["witch"] - _INSTANT, game.sheet.open)
            moved["open"] = max(opens, earliest)
        if heir is not None and heir >= opens and "open" in moved:
            # A sheriff who goes by night has until the opening, or a span from it (M84-41, C-21).
            moved["heir"] = heir + (moved["open"] - opens)
    clause = game.clause("hand")
    game.emit(
        ev.Extended(kind=kind, minutes=command.minutes, due=moved[kind], at=game.now, clause=clause)
    )
    for other, due in moved.items():
        if game.due[other] != due:
            schedule(game, other, due, clause)
    if kind == "close" and "petition" in game.sheet.mechanics and "petition" not in game.due:
        petition.schedule_check(game)  # on each date of the day (M84-12)


@mechanic.command(CloseDay)
def close_now(game: Game, command: CloseDay) -> None:
    """``截票``: close the day now, or the sheriff's election that is a stage of it.

    Refused: not running, over, paused, set-up, it is night (K-27, C-30).
    """
    _require_hand(game)
    if game.phase == "setup":
        raise Refused("close_in_setup")
    if game.phase == "night":
        raise Refused("close_by_night")
    kind = _stage(game)
    what = kind if kind == "candidacy" else "close"
    game.emit(ev.Forced(what=what, at=game.now, clause=game.clause("hand")))
    if kind in _ELECTION_ENDS:
        _run(game, kind)
        return
    game.by_hand = True
    unschedule(game, "attendance")
    close_day(game)


@mechanic.command(OpenDay)
def open_now(game: Game, command: OpenDay) -> None:
    """``开楼``: end the night now, or the set-up where the first day follows it.

    A choice, a depose vote, and what lasts until the opening end with the night; a hunter or a
    sheriff who has a span of his own keeps it (K-27, M84-41, C-14, C-21).

    Refused: not running, over, paused, it is day, set-up with a night to come.
    """
    _require_hand(game)
    if game.phase == "setup":
        if game.sheet.first_phase == "night":
            raise Refused("open_in_setup")
        _end_setup(game)
        return
    if game.phase == "day":
        raise Refused("open_by_day")
    game.emit(ev.Forced(what="open", at=game.now, clause=game.clause("hand")))
    game.by_hand = True
    _run_out(game)
    if game.phase == "over":
        return
    opens = game.due["open"]
    heir = game.due.get("heir")
    if heir == opens:
        _run(game, "heir")
    elif heir is not None and heir > opens:
        schedule(game, "heir", game.clock + (heir - opens), game.clause("hand"))
    unschedule(game, "open")
    open_day(game)


@mechanic.command(SettleNight)
def settle_now(game: Game, command: SettleNight) -> None:
    """``结算``: settle the night now, or end the set-up; where the opening settles, that is 开楼.

    Refused: not running, over, paused, it is day, it is settled.
    """
    _require_hand(game)
    if game.phase == "setup":
        _end_setup(game)
        return
    if game.phase == "day":
        raise Refused("settle_by_day")
    if not game.sheet.night_minutes:
        open_now(game, OpenDay(at=command.at))
        return
    if game.abilities.settled:
        raise Refused("settled")
    game.emit(ev.Forced(what="settle", at=game.now, clause=game.clause("hand")))
    game.by_hand = True
    _run_out(game)


def _end_setup(game: Game) -> None:
    """Let set-up be over: who is not linked by now is drawn (M84-02)."""
    game.emit(ev.Forced(what="link", at=game.now, clause=game.clause("hand")))
    _run(game, "link")


def _run(game: Game, kind: str) -> None:
    unschedule(game, kind)
    game.rules.deadlines[kind](game)


def _run_out(game: Game) -> None:
    """Let what belongs to the night alone fall due now, soonest first."""
    while game.phase != "over":
        kinds = [k for _, k in game.deadlines() if k in ("choice", "depose", "night", "witch")]
        if not kinds:
            return
        _run(game, kinds[0])


@mechanic.step("victory", "close_steps", "night_steps")
def victory_step(game: Game) -> None:
    """See who is lost and who has won (K-25)."""
    victory.check(game)


@mechanic.step("succession", "close_steps", "night_steps", when={"mechanics": "crown"})
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
    game.accelerated = event.accelerated
    game.longer = event.longer
    game.out_at_opening = len(game.out)


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
    seat.announce = event.announce
    seat.words = event.words
    game.out.append(event.seat)


@mechanic.event(ev.OutAnnounced)
def _out_announced(game: Game, event: ev.OutAnnounced) -> None:
    seat = game.seats[event.seat]
    seat.announced = True
    seat.shown_role = event.role
    seat.shown_cause = event.cause


@mechanic.event(ev.FactionLost)
def _faction_lost(game: Game, event: ev.FactionLost) -> None:
    inhabited = any(seat.faction == event.faction for seat in game.seats.values())
    otherwise: Literal["ruled", "deserted"] = "ruled" if inhabited else "deserted"
    game.whys[event.faction] = (victory.way_lost(game, event.faction) or otherwise, event.clause)
    game.lost.append(event.faction)


@mechanic.event(ev.GameOver)
def _game_over(game: Game, event: ev.GameOver) -> None:
    game.phase = "over"
    game.winner = event.winner or None
    game.paused_at = None
    game.due = {}
    game.reminders = []
