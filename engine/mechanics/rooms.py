"""Rooms: QQ groups that are bound, who belongs in them, and the spectators.

Nothing of a room is said in it before the client has said that exactly those who belong are there.
Directors may be there too, and nobody else but the bot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Bind, CheckRoom, Refused, StopWatching, Unbind, Watch
from engine.mechanics.base import Mechanic

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic("_rooms")


@dataclass(frozen=True, slots=True)
class Finding:
    """Who was found in a room: :class:`engine.events.RoomChecked`."""

    strangers: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    known: bool = True
    others: bool = False

    @property
    def right(self) -> bool:
        """Whether exactly those who belong are there."""
        return self.known and not (self.strangers or self.missing or self.others)


def belonging(game: Game, channel: str) -> list[str]:
    """Return the accounts that belong in a channel's room now.

    A member stays one until he is announced out: if he went before, nobody would learn it by that.
    """
    if channel == ev.DIRECTORS:
        return [account for account in game.directors if game.is_director(account)]
    if channel == ev.SPECTATORS:
        return list(game.spectators)
    seats = (game.seats[number] for number in game.channels.get(channel, ()))
    return [seat.account for seat in seats if not seat.announced]


def found(
    game: Game, channel: str, people: Mapping[str, str] | None, unnamed: Collection[str] = ()
) -> Finding:
    """Compare who is in a channel's room (account → name) with who belongs there.

    Of strangers who are ``unnamed`` it is only noted that there are some.
    """
    if people is None:
        return Finding(known=False)
    belong = belonging(game, channel)
    strangers = {
        account: name
        for account, name in people.items()
        if account not in belong and not game.is_director(account)
    }
    named = {account: name for account, name in strangers.items() if account not in unnamed}
    missing = [account for account in belong if account not in people]
    return Finding(named, missing, others=len(named) < len(strangers))


def is_kept(game: Game, channel: str) -> bool:
    """Tell whether it matters who is in a channel's room: not while all said there is public."""
    if channel == ev.SPECTATORS:
        return game.sheet.spectators_see == "all"
    return channel == ev.DIRECTORS or channel in game.channels


def is_right(game: Game, channel: str) -> bool:
    """Tell whether a channel has a room in which what is the channel's can be said."""
    if channel not in game.bound:
        return False
    if channel in game.rooms:
        return game.rooms[channel].right
    return channel == ev.SPECTATORS and not is_kept(game, channel)


@mechanic.command(Bind)
def bind(game: Game, command: Bind) -> None:
    """Bind a group as a room. Refused: over, no such channel in this sheet."""
    if game.phase == "over":
        raise Refused("over")
    if command.channel not in (ev.DIRECTORS, ev.SPECTATORS, *game.channel_keys()):
        raise Refused("bad_channel")
    game.emit(ev.Bound(channel=command.channel, group=command.group, at=game.now))


@mechanic.command(Unbind)
def unbind(game: Game, command: Unbind) -> None:
    """``解绑``: the channel's room is none any more. Refused: over. Does nothing without a room."""
    if game.phase == "over":
        raise Refused("over")
    group, right = game.bound.get(command.channel), is_right(game, command.channel)
    if group is None:
        return
    game.emit(ev.Unbound(channel=command.channel, group=group, at=game.now))
    if right:
        game.emit(ev.RoomClosed(channel=command.channel, group=group, at=game.now))


@mechanic.command(CheckRoom)
def check(game: Game, command: CheckRoom) -> None:
    """Note who is in a room, if that is not as it was. Never refused."""
    channel, group = command.channel, command.group
    if game.phase == "over" or game.bound.get(channel) != group or not is_kept(game, channel):
        return
    before, now = game.rooms.get(channel), found(game, channel, command.people, command.unnamed)
    if now == before or not belonging(game, channel):
        return
    game.emit(
        ev.RoomChecked(
            channel=channel,
            group=group,
            strangers=now.strangers,
            missing=now.missing,
            known=now.known,
            others=now.others,
            at=game.now,
        )
    )
    if now.right:
        game.emit(ev.RoomOpened(channel=channel, group=group, at=game.now))
    elif before is not None and before.right:
        game.emit(ev.RoomClosed(channel=channel, group=group, at=game.now))


@mechanic.command(Watch)
def watch(game: Game, command: Watch) -> None:
    """``观战``: nobody watches who plays, or who could tell a player what he sees.

    Refused: over; signed up or not announced out; where spectators see what is hidden: replaced, a
    coach, or not let in by a director. Does nothing for a director, or who watches already.
    """
    if game.phase == "over":
        raise Refused("over")
    account = command.account
    if account in game.spectators or game.is_director(account):
        return
    seat = game.seat_of(account)
    signed_up = not game.seats and any(person.account == account for person in game.signups)
    if signed_up or (seat is not None and not seat.announced):
        raise Refused("watch_playing")
    if game.sheet.spectators_see == "all":
        if seat is None and (game.has_sat(account) or account in game.near):
            raise Refused("watch_near")
        if not command.admitted:
            raise Refused("watch_ask")
    game.emit(ev.Watching(account=account, name=command.name, at=game.now))


@mechanic.command(StopWatching)
def stop_watching(game: Game, command: StopWatching) -> None:
    """``退出观战``. Refused: does not watch."""
    name = game.spectators.get(command.account)
    if name is None:
        raise Refused("not_watching")
    game.emit(ev.WatchingEnded(account=command.account, name=name, at=game.now))


@mechanic.event(ev.Bound)
def _bound(game: Game, event: ev.Bound) -> None:
    for channel in [c for c, group in game.bound.items() if group == event.group]:
        del game.bound[channel]
        game.rooms.pop(channel, None)
    game.bound[event.channel] = event.group
    game.rooms.pop(event.channel, None)


@mechanic.event(ev.Unbound)
def _unbound(game: Game, event: ev.Unbound) -> None:
    del game.bound[event.channel]
    game.rooms.pop(event.channel, None)


@mechanic.event(ev.RoomChecked)
def _checked(game: Game, event: ev.RoomChecked) -> None:
    game.rooms[event.channel] = Finding(event.strangers, event.missing, event.known, event.others)


@mechanic.event(ev.Watching)
def _watching(game: Game, event: ev.Watching) -> None:
    game.spectators[event.account] = event.name
    if game.seats and game.sheet.spectators_see == "all":
        game.watched.add(event.account)


@mechanic.event(ev.WatchingEnded)
def _watching_ended(game: Game, event: ev.WatchingEnded) -> None:
    game.spectators.pop(event.account, None)


@mechanic.event(ev.Rewound)
def _rewound(game: Game, event: ev.Rewound) -> None:
    game.directed |= set(event.directed)
    game.watched |= set(event.watched)
    for account, seats in event.near.items():
        game.near.setdefault(account, set()).update(seats)


@mechanic.event(ev.Dealt)
def _dealt(game: Game, event: ev.Dealt) -> None:
    if game.sheet.spectators_see == "all":
        game.watched |= game.spectators.keys()
