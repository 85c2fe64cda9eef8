"""The courier: order, pace, retries, and what can't be delivered. The client is pretended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import pytest
from nonebot.adapters.onebot.v11 import ActionFailed, MessageSegment
from nonebot.adapters.onebot.v11.exception import ApiNotAvailable

from data.message import Target
from data.store import StoreError
from plugins.courier import delivery
from plugins.courier.config import Config
from plugins.courier.delivery import Courier, split
from tests.plugins.desk import GROUP, HOST, OTHER_GROUP, SPEECH, Room, group, private

FAST = Config(send_pace=0, send_pace_target=0, send_timeout=0.2, send_length=100)
REPEAT = SPEECH.say("bot.repeat")


class Post:
    """A client, and the courier that uses it.

    ``answers``: what becomes of a call: a value is the answer, an exception is raised, and a future
    is waited for.
    """

    def __init__(self, room: Room, config: Config = FAST) -> None:
        self.room = room
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.connected = True
        self.answers: Callable[[str, dict[str, Any]], Any] = lambda action, parameters: {}
        self.courier = Courier(
            room.store,
            room.ledger,
            SPEECH,
            config,
            call=lambda: self.call if self.connected else None,
            commit=room.ledger.commit,
            learn=self.learn,
        )
        room.ledger.on_outbox = self.courier.wake

    def learn(self, group: str, people: dict[str, str] | None) -> dict[str, str] | None:
        """The client has said who is in a group; the bot is not among them."""
        self.room.learns("members", group, people=people)
        return people

    async def call(self, action: str, **parameters: Any) -> Any:
        self.calls.append((action, parameters))
        answer = self.answers(action, parameters)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, asyncio.Future):
            return await answer
        return answer

    def say(self, target: Target, *texts: str) -> None:
        for text in texts:
            self.room.ledger.say(target, text, 1 if self.room.store.last_game() else None)
        self.room.ledger.commit()

    def texts(self, target: Target | None = None, after: int = 0) -> list[str]:
        """What was sent from call ``after`` on, to a target or to all."""
        found = []
        for _, parameters in self.calls[after:]:
            if "message" not in parameters:
                continue
            where = parameters.get("user_id", parameters.get("group_id"))
            if target is None or str(where) == target.id:
                assert all(isinstance(part, MessageSegment) for part in parameters["message"])
                assert [part.type for part in parameters["message"]] == ["text"]
                found.append(parameters["message"][0].data["text"])
        return found

    async def until(self, so: Callable[[], Any]) -> None:
        async with asyncio.timeout(10):
            while not so():
                await asyncio.sleep(0.005)

    async def idle(self) -> None:
        """Wait until nothing waits to be said."""
        rows = self.room.store.messages
        await self.until(lambda: all(row.state != "waiting" for row in rows()))


@pytest.fixture
async def post() -> AsyncIterator[Post]:
    async with running(Post(Room())) as post:
        yield post


@contextlib.asynccontextmanager
async def running(post: Post) -> AsyncIterator[Post]:
    task = asyncio.create_task(post.courier.run())
    try:
        yield post
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "PAUSES", (0.01, 0.02))


def failed(words: str = "not a friend") -> ActionFailed:
    return ActionFailed(status="failed", retcode=1200, message=words, wording=words)


async def test_who_is_mentioned_is_rung_before_the_text(post: Post) -> None:
    text = "上一局的各位" * 20
    post.room.ledger.say(group("900"), text, arguments={"at": ["7", "8"]})
    post.room.ledger.commit()
    await post.idle()
    kinds = [[part.type for part in parameters["message"]] for _, parameters in post.calls]
    # One space behind each: a client writes none of its own.
    assert kinds == [["at", "text", "at", "text", "text"], ["text"]]
    space = MessageSegment.text(" ")
    called = [MessageSegment.at("7"), space, MessageSegment.at("8"), space]
    assert post.calls[0][1]["message"][:4] == called


async def test_each_goes_where_it_belongs_as_text(post: Post) -> None:
    post.say(group("900"), "[CQ:at,qq=all] 大家好")
    post.say(private("7", "900"), "你好")
    post.say(Target("private", "8"), "你也好")
    await post.idle()
    assert post.calls == [
        (
            "send_group_msg",
            {"group_id": 900, "message": [MessageSegment.text("[CQ:at,qq=all] 大家好")]},
        ),
        (
            "send_private_msg",
            {"user_id": 7, "message": [MessageSegment.text("你好")], "group_id": 900},
        ),
        ("send_private_msg", {"user_id": 8, "message": [MessageSegment.text("你也好")]}),
    ]


async def test_order_holds_for_each_target_and_none_waits_for_another() -> None:
    patient = Config(send_pace=0, send_pace_target=0, send_timeout=60)
    async with running(Post(Room(), patient)) as post:
        stuck = asyncio.get_running_loop().create_future()
        post.answers = lambda _, parameters: stuck if parameters.get("user_id") == 7 else {}
        post.say(private("7"), *"一二三")
        post.say(private("8"), *"一二三")
        await post.until(lambda: len(post.texts(private("8"))) == 3)
        assert post.texts(private("7")) == ["一"]
        stuck.set_result({})
        await post.idle()
        assert post.texts(private("7")) == post.texts(private("8")) == ["一", "二", "三"]


async def test_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room()
    times: list[float] = []
    mark = room.store.mark

    def marks(*, sent: list[int], begun: list[int]) -> None:
        times.extend(asyncio.get_running_loop().time() for _ in begun)
        mark(sent=sent, begun=begun)

    monkeypatch.setattr(room.store, "mark", marks)
    async with running(Post(room, Config(send_pace=0.05, send_pace_target=0.2))) as post:
        post.say(private("7"), "一", "二")
        post.say(private("8"), "一")
        post.say(private("9"), "一")
        await post.idle()
        assert [parameters["user_id"] for _, parameters in post.calls] == [7, 8, 9, 7]
        assert all(later - sooner >= 0.05 for sooner, later in pairwise(times))
        assert times[3] - times[0] >= 0.2


async def test_the_outbox_is_read_once_and_what_arrives_is_marked_with_what_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Room()
    read: list[int] = []
    marked: list[tuple[int, int]] = []
    waiting, mark = room.store.waiting, room.store.mark
    monkeypatch.setattr(room.store, "waiting", lambda: read.append(1) or waiting())

    def marks(*, sent: list[int], begun: list[int]) -> None:
        marked.append((len(sent), len(begun)))
        mark(sent=sent, begun=begun)

    monkeypatch.setattr(room.store, "mark", marks)
    async with running(Post(room)) as post:
        # The outbox is empty when it is read.
        await post.until(lambda: read)
        post.say(private("7"), *"一二三")
        await post.idle()
        assert post.texts() == ["一", "二", "三"]
        assert marked == [(0, 1), (1, 1), (1, 1), (1, 0)]
        for account in ("8", "9"):
            room.ledger.say(private(account), "一")
        room.ledger.commit()
        await post.idle()
        assert marked[4] == (0, 2)
    assert read == [1]


async def test_what_arrived_is_not_said_again_when_it_could_not_be_marked(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark, failures = post.room.store.mark, [StoreError("the database failed")] * 2

    def fails(*, sent: list[int], begun: list[int]) -> None:
        if sent and failures:
            raise failures.pop()
        mark(sent=sent, begun=begun)

    monkeypatch.setattr(post.room.store, "mark", fails)
    post.say(private("7"), "一", "二")
    await post.idle()
    assert post.texts() == ["一", "二"] and failures == []


async def test_what_arrived_is_marked_when_the_courier_ends(post: Post) -> None:
    ended = asyncio.get_running_loop().create_future()

    def answer(*_: Any) -> Any:
        # Ends in the turn of the loop in which the message arrives.
        asyncio.get_running_loop().call_soon(ended.set_result, None)
        return {}

    async with running(Post(Room())) as post:
        await asyncio.sleep(0.01)
        post.answers = answer
        post.say(private("7"), "一")
        await ended
    assert [row.state for row in post.room.store.messages()] == ["sent"]


async def test_a_message_not_answered_for_is_repeated_and_marked(post: Post) -> None:
    silent = asyncio.get_running_loop().create_future()
    answers = iter([silent])
    post.answers = lambda *_: next(answers, {})
    post.say(private("7"), "一", "二")
    await post.idle()
    assert post.texts() == ["一", REPEAT + "一", "二"]


async def test_a_client_that_does_not_know_is_asked_again(post: Post) -> None:
    answers = iter([failed("Timeout: sendMsg")])
    post.answers = lambda *_: next(answers, {})
    post.say(private("7"), "一")
    await post.idle()
    assert post.texts() == ["一", REPEAT + "一"]
    assert post.room.ledger.person("7").reachable is True


async def test_what_never_left_is_no_repeat(post: Post) -> None:
    answers = iter([ApiNotAvailable()])
    post.answers = lambda *_: next(answers, {})
    post.say(private("7"), "一")
    await post.idle()
    assert post.texts() == ["一", "一"]


async def test_a_lost_connection_and_all_arrives_in_order_when_it_is_back(post: Post) -> None:
    post.answers = lambda *_: asyncio.get_running_loop().create_future()
    post.say(group(), "一", "二")
    post.say(private("7"), "甲")
    await post.until(lambda: len(post.calls) == 2)
    post.connected = False
    post.courier.disconnected()
    post.say(group(), "三")
    await asyncio.sleep(0.05)
    assert len(post.calls) == 2
    post.connected, post.answers = True, lambda *_: {}
    post.courier.connected()
    await post.idle()
    assert post.texts(group()) == ["一", REPEAT + "一", "二", "三"]
    assert post.texts(private("7")) == ["甲", REPEAT + "甲"]


async def test_what_waits_for_a_player_who_is_replaced_is_not_said_any_more(post: Post) -> None:
    room = post.room
    room.deal()
    await post.idle()
    stuck = asyncio.get_running_loop().create_future()
    post.answers = lambda _, parameters: stuck if parameters.get("user_id") == 4 else {}
    mark = len(post.calls)
    post.say(private("4"), "甲" * 250, "乙")
    await post.until(lambda: len(post.calls) > mark)
    assert room.hears(HOST, "替补 4 @77", mentions={"77": "新人"}) == "done"
    post.answers = lambda *_: {}
    stuck.set_result({})
    room.ledger.say(private("4"), "与那一局无关")
    room.ledger.commit()
    await post.until(lambda: "与那一局无关" in post.texts())
    await post.idle()
    begun, gone, *more = post.texts(private("4"), mark)
    assert "（1/3）" in begun and more == ["与那一局无关"]
    assert gone == SPEECH.say("bot.replaced_gone", game=1)
    assert any("身份：" in text for text in post.texts(private("77")))


@pytest.mark.parametrize("error", [ApiNotAvailable(), failed(), failed("Timeout: sendMsg")])
async def test_what_was_under_way_to_a_player_who_is_replaced_is_not_tried_again(
    post: Post, error: Exception
) -> None:
    room = post.room
    room.deal()
    await post.idle()
    stuck = asyncio.get_running_loop().create_future()
    post.answers = lambda _, parameters: stuck if parameters.get("user_id") == 4 else {}
    mark = len(post.calls)
    post.say(private("4"), "甲")
    await post.until(lambda: len(post.calls) > mark)
    assert room.hears(HOST, "替补 4 @77", mentions={"77": "新人"}) == "done"
    post.answers = lambda *_: {}
    stuck.set_exception(error)
    await post.until(lambda: post.texts(private("77")))
    await post.idle()
    await asyncio.sleep(0.05)
    gone = SPEECH.say("bot.replaced_gone", game=1)
    assert post.texts(private("4"), mark) == ["甲", gone]
    assert room.store.undelivered("4") == []
    # The director is answered, and hears of nothing that could not be delivered.
    assert len(post.texts(private(HOST), mark)) == 1


async def test_after_a_crash_what_was_under_way_is_repeated() -> None:
    room = Room()
    room.ledger.say(private("7"), "一")
    room.ledger.say(private("7"), "二")
    room.ledger.commit()
    room.store.mark(begun=[room.store.messages()[0].id])
    async with running(Post(room)) as post:
        await post.idle()
        assert post.texts() == [REPEAT + "一", "二"]


async def test_a_long_text_is_split_and_sent_parts_are_not_sent_again(post: Post) -> None:
    silent = asyncio.get_running_loop().create_future()
    answers = iter([{}, silent])
    post.answers = lambda *_: next(answers, {})
    lines = [f"{number}" * 60 for number in range(1, 4)]
    post.say(group(), "\n".join(lines), "完")
    await post.idle()
    marks = [SPEECH.say("bot.part", part=number, parts=3) for number in (1, 2, 3)]
    assert post.texts() == [
        marks[0] + lines[0],
        marks[1] + lines[1],
        REPEAT + marks[1] + lines[1],
        marks[2] + lines[2],
        "完",
    ]


async def test_after_a_crash_only_the_parts_that_may_not_have_arrived_are_said_again() -> None:
    room = Room()
    lines = [f"{number}" * 60 for number in range(1, 5)]
    room.ledger.say(private("7"), "\n".join(lines))
    room.ledger.commit()
    marks = [SPEECH.say("bot.part", part=number, parts=4) for number in range(1, 5)]
    async with running(Post(room)) as killed:
        killed.answers = lambda *_: {} if len(killed.calls) < 3 else asyncio.Future()
        await killed.until(lambda: len(killed.calls) == 3)
        # As the database is when the process is killed now.
        rows = room.store.messages()
    (row,) = rows
    assert row.in_flight and row.said == 122
    async with running(Post(room)) as post:
        await post.idle()
        assert post.texts() == [
            REPEAT + marks[2] + lines[2],
            marks[3] + lines[3],
        ]


async def test_when_parts_are_of_another_length_now_nothing_is_left_out() -> None:
    room = Room()
    lines = [f"{number}" * 60 for number in range(1, 5)]
    room.ledger.say(private("7"), "\n".join(lines))
    room.ledger.commit()
    (row,) = room.store.messages()
    room.store.mark(begun=[row.id])
    room.store.said(row.id, 61)
    async with running(Post(room, Config(send_pace=0, send_pace_target=0, send_length=130))) as p:
        await p.idle()
        marks = [SPEECH.say("bot.part", part=number, parts=2) for number in (1, 2)]
        assert p.texts() == [
            REPEAT + marks[0] + "\n".join(lines[:2]),
            marks[1] + "\n".join(lines[2:]),
        ]


@pytest.mark.parametrize(
    "text", ["", "短", "长" * 250, "a\n" * 120, "行\n" + "长" * 150 + "\n尾", "\n" * 210]
)
def test_parts_are_the_text(text: str) -> None:
    parts = split(text, 100)
    assert all(len(part.removesuffix("\n")) <= 100 for part in parts)
    assert "".join(parts) == text
    assert parts[0] or text == ""


async def test_a_group_that_refuses_is_tried_again_and_the_directors_are_told() -> None:
    room = Room()
    room.deal()
    async with running(Post(room)) as post:
        await post.idle()
        del post.calls[:]
        refusals = iter([failed()] * 5)
        post.answers = lambda action, _: next(refusals, {}) if action == "send_group_msg" else {}
        post.say(group(), "一", "二")
        await post.idle()
        assert post.texts(group()) == ["一"] * 6 + ["二"]
        assert post.texts(private(HOST)) == [SPEECH.say("chat.group_unreachable", game=1)]


async def test_a_message_that_a_group_refuses_for_good_lets_the_next_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivery, "REFUSED_FOR_GOOD", 5)
    room = Room()
    room.deal()
    async with running(Post(room)) as post:
        await post.idle()
        del post.calls[:]
        post.answers = lambda _, p: failed() if p["message"][0].data["text"] == "坏" else {}
        post.say(group(), "坏", "好")
        await post.idle()
        assert post.texts(group()) == ["坏"] * 5 + ["好"]
        assert post.texts(private(HOST))[-1] == SPEECH.say("chat.passed_over", game=1)


async def test_who_signed_up_and_is_no_friend_is_told_in_the_group() -> None:
    room = Room()
    room.hears(HOST, "开局 拥王者", GROUP)
    room.hears("7", "报名 害羞的人", GROUP)
    async with running(Post(room)) as post:
        post.answers = lambda _, parameters: failed() if parameters.get("user_id") == 7 else {}
        await post.idle()
        assert post.texts(group())[-1] == SPEECH.say("bot.unreachable", name="害羞的人")
        assert room.ledger.person("7").reachable is False
        # He writes, is told so, and gets what was kept for him, unmarked: it had never left.
        post.answers = lambda *_: {}
        del post.calls[:]
        room.hears("7", "喂")
        await post.idle()
        reachable, hello = post.texts(private("7"))
        assert "害羞的人" in hello and not hello.startswith(REPEAT)
        assert reachable == SPEECH.say("bot.reachable")


@pytest.mark.parametrize("others", [(), ("60",)])
async def test_a_host_who_is_no_friend_is_told_where_somebody_can_hear_it(
    others: tuple[str, ...],
) -> None:
    room = Room()
    room.deal()
    for other in others:
        room.hears(HOST, f"副导演 @{other}", GROUP, mentions={other: "副手"})
    async with running(Post(room)) as post:
        await post.idle()
        del post.calls[:]
        refused = int(HOST)
        post.answers = lambda _, parameters: (
            failed() if parameters.get("user_id") == refused else {}
        )
        for _ in range(2):
            room.hears(HOST, "待办")
            await post.idle()
        told = SPEECH.say("bot.undeliverable.host", name=f"玩家{HOST}")
        reminded = SPEECH.say("bot.undeliverable.person", name=f"玩家{HOST}")
        assert post.texts(group()).count(told) == (0 if others else 1)
        for other in others:
            assert post.texts(private(other)).count(reminded) == 1


async def test_a_seat_that_is_lost_is_reported_once_and_its_secrets_are_kept() -> None:
    room = Room()
    room.deal()
    async with running(Post(room)) as post:
        await post.idle()
        del post.calls[:]
        post.answers = lambda _, parameters: failed() if parameters.get("user_id") == 2 else {}
        for target in (4, 5):
            room.hears("3", f"刀 {target}")
            await post.idle()
        (told,) = post.texts(private(HOST))
        assert told.splitlines()[0] == SPEECH.say(
            "events.player_lost.unreachable", room.game, seat=2
        )
        assert "替补 2 @" in told
        assert len(post.texts(private("2"))) == len(room.store.undelivered("2")) == 2
        assert room.ledger.person("2").reachable is False
        # He is back, and lost again: that is news.
        post.answers = lambda *_: {}
        room.hears("2", "待收")
        await post.idle()
        assert room.store.undelivered("2") == []
        post.answers = lambda _, parameters: failed() if parameters.get("user_id") == 2 else {}
        room.hears("3", "刀 6")
        await post.idle()
        back = SPEECH.say("events.player_back.unreachable", room.game, seat=2)
        assert post.texts(private(HOST)) == [told, back, told]


async def test_a_director_who_is_lost_makes_no_circle() -> None:
    room = Room()
    room.deal()
    async with running(Post(room)) as post:
        await post.idle()
        del post.calls[:]
        post.answers = lambda _, parameters: failed() if parameters.get("user_id") == 50 else {}
        room.hears(HOST, "身份表")
        await post.idle()
        assert len(post.calls) == 2


async def test_recall_and_mute_and_their_failures() -> None:
    room = Room()
    room.deal()
    async with running(Post(room)) as post:
        await post.idle()
        del post.calls[:]
        room.hears("2", "刀 4", GROUP, message_id="4711")
        await post.idle()
        assert ("delete_msg", {"message_id": 4711}) in post.calls
        room.hears(HOST, "禁言 5 1小时")
        await post.idle()
        ban = {"group_id": 900, "user_id": 5, "duration": 3600}
        assert ("set_group_ban", ban) in post.calls
        post.answers = lambda action, _: {} if action.startswith("send") else failed()
        del post.calls[:]
        for number in (4712, 4713):
            room.hears("2", "刀 4", GROUP, message_id=str(number))
            await post.idle()
        told = post.texts(private(HOST))
        assert told == [SPEECH.say("chat.recall_failed", game=1)]
        # A client that never answers holds up nothing behind it.
        silent = asyncio.get_running_loop().create_future()
        post.answers = lambda action, _: {} if action.startswith("send") else silent
        room.hears("2", "刀 4", GROUP, message_id="4714")
        post.say(group(), "后面的")
        await post.idle()
        assert post.texts(group())[-1] == "后面的"


async def test_a_recall_goes_before_all_that_waits_and_at_once() -> None:
    room = Room()
    room.deal()
    async with running(Post(room, Config(send_pace=5, send_pace_target=60))) as post:
        await post.until(lambda: post.calls)
        stuck = asyncio.get_running_loop().create_future()
        post.answers = lambda action, _: stuck if action.startswith("send") else {}
        post.say(group(), "一", "二")
        post.say(private("7"), "一")
        mark = len(post.calls)
        room.hears("2", "刀 4", GROUP, message_id="4711")
        await post.until(lambda: len(post.calls) > mark)
        assert post.calls[mark:] == [("delete_msg", {"message_id": 4711})]


async def test_a_message_that_arrives_shows_that_a_person_can_be_reached(post: Post) -> None:
    post.say(private("7"), "一")
    await post.idle()
    assert post.room.ledger.person("7").reachable is True


async def test_while_nobody_is_connected_it_waits(post: Post) -> None:
    post.connected = False
    post.say(private("7"), "一")
    await asyncio.sleep(0.05)
    assert post.calls == []
    post.connected = True
    post.courier.connected()
    await post.idle()
    assert post.texts() == ["一"]


# --- rooms ---------------------------------------------------------------------------------------

ROOM_GROUP = "990"


def listed(*accounts: int) -> list[dict[str, Any]]:
    """Who is in a group, as clients list it."""
    return [{"user_id": n, "nickname": f"昵称{n}", "card": ""} for n in accounts]


def there(post: Post, *accounts: int) -> None:
    """From now on the client says that these are in the room, and does all it is asked."""
    post.answers = lambda action, _: listed(*accounts) if action == "get_group_member_list" else {}


@pytest.fixture
async def kept() -> AsyncIterator[Post]:
    """A courier, and a game whose killers (2 and 3) have a room that is theirs alone."""
    room = Room()
    room.deal()
    async with running(Post(room)) as post:
        there(post, 2, 3, 50)
        room.hears(HOST, "绑定 杀手", ROOM_GROUP)
        await post.idle()
        opened = SPEECH.say("events.room_opened.channel", game=1)
        assert post.texts(group(ROOM_GROUP)) == [opened]
        del post.calls[:]
        yield post


async def test_before_each_word_in_a_room_it_is_seen_who_is_there(kept: Post) -> None:
    kept.room.hears("2", "密 一")
    kept.room.hears("2", "密 二")
    await kept.idle()
    actions = [action for action, p in kept.calls if str(p.get("group_id")) == ROOM_GROUP]
    assert actions[:4] == ["get_group_member_list", "send_group_msg"] * 2
    looked = {"group_id": int(ROOM_GROUP), "no_cache": True}
    assert all(p == looked for action, p in kept.calls if action == "get_group_member_list")


async def test_somebody_came_in_unseen_and_hears_nothing(kept: Post) -> None:
    there(kept, 2, 3, 50, 888)
    kept.room.hears("2", "密 暗号")
    kept.room.hears("2", "状态", ROOM_GROUP)
    await kept.idle()
    assert kept.texts(group(ROOM_GROUP)) == []
    for killer in ("2", "3"):
        heard = kept.texts(private(killer))
        assert sum("暗号" in text for text in heard) == 1
        assert any("群 990 里现在人不对" in text for text in heard)
        assert any("在世" in text for text in heard)
    (told,) = kept.texts(private(HOST))
    assert "昵称888（QQ 888）" in told
    assert not any("暗号" in text for _, text in kept.room.texts() if _ == group())
    there(kept, 2, 3)
    kept.room.learns("left", ROOM_GROUP, "888")
    kept.room.hears("2", "密 还在吗")
    await kept.idle()
    assert "还在吗" in "".join(kept.texts(private("3"))) + "".join(kept.texts(group(ROOM_GROUP)))
    kept.room.hears("2", "密 好了")
    await kept.idle()
    assert "好了" in kept.texts(group(ROOM_GROUP))[-1]


@pytest.mark.parametrize("answer", [{}, [], None, "nobody", [{"nickname": "x"}], failed()])
async def test_a_client_that_can_t_say_who_is_there(kept: Post, answer: Any) -> None:
    kept.answers = lambda action, _: answer if action == "get_group_member_list" else {}
    kept.room.hears("2", "密 暗号")
    await kept.idle()
    assert kept.texts(group(ROOM_GROUP)) == []
    assert "暗号" in "".join(kept.texts(private("3")))
    assert "看不到那个群里有谁" in "".join(kept.texts(private(HOST)))


async def test_a_record_and_a_picture_are_turned_away_like_a_line(kept: Post) -> None:
    there(kept, 50)
    kept.room.hears(HOST, "绑定 导演", "991")
    await kept.idle()
    assert kept.texts(Target("group", "991"))
    del kept.calls[:]
    there(kept, 50, 888)
    for words in ("记录", "状态"):
        assert kept.room.hears(HOST, words, "991") == "done"
    await kept.idle()
    assert not [call for call in kept.calls if call[0] == "send_group_forward_msg"]
    assert kept.texts(Target("group", "991")) == []
    rows = [row for row in kept.room.store.messages() if row.target == private(HOST)]
    assert [row.picture is not None for row in rows if "在世" in row.text] == [True]
    assert [row for row in rows if "记录" in row.text and row.state == "sent"]


async def test_a_client_that_never_answers_is_asked_again_and_then_not_waited_for(
    kept: Post,
) -> None:
    loop = asyncio.get_running_loop()
    kept.answers = lambda action, _: (
        loop.create_future() if action == "get_group_member_list" else {}
    )
    kept.room.hears("2", "密 暗号")
    await kept.idle()
    asked = [action for action, _ in kept.calls if action == "get_group_member_list"]
    assert len(asked) >= 3
    assert kept.texts(group(ROOM_GROUP)) == []
    assert sum("暗号" in text for text in kept.texts(private("3"))) == 1


async def test_no_line_of_a_channel_reaches_who_has_gone_out(kept: Post) -> None:
    there(kept, 2, 3, 888)
    kept.room.hears("2", "密 之前")
    await kept.idle()
    kept.connected = False
    kept.room.hears("2", "密 之后")
    waiting = [row for row in kept.room.store.waiting() if "之后" in row.text]
    assert {row.target.id for row in waiting} >= {"2", "3"} or waiting[0].target.kind == "group"
    kept.room.hears(HOST, "判出局 3 失联")
    kept.connected = True
    kept.courier.connected()
    await kept.idle()
    assert not any("之后" in text for text in kept.texts(private("3")))
    assert any("之后" in text for text in kept.texts(private("2")))
    kicked = {"group_id": int(ROOM_GROUP), "user_id": 3, "reject_add_request": False}
    assert ("set_group_kick", kicked) in kept.calls


async def test_who_can_t_be_put_out_is_named_to_the_directors(kept: Post) -> None:
    kept.answers = lambda action, _: (
        listed(2, 3)
        if action == "get_group_member_list"
        else {}
        if action.startswith("send")
        else failed()
    )
    kept.room.hears(HOST, "判出局 3 失联")
    await kept.idle()
    told = kept.texts(private(HOST))
    assert sum("不该在的：3号" in text for text in told) == 1
    assert kept.texts(group(ROOM_GROUP)) == []
    # He leaves by himself.
    there(kept, 2)
    kept.room.learns("left", ROOM_GROUP, "3")
    await kept.idle()
    assert kept.texts(group(ROOM_GROUP)) == [SPEECH.say("events.room_opened.channel", game=1)]


@pytest.mark.parametrize("games", [1, 2])
async def test_what_can_t_be_recalled_is_told_once_a_game_even_after_a_restart(games: int) -> None:
    room = Room()
    room.deal()
    if games == 2:
        # Whoever directs several is told which one it is.
        room.deal(OTHER_GROUP)
    for number in (4712, 4713):
        async with running(Post(room)) as post:
            post.answers = lambda action, _: {} if action.startswith("send") else failed()
            room.hears("2", "刀 4", GROUP, message_id=str(number))
            await post.idle()
            text = SPEECH.say("chat.recall_failed", game=1)
            told = [said for said in post.texts(private(HOST)) if said.endswith(text)]
            assert len(told) == (number == 4712)


async def test_a_mute_that_fails_is_told_each_time() -> None:
    room = Room()
    room.deal()
    async with running(Post(room)) as post:
        post.answers = lambda action, _: {} if action.startswith("send") else failed()
        for seat in (5, 6):
            room.hears(HOST, f"禁言 {seat} 1小时")
            await post.idle()
            told = SPEECH.say("chat.mute_failed", game=1, name=f"玩家{seat}")
            assert post.texts(private(HOST))[-1] == told
        room.hears(HOST, "解禁 6")
        await post.idle()
        told = SPEECH.say("chat.unmute_failed", game=1, name="玩家6")
        assert post.texts(private(HOST))[-1] == told


# --- forwarded messages --------------------------------------------------------------------------


def forward(post: Post, target: Target, *pages: str) -> None:
    post.room.ledger.tell_pages(target, pages, 1, "10000")
    post.room.ledger.commit()


def nodes(parameters: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Who says what in a forwarded message: account, name, text."""
    found = []
    for node in parameters["messages"]:
        assert node.type == "node"
        (text,) = node.data["content"]
        assert (node.data["uin"], node.data["name"]) == (
            node.data["user_id"],
            node.data["nickname"],
        )
        found.append((node.data["user_id"], node.data["nickname"], text.data["text"]))
    return found


async def begun(post: Post) -> int:
    """A game is on, and all that was said of it has arrived; how many calls that took."""
    post.room.deal()
    await post.idle()
    return len(post.calls)


async def test_pages_go_as_one_message_that_opens(post: Post) -> None:
    await begun(post)
    forward(post, group("900"), "一\n1", "二", "三\n\n3")
    forward(post, private("7", "900"), "甲", "乙")
    await post.idle()
    calls = [call for call in post.calls if "messages" in call[1]]
    (action, sent), (other, too) = calls
    assert (action, sent["group_id"]) == ("send_group_forward_msg", 900)
    me = ("10000", SPEECH.say("bot.name"))
    assert nodes(sent) == [(*me, "一\n1"), (*me, "二"), (*me, "三\n\n3")]
    assert (other, too["user_id"]) == ("send_private_forward_msg", 7)
    assert nodes(too) == [(*me, "甲"), (*me, "乙")]


async def test_what_is_put_before_the_text_is_of_the_first_page(post: Post) -> None:
    post.room.deal()
    post.room.deal("901", "51")
    forward(post, private("7", "900"), "甲", "乙")
    await post.idle()
    ((_, sent),) = [call for call in post.calls if "messages" in call[1]]
    assert [text for _, _, text in nodes(sent)] == ["【#1】甲", "乙"]


async def test_a_client_that_cannot_forward_says_it_as_text(post: Post) -> None:
    before = await begun(post)
    post.answers = lambda action, p: failed("no such API") if "forward" in action else {}
    forward(post, group("900"), "一" * 80, "二" * 80)
    await post.idle()
    assert post.texts(group("900"), before) == ["（1/2）" + "一" * 80, "（2/2）" + "二" * 80]
    assert [action for action, _ in post.calls[before:]].count("send_group_forward_msg") == 1


async def test_a_forwarded_message_without_an_answer_is_repeated_as_text(post: Post) -> None:
    before = await begun(post)
    post.answers = lambda action, p: asyncio.Future() if "forward" in action else {}
    forward(post, group("900"), "一", "二")
    await post.idle()
    assert post.texts(group("900"), before) == [f"{REPEAT}一\n二"]
    assert [action for action, _ in post.calls[before:]].count("send_group_forward_msg") == 1


async def test_pages_for_somebody_who_cannot_be_reached_are_kept(post: Post) -> None:
    await begun(post)
    post.answers = lambda action, p: failed() if p.get("user_id") == 7 else {}
    forward(post, private("7", "900"), "甲", "乙")
    await post.idle()
    (kept,) = post.room.store.undelivered("7")
    assert (kept.action, kept.text) == ("forward", "甲\n乙")
