"""The small parts of the engine: hours, chance, sheets."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from engine import calendar
from engine import commands as c
from engine.chance import dice, shuffled
from engine.commands import Refused
from engine.game import Game
from engine.ruleset import Sheet, SheetError
from tests.engine import play

NOON = datetime(2026, 3, 2, 4, 0, tzinfo=UTC)  # 12:00 in Shanghai
NONE = timedelta()


def test_next_hour_is_strictly_after() -> None:
    one = calendar.next_hour(NOON, "12:01", "Asia/Shanghai", NONE)
    assert one == NOON + timedelta(minutes=1)
    same = calendar.next_hour(NOON, "12:00", "Asia/Shanghai", NONE)
    assert same == NOON + timedelta(days=1)


def test_next_hour_moves_with_the_pauses() -> None:
    shift = timedelta(hours=26)
    moved = calendar.next_hour(NOON, "17:00", "Asia/Shanghai", shift)
    assert moved == NOON + timedelta(hours=7), "17:00 has become 19:00"


def test_hours_over_a_change_of_summer_time() -> None:
    before = datetime(2026, 3, 28, 13, 30, tzinfo=UTC)  # the night clocks go forward in Berlin
    opens = calendar.next_hour(before, "14:00", "Europe/Berlin", NONE)
    assert opens == datetime(2026, 3, 29, 12, 0, tzinfo=UTC)


def test_last_hour_is_strictly_before() -> None:
    assert calendar.last_hour(NOON, "12:00", "Asia/Shanghai", NONE) == NOON - timedelta(days=1)
    assert calendar.last_hour(NOON, "11:59", "Asia/Shanghai", NONE) == NOON - timedelta(minutes=1)


def test_dice_are_fair_and_follow_from_the_seed() -> None:
    thrown = Counter(dice("seed", str(number), 6) for number in range(6000))
    assert set(thrown) == set(range(6))
    assert all(850 < count < 1150 for count in thrown.values())
    assert dice("seed", "1", 1000) == dice("seed", "1", 1000) != dice("seeds", "1", 1000)


def test_shuffles_reach_every_order() -> None:
    orders = Counter(tuple(shuffled(str(seed), "x", [1, 2, 3])) for seed in range(1200))
    assert len(orders) == 6 and all(140 < count < 260 for count in orders.values())


def test_every_number_of_players_gets_a_deal() -> None:
    rules = play.sheet()
    for players in range(6, 25):
        counts = rules.counts(players)
        assert sum(counts.values()) == players
        assert counts["kingmaker"] == 1 and 1 <= counts["killer"] <= players // 3


def test_a_sheet_survives_its_own_dump() -> None:
    rules = play.sheet(posts_min=3, killer=4, players=12)
    assert Sheet.load(rules.dump()) == rules
    assert rules.counts(12)["killer"] == 4


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ({"posts_mim": 3}, "posts_mim"),
        ({"posts_min": "three"}, "posts_min"),
        ({"posts_min": -1}, "posts_min"),
        ({"open": "25:00"}, "open"),
        ({"open": "5pm"}, "open"),
        ({"close": "17:00"}, "close"),
        ({"zone": "Asia/Atlantis"}, "zone"),
        ({"players": 30}, "players"),
        ({"execution_needs": "all"}, "execution_needs"),
        ({"default_regime": "anarchy"}, "default_regime"),
        ({"killer": 99}, "roles"),
        ({"reminders": [0]}, "reminders"),
        ({"channels": {"x": "nobody"}}, "channels.x"),
        ({"factions": ["town"]}, "roles.killer.faction"),
        ({"warnings_out": 0}, "warnings_out"),
    ],
)
def test_a_wrong_sheet_names_the_key(parameters: dict[str, object], key: str) -> None:
    with pytest.raises(SheetError) as error:
        play.sheet(**parameters)
    assert error.value.key == key and error.value.code


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ({"mechanics": ["kill", "dance"]}, "mechanics"),
        ({"night_steps": ["dance"]}, "night_steps"),
        ({"last_words": 3}, "last_words"),
    ],
)
def test_a_sheet_picks_only_what_there_is(parameters: dict[str, object], key: str) -> None:
    with pytest.raises(SheetError) as error:
        play.opened(play.sheet(**parameters), 6)
    assert error.value.key == key


def test_a_near_miss_is_named() -> None:
    with pytest.raises(SheetError, match="posts_min"):
        play.sheet(posts_mim=3)


def test_time_does_not_run_backward() -> None:
    game, _ = play.opened(play.sheet(), 6)
    with pytest.raises(ValueError, match="before"):
        game.handle(c.SignOff(at=play.START - timedelta(seconds=1), account="a1"))


def test_sign_up_has_its_limits() -> None:
    game, _ = play.opened(play.sheet(players=6), 6)
    for command, code in (
        (c.SignUp(at=play.START, account="a1", name="x"), "signed_up_twice"),
        (c.SignUp(at=play.START, account="a7", name="x"), "full"),
        (c.SignOff(at=play.START, account="a9"), "not_signed_up"),
        (c.AddDirector(at=play.START, account="a2", name="x"), "director_seated"),
        (c.Bind(at=play.START, channel="wolves", group="1"), "bad_channel"),
        (c.CloseDay(at=play.START), "not_running"),
    ):
        with pytest.raises(Refused) as refused:
            game.handle(command)
        assert refused.value.code == code
    game.handle(c.SignOff(at=play.START, account="a6"))
    with pytest.raises(Refused) as refused:
        game.handle(c.Deal(at=play.START, seed="1"))
    assert refused.value.code == "too_few"


def test_those_who_waited_get_on_the_list_as_many_as_fit() -> None:
    game, _ = play.opened(play.sheet(players=8), 6)
    people = [
        c.Applicant("a2", "on it already"),
        c.Applicant("w1", "W1", 3),
        c.Applicant("d", "directs"),
        c.Applicant("w2", "W2"),
        c.Applicant("w3", "W3"),
    ]
    events = game.handle(c.Enrol(at=play.START, people=people))
    assert [(e.account, e.games, e.queued) for e in events] == [("w1", 3, True), ("w2", 0, True)]
    assert [person.account for person in game.signups][6:] == ["w1", "w2"]
    assert game.handle(c.Enrol(at=play.START, people=people)) == []
    (off,) = game.handle(c.SignOff(at=play.START, account="w1"))
    assert off.name == "W1"
    assert [e.account for e in game.handle(c.Enrol(at=play.START, people=people[3:]))] == ["w3"]
    game.handle(c.Deal(at=play.START, seed="1"))
    with pytest.raises(Refused) as refused:
        game.handle(c.Enrol(at=play.START, people=people))
    assert refused.value.code == "already_dealt"


def test_the_same_seed_deals_the_same_game() -> None:
    logs = []
    for _ in range(2):
        game, log = play.opened(play.sheet(), 9)
        logs.append(log + game.handle(c.Deal(at=play.START, seed="f00d")))
    assert logs[0] == logs[1]
    assert play.state(Game.fold(play.stored(logs[0]))) == play.state(Game.fold(logs[1]))


def test_seeds_deal_everybody_everything() -> None:
    got: Counter[tuple[int, str]] = Counter()
    for seed in range(300):
        game, _ = play.opened(play.sheet(), 6)
        game.handle(c.Deal(at=play.START, seed=f"{seed:x}"))
        got.update((number, seat.role) for number, seat in game.seats.items())
    assert all(20 < got[number, "killer"] < 90 for number in range(1, 7))
    assert all(20 < got[number, "kingmaker"] < 90 for number in range(1, 7))


def test_a_director_who_sits_down_directs_no_more() -> None:
    game, _ = play.opened(play.sheet(), 6)
    game.handle(c.SignUp(at=play.START, account="d", name="D"))
    assert game.is_director("d")
    game.handle(c.Deal(at=play.START, seed="1"))
    assert not game.is_director("d")
    game.handle(c.Replace(at=play.START, target=7, account="new", name="N"))
    assert not game.is_director("d"), "what he saw on the seat he still knows"


def test_reminders_come_before_the_deadline_and_not_after_an_outage() -> None:
    game, _ = play.dealt(play.sheet(), ["kingmaker", "killer", *["civilian"] * 4])
    alarm = game.next_alarm()
    opens = game.due["open"]
    assert alarm == opens - timedelta(minutes=60)
    (first,) = game.handle(c.Tick(at=alarm))
    assert [1, "crown"] in first.owed and ["killers", "faction_kill"] in first.owed
    game.handle(c.NameCrown(at=alarm, seat=1, first=3, substitute=4))
    second_alarm = game.next_alarm()
    assert second_alarm == opens - timedelta(minutes=10)
    (second,) = game.handle(c.Tick(at=second_alarm, late=3600))
    assert second.owed == []
    assert game.next_alarm() == opens


def test_what_falls_due_late_says_so() -> None:
    game, _ = play.dealt(play.sheet(), ["kingmaker", "killer", *["civilian"] * 4])
    play.advance(game, game.due["open"] - timedelta(minutes=10))
    events = game.handle(c.Tick(at=game.due["open"], late=1200))
    assert type(events[0]).__name__ == "SettledLate" and events[0].late == 1200
    assert events[-1].at == events[0].at
