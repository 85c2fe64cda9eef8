"""The desk: which game, which seat, who may, and where the answer goes."""

from __future__ import annotations

from typing import Any

import pytest

from data.store import StoreError
from plugins.gamemaster.desk import Settings
from tests.plugins.desk import (
    CIVILIANS,
    GROUP,
    HOST,
    KILLERS,
    OTHER_GROUP,
    SPEECH,
    Room,
    group,
    private,
)

ROOM_GROUP = "990"
DEPUTY = "60"
KILLER, OTHER_KILLER = map(str, KILLERS)
CIVILIAN = str(CIVILIANS[0])


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def night(room: Room) -> Room:
    """A game in its first night."""
    room.deal()
    return room


@pytest.fixture
def day(night: Room) -> Room:
    """The same game on day 1; seat 4 is king."""
    night.hears("1", "立王 4 备 5")
    assert night.hears(HOST, "开楼") == "done"
    night.said()
    return night


# --- opening ---------------------------------------------------------------------------------


def test_a_game_is_opened_with_parameters(room: Room) -> None:
    typed = "开局 拥王者 9人 杀手2 发言 3 截票=12:30 开楼16:00 提醒 30,5 regency_minutes=45"
    assert room.hears(HOST, typed, GROUP) == "done"
    sheet = room.game.sheet
    assert (sheet.players, sheet.roles["killer"].count, sheet.posts_min) == (9, 2, 3)
    assert (sheet.close, sheet.open, sheet.reminders) == ("12:30", "16:00", [30, 5])
    assert sheet.regency_minutes == 45
    assert room.game.directors == {HOST: f"玩家{HOST}"}
    (to, _), (also_to, understood) = room.texts()
    assert to == also_to == group()
    for parameter in ("人数 9", "杀手 2", "发言 3", "截票 12:30", "regency_minutes 45"):
        assert parameter in understood


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("开局", "开局 拥王者"),
        ("开局 三国杀", "三国杀"),
        ("开局 拥王者 随便", "随便"),
        ("开局 拥王者 截票25:00", "截票=25:00"),
        ("开局 拥王者 杀手=很多", "杀手=很多"),
        ("开局 拥王者 posts_mim=3", "posts_mim=3"),
        ("开局 拥王者 99人", "players=99"),
    ],
)
def test_a_game_that_cannot_be_opened_is_refused_privately(
    room: Room, typed: str, part: str
) -> None:
    assert room.hears(HOST, typed, GROUP) == "refused"
    target, text = room.only()
    assert target == private(HOST)
    assert part in text and "例" in text
    assert room.ledger.open_games() == []


@pytest.mark.parametrize("typed", ["开局 拥王者", "开局 kingmaker", "開局 拥王者1.0", "/开局 拥王"])
def test_a_sheet_by_its_word_its_key_its_title_or_a_beginning(room: Room, typed: str) -> None:
    assert room.hears(HOST, typed, GROUP) == "done"
    assert room.game.sheet.key == "kingmaker"


def test_one_game_a_group_at_a_time(night: Room) -> None:
    assert night.hears(HOST, "开局 拥王者", GROUP) == "refused"
    target, text = night.only()
    assert target == private(HOST) and "第1局" in text
    assert night.hears(HOST, "开局 拥王者", OTHER_GROUP) == "done"
    assert [game.id for game in night.ledger.open_games()] == [1, 2]


@pytest.mark.parametrize(
    ("hosts", "account", "admin", "may"),
    [
        ("everyone", "7", False, True),
        ("admins", "7", False, False),
        ("admins", "7", True, True),
        ("superusers", "7", True, False),
        ("superusers", "1", False, True),
        (["7"], "7", False, True),
        (["7"], "8", True, False),
        (["7"], "1", False, True),
    ],
)
def test_who_may_host(hosts: object, account: str, admin: bool, may: bool) -> None:
    room = Room(Settings(hosts=hosts, superusers={"1"}))  # type: ignore[arg-type]
    heard = room.hears(account, "开局 拥王者", GROUP, admin=admin)
    assert heard == ("done" if may else "refused")
    assert len(room.ledger.open_games()) == may


def test_parameters_of_every_game_go_before_the_sheets_and_after_those_typed() -> None:
    room = Room(Settings(parameters={"reminders": [15], "posts_min": 4}))
    room.hears(HOST, "开局 拥王者 提醒 5", GROUP)
    assert (room.game.sheet.reminders, room.game.sheet.posts_min) == ([5], 4)


def test_a_group_without_a_game_hears_little(room: Room) -> None:
    for typed in ("投票 3", "刀 3", "继续", "你好", "独裁", "公告 在吗"):
        assert room.hears("7", typed, GROUP) == "talk"
    assert room.said() == []
    assert room.hears("7", "报名", GROUP) == "refused"
    target, text = room.only()
    assert target == private("7") and "开局 拥王者" in text
    for typed in ("帮助", "规则", "规则 拥王者"):
        assert room.hears("7", typed, GROUP) == "done"
        assert room.only()[0] == group()


# --- sign-up, reachability ---------------------------------------------------------------------


def test_sign_up_says_so_in_the_group_and_tries_the_private_way(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    room.said()
    assert room.hears("7", "报名 阿 强", GROUP) == "done"
    (where, text), (hello, line) = room.texts()
    assert where == group() and "阿 强" in text
    assert hello == private("7") and "阿 强" in line and "第1局" in line
    assert room.hears("8", "报名", GROUP, name="卡片名") == "done"
    assert [person.name for person in room.game.signups] == ["阿 强", "卡片名"]
    assert room.hears("8", "报名", GROUP) == "refused"
    assert room.hears("8", "退出", GROUP) == "done"
    assert [person.account for person in room.game.signups] == ["7"]
    room.said()
    assert room.hears("7", "退出") == "done"
    # It is his first private word, so that is said too.
    assert [target for target, _ in room.texts()] == [private("7"), group(), private("7")]
    assert room.hears("7", "报名") == "refused"


def test_start_names_who_cannot_be_reached_until_it_is_forced(room: Room) -> None:
    room.sign_up()
    for account in range(1, 6):
        room.store.set_reachable(str(account), True)
    assert room.hears("1", "开始", GROUP) == "refused"
    assert "主持" in room.only()[1]
    assert room.hears(HOST, "开始", GROUP) == "refused"
    target, text = room.only()
    assert target == private(HOST)
    assert "玩家6" in text and "玩家7" in text and "玩家5" not in text and "开始 强制" in text
    # Any private word makes a person reachable.
    assert room.hears("6", "喂") == "talk"
    assert room.only() == (private("6"), room.desk.speech.say("bot.reachable"))
    assert room.hears(HOST, "开始") == "refused"
    assert "玩家6" not in room.only()[1]
    assert room.hears(HOST, "开始 强制", GROUP) == "done"
    assert len(room.game.seats) == 7


def test_start_deals_when_all_are_reachable_from_another_seed_each_time(room: Room) -> None:
    seeds = set()
    for number in ("910", "911"):
        room.sign_up(number)
        for account in range(1, 8):
            room.hears(str(account), "喂")
        assert room.hears(HOST, "开始", number) == "done"
        seeds.add(room.ledger.open_games()[-1].seed)
    assert len(seeds) == 2 and all(len(seed) == 32 for seed in seeds)


def test_start_with_too_few_says_how_many(room: Room) -> None:
    room.sign_up(players=3)
    assert room.hears(HOST, "开始 强制", GROUP) == "refused"
    assert "3" in room.only()[1]


# --- orders in private ---------------------------------------------------------------------------


def test_a_secret_order_is_told_to_its_channel_alone(night: Room) -> None:
    assert night.hears(KILLER, "刀 4") == "done"
    said = night.texts()
    assert {target for target, _ in said} == {private(KILLER), private(OTHER_KILLER)}
    assert len(said) == 2
    assert night.kills() == [4]


def test_a_crown_is_acknowledged_to_the_kingmaker_alone(night: Room) -> None:
    assert night.hears("1", "立王 4 备 5") == "done"
    target, text = night.only()
    assert target == private("1") and "4号" in text and "5号" in text


def test_whispers_reach_the_channel(night: Room) -> None:
    assert night.hears(KILLER, "密 今晚\n刀谁") == "done"
    said = night.texts()
    assert private(OTHER_KILLER) in [target for target, _ in said]
    assert all("今晚" in text for _, text in said)
    assert night.hears(CIVILIAN, "密 在吗") == "refused"


def test_talk_in_private_is_answered_by_a_hint(night: Room) -> None:
    length = night.length()
    for typed in ("今晚刀谁好呢", "刀法很好", "密码是多少"):
        assert night.hears(KILLER, typed) == "talk"
        assert night.only() == (private(KILLER), night.desk.speech.say("chat.not_understood"))
    assert night.length() == length


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("刀", "例：刀"),
        ("刀 3 5", "例：刀"),
        ("刀 99", "7"),
        ("刀99", "7"),
        ("刀 没这人", "没这人"),
        ("刀 3 吧", "例：刀"),
        ("立王 3 备", "例：立王"),
        ("刀 3 " + "啊" * 4000, "例：刀"),
    ],
)
def test_a_command_that_cannot_be_read_is_refused_with_an_example(
    night: Room, typed: str, part: str
) -> None:
    length = night.length()
    assert night.hears(KILLER, typed) == "refused"
    target, text = night.only()
    assert target == private(KILLER) and part in text and "例：" in text and len(text) < 300
    assert night.length() == length


@pytest.mark.parametrize("pictured", ["刀 4", "刀", "刀 4 5"])
def test_a_command_with_a_picture_in_it_is_refused(night: Room, pictured: str) -> None:
    assert night.hears(KILLER, pictured, pictures=True) == "refused"
    assert night.only()[0] == private(KILLER)
    assert night.kills() == []


def test_two_players_of_one_name_are_told_apart_by_number(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    for account in range(1, 8):
        name = "小明" if account in (4, 6) else f"🐱{account}"
        room.hears(str(account), "报名", GROUP, name=name)
    room.hears(HOST, "开始 强制", GROUP)
    killer = next(seat for seat in room.game.seats.values() if seat.role == "killer")
    room.hears(killer.account, "在")
    room.said()
    assert room.hears(killer.account, "刀 小明") == "refused"
    text = room.only()[1]
    assert "4号" in text and "6号" in text
    # What the second one is shown as is his alone, whatever his card says.
    assert room.game.seats[6].name == "小明2"
    assert room.hears(killer.account, "刀 小明2") == "done" and room.kills() == [6]
    assert room.hears(killer.account, "刀 🐱5") == "done"
    assert room.kills() == [5]
    assert room.hears(killer.account, "刀 @6") == "done"
    assert room.kills() == [6]


def test_a_renamed_sender_is_the_same_seat(night: Room) -> None:
    assert night.hears(KILLER, "刀 4", name="刀 5") == "done"
    assert night.kills() == [4]
    assert night.game.seats[2].name == "玩家2"


def test_a_message_that_comes_twice_counts_once(night: Room) -> None:
    length = night.length()
    for typed in ("刀 4", "刀 99", "状态", "我的身份", "无关的话", "身份表"):
        assert night.hears(KILLER, typed, message_id="m" + typed) != "repeat"
        night.said()
        assert night.hears(KILLER, typed, message_id="m" + typed) == "repeat"
        assert night.said() == []
    assert night.length() == length + 1
    # The same number in another place is another message.
    assert night.hears(OTHER_KILLER, "刀 5", message_id="m刀 4") == "done"


# --- a lone number -------------------------------------------------------------------------------


def test_a_lone_number_answers_the_one_thing_that_is_asked(night: Room) -> None:
    assert night.hears(KILLER, "4号") == "done"
    assert night.kills() == [4]
    # Now nothing is asked any more; it can be changed by the word.
    assert night.hears(OTHER_KILLER, "玩家5") == "talk"
    assert night.kills() == [4]
    # A king and a substitute are needed: one number is no crown, and an example says so.
    night.said()
    assert night.hears("1", "4") == "refused"
    assert "立王" in night.only()[1]
    # Nothing is asked of a civilian.
    assert night.hears(CIVILIAN, "3") == "talk"
    assert night.only()[1] == night.desk.speech.say("chat.not_understood")
    assert night.hears(KILLER, "3 5") == "talk"


def test_a_lone_number_in_the_group_is_talk(day: Room) -> None:
    assert day.hears("4", "2", GROUP) == "talk"
    assert day.game.phase == "day"
    assert day.hears("4", "2") == "done"
    assert day.game.phase == "night" and not day.game.seats[2].alive


# --- in the group --------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["刀 4", "刀4", "刀 99", "刀", "空刀", "立王 4 备 5", "密 你好"])
@pytest.mark.parametrize("account", [KILLER, CIVILIAN, "777"])
def test_a_secret_typed_in_the_group_is_taken_back_and_never_repeated(
    night: Room, typed: str, account: str
) -> None:
    length = night.length()
    assert night.hears(account, typed, GROUP, message_id="4711") == "refused"
    recall, told = night.said()
    assert (recall.target, recall.action, recall.text) == (group(), "recall", "")
    assert recall.arguments == {"message_id": "4711"}
    assert told.target == private(account)
    assert "99" not in told.text and "你好" not in told.text
    assert night.length() == length


def test_what_is_said_in_the_group_is_a_post(day: Room) -> None:
    for typed in ("大家早", "刀法很好", "投票怎么投", "3", "", "#12 你好"):
        assert day.hears("5", typed, GROUP) == "talk"
    assert day.game.attendance.posts[5] == 6
    assert day.hears("5", "状态", GROUP) == "done"
    assert day.hears("5", "处决 2", GROUP) == "refused"
    assert day.hears("5", "继续", GROUP) == "refused"
    assert day.hears("777", "路过", GROUP) == "talk"
    assert day.game.attendance.posts == {5: 6}


def test_answers_in_the_group_go_to_the_group_and_refusals_to_who_asked(day: Room) -> None:
    for typed in ("状态", "时间", "名单", "规则", "帮助", "票型"):
        assert day.hears("777", typed, GROUP) == "done"
        assert day.only()[0] == group()
    assert day.hears("5", "处决 2", GROUP) == "refused"
    assert day.only()[0] == private("5")
    assert day.hears("777", "处决 2", GROUP) == "refused"
    assert day.only()[0] == private("777")
    assert day.hears("4", "处决 2", GROUP) == "done"
    assert [target for target, _ in day.texts() if target.kind == "group"] == [group()]


def test_what_is_ones_own_is_answered_privately_wherever_it_was_asked(day: Room) -> None:
    for typed in ("我的身份", "我的信息", "待收"):
        assert day.hears(KILLER, typed, GROUP) == "done"
        assert day.only()[0] == private(KILLER)
    for typed in ("身份表", "待办", "记录"):
        assert day.hears(HOST, typed, GROUP) == "done"
        assert day.only()[0] == private(HOST)


def test_help_in_the_group_is_the_same_for_every_role(night: Room) -> None:
    texts = set()
    for account in ("1", KILLER, CIVILIAN, HOST, "777"):
        night.hears(account, "帮助", GROUP)
        texts.add(night.only()[1])
    assert len(texts) == 1


def test_an_order_typed_privately_is_announced_and_acknowledged(day: Room) -> None:
    assert day.hears("4", "处决 2") == "done"
    targets = [target for target, _ in day.texts()]
    assert group() in targets and private("4") in targets


def test_the_king_who_names_himself_is_asked(day: Room) -> None:
    assert day.hears("4", "处决 4", GROUP) == "done"
    target, text = day.only()
    assert target == group() and "确认" in text
    assert day.hears("4", "确认") == "done"
    assert not day.game.seats[4].alive


def test_a_late_message_finds_the_deadline_settled(day: Room) -> None:
    # At 13:00 next day the day has closed, whether or not the clock has come by.
    day.later(hours=4.5)
    assert day.hears("4", "处决 2", GROUP) == "refused"
    assert day.game.phase == "night" and day.game.seats[2].alive
    assert not day.game.seats[4].alive


def test_a_lookup_too_finds_the_deadline_settled(day: Room) -> None:
    day.later(hours=4.5)
    assert day.hears("777", "状态", GROUP) == "done"
    assert day.game.phase == "night"


# --- several games -------------------------------------------------------------------------------


@pytest.fixture
def both(room: Room) -> Room:
    """Two games: everybody sits in both, on the same number."""
    room.deal()
    room.deal(OTHER_GROUP, "51")
    return room


def test_in_two_games_the_bot_asks_which_and_remembers_nothing(both: Room) -> None:
    for _ in range(2):
        assert both.hears(KILLER, "刀 4") == "refused"
        target, text = both.only()
        assert target.id == KILLER and "#1" in text and "#2" in text
    assert both.kills(1) == both.kills(2) == []
    assert both.hears(KILLER, "4") == "refused"
    both.said()
    assert both.hears(KILLER, "随便说说") == "talk"
    assert both.said() == []


def test_in_two_games_a_number_goes_before_one_message(both: Room) -> None:
    assert both.hears(KILLER, "#2 刀 4") == "done"
    assert {target for target, _ in both.texts()} == {
        private(KILLER, OTHER_GROUP),
        private(OTHER_KILLER, OTHER_GROUP),
    }
    assert (both.kills(1), both.kills(2)) == ([], [4])
    assert both.hears(KILLER, "#1 5") == "done"
    assert both.kills(1) == [5]
    assert both.hears(KILLER, "刀 4") == "refused"
    both.said()
    assert both.hears(KILLER, "#3 刀 4") == "refused"
    assert "第3局" in both.only()[1]


def test_in_two_games_one_can_be_chosen(both: Room) -> None:
    assert both.hears(KILLER, "切换 3") == "refused"
    assert both.hears(KILLER, "切换 2") == "done"
    both.said()
    assert both.hears(KILLER, "刀 4") == "done"
    assert both.hears(KILLER, "#1 刀 5") == "done"
    assert both.hears(KILLER, "刀 6") == "done"
    assert (both.kills(1), both.kills(2)) == ([5], [6])
    # It is kept over a restart.
    both.desk = type(both.desk)(both.ledger, both.desk.speech, both.settings)
    assert both.hears(KILLER, "刀 7") == "done"
    assert both.kills(2) == [7]


def test_in_a_group_it_is_that_groups_game(both: Room) -> None:
    both.hears(HOST, "开楼")
    assert both.hears("5", "早", GROUP) == "talk"
    assert both.ledger.game(1).attendance.posts == {5: 1}
    assert both.ledger.game(2).attendance.posts == {}
    assert both.hears("5", "#2 状态", GROUP) == "refused"
    assert both.hears("51", "截票", GROUP) == "refused"


# --- directors -----------------------------------------------------------------------------------


def test_directors_words_are_for_directors(night: Room) -> None:
    for typed in ("身份表", "待办", "记录", "警告 4 吵", "开楼", "暂停", "公告 大家好", "终局"):
        for account, where in ((CIVILIAN, None), (CIVILIAN, GROUP), ("777", GROUP)):
            assert night.hears(account, typed, where) == "refused", typed
            assert night.only()[0].kind == "private"
    assert night.game.phase == "night"


def test_a_director_who_sits_down_sees_nothing_hidden(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    room.hears("9", "副导演", GROUP)
    assert room.hears(HOST, "副导演 @9", GROUP, mentions={"9": "副"}) == "done"
    for account in [HOST, *map(str, range(1, 7))]:
        room.hears(account, "报名", GROUP)
    assert room.hears("9", "开始 强制", GROUP) == "done"
    assert room.game.seat_of(HOST) is not None
    room.said()
    for typed in ("身份表", "记录", "待办", "开楼"):
        assert room.hears(HOST, typed) == "refused"
    assert {text for _, text in room.texts()[1:]} == {room.desk.speech.say("bot.seated_director")}
    assert room.hears("9", "身份表") == "done"


def test_every_directors_word_does_its_work(day: Room) -> None:
    def does(typed: str) -> None:
        assert day.hears(HOST, typed, mentions={"60": "新人", "61": "", "62": ""}) == "done", typed

    game = day.game
    does("警告 5 吵")
    assert day.game.seats[5].warnings == 1
    does("撤牌 5 警告")
    assert day.game.seats[5].warnings == 0
    does("加水 5 3")
    does("扣水 5 1")
    assert day.game.attendance.posts[5] == 2
    does("禁言 5 2小时")
    mute = next(row for row in day.said() if row.action == "mute")
    assert mute.target == group() and mute.arguments == {"account": "5", "seconds": 7200}
    does("替补 5 @60")
    assert (day.game.seats[5].account, day.game.seats[5].name) == ("60", "新人")
    assert private("60") in [target for target, _ in day.texts()]
    does("场助 6 @61 老手")
    assert day.game.seats[6].coach.name == "老手"
    does("副导演 @62 助手")
    assert day.game.is_director("62")
    before = game.due["close"]
    does("延长 30分")
    assert (day.game.due["close"] - before).total_seconds() == 1800
    does("暂停")
    assert day.game.paused_at is not None
    does("继续")
    assert day.game.paused_at is None
    does("公告 第一行\n第二行")
    assert any("第一行" in text and "第二行" in text for _, text in day.texts())
    assert day.hears(HOST, "结算") == "refused"
    does("截票")
    assert day.game.phase == "night"
    does("判出局 6 场外")
    assert not day.game.seats[6].alive
    does("结算")
    assert day.game.phase == "day"
    day.said()
    for typed in ("身份表", "待办", "记录"):
        does(typed)
        assert day.only()[0] == private(HOST)
    does("终局")
    assert day.game.phase == "day"
    does("确认")
    assert day.game.phase == "over"


ASKED = SPEECH.say("bot.end_confirm", game=1)
DROPPED = SPEECH.say("bot.end_dropped")


@pytest.mark.parametrize("where", [None, GROUP])
def test_an_end_before_its_time_is_asked_back_and_confirmed(day: Room, where: str | None) -> None:
    place = private(HOST) if where is None else group()
    day.hears(HOST, "状态", where, message_id="s")
    day.said()
    length = day.length()
    assert day.hears(HOST, "终局", where, message_id="e") == "done"
    assert day.only() == (place, ASKED) and day.length() == length
    # What is reported once more changes nothing, and another's word is none.
    assert day.hears(HOST, "终局", where, message_id="e") == "repeat"
    assert day.hears(HOST, "状态", where, message_id="s") == "repeat"
    assert day.hears("777", "确认", where) in ("refused", "talk")
    day.said()
    assert day.hears(HOST, "确认", where, message_id="c") == "done"
    assert day.game.phase == "over"
    assert day.hears(HOST, "确认", where, message_id="c") == "repeat"
    day.said()
    assert day.hears(HOST, "辛苦了", GROUP) == "talk"
    assert day.said() == []


@pytest.mark.parametrize(
    ("words", "where"),
    [("等等", GROUP), ("状态", GROUP), ("确认", GROUP), ("确认 一下", None), ("#2 确认", None)],
)
def test_an_end_that_is_not_confirmed_next_is_dropped(day: Room, words: str, where: str) -> None:
    day.hears(HOST, "终局")
    day.said()
    day.hears(HOST, words, where)
    assert (private(HOST), DROPPED) in day.texts()
    assert day.hears(HOST, "确认") == "refused"
    assert day.game.phase == "day" and DROPPED not in [text for _, text in day.texts()]


def test_an_end_that_is_asked_for_again_is_asked_back_again(day: Room) -> None:
    day.hears(HOST, "终局", GROUP)
    day.hears(HOST, "终局")
    assert day.texts() == [(group(), ASKED), (private(HOST), ASKED)]
    assert day.hears(HOST, "确认") == "done"
    assert day.game.phase == "over"


def test_who_directs_no_more_confirms_nothing(day: Room) -> None:
    day.hears(HOST, "终局", GROUP)
    day.game.directors.clear()
    assert day.hears(HOST, "确认", GROUP) == "refused"
    assert day.game.phase == "day"


def test_a_confirmation_that_was_not_kept_counts_when_it_is_handled_again(
    day: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    day.hears(HOST, "终局")
    commit, failures = day.store.commit, [StoreError("the database failed")]

    def fails(changes: Any) -> Any:
        if failures:
            raise failures.pop()
        return commit(changes)

    monkeypatch.setattr(day.store, "commit", fails)
    with pytest.raises(StoreError):
        day.hears(HOST, "确认", message_id="c")
    assert day.game.phase == "day"
    assert day.hears(HOST, "确认", message_id="c") == "done"
    assert day.game.phase == "over"


def test_somebody_who_is_not_mentioned_but_named_is_nobody(day: Room) -> None:
    assert day.hears(HOST, "替补 5 @不认识") == "refused"
    assert day.game.seats[5].account == "5"
    assert day.hears(HOST, "替补 5 60") == "refused"
    assert day.hears(HOST, "替补 5 600000") == "done"
    assert day.game.seats[5].account == "600000"


def test_a_substitute_is_called_as_he_was_last_seen(day: Room) -> None:
    day.hears("60", "我来替吧", GROUP, name="热心人")
    assert day.hears(HOST, "替补 5 @60", GROUP, mentions={"60": ""}) == "done"
    assert day.game.seats[5].name == "热心人"


def test_a_proxy_ballot(room: Room) -> None:
    room.deal()
    room.hears("1", "立王 4 备 5")
    room.hears(HOST, "开楼")
    room.hears("4", "处决 1", GROUP)
    room.hears("4", "立宪", GROUP)
    room.hears(HOST, "开楼")
    assert room.game.decides == "ballot"
    assert room.hears(HOST, "代投 5 投 2") == "done"
    assert room.game.ballot.cast[5] == 2
    room.said()
    assert room.hears("6", "投票对象：2\n投票理由：像", GROUP) == "done"
    assert room.only()[0] == group()
    assert room.hears("7", "棄權") == "done"
    assert room.game.ballot.cast == {5: 2, 6: 2, 7: None}
    assert room.hears("2", "玩家3") == "done"
    assert room.game.ballot.cast[2] == 3


# --- bound groups --------------------------------------------------------------------------------


def test_a_group_is_bound_by_a_director_where_it_is_typed(night: Room) -> None:
    assert night.hears(CIVILIAN, "绑定 杀手 1", ROOM_GROUP) == "refused"
    assert night.hears(HOST, "绑定 杀手 2", ROOM_GROUP) == "refused"
    assert night.hears(HOST, "绑定 情侣 1", ROOM_GROUP) == "refused"
    assert night.hears(HOST, "绑定 杀手", GROUP) == "refused"
    assert night.hears(HOST, "绑定 杀手 1") == "refused"
    night.said()
    assert night.hears(HOST, "绑定 杀手 1", ROOM_GROUP) == "done"
    # Not a word in the room, before it is known who is there.
    assert [(row.target, row.action) for row in night.said()] == [
        (group(ROOM_GROUP), "members"),
        (private(HOST, ROOM_GROUP), "text"),
    ]
    assert night.game.bound == {"killers": ROOM_GROUP}


def test_a_killers_room(night: Room) -> None:
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.in_room(ROOM_GROUP, *map(str, KILLERS))
    night.said()
    assert night.hears(KILLER, "刀 4", ROOM_GROUP) == "done"
    assert night.only()[0] == group(ROOM_GROUP)
    assert night.hears(KILLER, "今晚刀谁", ROOM_GROUP) == "talk"
    assert night.hears(KILLER, "继续", ROOM_GROUP) == "talk"
    assert night.hears("777", "刀 5", ROOM_GROUP) == "talk"
    assert night.hears(HOST, "刀 5", ROOM_GROUP) == "talk"
    assert night.said() == []
    assert night.hears(KILLER, "刀 99", ROOM_GROUP) == "refused"
    assert night.only()[0].kind == "private"
    assert night.hears(CIVILIAN, "刀 5", ROOM_GROUP) == "refused"
    assert night.only()[0].kind == "private"
    assert night.hears(KILLER, "状态", ROOM_GROUP) == "done"
    assert night.only()[0] == group(ROOM_GROUP)
    # What is whispered privately is said there.
    assert night.hears(OTHER_KILLER, "密 听我的") == "done"
    assert group(ROOM_GROUP) in [target for target, _ in night.texts()]


def test_a_directors_room(day: Room) -> None:
    day.hears(HOST, "绑定 导演 1", ROOM_GROUP)
    day.in_room(ROOM_GROUP, HOST)
    day.said()
    assert day.hears(HOST, "身份表", ROOM_GROUP) == "done"
    assert day.only()[0] == group(ROOM_GROUP)
    assert day.hears(HOST, "身份表", GROUP) == "done"
    assert day.only()[0] == private(HOST)
    assert day.hears(HOST, "警告 5 吵", ROOM_GROUP) == "done"
    assert day.game.seats[5].warnings == 1
    day.said()
    for account in (CIVILIAN, "777"):
        assert day.hears(account, "身份表", ROOM_GROUP) == "talk"
    assert day.said() == []


# --- strangers, the end, what was held -----------------------------------------------------------


def test_a_stranger_in_private(night: Room) -> None:
    assert night.hears("777", "你好") == "talk"
    assert night.said() == []
    for typed in ("刀 3", "刀", "身份表", "我的身份", "#1 状态"):
        assert night.hears("777", typed) == "refused"
        assert night.only()[0].id == "777"
    assert night.hears("777", "帮助") == "done"
    assert night.hears("777", "规则") == "done"
    assert night.hears("777", "开局 拥王者") == "refused"


def test_after_the_end_who_played_may_look_and_nobody_may_act(day: Room) -> None:
    day.hears(HOST, "终局", GROUP)
    day.hears(HOST, "确认", GROUP)
    day.said()
    assert day.hears("5", "处决 2", GROUP) == "refused"
    assert day.only()[0] == private("5")
    assert day.hears("5", "状态", GROUP) == "done"
    assert day.hears(HOST, "身份表", GROUP) == "done"
    assert day.hears("5", "#1 我的身份") == "done"
    assert day.hears("5", "大家辛苦了", GROUP) == "talk"
    assert day.hears("777", "处决 2", GROUP) == "talk"
    assert day.hears("5", "开局 拥王者", GROUP) == "done"


def test_what_could_not_be_delivered_can_be_pulled(night: Room) -> None:
    night.hears("1", "立王 4 备 5")
    (row,) = night.said()
    night.store.give_up(row.id)
    assert night.hears("1", "待收") == "done"
    # What it is comes first, once, and then what was held.
    heading, held = night.said()
    assert heading.text == SPEECH.say("bot.held_some", count=1)
    assert (held.text, held.state) == (row.text, "waiting") and held.id > heading.id
    assert night.store.undelivered("1") == []
    night.store.give_up(held.id)
    assert night.hears("1", "我的身份") == "done"
    assert night.store.undelivered("1") == []
    night.said()
    assert night.hears("1", "待收") == "done"
    assert night.only()[1] == night.desk.speech.say("bot.held_none")


def test_who_was_lost_and_writes_again_gets_what_was_held(night: Room) -> None:
    night.hears("1", "立王 4 备 5")
    (row,) = night.said()
    night.store.give_up(row.id)
    night.store.set_reachable("1", False)
    assert night.hears("1", "在吗") == "talk"
    heading, held = night.said()
    assert heading.text == SPEECH.say("bot.held_some", count=1) and held.text == row.text
    assert night.store.undelivered("1") == [] and night.ledger.person("1").reachable
    night.store.give_up(held.id)
    night.store.set_reachable("1", False)
    assert night.hears("1", "待收") == "done"
    assert [text for _, text in night.texts()] == [heading.text, row.text]
    assert night.store.undelivered("1") == []


# --- taking back ---------------------------------------------------------------------------------


def test_the_last_thing_that_a_director_did_is_shown_and_taken_back_on_his_word(day: Room) -> None:
    day.hears(HOST, "判出局 6 看错人", GROUP)
    day.hears(CIVILIAN, "大家好", GROUP)
    day.said()
    assert day.hears(HOST, "撤销", GROUP) == "done"
    to, shown = day.only()
    assert to == private(HOST), "what would be undone may be secret"
    assert "判 6号 玩家6 出局" in shown and "大家好" not in shown
    assert not day.game.seats[6].alive
    assert day.hears(HOST, "确认") == "done"
    assert day.game.is_living(6)
    told = day.texts()
    assert [to for to, _ in told] == [group(), private("6"), private(HOST)]
    assert all("回到" in text for _, text in told)
    assert day.hears(HOST, "确认") == "refused"
    assert day.texts()[-1] == (private(HOST), SPEECH.say("bot.nothing_asked"))


def test_what_was_asked_privately_is_confirmed_there_or_where_it_was_said(day: Room) -> None:
    day.hears(HOST, "判出局 6 看错人", GROUP)
    day.hears(HOST, "撤销", GROUP)
    day.said()
    assert day.hears(HOST, "确认", GROUP) == "done"
    assert day.game.is_living(6)
    # Another director was not asked; nor was anybody after a restart.
    day.hears(HOST, f"副导演 @{DEPUTY}", mentions={DEPUTY: "副"})
    day.hears(HOST, "判出局 6 看错人")
    day.hears(HOST, "撤销")
    day.said()
    assert day.hears(DEPUTY, "确认") == "refused"
    assert day.texts() == [(private(DEPUTY), SPEECH.say("bot.nothing_asked"))]
    assert not day.game.is_living(6)


def test_no_more_is_taken_back_than_was_shown(night: Room) -> None:
    night.hears(HOST, "判出局 6 看错人")
    night.hears(HOST, "撤销")
    night.hears(KILLER, "刀 5")
    night.said()
    assert night.hears(HOST, "确认") == "done"
    assert not night.game.seats[6].alive and night.kills() == [5]
    to, shown = night.only()
    assert to == private(HOST) and shown.startswith(SPEECH.say("bot.rewind_stale"))
    assert "5号" in shown
    night.hears("8", "到底怎么回事", GROUP)
    assert night.hears(HOST, "确认") == "done"
    assert night.game.is_living(6) and night.kills() == []


def test_what_changes_nothing_of_the_game_is_passed_over(day: Room) -> None:
    day.hears(HOST, "判出局 6 看错人")
    day.hears(HOST, "公告 " + "大家安静" * 500)
    day.hears(HOST, "绑定 导演", ROOM_GROUP)
    day.hears(HOST, f"副导演 @{DEPUTY}", mentions={DEPUTY: "副"})
    day.said()
    day.hears(HOST, "撤销")
    to, shown = day.only()
    assert to == private(HOST) and "判 6号 玩家6 出局" in shown
    assert "大家安静" in shown and len(shown) < 600


def test_what_is_not_confirmed_next_is_not_taken_back(day: Room) -> None:
    day.hears(HOST, "判出局 6 看错人")
    day.hears(HOST, "撤销")
    day.said()
    day.hears(HOST, "状态")
    assert day.texts()[1] == (private(HOST), SPEECH.say("bot.rewind_dropped"))
    assert day.hears(HOST, "确认") == "refused" and not day.game.is_living(6)


def test_cancelling_what_was_asked_is_understood(day: Room) -> None:
    day.hears(HOST, "判出局 6 看错人")
    day.hears(HOST, "撤销")
    day.said()
    assert day.hears(HOST, "取消") == "done"
    assert day.texts() == [(private(HOST), SPEECH.say("bot.rewind_dropped"))]
    assert day.hears(HOST, "确认") == "refused" and not day.game.is_living(6)


def test_a_game_is_led_back_past_an_opening_and_goes_on_when_told(night: Room) -> None:
    night.hears(KILLER, "刀 5")
    night.hears("1", "立王 4 备 7")
    before = night.length()
    night.later(hours=9)
    assert night.hears(HOST, f"回到 {before}") == "done"
    night.said()
    assert night.hears(HOST, "确认") == "done"
    assert night.game.phase == "night" and night.game.is_living(5)
    assert night.kills() == [5]
    told = dict(night.texts())
    assert "你出局了" in told[private("5")] and "5号" not in told.get(private("4"), "")
    assert "刀" not in told[group()] and "立王" not in told[group()]
    # A restart makes the same of it, and no deadline has passed.
    again = Room(now=night.now)
    again.store = night.store
    again.ledger = type(night.ledger)(night.store, SPEECH, night.ledger.rulesets)
    assert again.ledger.game(1).paused_at is not None and again.ledger.alarms() == {}
    assert night.hears(HOST, "继续") == "done"
    night.later(hours=7, minutes=59)
    night.ledger.wake(1, night.now)
    assert night.game.phase == "night"
    night.later(minutes=2)
    night.ledger.wake(1, night.now)
    assert night.game.phase == "day" and not night.game.is_living(5)


def test_an_end_by_mistake_is_taken_back_unless_another_game_has_begun(day: Room) -> None:
    day.hears(HOST, "终局", GROUP)
    day.hears(HOST, "确认", GROUP)
    assert day.game.phase == "over" and day.ledger.open_games() == []
    day.hears(HOST, "撤销", GROUP)
    assert day.hears(HOST, "确认") == "done"
    assert day.game.phase == "day" and [game.id for game in day.ledger.open_games()] == [1]
    assert day.ledger.alarms()
    day.hears(HOST, "终局")
    day.hears(HOST, "确认")
    day.hears("51", "开局 拥王者", GROUP)
    day.said()
    assert day.hears(HOST, "#1 撤销") == "done"
    assert "要把第1局退回" in day.texts()[-1][1]
    assert day.hears(HOST, "#1 确认") == "refused"
    assert "第2局" in day.texts()[-1][1] and day.game.phase == "over"


def test_only_directors_lead_back_and_others_only_talk_about_it(day: Room) -> None:
    for typed in ("撤销", "回到 5"):
        assert day.hears(CIVILIAN, typed, GROUP) == "refused"
    assert day.hears(CIVILIAN, "回到 正题吧", GROUP) == "talk"
    for typed in ("回到 0", "回到 99999", f"回到 {day.length()}"):
        assert day.hears(HOST, typed) == "refused"
    assert day.hears(HOST, "撤判 6") == "refused"
    assert day.hears(HOST, "解禁 6") == "done"
    mute = next(row for row in day.said() if row.action == "mute")
    assert mute.arguments == {"account": "6", "seconds": 0}


def test_who_had_given_an_order_hears_which_one_stands_again(night: Room) -> None:
    night.hears(KILLER, "刀 5")
    night.hears("1", "立王 4 备 7")
    before = night.length()
    night.hears(KILLER, "刀 6")
    night.hears("1", "立王 6 备 7")
    night.said()
    night.hears(HOST, f"回到 {before}")
    night.hears(HOST, "确认")
    told = dict(night.texts())
    for account, stands in ((KILLER, "5号"), ("1", "4号")):
        now = told[private(account)].partition("现在是这样")[2]
        assert stands in now and "6号" not in now
    assert private("4") not in told
    # 撤判 is told to whom it is about.
    night.hears(HOST, "判出局 6 看错人")
    night.said()
    night.hears(HOST, "撤判 6")
    assert SPEECH.say("events.reinstated.you", number=6) in dict(night.texts())[private("6")]


def test_a_mute_is_as_it_was_for_whoever_it_was_of(day: Room) -> None:
    def mutes() -> list[dict[str, object]]:
        return [dict(row.arguments) for row in day.said() if row.action == "mute"]

    day.hears(HOST, "禁言 5 1小时")
    day.later(minutes=20)
    day.hears(HOST, "解禁 5")
    assert mutes()[-1] == {"account": "5", "seconds": 0}
    day.hears(HOST, "撤销")
    day.hears(HOST, "确认")
    (again,) = mutes()
    assert again["account"] == "5" and 39 * 60 < int(str(again["seconds"])) <= 40 * 60
    # Of the player who was muted, not of who has the seat by then.
    before = day.length()
    day.hears(HOST, "禁言 6 2小时")
    day.hears(HOST, "替补 6 @60", mentions={"60": "新人"})
    day.said()
    day.hears(HOST, f"回到 {before}")
    day.hears(HOST, "确认")
    assert mutes() == [{"account": "6", "seconds": 0}]
    # One that has run out is nothing to mend.
    before = day.length()
    day.hears(HOST, "禁言 7 1小时")
    day.later(minutes=61)
    day.said()
    day.hears(HOST, f"回到 {before}")
    day.hears(HOST, "确认")
    assert mutes() == []


def test_a_replaced_player_is_a_player_again_and_the_other_is_told_so(day: Room) -> None:
    day.hears(HOST, "替补 5 @60", mentions={"60": "新人"})
    day.said()
    day.hears(HOST, "撤销")
    day.said()
    day.hears(HOST, "确认")
    assert day.game.seats[5].account == "5"
    told = dict(day.texts())
    assert "接手5号" in told[private("60")]
    assert "5号由 新人 接替" in told[private(HOST)]
    assert SPEECH.say("events.rewound.reseated", number=5) in told[private("5")]
    assert day.hears("60", "我的身份") == "refused"
    assert day.hears("5", "我的身份") == "done"
