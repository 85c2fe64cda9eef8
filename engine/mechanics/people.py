"""People: ruled out, muted, replaced, coached, told (K-50), renamed, lost and had again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev
from engine import night
from engine.commands import (
    Announce,
    Coach,
    Lose,
    Mute,
    Refused,
    Regain,
    Reinstate,
    Rename,
    Replace,
    RuleOut,
    Unmute,
)
from engine.departure import depart
from engine.mechanics.base import Mechanic
from engine.mechanics.cards import COLOURS, call_back, is_secretly_off
from engine.seats import Person, Seat

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("_people", clauses=("coach", "director", "replacement"))

MUTE_MINUTES = (60, 180)

BY_HAND = ("ruled", "red_card", "warnings")
"""Causes by which a seat goes out at a director's word."""

_HARMLESS: tuple[type[ev.Event], ...] = (
    *(ev.Directed, ev.Told, ev.OutAnnounced, ev.Announced, ev.Muted, ev.Bound, ev.DirectorAdded),
    *(ev.RuledOut, ev.Warned, ev.Unwarned, ev.Carded, ev.CardsMerged, ev.CardsSplit, ev.CardTaken),
    *(ev.RedSettled, ev.Replaced, ev.Coached, ev.Posted, ev.PostsAdjusted, ev.Reported),
    *(ev.BallotCast, ev.BallotDropped, ev.Petitioned, ev.Stood, ev.StoodDown, ev.DeposeVoiced),
    *(ev.Acted, ev.Withdrawn, ev.KillNamed, ev.KillVoided, ev.CrownNamed, ev.HeirsNamed),
    *(ev.OrderAsked, ev.ReadySaid, ev.Whispered, ev.LastWordsLeft, ev.Reminded, ev.Extended),
    *(ev.Scheduled, ev.Paused, ev.Resumed, ev.Reinstated, ev.DirectorLeft, ev.Renamed),
    *(ev.PlayerLost, ev.PlayerBack, ev.Watching, ev.WatchingEnded),
    *(ev.RoomChecked, ev.RoomOpened, ev.RoomClosed, ev.Unbound),
)
"""What can have happened since a seat went out without anything having followed from it."""


@mechanic.command(RuleOut)
def rule_out(game: Game, command: RuleOut) -> None:
    """``判出局``. Refused: not running, over, no such seat, out already."""
    game.require_running()
    if not game.require_seat(command.target).alive:
        raise Refused("already_out", seat=command.target)
    clause = game.clause("director")
    game.emit(ev.RuledOut(seat=command.target, reason=command.reason, at=game.now, clause=clause))
    game.ruling = True
    depart(game, command.target, "ruled", clause)
    night.settle(game, ("victory", "succession"))


@mechanic.command(Reinstate)
def reinstate(game: Game, command: Reinstate) -> None:
    """``撤判 N``: mend a slip while nothing has followed from it (K-50).

    Refused: not running, over, no such seat, in, not by a director's word, something has followed:
    that the player has watched what is hidden, too.
    """
    game.require_running()
    seat = game.require_seat(command.target)
    if seat.alive:
        raise Refused("not_out", seat=command.target)
    if seat.cause not in BY_HAND:
        raise Refused("not_by_hand", seat=command.target)
    if command.target not in game.mendable or seat.account in game.watched:
        raise Refused("too_late_to_mend", seat=command.target)
    if is_secretly_off(game, command.target):
        call_back(game, command.target)
        taken = ev.CardTaken(
            seat=command.target, colour="red", at=game.now, clause=game.clause("cards")
        )
        game.emit(taken)
        return
    clause = game.clause("director")
    game.emit(ev.Reinstated(seat=command.target, cause=seat.cause, at=game.now, clause=clause))


@mechanic.command(Mute)
def mute(game: Game, command: Mute) -> None:
    """``禁言``: 1 to 3 hours. Refused: not running, over, no such seat, another span."""
    game.require_running()
    game.require_seat(command.target)
    least, most = MUTE_MINUTES
    if not least <= command.minutes <= most:
        raise Refused("bad_minutes", min=least, max=most)
    game.emit(
        ev.Muted(
            seat=command.target,
            minutes=command.minutes,
            at=game.now,
            clause=game.clause("director"),
        )
    )


@mechanic.command(Unmute)
def unmute(game: Game, command: Unmute) -> None:
    """``解禁``. Refused: not running, over, no such seat."""
    game.require_running()
    game.require_seat(command.target)
    clause = game.clause("director")
    game.emit(ev.Muted(seat=command.target, minutes=0, at=game.now, clause=clause))


@mechanic.command(Announce)
def announce(game: Game, command: Announce) -> None:
    """``公告``. Refused: over."""
    if game.phase == "over":
        raise Refused("over")
    game.emit(ev.Announced(text=command.text, at=game.now))


@mechanic.command(Replace)
def replace(game: Game, command: Replace) -> None:
    """``替补 N @人`` (M84-48).

    Refused: not running, over, out, replaced once; the person sits or has sat, is a coach, or has
    seen what is hidden of another seat.
    """
    game.require_running()
    seat = game.require_seat(command.target)
    if not seat.alive:
        raise Refused("already_out", seat=command.target)
    if seat.replaced:
        raise Refused("replaced_once", seat=command.target)
    account = command.account
    near = is_coach(game, account) or knows_another(game, account, command.target)
    if game.has_sat(account) or near:
        raise Refused("taken_seat")
    game.emit(
        ev.Replaced(
            seat=command.target,
            account=command.account,
            name=command.name,
            games=command.games,
            from_card=command.from_card,
            at=game.now,
            clause=game.clause("replacement"),
        )
    )


@mechanic.command(Coach)
def coach(game: Game, command: Coach) -> None:
    """``场助 N @人`` (M84-49).

    Refused: not running, over, no such seat, has one, the player is no beginner, the coach sits in
    this game, coaches another seat (whether those two are of one side is nobody's to know), or has
    seen what is hidden of another seat.
    """
    game.require_running()
    seat = game.require_seat(command.target)
    if seat.coach is not None:
        raise Refused("coach_taken", seat=command.target)
    if seat.games > game.sheet.coach_games_max:
        raise Refused("coach_experienced", seat=command.target, max=game.sheet.coach_games_max)
    account = command.account
    for other in game.seats.values():
        if other.coach is not None and other.coach.account == account:
            raise Refused("coach_busy", seat=other.number)
    if game.has_sat(account) or knows_another(game, account, command.target):
        raise Refused("coach_seated")
    game.emit(
        ev.Coached(
            seat=command.target,
            account=account,
            name=command.name,
            at=game.now,
            clause=game.clause("coach"),
        )
    )


@mechanic.command(Rename)
def rename(game: Game, command: Rename) -> None:
    """Call somebody as the group now does, unless he has chosen a name. Never refused.

    Who may not speak keeps his name (M84-31), and nobody takes another seat's.
    """
    seat = game.seat_of(command.account)
    if game.phase == "over" or (seat is not None and is_silenced(game, seat.number)):
        return
    known: list[Person | Seat] = [*game.signups, *game.seats.values()]
    if any(who.name == command.name and who.account != command.account for who in known):
        return
    if any(
        who.account == command.account and who.from_card and who.name != command.name
        for who in known
    ):
        game.emit(ev.Renamed(account=command.account, name=command.name, at=game.now))


@mechanic.command(Lose)
def lose(game: Game, command: Lose) -> None:
    """Note, once, that a seat's player can't be had. Never refused.

    Who is announced out may leave the group as he likes.
    """
    seat = game.seat_of(command.account)
    if seat is None or game.phase == "over" or command.how in seat.lost:
        return
    if command.how == "unreachable" or not seat.announced:
        game.emit(ev.PlayerLost(seat=seat.number, how=command.how, at=game.now))


@mechanic.command(Regain)
def regain(game: Game, command: Regain) -> None:
    """Note that a player can be had again. Never refused."""
    seat = game.seat_of(command.account)
    if seat is not None and game.phase != "over" and command.how in seat.lost:
        game.emit(ev.PlayerBack(seat=seat.number, how=command.how, at=game.now))


def marks(game: Game, number: int) -> dict[str, int]:
    """Return the warnings (``warnings``) and the cards, by colour, that stand on a seat."""
    held = game.cards.held.get(number, {})
    return {"warnings": game.seats[number].warnings, **{c: held.get(c, 0) for c in COLOURS}}


def is_silenced(game: Game, number: int) -> bool:
    """Tell whether everybody knows that the seat may not speak freely: out, or charmed (M84-31)."""
    return game.seats[number].announced or number in game.charm.known


def is_coach(game: Game, account: str) -> bool:
    """Tell whether the account is somebody's coach in this game."""
    return any(
        seat.coach is not None and seat.coach.account == account for seat in game.seats.values()
    )


def knows_another(game: Game, account: str, number: int) -> bool:
    """Tell whether the account was ever shown what is hidden of another seat than this one.

    As a director, as a spectator who sees all, as another seat's player or coach: whatever has been
    undone since (K-50, M84-48 to M84-50).
    """
    if account in game.directed or account in game.watched:
        return True
    return bool(game.near.get(account, set()) - {number})


@mechanic.event(ev.Dealt)
def _dealt(game: Game, event: ev.Dealt) -> None:
    for number, person in zip(event.roles, game.signups, strict=True):
        game.near[person.account] = {number}


@mechanic.event(ev.Replaced)
def _replaced(game: Game, event: ev.Replaced) -> None:
    seat = game.seats[event.seat]
    game.near.setdefault(event.account, set()).add(event.seat)
    seat.former.append(seat.account)
    seat.left = marks(game, event.seat)
    seat.account = event.account
    seat.name = event.name
    seat.games = event.games
    seat.from_card = event.from_card
    seat.replaced = True
    seat.coach = None
    seat.lost = set()
    game.spectators.pop(event.account, None)


@mechanic.event(ev.Coached)
def _coached(game: Game, event: ev.Coached) -> None:
    game.near.setdefault(event.account, set()).add(event.seat)
    game.seats[event.seat].coach = Person(event.account, event.name)


@mechanic.event(ev.Renamed)
def _renamed(game: Game, event: ev.Renamed) -> None:
    known: list[Person | Seat] = [*game.signups, *game.seats.values()]
    for who in known:
        if who.account == event.account:
            who.name = event.name


@mechanic.event(ev.PlayerLost)
def _player_lost(game: Game, event: ev.PlayerLost) -> None:
    game.seats[event.seat].lost.add(event.how)


@mechanic.event(ev.PlayerBack)
def _player_back(game: Game, event: ev.PlayerBack) -> None:
    game.seats[event.seat].lost.discard(event.how)


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    if event.cause in BY_HAND:
        game.mendable.append(event.seat)
    else:
        game.mendable = []


def _followed(game: Game, event: ev.Event) -> None:
    game.mendable = []


for _kind in set(ev.EVENTS) - {ev.Departed, *_HARMLESS}:
    mechanic.event(_kind)(_followed)


@mechanic.event(ev.Reinstated)
def _reinstated(game: Game, event: ev.Reinstated) -> None:
    seat = game.seats[event.seat]
    game.spectators.pop(seat.account, None)
    seat.alive, seat.announced, seat.announce, seat.words = True, False, False, False
    seat.cause = seat.shown_role = seat.shown_cause = ""
    seat.told = [notice for notice in seat.told if notice[0] not in ("out", "last_words_right")]
    game.out.remove(event.seat)
    game.mendable.remove(event.seat)
