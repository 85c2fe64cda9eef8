"""Several games: the queue for the next one, the same once more, and which game is meant."""

from __future__ import annotations

import pytest

from data.ledger import Ledger
from data.rulesets import load_rulesets
from data.store import StoreError
from engine import commands as c
from plugins.gamemaster.desk import Desk, Settings
from tests.plugins.desk import GROUP, HOST, OTHER_GROUP, RULESETS, SPEECH, Room, group, private

BOARDS = [SPEECH.word(sheet) for sheet in load_rulesets().values()]


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def night(room: Room) -> Room:
    """A game in its first night."""
    room.deal()
    return room


def end(room: Room, where: str = GROUP, host: str = HOST) -> None:
    """The game of a group is ended by its director."""
    room.hears(host, "终局", where)
    assert room.hears(host, "确认", where) == "done"
    room.said()


def waiting(room: Room, where: str = GROUP) -> list[str]:
    return [person.account for person in room.ledger.queue(where)]


def restart(room: Room) -> None:
    room.ledger = Ledger(room.store, SPEECH, RULESETS, clock=lambda: room.now)
    room.desk = Desk(room.ledger, SPEECH, room.settings)


# --- the queue -----------------------------------------------------------------------------------


def test_who_signs_up_while_a_game_runs_waits_for_the_next(night: Room) -> None:
    assert night.hears("21", "报名 阿强", GROUP) == "done"
    assert night.only() == (group(), SPEECH.say("bot.queued", name="阿强", number=1))
    # A seated player may wait as well; nobody twice.
    assert night.hears("4", "报名", GROUP) == "done"
    assert "第 2 位" in night.only()[1]
    assert night.hears("21", "报名", GROUP) == "refused"
    assert night.only() == (private("21"), SPEECH.say("bot.queued_already", number=1))
    assert waiting(night) == ["21", "4"] and len(night.game.seats) == 7
    restart(night)
    assert waiting(night) == ["21", "4"]


def test_the_roster_shows_both_and_one_may_leave_the_queue(night: Room) -> None:
    for account in ("21", "22", "23"):
        night.hears(account, "报名", GROUP)
    night.said()
    assert night.hears("5", "名单", GROUP) == "done"
    text = night.only()[1]
    assert "1号" in text and text.endswith("1. 玩家21\n2. 玩家22\n3. 玩家23")
    assert night.hears("21", "退出", GROUP) == "done"
    assert night.only() == (group(), SPEECH.say("bot.queue_off"))
    # Also in private, by somebody who is in no game.
    assert night.hears("22", "退出") == "done"
    assert (private("22", None), SPEECH.say("bot.queue_off")) in night.texts()
    assert waiting(night) == ["23"]
    assert night.hears("21", "退出", GROUP) == "refused"
    assert night.hears("4", "退出", GROUP) == "refused"
    assert len(night.game.seats) == 7


def test_a_seated_player_leaves_the_queue_and_not_the_game(night: Room) -> None:
    for where in (GROUP, None):
        night.hears("4", "报名", GROUP)
        assert waiting(night) == ["4"]
        assert night.hears("4", "退出", where) == "done"
        assert waiting(night) == [] and night.game.seat_of("4") is not None


def test_between_games_the_queue_stands(night: Room) -> None:
    night.hears("21", "报名", GROUP)
    night.hears("22", "报名", GROUP)
    end(night)
    assert night.hears("30", "名单", GROUP) == "done"
    assert night.only()[1].endswith("1. 玩家21\n2. 玩家22")
    assert night.hears("21", "退出", GROUP) == "done"
    assert night.hears("21", "退出", GROUP) == "refused"
    # Without a game there is nothing to sign up for; neither for who played nor for others.
    for account in ("4", "30"):
        assert night.hears(account, "报名", GROUP) == "refused"
    assert waiting(night) == ["22"]


@pytest.mark.parametrize("board", BOARDS)
def test_the_next_opening_signs_them_up_in_order(night: Room, board: str) -> None:
    for account, typed in (("21", "报名 阿强"), ("4", "报名"), ("22", "报名")):
        night.hears(account, typed, GROUP)
    end(night)
    assert night.hears("60", f"开局 {board}", GROUP) == "done"
    game = night.ledger.open_games()[0]
    assert [(p.account, p.name) for p in game.signups] == [
        *(("21", "阿强"), ("4", "玩家4"), ("22", "玩家22"))
    ]
    assert waiting(night) == []
    said = night.texts()
    told = [text for target, text in said if target == group() and "排队" in text]
    assert len(told) == 1 and "阿强、玩家4、玩家22" in told[0] and "3 人" in told[0]
    # Each is greeted in private, which shows whether he can be reached.
    assert {target.id for target, text in said if target.kind == "private"} == {"21", "4", "22"}
    assert not any("继续排队" in text for _, text in said)
    assert night.hears("22", "退出", GROUP) == "done"
    assert [p.account for p in night.ledger.game(game.id).signups] == ["21", "4"]


def test_as_many_as_fit_and_the_rest_waits_on(night: Room) -> None:
    for account in range(21, 30):
        night.hears(str(account), "报名", GROUP)
    end(night)
    assert night.hears(HOST, "开局 拥王者 7人", GROUP) == "done"
    assert [p.account for p in night.ledger.game(2).signups] == [str(n) for n in range(21, 28)]
    assert waiting(night) == ["28", "29"]
    assert (group(), SPEECH.say("bot.queue_left", names=["玩家28", "玩家29"])) in night.texts()
    # The list is full: whoever comes now waits too, and moves up when somebody leaves.
    assert night.hears("30", "报名", GROUP) == "done"
    assert night.only() == (group(), SPEECH.say("bot.queued_full", name="玩家30", number=3))
    assert night.hears("21", "报名", GROUP) == "refused"
    assert night.only() == (private("21"), SPEECH.refusal("signed_up_twice", {}))
    assert night.hears("22", "退出", GROUP) == "done"
    assert [p.account for p in night.ledger.game(2).signups][-1] == "28"
    assert waiting(night) == ["29", "30"]
    assert any("玩家28" in text for target, text in night.texts() if target == group())
    assert night.hears("29", "退出", GROUP) == "done"
    assert waiting(night) == ["30"]


def test_the_host_is_not_signed_up_for_his_own_game(night: Room) -> None:
    night.hears("21", "报名", GROUP)
    night.hears("22", "报名", GROUP)
    end(night)
    assert night.hears("21", "开局 拥王者", GROUP) == "done"
    assert [p.account for p in night.ledger.game(2).signups] == ["22"]
    assert waiting(night) == []
    assert (private("21"), SPEECH.say("bot.queue_host")) in night.texts()


def test_a_wish_that_the_next_board_has_as_a_word_is_no_name(night: Room) -> None:
    night.hears("21", "报名 膝枕", GROUP)
    end(night)
    assert night.hears(HOST, "开局 M84", GROUP) == "done"
    assert [p.name for p in night.ledger.game(2).signups] == ["21"]


def test_finished_games_go_along(night: Room) -> None:
    """M84-49: whoever was in the queue is as much of a newcomer as he is."""
    night.hears("4", "报名", GROUP)
    for seat in (7, 6, 5, 4, 1):
        night.hears(HOST, f"判出局 {seat} 失联", GROUP)
    assert night.game.phase == "over" and night.game.winner == "killers"
    night.hears(HOST, "开局 M84", GROUP)
    assert [p.games for p in night.ledger.game(2).signups] == [1]


def test_each_group_has_its_own_queue(night: Room) -> None:
    night.deal(OTHER_GROUP, "60")
    night.hears("21", "报名", GROUP)
    night.hears("21", "报名", OTHER_GROUP)
    night.hears("22", "报名", OTHER_GROUP)
    assert night.hears("21", "退出") == "refused"
    assert SPEECH.say("bot.queue_off_where", example="退出") in night.texts()[-1][1]
    assert night.hears("21", "退出", OTHER_GROUP) == "done"
    assert (waiting(night), waiting(night, OTHER_GROUP)) == (["21"], ["22"])


def test_a_repeated_message_queues_once(night: Room) -> None:
    for _ in range(2):
        night.hears("21", "报名", GROUP, message_id="x")
    night.hears("21", "退出", GROUP)
    assert night.hears("21", "报名", GROUP, message_id="x") == "repeat"
    assert waiting(night) == []


def test_when_the_database_fails_the_queue_is_as_it_was(
    night: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.hears("21", "报名", GROUP)

    def fail(changes: object) -> None:
        raise StoreError("x")

    with monkeypatch.context() as broken:
        broken.setattr(night.store, "commit", fail)
        with pytest.raises(StoreError):
            night.hears("22", "报名", GROUP, message_id="y")
    assert waiting(night) == ["21"]
    assert night.hears("22", "报名", GROUP, message_id="y") == "done"
    assert waiting(night) == ["21", "22"]


def test_the_talk_of_signing_up_is_none(night: Room) -> None:
    before = night.length()
    assert night.hears("4", "报名人数够吗", GROUP) == "talk"
    assert waiting(night) == [] and night.length() >= before


# --- the same once more --------------------------------------------------------------------------


def test_again_is_the_same_sheet_with_the_same_parameters(room: Room) -> None:
    room.hears(HOST, "开局 拥王者 7人 发言 5 截票=12:30", GROUP)
    for account in range(1, 8):
        room.hears(str(account), "报名", GROUP)
    outcome = room.ledger.act(1, c.Deal(at=room.now, seed="00"))
    assert outcome.refused is None
    room.ledger.commit()
    room.hears("8", "报名", GROUP)
    room.hears("7", "报名", GROUP)
    end(room)
    assert room.hears(HOST, "再来一局！", GROUP) == "done"
    game = room.ledger.game(2)
    assert game.sheet == room.game.sheet and game.directors == {HOST: f"玩家{HOST}"}
    # The queue comes first; nobody else is in against his will, but all are asked.
    assert [p.account for p in game.signups] == ["8", "7"]
    asked = room.said()[-1]
    assert (asked.target, asked.text) == (
        group(),
        SPEECH.say("bot.again", game=2, name=f"玩家{HOST}"),
    )
    assert asked.arguments == {"at": ["1", "2", "3", "4", "5", "6"]}
    assert room.hears("3", "报名", GROUP) == "done"
    assert len(room.ledger.game(2).signups) == 3


def test_who_asked_to_be_forgotten_is_not_called_again(room: Room) -> None:
    room.deal()
    end(room)
    room.store.set_reachable("4", True)
    room.hears("4", "忘记我")
    room.hears("4", "确认")
    assert room.hears(HOST, "再来一局", GROUP) == "done"
    assert room.said()[-1].arguments == {"at": ["1", "2", "3", "5", "6", "7"]}
    # Whoever comes back is somebody new, and called by the next game.
    assert room.hears("4", "报名", GROUP) == "done"
    end(room)
    assert room.hears(HOST, "再来一局", GROUP) == "done"
    assert room.said()[-1].arguments == {"at": ["4"]}


@pytest.mark.parametrize("board", BOARDS)
def test_again_by_any_board(room: Room, board: str) -> None:
    room.hears(HOST, f"开局 {board}", GROUP)
    room.hears("1", "报名", GROUP)
    end(room)
    assert room.hears(HOST, "再来一局", GROUP) == "done"
    assert room.ledger.game(2).sheet == room.ledger.game(1).sheet
    # Never dealt: those who had signed up are asked.
    assert room.said()[-1].arguments == {"at": ["1"]}


@pytest.mark.parametrize(
    ("account", "heard"), [(HOST, "done"), ("1", "refused"), ("77", "refused"), ("88", "done")]
)
def test_who_may_have_it_again(account: str, heard: str) -> None:
    room = Room(Settings(superusers={"88"}, hosts="everyone"))
    room.deal()
    end(room)
    room.desk.settings = Settings(superusers={"88"}, hosts="superusers")
    assert room.hears(account, "再来一局", GROUP) == heard
    if heard == "refused":
        assert room.only()[1] == SPEECH.say("bot.not_host")
    assert len(room.ledger.open_games()) == (heard == "done")
    if heard == "done":
        assert room.ledger.game(2).directors == {account: f"玩家{account}"}


def test_the_group_is_told_who_hosts_and_how_the_former_host_may(night: Room) -> None:
    end(night)
    assert night.hears("4", "再来一局", GROUP) == "done"
    told = night.said()[-1].text
    assert "主持：玩家4。" in told and f"上一局的主持是 玩家{HOST}" in told
    assert night.ledger.game(2).directors == {"4": "玩家4"}
    # As it is said there.
    assert night.hears("4", f"副导演 @{HOST}", GROUP, mentions={HOST: "导"}) == "done"
    assert night.hears("4", "卸任", GROUP) == "done"
    assert list(night.ledger.game(2).directors) == [HOST]
    end(night)
    night.hears(HOST, "再来一局", GROUP)
    assert "上一局的主持" not in night.said()[-1].text


def test_while_a_game_is_on_it_is_talk_and_nowhere_else_a_game(night: Room) -> None:
    before = night.length()
    assert night.hears("4", "再来一局", GROUP) == "talk"
    assert night.said() == [] and night.length() >= before
    assert night.hears(HOST, "再来一局") == "refused"
    assert night.only() == (private(HOST), SPEECH.say("bot.group_only", example="再来一局"))
    assert night.hears("77", "再来一局", OTHER_GROUP) == "refused"
    assert night.only()[1] == SPEECH.say("bot.no_game_here", title=night.desk.example_title())


def test_a_sheet_that_is_right_no_more(night: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    end(night)
    monkeypatch.setattr("data.speech.Speech.lacks", lambda self, sheet: [("x", "y")])
    assert night.hears(HOST, "再来一局", GROUP) == "refused"
    title = night.desk.example_title()
    assert night.only() == (private(HOST), SPEECH.say("bot.again_not", title=title))
    assert night.ledger.open_games() == []


# --- which game is meant -------------------------------------------------------------------------


@pytest.fixture
def two(night: Room) -> Room:
    """HOST directs games 1 and 2 and sits in game 3; accounts 1 to 7 sit in the first two."""
    night.deal(OTHER_GROUP, HOST)
    night.hears("60", "开局 拥王者", "902")
    for account in (HOST, "31", "32", "33", "34", "35", "36"):
        night.hears(account, "报名", "902")
        night.store.set_reachable(account, True)
    assert night.hears("60", "开始 强制", "902") == "done"
    night.said()
    return night


def directed(room: Room) -> list[int]:
    return [game.id for game in room.ledger.open_games() if game.is_director(HOST)]


def test_a_director_of_several_is_asked_which(two: Room) -> None:
    assert directed(two) == [1, 2]
    for typed in ("身份表", "待办", "警告 3 贴脸", "暂停"):
        assert two.hears(HOST, typed) == "refused"
        text = two.only()[1]
        assert f"#1 {typed}" in text and "#2 拥王者" in text and "#3" not in text
        assert "你是主持" in text and "你是 1号" not in text
    assert two.hears(HOST, "#2 警告 3 贴脸") == "done"
    assert [two.ledger.game(n).seats[3].warnings for n in (1, 2)] == [0, 1]
    assert two.hears(HOST, "切换 1") == "done"
    two.said()
    assert two.hears(HOST, "身份表") == "done"
    assert two.only()[1].startswith("【#1】")
    assert two.hears(HOST, "#2 身份表") == "done"
    assert two.only()[1].startswith("【#2】")


def test_who_directs_one_and_plays_another_need_not_say_which(two: Room) -> None:
    end(two, OTHER_GROUP)
    assert two.hears(HOST, "待办") == "done"
    assert two.only()[1].startswith("【#1】")
    assert two.hears(HOST, "我的身份") == "refused"
    seat = two.ledger.game(3).seat_of(HOST)
    assert seat is not None
    two.said()
    # What only a seat can do is for the game in which he sits.
    heard = two.hears(HOST, "立王 2 备 3")
    assert heard == ("done" if seat.role == "kingmaker" else "refused")
    assert two.only()[1].startswith("【#3】")
    # However he has switched, what he can't mean is not meant.
    two.hears(HOST, "切换 3")
    assert two.hears(HOST, "警告 4 贴脸") == "done"
    assert two.game.seats[4].warnings == 1
    two.said()
    assert two.hears(HOST, "我的身份") == "done"
    assert two.only()[1].startswith("【#3】")


@pytest.mark.parametrize(
    "typed",
    ["刀", "刀 99", "立王 3 备", "处决 2", "身份表", "状态", "我的身份", "警告 3 贴脸", "2"],
)
def test_every_answer_in_private_says_which_game(two: Room, typed: str) -> None:
    for account in ("2", "5"):
        two.hears(account, "切换 2")
        two.said()
        two.hears(account, typed)
        said = [text for target, text in two.texts() if target.id == account]
        assert said and all(text.startswith("【#2】") or "帮助" in text for text in said)


@pytest.mark.parametrize("typed", ["处决 99", "刀 4", "警告 3 贴脸", "投票", "罢黜 吧", "退位"])
def test_a_refusal_from_the_group_says_which_game(two: Room, typed: str) -> None:
    two.hears("5", typed, OTHER_GROUP)
    said = [text for target, text in two.texts() if target == private("5", OTHER_GROUP)]
    assert said and all(text.startswith("【#2】") for text in said)


def test_after_a_restart_the_clock_says_which_game(two: Room) -> None:
    for number in (1, 2):
        assert two.hears("2", f"#{number} 刀 5") == "done"
    two.said()
    restart(two)
    two.later(days=1)
    two.ledger.wake(2, two.now)
    two.ledger.commit()
    said = [text for target, text in two.texts() if target == private("5", OTHER_GROUP)]
    assert said and all(text.startswith("【#2】") for text in said)


def test_directors_of_several_share_a_room(two: Room) -> None:
    two.hears(HOST, "绑定 导演 1", "990")
    two.hears(HOST, "绑定 导演 2", "990")
    two.in_room("990", HOST)
    two.said()
    assert two.hears(HOST, "待办", "990") == "refused"
    assert "#1" in two.only()[1]
    assert two.hears(HOST, "#2 待办", "990") == "done"
    assert two.only()[0] == group("990")


def test_a_coach_of_two_games_is_asked_which(night: Room) -> None:
    night.deal(OTHER_GROUP, "60")
    for host, where in ((HOST, GROUP), ("60", OTHER_GROUP)):
        assert night.hears(host, "场助 4 @70", where, mentions={"70": "老手"}) == "done"
    night.store.set_reachable("70", True)
    night.said()
    assert night.hears("70", "状态") == "refused"
    assert night.only()[1].count("你是场外助理") == 2
    assert night.hears("70", "#2 状态") == "done"
    assert "第2局" in night.only()[1]


# --- what one may be called ----------------------------------------------------------------------


def names(room: Room, game: int = 1) -> dict[str, str]:
    return {person.account: person.name for person in room.ledger.game(game).signups}


@pytest.mark.parametrize("typed", ["主持", "導演", "主 持", "法官", "【执法团】", "执法团2"])
def test_nobody_is_called_as_those_who_lead(room: Room, typed: str) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    room.said()
    assert room.hears("1", f"报名 {typed}", GROUP) == "refused"
    to, text = room.only()
    assert to == private("1") and text.endswith("例：报名 小明") and names(room) == {}
    # So a card is passed over as well.
    assert room.hears("1", "报名", GROUP, name=typed) == "done"
    assert names(room) == {"1": "1"}


def test_a_name_that_somebody_has_is_refused_with_another_for_an_example(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP, name="老王")
    assert room.hears("1", "报名 小明", GROUP) == "done"
    room.said()
    for typed in ("小明", "小 明", "老王"):
        assert room.hears("2", f"报名 {typed}", GROUP) == "refused"
        (_, text) = room.only()
        assert text == SPEECH.say("bot.taken_name", text=typed, example="报名 小明2")
    assert room.hears("2", "报名 小明2", GROUP) == "done"
    # One's own is free: whoever hosts may play under his name.
    assert room.hears(HOST, "报名 老王", GROUP) == "done"
    assert names(room) == {"1": "小明", "2": "小明2", HOST: "老王"}


def test_cards_that_are_alike_get_a_number_and_keep_it(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP, name="老王")
    for account in ("1", "2", "3", "4"):
        name = "老王" if account == "4" else "阿强"
        assert room.hears(account, "报名", GROUP, name=name) == "done"
    assert names(room) == {"1": "阿强", "2": "阿强2", "3": "阿强3", "4": "老王2"}
    room.learns("renamed", GROUP, "2", name="阿强")
    room.learns("renamed", GROUP, "3", name="新名")
    room.learns("renamed", GROUP, "4", name="主持")
    assert names(room) == {"1": "阿强", "2": "阿强2", "3": "新名", "4": "老王2"}


def test_what_a_seat_says_under_the_same_card_renames_nobody(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    for account in range(1, 8):
        room.hears(str(account), "报名", GROUP, name="阿强")
    assert room.ledger.act(1, c.Deal(at=room.now, seed="00")).refused is None
    room.ledger.commit()
    before = room.length()
    assert room.hears("2", "早", GROUP, name="阿强") == "talk"
    assert room.length() <= before + 1 and len({s.name for s in room.game.seats.values()}) == 7


def test_those_who_waited_are_told_apart_too(night: Room) -> None:
    for account in ("21", "22"):
        assert night.hears(account, "报名 玩家1", GROUP) == "done", "in this game it is taken"
    end(night)
    night.hears(HOST, "开局 拥王者", GROUP)
    assert names(night, 2) == {"21": "玩家1", "22": "玩家1-2"}


def test_who_comes_for_a_seat_is_told_apart(night: Room) -> None:
    assert night.hears(HOST, "替补 4 @77", GROUP, mentions={"77": "玩家5"}) == "done"
    assert night.game.seats[4].name == "玩家5-2"


def test_by_the_card_alone_whoever_has_it_is_meant_if_that_is_one(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP, name="老王")
    for account in range(1, 8):
        card = "老王" if account == 4 else "3组" if account in (5, 6) else f"甲{account}"
        room.hears(str(account), "报名", GROUP, name=card)
    roles = {1: "kingmaker", 2: "killer", 3: "killer", **dict.fromkeys(range(4, 8), "civilian")}
    assert room.ledger.act(1, c.Deal(at=room.now, seed="00", roles=roles)).refused is None
    room.ledger.commit()
    assert room.hears("2", "刀 老王") == "done" and room.kills() == [4]
    assert room.hears("2", "刀 3组") == "refused" and room.kills() == [4]
    assert room.hears("2", "刀 3组2") == "done" and room.kills() == [6]
