"""The kingmaker, the throne order, and who is crowned (K-05 to K-08, K-16)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import NameCrown, Refused
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.warnings import warn

if TYPE_CHECKING:
    from engine.game import Game

KINGMAKER = "kingmaker"
CIVILIAN = "civilian"
TOWN = "town"

mechanic = Mechanic(
    "crown",
    needs=("king",),
    roles=(KINGMAKER, CIVILIAN),
    factions=(TOWN,),
    parameters=("succession", "kingmaker_by_card", "repeat_lifted_at"),
)


@dataclass(slots=True)
class Crown:
    """``throne``: all seats in the secret order. ``numbers``: civilians by their secret number.

    ``kingmaker``, since ``made_at``; ``first`` and ``substitute``: what he named tonight, if
    ``named``. ``king``: who reigns; ``last_king``: who was crowned last;
    ``repeat``: he may be crowned again (K-31). ``cards``: seat → card (K-45).
    """

    throne: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    kingmaker: int | None = None
    made_at: datetime | None = None
    named: bool = False
    first: int | None = None
    substitute: int | None = None
    king: int | None = None
    last_king: int | None = None
    repeat: bool = False
    cards: dict[int, int] = field(default_factory=dict)


# --- the kingmaker -------------------------------------------------------------------------------


@mechanic.command(NameCrown)
def name_crown(game: Game, command: NameCrown) -> None:
    """Name a king and a substitute (K-05, K-06).

    Refused: out, paused, not the kingmaker, day, a seat that is out, himself, the last king, the
    same twice, a substitute missing or too many.
    """
    game.require_actor(command.seat)
    if game.crown.kingmaker != command.seat:
        raise Refused("no_ability")
    if game.phase != "night":
        raise Refused("wrong_phase", need="night")
    named = [command.first] if command.substitute is None else [command.first, command.substitute]
    possible = eligible(game)
    for number in named:
        game.require_target(number)
        if number == command.seat:
            raise Refused("self_forbidden")
        if number not in possible:
            raise Refused("last_king", seat=number)
    if len(possible) == 1 and command.substitute is not None:
        raise Refused("one_eligible", seat=possible[0])
    if len(possible) > 1 and command.substitute is None:
        raise Refused("need_substitute", seat=command.first)
    if command.first == command.substitute:
        raise Refused("same_seat", seat=command.first)
    game.emit(
        ev.CrownNamed(
            seat=command.seat,
            first=command.first,
            substitute=command.substitute,
            at=game.now,
            clause="K-05",
        )
    )


def eligible(game: Game) -> list[int]:
    """Return who may be named king: none but the kingmaker and the last king are barred (K-06)."""
    crown = game.crown
    others = [number for number in game.living() if number != crown.kingmaker]
    allowed = [number for number in others if crown.repeat or number != crown.last_king]
    return allowed or others


def owes_crown(game: Game, by: datetime) -> bool:
    """Tell whether a crown that is due at ``by`` is owed and not named (K-06, K-07)."""
    crown = game.crown
    if game.regime.key != "monarchy" or crown.kingmaker is None or crown.named:
        return False
    if not game.is_living(crown.kingmaker) or not eligible(game):
        return False
    regency = timedelta(minutes=game.sheet.regency_minutes)
    return crown.made_at is None or by - crown.made_at >= regency


def make_kingmaker(game: Game, number: int, clause: str) -> None:
    """Make a seat the kingmaker and tell it alone (K-16, K-30, K-45)."""
    game.emit(ev.KingmakerMade(seat=number, at=game.now, clause=clause))
    game.emit(ev.Told(seat=number, notice=["kingmaker"], at=game.now, clause=clause))


def draw_cards(game: Game, fixed: dict[int, int] | None) -> None:
    """Let each of the town draw a card; the highest is kingmaker (K-45).

    Raises ValueError for fixed cards that can't be: two alike, or for a seat not of the town.
    """
    town = [number for number, seat in game.seats.items() if seat.faction == TOWN]
    cards = dict(fixed or {})
    if len(set(cards.values())) != len(cards) or not set(cards) <= set(town):
        raise ValueError("the fixed draw cards is not possible")
    for number in town:
        if number not in cards:
            cards[number] = game.draw("card", "K-45", barred=cards.values())
    game.emit(ev.CardsDrawn(cards=cards, at=game.now, clause="K-45"))
    for number, card in sorted(cards.items()):
        game.emit(ev.Told(seat=number, notice=["card", card], at=game.now, clause="K-45"))
    first = highest(game)
    if first is not None:
        make_kingmaker(game, first, "K-45")


def successor(game: Game) -> int | None:
    """Return who is kingmaker when the present one is gone, where no king has a choice in it.

    A living civilian at random (K-30), or the living seat with the highest card (K-45).
    """
    if game.sheet.kingmaker_by_card:
        return highest(game)
    if game.sheet.succession == "random":
        return game.draw("kingmaker", "K-30") if _civilians(game) else None
    return None


def _civilians(game: Game) -> list[int]:
    return [number for number in game.living() if game.seats[number].role == CIVILIAN]


def _cards_left(game: Game) -> list[int]:
    drawn = game.drawn("card")
    return [card for card in range(1, len(game.seats) + 1) if card not in drawn]


mechanic.draws = {"kingmaker": _civilians, "card": _cards_left}


def highest(game: Game) -> int | None:
    """Return the living seat with the highest card (K-45)."""
    cards = {number: card for number, card in game.crown.cards.items() if game.is_living(number)}
    return max(cards, key=lambda number: cards[number], default=None)


def heir(game: Game) -> int | None:
    """Return the living civilian with the lowest number (K-16)."""
    return next((number for number in game.crown.numbers if game.is_living(number)), None)


@mechanic.step(
    "crown_duty",
    "night_steps",
    when={"no_crown_warnings": True, "mechanics": "warnings"},
)
def crown_duty(game: Game) -> None:
    """Warn a kingmaker who owed a crown and named none (K-07); never when opened by hand (K-27)."""
    kingmaker = game.crown.kingmaker
    if kingmaker is not None and not game.by_hand and owes_crown(game, game.now):
        warn(game, kingmaker, game.sheet.no_crown_warnings, "no_crown", "K-07")


@mechanic.step("crown", "night_steps")
def crown_king(game: Game) -> None:
    """Crown the first choice, the substitute, or the throne order's first (K-08)."""
    if game.regime.key != "monarchy":
        return
    crown = game.crown
    if crown.named and game.is_living(crown.first):
        enthrone(game, crown.first, "first", "K-08")
    elif crown.named and game.is_living(crown.substitute):
        enthrone(game, crown.substitute, "substitute", "K-08")
    else:
        enthrone(game, next_on_throne(game), "throne", "K-08")


def next_on_throne(game: Game) -> int | None:
    """Return whom the throne order crowns; bans fall when nobody else is left (K-08)."""
    crown = game.crown
    last = None if crown.repeat else crown.last_king
    for barred in ({crown.kingmaker, last}, {crown.kingmaker}, set[int | None]()):
        for number in crown.throne:
            if game.is_living(number) and number not in barred:
                return number
    return None


def enthrone(game: Game, number: int | None, how: str, clause: str) -> None:
    """Crown a seat, if there is one; ``how`` it was found stays hidden (K-08)."""
    if number is not None:
        game.emit(ev.CrownSettled(seat=number, how=how, at=game.now, clause=clause))
        game.emit(ev.Crowned(seat=number, at=game.now, clause=clause))


# --- what follows --------------------------------------------------------------------------------


def _follow(game: Game, gone: list[int]) -> None:
    kingmaker = game.crown.kingmaker
    if kingmaker is not None and kingmaker in gone:
        game.emit(ev.KingmakerGone(seat=kingmaker, at=game.now, clause="K-14"))
        following = successor(game)
        if following is not None:
            clause = "K-45" if game.sheet.kingmaker_by_card else "K-30"
            game.emit(ev.KingmakerFollowed(at=game.now, clause=clause))
            make_kingmaker(game, following, clause)


mechanic.follows = _follow


def _owed(game: Game) -> Iterable[Owed]:
    crown = game.crown
    if game.phase == "night" and "open" in game.due and owes_crown(game, game.due["open"]):
        assert crown.kingmaker is not None
        yield owing(game, crown.kingmaker, "crown", "open")


mechanic.owed = _owed


# --- how events change the game ------------------------------------------------------------------


@mechanic.event(ev.Dealt)
def _dealt(game: Game, event: ev.Dealt) -> None:
    crown = game.crown
    crown.throne = list(event.throne)
    crown.numbers = list(event.numbers)
    crown.kingmaker = next((n for n, role in event.roles.items() if role == KINGMAKER), None)
    crown.made_at = event.at


@mechanic.event(ev.CardsDrawn)
def _cards_drawn(game: Game, event: ev.CardsDrawn) -> None:
    game.crown.cards = dict(event.cards)


@mechanic.event(ev.PresidentElected)
def _president_elected(game: Game, event: ev.PresidentElected) -> None:
    game.crown.king = event.seat


@mechanic.event(ev.CrownNamed)
def _crown_named(game: Game, event: ev.CrownNamed) -> None:
    game.crown.named = True
    game.crown.first = event.first
    game.crown.substitute = event.substitute


@mechanic.event(ev.Crowned)
def _crowned(game: Game, event: ev.Crowned) -> None:
    game.crown.king = event.seat
    game.crown.last_king = event.seat


@mechanic.event(ev.ReignEnded)
def _reign_ended(game: Game, event: ev.ReignEnded) -> None:
    game.crown.king = None


@mechanic.event(ev.NightFell)
def _night_fell(game: Game, event: ev.NightFell) -> None:
    game.crown.named = False
    game.crown.first = None
    game.crown.substitute = None
    game.crown.repeat = len(game.living()) <= game.sheet.repeat_lifted_at


@mechanic.event(ev.KingmakerGone)
def _kingmaker_gone(game: Game, event: ev.KingmakerGone) -> None:
    game.crown.kingmaker = None


@mechanic.event(ev.KingmakerMade)
def _kingmaker_made(game: Game, event: ev.KingmakerMade) -> None:
    game.crown.kingmaker = event.seat
    game.crown.made_at = game.clock


@mechanic.event(ev.RegimeChanged)
def _regime_changed(game: Game, event: ev.RegimeChanged) -> None:
    game.crown.king = event.king


@mechanic.event(ev.Resumed)
def _resumed(game: Game, event: ev.Resumed) -> None:
    if game.crown.made_at is not None:
        game.crown.made_at += timedelta(seconds=event.seconds)
