"""People at the desk: who leaves, comes back, is renamed, sits down, watches; and the rooms."""

from __future__ import annotations

from typing import Any

import pytest

from data.message import Target
from engine.commands import Replace
from engine.mechanics.rooms import is_right
from tests.plugins.desk import (
    GROUP,
    HOST,
    KILLERS,
    OTHER_GROUP,
    RULESETS,
    SPEECH,
    Room,
    group,
    private,
)

ROOM_GROUP = "990"
KILLER, OTHER_KILLER = map(str, KILLERS)
DEPUTY = "60"


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def night() -> Room:
    """A game just dealt, with a second director."""
    room = Room()
    room.deal()
    room.hears(HOST, f"副导演 @{DEPUTY}", mentions={DEPUTY: "副"})
    room.store.set_reachable(DEPUTY, True)
    room.said()
    return room


def board(key: str) -> Room:
    """A game of any board just dealt."""
    sheet = RULESETS[key]
    players = sheet.players or sheet.players_min
    roles = [role for role, count in sheet.counts(players).items() for _ in range(count)]
    room = Room()
    room.deal(roles=dict(enumerate(roles, 1)), board=key)
    return room


def texts(room: Room, to: Target) -> list[str]:
    return [text for target, text in room.texts() if target == to and text]


# --- directors -----------------------------------------------------------------------------------

SECRETS = ("身份表", "待办", "记录")


def sees(room: Room, account: str) -> bool:
    """Whether an account sees what is hidden by any of the words for it."""
    found = set()
    for typed in SECRETS:
        found.add(room.hears(account, typed) == "done")
    (saw,) = found
    return saw


def test_a_new_director_is_told_and_so_is_everybody(night: Room) -> None:
    assert night.hears(HOST, "副导演 @61", mentions={"61": "新"}) == "done"
    said = night.texts()
    assert (group(), SPEECH.say("events.director_added", name="新")) in said
    (told,) = [text for target, text in said if target == private("61")]
    assert "第1局" in told and "卸任" in told
    assert sees(night, "61")


def test_a_director_leaves_and_another_may_call_him_back(night: Room) -> None:
    assert night.hears(DEPUTY, "卸任") == "done"
    assert not sees(night, DEPUTY)
    assert night.hears(HOST, "卸任") == "refused"
    assert sees(night, HOST)
    assert night.hears(HOST, f"副导演 @{DEPUTY}", mentions={DEPUTY: "副"}) == "done"
    assert sees(night, DEPUTY)


@pytest.mark.parametrize("key", RULESETS)
def test_who_sat_down_by_any_way_has_no_sight_whatever_is_tried(key: str) -> None:
    room = board(key)
    # By 替补; then he is replaced himself, or not.
    assert room.hears(HOST, "替补 1 @63", mentions={"63": "新"}) == "done"
    assert room.hears(HOST, "替补 2 @64", mentions={"64": "新"}) == "done"
    for seated in ("63", "64"):
        assert not sees(room, seated)
        for typed in (f"副导演 @{seated}", f"观战 @{seated}"):
            assert room.hears(HOST, typed, mentions={seated: "副"}) == "refused", typed
            assert room.hears(seated, typed, mentions={seated: "副"}) == "refused", typed
        for typed in ("退出", "观战", "卸任", f"绑定 导演 {room.game.id}"):
            room.hears(seated, typed, GROUP)
            room.hears(seated, typed, ROOM_GROUP)
            room.hears(seated, typed)
        assert not sees(room, seated)
    assert room.game.bound == {} and not room.game.spectators


@pytest.mark.parametrize("key", RULESETS)
def test_who_has_directed_since_the_deal_sits_on_no_seat(key: str) -> None:
    room = board(key)
    room.hears(HOST, f"副导演 @{DEPUTY}", mentions={DEPUTY: "副"})
    for account in (HOST, DEPUTY):
        assert room.hears(HOST, f"替补 3 @{account}", mentions={account: "主"}) == "refused"
        assert "主持过" in room.texts()[-1][1]
        assert sees(room, account)
    assert room.hears(DEPUTY, "卸任") == "done"
    assert room.hears(HOST, f"替补 3 @{DEPUTY}", mentions={DEPUTY: "副"}) == "refused"


def test_who_signed_up_has_no_sight_after_the_deal_and_may_give_the_seat_back_before(
    room: Room,
) -> None:
    game = room.sign_up()
    room.hears(HOST, "副导演 @60", GROUP, mentions={"60": "副"})
    room.hears("60", "报名", GROUP)
    room.hears("60", "退出", GROUP)
    assert room.ledger.game(game).is_director("60")
    room.hears("60", "报名", GROUP)
    assert room.hears(HOST, "副导演 @60", GROUP, mentions={"60": "副"}) == "refused"
    assert room.hears(HOST, "开始 强制", GROUP) == "done"
    assert not sees(room, "60") and sees(room, HOST)


# --- who leaves, comes back, is renamed ----------------------------------------------------------


@pytest.mark.parametrize("key", RULESETS)
def test_a_player_who_leaves_is_told_of_once_to_the_directors_alone(key: str) -> None:
    room = board(key)
    for _ in range(3):
        room.learns("left", GROUP, "3")
    ((to, told),) = room.texts()
    assert to == private(HOST)
    assert "3号" in told and "替补 3 @" in told
    mend = "红牌 3 失联" if "cards" in room.game.sheet.mechanics else "判出局 3 失联"
    assert mend in told
    assert room.hears(HOST, mend) == "done"
    room.said()
    room.learns("joined", GROUP, "4")
    room.learns("left", OTHER_GROUP, "4")
    room.learns("left", GROUP, "777")
    assert room.said() == []


def test_the_seat_is_the_account_s_and_who_comes_back_plays_on(night: Room) -> None:
    night.learns("left", GROUP, KILLER)
    assert night.hears(KILLER, "刀 4") == "done"
    night.said()
    night.learns("joined", GROUP, KILLER)
    assert texts(night, private(HOST)) == [
        SPEECH.say("events.player_back.left", night.game, seat=KILLERS[0])
    ]
    night.learns("left", GROUP, KILLER)
    assert len(texts(night, private(HOST))) == 1


def test_a_seat_that_was_replaced_is_mended_otherwise(night: Room) -> None:
    night.hears(HOST, "替补 5 @70", mentions={"70": "新"})
    night.said()
    night.learns("left", GROUP, "5")
    assert night.said() == []
    night.learns("left", GROUP, "70")
    (told,) = texts(night, private(HOST))
    assert "替补" not in told and "判出局 5 失联" in told


def test_who_signed_up_and_leaves_is_off_the_list(room: Room) -> None:
    room.sign_up(players=3)
    room.learns("left", GROUP, "2")
    assert [person.account for person in room.game.signups] == ["1", "3"]
    said = texts(room, group())
    assert SPEECH.say("bot.left_signed_off", name="玩家2") in said


def test_after_a_time_without_connection_who_is_gone_is_seen(night: Room) -> None:
    here = {str(n): "" for n in range(1, 8) if n != 4}
    night.learns("members", GROUP, people=None)
    assert night.said() == []
    for _ in range(2):
        night.learns("members", GROUP, people=here)
    assert [to for to, _ in night.texts()] == [private(HOST), private(DEPUTY)]
    night.learns("members", GROUP, people={**here, "4": ""})
    assert len(texts(night, private(HOST))) == 1


def test_who_befriends_the_bot_again_gets_what_was_kept(night: Room) -> None:
    night.store.set_reachable("4", False)
    from engine.commands import Lose

    night.ledger.act(1, Lose(at=night.now, account="4", how="unreachable"))
    night.ledger.say(private("4"), "留着的", 1)
    night.ledger.commit()
    row = night.store.waiting()[-1]
    night.store.give_up(row.id)
    night.said()
    night.learns("befriended", account="4")
    assert night.store.undelivered("4") == []
    back = SPEECH.say("events.player_back.unreachable", night.game, seat=4)
    assert texts(night, private(HOST)) == [back]
    night.learns("befriended", account="4")
    assert night.said() == []


@pytest.mark.parametrize("how", ["a notice", "the next message"])
def test_a_renamed_player_is_shown_so_and_is_the_same_seat(night: Room, how: str) -> None:
    def renamed(account: str, name: str) -> None:
        if how == "a notice":
            night.learns("renamed", GROUP, account, name=name)
        else:
            night.hears(account, "大家好", GROUP, name=name)

    renamed("2", "大灰狼")
    assert night.game.seats[2].name == "大灰狼"
    assert night.game.seat_of("2") is night.game.seats[2]
    for name in ("3号", "", "3", "@3", "空刀"):
        renamed("2", name)
        assert night.game.seats[2].name == "大灰狼", name
    night.learns("renamed", OTHER_GROUP, "2", name="别处的")
    night.hears("2", "在吗", name="昵称")
    assert night.game.seats[2].name == "大灰狼"


def test_a_name_of_one_s_own_stays(room: Room) -> None:
    room.hears(HOST, "开局 拥王者", GROUP)
    room.hears("1", "报名 小明", GROUP, name="名片")
    room.hears("2", "报名", GROUP, name="名片二")
    for account in ("1", "2"):
        room.learns("renamed", GROUP, account, name=f"新{account}")
    assert [person.name for person in room.game.signups] == ["小明", "新2"]


# --- spectators ----------------------------------------------------------------------------------


def test_a_spectator_may_look_at_what_is_public(night: Room) -> None:
    assert night.hears("777", "观战", GROUP) == "done"
    said = night.texts()
    assert (group(), SPEECH.say("reply.watching", name="玩家777")) in said
    assert SPEECH.say("events.watching.public", game=1) in [
        text for target, text in said if target == private("777")
    ]
    assert night.hears("777", "状态") == "done"
    assert not sees(night, "777")
    for typed in ("刀 3", "投票 3", "密 你好", "我的身份", "开楼", "判出局 3 失联"):
        assert night.hears("777", typed) == "refused", typed
    assert night.hears("777", "退出观战") == "done"


def test_who_watches_everything_is_told_everything_and_nobody_else(room: Room) -> None:
    room.hears(HOST, "开局 拥王者 spectators_see=all", GROUP)
    for account in range(1, 8):
        room.hears(str(account), "报名", GROUP)
    room.hears(HOST, "开始 强制", GROUP)
    assert room.hears("777", "观战", GROUP) == "refused"
    assert room.hears(HOST, "观战 @777", mentions={"777": "看客"}) == "done"
    room.said()
    assert sees_table(room, "777")
    killer = next(str(n) for n, seat in room.game.seats.items() if seat.role == "killer")
    room.said()
    room.hears(killer, "刀 1")
    (told,) = texts(room, private("777"))
    assert "→" in told or "：" in told
    assert room.hears("777", "开楼") == "refused"
    assert room.hears(HOST, "替补 1 @777", mentions={"777": "看客"}) == "refused"
    room.hears("777", "退出观战", GROUP)
    room.said()
    room.hears(killer, "刀 2")
    assert texts(room, private("777")) == []


def sees_table(room: Room, account: str) -> bool:
    return room.hears(account, "身份表") == "done" and room.hears(account, "记录") == "done"


def test_the_spectators_room_has_what_is_public(night: Room) -> None:
    assert night.hears(HOST, "绑定 观战 1", ROOM_GROUP) == "done"
    assert [to for to, _ in night.texts()] == [group(ROOM_GROUP)]
    night.hears(HOST, "公告 明天见")
    announced = SPEECH.say("events.announced", text="明天见")
    said = night.texts()
    assert (group(), announced) in said and (group(ROOM_GROUP), announced) in said
    for account in ("888", KILLER, HOST):
        assert night.hears(account, "状态", ROOM_GROUP) == "done"
        assert [to for to, _ in night.texts()] == [group(ROOM_GROUP)]
    assert night.hears("888", "观战", ROOM_GROUP) == "done"
    night.said()
    for account, typed in ((HOST, "身份表"), (KILLER, "刀 4"), ("888", "好看"), (HOST, "开楼")):
        assert night.hears(account, typed, ROOM_GROUP) == "talk"
    assert night.said() == []
    # A mute is done once, where the players are.
    night.hears(HOST, "禁言 5 1小时")
    assert [row.target for row in night.said() if row.action == "mute"] == [group()]


# --- rooms ---------------------------------------------------------------------------------------


def test_until_the_room_is_right_not_a_word_is_said_there(night: Room) -> None:
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.in_room(ROOM_GROUP, KILLER, HOST, "7", "888")
    said = night.said()
    directors = {private(HOST), private(DEPUTY)}
    assert {row.target for row in said if row.action == "text"} == directors | {
        private(HOST, ROOM_GROUP)
    }
    checked = next(row.text for row in said if row.target == private(DEPUTY))
    assert "7号" in checked and "玩家888（QQ 888）" in checked and "3号" in checked
    for typed in ("刀 4", "状态", "帮助", "刀 99"):
        night.hears(KILLER, typed, ROOM_GROUP)
    night.hears(OTHER_KILLER, "密 听我的")
    assert all(row.target.kind == "private" for row in night.said())
    assert night.kills() == [4]
    # He has left, the other has come: it is said there that it is said there.
    night.in_room(ROOM_GROUP, KILLER, OTHER_KILLER, HOST)
    assert (group(ROOM_GROUP), SPEECH.say("events.room_opened.channel", game=1)) in night.texts()
    night.hears(OTHER_KILLER, "密 听我的")
    assert group(ROOM_GROUP) in [to for to, _ in night.texts()]
    # And when somebody comes in, it is theirs no more.
    night.learns("joined", ROOM_GROUP, "888")
    assert [row.action for row in night.said()] == ["members"]
    # A client that does not list him yet is not believed.
    night.in_room(ROOM_GROUP, KILLER, OTHER_KILLER, HOST)
    assert {to for to, _ in night.texts()} == directors | {private(KILLER), private(OTHER_KILLER)}
    night.learns("left", ROOM_GROUP, "888")
    night.in_room(ROOM_GROUP, KILLER, OTHER_KILLER, HOST)
    assert group(ROOM_GROUP) in [to for to, _ in night.texts()]


def test_the_same_finding_is_told_once(night: Room) -> None:
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.said()
    for _ in range(3):
        night.in_room(ROOM_GROUP, KILLER)
    assert [to for to, _ in night.texts()] == [private(HOST), private(DEPUTY)]
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.said()
    night.in_room(ROOM_GROUP, KILLER)
    assert [to for to, _ in night.texts()] == [private(HOST), private(DEPUTY)]


def test_a_client_that_can_t_say_who_is_there_leaves_all_private(night: Room) -> None:
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.said()
    for _ in range(2):
        night.learns("members", ROOM_GROUP, people=None)
    assert {to for to, _ in night.texts()} == {private(HOST), private(DEPUTY)}
    night.hears(OTHER_KILLER, "密 听我的")
    assert group(ROOM_GROUP) not in [to for to, _ in night.texts()]


@pytest.mark.parametrize("asker", ["777", "4", KILLER, DEPUTY])
@pytest.mark.parametrize("key", ["杀手", "狼群", "情侣", "导演", "观战"])
def test_who_may_not_bind_learns_nothing_by_trying(key: str, asker: str) -> None:
    answers: set[Any] = set()
    for roles in (
        {1: "kingmaker", 2: "killer", 3: "killer", 4: "civilian", 5: "civilian", 6: "civilian"},
        {1: "civilian", 2: "civilian", 3: "kingmaker", 4: "killer", 5: "civilian", 6: "killer"},
    ):
        room = Room()
        room.deal(roles=roles)
        assert room.hears(asker, f"绑定 {key} 1", ROOM_GROUP) == "refused"
        answers.add(tuple(room.texts()))
    assert len(answers) == 1


def test_who_belongs_is_named_to_directors_alone(night: Room) -> None:
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.in_room(ROOM_GROUP, "7", "888")
    night.learns("joined", ROOM_GROUP, "6")
    night.learns("left", ROOM_GROUP, "7")
    to = {row.target for row in night.said() if row.action == "text"}
    assert to == {private(HOST), private(DEPUTY), private(HOST, ROOM_GROUP)}


def test_who_plays_another_game_is_not_named_in_a_room_bound_by_mistake(night: Room) -> None:
    # HOST directs another game too; its killers' room is bound with the first one's number.
    other = night.deal(OTHER_GROUP, "51", {n: "civilian" for n in range(1, 8)} | {1: "kingmaker"})
    night.ledger.act(other, Replace(at=night.now, target=3, account="203", name="玩家203"))
    night.ledger.commit()
    assert night.hears(HOST, "绑定 杀手 1", ROOM_GROUP) == "done"
    night.said()
    night.in_room(ROOM_GROUP, HOST, "203", "888")
    told = texts(night, private(HOST))
    assert told and "888" in told[0] and "203" not in told[0]
    assert SPEECH.say("events.room_checked.others") in told[0]
    assert all("203" not in str(event) for event in night.ledger.log(1))
    # That they go makes it no more right than it is; that all others go does.
    night.in_room(ROOM_GROUP, HOST, KILLER, OTHER_KILLER, "203")
    assert not is_right(night.game, next(iter(night.game.bound)))
    night.learns("members", ROOM_GROUP, people={HOST: "", KILLER: "", OTHER_KILLER: ""})
    assert is_right(night.game, next(iter(night.game.bound)))


def test_the_directors_hear_that_the_bot_is_in_a_group_no_more(night: Room) -> None:
    assert night.hears(HOST, "绑定 杀手", ROOM_GROUP) == "done"
    night.in_room(ROOM_GROUP, HOST, KILLER, OTHER_KILLER)
    night.said()
    for kind in ("demoted", "ousted"):
        for place in (GROUP, ROOM_GROUP):
            night.learns(kind, place)
            told = [(to.id, text) for to, text in night.texts() if place in text]
            assert {HOST, DEPUTY} <= {to for to, _ in told}
            night.learns(kind, OTHER_GROUP)
            assert night.said() == []
    # What is the killers' goes to each of them now.
    assert not is_right(night.game, next(iter(night.game.bound)))


def test_a_director_who_looks_something_up_in_a_pack_s_room_is_answered_alone(night: Room) -> None:
    assert night.hears(HOST, "绑定 杀手", ROOM_GROUP) == "done"
    night.in_room(ROOM_GROUP, HOST, KILLER, OTHER_KILLER)
    night.said()
    for typed in (*SECRETS, "帮助"):
        assert night.hears(HOST, typed, ROOM_GROUP) == "done", typed
        assert {to for to, _ in night.texts()} == {private(HOST)}, typed
    assert night.hears(HOST, "判出局 4 失联", ROOM_GROUP) == "talk"


def test_a_word_for_the_pack_among_strangers_is_not_lost_unsaid(night: Room) -> None:
    assert night.hears(HOST, "绑定 杀手", ROOM_GROUP) == "done"
    night.in_room(ROOM_GROUP, KILLER, OTHER_KILLER, "888")
    night.said()
    assert night.hears(KILLER, "密 今晚刀谁", ROOM_GROUP) == "refused"
    to, told = night.only()
    assert (to.kind, to.id) == ("private", KILLER) and "密" in told
    night.in_room(ROOM_GROUP, KILLER, OTHER_KILLER)
    night.said()
    assert night.hears(KILLER, "密 今晚刀谁", ROOM_GROUP) == "talk"


def test_a_room_is_not_taken_from_what_it_serves_unasked(night: Room) -> None:
    assert night.hears(HOST, "绑定 杀手", ROOM_GROUP) == "done"
    night.in_room(ROOM_GROUP, HOST, KILLER, OTHER_KILLER)
    night.said()
    # Sent again it is looked at again; as anything else, or elsewhere, it is asked back.
    assert night.hears(HOST, "绑定 杀手", ROOM_GROUP) == "done"
    night.in_room(ROOM_GROUP, HOST, KILLER, OTHER_KILLER)
    night.said()
    before = dict(night.game.bound)
    for typed, where in (("绑定 导演", ROOM_GROUP), ("绑定 杀手", "991")):
        assert night.hears(HOST, typed, where) == "done"
        to, asked = night.only()
        assert to.kind == "private" and ROOM_GROUP in asked and "确认" in asked
        assert "杀手" in asked
        night.hears(HOST, "算了")
        night.said()
        assert night.game.bound == before
    assert night.hears(HOST, "绑定 杀手", "991") == "done"
    assert night.hears(HOST, "确认") == "done"
    assert list(night.game.bound.values()) == ["991"]


def test_a_room_of_another_game_is_let_go_of_by_its_directors(night: Room) -> None:
    other = night.deal(OTHER_GROUP, "51")
    assert night.hears(HOST, "绑定 杀手 1", ROOM_GROUP) == "done"
    assert night.hears("51", f"绑定 杀手 {other}", ROOM_GROUP) == "refused"
    assert night.hears("51", "解绑", ROOM_GROUP) == "refused"
    night.in_room(ROOM_GROUP, HOST, KILLER, OTHER_KILLER)
    night.said()
    assert night.hears(HOST, "解绑", ROOM_GROUP) == "done"
    told = {to.id for to, text in night.texts() if ROOM_GROUP in text}
    assert {HOST, DEPUTY, KILLER, OTHER_KILLER} <= told and night.game.bound == {}
    assert night.hears("51", f"绑定 杀手 {other}", ROOM_GROUP) == "done"


def test_a_room_bound_before_the_deal_is_looked_at_when_there_is_a_channel(room: Room) -> None:
    room.sign_up()
    room.hears(HOST, "绑定 杀手", ROOM_GROUP)
    assert [row.action for row in room.said()] == ["text"]
    room.in_room(ROOM_GROUP, *map(str, range(1, 8)))
    assert room.said() == []
    room.hears(HOST, "开始 强制", GROUP)
    assert [row.target for row in room.said() if row.action == "members"] == [group(ROOM_GROUP)]
    room.in_room(ROOM_GROUP, *map(str, range(1, 8)))
    (told,) = texts(room, private(HOST))
    assert "不该在的" in told


def test_who_is_announced_out_is_asked_to_leave_and_put_out(night: Room) -> None:
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.in_room(ROOM_GROUP, KILLER, OTHER_KILLER)
    night.said()
    night.hears(HOST, f"判出局 {KILLER} 失联")
    said = night.said()
    asked = SPEECH.say("events.leave.out", game=1, room="杀手密谈的群", group=ROOM_GROUP)
    assert asked in [row.text for row in said if row.target == private(KILLER)]
    done = [(row.action, row.arguments) for row in said if row.target == group(ROOM_GROUP)]
    assert done[0] == ("remove", {"account": KILLER}) and done[-1] == ("members", {})
    # Nothing of it is said in public, nor to anybody else.
    others = [row.text for row in said if row.target != private(KILLER)]
    assert not any(ROOM_GROUP in text for text in others)


def test_who_is_replaced_is_asked_to_leave_and_his_successor_waited_for(night: Room) -> None:
    night.hears(HOST, "绑定 杀手", ROOM_GROUP)
    night.in_room(ROOM_GROUP, KILLER, OTHER_KILLER)
    night.said()
    night.hears(HOST, f"替补 {KILLER} @70", mentions={"70": "新"})
    said = night.said()
    asked = SPEECH.say("events.leave.replaced", game=1, room="杀手密谈的群", group=ROOM_GROUP)
    assert asked in [row.text for row in said if row.target == private(KILLER)]
    assert ("remove", {"account": KILLER}) in [(row.action, row.arguments) for row in said]
    night.in_room(ROOM_GROUP, OTHER_KILLER)
    told = next(text for to, text in night.texts() if to == private(HOST))
    assert "还没进群的" in told and "2号" in told
    night.hears(OTHER_KILLER, "密 在吗")
    assert {to for to, _ in night.texts()} == {private("70"), private(OTHER_KILLER)}


def test_a_director_who_leaves_is_put_out_of_the_directors_room(night: Room) -> None:
    night.hears(HOST, "绑定 导演", ROOM_GROUP)
    night.in_room(ROOM_GROUP, HOST, DEPUTY)
    night.said()
    night.hears(DEPUTY, "卸任")
    said = night.said()
    assert ("remove", {"account": DEPUTY}) in [(row.action, row.arguments) for row in said]
    night.in_room(ROOM_GROUP, HOST, DEPUTY)
    # He is still there: nothing hidden is said there any more, but to the director privately.
    night.said()
    assert night.hears(HOST, "身份表", ROOM_GROUP) == "done"
    assert [to for to, _ in night.texts()] == [private(HOST, ROOM_GROUP)]
    assert night.hears(DEPUTY, "身份表", ROOM_GROUP) == "talk"
    assert night.said() == []
