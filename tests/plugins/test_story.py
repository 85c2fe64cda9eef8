"""记录, 为什么, 复盘 over the desk: who may ask when, where it is answered, how it is typed."""

from __future__ import annotations

import pytest

from data.message import Target
from tests.plugins.desk import GROUP, HOST, SPEECH, Room, group, private

PLAYER, KILLER, VICTIM = "4", "2", 5


@pytest.fixture
def day() -> Room:
    """A game of 拥王者 on its first day: 2 has killed 5, 3 is king; 4 and others have spoken."""
    room = Room()
    room.deal()
    room.hears(KILLER, f"刀 {VICTIM}")
    room.hears("1", "立王 3 备 6")
    room.hears(HOST, "开楼")
    room.said()
    return room


def over(room: Room) -> Room:
    """The same when it is over."""
    room.hears(HOST, "终局")
    room.hears(HOST, "确认")
    room.said()
    return room


def answer(room: Room, account: str, typed: str, place: str | None = None) -> tuple[Target, str]:
    """The one answer to what somebody types."""
    assert room.hears(account, typed, place) == "done", typed
    (row,) = room.said()
    return row.target, row.text


# --- why -----------------------------------------------------------------------------------------

FORMS = (
    "为什么 5",
    "为什么5号",
    "為什麼 5",
    "为何 5号",
    "爲什麽 5",
    "为啥5",
    "为什么 玩家5",
    "为什么 5？",
)


@pytest.mark.parametrize("typed", FORMS)
def test_a_director_asks_why_a_seat_is_out(day: Room, typed: str) -> None:
    to, text = answer(day, HOST, typed)
    assert to == private(HOST)
    head, order, settled, out, told = text.splitlines()
    assert head == "【为什么】5号 玩家5 是这样出局的："
    assert order.endswith("2号 玩家2 定杀人：5号 玩家5 [K-04]")
    assert settled.endswith("夜里结算：杀人 杀手密谈→5号 玩家5 [K-08]")
    assert out.endswith("5号 玩家5 出局：夜里遇害 [K-08]")
    assert told.endswith("公布 5号 玩家5 出局 [K-13]")


def test_why_of_one_who_is_here_tells_what_befell_him(day: Room) -> None:
    text = answer(day, HOST, "为什么 3")[1]
    assert text.startswith("【为什么】3号 玩家3 还在场。")
    assert "立王：首选 3号" in text and "君主 3号 玩家3：首选" in text
    assert answer(day, HOST, "为什么 7")[1].endswith("没有什么特别的。")


def test_why_of_a_phase_and_of_a_vote(day: Room) -> None:
    for typed in ("为什么 首夜", "为什么 第0夜", "为什么0夜"):
        assert "5号 玩家5 出局" in answer(day, HOST, typed)[1]
    assert answer(day, HOST, "为什么 票")[1] == "还没有计过票。"
    assert "还没有这个阶段" in answer(day, HOST, "为什么 第9天")[1]


@pytest.mark.parametrize("typed", ["为什么 5", "为什么 票", "为什么 首夜", "为什么 3"])
def test_nobody_else_learns_why_before_the_end(day: Room, typed: str) -> None:
    refusals = set()
    for account in (PLAYER, KILLER, str(VICTIM)):
        assert day.hears(account, typed) == "refused"
        refusals.add(day.only())
    assert {text for _, text in refusals} == {SPEECH.say("bot.why_later")}


def test_in_the_group_why_is_talk_as_long_as_it_runs(day: Room) -> None:
    for account in (HOST, PLAYER):
        for typed in ("为什么 5", "为什么 票", "为什么投我", "为啥 99"):
            assert day.hears(account, typed, GROUP) == "talk"
    assert day.said() == []
    assert day.game.attendance.posts == {4: 4}


def test_after_the_end_everybody_may_ask_in_the_group(day: Room) -> None:
    over(day)
    to, text = answer(day, PLAYER, "为什么 5", GROUP)
    assert to == group() and "定杀人：5号" in text
    assert answer(day, KILLER, "为什么 5")[0].id == KILLER
    for typed in ("为什么 5 这么说", "为什么大家都投我", "为什么？", "为什么 99"):
        assert day.hears(PLAYER, typed, GROUP) == "talk"
    assert day.said() == []


def test_after_the_end_whoever_only_watched_the_group_may_ask_there_too(day: Room) -> None:
    over(day)
    for typed, head in (
        *(
            ("复盘", "【复盘 · 第1局"),
            ("为什么 5", "【为什么】5号"),
            ("记录 首夜", "【记录 · 第1局】"),
        ),
        ("身份表", "【身份表 · 第1局】\n1号 玩家1：拥王者"),
    ):
        for account in ("777", PLAYER, HOST):
            to, text = answer(day, account, typed, GROUP)
            assert to == group() and text.startswith(head)
    # What else there is of a game that is over is for who was in it.
    assert day.hears("777", "待办", GROUP) == "talk"
    assert day.said() == []


@pytest.mark.parametrize("typed", ["复盘", "为什么 5", "为什么", "记录", "记录 乱写", "身份表"])
def test_privately_a_stranger_is_told_where_to_ask(day: Room, typed: str) -> None:
    over(day)
    assert day.hears("777", typed) == "refused"
    to, text = day.only()
    assert to == private("777", None) and "到打那一局的群里发" in text
    assert "没有在玩的局" not in text and f"例：{typed[:2]}" in text


def test_why_alone_is_answered_with_an_example(day: Room) -> None:
    assert day.hears(HOST, "为什么") == "refused"
    assert day.only() == (private(HOST), SPEECH.say("bot.why_what", example="为什么 3"))
    # Whoever may not ask at all is not taught how.
    assert day.hears(PLAYER, "为什么") == "refused"
    assert day.only()[1] == SPEECH.say("bot.why_later")
    assert day.hears(PLAYER, "为什么", GROUP) == "talk"
    over(day)
    for account, where in ((PLAYER, None), (PLAYER, GROUP), ("777", GROUP)):
        assert day.hears(account, "为什么", where) == "refused"
        to, text = day.only()
        assert (to.kind, to.id) == ("private", account)
        assert text == SPEECH.say("bot.why_what", example="为什么 3")


def test_why_of_a_seat_that_there_is_not_has_an_example_of_why(day: Room) -> None:
    over(day)
    assert day.hears(PLAYER, "为什么 9") == "refused"
    assert day.only()[1] == "没有 9号，本局是 1～7 号。\n例：为什么 3"


# --- the record ----------------------------------------------------------------------------------


def test_the_record_comes_by_phases_as_one_message_that_opens(day: Room) -> None:
    assert day.hears(HOST, "记录", me="10000") == "done"
    (row,) = day.said()
    assert (row.target, row.action) == (private(HOST), "forward")
    assert row.arguments["sender"] == "10000"
    assert sum(row.arguments["pages"]) + len(row.arguments["pages"]) - 1 == len(row.text)
    assert row.text.startswith(f"【记录 · 第1局】共 {day.length()} 条\n【招募】\n1. ")
    heads = [line for line in row.text.splitlines() if line.startswith("【")]
    assert heads[1:] == ["【招募】", "【发身份】", "【首夜】", "【第1天】"]


@pytest.mark.parametrize(
    ("typed", "heads"),
    [
        ("记录 首夜", ["【首夜】"]),
        ("记录 第0夜", ["【首夜】"]),
        ("記錄 0夜", ["【首夜】"]),
        ("记录 第1天", ["【第1天】"]),
        ("记录1天", ["【第1天】"]),
        ("记录 1", ["【第1天】"]),
        ("记录 0", ["【首夜】"]),
        ("记录 发身份", ["【发身份】"]),
    ],
)
def test_the_record_of_one_phase_is_a_text(day: Room, typed: str, heads: list[str]) -> None:
    assert day.hears(HOST, typed) == "done"
    (row,) = day.said()
    assert row.action == "text"
    assert [line for line in row.text.splitlines() if line.startswith("【")][1:] == heads


def test_what_is_no_phase_is_said_so(day: Room) -> None:
    assert day.hears(HOST, "记录 第9夜") == "refused"
    assert "例：记录 第2夜" in day.only()[1]
    assert day.hears(HOST, "记录 昨天") == "refused"
    assert "例：记录 第2夜" in day.only()[1]
    assert day.hears(HOST, "记录一下", GROUP) == "talk"
    assert day.said() == []


def test_players_see_the_record_after_the_end(day: Room) -> None:
    assert day.hears(PLAYER, "记录 首夜") == "refused"
    day.said()
    over(day)
    assert "定杀人" in answer(day, PLAYER, "记录 首夜")[1]


# --- the tale ------------------------------------------------------------------------------------


def test_the_tale_is_told_after_the_end(day: Room) -> None:
    for account in (HOST, PLAYER):
        assert day.hears(account, "复盘") == "refused"
        assert day.only()[1] == SPEECH.say("bot.retell_later")
    over(day)
    for typed in ("复盘", "覆盤", "復盤"):
        assert day.hears(PLAYER, typed, GROUP) == "done"
        (row,) = day.said()
        assert (row.target, row.action) == (group(), "forward")
        assert row.text.startswith("【复盘 · 第1局 · 拥王者1.0】\n1号 玩家1：拥王者")
        assert "· 君主 3号 玩家3：首选 [K-08]" in row.text


def test_long_texts_are_several_messages(day: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.ledger.FORWARDED", 2)
    day.hears(HOST, "记录")
    rows = day.said()
    assert [len(row.arguments["pages"]) for row in rows] == [2, 2]


def test_a_director_who_is_seated_learns_nothing() -> None:
    room = Room()
    room.sign_up(host="7")
    for account in range(1, 8):
        room.store.set_reachable(str(account), True)
    assert room.hears("7", "开始 强制", GROUP) == "done"
    room.said()
    for typed in ("为什么 3", "记录", "复盘"):
        assert room.hears("7", typed) == "refused"


# --- when another game is open in the group ------------------------------------------------------


@pytest.mark.parametrize("who", ["4", "999", HOST])
@pytest.mark.parametrize("typed", ["复盘", "#1 复盘", "为什么 5", "#1 为什么 5"])
def test_the_last_game_is_told_while_the_next_is_being_signed_up_for(
    day: Room, who: str, typed: str
) -> None:
    over(day)
    assert day.hears(HOST, "再来一局", GROUP) == "done"
    day.store.set_reachable(who, True)
    day.said()
    before = day.length(2)
    assert day.hears(who, typed, GROUP) == "done"
    said = day.texts()
    assert said and all(target == group() for target, _ in said)
    assert any("5号" in text for _, text in said)
    assert day.length(2) == before


def test_what_is_asked_of_the_next_game_itself_is_answered_of_it(day: Room) -> None:
    over(day)
    day.hears(HOST, "再来一局", GROUP)
    day.said()
    assert "第2局" in answer(day, "4", "状态", GROUP)[1]
    assert "第2局" in answer(day, HOST, "记录", GROUP)[1]
    assert "第1局" in answer(day, "4", "记录", GROUP)[1]
    assert "第1局" in answer(day, "4", "#1 状态", GROUP)[1]
    assert "第1局" in answer(day, "4", "身份表", GROUP)[1]
    assert day.hears("4", "为什么 大家不报名", GROUP) == "talk"


@pytest.mark.parametrize("typed", ["#9 复盘", "#9 状态"])
def test_a_game_that_there_was_not_in_this_group(day: Room, typed: str) -> None:
    for number in (1, 2):
        assert day.hears("4", typed, GROUP) == "refused"
        assert day.only()[1] == SPEECH.say("bot.no_such_game", game=9)
        if number == 1:
            over(day)


def test_while_the_next_is_played_the_last_is_told_by_its_number(day: Room) -> None:
    over(day)
    assert day.deal() == 2
    assert day.hears("4", "复盘", GROUP) == "refused"
    day.said()
    assert day.hears("4", "#1 复盘", GROUP) == "done"
    assert all(target == group() for target, _ in day.texts())
    assert day.hears("4", "#2 复盘", GROUP) == "refused"


def test_of_several_games_that_have_ended_the_one_that_is_named(day: Room) -> None:
    over(day)
    day.deal()
    day.hears(HOST, "终局", GROUP)
    day.hears(HOST, "确认", GROUP)
    day.said()
    for typed, number in (("复盘", 2), ("#1 复盘", 1)):
        assert day.hears("4", typed, GROUP) == "done"
        assert f"第{number}局" in day.texts()[0][1]
