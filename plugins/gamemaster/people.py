"""What the chat learns of people without a word from them, and what the desk does about it.

Somebody left a group, came back, goes by another name; or the client has said who is in a group.
It enters like a message, and is done by commands like one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from data.ledger import Ledger
from data.message import Message
from data.sentences import line as one_line
from engine import commands as c
from engine import events as ev
from engine.game import Game
from engine.mechanics import rooms
from engine.mechanics.people import is_silenced

if TYPE_CHECKING:
    from plugins.gamemaster.desk import Desk

CARD_LENGTH = 60
"""As much of a group card is told to the directors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that was seen.

    ``joined``, ``left``: ``account`` a ``group``; ``renamed``: the group calls it ``name`` now;
    ``befriended``: it can be written to; ``members``: these ``people`` (account → name, the bot
    itself left out) are in the group, ``None`` if the client could not say; ``ousted``,
    ``demoted``: the bot itself is in the group no more, or is no admin of it.
    """

    at: datetime
    kind: Literal["joined", "left", "renamed", "befriended", "members", "ousted", "demoted"]
    group: str = ""
    account: str = ""
    name: str = ""
    people: Mapping[str, str] | None = None


def learn(desk: Desk, notice: Notice) -> None:
    """Do what a notice is a reason for. Raises StoreError; it may then be learnt again."""
    if notice.kind == "befriended":
        reached(desk, notice.account, notice.at)
        return
    if notice.kind == "left":
        desk.unqueue(notice.account, notice.group)
    for game in desk.ledger.open_games():
        if notice.kind == "demoted" and notice.group in (game.group, *game.bound.values()):
            _tell_directors(desk, game, "chat.demoted", notice.group)
        if game.group == notice.group:
            _in_public(desk, game, notice)
        for channel, group in list(game.bound.items()):
            if group == notice.group and rooms.is_kept(game, channel):
                _in_room(desk, game, channel, notice)


def _in_public(desk: Desk, game: Game, notice: Notice) -> None:
    act, at, account = desk.ledger.act, notice.at, notice.account
    match notice.kind:
        case "ousted":
            _tell_directors(desk, game, "chat.ousted", notice.group)
        case "joined":
            act(game.id, c.Regain(at=at, account=account, how="left"))
        case "left" if game.seats:
            act(game.id, c.Lose(at=at, account=account, how="left"))
        case "left":
            for person in [person for person in game.signups if person.account == account]:
                said = desk.speech.say("bot.left_signed_off", name=person.name)
                desk.ledger.tell(game.id, Message(ev.PUBLIC, said))
                act(game.id, c.SignOff(at=at, account=account))
        case "renamed":
            rename(desk, game, account, notice.name, at)
        case "members" if notice.people is not None:
            for seat in list(game.seats.values()):
                seen = c.Regain if seat.account in notice.people else c.Lose
                act(game.id, seen(at=at, account=seat.account, how="left"))


def _in_room(desk: Desk, game: Game, channel: str, notice: Notice) -> None:
    # A client may go on listing who has left, which does no harm, and not list who has come.
    came = desk.joined.setdefault(notice.group, set())
    match notice.kind:
        case "members":
            people, unnamed = notice.people, []
            if people is not None:
                people = {**dict.fromkeys(came, ""), **people}
                unnamed = [account for account in people if _plays_elsewhere(desk, account, game)]
            check = c.CheckRoom(
                at=notice.at, channel=channel, group=notice.group, people=people, unnamed=unnamed
            )
            desk.ledger.act(game.id, check)
        case "ousted":
            # Nobody can say any more who is there.
            desk.joined.pop(notice.group, None)
            check = c.CheckRoom(at=notice.at, channel=channel, group=notice.group, people=None)
            desk.ledger.act(game.id, check)
        case "joined" | "left":
            (came.add if notice.kind == "joined" else came.discard)(notice.account)
            look(desk.ledger, game, notice.group)


def _tell_directors(desk: Desk, game: Game, key: str, group: str) -> None:
    said = desk.speech.say(key, game, game=game.id, group=group)
    desk.ledger.tell(game.id, Message("directors", said))


def _plays_elsewhere(desk: Desk, account: str, game: Game) -> bool:
    """Whether somebody has a seat in another game, whose secret room this group may be."""
    return any(
        other.id != game.id and other.seat_of(account) is not None
        for other in desk.ledger.open_games()
    )


def look(ledger: Ledger, game: Game, group: str) -> None:
    """Ask the client who is in a group."""
    ledger.tell(game.id, Message(f"group:{group}", "", "members"))


def look_around(ledger: Ledger) -> None:
    """Ask who is in the groups of every game: while nobody was connected, all may have changed."""
    for game in ledger.open_games():
        if game.seats:
            look(ledger, game, game.group)
        for channel, group in game.bound.items():
            if rooms.is_kept(game, channel):
                look(ledger, game, group)


def rename(desk: Desk, game: Game, account: str, name: str, at: datetime) -> None:
    """The group calls an account so; a name that could be taken for something else is none.

    Of the card of somebody who may not speak the directors are told, once.
    """
    seat, called = game.seat_of(account), desk.name_in(game, account, name)
    if seat is not None and is_silenced(game, seat.number):
        card = one_line(name, CARD_LENGTH)
        known = ("", seat.name, desk.held_cards.get((game.id, account)))
        if card not in known and called != seat.name:
            desk.held_cards[game.id, account] = card
            values = {"game": game.id, "seat": seat.number, "name": seat.name, "text": card}
            said = desk.speech.say("chat.card_held", game, **values)
            desk.ledger.tell(game.id, Message("directors", said))
    elif called != account:
        desk.ledger.act(game.id, c.Rename(at=at, account=account, name=called))


def reached(desk: Desk, account: str, at: datetime) -> int:
    """The account can be written to: say what was held for it; how many messages these are."""
    if desk.ledger.person(account).reachable:
        return 0
    desk.ledger.store.set_reachable(account, True)
    for game in desk.ledger.open_games():
        seat = game.seat_of(account)
        if seat is not None and seat.lost:
            desk.ledger.act(game.id, c.Regain(at=at, account=account, how="unreachable"))
    return desk.pull(account)
