"""Leading a game back: it is as it was, whatever came after, and nothing falls due at once."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from data.rulesets import load_rulesets
from engine import commands as c
from engine import events as ev
from engine.commands import Refused
from engine.game import Game
from engine.rewind import at_rest, last_directed, live, rewind
from tests.engine import play
from tests.engine.random_m84 import CALM
from tests.engine.test_boards import Table as Board

SHEETS = load_rulesets()
LATER = timedelta(minutes=3)


def back(log: list[ev.Event], to: int) -> Game:
    """Lead a game back three minutes after its last event; the log has what did it."""
    past = Game.fold(log[:to])
    command = c.Rewind(at=log[-1].at + LATER, to=to, by="d")
    log.append(rewind(past, command, taken=None))
    return Game.fold(play.stored(log))


def same(found: Game, past: Game) -> None:
    """Assert that nothing but what the clock says is another."""
    clock = {"now", "paused_at", "reminders"}
    one, other = play.state(found), play.state(past)
    assert {k: v for k, v in one.items() if k not in clock} == {
        k: v for k, v in other.items() if k not in clock
    }


@pytest.mark.parametrize("key", sorted(set(SHEETS) - {"m84"}))
def test_at_random_the_game_is_as_it_was(key: str) -> None:
    rng = Random(key)
    table = Board(SHEETS[key], 7) if key[:9] != "kingmaker" else None
    if table is None:
        game, log = play.opened(SHEETS[key], 8)
        log += game.handle(c.Deal(at=play.START, seed="5eed"))
        for _ in range(6):
            log += play.advance(game, min(game.due.values())) if game.due else []
    else:
        while table.game.phase != "over" and len(table.log) < 400:
            table.step()
        log = table.log
    paused = 0
    for _ in range(8):
        to = at_rest(log, rng.randrange(1, len(log) - 60))
        past = Game.fold(log[:to])
        game = back(log, to)
        same(game, past)
        paused += game.paused_at is not None
        if game.paused_at is None:
            assert all(due > log[-1].at for due in game.due.values())
            assert all(entry[0] > log[-1].at for entry in game.reminders)
        else:
            assert game.paused_at == past.paused_at or game.paused_at == past.now
    assert paused


def test_a_deadline_that_has_gone_by_leaves_everybody_the_time_that_there_was() -> None:
    game, log = play.dealt(play.sheet(), ["kingmaker", "killer", *["civilian"] * 6])
    to = len(log)
    left = game.due["open"] - game.now
    log += play.advance(game, game.due["open"])
    game = back(log, to)
    assert game.paused_at == play.START and game.next_alarm() is None
    with pytest.raises(Refused, match="paused"):
        game.handle(c.Act(at=game.now, seat=2, ability="faction_kill", target=3))
    resumed = log[-1].at + timedelta(hours=1)
    log += game.handle(c.Resume(at=resumed))
    assert game.due["open"] == resumed + left
    same_day = play.state(Game.fold(play.stored(log)))
    assert same_day == play.state(game)


def test_nothing_stands_still_when_nothing_has_fallen_due() -> None:
    game, log = play.dealt(play.sheet(), ["kingmaker", "killer", *["civilian"] * 6])
    to, due = len(log), dict(game.due)
    log += game.handle(c.RuleOut(at=game.now + LATER, target=5, reason="r", by="d"))
    assert log[to] == ev.Directed(account="d", at=game.now, begins=True)
    assert last_directed(log) == to
    game = back(log, to)
    assert game.paused_at is None and game.due == due and game.is_living(5)


def test_a_game_is_led_back_to_where_it_was_at_rest_and_to_what_was_undone() -> None:
    game, log = play.dealt(play.sheet(), ["kingmaker", "killer", *["civilian"] * 6])
    dealt = len(log)
    log += game.handle(c.RuleOut(at=game.now, target=5, reason="r", by="d"))
    ruled = len(log)
    log += game.handle(c.Warn(at=game.now, target=6, reason="r", by="d"))
    # In the middle of the ruling: to its end.
    assert at_rest(log, dealt + 1) == at_rest(log, ruled - 1) == at_rest(log, ruled) == ruled
    game = back(log, dealt)
    assert game.is_living(5) and not game.seats[6].warnings
    assert [number for number, _ in live(log)] == [*range(1, dealt + 1), len(log)]
    with pytest.raises(Refused, match="nothing_directed"):
        last_directed(log)
    # What was undone is still there to be led back to.
    game = back(log, ruled)
    assert not game.is_living(5) and not game.seats[6].warnings
    assert last_directed(log) == dealt
    with pytest.raises(Refused, match="no_such_event"):
        at_rest(log, len(log))
    with pytest.raises(Refused, match="no_such_event"):
        at_rest(log, 0)


def test_the_same_draws_come_again() -> None:
    """Whoever leads a game back does not get another chance."""
    game, log = play.opened(SHEETS["m84"], 12)
    log += game.handle(c.Deal(at=play.START, seed="5eed"))
    to = len(log)
    log += play.advance(game, game.due["link"])
    drawn = game.lovers.pair
    assert drawn
    game = back(log, to)
    assert not game.lovers.pair
    game.handle(c.Resume(at=game.now))
    play.advance(game, game.due["link"])
    assert game.lovers.pair == drawn


def test_what_follows_from_a_slip_can_not_be_mended_alone() -> None:
    roles = ["kingmaker", "killer", "killer", *["civilian"] * 5]
    game, _ = play.dealt(play.sheet(), roles)
    game.handle(c.RuleOut(at=game.now, target=5, reason="r"))
    game.handle(c.Act(at=game.now, seat=2, ability="faction_kill", target=6))
    game.handle(c.Reinstate(at=game.now, target=5))
    assert game.living() == [1, 2, 3, 4, 5, 6, 7, 8] and game.out == []
    assert ["out"] not in game.seats[5].told
    # The kingmaker's going has a successor, so it stays.
    game.handle(c.RuleOut(at=game.now, target=1, reason="r"))
    with pytest.raises(Refused, match="too_late_to_mend"):
        game.handle(c.Reinstate(at=game.now, target=1))
    game.handle(c.RuleOut(at=game.now, target=7, reason="r"))
    play.advance(game, game.due["open"])
    with pytest.raises(Refused, match="too_late_to_mend"):
        game.handle(c.Reinstate(at=game.now, target=7))
    with pytest.raises(Refused, match="not_by_hand"):
        game.handle(c.Reinstate(at=game.now, target=6))
    with pytest.raises(Refused, match="not_out"):
        game.handle(c.Reinstate(at=game.now, target=8))


def test_a_red_card_that_was_carried_out_by_mistake_goes_with_the_seat_back() -> None:
    game, _ = play.opened(SHEETS["m84"].with_parameters(CALM), 12)
    game.handle(c.Deal(at=play.START, seed="5eed"))
    cupid, *plain_ones = sorted(game.seats, key=lambda n: game.seats[n].role != "cupid")
    villagers = [n for n in plain_ones if game.seats[n].role == "villager"]
    wolves = [n for n in plain_ones if game.seats[n].role == "werewolf"]
    game.handle(c.Link(at=game.now, seat=cupid, first=wolves[0], second=wolves[1]))
    while not (game.phase == "night" and game.abilities.settled):
        play.advance(game, min(game.due.values()))
    plain = next(n for n in villagers if game.is_living(n))
    game.handle(c.Card(at=game.now, target=plain, colour="red", reason="r"))
    assert not game.is_living(plain) and game.seats[plain].reds == 1
    game.handle(c.Reinstate(at=game.now, target=plain))
    assert game.is_living(plain) and game.seats[plain].reds == 0
    assert not game.cards.held[plain]["red"]
    play.check_m84(game)


def test_the_warning_that_was_one_too_many_is_taken_back_with_what_it_did() -> None:
    game, _ = play.dealt(play.sheet(), ["kingmaker", "killer", "killer", *["civilian"] * 5])
    for _ in range(game.sheet.warnings_out):
        game.handle(c.Warn(at=game.now, target=5, reason="r"))
    assert game.seats[5].cause == "warnings"
    game.handle(c.Reinstate(at=game.now, target=5))
    assert game.is_living(5) and game.seats[5].warnings == game.sheet.warnings_out - 1
    play.check(game)


def test_one_of_three_that_have_become_another_card_can_be_taken_back() -> None:
    game, log = play.opened(SHEETS["m84"], 12)
    log += game.handle(c.Deal(at=play.START, seed="5eed"))
    while game.phase != "day":
        log += play.advance(game, min(game.due.values()))
    for _ in range(9):
        log += game.handle(c.Card(at=game.now, target=4, colour="blue", reason="r"))
    assert game.cards.held[4] == {"blue": 0, "yellow": 0, "red": 1} and game.cards.waiting == [4]
    log += game.handle(c.TakeCard(at=game.now, target=4, colour="blue"))
    assert game.cards.held[4] == {"blue": 2, "yellow": 2, "red": 0} and game.cards.waiting == []
    log += game.handle(c.Card(at=game.now, target=4, colour="yellow", reason="r"))
    assert game.cards.held[4]["red"] == 1
    # A card that was given as it is is not three of another.
    log += game.handle(c.Card(at=game.now, target=5, colour="yellow", reason="r"))
    with pytest.raises(Refused, match="no_card"):
        game.handle(c.TakeCard(at=game.now, target=5, colour="blue"))
    assert play.state(Game.fold(play.stored(log))) == play.state(game)
