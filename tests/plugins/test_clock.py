"""The clock: what falls due is settled, on time, late, and after what came before it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from data.store import StoreError
from engine.commands import Deal, SignUp
from plugins import clock
from plugins.gamemaster.desk import Incoming, Settings
from plugins.gamemaster.house import House
from tests.plugins.desk import GROUP, HOST, ROLES


@pytest.fixture
def house() -> Iterator[House]:
    """A house with a database in memory, in which the clock stands."""
    house = House(Settings(), url="sqlite://")
    house.open()
    yield house
    house.store.close()


def deal(house: House, group: str, at: datetime) -> int:
    """A game that was dealt at a moment."""
    typed = [(HOST, "开局 拥王者"), *((str(seat), "报名") for seat in ROLES)]
    for number, (account, text) in enumerate(typed):
        house.desk.receive(
            Incoming(
                at=at, account=account, name=account, text=text, message_id=str(number), group=group
            )
        )
    game = house.ledger.open_games()[-1].id
    house.ledger.act(game, Deal(at=at, seed="00", roles=ROLES))
    assert house.commit()
    return game


NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)  # in Shanghai; the first day opens at 17:00


async def test_what_fell_due_while_the_bot_was_off_is_settled_at_start(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = deal(house, GROUP, NOON), deal(house, "901", NOON + timedelta(minutes=1))
    monkeypatch.setattr(house, "now", lambda: NOON + timedelta(hours=5, minutes=20))
    clock.settle_overdue(house)
    for number in (first, second):
        game = house.ledger.game(number)
        assert (game.phase, game.day) == ("day", 1)
        assert game.now == NOON + timedelta(hours=5)
        said = [row for row in house.store.messages() if row.target.id == game.group]
        assert "20分钟" in said[-1].text and "第1天" in said[-1].text
    assert set(house.ledger.alarms()) == {first, second}


async def test_what_fell_due_in_several_games_is_settled_in_the_order_in_which_it_fell_due(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for group, opens, closes in ((GROUP, "17:00", "13:00"), ("901", "16:30", "13:30")):
        open_ = house.ledger.create(
            at=NOON,
            group=group,
            sheet="kingmaker",
            parameters={"open": opens, "close": closes, "reminders": []},
            account=HOST,
            name=HOST,
        )
        assert open_.game_id is not None
        for seat in ROLES:
            person = SignUp(at=NOON, account=f"{group}{seat}", name=str(seat))
            house.ledger.act(open_.game_id, person)
        house.ledger.act(open_.game_id, Deal(at=NOON, seed="00", roles=ROLES))
    house.commit()
    seen = len(house.store.messages())
    # The next day, after both closes.
    monkeypatch.setattr(house, "now", lambda: NOON + timedelta(days=1, hours=2))
    clock.settle_overdue(house)
    said = [row for row in house.store.messages()[seen:] if row.target.kind == "group"]
    late = [(row.target.id, row.text) for row in said if "离线" in row.text]
    assert [group for group, _ in late] == ["901", GROUP, GROUP, "901"]
    for hour, (_, text) in zip(("16:30", "17:00", "13:00", "13:30"), late, strict=True):
        assert hour in text.splitlines()[0]


async def test_one_game_that_cannot_be_settled_holds_up_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = deal(house, GROUP, NOON), deal(house, "901", NOON)
    wake = house.ledger.wake

    def fails(game_id: int, now: datetime, until: datetime | None = None) -> object:
        if game_id == first:
            raise StoreError("the database failed")
        return wake(game_id, now, until)

    monkeypatch.setattr(house.ledger, "wake", fails)
    monkeypatch.setattr(house, "now", lambda: NOON + timedelta(hours=6))
    clock.settle_overdue(house)
    assert house.ledger.game(first).phase == "night"
    assert house.ledger.game(second).phase == "day"
    # Its alarm rings again later.
    alarms = clock.Alarms(house)
    await alarms.ring(first)
    job = alarms.scheduler.get_job(str(first))
    assert job is not None and job.trigger.run_date == house.now() + clock.RETRY


async def test_a_message_received_before_the_deadline_comes_before_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = deal(house, GROUP, NOON)
    due = NOON + timedelta(hours=5)
    kill = Incoming(
        at=due - timedelta(seconds=1), account="2", name="2", text="刀 7", message_id="k"
    )
    house.arrive(lambda: kill)
    monkeypatch.setattr(house, "now", lambda: due)
    await clock.Alarms(house).ring(number)
    game = house.ledger.game(number)
    assert game.phase == "day" and not game.seats[7].alive


async def test_an_alarm_follows_the_game(house: House) -> None:
    number = deal(house, GROUP, NOON)
    armed: dict[int, datetime | None] = {}
    house.ledger.on_alarm = armed.__setitem__
    house.ledger.wake(number, NOON + timedelta(hours=4, minutes=10))
    house.commit()
    assert armed == {number: NOON + timedelta(hours=4, minutes=50)}
    pause = Incoming(
        at=NOON + timedelta(hours=4, minutes=11),
        account=HOST,
        name=HOST,
        text="暂停",
        message_id="p",
    )
    house.desk.receive(pause)
    house.commit()
    assert armed == {number: None}


async def test_an_alarm_that_is_late_rings_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[int] = []

    async def ring(game_id: int) -> None:
        rung.append(game_id)

    alarms = clock.Alarms(house)
    monkeypatch.setattr(alarms, "ring", ring)
    alarms.arm(1, datetime.now(UTC) - timedelta(hours=1))
    alarms.arm(2, datetime.now(UTC) + timedelta(seconds=0.1))
    alarms.arm(3, datetime.now(UTC) + timedelta(seconds=0.1))
    alarms.arm(3, None)
    alarms.arm(4, None)
    alarms.start()
    try:
        async with asyncio.timeout(5):
            while len(rung) < 2:
                await asyncio.sleep(0.01)
        assert rung == [1, 2]
    finally:
        alarms.stop()
