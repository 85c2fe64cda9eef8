"""Cards of three colours and what they grow into (M84-34, M84-42 to M84-44, M84-52)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine import night, victory
from engine.commands import Card, Refused, RuleLost, TakeCard
from engine.departure import depart
from engine.mechanics.base import Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "cards",
    spans=("cards_merge",),
    clauses=("attendance", "cards", "merge", "red_card", "ruled_lost"),
    parameters=("posts_streak", "posts_streak_days", "cards_merge", "red_cards_lose"),
)

COLOURS = ("blue", "yellow", "red")


@dataclass(slots=True)
class Cards:
    """``held``: seat → colour → number. ``waiting``: seats whose red card waits, as they got it.

    ``merged``: (seat, colour) → how many of these came of three of the colour below.
    """

    held: dict[int, dict[str, int]] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)
    streaks: dict[int, int] = field(default_factory=dict)
    merged: dict[tuple[int, str], int] = field(default_factory=dict)


def give(game: Game, number: int, colour: str, why: str, clause: str, reason: str = "") -> None:
    """Give a seat a card; three of a colour become one of the next (M84-42)."""
    game.emit(
        ev.Carded(seat=number, colour=colour, why=why, reason=reason, at=game.now, clause=clause)
    )
    for lower, higher in (("blue", "yellow"), ("yellow", "red")):
        while game.cards.held[number].get(lower, 0) >= game.sheet.cards_merge:
            game.emit(
                ev.CardsMerged(
                    seat=number,
                    colour=lower,
                    into=higher,
                    at=game.now,
                    clause=game.clause("merge"),
                )
            )


@mechanic.command(Card)
def card(game: Game, command: Card) -> None:
    """``蓝牌``, ``黄牌``, ``红牌``; out seats can be carded (M84-42).

    Refused: not running, over, no such seat.
    """
    game.require_running()
    game.require_seat(command.target)
    give(
        game,
        command.target,
        command.colour,
        "director",
        game.clause("cards"),
        command.reason,
    )
    # By day, and until the night's own step, a red card waits; a dead seat's for the next step.
    waits = game.phase == "day" or (game.phase == "night" and not game.abilities.settled)
    if not waits and command.target in game.cards.waiting and game.is_living(command.target):
        _send_off(game, [command.target], announce=False)
        night.settle(game, ("victory", "succession"))


@mechanic.command(TakeCard)
def take_back(game: Game, command: TakeCard) -> None:
    """``撤牌 N 颜色``: also one of three that have become another card since.

    Before it is announced who is out, a red card that put its seat out is taken back like one that
    waits because the seat was out before: nobody learns by it which it was.

    Refused: not running, over, no such seat, no such card, it is settled.
    """
    game.require_running()
    game.require_seat(command.target)
    split = _splits(game, command.target, command.colour)
    if "red" in (command.colour, *split) and command.target not in game.cards.waiting:
        if command.target not in game.mendable or not is_secretly_off(game, command.target):
            raise Refused("card_settled", seat=command.target)
        call_back(game, command.target)
    for colour in split:
        game.emit(
            ev.CardsSplit(
                seat=command.target,
                colour=colour,
                into=COLOURS[COLOURS.index(colour) - 1],
                at=game.now,
                clause=game.clause("merge"),
            )
        )
    game.emit(
        ev.CardTaken(
            seat=command.target,
            colour=command.colour,
            at=game.now,
            clause=game.clause("cards"),
        )
    )


@mechanic.command(RuleLost)
def rule_lost(game: Game, command: RuleLost) -> None:
    """``判负`` (M84-34). Refused: not running, over, no such faction, lost, no settled red card."""
    game.require_running()
    if command.faction not in game.sheet.factions or command.faction in game.lost:
        raise Refused("bad_faction")
    reds = sum(seat.reds for seat in game.seats.values() if seat.faction == command.faction)
    if not reds:
        raise Refused("no_red_card")
    clause = game.clause("ruled_lost")
    game.emit(
        ev.RuledLost(faction=command.faction, reason=command.reason, at=game.now, clause=clause)
    )
    game.ruling = True
    victory.lose(game, command.faction, clause)
    night.settle(game, ("victory", "succession"))


def _splits(game: Game, number: int, colour: str) -> list[str]:
    """Return which merged cards must be split so that the seat has one of ``colour``."""
    held = game.cards.held.get(number, {})
    split: list[str] = []
    while not held.get(colour):
        higher = COLOURS[COLOURS.index(colour) + 1 :][:1]
        if not higher or not game.cards.merged.get((number, higher[0])):
            raise Refused("no_card", seat=number)
        colour = higher[0]
        split.insert(0, colour)
    return split


def is_secretly_off(game: Game, number: int) -> bool:
    """Tell whether a red card has put the seat out, and nobody has heard of it yet."""
    seat = game.seats[number]
    return seat.cause == "red_card" and not seat.announced


def call_back(game: Game, number: int) -> None:
    """Let a seat that is secretly off be in again, with its red card waiting."""
    clause = game.clause("director")
    back = ev.Reinstated(seat=number, cause="red_card", quiet=True, at=game.now, clause=clause)
    game.emit(back)


@mechanic.step("red_cards", "close_steps", "night_steps")
def settle(game: Game) -> None:
    """Red cards that wait put their seats out, in the order in which they were given (M84-44)."""
    _send_off(game, list(game.cards.waiting), announce=game.closing)


def _send_off(game: Game, seats: list[int], *, announce: bool) -> None:
    clause = game.clause("red_card")
    for number in seats:
        depart(game, number, "red_card", clause, announce=announce)
    for number in seats:
        game.emit(ev.RedSettled(seat=number, at=game.now, clause=clause))


@mechanic.step("attendance_cards", "close_steps", when={"mechanics": "attendance"})
def attendance(game: Game) -> None:
    """Yellow cards at the close of a day that is not accelerated (M84-43); never by hand."""
    if game.accelerated or game.by_hand:
        return
    sheet, posts = game.sheet, game.attendance.posts
    clause = game.clause("attendance")
    streaks = dict(game.cards.streaks)
    for number in game.lived:
        count = posts.get(number, 0)
        if count < sheet.posts_min:
            give(game, number, "yellow", "posts", clause)
        if sheet.posts_streak:
            streaks[number] = streaks.get(number, 0) + 1 if count < sheet.posts_streak else 0
            if streaks[number] == sheet.posts_streak_days:
                streaks[number] = 0
                give(game, number, "yellow", "streak", clause)
        if number not in game.ballot.cast and number not in game.ballot.excused:
            give(game, number, "yellow", "no_ballot", clause)
    game.emit(ev.StreaksCounted(streaks=streaks, at=game.now, clause=clause))


@mechanic.event(ev.Carded)
def _carded(game: Game, event: ev.Carded) -> None:
    _add(game, event.seat, event.colour)


@mechanic.event(ev.CardsMerged)
def _merged(game: Game, event: ev.CardsMerged) -> None:
    game.cards.held[event.seat][event.colour] -= game.sheet.cards_merge
    _add(game, event.seat, event.into)
    key = (event.seat, event.into)
    game.cards.merged[key] = game.cards.merged.get(key, 0) + 1


@mechanic.event(ev.CardsSplit)
def _split(game: Game, event: ev.CardsSplit) -> None:
    _remove(game, event.seat, event.colour)
    game.cards.merged[event.seat, event.colour] -= 1
    game.cards.held[event.seat][event.into] = (
        game.cards.held[event.seat].get(event.into, 0) + game.sheet.cards_merge
    )


def _add(game: Game, number: int, colour: str) -> None:
    held = game.cards.held.setdefault(number, {})
    held[colour] = held.get(colour, 0) + 1
    if colour == "red":
        game.cards.waiting.append(number)


@mechanic.event(ev.CardTaken)
def _taken(game: Game, event: ev.CardTaken) -> None:
    _remove(game, event.seat, event.colour)


def _remove(game: Game, number: int, colour: str) -> None:
    game.cards.held[number][colour] -= 1
    if colour == "red":
        game.cards.waiting.remove(number)


@mechanic.event(ev.RedSettled)
def _red_settled(game: Game, event: ev.RedSettled) -> None:
    game.cards.waiting.remove(event.seat)
    game.seats[event.seat].reds += 1


@mechanic.event(ev.StreaksCounted)
def _streaks_counted(game: Game, event: ev.StreaksCounted) -> None:
    game.cards.streaks = dict(event.streaks)


@mechanic.event(ev.Reinstated)
def _reinstated(game: Game, event: ev.Reinstated) -> None:
    if event.cause != "red_card":
        return
    game.seats[event.seat].reds -= 1
    if event.quiet:
        game.cards.waiting.append(event.seat)
    else:
        game.cards.held[event.seat]["red"] -= 1
