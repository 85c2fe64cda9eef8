"""M84 at the desk: its words and where they count, the charmed, what is pasted, people."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from data.message import Target
from engine import view
from plugins.gamemaster.words import WORDS
from tests.plugins.desk import GROUP, HOST, SPEECH, Room, group, private

WOLVES_GROUP, LOVERS_GROUP = "990", "991"
ROLES = {
    **dict.fromkeys((1, 2, 3), "werewolf"),
    4: "seer",
    5: "witch",
    6: "guard",
    **dict.fromkeys((7, 8, 9, 10), "villager"),
    11: "piper",
    12: "cupid",
}
WOLF, SEER, WITCH, GUARD, VILLAGER, PIPER, CUPID = "1", "4", "5", "6", "7", "11", "12"


@pytest.fixture
def room() -> Room:
    """A game of M84, dealt on 2 March at nine; seat n is account n's."""
    room = Room()
    room.deal(roles=ROLES, board="m84")
    return room


@pytest.fixture
def day(room: Room) -> Room:
    """The same on day 1: the guard and a villager are lovers."""
    assert room.hears(CUPID, "恋 6 9") == "done"
    room.said()
    return room


@pytest.fixture
def night(day: Room) -> Room:
    """Its first night; seat 8 is sheriff."""
    assert day.hears(CUPID, "投票 8", GROUP) == "done"
    at(day, "2026-03-03 21:00")
    assert day.game.phase == "night"
    return day


@pytest.fixture
def charmed(night: Room) -> Room:
    """Day 2: seat 7 is charmed, the witch's and the wolves' night was quiet."""
    assert night.hears(PIPER, "吹 7") == "done"
    at(night, "2026-03-04 09:00")
    assert night.game.phase == "day" and night.game.charm.charmed == [7]
    return night


def at(room: Room, moment: str) -> None:
    """Move the clock to a moment in Shanghai, and settle what falls due on the way."""
    room.now = datetime.fromisoformat(f"{moment}+08:00").astimezone(UTC)
    room.ledger.wake(1, room.now)
    room.ledger.commit()
    room.said()


def orders(room: Room) -> dict[str, int | None]:
    return {ability: target for (ability, _), target in room.game.abilities.orders.items()}


def targets(room: Room) -> set[Target]:
    """Whom something was said to since this was last asked."""
    return {target for target, text in room.texts() if text}


def recalled(room: Room) -> bool:
    """Whether the last message was taken off the screen, and the directors were told."""
    rows = room.said()
    told = any(row.target == private(HOST) and row.action == "text" for row in rows)
    recall = [row for row in rows if row.action == "recall"]
    assert bool(recall) <= told
    assert all(row.target == group() for row in recall)
    return bool(recall)


# --- the words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("account", "typed", "ability", "target"),
    [
        (WOLF, "刀 4", "faction_kill", 4),
        (WOLF, "空刀", "faction_kill", None),
        (PIPER, "吹 11", "charm", 11),
        (GUARD, "守 6", "guard", 6),
        (GUARD, "护7号", "ward", 7),
        (WITCH, "救 玩家7", "save", 7),
        (WITCH, "毒 1", "poison", 1),
        (SEER, "驗 1", "inspect", 1),
    ],
)
def test_an_order_of_the_night(
    night: Room, account: str, typed: str, ability: str, target: int | None
) -> None:
    assert night.hears(account, typed) == "done"
    assert orders(night) == {ability: target}
    assert group() not in targets(night)


@pytest.mark.parametrize(
    "typed", ["刀 4", "吹 7", "守 7", "护 7", "救 7", "毒 7", "验 7", "解体 7"]
)
def test_an_ability_that_one_has_not_is_refused_privately(night: Room, typed: str) -> None:
    assert night.hears("10", typed) == "refused"
    assert night.only()[0] == private("10")
    assert orders(night) == {}


def test_every_name_that_the_board_gives_an_ability_is_a_word(night: Room) -> None:
    abilities = {word.ability for word in WORDS if word.ability}
    names = SPEECH.typed(night.game.sheet)
    assert set(names.values()) <= abilities
    owner = {"faction_kill": WOLF, "charm": PIPER, "inspect": SEER, "link": CUPID}
    owner |= dict.fromkeys(("guard", "ward"), GUARD) | dict.fromkeys(("save", "poison"), WITCH)
    for name, ability in names.items():
        if ability in ("lovers_kill", "link"):
            assert night.hears("10", f"{name} 7 8") == "refused", name
            continue
        night.game.abilities.orders.clear()
        assert night.hears(owner[ability], f"{name} 7") == "done", name
        assert orders(night) == {ability: 7}, name
        assert night.hears(owner[ability], f"{name}7", GROUP) == "refused", name


def test_names_of_the_board_are_words_in_its_own_games_alone() -> None:
    room = Room()
    room.deal()
    assert room.hears("2", "日轮 4") == "talk"
    assert room.only() == (private("2"), SPEECH.say("chat.not_understood"))
    room.hears("1", "立王 4 备 5")
    room.hears(HOST, "开楼")
    for typed in ("日轮 4", "守 4", "毒", "恋 4 5", "加速", "遗言 再见", "继任 4", "放弃"):
        assert room.hears("5", typed, GROUP) == ("refused" if typed == "放弃" else "talk")
    assert room.game.attendance.posts == {5: 7}


def test_a_boards_own_word_is_heard_from_somebody_who_was_lost(night: Room) -> None:
    night.store.set_reachable(GUARD, False)
    assert night.hears(GUARD, "日轮 7") == "done"
    assert orders(night) == {"guard": 7}


def test_in_two_games_a_boards_own_word_asks_which(night: Room) -> None:
    night.deal("901", "51")
    assert night.hears(GUARD, "日轮 7") == "refused"
    assert "#1" in night.only()[1]
    assert night.hears(GUARD, "#1 日轮 7") == "done"
    assert orders(night) == {"guard": 7}


@pytest.mark.parametrize(
    "typed",
    [
        *("守 7", "日轮 7", "验", "恋 3", "放弃", "放弃 守", "继任 3", "遗言 我是守卫"),
        *("解体 7", "毒 99", "救7", "空刀"),
    ],
)
def test_a_secret_in_the_group_is_recalled_and_not_done(night: Room, typed: str) -> None:
    night.hears(GUARD, "守 8")
    night.said()
    assert night.hears(GUARD, typed, GROUP, message_id="4711") == "refused"
    recall, told = night.said()
    assert (recall.target, recall.action) == (group(), "recall")
    assert recall.arguments == {"message_id": "4711"}
    assert told.target == private(GUARD) and "99" not in told.text
    assert orders(night) == {"guard": 8}


@pytest.mark.parametrize("typed", ["恋 7 8", "恋 玩家7 和 玩家8", "戀 7、8", "恋7和8", "母爱 7 8"])
def test_cupid_links(room: Room, typed: str) -> None:
    assert room.hears(CUPID, typed) == "done"
    assert room.game.lovers.pair == [7, 8]


@pytest.mark.parametrize("typed", ["恋 7", "恋", "恋 7 8 9", "恋 7 99", "恋 7 7"])
def test_a_link_that_cannot_be_read_is_refused(room: Room, typed: str) -> None:
    assert room.hears(CUPID, typed) == "refused"
    assert room.only()[0] == private(CUPID)
    assert room.game.phase == "setup"


def test_orders_are_withdrawn(night: Room) -> None:
    for typed in ("守 7", "护 7", "放弃 护"):
        assert night.hears(GUARD, typed) == "done"
    assert orders(night) == {"guard": 7}
    assert night.hears(GUARD, "放弃") == "done"
    assert orders(night) == {}
    assert night.hears(GUARD, "护 7") == "done"
    assert night.hears(GUARD, "放弃 梵天") == "done"
    assert orders(night) == {}
    assert night.hears(GUARD, "放弃") == "refused"
    night.said()
    assert night.hears(GUARD, "放弃抵抗") == "talk"
    assert night.only()[1] == SPEECH.say("chat.not_understood")


def test_a_lone_number_answers_what_is_asked_if_it_is_one(night: Room) -> None:
    assert night.hears(SEER, "1") == "done"
    assert night.hears(WOLF, "玩家4") == "done"
    assert night.hears(PIPER, "7号") == "done"
    assert orders(night) == {"inspect": 1, "faction_kill": 4, "charm": 7}
    night.said()
    # The guard has two things to say, and an example of one of them is his own.
    assert night.hears(GUARD, "7") == "talk"
    assert "守" in night.only()[1]
    # Nothing is asked of a villager, nor twice of the seer.
    for account in ("10", SEER):
        assert night.hears(account, "7") == "talk"
    assert orders(night) == {"inspect": 1, "faction_kill": 4, "charm": 7}


def test_by_day_a_lone_number_is_a_ballot(day: Room) -> None:
    assert day.hears("10", "8") == "done"
    assert day.game.ballot.cast == {10: 8}


def test_petitions(day: Room) -> None:
    for account, typed in (("1", "加速"), ("2", "延時"), ("3", "加速"), ("3", "撤回申请")):
        assert day.hears(account, typed, GROUP) == "done"
    assert day.game.petitions.asks == {1: "speed_up", 2: "delay"}
    assert day.hears("3", "撤回申请") == "refused"
    assert day.hears("3", "加速吧", GROUP) == "talk"
    assert day.game.attendance.posts == {3: 1}


def test_the_example_of_a_refusal_is_ones_own(night: Room) -> None:
    for account, typed, example in (
        (GUARD, "日轮 99", "守 1"),
        (WITCH, "毒 99", "毒 1"),
        (HOST, "红牌 99 吵", "黄牌 1 "),
        ("10", "遗言", "遗言 "),
    ):
        assert night.hears(account, typed) == "refused"
        assert example in night.only()[1]


# --- heirs and last words --------------------------------------------------------------------


@pytest.fixture
def shot(night: Room) -> Room:
    """Past midnight: the sheriff is out, and may name heirs and leave words."""
    night.hears(WOLF, "刀 8")
    at(night, "2026-03-04 00:30")
    assert night.game.words.open == [8] and night.game.sheriff.leaving == 8
    return night


@pytest.mark.parametrize("typed", ["继任 7 10", "繼任 7，10", "继任7 和 玩家10"])
def test_heirs(shot: Room, typed: str) -> None:
    assert shot.hears("8", typed) == "done"
    assert shot.game.sheriff.heirs == [7, 10]
    assert group() not in targets(shot)
    assert shot.hears("8", "继任") == "refused"
    assert shot.hears("10", "继任 7") == "refused"
    assert shot.game.sheriff.heirs == [7, 10]


def test_a_lone_number_names_an_heir(shot: Room) -> None:
    assert shot.hears("8", "7") == "done"
    assert shot.game.sheriff.heirs == [7]


def test_last_words_are_plain_text(shot: Room) -> None:
    assert shot.hears("8", "遗言 第一行\n第二行 1<2 [3号]") == "done"
    words = {8: "第一行\n第二行 1<2 [3号]"}
    assert shot.game.words.texts == words
    for typed, more in (
        ("遗言 [b]我[/b]", {}),
        ("遗言 [url=http://a]我[/url]", {}),
        ("遗言 ［ｂ］我", {}),
        ("遗言 [CQ:at,qq=1]", {}),
        ("遗言 <b>我</b>", {}),
        ("遗言 我", {"pictures": True}),
        ("遗言 我", {"faces": True}),
        ("遗言 @1 我", {"mentions": {"1": ""}}),
        ("遗言", {}),
    ):
        assert shot.hears("8", typed, **more) == "refused", typed
        assert shot.hears("10", "遗言 我") == "refused"
    assert shot.game.words.texts == words


# --- secret channels ---------------------------------------------------------------------------


@pytest.fixture
def bound(night: Room) -> Room:
    """The night, with a group for the wolves and one for the lovers."""
    assert night.hears(HOST, "绑定 狼群", WOLVES_GROUP) == "done"
    assert night.hears(HOST, "绑定 情侣 1", LOVERS_GROUP) == "done"
    assert night.game.bound == {"wolves": WOLVES_GROUP, "lovers": LOVERS_GROUP}
    for channel, where in night.game.bound.items():
        night.in_room(where, *map(str, night.game.channels[channel]))
    night.said()
    return night


def test_in_the_wolves_group_the_kill_counts_and_all_else_is_talk(bound: Room) -> None:
    assert bound.hears("1", "刀 4", WOLVES_GROUP) == "done"
    assert targets(bound) == {group(WOLVES_GROUP)}
    assert bound.hears("2", "空刀", WOLVES_GROUP) == "done"
    assert orders(bound) == {"faction_kill": None}
    assert bound.hears("3", "无能狂怒 7", WOLVES_GROUP) == "done"
    assert orders(bound) == {"faction_kill": 7}
    assert bound.hears("1", "放弃", WOLVES_GROUP) == "done"
    assert orders(bound) == {"faction_kill": None}
    bound.said()
    for typed in ("今晚怎么办", "守 7", "加速", "投票 7", "遗言 啊", "密 你好", "放弃 守"):
        assert bound.hears("1", typed, WOLVES_GROUP) == "talk", typed
    for account in (SEER, "777", HOST):
        assert bound.hears(account, "说句话", WOLVES_GROUP) == "talk"
    assert bound.said() == []
    assert bound.hears("2", "密 我在外面") == "done"
    assert group(WOLVES_GROUP) in targets(bound)


def test_in_the_lovers_group_nothing_of_ones_own_is_touched(bound: Room) -> None:
    assert bound.hears(GUARD, "守 9") == "done"
    bound.said()
    assert bound.hears(GUARD, "放弃", LOVERS_GROUP) == "refused"
    assert bound.hears(GUARD, "解体 1", LOVERS_GROUP) == "refused"
    assert bound.hears(GUARD, "刀 1", LOVERS_GROUP) == "refused"
    assert targets(bound) == {private(GUARD, LOVERS_GROUP)}
    assert bound.hears(GUARD, "护 9", LOVERS_GROUP) == "talk"
    assert bound.hears(GUARD, "放弃 守", LOVERS_GROUP) == "talk"
    assert orders(bound) == {"guard": 9}
    assert bound.said() == []


def test_a_channels_words_count_in_its_own_group_alone(bound: Room) -> None:
    assert bound.hears(WOLF, "刀 7", LOVERS_GROUP) == "talk"
    assert bound.said() == [] and orders(bound) == {}


def test_help_in_a_channel_tells_no_member_of_anothers_abilities(bound: Room) -> None:
    texts = set()
    for account in (GUARD, "9"):
        assert bound.hears(account, "帮助", LOVERS_GROUP) == "done"
        target, text = bound.only()
        assert target == group(LOVERS_GROUP)
        texts.add(text)
    assert len(texts) == 1


def test_the_lovers_kill() -> None:
    room = Room()
    room.deal(roles=ROLES, board="m84")
    room.hears(CUPID, "恋 11 9")
    at(room, "2026-03-02 22:00")
    room.hears("7", "投票 8", GROUP)
    at(room, "2026-03-03 20:00")
    for wolf in ("1", "2", "3"):
        assert room.hears(HOST, f"判出局 {wolf} 场外") == "done"
    at(room, "2026-03-03 21:05")
    assert room.hears(HOST, "绑定 情侣", LOVERS_GROUP) == "done"
    assert room.hears("9", "解体 7", LOVERS_GROUP) == "done"
    assert orders(room) == {"lovers_kill": 7}
    assert room.hears(PIPER, "放弃", LOVERS_GROUP) == "done"
    assert orders(room) == {"lovers_kill": None}
    assert room.hears(PIPER, "解体 8") == "done"
    assert orders(room) == {"lovers_kill": 8}


def test_without_a_group_talk_is_relayed(night: Room) -> None:
    assert night.hears("9", "密 你好") == "done"
    assert private(GUARD) in targets(night)
    assert night.hears("7", "密 你好") == "refused"


# --- directors -----------------------------------------------------------------------------------


def test_cards(day: Room) -> None:
    for typed in ("蓝牌 7 贴脸", "藍牌 7 贴脸", "黄牌 7号 贴脸", "红牌 10 贴证", "紅牌 8 失联"):
        assert day.hears(HOST, typed) == "done", typed
    assert day.game.cards.held == {7: {"blue": 2, "yellow": 1}, 10: {"red": 1}, 8: {"red": 1}}
    for typed in ("撤牌 7 蓝", "撤牌 7 黄牌", "撤牌 10 红牌"):
        assert day.hears(HOST, typed) == "done", typed
    assert day.game.cards.held[7] == {"blue": 1, "yellow": 0}
    assert day.game.cards.waiting == [8]
    assert day.hears(HOST, "撤牌 7 警告") == "refused"
    day.said()
    assert day.hears(HOST, "撤牌 7 紫") == "refused"
    assert "撤牌 3 黄牌" in day.only()[1]
    assert day.hears(HOST, "红牌 7") == "refused"
    assert day.hears("7", "红牌 8 贴脸") == "refused"


@pytest.mark.parametrize("named", ["人造人", "人造人阵营", "wolves"])
def test_a_faction_is_ruled_lost(night: Room, named: str) -> None:
    assert night.hears(HOST, f"判负 {named} 两张红牌") == "refused"  # no red card is settled
    night.hears(HOST, "红牌 1 场外")
    at(night, "2026-03-04 00:00")
    assert night.hears(HOST, f"判负 {named}") == "refused"
    assert night.hears("7", f"判负 {named} 他们输了") == "refused"
    assert night.hears(HOST, "判负 火星人 两张红牌") == "refused"
    assert night.game.lost == []
    assert night.hears(HOST, f"判负 {named} 两张红牌") == "done"
    assert night.game.lost == ["wolves"]


def test_the_night_is_settled_by_hand(night: Room) -> None:
    night.hears(WOLF, "刀 7")
    assert night.hears(HOST, "结算") == "done"
    assert not night.game.seats[7].alive
    assert night.game.phase == "night"
    assert night.hears(HOST, "结算") == "refused"


# --- the charmed ---------------------------------------------------------------------------------


def test_who_is_charmed_again_after_an_undoing_is_told_so_and_the_group_too(charmed: Room) -> None:
    charmed.hears(HOST, f"判出局 {PIPER} 看错人")
    assert charmed.game.charm.charmed == []
    charmed.said()
    charmed.hears(HOST, "撤销")
    charmed.hears(HOST, "确认")
    assert charmed.game.charm.charmed == [7]
    told = dict(charmed.texts())
    assert "状态：7号" in told[group()].partition("现在是这样")[2]
    assert "你在黑哨状态" in told[private(VILLAGER)]
    assert private("10") not in told


@pytest.mark.parametrize(
    ("typed", "more", "breach"),
    [
        ("喵喵，汪！", {}, False),
        ("啊 哈～…？。", {}, False),
        ("  ", {"faces": True}, False),
        ("喵", {"faces": True}, False),
        ("你好", {}, True),
        ("喵1", {}, True),
        ("喵!", {}, True),
        ("wow", {}, True),
        ("", {"pictures": True}, True),
        ("喵", {"pictures": True}, True),
        (" @8 ", {"mentions": {"8": ""}}, True),
        ("喵", {"quotes": True}, True),
    ],
)
def test_the_charmed_make_sounds(
    charmed: Room, typed: str, more: dict[str, object], breach: bool
) -> None:
    assert charmed.hears(VILLAGER, typed, GROUP, **more) == "talk"
    assert recalled(charmed) is breach
    assert charmed.game.attendance.posts == {7: 1}
    # Others may say and show what they like, in private everybody may.
    assert charmed.hears("10", typed, GROUP, **more) == "talk"
    assert not recalled(charmed)
    charmed.hears(VILLAGER, "你好")
    assert not recalled(charmed)


@pytest.mark.parametrize(
    ("typed", "more", "reason", "breach"),
    [
        ("投票 1", {}, "", False),
        ("投票 1 喵", {}, "喵", False),
        ("投票 1 喵", {"quotes": True}, "喵", False),
        ("投票 @1 喵", {"mentions": {"1": ""}}, "喵", False),
        ("投票 1 喵", {"faces": True}, "喵", False),
        ("投票 1 他是狼", {}, "", True),
        ("投票 1 喵", {"pictures": True}, "", True),
        ("投票 1", {"pictures": True}, "", True),
        ("投票对象：1\n投票理由：他是狼", {}, "", True),
        ("投票对象：1\n投票理由：喵", {}, "喵", False),
    ],
)
def test_a_ballot_of_the_charmed_stands_whatever_its_reason(
    charmed: Room, typed: str, more: dict[str, object], reason: str, breach: bool
) -> None:
    assert charmed.hears(VILLAGER, typed, GROUP, **more) == "done"
    assert recalled(charmed) is breach
    assert charmed.game.ballot.cast == {7: 1}
    assert charmed.game.ballot.reasons == ({7: reason} if reason else {})
    assert charmed.game.attendance.posts == {}


def test_a_ballot_with_a_picture_is_one_for_everybody(charmed: Room) -> None:
    assert charmed.hears("10", "投票 1 他是狼", GROUP, pictures=True) == "done"
    assert charmed.game.ballot.reasons == {10: "他是狼"}
    assert not recalled(charmed)


@pytest.mark.parametrize(
    ("typed", "more", "breach"),
    [
        ("投票 三号是狼", {}, True),
        ("规则 三号是狼", {}, True),
        ("状态", {"pictures": True}, True),
        ("加速", {}, False),
        ("状态", {}, False),
        ("罢黜", {}, False),
    ],
)
def test_a_command_of_the_charmed_is_no_way_round(
    charmed: Room, typed: str, more: dict[str, object], breach: bool
) -> None:
    heard = charmed.hears(VILLAGER, typed, GROUP, **more)
    assert heard == ("refused" if breach or typed == "罢黜" else "done")
    assert recalled(charmed) is breach
    assert charmed.hears("10", typed, GROUP, **more) == heard
    assert not recalled(charmed)


def test_the_charmed_may_speak_by_night(charmed: Room) -> None:
    assert charmed.hears(HOST, "截票") == "done"
    charmed.said()
    assert charmed.hears(VILLAGER, "终于能说话了", GROUP) == "talk"
    assert not recalled(charmed)


# --- what is pasted ------------------------------------------------------------------------------


def directors_hear(room: Room, account: str, typed: str, **more: object) -> list[str]:
    room.said()
    room.hears(account, typed, GROUP, **more)
    return [text for target, text in room.texts() if target == private(HOST)]


def test_what_was_said_privately_and_is_pasted_is_reported(day: Room) -> None:
    at(day, "2026-03-03 21:00")
    day.hears(SEER, "验 1")
    told = [row.text for row in day.said() if row.target == private(SEER)]
    line = max("\n".join(told).splitlines(), key=len)
    assert len(line) >= 6
    at(day, "2026-03-04 09:00")
    assert directors_hear(day, "10", f"他说：{line}") == []
    pasted = directors_hear(day, SEER, f"看，{line}，是吧")
    assert len(pasted) == 1 and line.strip() in pasted[0] and "4号" in pasted[0]
    (spread,) = directors_hear(day, SEER, f"{line[:3]}　 {line[3:]}")
    assert "4号" in spread
    (reason,) = directors_hear(day, SEER, f"投票 1 {line}")
    assert "4号" in reason
    assert day.game.ballot.cast == {4: 1}
    assert day.game.attendance.posts == {10: 1, 4: 2}
    # A restart forgets nothing.
    day.desk = type(day.desk)(day.ledger, day.desk.speech, day.settings)
    assert len(directors_hear(day, SEER, line)) == 1


def test_an_answer_alone_is_known_again(night: Room) -> None:
    night.hears(SEER, "验 1")
    at(night, "2026-03-04 09:00")
    answer = "小莫，揍他！"
    assert len(directors_hear(night, SEER, f"导演给我的反馈：{answer}")) == 1
    assert directors_hear(night, "10", f"他说{answer}") == []


def test_the_dead_who_paste_are_reported_for_both(night: Room) -> None:
    night.hears(SEER, "验 1")
    line = max(
        (text for target, text in night.texts() if target == private(SEER)), key=len
    ).splitlines()[0]
    night.hears(WOLF, "刀 4")
    at(night, "2026-03-04 09:00")
    assert len(directors_hear(night, SEER, "冤枉")) == 1
    assert len(directors_hear(night, SEER, line)) == 2


@pytest.mark.parametrize(
    ("typed", "reports"),
    [
        ("取酒 21:15:03 反馈：村民阵营", 1),
        ("21:15 反馈:小莫，揍他", 1),
        ("２１：１５：０３　反馈：红黑", 1),
        ("今晚21:15反馈意见", 0),
        ("21:00 截止", 0),
        ("反馈：他是狼", 0),
    ],
)
def test_the_usual_form_of_a_result_is_reported(day: Room, typed: str, reports: int) -> None:
    assert len(directors_hear(day, "10", typed)) == reports
    assert directors_hear(day, "777", typed) == []


def test_what_all_were_told_and_short_lines_are_no_secret(day: Room) -> None:
    day.ledger.say(private("10"), "第一行是这样\n好的收到", 1)
    day.ledger.say(private("10"), "人人都听过的一句话", 1)
    day.ledger.say(group(), "人人都听过的一句话", 1)
    day.ledger.commit()
    assert directors_hear(day, "10", "人人都听过的一句话") == []
    assert directors_hear(day, "10", "好的收到") == []
    assert len(directors_hear(day, "10", "第一行是这样")) == 1


def test_what_a_bound_channel_heard_is_private_too(bound: Room) -> None:
    bound.hears(WOLF, "刀 4", WOLVES_GROUP)
    line = max(bound.only()[1].splitlines(), key=len)
    assert len(directors_hear(bound, "2", line)) == 1
    assert directors_hear(bound, "7", line) == []


# --- people --------------------------------------------------------------------------------------


def test_a_replaced_lover_is_out_of_the_channel_at_once(bound: Room) -> None:
    assert bound.hears(GUARD, "守 9") == "done"
    bound.said()
    assert bound.hears(HOST, "替补 6 @60", mentions={"60": "新人"}) == "done"
    own, public = view.seat_view(bound.game, 6), view.public_view(bound.game)
    new = [text for target, text in bound.texts() if target == private("60")]
    assert SPEECH.role_card(own, public) in new and SPEECH.all_told(own, public) in new
    # The former player is nobody any more.
    assert bound.hears(GUARD, "解体 7", LOVERS_GROUP) == "talk"
    assert bound.hears(GUARD, "护 9") == "refused"
    assert bound.hears(GUARD, "密 我走了") == "refused"
    assert bound.hears(GUARD, "我的身份") == "refused"
    bound.said()
    lover = next(n for n in bound.game.channels["lovers"] if n != 6)
    bound.in_room(LOVERS_GROUP, "60", str(lover))
    assert bound.hears("60", "密 我来了") == "done"
    assert group(LOVERS_GROUP) in targets(bound)
    assert bound.hears("60", "护 9") == "done"
    assert orders(bound) == {"guard": 9, "ward": 9}
    assert bound.hears("60", "我的身份") == "done"
    assert bound.hears(HOST, "替补 6 @61", mentions={"61": ""}) == "refused"


def test_a_replaced_wolf_hears_no_more_of_a_relayed_channel(night: Room) -> None:
    night.hears(HOST, "替补 2 @60", mentions={"60": "新人"})
    night.said()
    assert night.hears(WOLF, "密 今晚刀谁") == "done"
    assert {private("60"), private("3")} <= targets(night)
    assert night.hears("60", "刀 4") == "done"
    said = targets(night)
    assert private("60") in said and private("2") not in said


def test_coaches(day: Room) -> None:
    assert day.hears(HOST, "场助 6 @60", mentions={"60": "老手"}) == "done"
    assert day.game.seats[6].coach.name == "老手"
    (hello,) = [text for to, text in day.texts() if to.id == "60"]
    assert "你是第1局" in hello and "6号" in hello and "场外助理" in hello
    assert day.hears(HOST, "场助 7 @60", mentions={"60": "老手"}) == "refused"
    assert "一个座位" in day.only()[1] and day.game.seats[7].coach is None
    # It is his game, by its number and without, as a coach's.
    for typed in ("状态", "#1 状态"):
        assert day.hears("60", typed) == "done"
        assert "第1局" in day.only()[1]
    assert day.hears("60", "身份表") == "refused"
    day.hears("60", "我的身份")
    assert all("狼" not in text for _, text in day.texts())
    assert day.hears(HOST, "场助 6 @61", mentions={"61": ""}) == "refused"
    assert day.hears(HOST, "场助 7 @8", mentions={"8": ""}) == "refused"
    assert day.hears(HOST, "替补 7 @60", mentions={"60": ""}) == "refused"


# --- who is out is no secret told by a card -------------------------------------------------------


@pytest.mark.parametrize("typed", ["撤牌 {} 红", "撤判 {}"])
def test_taking_a_red_card_back_tells_nobody_who_is_out(night: Room, typed: str) -> None:
    night.hears(WOLF, "刀 7")
    assert night.hears(HOST, "结算") == "done"
    night.said()
    heard = {}
    for seat in (7, 10):
        order = "撤牌 7 红" if seat == 7 else typed.format(seat)
        alive = night.game.seats[seat].alive
        assert night.hears(HOST, f"红牌 {seat} 贴脸") == "done"
        assert night.hears(HOST, order) == "done"
        said = [text for to, text in night.texts() if to == group()]
        heard[seat] = [text.replace(f"{seat}号", "N号") for text in said]
        assert night.game.seats[seat].alive is alive
        assert not night.game.cards.waiting and not night.game.cards.held[seat]["red"]
        assert night.game.seats[seat].reds == 0
    assert [text.replace("玩家7", "玩家") for text in heard[7]] == [
        text.replace("玩家10", "玩家") for text in heard[10]
    ]


# --- rooms bound in set-up ------------------------------------------------------------------------


@pytest.mark.parametrize("channel", ["狼群", "情侣"])
def test_who_belongs_in_a_room_is_not_to_be_guessed_in_set_up(room: Room, channel: str) -> None:
    assert room.hears(HOST, f"绑定 {channel}", WOLVES_GROUP) == "done"
    (told,) = [text for _, text in room.texts() if text]
    assert "先别拉人" in told and "我先看看" not in told
    room.in_room(WOLVES_GROUP, "1", "2", "3")
    assert not [text for _, text in room.texts() if text]
    assert room.hears(CUPID, "恋 3 9") == "done"
    room.said()
    room.in_room(WOLVES_GROUP, "1", "2", "3")
    judged = [text for to, text in room.texts() if to == private(HOST)]
    assert judged and "不该在的" in judged[0]
    assert room.hears(HOST, f"绑定 {channel}", WOLVES_GROUP) == "done"
    assert any("我先看看" in text for _, text in room.texts())


# --- names are no way to speak -------------------------------------------------------------------


def test_a_name_for_the_queue_says_nothing_for_who_sits(charmed: Room) -> None:
    for account in (VILLAGER, "10"):
        assert charmed.hears(account, "报名 我是被吹的好人3是裁判", GROUP) == "done"
        told = [row for row in charmed.said() if row.action == "text"]
        assert not any("裁判" in row.text for row in told if row.target == group())
        # What the charmed typed is the director's to judge, as any other talk of his.
        judged = [row.target for row in told if "裁判" in row.text]
        assert judged == ([private(HOST)] if account == VILLAGER else [])
    names = [person.name for person in charmed.ledger.queue(GROUP)]
    assert names == [f"玩家{VILLAGER}", "玩家10"]


@pytest.mark.parametrize("how", ["a notice", "the next message"])
def test_a_card_says_nothing_for_who_may_not_speak(charmed: Room, how: str) -> None:
    assert charmed.hears(HOST, "判出局 10 场外") == "done"
    charmed.said()
    for account, name in ((VILLAGER, "3号是裁判"), ("10", "3号是狼")):
        for _ in range(2):
            if how == "a notice":
                charmed.learns("renamed", GROUP, account, name=name)
            else:
                charmed.hears(account, "喵", GROUP, name=name)
        told = [(to, text) for to, text in charmed.texts() if name in text]
        assert [to for to, _ in told] == [private(HOST)]
        for typed in ("名单", "战绩", "观战"):
            charmed.hears(account, typed, GROUP, name=name)
            assert not any(name in text for to, text in charmed.texts() if to == group())
        assert charmed.game.seats[int(account)].name == f"玩家{account}"


def test_nobody_takes_the_name_of_another_seat(charmed: Room) -> None:
    charmed.learns("renamed", GROUP, "8", name="玩家9")
    assert charmed.game.seats[8].name == "玩家9-2"
    charmed.learns("renamed", GROUP, "8", name="玩家八")
    assert charmed.game.seats[8].name == "玩家八"


def test_a_card_that_two_have_is_no_news_of_who_may_not_speak(night: Room) -> None:
    night.learns("renamed", GROUP, "10", name="玩家9")
    assert night.game.seats[10].name == "玩家9-2"
    assert night.hears(HOST, "判出局 10 场外") == "done"
    night.said()
    night.learns("renamed", GROUP, "10", name="玩家9")
    assert night.said() == [], "it is the card that he has had all along"
    night.learns("renamed", GROUP, "10", name="3号是狼")
    assert [to for to, _ in night.texts()] == [private(HOST)]
