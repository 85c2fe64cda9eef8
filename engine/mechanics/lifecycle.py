"""From the opening of a game to the deal: sign-up, directors, channels' groups, roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import events as ev
from engine.chance import shuffled
from engine.commands import (
    AddDirector,
    CreateGame,
    Deal,
    Enrol,
    Refused,
    Resign,
    SignOff,
    SignUp,
)
from engine.mechanics import crown, hero, people, phases
from engine.mechanics.base import Mechanic
from engine.mechanics.clock import schedule
from engine.ruleset import Sheet
from engine.seats import Person, Seat

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("_lifecycle", clauses=("deal", "partners"))


@mechanic.command(CreateGame)
def create(game: Game, command: CreateGame) -> None:
    """Open the game. Raises ValueError for a second time, SheetError for a wrong sheet."""
    if game.id:
        raise ValueError("the game is open already")
    Sheet.load(command.sheet)
    game.emit(
        ev.Created(
            game=command.game,
            group=command.group,
            sheet=command.sheet,
            account=command.account,
            name=command.name,
            at=game.now,
        )
    )


@mechanic.command(SignUp)
def sign_up(game: Game, command: SignUp) -> None:
    """Take a person on the list. Refused: dealt, over, on it already, full."""
    _require_sign_up(game)
    if any(person.account == command.account for person in game.signups):
        raise Refused("signed_up_twice")
    if room(game) == 0:
        raise Refused("full", max=game.sheet.players or game.sheet.players_max)
    game.emit(
        ev.SignedUp(
            account=command.account,
            name=command.name,
            games=command.games,
            from_card=command.from_card,
            at=game.now,
        )
    )


@mechanic.command(Enrol)
def enrol(game: Game, command: Enrol) -> None:
    """Take those who waited on the list, as many as fit. Refused: dealt, over.

    Whoever is on the list already, or directs the game, is passed over.
    """
    _require_sign_up(game)
    known = {person.account for person in game.signups} | game.directors.keys()
    waiting = [person for person in command.people if person.account not in known]
    for person in waiting[: room(game)]:
        game.emit(
            ev.SignedUp(
                account=person.account,
                name=person.name,
                games=person.games,
                queued=True,
                at=game.now,
            )
        )


@mechanic.command(SignOff)
def sign_off(game: Game, command: SignOff) -> None:
    """Take a person off the list. Refused: dealt, over, not on it."""
    _require_sign_up(game)
    names = {person.account: person.name for person in game.signups}
    if command.account not in names:
        raise Refused("not_signed_up")
    name = names[command.account]
    game.emit(ev.SignedOff(account=command.account, name=name, at=game.now))


@mechanic.command(AddDirector)
def add_director(game: Game, command: AddDirector) -> None:
    """Add a director; who is one already stays one.

    Refused: over, or seated in this game, now or before (M84-50), or somebody's coach.
    """
    if game.phase == "over":
        raise Refused("over")
    account = command.account
    signed_up = any(person.account == account for person in game.signups)
    if game.has_sat(account) or signed_up or people.is_coach(game, account):
        raise Refused("director_seated")
    if account not in game.directors:
        game.emit(ev.DirectorAdded(account=account, name=command.name, at=game.now))


@mechanic.command(Resign)
def resign(game: Game, command: Resign) -> None:
    """``卸任``. Refused: over, the last director. Does nothing for who is none."""
    if game.phase == "over":
        raise Refused("over")
    if command.account not in game.directors:
        return
    if not game.other_directors(command.account):
        raise Refused("last_director")
    name = game.directors[command.account]
    game.emit(ev.DirectorLeft(account=command.account, name=name, at=game.now))


@mechanic.command(Deal)
def deal(game: Game, command: Deal) -> None:
    """Deal the roles and let the first night fall (K-01 to K-03).

    Refused: dealt, over, too few or too many. Raises ValueError for a preset that can't be.
    """
    _require_sign_up(game)
    players = len(game.signups)
    if command.roles is None:
        least = game.sheet.players or game.sheet.players_min
        most = game.sheet.players or game.sheet.players_max
        if players < least:
            raise Refused("too_few", count=players, min=least)
        if players > most:
            raise Refused("too_many", count=players, max=most)
        roles = drawn_roles(game, command.seed)
    else:
        roles = {seat: command.roles[seat] for seat in sorted(command.roles)}
        if len(roles) != players:
            raise ValueError("a deal for another number of players")
        for role in roles.values():
            if role not in game.sheet.roles:
                raise ValueError("a deal with a role that the sheet does not have")
    throne, numbers = drawn_orders(
        game, command.seed, roles, command.preset.throne or [], command.preset.numbers or []
    )
    game.emit(
        ev.Dealt(
            roles=roles,
            seed=command.seed,
            random=command.preset.random,
            throne=throne,
            numbers=numbers,
            at=game.now,
            clause=game.clause("deal"),
        )
    )
    game.emit(ev.Begun(players=players, at=game.now))
    for number, seat in game.seats.items():
        role = hero.told_as(game, seat.role)
        for notice in (["role", role], ["faction", seat.faction]):
            if notice[1]:
                told = ev.Told(
                    seat=number, notice=[*notice], at=game.now, clause=game.clause("deal")
                )
                game.emit(told)
    if game.sheet.kingmaker_by_card:
        crown.draw_cards(game, command.preset.cards)
    if "lovers" in game.sheet.mechanics:
        due = game.now + timedelta(minutes=game.sheet.setup_minutes)
        schedule(game, "link", due, game.clause("link"))
    else:
        open_channels(game)
        hero.tell_killers(game)
        begin(game)


def room(game: Game) -> int:
    """Return how many more persons can sign up."""
    most = game.sheet.players or game.sheet.players_max
    return max(most - len(game.signups), 0)


def drawn_roles(game: Game, seed: str) -> dict[int, str]:
    """Return seat → role for those who have signed up, as they follow from the seed.

    Raises SheetError for a number of players that the sheet does not know.
    """
    players = len(game.signups)
    cards = [r for r, count in game.sheet.counts(players).items() for _ in range(count)]
    order = shuffled(seed, "roles", range(players))
    return {seat: cards[order[seat - 1]] for seat in range(1, players + 1)}


def drawn_orders(
    game: Game,
    seed: str,
    roles: Mapping[int, str],
    throne: Sequence[int] = (),
    numbers: Sequence[int] = (),
) -> tuple[list[int], list[int]]:
    """Return the orders of throne and numbers (K-01): what is fixed of them, then by the seed.

    Empty where the sheet crowns nobody. Raises ValueError for fixed ones that can't be.
    """
    if "crown" not in game.sheet.mechanics:
        return [], []
    civilians = [seat for seat, role in roles.items() if role == "civilian"]
    return (
        _order(seed, "throne", throne, list(roles)),
        _order(seed, "numbers", numbers, civilians),
    )


def begin(game: Game) -> None:
    """Begin the game proper, with a night (K-03) or a day (M84-11)."""
    if game.sheet.first_phase == "night":
        phases.fall_night(game, game.clause("first_night"))
    else:
        phases.open_day(game)


def pack_of(game: Game, number: int) -> str | None:
    """Return the channel that a seat's role is in by the sheet (M84-04)."""
    role = game.seats[number].role
    return next((channel for channel, own in game.sheet.channels.items() if own == role), None)


def open_channels(game: Game) -> None:
    """Open the sheet's channels and tell their members of one another (K-02, M84-06).

    A lone wolf among the lovers, who has lost what the channel does together, is not in it.
    """
    clause = game.clause("partners")
    for channel in game.sheet.channels:
        ability = game.sheet.channel_abilities.get(channel, "")
        members = [
            number
            for number in game.seats
            if pack_of(game, number) == channel and (number, ability) not in game.abilities.lost
        ]
        game.emit(ev.ChannelOpened(channel=channel, members=members, at=game.now, clause=clause))
        for number in game.members(channel):
            partners = [other for other in members if other != number]
            game.emit(
                ev.Told(seat=number, notice=["partners", partners], at=game.now, clause=clause)
            )


def _order(seed: str, what: str, fixed: Sequence[int], seats: list[int]) -> list[int]:
    order = list(fixed)
    if len(set(order)) != len(order) or not set(order) <= set(seats):
        raise ValueError(f"the fixed draw {what} is not possible")
    rest = [seat for seat in seats if seat not in order]
    return order + shuffled(seed, what, rest)


def _require_sign_up(game: Game) -> None:
    if game.phase == "over":
        raise Refused("over")
    if game.seats:
        raise Refused("already_dealt")


@mechanic.event(ev.Created)
def _created(game: Game, event: ev.Created) -> None:
    game.set_sheet(Sheet.recall(event.sheet))
    game.id = event.game
    game.group = event.group
    game.directors[event.account] = event.name
    game.directed.add(event.account)


@mechanic.event(ev.SignedUp)
def _signed_up(game: Game, event: ev.SignedUp) -> None:
    game.signups.append(Person(event.account, event.name, event.games, event.from_card))
    game.spectators.pop(event.account, None)


@mechanic.event(ev.SignedOff)
def _signed_off(game: Game, event: ev.SignedOff) -> None:
    game.signups = [person for person in game.signups if person.account != event.account]


@mechanic.event(ev.DirectorAdded)
def _director_added(game: Game, event: ev.DirectorAdded) -> None:
    game.directors[event.account] = event.name
    game.directed.add(event.account)
    game.spectators.pop(event.account, None)


@mechanic.event(ev.DirectorLeft)
def _director_left(game: Game, event: ev.DirectorLeft) -> None:
    del game.directors[event.account]
    if not game.seats:
        # There was nothing hidden yet that he could have seen.
        game.directed.discard(event.account)


@mechanic.event(ev.Dealt)
def _dealt(game: Game, event: ev.Dealt) -> None:
    game.seed = event.seed
    game.random = list(event.random)
    for (number, role), person in zip(event.roles.items(), game.signups, strict=True):
        faction = game.sheet.roles[role].faction
        game.seats[number] = Seat(
            number,
            person.account,
            person.name,
            role,
            faction,
            person.games,
            from_card=person.from_card,
        )


@mechanic.event(ev.ChannelOpened)
def _channel_opened(game: Game, event: ev.ChannelOpened) -> None:
    game.channels[event.channel] = event.members


@mechanic.event(ev.Drawn)
def _drawn(game: Game, event: ev.Drawn) -> None:
    game.draws.append((event.what, event.value))


@mechanic.event(ev.Told)
def _told(game: Game, event: ev.Told) -> None:
    game.seats[event.seat].told.append(event.notice)
