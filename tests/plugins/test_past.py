"""What one has played (战绩), and being forgotten (忘记我)."""

from __future__ import annotations

import pytest

from data import storyfile
from data.proof import Written
from engine.commands import Deal, SignUp
from plugins.gamemaster.desk import Settings
from tests.plugins.desk import GROUP, HOST, OTHER_GROUP, SPEECH, Room, group, private


@pytest.fixture
def night() -> Room:
    """A game in its first night: 1 is the kingmaker, 2 and 3 kill, 4 to 7 are civilians."""
    room = Room()
    room.deal()
    return room


@pytest.fixture
def over(night: Room) -> Room:
    """The same game, won by the killers; 22 coached seat 4 and 77 came for seat 7."""
    night.hears(HOST, "场助 4 @22", GROUP, mentions={"22": "老手"})
    night.hears(HOST, "替补 7 @77", GROUP, mentions={"77": "新人"})
    for seat in (7, 6, 5, 4, 1):
        assert night.hears(HOST, f"判出局 {seat} 失联", GROUP) == "done"
    assert night.game.winner == "killers"
    night.said()
    return night


def told(room: Room, account: str, typed: str, where: str | None = GROUP) -> str:
    assert room.hears(account, typed, where, mentions={"22": "老手", "4": "玩家4"}) == "done"
    return room.only()[1]


# --- 战绩 -----------------------------------------------------------------------------------------


def test_ones_own_record(over: Room) -> None:
    text = told(over, "2", "战绩")
    assert text.splitlines() == [
        "【战绩】玩家2：打完 1 局，赢 1 局",
        "活到最后 1 局",
        "阵营：杀手方 1 局赢 1 局",
        "身份：杀手 1 局赢 1 局",
    ]
    assert "赢 0 局" in told(over, "1", "战绩。") and "活到最后 0 局" in told(over, "1", "戰績？")


@pytest.mark.parametrize("where", [GROUP, None, OTHER_GROUP])
def test_in_the_group_and_in_private_it_is_the_same(over: Room, where: str | None) -> None:
    over.hears("2", "战绩", where)
    (answer,) = [text for _, text in over.texts() if "战绩】" in text]
    assert answer.startswith("【战绩】玩家2：打完 1 局")


@pytest.mark.parametrize("where", [GROUP, None])
@pytest.mark.parametrize("typed", ["战绩 2", "战绩2号", "战绩 玩家2", "战绩 @2"])
def test_the_record_of_a_seat(over: Room, typed: str, where: str | None) -> None:
    assert told(over, "5", typed, where).startswith("【战绩】玩家2：打完 1 局，赢 1 局")


def test_the_record_of_whoever_is_mentioned(over: Room) -> None:
    text = told(over, "999", "战绩 @22")
    assert text.startswith("【战绩】老手：打完 1 局，赢 0 局") and "场助 1 局" in text
    assert told(over, "999", "战绩 @12345", None) == "12345 还没有打完的局。"
    assert told(over, "999", "战绩 12345", None) == "12345 还没有打完的局。"


def test_who_was_replaced_and_who_came(over: Room) -> None:
    assert told(over, "7", "战绩").splitlines() == [
        "玩家7 还没有打完的局。",
        "中途换人离开 1 局，不算打完",
    ]
    assert told(over, "77", "战绩").startswith("【战绩】玩家77：打完 1 局，赢 0 局")


def test_while_a_game_runs_it_tells_of_others_alone(over: Room) -> None:
    over.hears(HOST, "再来一局", GROUP)
    for account in range(1, 8):
        over.hears(str(account), "报名", GROUP)
    over.hears(HOST, "开始 强制", GROUP)
    over.said()
    assert told(over, "5", "战绩 2").startswith("【战绩】玩家2：打完 1 局，赢 1 局")
    # In private, a seat is one of the game that is on.
    assert told(over, "5", "战绩 2", None).startswith("【战绩】玩家2：打完 1 局，赢 1 局")
    assert over.hears("5", "战绩 9", GROUP) == "refused"
    assert "1～7" in over.only()[1]
    before = over.length(2)
    assert over.hears("5", "战绩真好看啊", GROUP) == "talk"
    assert over.said() == [] and over.length(2) >= before


@pytest.mark.parametrize(
    ("where", "typed", "heard"),
    [
        *((None, "战绩 3", "refused"), (None, "战绩 乱写", "refused")),
        *(("903", "战绩 3", "refused"), (None, "战绩", "done")),
        *(("903", "战绩", "done"), ("903", "战绩不错", "talk")),
    ],
)
def test_of_somebody_who_never_played(
    over: Room, where: str | None, typed: str, heard: str
) -> None:
    assert over.hears("999", typed, where) == heard
    said = over.texts()
    assert len(said) == (heard != "talk")


def test_a_player_of_several_games_is_asked_only_for_a_seat(night: Room) -> None:
    night.deal(OTHER_GROUP, "60")
    assert night.hears("5", "战绩") == "done"
    assert night.hears("5", "战绩 @12345") == "done"
    night.said()
    assert night.hears("5", "战绩 2") == "refused"
    assert "#1" in night.only()[1]
    assert night.hears("5", "#2 战绩 2") == "done"


def test_a_game_broken_off_is_no_defeat(night: Room) -> None:
    night.hears(HOST, "终局", GROUP)
    night.hears(HOST, "确认", GROUP)
    night.said()
    text = told(night, "2", "战绩")
    assert text.startswith("玩家2 还没有打完的局。") and "终止 1 局" in text


# --- 忘记我 ---------------------------------------------------------------------------------------


def forget(room: Room, account: str) -> None:
    assert room.hears(account, "忘记我") == "done"
    assert room.only() == (private(account, None), SPEECH.say("bot.forget_confirm"))
    assert room.hears(account, "确认") == "done"
    assert room.only() == (private(account, None), SPEECH.say("bot.forgotten"))


def test_who_is_forgotten_is_named_no_more(over: Room) -> None:
    over.store.set_reachable("4", True)
    assert "玩家4" in told(over, "5", "名单") and "玩家4" in told(over, "5", "记录", None)
    forget(over, "4")
    for account, typed, where in (
        *(("5", "名单", GROUP), ("5", "状态", GROUP), ("5", "身份表", None)),
        *(("5", "记录", None), (HOST, "#1 记录", None), ("5", "战绩 4", GROUP)),
    ):
        text = told(over, account, typed, where)
        assert "玩家4" not in text and ("4号" in text or typed == "战绩 4")
    assert told(over, "5", "战绩 4") == "4号 还没有打完的局。"
    assert over.ledger.person("4").name == "" and over.store.records("4") == []
    # The others are as they were, and so is the game.
    assert "玩家5" in told(over, "5", "名单") and over.store.finished("5") == 1
    assert over.game.winner == "killers" and len(over.game.seats) == 7


def test_the_story_s_prose_names_him_no_more_and_its_log_still_does() -> None:
    over = Room()
    over.sign_up()
    over.ledger.act(1, Deal(at=over.now, seed="5eed" * 8))
    over.ledger.commit()
    over.hears(HOST, "场助 4 @22", GROUP, mentions={"22": "老手"})
    over.hears(HOST, "替补 7 @77", GROUP, mentions={"77": "新人"})
    over.hears(HOST, "终局", GROUP)
    over.hears(HOST, "确认", GROUP)
    for account in ("4", "7", "77", "22", HOST):
        over.store.set_reachable(account, True)
        over.said()
        assert over.hears(account, "忘记我") == "done"
        asked = over.only()[1]
        assert "管机器人的人看得到" in asked and "复盘文件" in asked
        assert over.hears(account, "确认") == "done"
        assert "还有你当时的 QQ 号和名字" in over.only()[1]
    log = [Written(r.seq, r.version, r.body, r.digest) for r in over.store.load_events(1)]
    text = storyfile.write(SPEECH, log, over.store.forgotten())
    prose, _, raw = text.partition("```zhifatuan")
    for name in ("玩家4", "玩家7", "新人", "老手", f"玩家{HOST}"):
        assert name not in prose and name in raw
    assert "玩家5" in prose and "4号" in prose
    found, right = storyfile.check(SPEECH, text)
    assert right, found
    found, right = storyfile.check(SPEECH, text.replace("4号", "4号 玩家4", 1))
    assert not right


def test_anything_else_and_he_is_remembered(over: Room) -> None:
    over.store.set_reachable("4", True)
    assert over.hears("4", "忘记我") == "done"
    over.said()
    assert over.hears("4", "算了") == "talk"
    assert SPEECH.say("bot.forget_dropped") in [text for _, text in over.texts()]
    over.hears("4", "确认")
    over.said()
    assert over.store.finished("4") == 1
    # 确认 elsewhere is none.
    over.hears("4", "忘记我")
    over.hears("4", "确认", GROUP)
    assert over.store.finished("4") == 1


@pytest.mark.parametrize("account", ["4", HOST, "22", "7", "77"])
def test_not_while_a_game_is_on(night: Room, account: str) -> None:
    night.hears(HOST, "场助 4 @22", GROUP, mentions={"22": "老手"})
    night.hears(HOST, "替补 7 @77", GROUP, mentions={"77": "新人"})
    night.store.set_reachable(account, True)
    night.said()
    assert night.hears(account, "忘记我") == "refused"
    assert night.only()[1].endswith(SPEECH.say("bot.forget_playing", games=[1]))
    assert night.hears(account, "确认") == "refused"
    assert night.store.forgotten() == {}


def test_not_when_he_has_signed_up_before_he_confirmed(over: Room) -> None:
    over.store.set_reachable("4", True)
    over.hears("4", "忘记我")
    over.hears(HOST, "再来一局", GROUP)
    outcome = over.ledger.act(2, SignUp(at=over.now, account="4", name="又来"))
    assert outcome.refused is None
    over.ledger.commit()
    over.said()
    over.hears("4", "确认")
    assert over.store.forgotten() == {} and over.store.finished("4") == 1


def test_it_is_asked_for_in_private(over: Room) -> None:
    assert over.hears("4", "忘记我", GROUP) == "refused"
    target, text = over.only()
    assert target == private("4") and text == SPEECH.say("bot.private_only", example="忘记我")
    assert over.hears("888", "忘记我", "903") == "refused"


def test_in_the_group_of_a_game_it_is_talk(night: Room) -> None:
    assert night.hears("4", "忘记我", GROUP) == "talk"
    assert night.said() == []


def test_who_waits_is_skipped_once_he_is_forgotten() -> None:
    room = Room(Settings())
    room.deal()
    for account in ("21", "22"):
        room.store.set_reachable(account, True)
        room.hears(account, "报名", GROUP)
    room.said()
    # Waiting is no game yet.
    forget(room, "21")
    assert [person.account for person in room.ledger.queue(GROUP)] == ["22"]
    room.hears(HOST, "终局", GROUP)
    room.hears(HOST, "确认", GROUP)
    room.hears(HOST, "开局 拥王者", GROUP)
    assert [person.account for person in room.ledger.game(2).signups] == ["22"]


def test_who_comes_back_is_somebody_new(over: Room) -> None:
    over.store.set_reachable("4", True)
    forget(over, "4")
    over.hears(HOST, "再来一局", GROUP)
    asked = over.said()[-1]
    assert asked.target == group() and asked.arguments["at"] == ["1", "2", "3", "5", "6", "77"]
    assert over.hears("4", "报名 新来的", GROUP) == "done"
    (person,) = over.ledger.game(2).signups
    assert (person.name, person.games) == ("新来的", 0)
    over.said()
    assert "新来的" in told(over, "5", "名单")
    assert over.ledger.game(1).seats[4].name == ""


def test_nobody_can_have_another_forgotten(over: Room) -> None:
    for typed in ("忘记我 @4", "确认"):
        over.hears(HOST, typed)
    assert over.store.finished("4") == 1 and over.store.forgotten() == {}


# --- an end that is taken back -------------------------------------------------------------------


def test_a_game_that_goes_on_again_is_on_nobody_s_record_until_it_ends_again(over: Room) -> None:
    assert over.store.finished("2") == 1
    assert over.hears(HOST, "#1 撤销") == "done"
    assert over.hears(HOST, "确认") == "done"
    assert over.game.phase == "night" and over.game.seats[1].alive
    assert [over.store.records(account) for account in ("1", "2", "22", "7")] == [[], [], [], []]
    assert over.store.finished("2") == 0
    # Whoever could be forgotten a moment ago is needed again.
    over.store.set_reachable("4", True)
    over.said()
    assert over.hears("4", "忘记我") == "refused"
    # It ends another way: the town wins.
    for seat in (2, 3):
        over.hears(HOST, f"判出局 {seat} 失联", GROUP)
    assert over.game.winner not in ("killers", "", None)
    assert [row.result for row in over.store.records("2")] == ["lost"]
    assert [row.result for row in over.store.records("1")] == ["won"]
    assert over.store.finished("2") == over.store.finished("22") == 1


def test_who_was_forgotten_meanwhile_plays_on_by_his_number(over: Room) -> None:
    over.store.set_reachable("1", True)
    forget(over, "1")
    assert over.hears(HOST, "#1 撤销") == "done"
    assert over.hears(HOST, "确认") == "done"
    seat = over.game.seat_of("1")
    assert seat is not None and (seat.name, seat.alive) == ("", True)
    over.said()
    assert over.hears("1", "我的身份") == "done"
    assert all("玩家1" not in text for _, text in over.texts())
