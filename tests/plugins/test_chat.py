"""The NoneBot side: the order of messages, what becomes of a message, and what is logged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import nonebot
import pytest
from nonebot.adapters.onebot.v11 import Adapter, Bot, Event
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.log import logger
from nonebot.matcher import matchers

from data.message import Target
from data.store import Conflict, StoreError
from engine.commands import Deal, OpenDay
from plugins.gamemaster import chat
from plugins.gamemaster.chat import house, incoming
from plugins.gamemaster.config import Config
from plugins.gamemaster.house import now

SELF, GROUP = 10000, 900


class _Bot(Bot):
    """A bot whose client is never asked for anything."""

    async def call_api(self, api: str, **data: Any) -> Any:
        raise AssertionError(f"{api} was called")


@pytest.fixture
def bot() -> Iterator[Bot]:
    """A bot in the real plugin, with a database in memory."""
    url, house.url = house.url, "sqlite://"
    house.open()
    yield _Bot(nonebot.get_adapter(Adapter), str(SELF))
    house.store.close()
    house.url, house._open = url, False
    house._arrived.clear()
    house._again.clear()


_ids = iter(range(1, 100_000))


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "data": {"text": words}}


def event(
    words: list[dict[str, Any]] | str, account: int = 7, group: int | None = None, **more: Any
) -> Event:
    """An event as the adapter makes it of what a client reports."""
    raw: dict[str, Any] = {
        "time": int(time.time()),
        "self_id": SELF,
        "post_type": "message",
        "message_type": "private" if group is None else "group",
        "sub_type": "friend" if group is None else "normal",
        "message_id": next(_ids),
        "user_id": account,
        "message": [text(words)] if isinstance(words, str) else words,
        "raw_message": "",
        "font": 0,
        "sender": {"user_id": account, "nickname": f"昵称{account}", "card": "", "role": "member"},
        **({} if group is None else {"group_id": group}),
    }
    for key, value in more.items():
        raw[key] = {**raw[key], **value} if isinstance(value, dict) else value
    found = Adapter.json_to_event(raw)
    assert found is not None
    return found


async def settled() -> None:
    """Let what is under way come to its end."""
    for _ in range(20):
        await asyncio.sleep(0)


def said() -> list[tuple[Target, str]]:
    return [(row.target, row.text) for row in house.store.messages()]


def test_there_is_one_matcher() -> None:
    ours = [
        m for found in matchers.values() for m in found if (m.module_name or "")[:8] == "plugins."
    ]
    assert [m.type for m in ours] == ["message", "notice", "request"]


def test_what_a_message_is() -> None:
    message = incoming(event("刀 3", 7), now())
    assert message is not None
    assert (message.account, message.name, message.text) == ("7", "昵称7", "刀 3")
    assert (message.group, message.via_group, message.admin) == (None, None, False)
    message = incoming(
        event(
            [
                {"type": "reply", "data": {"id": "5"}},
                {"type": "at", "data": {"qq": "8"}},
                text(" 替补 3 "),
                {"type": "at", "data": {"qq": "9", "name": "@小明"}},
                {"type": "at", "data": {"qq": "all"}},
            ],
            group=GROUP,
            sender={"card": "名片", "role": "admin"},
        ),
        now(),
    )
    assert message is not None
    assert message.text.split() == ["替补", "3", "@9", "@all"]
    assert (message.name, message.group, message.admin) == ("名片", "900", True)
    assert message.mentions == {"9": "小明"} and not message.pictures
    message = incoming(event([{"type": "image", "data": {"file": "x"}}, text("刀 3")]), now())
    assert message is not None and message.pictures
    message = incoming(event([text("喵"), {"type": "face", "data": {"id": "14"}}]), now())
    assert message is not None and message.text.strip() == "喵"
    assert (message.faces, message.pictures, message.quotes) == (True, False, False)
    for kind in ("image", "record", "video", "forward", "json", "mface", "dice", "rps", "file"):
        message = incoming(event([{"type": kind, "data": {}}, text("喵")], group=GROUP), now())
        assert message is not None and message.pictures and not message.faces, kind
    message = incoming(event([{"type": "reply", "data": {"id": "5"}}, text("喵")]), now())
    assert message is not None and (message.quotes, message.pictures) == (True, False)
    # A literal CQ code in a piece of text is text.
    message = incoming(event([text("[CQ:at,qq=all] 刀 3")]), now())
    assert message is not None and message.text == "[CQ:at,qq=all] 刀 3" and not message.pictures


@pytest.mark.parametrize(
    "more", [{"group_id": 900}, {"sender": {"group_id": 900}}], ids=["event", "sender"]
)
def test_a_temporary_session_is_answered_through_its_group(more: dict[str, Any]) -> None:
    message = incoming(event("帮助", sub_type="group", **more), now())
    assert message is not None and (message.group, message.via_group) == (None, "900")


def test_the_bots_own_messages_are_left_out() -> None:
    assert incoming(event("帮助", SELF, GROUP), now()) is None


async def test_a_message_is_answered_through_the_outbox(bot: Bot) -> None:
    await bot.handle_event(event("帮助", 7))
    await settled()
    ((target, _),) = said()
    assert target == Target("private", "7")


async def test_a_bot_that_is_mentioned_hears_the_rest(bot: Bot) -> None:
    await bot.handle_event(
        event([{"type": "at", "data": {"qq": str(SELF)}}, text(" 帮助")], group=GROUP)
    )
    await settled()
    assert [target for target, _ in said()] == [Target("group", "900")]


async def test_messages_are_handled_in_the_order_of_arrival_quoting_or_not(bot: Bot) -> None:
    await bot.handle_event(event("开局 拥王者", 50, GROUP))
    tasks = []
    for account in range(1, 21):
        words = [{"type": "reply", "data": {"id": "1"}}] if account % 2 else []
        signs_up = event([*words, text("报名")], account, GROUP)
        # As the adapter does: a task for each frame.
        tasks.append(asyncio.create_task(bot.handle_event(signs_up)))
    await asyncio.gather(*tasks)
    await settled()
    (game,) = house.ledger.open_games()
    assert [person.account for person in game.signups] == [str(n) for n in range(1, 21)]


async def test_messages_of_one_moment_are_one_transaction(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = []
    commit = house.store.commit
    monkeypatch.setattr(
        house.store, "commit", lambda c: (commits.append(len(c.handled)), commit(c))
    )
    tasks = [asyncio.create_task(bot.handle_event(event("帮助", n))) for n in range(1, 31)]
    await asyncio.gather(*tasks)
    await settled()
    assert sum(commits) == 30 and len(commits) < 15


async def test_a_post_is_written_a_moment_later_or_with_what_is_said_next(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plugins.gamemaster.house.PATIENCE", 0.05)
    await bot.handle_event(event("开局 拥王者", 50, GROUP))
    for account in range(1, 8):
        await bot.handle_event(event("报名", account, GROUP))
    await settled()
    (game,) = house.ledger.open_games()
    house.ledger.act(game.id, Deal(at=now(), seed="00"))
    house.ledger.act(game.id, OpenDay(at=now()))
    house.commit()

    def written() -> int:
        row = house.store.game(game.id)
        assert row is not None
        return row.seq

    before = written()
    await bot.handle_event(event("我先说一句", 1, GROUP))
    await settled()
    assert written() == before and house.ledger.rows(game.id)[-1].type == "posted"
    await asyncio.sleep(0.1)
    assert written() == before + 1
    await bot.handle_event(event("再说一句", 1, GROUP))
    await bot.handle_event(event("状态", 2, GROUP))
    await settled()
    assert written() == before + 2
    # At the end nothing waits any longer.
    await bot.handle_event(event("最后一句", 1, GROUP))
    closed = []
    monkeypatch.setattr(house.store, "close", lambda: closed.append(written()))
    await chat._stop()
    assert closed == [before + 3]


async def test_a_message_that_cannot_be_read_is_a_fault_and_holds_up_nobody(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def unreadable() -> None:
        raise ValueError("刀 3")

    house.arrive(unreadable)
    await bot.handle_event(event("帮助", 8))
    await settled()
    assert [target.id for target, _ in said()] == ["8"]
    assert "ValueError" in caplog.text and "刀" not in caplog.text


@pytest.mark.parametrize("error", [Conflict([1]), StoreError("the database failed")])
async def test_when_the_database_fails_messages_are_handled_again_in_order(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    monkeypatch.setattr("plugins.gamemaster.house.PAUSES", (0.01,))
    commit, failures = house.store.commit, [error, error]

    def fails(changes: Any) -> None:
        if failures:
            raise failures.pop()
        commit(changes)

    monkeypatch.setattr(house.store, "commit", fails)
    await bot.handle_event(event("开局 拥王者", 50, GROUP))
    for account in (1, 2, 3):
        await bot.handle_event(event("报名", account, GROUP))
        await settled()
    await asyncio.sleep(0.1)
    (game,) = house.ledger.open_games()
    assert [person.account for person in game.signups] == ["1", "2", "3"]
    assert house.store.last_game() == 1 and failures == []
    assert len([text for target, text in said() if target == Target("group", "900")]) == 4


async def test_a_fault_is_answered_and_holds_up_nobody(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    receive = house.desk.receive

    def faulty(message: Any) -> Any:
        if message.account == "7":
            raise ValueError(message.text)
        return receive(message)

    monkeypatch.setattr(house.desk, "receive", faulty)
    await bot.handle_event(event("刀 3", 7))
    await bot.handle_event(event("帮助", 8))
    await settled()
    (first, words), (second, _) = said()
    assert (first.id, words) == ("7", house.speech.say("error.internal"))
    assert second.id == "8"
    assert "ValueError" in caplog.text and "刀" not in caplog.text


@pytest.mark.parametrize("group", [None, GROUP])
def test_the_log_says_that_there_was_a_message_and_not_what_it_says(group: int | None) -> None:
    found = event("刀 3", 7654321, group, message_id=1)
    for logged in (found.get_log_string(), str(found), repr(found)):
        assert logged == "message 1"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"notice_type": "group_decrease", "sub_type": "kick_me", "operator_id": 1}, "ousted"),
        ({"notice_type": "group_decrease", "sub_type": "leave", "operator_id": SELF}, "ousted"),
        ({"notice_type": "group_admin", "sub_type": "unset"}, "demoted"),
        ({"notice_type": "group_admin", "sub_type": "set"}, None),
        ({"notice_type": "group_increase", "sub_type": "approve", "operator_id": 1}, None),
    ],
)
def test_what_happens_to_the_bot_itself_is_noticed(said: dict[str, Any], kind: str | None) -> None:
    about = {"time": 1, "self_id": SELF, "post_type": "notice", "group_id": GROUP}
    seen = Adapter.json_to_event({**about, "user_id": SELF, **said})
    found = chat.notice(seen, now())  # type: ignore[arg-type]
    assert (found and found.kind) == kind and (found is None or found.group == str(GROUP))
    # Of anybody else's rank nothing is learnt.
    other = Adapter.json_to_event({**about, "user_id": 7, **said})
    found = chat.notice(other, now())  # type: ignore[arg-type]
    assert found is None or found.kind in ("left", "joined")


def test_half_a_character_is_made_whole() -> None:
    message = incoming(event("密 半句\ud83d", sender={"card": "名\ud83d"}), now())
    assert message is not None
    assert (message.text, message.name) == ("密 半句?", "名?")


@pytest.mark.parametrize("post_type", ["message", "message_sent"])
async def test_what_is_no_message_of_a_known_shape_is_left_out_unlogged(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, post_type: str
) -> None:
    async def never(*_: Any) -> None:
        raise AssertionError("handled")

    monkeypatch.setattr(chat, "handle_event", never)
    raw = {"time": 1, "self_id": SELF, "post_type": post_type, "message": "刀 3", "user_id": "x"}
    strange = Adapter.json_to_event(raw)
    assert strange is not None
    await bot.handle_event(strange)


def _strange() -> Iterator[dict[str, Any]]:
    """Events that no client should report, each with a secret in it."""
    usual = {
        "time": 1,
        "self_id": SELF,
        "post_type": "message",
        "message_type": "group",
        "sub_type": "normal",
        "group_id": GROUP,
        "message_id": 1,
        "user_id": 7,
        "message": [text("刀 3")],
        "raw_message": "刀 3",
        "font": 0,
        "sender": {"user_id": 7, "nickname": "刀 3"},
    }
    for key in usual:
        yield {k: value for k, value in usual.items() if k != key}
        for wrong in (None, "刀 3", {"刀": 3}, [["刀 3"]], 3.5):
            yield {**usual, key: wrong}
    for post_type in ("message_sent", "notice", "request", "meta_event"):
        yield {**usual, "post_type": post_type, f"{post_type}_type": "刀 3", "comment": "刀 3"}
    yield {**usual, "message": [{"type": "text", "data": {}}, {"type": "at", "data": {"刀": 3}}]}


async def test_whatever_is_reported_the_log_never_holds_what_it_says(
    bot: Bot, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []
    sink = logger.add(printed.append, level=0, diagnose=False)
    try:
        for raw in _strange():
            strange = Adapter.json_to_event(raw)
            if strange is not None:
                await bot.handle_event(strange)
        await settled()
    finally:
        logger.remove(sink)
    logged = "".join(printed) + caplog.text
    assert "刀" not in logged and "刀".encode("unicode_escape").decode() not in logged
    assert "message 1" in logged and "900" not in logged
    assert "an event that can't be read was left out" in logged


async def test_a_message_in_a_group_that_is_not_named_is_nobodys(bot: Bot) -> None:
    raw = event("帮助", group=GROUP).model_dump(exclude={"group_id", "original_message"})
    raw["message"] = [text("帮助")]
    strange = Adapter.json_to_event(raw)
    assert strange is not None and strange.get_type() == "message"
    await bot.handle_event(strange)
    await settled()
    assert said() == []


class _Friendly(_Bot):
    """A bot whose client does what it is asked for, or fails."""

    calls: list[tuple[str, dict[str, Any]]]
    fails = False

    async def call_api(self, api: str, **data: Any) -> Any:
        self.calls.append((api, data))
        if self.fails:
            raise RuntimeError("名字")


@pytest.mark.parametrize(("accepts", "fails"), [(True, False), (True, True), (False, False)])
async def test_a_friend_request_is_accepted_if_the_setting_says_so(
    accepts: bool, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Config(game_accept_friends=accepts)
    monkeypatch.setattr(chat, "get_plugin_config", lambda _: settings)
    friendly = _Friendly(nonebot.get_adapter(Adapter), str(SELF))
    friendly.calls, friendly.fails = [], fails
    raw = {"time": 1, "self_id": SELF, "post_type": "request", "user_id": 7, "comment": "你好"}
    found = Adapter.json_to_event({**raw, "request_type": "friend", "flag": "f1"})
    assert found is not None
    await friendly.handle_event(found)
    await settled()
    asked = [("set_friend_add_request", {"flag": "f1", "approve": True, "remark": None})]
    assert [(api, {**data, "remark": None}) for api, data in friendly.calls] == asked * accepts


@pytest.mark.parametrize(
    ("host", "token", "warns"),
    [("0.0.0.0", None, True), ("0.0.0.0", "x", False), ("127.0.0.1", None, False)],
)
async def test_an_open_door_is_warned_of(
    bot: Bot, host: str, token: str | None, warns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = OneBotConfig(onebot_access_token=token)
    monkeypatch.setattr(chat, "get_plugin_config", lambda _: config)
    monkeypatch.setattr(chat.driver.config, "host", host)
    warned: list[str] = []
    monkeypatch.setattr(chat.log, "warning", warned.append)
    await chat._start()
    assert warned == [house.speech.say("bot.open_door")] * warns
