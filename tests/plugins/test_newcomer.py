"""What somebody who plays for the first time types, and is told."""

from __future__ import annotations

import pytest

from data.message import Target
from engine import commands as c
from plugins.gamemaster.desk import Settings
from plugins.gamemaster.words import read
from tests.plugins.desk import GROUP, HOST, OTHER_GROUP, SPEECH, Room, group, private


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def night(room: Room) -> Room:
    room.deal()
    return room


def to(texts: list[tuple[Target, str]], target: Target) -> list[str]:
    return [text for where, text in texts if where == target]


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        *(
            ("报名！", "sign_up"),
            ("开始。", "start"),
            ("状态？", "status"),
            ("独裁。", "dictatorship"),
        ),
        *(("空刀。", "no_kill"), ("帮助？", "help"), ("help", "help"), ("菜单～", "help")),
        *(("帮助!!", "help"), ("弃权…", "abstain"), ("罢黜！", "depose"), ("退位 。", "abdicate")),
    ],
)
def test_what_ends_a_word_is_no_part_of_it(typed: str, key: str) -> None:
    line = read(typed)
    assert line.word is not None and (line.word.key, line.glued) == (key, False)
    assert not line.tail


@pytest.mark.parametrize("typed", ["独裁？", "退位？", "处决！", "help me", "helpful", "开局吧"])
def test_a_doubt_is_no_order(night: Room, typed: str) -> None:
    before = night.length()
    assert night.hears("4", typed, GROUP) == "talk"
    assert night.said() == [] and night.length() >= before


def test_talk_about_an_opening_opens_nothing(room: Room) -> None:
    assert room.hears(HOST, "开局就死了", GROUP) == "talk"
    assert room.hears("4", "开局就死了") == "talk"
    assert room.ledger.open_games() == []


@pytest.mark.parametrize("typed", ["开局 拥王者！", "开局拥王者 8 人", "开局 拥王者 8 人。"])
def test_an_opening_however_it_is_spaced(room: Room, typed: str) -> None:
    assert room.hears(HOST, typed, GROUP) == "done"
    assert room.game.sheet.players == (8 if "8" in typed else None)


def test_whoever_is_asked_for_a_choice_is_told_what_to_type(night: Room) -> None:
    night.hears("1", "立王 1 备 4")
    night.hears("1", "立王 4 备 5")
    night.hears(HOST, "判出局 1 失联")
    night.hears(HOST, "开楼")
    assert night.hears("4", "处决 7", GROUP) == "done"
    night.said()
    assert night.hears("4", "独裁 吧") == "refused"
    assert night.only()[1].endswith("例：独裁")
    assert night.hears("5", "独裁 吧") == "talk"


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["弃权", "刀", "帮助", "7", "7号", "７ 号", "【开楼】", "小\n明", "#3", "\u3164"]
)
def test_a_name_that_reads_like_something_else_is_refused(room: Room, name: str) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    room.said()
    assert room.hears("7", f"报名 {name}", GROUP) == "refused"
    target, text = room.only()
    assert target == private("7") and "报名 小明" in text
    assert room.game.signups == []


@pytest.mark.parametrize(
    ("nickname", "name"),
    [
        ("【狼】小明\n的号", "狼】小明 的号"),
        ("3号", "77777"),
        ("刀", "77777"),
        ("长" * 30, "长" * 19 + "…"),
    ],
)
def test_a_nickname_is_cleaned(room: Room, nickname: str, name: str) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    assert room.hears("77777", "报名", GROUP, name=nickname) == "done"
    assert [person.name for person in room.game.signups] == [name]


# --- people --------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["替补 3 @999", "场助 3 @999", "副导演 @999"])
def test_the_bot_itself_takes_no_part(night: Room, typed: str) -> None:
    heard = night.hears(HOST, typed, me="999", mentions={"999": "机器人"})
    assert heard == "refused"
    assert typed[:2] in night.only()[1] and night.game.seat_of("999") is None
    assert not night.game.is_director("999")


def test_a_player_who_is_replaced_is_told(night: Room) -> None:
    assert night.hears(HOST, "替补 4 @77", mentions={"77": "新人"}) == "done"
    assert to(night.texts(), private("4")) == [SPEECH.say("bot.replaced_gone", game=1)]


def test_a_host_who_signs_up_is_warned_and_nobody_is_left_to_direct(room: Room) -> None:
    room.sign_up(players=7)
    for account in [HOST, *map(str, range(1, 8))]:
        room.store.set_reachable(account, True)
    assert room.hears(HOST, "报名", GROUP) == "done"
    warning = SPEECH.say("bot.last_director", game=1)
    assert warning in to(room.texts(), private(HOST))
    assert room.hears(HOST, "开始", GROUP) == "refused"
    assert "副导演" in room.only()[1] and not room.game.seats
    assert room.hears(HOST, "副导演 @60", GROUP, mentions={"60": "小红"}) == "done"
    assert room.hears(HOST, "开始", GROUP) == "done"
    assert room.game.is_director("60") and not room.game.is_director(HOST)


def test_a_host_alone_may_still_force_the_deal(room: Room) -> None:
    room.sign_up(players=7)
    room.hears(HOST, "报名", GROUP)
    assert room.hears(HOST, "开始 强制！", GROUP) == "done"
    assert room.game.seats


@pytest.mark.parametrize(("group_of", "typed"), [(GROUP, "终局"), (None, "#1 终局")])
def test_a_superuser_may_end_any_game(group_of: str | None, typed: str) -> None:
    room = Room(Settings(superusers={"8888"}))
    room.deal()
    assert room.hears("8889", typed, group_of) == "refused"
    assert room.hears("8888", "身份表", GROUP) == "refused"
    assert room.hears("8888", typed, group_of) == "done"
    assert room.hears("8888", "确认", group_of) == "done"
    assert room.ledger.open_games() == []


# --- several games, and games that are over ------------------------------------------------------


def test_who_plays_in_several_games_is_told_which(night: Room) -> None:
    night.hears("1", "我的身份")
    assert not night.only()[1].startswith("【#")
    night.hears("61", "开局 拥王者", OTHER_GROUP)
    night.hears("1", "报名", OTHER_GROUP)
    hello = to(night.texts(), private("1", OTHER_GROUP))
    assert [text[:4] for text in hello] == ["【#2】"]
    night.hears("1", "#1 我的身份")
    assert night.only()[1].startswith("【#1】")
    night.hears("2", "我的身份")
    assert not night.only()[1].startswith("【#")
    night.hears("1", "我的身份")
    text = night.only()[1]
    assert f"群 {GROUP}" in text and f"群 {OTHER_GROUP}" in text


def test_after_the_end_one_may_look_things_up_in_private(night: Room) -> None:
    night.hears(HOST, "终局")
    night.hears(HOST, "确认")
    night.said()
    assert night.hears("1", "我的身份") == "done"
    assert "拥王者" in night.only()[1]
    for typed in ("身份表", "记录"):
        assert night.hears(HOST, typed) == "done"
        assert "第1局" in night.only()[1]
    assert night.hears("99", "我的身份") == "refused"
    assert night.only()[1] == SPEECH.say("bot.not_playing")


# --- what is said --------------------------------------------------------------------------------


def test_the_group_hears_it_first(room: Room) -> None:
    room.sign_up()
    outcome = room.ledger.act(1, c.Deal(at=room.now, seed="00"))
    room.ledger.commit()
    assert outcome.refused is None
    targets = [target for target, _ in room.texts()]
    assert targets[0] == group() and group() not in targets[1:] and len(targets) > 7
    killer = next(n for n, seat in room.game.seats.items() if seat.role == "killer")
    victim = next(n for n, seat in room.game.seats.items() if seat.role == "civilian")
    room.ledger.act(1, c.Act(at=room.now, seat=killer, ability="faction_kill", target=victim))
    room.ledger.commit()
    room.said()
    room.ledger.act(1, c.OpenDay(at=room.now))
    room.ledger.commit()
    said = room.texts()
    assert said[0][0] == group() and any(target.id == str(victim) for target, _ in said[1:])


def test_whom_the_last_stroke_hits_is_not_silenced(night: Room) -> None:
    night.hears(HOST, "判出局 2 失联", GROUP)
    assert any("出局" in text for text in to(night.texts(), private("2")))
    night.hears(HOST, "判出局 3 失联", GROUP)
    said = night.texts()
    assert night.game.phase == "over" and to(said, private("3")) == []


def test_an_heir_s_card_does_not_contradict_itself(night: Room) -> None:
    night.hears("1", "立王 4 备 5")
    night.hears(HOST, "判出局 1 失联")
    night.hears(HOST, "开楼")
    night.hears("4", "处决 7", GROUP)
    assert night.hears("4", "神赐", GROUP) == "done"
    heir = night.game.crown.kingmaker
    assert heir is not None
    night.said()
    night.hears(str(heir), "我的身份")
    text = night.only()[1]
    assert "平民，现在是拥王者" in text and "没有要交的" not in text
    assert text.count("只有你知道") == 1


def test_the_dictator_s_words_are_listed_to_him_and_the_vote_is_counted(night: Room) -> None:
    night.hears("1", "立王 4 备 5")
    night.hears(HOST, "判出局 1 失联")
    night.hears(HOST, "开楼")
    night.hears("4", "处决 7", GROUP)
    assert night.hears("4", "独裁", GROUP) == "done"
    for account, where, lists in (("4", None, True), ("5", None, False), ("5", GROUP, False)):
        night.said()
        night.hears(account, "帮助", where)
        assert ("退位" in night.only()[1]) is lists
    night.hears("5", "罢黜", GROUP)
    night.said()
    night.hears("6", "票型", GROUP)
    assert "赞成 1" in night.only()[1]


def test_a_lone_killer_has_nobody_to_talk_to(night: Room) -> None:
    night.hears("2", "帮助")
    assert "密 内容" in night.only()[1]
    night.hears(HOST, "判出局 3 失联")
    night.said()
    night.hears("2", "帮助")
    assert "密 内容" not in night.only()[1]


@pytest.mark.parametrize(
    ("account", "typed", "word"),
    [("1", "立王 9 备 3", "立王"), (HOST, "禁言 9 2小时", "禁言"), (HOST, "判出局 9", "判出局")],
)
def test_an_example_is_of_the_word_that_was_typed(
    night: Room, account: str, typed: str, word: str
) -> None:
    assert night.hears(account, typed) == "refused"
    assert f"例：{word} " in night.only()[1]
