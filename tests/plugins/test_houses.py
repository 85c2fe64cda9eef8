"""Two houses in one bot: each hears its own account, by its own clock, and answers through it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import nonebot
import pytest
from nonebot.adapters.onebot.v11 import Adapter, Bot

from plugins import clock, courier
from plugins.courier.config import Config
from plugins.gamemaster import chat
from plugins.gamemaster.desk import Settings
from plugins.gamemaster.house import House

GROUP = 900
THEN = datetime(2026, 3, 2, 4, tzinfo=UTC)
SPEED = Config(send_pace=0, send_pace_target=0)


class _Account(Bot):
    """A bot's account, with what was said through it."""

    def __init__(self, self_id: str) -> None:
        super().__init__(nonebot.get_adapter(Adapter), self_id)
        self.said: list[tuple[str, int]] = []
        self._id = 0

    async def call_api(self, api: str, **data: Any) -> Any:
        self.said.append((api, data.get("user_id") or data["group_id"]))
        return {"message_id": 1}

    async def hears(self, words: str, account: int = 7, group: int | None = None) -> None:
        """Somebody types something to this account, and all that it causes is said."""
        self._id += 1
        where = {"message_type": "private", "sub_type": "friend"}
        if group is not None:
            where = {"message_type": "group", "sub_type": "normal", "group_id": group}
        event = Adapter.json_to_event(
            {
                "time": 1,
                "self_id": int(self.self_id),
                "post_type": "message",
                "message_id": self._id,
                "user_id": account,
                "message": [{"type": "text", "data": {"text": words}}],
                "raw_message": words,
                "font": 0,
                "sender": {"user_id": account, "nickname": f"n{account}"},
                **where,
            }
        )
        assert event is not None
        await self.handle_event(event)
        await asyncio.sleep(0.05)


Two = tuple[tuple[House, _Account], tuple[House, _Account]]


@pytest.fixture
async def two(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Two]:
    """Two houses in memory, each with a connected account."""
    homes = []
    for number, hours in (("21", 0), ("22", 50)):
        moment = THEN + timedelta(hours=hours)
        house = House(Settings(), url="sqlite://", clock=lambda m=moment: m, like=chat.house)
        house.open()
        chat.move_in(number, house)
        courier.send_for(house, SPEED)
        homes.append((house, _Account(number)))
    bots = {account.self_id: account for _, account in homes}
    monkeypatch.setattr(nonebot, "get_bots", lambda: bots)
    yield homes[0], homes[1]
    for house, account in homes:
        await courier.stop_for(house)
        chat.move_in(account.self_id, None)
        house.store.close()


async def test_the_same_group_and_people_play_two_games(two: Two) -> None:
    (here, one), (there, other) = two
    await one.hears("开局 拥王者", group=GROUP)
    assert [game.group for game in here.ledger.open_games()] == [str(GROUP)]
    assert there.ledger.open_games() == [] and other.said == []
    assert one.said == [("send_group_msg", GROUP)]
    await other.hears("开局 M84", group=GROUP)
    await other.hears("报名", 8, GROUP)
    assert [game.sheet.key for game in here.ledger.open_games()] == ["kingmaker"]
    assert [game.sheet.key for game in there.ledger.open_games()] == ["m84"]
    assert one.said == [("send_group_msg", GROUP)]
    assert ("send_private_msg", 8) in other.said


async def test_each_goes_by_its_own_clock(two: Two) -> None:
    (here, one), (there, other) = two
    for account in (one, other):
        await account.hears("开局 拥王者", group=GROUP)
    (game,), (later,) = here.ledger.open_games(), there.ledger.open_games()
    assert (game.now, later.now) == (THEN, THEN + timedelta(hours=50))
    assert here.store.messages()[-1].created == THEN
    clock.settle_overdue(here)
    assert later.now == THEN + timedelta(hours=50)


async def test_what_became_of_a_message_is_told_once_it_is_on_disk(two: Two) -> None:
    (here, one), _ = two
    told: list[tuple[str, str, int]] = []
    here.on_heard = lambda message, heard: told.append(
        (message.text, heard, len(here.store.games()))
    )
    for words in ("大家好", "开局 拥王者", "开局 M84"):
        await one.hears(words, group=GROUP)
        await asyncio.sleep(0.3)
    assert told == [("大家好", "talk", 0), ("开局 拥王者", "done", 1), ("开局 M84", "refused", 1)]


async def test_an_account_whose_house_is_gone_is_heard_by_nobody(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here, one), _ = two
    arrived: list[Any] = []
    monkeypatch.setattr(chat.house, "arrive", arrived.append)
    chat.move_in(one.self_id, None)
    await one.hears("开局 拥王者", group=GROUP)
    assert here.ledger.open_games() == [] and one.said == []
    assert arrived == []
    assert chat.house_of("10000") is chat.house
