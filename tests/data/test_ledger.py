"""The ledger: real games, in the real words, over a real store."""

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy

from data import codec
from data import ledger as ledger_module
from data.ledger import Ledger, NoSuchGame, Outcome, targets
from data.message import Message, Target
from data.rulesets import load_rulesets
from data.speech import Speech
from data.store import Conflict, OutboxRow, Store, StoreError
from engine import commands as c
from engine.events import Event
from engine.game import Game

START = datetime(2026, 3, 2, 0, 0, tzinfo=UTC)  # 08:00 in Shanghai; the day opens at 09:00 UTC
OPENING = START + timedelta(hours=9)
ASKER = Target("private", "9", "700")
KILL = ("faction_kill", "killers")
ROLES = {1: "kingmaker", 2: "killer", 3: "killer", 4: "civilian", 5: "civilian", 6: "civilian"}


class House:
    """A ledger with a pretended clock over a store that outlives it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = START
        self.speech = Speech()
        self.restart()

    def restart(self) -> None:
        """What a killed process leaves is the store."""
        self.ledger = Ledger(self.store, self.speech, load_rulesets(), clock=lambda: self.now)

    def create(self, group: str = "700", **values: Any) -> Outcome:
        fields: dict[str, Any] = {"sheet": "kingmaker", "parameters": {}, "reply_to": ASKER}
        return self.ledger.create(
            at=self.now, group=group, account="9", name="导演", **fields | values
        )

    def act(self, kind: Callable[..., c.Command], game_id: int = 1, **values: Any) -> Outcome:
        key = values.pop("key", None)
        at = values.pop("at", self.now)
        return self.ledger.act(game_id, kind(at=at, **values), ASKER, key)

    def deal(self, game_id: int = 1) -> None:
        """Six people sign up (accounts 11 to 16 in the first game), roles as in ROLES."""
        for seat in ROLES:
            account = str(10 * game_id + seat)
            assert not self.act(c.SignUp, game_id, account=account, name=f"名{seat}").refused
        preset = c.Preset(throne=[4, 5, 6, 1, 2, 3])
        outcome = self.act(c.Deal, game_id, seed="00", roles=ROLES, preset=preset)
        assert outcome.events

    def said(self) -> list[OutboxRow]:
        return self.store.messages()

    def log(self, game_id: int = 1) -> list[str]:
        return [row.type for row in self.store.load_events(game_id)]


@pytest.fixture
def house(store: Store) -> House:
    return House(store)


@pytest.fixture
def begun(house: House) -> House:
    """Game 1 in group 700 in its first night, all of it committed."""
    house.create()
    house.deal()
    house.ledger.commit()
    return house


def test_a_game_is_opened_and_only_a_commit_writes_and_says_it(house: House) -> None:
    outcome = house.create()
    assert outcome.game_id == 1 and not outcome.refused
    assert house.ledger.game(1).group == "700"
    assert house.store.games() == [] and house.said() == []
    house.ledger.commit()
    [row] = house.store.games()
    assert (row.id, row.group, row.sheet, row.phase, row.seq) == (1, "700", "kingmaker", "setup", 1)
    [said] = house.said()
    assert (said.audience, said.target, said.game_id) == ("public", Target("group", "700"), 1)
    assert [said.text] == [message.text for message in outcome.messages]


def test_parameters_are_the_game_s_own(house: House) -> None:
    house.create(parameters={"players": 8, "killer": 3, "posts_min": 1})
    house.ledger.commit()
    house.restart()
    sheet = house.ledger.game(1).sheet
    assert (sheet.players, sheet.roles["killer"].count, sheet.posts_min) == (8, 3, 1)
    assert house.ledger.rulesets["kingmaker"].posts_min == 2


def test_a_game_keeps_the_sheet_that_it_began_with(begun: House) -> None:
    begun.restart()
    begun.ledger.rulesets = {}
    assert begun.ledger.game(1).sheet.key == "kingmaker"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"sheet": "nothing"}, "unknown_sheet"),
        ({"parameters": {"nothing": 1}}, "bad_parameter"),
        ({"parameters": {"killer": -1}}, "bad_parameter"),
        ({"group": "700"}, "game_open"),
    ],
)
def test_opening_is_refused(house: House, values: dict[str, Any], code: str) -> None:
    house.create()
    house.ledger.commit()
    outcome = house.create(**{"group": "701"} | values)
    house.ledger.commit()
    assert outcome.refused is not None and outcome.refused.code == code
    assert outcome.game_id is None and len(house.store.games()) == 1
    assert len(house.said()) == 1, "whoever typed it is answered by the desk"


def test_two_games_opened_in_one_turn(house: House) -> None:
    assert [house.create("700").game_id, house.create("701").game_id] == [1, 2]
    again = house.create("701").refused
    assert again is not None and again.values["game"] == 2
    assert [game.id for game in house.ledger.open_games()] == [1, 2]
    house.ledger.commit()
    house.restart()
    assert house.create("702").game_id == 3


def test_each_audience_has_its_targets(begun: House) -> None:
    game = begun.ledger.game(1)
    assert targets(game, "public") == [Target("group", "700")]
    assert targets(game, "seat:2") == [Target("private", "12", "700")]
    assert targets(game, "channel:killers") == [
        Target("private", "12", "700"),
        Target("private", "13", "700"),
    ]
    assert targets(game, "directors") == [Target("private", "9", "700")]
    assert targets(game, "person:5") == [Target("private", "5", "700")]
    assert targets(game, "group:5") == [Target("group", "5")]
    for wrong in ("", "seat:", "nobody", "channel:"):
        with pytest.raises(ValueError):
            targets(game, wrong)


def test_a_bound_group_is_the_channel(begun: House) -> None:
    begun.act(c.Bind, channel="killers", group="701")
    begun.act(c.Bind, channel="directors", group="702")
    begun.act(c.Bind, channel="spectators", group="703")
    game = begun.ledger.game(1)
    # Until it was seen who is there, to each privately.
    members = [Target("private", game.seats[n].account, "700") for n in game.members("killers")]
    assert targets(game, "channel:killers") == members
    directors = targets(game, "directors")
    assert [target.kind for target in directors] == ["private"]
    killers = {target.id: "" for target in members}
    begun.act(c.CheckRoom, channel="killers", group="701", people=killers)
    people = {target.id: "" for target in directors}
    begun.act(c.CheckRoom, channel="directors", group="702", people=people)
    assert targets(game, "channel:killers") == [Target("group", "701")]
    assert targets(game, "directors") == [Target("group", "702")]
    assert targets(game, "directors", rooms=False) == directors
    assert targets(game, "public") == [Target("group", "700"), Target("group", "703")]


def test_a_seated_director_gets_nothing_of_the_directors(house: House) -> None:
    house.create()
    house.act(c.SignUp, account="9", name="导演")
    house.act(c.AddDirector, account="8", name="副")
    for account in "12345":
        house.act(c.SignUp, account=account, name=account)
    house.act(c.Deal, seed="00", roles=ROLES)
    house.ledger.commit()
    assert targets(house.ledger.game(1), "directors") == [Target("private", "8", "700")]
    house.ledger.tell(1, Message("directors", "x"))
    house.ledger.commit()
    assert [row.target.id for row in house.said() if row.audience == "directors"] == ["8"]


def test_a_private_message_goes_only_to_its_seat(begun: House) -> None:
    told = [row for row in begun.said() if row.audience.startswith("seat:")]
    assert {(row.audience, row.target.id) for row in told} == {
        (f"seat:{n}", str(10 + n)) for n in ROLES
    }
    assert all(row.target.kind == "private" and row.target.via_group == "700" for row in told)


def test_a_refusal_changes_nothing_and_goes_to_who_asked(begun: House) -> None:
    events, messages = begun.log(), begun.said()
    outcome = begun.act(c.Act, seat=4, ability="faction_kill", target=2)
    begun.ledger.commit()
    assert outcome.refused is not None and outcome.refused.code == "no_ability"
    assert outcome.events == [] and begun.log() == events
    [row] = begun.said()[len(messages) :]
    assert (row.audience, row.target, row.game_id) == ("person:9", ASKER, 1)
    command = c.Act(at=begun.now, seat=4, ability="faction_kill", target=2)
    assert row.text == begun.speech.refusal("no_ability", {}, begun.ledger.game(1), command)


def test_the_clock_is_settled_before_a_later_command(begun: House) -> None:
    """K-04 by night, refused by day: the opening comes first although nobody has woken us."""
    before = len(begun.said())
    begun.now = OPENING + timedelta(seconds=1)
    outcome = begun.act(c.Act, seat=2, ability="faction_kill", target=4)
    begun.ledger.commit()
    assert outcome.refused is not None and outcome.refused.code == "wrong_phase"
    assert "day_opened" in begun.log()
    assert "settled_late" not in begun.log()
    assert "public" in [row.audience for row in begun.said()[before:]]
    assert begun.said()[-1].target == ASKER, "the answer comes after what it rests on"
    opened = next(r for r in begun.store.load_events(1) if r.type == "day_opened")
    assert opened.at == OPENING


def test_a_command_at_the_very_moment_comes_after_the_clock(begun: House) -> None:
    begun.now = OPENING
    outcome = begun.act(c.Act, seat=2, ability="faction_kill", target=4)
    assert outcome.refused is not None and outcome.refused.code == "wrong_phase"


def test_a_command_just_before_comes_before_the_clock(begun: House) -> None:
    begun.now = OPENING - timedelta(microseconds=1)
    assert begun.act(c.Act, seat=2, ability="faction_kill", target=4).events
    begun.now = OPENING
    begun.ledger.wake(1, OPENING)
    assert 4 not in begun.ledger.game(1).living()


def test_a_command_from_the_past_counts_as_given_now(begun: House) -> None:
    begun.ledger.wake(1, OPENING)
    outcome = begun.act(c.Order, seat=4, target=2, at=OPENING - timedelta(seconds=2))
    assert outcome.events and {event.at for event in outcome.events} == {OPENING}


def test_after_an_outage_all_is_settled_in_order_as_of_when_it_was_due(begun: House) -> None:
    begun.restart()
    begun.now = OPENING + timedelta(hours=20, minutes=20)  # 13:20 next day
    begun.ledger.wake(1, begun.now)
    begun.ledger.commit()
    rows = begun.store.load_events(1)
    late = [codec.decode(row.version, row.body) for row in rows if row.type == "settled_late"]
    assert [(event.at, event.late) for event in late] == [  # type: ignore[attr-defined]
        (OPENING, (20 * 60 + 20) * 60),
        (OPENING + timedelta(hours=20), 20 * 60),
    ]
    assert [row.at for row in rows] == sorted(row.at for row in rows)
    assert begun.ledger.alarms() == {} or min(begun.ledger.alarms().values()) > begun.now


@pytest.mark.parametrize(("seconds", "late"), [(59, False), (60, True)])
def test_late_is_from_a_minute_on(begun: House, seconds: int, late: bool) -> None:
    begun.ledger.wake(1, OPENING - timedelta(seconds=1))
    begun.ledger.wake(1, OPENING + timedelta(seconds=seconds))
    begun.ledger.commit()
    assert ("settled_late" in begun.log()) is late


def test_a_message_is_handled_once_even_after_a_restart(begun: House) -> None:
    first = begun.act(c.Act, seat=2, ability="faction_kill", target=4, key="7:100")
    again = begun.act(c.Act, seat=2, ability="faction_kill", target=4, key="7:100")
    assert (first.repeat, again.repeat, again.events) == (False, True, [])
    begun.ledger.commit()
    events, messages = begun.log(), begun.said()
    begun.restart()
    assert begun.act(c.Act, seat=2, ability="faction_kill", target=5, key="7:100").repeat
    assert begun.ledger.repeat("7:100")
    assert begun.ledger.game(1).abilities.orders == {KILL: 4}
    begun.ledger.commit()
    assert (begun.log(), begun.said()) == (events, messages)


def test_a_repeated_opening_opens_nothing(house: House) -> None:
    house.create(key="7:1")
    assert house.create(group="701", key="7:1").repeat
    house.ledger.commit()
    assert house.store.last_game() == 1


def test_what_was_not_committed_was_not_handled(begun: House) -> None:
    begun.act(c.Act, seat=2, ability="faction_kill", target=4, key="7:100")
    begun.restart()
    assert not begun.act(c.Act, seat=2, ability="faction_kill", target=5, key="7:100").repeat
    begun.ledger.commit()
    assert begun.ledger.game(1).abilities.orders == {KILL: 5}


def test_handled_ids_are_forgotten_in_memory_and_on_disk(begun: House) -> None:
    begun.ledger.repeat("old")
    begun.ledger.commit()
    begun.now += ledger_module.REMEMBER + timedelta(hours=1)
    begun.ledger.repeat("new")
    begun.ledger.commit()
    assert list(begun.store.handled()) == ["new"]
    assert not begun.ledger.repeat("old")


def test_all_of_one_turn_is_one_transaction(begun: House, monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[Any] = []
    commit = begun.store.commit
    monkeypatch.setattr(
        begun.store, "commit", lambda changes: (batches.append(changes), commit(changes))
    )
    for target in (4, 5, 6):
        begun.act(c.Act, seat=2, ability="faction_kill", target=target, key=f"7:{target}")
    begun.ledger.say(Target("group", "700"), "x", 1)
    begun.ledger.saw("11", "甲")
    begun.ledger.commit()
    assert len(batches) == 1 and len(batches[0].events) == 3
    begun.ledger.commit()
    assert len(batches) == 1, "nothing to write is no transaction"


def test_a_conflict_drops_the_batch_and_reads_the_games_anew(begun: House) -> None:
    """Another process has settled the night; ours must not settle it a second time."""
    other = House(begun.store)
    begun.ledger.game(1)
    other.ledger.wake(1, OPENING)
    other.ledger.commit()
    settled, messages = begun.log(), begun.said()
    begun.create("701")
    begun.now = OPENING
    begun.act(c.Announce, text="x", key="7:5")
    begun.ledger.saw("5", "戊")
    with pytest.raises(Conflict) as caught:
        begun.ledger.commit()
    assert caught.value.game_ids == [1]
    assert (begun.log(), begun.said()) == (settled, messages)
    assert begun.store.last_game() == 1 and begun.store.person("5").name == ""
    with pytest.raises(NoSuchGame):
        begun.ledger.game(2)
    assert begun.ledger.game(1).phase == "day"
    assert [game.id for game in begun.ledger.open_games()] == [1]
    # Whoever asked may ask again: the message counts as not handled.
    assert begun.act(c.Announce, text="x", key="7:5").events
    begun.ledger.saw("5", "戊")
    begun.ledger.commit()
    assert begun.log() == [*settled, "announced"]
    assert begun.store.person("5").name == "戊"


def test_when_the_database_fails_nothing_is_kept_or_said(
    begun: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    begun.ledger.on_outbox = lambda rows: told.append(1)

    def fail(changes: Any) -> None:
        raise StoreError("the database failed")

    with monkeypatch.context() as patch:
        patch.setattr(begun.store, "commit", fail)
        begun.act(c.Act, seat=2, ability="faction_kill", target=4, key="7:5")
        with pytest.raises(StoreError):
            begun.ledger.commit()
    assert told == [] and begun.ledger.game(1).abilities.orders == {}
    begun.act(c.Act, seat=2, ability="faction_kill", target=5, key="7:5")
    begun.ledger.commit()
    assert told == [1] and begun.ledger.game(1).abilities.orders == {KILL: 5}


SECRET = "3 is the killer"


def broken(game: Game, command: c.Command) -> list[Event]:
    game.seats[4].alive = False
    raise ValueError(SECRET)


def test_a_fault_of_the_engine_leaves_the_game_as_it_was(
    begun: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun.act(c.Act, seat=2, ability="faction_kill", target=5)  # of the same turn, and it must stay
    with monkeypatch.context() as patch, caplog.at_level(logging.DEBUG):
        patch.setattr(Game, "handle", broken)
        outcome = begun.act(c.Act, seat=2, ability="faction_kill", target=6)
    assert outcome.failed and outcome.events == [] and outcome.refused is None
    assert 4 in begun.ledger.game(1).living()
    assert begun.ledger.game(1).abilities.orders == {KILL: 5}
    assert begun.act(c.Act, seat=3, ability="faction_kill", target=6).events
    assert [row.type for row in begun.ledger.rows(1)][-2:] == ["kill_named", "kill_named"]
    assert [row.type for row in begun.ledger.rows(1)][:-2] == begun.log()
    begun.ledger.commit()
    begun.restart()
    assert begun.ledger.game(1).abilities.orders == {KILL: 6}
    assert [row.text for row in begun.said() if row.target == ASKER][-1] == begun.speech.say(
        "error.internal"
    )
    assert "ValueError" in caplog.text and "game 1" in caplog.text
    assert SECRET not in caplog.text


def test_a_fault_of_the_speech_leaves_the_game_as_it_was(
    begun: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = begun.log()

    def fail(game: Game, events: Sequence[Event]) -> list[Message]:
        raise KeyError(SECRET)

    with monkeypatch.context() as patch:
        patch.setattr(begun.speech, "events", fail)
        assert begun.act(c.Act, seat=2, ability="faction_kill", target=5).failed
        assert begun.ledger.wake(1, OPENING).failed
        assert begun.create("701").failed
    begun.ledger.commit()
    assert begun.log() == before and begun.ledger.game(1).abilities.orders == {}
    assert begun.store.last_game() == 1


def test_deadlines_that_were_settled_stay_when_the_command_faults(
    begun: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = Game.handle

    def fail_for_orders(game: Game, command: c.Command) -> list[Event]:
        if isinstance(command, c.Order):
            raise ValueError(SECRET)
        return handle(game, command)

    monkeypatch.setattr(Game, "handle", fail_for_orders)
    begun.now = OPENING
    assert begun.act(c.Order, seat=4, target=2).failed
    begun.ledger.commit()
    assert "day_opened" in begun.log()
    assert begun.ledger.game(1).phase == "day"


def test_a_clock_that_stands_still_is_a_fault_and_no_endless_loop(
    begun: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, "handle", lambda game, command: [])
    assert begun.ledger.wake(1, OPENING).failed


def test_a_log_that_cannot_be_read_stops_only_its_own_game(
    begun: House, caplog: pytest.LogCaptureFixture
) -> None:
    begun.create("701")
    begun.ledger.commit()
    with begun.store._writing.begin() as connection:
        connection.exec_driver_sql("UPDATE events SET body = '{}' WHERE game_id = 1 AND seq = 3")
    begun.restart()
    assert [game.id for game in begun.ledger.open_games()] == [2]
    assert begun.ledger.alarms() == {}
    assert begun.act(c.Act, seat=2, ability="faction_kill", target=4).failed
    assert begun.act(c.SignUp, 2, account="5", name="戊").events
    begun.ledger.commit()
    fault = begun.speech.say("error.internal")
    assert any(row.text.endswith(fault) for row in begun.said())


def test_hooks_come_after_the_commit(begun: House) -> None:
    seen: list[Any] = []
    ledger = begun.ledger
    assert list(ledger.alarms()) == [1]
    ledger.on_outbox = lambda rows: seen.append(len(begun.said()))
    ledger.on_alarm = lambda game_id, when: seen.append((game_id, when))
    count = len(begun.said())
    begun.act(c.Act, seat=2, ability="faction_kill", target=4)
    assert seen == []
    ledger.commit()
    assert seen == [len(begun.said())] and seen[0] > count, "a kill moves no alarm"
    seen.clear()
    begun.act(c.Pause)
    ledger.commit()
    assert (1, None) in seen
    seen.clear()
    begun.now += timedelta(hours=1)
    begun.act(c.Resume)
    ledger.commit()
    assert (1, ledger.game(1).next_alarm()) in seen
    assert ledger.alarms() == {1: ledger.game(1).next_alarm()}
    seen.clear()
    begun.act(c.EndGame)
    ledger.commit()
    assert (1, None) in seen and ledger.alarms() == {}


def test_a_game_that_is_over(begun: House) -> None:
    """Killers win: who sat at the end has one more finished game, and another can be opened."""
    for seat in (1, 4, 5, 6):
        begun.act(c.RuleOut, target=seat, reason="x")
    begun.ledger.commit()
    row = begun.store.game(1)
    assert row is not None and (row.phase, row.ended) == ("over", begun.now)
    assert begun.ledger.open_games() == []
    assert begun.ledger.game(1).winner == "killers"
    assert [begun.store.finished(a) for a in ("11", "16", "9")] == [1, 1, 0]
    outcome = begun.act(c.Act, seat=2, ability="faction_kill", target=4)
    assert outcome.refused is not None and outcome.refused.code == "over"
    assert begun.create("700").game_id == 2


def test_a_game_broken_off_counts_for_nobody(begun: House) -> None:
    begun.act(c.EndGame)
    begun.ledger.commit()
    assert begun.store.games(open_only=True) == [] and begun.store.finished("11") == 0


def test_a_restart_is_the_same_fold(begun: House) -> None:
    begun.act(c.Act, seat=2, ability="faction_kill", target=4)
    begun.ledger.wake(1, OPENING)
    begun.ledger.commit()
    before = codec.facts(begun.ledger.game(1))
    begun.restart()
    assert codec.facts(begun.ledger.game(1)) == before


def test_no_such_game(begun: House) -> None:
    for ask in (begun.ledger.game, lambda n: begun.act(c.Pause, n)):
        with pytest.raises(NoSuchGame):
            ask(5)
    with pytest.raises(NoSuchGame):
        begun.ledger.wake(5, OPENING)
    with pytest.raises(NoSuchGame):
        begun.act(c.Pause, 5, key="7:9")
    assert not begun.ledger.repeat("7:9")


def test_people(begun: House) -> None:
    begun.ledger.saw("11", "甲")
    begun.ledger.choose("11", 1)
    person = begun.ledger.person("11")
    assert (person.name, person.chosen, person.reachable) == ("甲", 1, None)
    begun.ledger.commit()
    begun.store.set_reachable("11", True)
    begun.ledger.saw("11", "甲2\0\ud800")
    begun.ledger.commit()
    person = begun.store.person("11")
    assert (person.name, person.chosen, person.reachable) == ("甲2?", 1, True)


def test_what_cannot_be_written_is_taken_out_of_a_text(begun: House) -> None:
    begun.ledger.say(ASKER, "a\0b\ud83dc")
    begun.ledger.commit()
    assert begun.said()[-1].text == "ab?c"


def test_say_tell_and_pull(begun: House) -> None:
    begun.ledger.say(Target("group", "5"), "x")
    begun.ledger.say(ASKER, "", 1, action="recall", arguments={"message_id": 3})
    begun.ledger.tell(1, Message("channel:killers", "y"))
    begun.ledger.commit()
    rows = begun.said()[-4:]
    assert [(r.audience, r.target.id, r.game_id) for r in rows] == [
        ("group:5", "5", None),
        ("person:9", "9", 1),
        ("channel:killers", "12", 1),
        ("channel:killers", "13", 1),
    ]
    assert rows[1].action == "recall" and rows[1].arguments == {"message_id": 3}
    begun.store.give_up(rows[2].id)
    begun.ledger.pull("12")
    called: list[int] = []
    begun.ledger.on_outbox = lambda rows: called.append(1)
    begun.ledger.commit()
    assert called == [1] and begun.store.undelivered("12") == []


def test_a_former_player_gets_nothing_more_of_what_was_to_be_said(begun: House) -> None:
    """M84-48: neither what waits on disk nor what is still to be written."""
    former = Target("private", "14", "700")
    begun.ledger.say(former, "on disk", 1)
    begun.ledger.say(former, "of no game")
    begun.ledger.commit()
    begun.store.give_up(begun.said()[-2].id)
    begun.ledger.pull("14")
    begun.ledger.say(former, "in the batch", 1)
    begun.ledger.say(Target("private", "13", "700"), "to another", 1)
    assert begun.act(c.Replace, target=4, account="77", name="新").refused is None
    begun.ledger.say(former, "an answer to what he still asks", 1)
    begun.ledger.commit()
    texts = [row.text for row in begun.said() if row.target.id == "14"]
    assert texts == ["of no game", "an answer to what he still asks"]
    assert "to another" in [row.text for row in begun.said()]
    assert begun.store.undelivered("14") == []


def test_in_memory_it_is_the_same() -> None:
    """``sqlite://``: what rehearsals play on."""
    store = Store("sqlite://")
    store.migrate()
    house = House(store)
    house.create()
    house.deal()
    house.ledger.commit()
    house.restart()
    assert house.ledger.game(1).phase == "night"


def test_an_act_costs_the_same_however_long_the_log(begun: House) -> None:
    """No act reads or counts the log: its statements are as many at event 20 as at event 2000."""
    statements: list[str] = []

    def count(conn: Any, cursor: Any, statement: str, *rest: Any) -> None:
        statements.append(statement)

    sqlalchemy.event.listen(begun.store._engine, "before_cursor_execute", count)

    def cost() -> list[str]:
        statements.clear()
        begun.act(c.Act, seat=2, ability="faction_kill", target=4)
        begun.ledger.commit()
        return list(statements)

    short = cost()
    for _ in range(300):
        begun.act(c.Say, seat=2, text="x")
    begun.ledger.commit()
    assert cost() == short
    assert not any(statement.startswith("SELECT") for statement in short)
