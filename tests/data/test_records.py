"""What somebody's games have come to: derived from a game that is over, by any board."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from data import records
from data.__main__ import main
from data.ledger import Ledger, Outcome
from data.records import Record, RecordRow, Tally
from data.store import Queued, Store
from engine import commands as c
from engine.game import Game
from plugins.gamemaster.desk import Settings
from plugins.gamemaster.house import House as Rooms
from tests.data.table import SHEETS, SPEECH, START


class House:
    """A ledger over a store, and games that are brought to an end in it by a director."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = START
        self.restart()

    def restart(self) -> None:
        self.ledger = Ledger(self.store, SPEECH, SHEETS, clock=lambda: self.now)

    def act(self, game: int, kind: Callable[..., c.Command], **values: Any) -> Outcome:
        outcome = self.ledger.act(game, kind(at=self.now, **values))
        assert not outcome.failed and outcome.refused is None, outcome.refused
        return outcome

    def deal(self, key: str, group: str = "700") -> int:
        """Accounts "1", "2" … sit on the seats of these numbers; the director is "d"."""
        created = self.ledger.create(
            at=self.now, group=group, sheet=key, parameters={}, account="d", name="导"
        )
        assert created.game_id is not None
        sheet = SHEETS[key]
        for number in range(1, (sheet.players or sheet.players_min) + 1):
            self.act(created.game_id, c.SignUp, account=str(number), name=f"名{number}")
        self.act(created.game_id, c.Deal, seed="5eed")
        return created.game_id

    def finish(self, game_id: int) -> Game:
        """Rule seats out, the last first, until it is over."""
        while (game := self.ledger.game(game_id)).phase != "over":
            self.act(game_id, c.RuleOut, target=game.living()[-1], reason="x")
        self.ledger.commit()
        return self.ledger.game(game_id)

    def record(self, account: str) -> Record:
        return records.add_up(self.store.records(account))


@pytest.fixture
def house(store: Store) -> House:
    return House(store)


@pytest.mark.parametrize("key", sorted(SHEETS))
def test_every_board_leaves_a_record_of_everybody(house: House, key: str) -> None:
    number = house.deal(key)
    house.act(number, c.Coach, target=1, account="coach", name="场助")
    house.act(number, c.Replace, target=2, account="new", name="新人")
    game = house.finish(number)
    assert game.winner
    for seat in game.seats.values():
        (row,) = house.store.records(seat.account)
        own = (row.part, row.role, row.faction, row.alive)
        assert own == ("seat", seat.role, seat.faction, seat.alive)
        assert row.result == ("won" if game.winner == seat.faction else "lost")
        assert house.store.finished(seat.account) == 1
    assert {row.result for row in records.of(game)} == {"won", "lost"}
    (coached,) = house.store.records("coach")
    (coach_of,) = house.store.records("1")
    assert (coached.part, coached.result) == ("coach", coach_of.result)
    assert (house.store.finished("coach"), house.store.finished("2")) == (1, 0)
    (gone,) = house.store.records("2")
    assert gone.part == "replaced" and house.record("2").replaced == 1
    assert house.store.records("d") == []
    # What is derived once more is the same, also on the command line.
    before = house.store.records("1"), house.store.records("coach"), house.store.records("2")
    house.store.write_records(number, [])
    assert house.store.unrecorded() == [number]
    house.restart()
    assert house.ledger.record(house.store.unrecorded()) == 1
    after = house.store.records("1"), house.store.records("coach"), house.store.records("2")
    assert before == after
    for account in ("1", "coach", "2", "d"):
        name = "某人"
        text = SPEECH.record(name, house.record(account))
        assert name in text and row.role not in text


def test_a_game_broken_off_counts_for_nobody(house: House) -> None:
    house.act(house.deal("m84"), c.EndGame)
    house.ledger.commit()
    record = house.record("1")
    assert (record.games, record.stopped, record.roles) == (Tally(0, 0), 1, {})
    assert house.store.finished("1") == 0
    assert "终止 1 局" in SPEECH.record("甲", record)


def test_a_game_ended_before_the_deal_is_none(house: House) -> None:
    house.ledger.create(
        at=house.now, group="700", sheet="nine", parameters={}, account="d", name="导"
    )
    house.act(1, c.SignUp, account="1", name="甲")
    house.act(1, c.EndGame)
    house.ledger.commit()
    assert house.store.records("1") == []
    assert SPEECH.record("甲", house.record("1")) == "甲 还没有打完的局。"


def test_cards_are_his_who_got_them(house: House) -> None:
    number = house.deal("m84")
    house.act(number, c.Card, target=2, colour="yellow", reason="x")
    house.act(number, c.Card, target=2, colour="blue", reason="x")
    house.act(number, c.Replace, target=2, account="new", name="新人")
    house.act(number, c.Card, target=2, colour="blue", reason="x")
    house.act(number, c.Card, target=3, colour="blue", reason="x")
    house.finish(number)
    assert house.record("2").marks == {"blue": 1, "yellow": 1}
    assert house.record("new").marks == {"blue": 1}
    assert "蓝牌1张" in SPEECH.record("新人", house.record("new"))
    assert house.record("3").marks == {"blue": 1} and house.record("1").marks == {}


def test_warnings_are_counted(house: House) -> None:
    number = house.deal("kingmaker")
    house.act(number, c.Warn, target=1, reason="x")
    house.finish(number)
    assert house.record("1").marks == {"warnings": 1}


def row(game_id: int, **values: Any) -> RecordRow:
    fields: dict[str, Any] = {
        "seat": 1,
        "part": "seat",
        "account": "1",
        "theme": "standard",
        "role": "seer",
        "faction": "town",
        "result": "won",
        "alive": True,
    }
    return RecordRow(game_id=game_id, **fields | values)


def test_the_sum() -> None:
    record = records.add_up(
        [
            row(1),
            row(2, result="lost", alive=False, yellow=2),
            row(3, role="werewolf", faction="wolves", result="draw"),
            # Coach of two seats in one game, of which one won.
            row(4, part="coach", alive=True, yellow=5),
            row(4, seat=2, part="coach", result="lost"),
            row(5, part="replaced", result="lost", blue=1),
            row(6, result="stopped"),
        ]
    )
    assert (record.games, record.drawn, record.alive) == (Tally(4, 2), 1, 2)
    assert record.factions == {
        ("standard", "town"): Tally(2, 1),
        ("standard", "wolves"): Tally(1, 0),
    }
    assert list(record.roles) == [("standard", "seer"), ("standard", "werewolf")]
    assert (record.coached, record.marks) == (Tally(1, 1), {"blue": 1, "yellow": 2})
    assert (record.replaced, record.stopped) == (1, 1)


def test_boards_that_call_it_the_same_are_told_together() -> None:
    rows = [row(1, theme="standard"), row(2, theme="mild"), row(3, theme="gone", role="seer")]
    text = SPEECH.record("甲", records.add_up(rows))
    assert "打完 3 局，赢 3 局" in text
    assert "预言家 1 局" in text or "预言家 2 局" in text
    # A theme that is there no more has no name for it.
    assert "seer 1 局" in text


def test_everything_on_the_command_line(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = house.deal("six")
    house.finish(number)
    before = house.store.records("1")
    house.store.write_records(number, [row(number, account="1", role="nobody")])
    url = house.store.url.render_as_string(hide_password=False)
    monkeypatch.setenv("DATABASE_URL", url)
    assert main(["records"]) == 0
    assert capsys.readouterr().out == "1 games, 0 that can't be read\n"
    assert house.store.records("1") == before


def test_a_house_makes_the_records_that_are_missing(house: House) -> None:
    """As after an update: the games are there, and nobody's record is."""
    number = house.deal("six")
    house.finish(number)
    going = house.deal("nine", "701")
    house.ledger.commit()
    before = house.store.records("1")
    house.store.write_records(number, [])
    opened = Rooms(Settings(), url=house.store.url.render_as_string(hide_password=False))
    opened.open()
    assert opened.store.records("1") == before and opened.store.unrecorded() == []
    assert [game.id for game in opened.ledger.open_games()] == [going]
    opened.store.close()


# --- being forgotten -----------------------------------------------------------------------------


def test_who_is_forgotten_has_no_name_in_what_is_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = house.deal("kingmaker")
    house.act(number, c.Coach, target=1, account="coach", name="场助")
    house.finish(number)
    house.ledger.saw("1", "名1")
    house.ledger.saw("coach", "场助")
    house.ledger.commit()
    digest = [r.digest for r in house.store.load_events(number)]
    assert house.ledger.game(number).seats[1].name == "名1"
    house.ledger.forget("1")
    house.ledger.forget("coach")
    house.ledger.forget("d")
    house.ledger.commit()

    def nameless() -> None:
        game = house.ledger.game(number)
        assert [seat.name for seat in game.seats.values()][:2] == ["", "名2"]
        assert game.seats[1].coach is not None and game.seats[1].coach.name == ""
        assert game.directors == {"d": ""}
        said = [
            SPEECH.log_line(house.ledger.read(r), game) for r in house.store.load_events(number)
        ]
        assert not any("名1" in line or "场助 成为" in line for line in said)
        assert any("名2" in line for line in said)

    nameless()
    house.restart()
    nameless()
    # The events themselves are as they were: their chain holds.
    assert [r.digest for r in house.store.load_events(number)] == digest
    monkeypatch.setenv("DATABASE_URL", house.store.url.render_as_string(hide_password=False))
    assert main(["verify"]) == 0
    assert house.ledger.person("1").name == "" and house.store.finished("1") == 0
    house.ledger.record([number])
    assert house.store.records("1") == [] and len(house.store.records("2")) == 1


def test_who_comes_back_is_somebody_new(house: House) -> None:
    house.finish(house.deal("kingmaker"))
    house.ledger.forget("1")
    house.ledger.commit()
    house.now += timedelta(days=1)
    number = house.deal("kingmaker", "701")
    assert house.ledger.game(number).seats[1].name == "名1"
    house.finish(number)
    house.restart()
    assert house.ledger.game(number).seats[1].name == "名1"
    assert house.ledger.game(1).seats[1].name == ""
    assert [row.game_id for row in house.store.records("1")] == [number]


def test_who_is_forgotten_waits_no_more(house: House) -> None:
    house.ledger.set_queue("700", [Queued("1", "甲"), Queued("2", "乙")])
    house.ledger.commit()
    house.ledger.forget("1")
    house.ledger.commit()
    house.restart()
    assert house.ledger.queue("700") == [Queued("2", "乙")] and house.ledger.queued("1") == []


def test_a_batch_that_is_lost_forgets_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.finish(house.deal("kingmaker"))
    house.ledger.forget("1")
    house.ledger.set_queue("700", [Queued("2", "乙")])
    assert house.ledger.game(1).seats[1].name == ""

    def fail(changes: object) -> None:
        raise OSError

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "commit", fail)
        with pytest.raises(OSError):
            house.ledger.commit()
    assert house.ledger.queue("700") == []
    assert house.store.finished("1") == 1
    assert house.ledger.game(1).seats[1].name == "名1"
