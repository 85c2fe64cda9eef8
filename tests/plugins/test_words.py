"""The parser alone: what is a command, what is talk, what is refused."""

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugins.gamemaster.words import (
    WORDS,
    Intent,
    Misread,
    Roll,
    alone,
    fold,
    parameters,
    read,
    understand,
)

PLAYERS = Roll(
    [
        (1, "1001", "小明"),
        (2, "1002", "小紅"),
        (3, "1003", "🐱喵"),
        (4, "1004", "Ａlice"),
        (5, "1005", "双胞胎"),
        (6, "1006", "双胞胎"),
        (7, "1007", "Bob Lee"),
        (8, "1008", "bob"),
        (9, "1009", "BOB"),
        (10, "1010", "7喜"),
        (11, "1011", "备胎"),
        (12, "1012", "[CQ:at,qq=all]"),
    ]
)


def parse(text: str) -> Intent | None:
    return understand(read(text), PLAYERS)


def misread(text: str) -> Misread:
    with pytest.raises(Misread) as caught:
        parse(text)
    return caught.value


def brief(text: str) -> tuple:
    intent = parse(text)
    assert intent is not None, f"{text!r} was taken for talk"
    return (intent.word.key, intent.seat, intent.other, intent.text, intent.count, intent.account)


def test_every_word_alone_or_with_its_example_is_understood():
    for word in WORDS:
        for form in word.forms:
            intent = parse(word.example.replace(word.forms[0], form, 1) or form)
            assert intent is not None and intent.word is word, form


@pytest.mark.parametrize(
    "text",
    [
        "刀 3",
        "刀3",
        "刀３",
        "刀 3号",
        "刀3號",
        "刀 3 号",
        "刀 #3",
        "刀＃３",
        "刀 ０３号",
        "刀　3",
        "  刀   3  ",
        "/刀 3",
        "／刀3",
        "刀 @1003",
        "刀@1003 ",
        "刀 🐱喵",
        "刀🐱喵",
        "刀 3号位",
        "刀 3。",
    ],
)
def test_a_seat_by_number_mention_or_name(text):
    assert brief(text) == ("kill", 3, None, "", 0, "")


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("处决 alice", 4),
        ("處決 ALICE", 4),
        ("处决 @Alice", 4),
        ("处决 bob lee", 7),
        ("处决 BobLee", 7),
        ("处决 bob", 8),  # exact goes before width and case
        ("处决 BOB", 9),
        ("处决 7喜", 10),
        ("处决 [CQ:at,qq=all]", 12),
        ("处决 小明", 1),
    ],
)
def test_names(text, seat):
    assert brief(text)[:2] == ("order", seat)


def test_a_shared_name_is_refused_naming_the_seats():
    wrong = misread("刀 双胞胎")
    assert (wrong.code, wrong.values["seats"]) == ("shared_name", [5, 6])
    assert misread("刀双胞胎").code == "shared_name"
    assert misread("刀 Bob").values["seats"] == [8, 9]


@pytest.mark.parametrize(
    "text",
    [
        "刀法很好",
        "刀3个人",
        "刀3 不如刀5",
        "投票怎么投",
        "投票3个人就够了",
        "投票5？",
        "投票对象是谁",
        "投票，这事难办",
        "弃权党都是狼",
        "空刀了吗",
        "独裁万岁",
        "独裁 万岁",
        "密码是多少",
        "报名了吗",
        "开始讨论",
        "开始 讨论",
        "状态不好",
        "时间 不够了",
        "罢黜国王",
        "立王怎么立",
        "处决谁好",
        "警告一下",
        "公告呢",
        "切换一下",
        "延长一下",
        "今晚刀 3",
        "我投票 5",
        "3",
        "#3",
        "#12 你好",
        "",
        "   ",
        "#",
        "/",
        "守住了",
        "毒奶",
        "验3个人",
        "救命啊",
        "护着他",
        "吹牛",
        "恋爱了",
        "恋3和他爱谁",
        "解体了",
        "放弃吧",
        "放弃 治疗",
        "加速吧",
        "延时 一下",
        "继任者是谁",
        "遗言呢",
        "红牌警告",
        "黄牌太多",
        "判负了吗",
        "日轮 3",
    ],
)
def test_talk(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("刀", "no_target"),
        ("刀 99", "no_such_seat"),
        ("刀99", "no_such_seat"),
        ("刀 0", "no_such_seat"),
        ("刀 3 5", "two_seats"),
        ("刀3 5", "two_seats"),
        ("刀 3、5", "two_seats"),
        ("刀 3和5", "unknown_name"),
        ("刀 3 吧", "too_much"),
        ("刀 谁呢", "unknown_name"),
        ("处决 3？", "unknown_name"),
        ("处决 3 吗", "too_much"),
        ("投票", "no_target"),
        ("投票 3 5", "two_seats"),
        ("投票 无名氏", "unknown_name"),
        ("投票 5因为他", "unknown_name"),
        ("投票对象：5", "bad_form"),
        ("投票对象：5 改票理由：错", "bad_form"),
        ("投票理由：先说理由", "bad_form"),
        ("投票对象：5\n投票理由：", "no_reason"),
        ("投票对象：谁\n投票理由：不知道", "unknown_name"),
        ("投票对象：3 5 投票理由：都像", "two_seats"),
        ("投票对象：99 投票理由：像", "no_such_seat"),
        ("改票", "no_target"),
        ("立王", "no_target"),
        ("立王 3 备", "no_target"),
        ("立王 3 备 5 备 7", "too_much"),
        ("罢黜 3", "bad_voice"),
        ("密", "no_text"),
        ("切换", "no_game_number"),
        ("切换 小明", "no_game_number"),
        ("绑定", "bad_channel"),
        ("绑定 火星群 3", "bad_channel"),
        ("警告 3", "no_reason"),
        ("判出局 3", "no_reason"),
        ("撤牌 3", "bad_card"),
        ("撤牌 3 紫牌", "bad_card"),
        ("加水 3", "bad_count"),
        ("加水 3 -2", "bad_count"),
        ("扣水 3 0", "bad_count"),
        ("禁言 3", "bad_span"),
        ("禁言 3 2", "bad_span"),
        ("延长", "bad_span"),
        ("延长 30", "bad_span"),
        ("代投 3", "no_target"),
        ("替补 3", "no_person"),
        ("副导演", "no_person"),
        ("公告", "no_text"),
        ("守", "no_target"),
        ("毒 3 5", "two_seats"),
        ("验99", "no_such_seat"),
        ("恋", "no_target"),
        ("恋 3", "too_much"),
        ("恋3", "too_much"),
        ("恋 3 5 7", "too_much"),
        ("恋 3 99", "no_such_seat"),
        ("恋 3 谁", "unknown_name"),
        ("继任", "no_target"),
        ("继任 3 谁", "unknown_name"),
        ("继任 3 99", "no_such_seat"),
        ("遗言", "no_text"),
        ("蓝牌 3", "no_reason"),
        ("红牌 他 贴脸", "unknown_name"),
        ("撤牌 3 黑牌", "bad_card"),
        ("判负 狼人", "no_reason"),
        ("判负", "no_reason"),
    ],
)
def test_refused(text, code):
    wrong = misread(text)
    assert wrong.code == code
    assert wrong.values["example"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("投票 5", ("vote", 5, None, "")),
        ("投票5", ("vote", 5, None, "")),
        ("投票:5", ("vote", 5, None, "")),
        ("改票 5号 他变脸太快", ("vote", 5, None, "他变脸太快")),
        ("投票5，他变脸太快", ("vote", 5, None, "他变脸太快")),
        ("投票 3 3号发言有问题", ("vote", 3, None, "3号发言有问题")),
        ("投票 小明 他说\n谎", ("vote", 1, None, "他说\n谎")),
        ("投票 弃权", ("vote", None, None, "")),
        ("投票 棄權 看不懂", ("vote", None, None, "看不懂")),
        ("弃权", ("abstain", None, None, "")),
        ("棄權 看不懂", ("abstain", None, None, "看不懂")),
        ("投票对象：5\n投票理由：他说谎", ("vote", 5, None, "他说谎")),
        ("投票對象:5號 投票理由:他說謊", ("vote", 5, None, "他說謊")),
        ("投票对象：小明投票理由：像", ("vote", 1, None, "像")),
        ("投票对象 ： 3号，投票理由 ： 像：很像", ("vote", 3, None, "像：很像")),
        ("改票对象：@1003\n\n改票理由：像\n很像", ("vote", 3, None, "像\n很像")),
        ("改票对象：弃权 改票理由：看不懂", ("vote", None, None, "看不懂")),
    ],
)
def test_ballots(text, expected):
    assert brief(text)[:4] == expected


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("立王 3 备 5", 3, 5),
        ("立王3备5", 3, 5),
        ("立王 3號 備 5號", 3, 5),
        ("立王 3 备选 5", 3, 5),
        ("立王 3 5", 3, 5),
        ("立王 3，备 5", 3, 5),
        ("立王 小明 备 🐱喵", 1, 3),
        ("立王小明备🐱喵", 1, 3),
        ("立王 备胎 备 小明", 11, 1),
        ("立王 小明 备 备胎", 1, 11),
        ("立王 @1003 备 @1004", 3, 4),
        ("立王 3", 3, None),
    ],
)
def test_crowns(text, first, second):
    assert brief(text)[:3] == ("crown", first, second)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("罢黜", ("depose", None, None, "", 0, "")),
        ("罷黜 贊成", ("depose", None, None, "for", 0, "")),
        ("罢黜反对", ("depose", None, None, "against", 0, "")),
        ("罢黜 棄權", ("depose", None, None, "abstain", 0, "")),
        ("獨裁", ("dictatorship", None, None, "", 0, "")),
        ("立憲", ("constitution", None, None, "", 0, "")),
        ("神賜", ("grant", None, None, "", 0, "")),
        ("確認", ("confirm", None, None, "", 0, "")),
        ("我的身份", ("my_role", None, None, "", 0, "")),
        ("密 今晚\n刀谁", ("say", None, None, "今晚\n刀谁", 0, "")),
        ("密：今晚", ("say", None, None, "今晚", 0, "")),
        ("报名", ("sign_up", None, None, "", 0, "")),
        ("報名 阿（强）", ("sign_up", None, None, "阿（强）", 0, "")),
        ("開局 拥王者 12人 杀手3", ("open", None, None, "拥王者 12人 杀手3", 0, "")),
        ("开始 強制", ("start", None, None, "强制", 0, "")),
        ("開始强制", ("start", None, None, "强制", 0, "")),
        ("切换 12", ("choose_game", None, None, "", 12, "")),
        ("切換#12", ("choose_game", None, None, "", 12, "")),
        ("绑定 殺手 12", ("bind", None, None, "killers", 12, "")),
        ("绑定 导演", ("bind", None, None, "directors", 0, "")),
        ("警告 3 贴脸", ("warn", 3, None, "贴脸", 0, "")),
        ("撤牌 3号 警告", ("take_card", 3, None, "", 0, "")),
        ("判出局 小明 场外 交流", ("rule_out", 1, None, "场外 交流", 0, "")),
        ("加水 3 2", ("add_posts", 3, None, "", 2, "")),
        ("扣水3 ２条", ("take_posts", 3, None, "", 2, "")),
        ("禁言 3 2小时", ("mute", 3, None, "", 120, "")),
        ("禁言 3 1.5小時", ("mute", 3, None, "", 90, "")),
        ("禁言 3 1小时30分", ("mute", 3, None, "", 90, "")),
        ("延长 30分", ("extend", None, None, "", 30, "")),
        ("延長30分鐘", ("extend", None, None, "", 30, "")),
        ("代投 3 投 5", ("proxy", 3, 5, "", 0, "")),
        ("代投3投5", ("proxy", 3, 5, "", 0, "")),
        ("代投 3 5", ("proxy", 3, 5, "", 0, "")),
        ("替补 3 @2001", ("replace", 3, None, "", 0, "2001")),
        ("替補 3@2001 新 人", ("replace", 3, None, "新 人", 0, "2001")),
        ("替补 3 20012001", ("replace", 3, None, "", 0, "20012001")),
        ("场助 3 @甲", ("coach", 3, None, "", 0, "甲")),
        ("副导演 @2001 老王", ("add_director", None, None, "老王", 0, "2001")),
        ("公告 第一行\n第二行", ("announce", None, None, "第一行\n第二行", 0, "")),
    ],
)
def test_the_other_words(text, expected):
    assert brief(text) == expected


@pytest.mark.parametrize(
    ("text", "key", "ability", "seat"),
    [
        ("刀 3", "kill", "faction_kill", 3),
        ("空刀", "no_kill", "faction_kill", None),
        ("解體3", "lovers_kill", "lovers_kill", 3),
        ("吹 3号", "charm", "charm", 3),
        ("守3", "guard", "guard", 3),
        ("護 3", "ward", "ward", 3),
        ("救 🐱喵", "save", "save", 3),
        ("毒 @1003", "poison", "poison", 3),
        ("驗３號", "inspect", "inspect", 3),
    ],
)
def test_orders_of_the_night(text, key, ability, seat):
    intent = parse(text)
    assert (intent.word.key, intent.word.ability, intent.seat) == (key, ability, seat)
    assert intent.word.secret


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("恋 3 5", 3, 5),
        ("恋 3 和 5", 3, 5),
        ("恋3和5", 3, 5),
        ("戀 3號，5號", 3, 5),
        ("恋 小明跟🐱喵", 1, 3),
        ("恋 Bob Lee 小明", 7, 1),
        ("恋 @1003 @1004", 3, 4),
    ],
)
def test_links(text, first, second):
    assert brief(text)[:3] == ("link", first, second)


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("继任 3", (3,)),
        ("继任3 5 7", (3, 5, 7)),
        ("繼任 3、5，7", (3, 5, 7)),
        ("继任 3和小明 和 Bob Lee", (3, 1, 7)),
    ],
)
def test_heirs(text, seats):
    intent = parse(text)
    assert (intent.word.key, intent.seats) == ("heirs", seats)


@pytest.mark.parametrize(
    ("text", "key", "seat", "seats"),
    [
        ("上警", "stand", None, ()),
        ("參選", "stand", None, ()),
        ("退水", "stand_down", None, ()),
        ("過", "ready", None, ()),
        ("自爆", "explode", None, ()),
        ("开枪3", "shoot", 3, ()),
        ("開槍 🐱喵", "shoot", 3, ()),
        ("移交警徽 3", "badge", None, (3,)),
        ("警徽流3 5", "badge_flow", None, (3, 5)),
        ("撕警徽", "no_badge", None, ()),
    ],
)
def test_words_of_the_classic_boards(text, key, seat, seats):
    intent = parse(text)
    assert (intent.word.key, intent.seat, intent.seats) == (key, seat, seats)


@pytest.mark.parametrize(
    "text", ["过来看看", "上警的都是狼", "自爆吧1号", "开枪带走他", "退水了没"]
)
def test_talk_of_the_classic_boards(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "word", "key", "said"),
    [
        ("放弃", "withdraw", "", ""),
        ("放弃 守", "withdraw", "guard", ""),
        ("放棄護", "withdraw", "ward", ""),
        ("放弃 刀", "withdraw", "faction_kill", ""),
        ("加速", "speed_up", "", ""),
        ("延時", "delay", "", ""),
        ("撤回申請", "no_petition", "", ""),
        ("遺言 我\n是好人", "last_words", "", "我\n是好人"),
        ("藍牌 3 貼臉", "blue_card", "", "貼臉"),
        ("黃牌3 贴脸", "yellow_card", "", "贴脸"),
        ("红牌 3号 屡教 不改", "red_card", "", "屡教 不改"),
        ("撤牌 3 黄", "take_card", "yellow", ""),
        ("撤牌 3 红牌", "take_card", "red", ""),
        ("撤牌 3 藍牌", "take_card", "blue", ""),
        ("撤牌 3 警告", "take_card", "warning", ""),
        ("判负 人造人 两张 红牌", "rule_lost", "人造人", "两张 红牌"),
        ("判負 wolves\n两张红牌", "rule_lost", "wolves", "两张红牌"),
        ("结算", "settle_night", "", ""),
    ],
)
def test_the_words_of_m84(text, word, key, said):
    intent = parse(text)
    assert (intent.word.key, intent.key, intent.text) == (word, key, said)


def test_names_that_a_board_gives_are_words_beside_the_general_ones():
    names = {
        "日轮": "guard",
        "日轮啊，化为甲胄": "guard",
        "無能狂怒": "faction_kill",
        "使魔": "report",
    }

    def named(text):
        intent = understand(read(text, names), PLAYERS)
        return intent and (intent.word.ability, intent.seat, intent.key)

    assert named("日輪 3") == named("日轮啊,化为甲胄3") == named("守 3") == ("guard", 3, "")
    assert named("无能狂怒 @1003") == ("faction_kill", 3, "")
    assert named("放弃 日轮") == ("", None, "guard")
    # An ability for which there is no word has none by another name.
    assert named("使魔 3") is None
    assert understand(read("放弃 日轮"), PLAYERS) is None


def test_the_number_of_a_game_before_a_word():
    for text in ("#12 刀 3", "＃１２ 刀3", "# 12 刀 3", "#12刀 3"):
        line = read(text)
        assert line.game == 12
        assert understand(line, PLAYERS).seat == 3
    assert read("#12").game is None
    assert read("#3号").game is None


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("3", 3),
        ("３号", 3),
        ("#3", 3),
        ("小明", 1),
        ("@1003", 3),
        ("#12 3", 3),
        ("3 5", None),
        ("99", None),
        ("谁", None),
        ("双胞胎", None),
        ("刀 3", None),
        ("", None),
    ],
)
def test_a_lone_seat(text, seat):
    assert alone(read(text), PLAYERS) == seat


def test_parameters():
    text = "12人 杀手3 发言 2 截票13:30 posts_min=3 提醒 60,10 show_role=false ｘ＝１"
    assert list(parameters(text)) == [
        ("players", "12"),
        ("杀手", "3"),
        ("发言", "2"),
        ("截票", "13:30"),
        ("posts_min", "3"),
        ("提醒", "60,10"),
        ("show_role", "false"),
        ("x", "1"),
    ]
    with pytest.raises(Misread) as caught:
        list(parameters("12人 怎么开"))
    assert caught.value.values["typed"] == "怎么开"


def test_names_fold_width_case_and_invisible_signs():
    assert fold("Ａ l\u200bice\ufe0f") == fold("alice")


@pytest.mark.parametrize(
    "text",
    [
        "投票 " + "1 " * 2000,
        "投票 " + "啊" * 4000,
        "立王 " + "备" * 4000,
        "代投 " + "3投" * 2000,
        "#" * 4000,
        " " * 4000,
        "1" * 4000,
        "投票对象：" + "投票理由" * 1000,
        "@ " * 2000,
        "密 " + "。" * 4000,
        "公告 " + "\n" * 4000 + "完",
        "继任 " + "3 " * 2000,
        "恋 " + "3和" * 2000,
        "放弃 " + "刀" * 4000,
    ],
)
def test_four_thousand_characters_are_not_slow(text):
    began = time.perf_counter()
    for _ in range(10):
        with contextlib.suppress(Misread):
            understand(read(text), PLAYERS)
        alone(read(text), PLAYERS)
    assert time.perf_counter() - began < 0.5


@given(st.text(max_size=60), st.sampled_from([f for w in WORDS for f in w.forms] + ["", "#12 "]))
def test_anything_is_a_command_talk_or_a_refusal(text, form):
    for typed in (form + text, form + " " + text):
        try:
            understand(read(typed), PLAYERS)
        except Misread as wrong:
            assert "example" in wrong.values
        alone(read(typed), PLAYERS)
