"""Who belongs in a room, who may watch, who may direct: on a board of every kind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from data.rulesets import load_rulesets
from engine import commands as c
from engine import events as ev
from engine.commands import Refused
from engine.departure import announce_out
from engine.game import Game
from engine.mechanics import rooms
from engine.rewind import rewind
from tests.engine.play import START

SHEETS = load_rulesets()


def dealt(key: str, **parameters: Any) -> Game:
    """A game by a sheet just dealt: account ``aN`` sits on seat N; ``d`` and ``e`` direct."""
    sheet = SHEETS[key].with_parameters(parameters)
    players = sheet.players or sheet.players_min
    game = Game()
    game.handle(
        c.CreateGame(at=START, game=1, group="9", sheet=sheet.dump(), account="d", name="D")
    )
    game.handle(c.AddDirector(at=START, account="e", name="E"))
    for n in range(1, players + 1):
        game.handle(c.SignUp(at=START, account=f"a{n}", name=f"n{n}", from_card=n == 1))
    game.handle(c.Deal(at=START, seed="5eed"))
    if "link" in game.due:
        cupid = next(n for n, seat in game.seats.items() if seat.role == "cupid")
        town = [n for n, seat in game.seats.items() if seat.role == "villager"]
        game.handle(c.Link(at=START, seat=cupid, first=town[0], second=town[1]))
    return game


def do(game: Game, kind: type[c.Command], **values: Any) -> list[ev.Event]:
    return game.handle(kind(at=game.now + timedelta(seconds=1), **values))


def refused(game: Game, kind: type[c.Command], **values: Any) -> str:
    with pytest.raises(Refused) as found:
        do(game, kind, **values)
    return found.value.code


def looked(game: Game, channel: str, *people: str) -> list[ev.Event]:
    """The client has said who is in a channel's room."""
    there = dict.fromkeys(people, "x")
    return do(game, c.CheckRoom, channel=channel, group=f"g{channel}", people=there)


@pytest.mark.parametrize("key", SHEETS)
def test_a_room_opens_for_exactly_those_who_belong(key: str) -> None:
    game = dealt(key)
    for channel in [*game.channels, ev.DIRECTORS]:
        do(game, c.Bind, channel=channel, group=f"g{channel}")
        belong = rooms.belonging(game, channel)
        assert belong and not rooms.is_right(game, channel)
        outsider = next(n for n in ("stranger", *(s.account for s in game.seats.values())))
        (checked,) = looked(game, channel, *belong, outsider)
        assert isinstance(checked, ev.RoomChecked) and list(checked.strangers) == [outsider]
        assert looked(game, channel, *belong, outsider) == []
        (checked,) = looked(game, channel, *belong[1:], "d" if channel != ev.DIRECTORS else "x")
        assert isinstance(checked, ev.RoomChecked) and checked.missing == belong[:1]
        assert not rooms.is_right(game, channel)
        _, opened = looked(game, channel, *belong, "d", "e")
        assert isinstance(opened, ev.RoomOpened) and rooms.is_right(game, channel)
        _, closed = do(game, c.CheckRoom, channel=channel, group=f"g{channel}", people=None)
        assert isinstance(closed, ev.RoomClosed) and not rooms.is_right(game, channel)
        # Bound anew, nothing is known of it; bound as something else, it is that alone.
        looked(game, channel, *belong)
        do(game, c.Bind, channel=channel, group=f"g{channel}")
        assert not rooms.is_right(game, channel)
    do(game, c.Bind, channel=ev.SPECTATORS, group=f"g{ev.DIRECTORS}")
    assert ev.DIRECTORS not in game.bound


@pytest.mark.parametrize("key", SHEETS)
def test_who_goes_out_belongs_until_that_is_announced(key: str) -> None:
    game = dealt(key)
    for channel, members in game.channels.items():
        gone = game.seats[members[0]]
        gone.alive = False
        assert gone.account in rooms.belonging(game, channel)
        announce_out(game, gone.number)
        assert gone.account not in rooms.belonging(game, channel)


def test_a_look_at_a_group_that_is_no_room_changes_nothing() -> None:
    game = dealt("kingmaker")
    assert looked(game, "killers", "x") == []
    do(game, c.Bind, channel="killers", group="other")
    assert looked(game, "killers", "x") == []


@pytest.mark.parametrize("key", SHEETS)
def test_the_directors_room_is_for_those_who_direct_now(key: str) -> None:
    game = dealt(key)
    do(game, c.Bind, channel=ev.DIRECTORS, group="gdirectors")
    assert refused(game, c.AddDirector, account="a1", name="x") == "director_seated"
    # Who directs has seen every seat, and sits on none.
    assert refused(game, c.Replace, target=2, account="d", name="D") == "taken_seat"
    do(game, c.Replace, target=2, account="s", name="S")
    (checked,) = looked(game, ev.DIRECTORS, "d", "s")
    assert isinstance(checked, ev.RoomChecked) and list(checked.strangers) == ["s"]
    # Nobody gives his sight back to who sits or sat, and the last who directs stays.
    do(game, c.Resign, account="e")
    assert refused(game, c.AddDirector, account="s", name="S") == "director_seated"
    assert refused(game, c.AddDirector, account="a2", name="x") == "director_seated"
    assert refused(game, c.Resign, account="d") == "last_director"
    do(game, c.AddDirector, account="f", name="F")
    assert do(game, c.AddDirector, account="f", name="F") == []
    do(game, c.Resign, account="f")
    assert not game.is_director("f")
    assert refused(game, c.Replace, target=3, account="f", name="F") == "taken_seat"
    assert refused(game, c.Coach, target=1, account="f", name="F") == "coach_seated"
    do(game, c.Coach, target=1, account="c", name="C")
    assert refused(game, c.Coach, target=2, account="c", name="C") == "coach_busy"
    assert refused(game, c.AddDirector, account="c", name="C") == "director_seated"


def test_a_director_who_left_before_the_deal_has_seen_nothing() -> None:
    game = Game()
    sheet = SHEETS["kingmaker"]
    game.handle(
        c.CreateGame(at=START, game=1, group="9", sheet=sheet.dump(), account="d", name="D")
    )
    do(game, c.AddDirector, account="e", name="E")
    do(game, c.Resign, account="d")
    for n in range(1, sheet.players_min + 1):
        do(game, c.SignUp, account=f"a{n}", name=f"n{n}")
    do(game, c.Deal, seed="5eed")
    do(game, c.Coach, target=1, account="d", name="D")
    assert game.seats[1].coach is not None


# --- spectators ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", SHEETS)
def test_anybody_who_does_not_play_may_watch_what_is_public(key: str) -> None:
    game = dealt(key)
    assert refused(game, c.Watch, account="a1", name="x") == "watch_playing"
    assert do(game, c.Watch, account="d", name="D") == []
    do(game, c.Watch, account="w", name="W")
    assert do(game, c.Watch, account="w", name="W") == []
    assert not game.sees_all("w") and game.sees_all("d")
    # He has seen nothing, so he may sit down; then he watches no more.
    do(game, c.Replace, target=2, account="w", name="W")
    assert game.spectators == {}
    assert refused(game, c.StopWatching, account="w") == "not_watching"
    do(game, c.Watch, account="a2", name="former")
    game.seats[3].alive = False
    assert refused(game, c.Watch, account="a3", name="x") == "watch_playing"
    announce_out(game, 3)
    do(game, c.Watch, account="a3", name="x")
    do(game, c.StopWatching, account="a3")
    assert list(game.spectators) == ["a2"]


@pytest.mark.parametrize("key", SHEETS)
def test_who_watches_everything_is_let_in_and_never_plays(key: str) -> None:
    game = dealt(key, spectators_see="all")
    assert refused(game, c.Watch, account="w", name="W") == "watch_ask"
    do(game, c.Watch, account="w", name="W", admitted=True)
    assert game.sees_all("w")
    do(game, c.Replace, target=2, account="b", name="B")
    do(game, c.Coach, target=1, account="c", name="C")
    for near in ("a2", "c"):
        assert refused(game, c.Watch, account=near, name="x", admitted=True) == "watch_near"
    do(game, c.StopWatching, account="w")
    assert not game.sees_all("w")
    assert refused(game, c.Replace, target=3, account="w", name="W") == "taken_seat"
    assert refused(game, c.Coach, target=3, account="w", name="W") == "coach_seated"
    assert refused(game, c.AddDirector, account="c", name="C") == "director_seated"


def test_who_watched_before_the_deal_and_signs_up_watches_no_more() -> None:
    game = Game()
    sheet = SHEETS["kingmaker"].with_parameters({"spectators_see": "all"})
    game.handle(
        c.CreateGame(at=START, game=1, group="9", sheet=sheet.dump(), account="d", name="D")
    )
    do(game, c.Watch, account="a1", name="x", admitted=True)
    do(game, c.Watch, account="w", name="W", admitted=True)
    for n in range(1, sheet.players_min + 1):
        do(game, c.SignUp, account=f"a{n}", name=f"n{n}")
    assert refused(game, c.Watch, account="a1", name="x", admitted=True) == "watch_playing"
    assert list(game.spectators) == ["w"]
    do(game, c.Deal, seed="5eed")
    assert game.watched == {"w"}


# --- who comes and goes --------------------------------------------------------------------------


@pytest.mark.parametrize("key", SHEETS)
@pytest.mark.parametrize("how", ["left", "unreachable"])
def test_a_lost_player_is_noted_once_until_he_is_back(key: str, how: str) -> None:
    game = dealt(key)
    assert do(game, c.Regain, account="a2", how=how) == []
    (lost,) = do(game, c.Lose, account="a2", how=how)
    assert lost.audience == ev.DIRECTORS
    assert do(game, c.Lose, account="a2", how=how) == []
    assert len(do(game, c.Regain, account="a2", how=how)) == 1
    assert len(do(game, c.Lose, account="a2", how=how)) == 1
    do(game, c.Replace, target=2, account="b", name="B")
    # The former player may go where he likes, and the seat has nothing of it.
    assert game.seats[2].lost == set()
    assert do(game, c.Lose, account="a2", how=how) == []
    assert do(game, c.Lose, account="stranger", how=how) == []


def test_who_is_announced_out_may_leave_and_is_still_to_be_reached() -> None:
    game = dealt("kingmaker")
    game.seats[2].alive = False
    announce_out(game, 2)
    assert do(game, c.Lose, account="a2", how="left") == []
    assert len(do(game, c.Lose, account="a2", how="unreachable")) == 1


@pytest.mark.parametrize("key", SHEETS)
def test_a_name_follows_the_card_unless_it_was_chosen(key: str) -> None:
    game = dealt(key)
    assert len(do(game, c.Rename, account="a1", name="new")) == 1
    assert game.seats[1].name == "new"
    assert do(game, c.Rename, account="a1", name="new") == []
    assert do(game, c.Rename, account="a2", name="new") == []
    assert game.seats[2].name == "n2"


# --- what was seen can't be undone ---------------------------------------------------------------


def test_who_has_seen_what_is_hidden_has_seen_it_whatever_is_undone() -> None:
    log: list[ev.Event] = []
    game = Game()
    sheet = SHEETS["kingmaker"].with_parameters({"spectators_see": "all"})

    def did(command: c.Command) -> None:
        log.extend(game.handle(command))

    did(c.CreateGame(at=START, game=1, group="9", sheet=sheet.dump(), account="d", name="D"))
    for n in range(1, sheet.players_min + 1):
        did(c.SignUp(at=START, account=f"a{n}", name=f"n{n}"))
    did(c.Deal(at=START, seed="5eed"))
    to = len(log)
    did(c.AddDirector(at=START, account="e", name="E"))
    did(c.Watch(at=START, account="w", name="W", admitted=True))
    did(c.Replace(at=START, target=2, account="s", name="S"))
    did(c.Coach(at=START, target=2, account="c", name="C"))

    def back() -> Game:
        command = c.Rewind(at=START, to=to, by="d")
        seen = {"directed": game.directed, "watched": game.watched, "near": game.near}
        log.append(rewind(Game.fold(log[:to]), command, taken=None, **seen))
        return Game.fold(log)

    game = back()
    game = back()
    assert not game.is_director("e") and not game.sees_all("w")
    assert refused(game, c.Replace, target=3, account="w", name="W") == "taken_seat"
    for account in ("e", "w", "s", "c"):
        assert refused(game, c.Replace, target=3, account=account, name="x") == "taken_seat"
        assert refused(game, c.Coach, target=3, account=account, name="x") == "coach_seated"
    # The very seat that was his may be so again.
    do(game, c.Replace, target=2, account="s", name="S")
    do(game, c.Coach, target=2, account="c", name="C")


def test_who_went_out_by_a_slip_and_watched_everything_stays_out() -> None:
    game = dealt("kingmaker", spectators_see="all")
    one, other, *_ = (n for n, seat in game.seats.items() if seat.role == "civilian")
    for number in (one, other):
        do(game, c.RuleOut, target=number, reason="x")
    do(game, c.Watch, account=game.seats[one].account, name="x", admitted=True)
    assert refused(game, c.Reinstate, target=one) == "too_late_to_mend"
    do(game, c.Reinstate, target=other)
    assert game.is_living(other) and not game.is_living(one)
