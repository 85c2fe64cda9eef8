"""What the bot says in games of M84: the big moments, who hears what, and what nobody may hear."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from engine import commands as c
from engine import events as ev
from engine import view
from engine.game import Game
from plugins.gamemaster import words
from tests.data import m84
from tests.data.m84 import NAMES, ROLES, SHEET, act
from tests.data.table import SPEECH, Table
from tests.engine import pairs

SOUNDS = "喵汪吱嘎哞咩喳嘤啾叽唧咯咕嘶呱吼嗷呜哒咪哼啊哈呲噜"


def said_to(table: Table, audience: str) -> str:
    return "\n".join(m.text for m in table.said if m.audience == audience)


# --- the set-up ----------------------------------------------------------------------------------


def test_the_deal_tells_each_seat_its_own() -> None:
    table = m84.dealt()
    dealt = {m.audience: m.text for m in table.said}
    assert dealt["public"] == (
        "【第7局 · M84『埃尔梅罗二世事件簿』】开局！共 12 人，身份已逐个私聊发出。"
        "没收到的请私聊我发：我的身份"
    )
    for seat, role in enumerate(ROLES, 1):
        text = dealt[f"seat:{seat}"]
        assert f"身份：{SPEECH.roles(SHEET)[role]}（" in text
        assert text.endswith("现在是筹备中，3月2日 11:00 孩子人选截止。")
    assert "（红黑阵营）" in dealt["seat:4"] and "（阵营未定）" in dealt["seat:12"]
    assert "· 日轮啊，化为甲胄（守 N）：" in dealt["seat:6"] and "（例：守 1）" in dealt["seat:6"]
    assert "· 梵天啊，覆盖大地（护 N）：" in dealt["seat:6"]
    assert "· 膝枕（救 N）：" in dealt["seat:5"] and "· 骄慢王之美酒（毒 N）：" in dealt["seat:5"]
    assert "· 使魔：" in dealt["seat:5"]
    assert "· 柔软的慈爱（恋 A B）：" in dealt["seat:12"]
    assert "· 黑哨（吹 N）：" in dealt["seat:11"]
    # Wolves are told nothing of one another yet, nor may they kill (M84-01).
    assert "刀" not in dealt["seat:1"] and "2号" not in dealt["seat:1"]
    assert dealt["seat:1"].replace("1号 甲", "2号 乙") == dealt["seat:2"]


def test_a_link_tells_each_only_what_is_his() -> None:
    table = m84.dealt()
    before = len(table.said)
    reply = table.reply(c.Link, seat=12, first=1, second=7)
    assert reply == "记下了：孩子是 1号 甲 和 7号 庚。定了就不能改。"
    said = {m.audience: m.text for m in table.said[before:]}
    assert set(said) == {"public", *(f"seat:{n}" for n in (1, 2, 3, 7, 12))}
    assert said["seat:1"] == (
        "你和 7号 庚 是一对孩子，只有你们和牵线的人知道。一人出局，另一人立即跟着出局。\n"
        "和他说话：私聊我发「密 内容」（例：密 你是什么身份）。\n"
        "你失去了 无能狂怒（刀 N / 空刀）。\n"
        "你现在的阵营：雾夜阵营。"
    )
    assert said["seat:7"] == (
        "你和 1号 甲 是一对孩子，只有你们和牵线的人知道。一人出局，另一人立即跟着出局。\n"
        "和他说话：私聊我发「密 内容」（例：密 你是什么身份）。\n"
        "你现在的阵营：雾夜阵营。"
    )
    assert said["seat:12"] == "你现在的阵营：雾夜阵营。"
    assert said["seat:2"].startswith("你的同伴：3号 丙。")
    assert "· 无能狂怒（刀 N / 空刀）：" in said["seat:2"]


def test_two_wolves_get_no_channel_but_their_own() -> None:
    table = m84.linked(1, 2)
    text = said_to(table, "seat:1")
    assert "你和 2号 乙 是一对孩子" in text and "密 你是什么身份" not in text
    assert "你的同伴：2号 乙、3号 丙。" in text
    assert "失去" not in text and "你现在的阵营" not in text


def test_the_public_learns_nothing_by_the_link() -> None:
    opened = {m84.linked(*pair).said[-1].text for pair in ((1, 7), (1, 2), (7, 8), (12, 4))}
    silent = m84.dealt(**m84.CALM)
    silent.until("link")
    opened.add(next(m.text for m in reversed(silent.said) if m.audience == "public"))
    assert len(opened) == 1
    assert opened.pop() == (
        "【第1天 · 开楼】\n"
        "今天讨论，并推举神父，3月3日 21:00 截票，今天没有人会被投票出局。"
        "群里或私聊我发「投票 N 理由」（例：投票 1 说话最公道），或发「弃权」。\n"
        "得票最多的当选，平票的话先到那个票数的当选，没人投给谁就抽签。\n"
        "只能改一次票（发「改票 N」，再发一次「投票」也算），3月3日 20:00 起不能再改；"
        "没投票给一张黄牌。\n"
        "想早点截票，群里发「加速」；想多一天，发「延时」；改主意发「撤回申请」。"
        "下次在 3月2日 18:00 看，在世的有一半申请就算数。"
    )


# --- the day -------------------------------------------------------------------------------------


def test_an_election_and_the_night_that_follows() -> None:
    table = m84.linked()
    for voter, target in ((1, 7), (2, 7), (3, 4), (4, None)):
        table.do(c.Vote, seat=voter, target=target)
    assert "神父" not in SPEECH.tally(table.public)
    closed = table.until("close")["public"]
    assert closed.startswith(
        "【第1天 · 结束】\n【票型】\n7号 庚：2票（1号 甲、2号 乙）\n4号 丁：1票（3号 丙）\n"
        "弃权：4号 丁\n7号 庚 当选神父，以后投票一票算 1.5 票。\n没有投票，各给一张黄牌："
    )
    assert closed.endswith(
        "\n\n【第1夜】\n天黑了。3月3日 22:00 前，有技能的请私聊我（能发什么，私聊我发「帮助」），"
        "可以改，也可以放弃。\n3月3日 22:30 结算，3月4日 08:00 开楼。"
    )


def test_an_election_without_a_ballot_is_drawn() -> None:
    table = m84.linked(random=[5])
    m84.everybody_votes(table, None)
    closed = table.until("close")["public"]
    assert "没有人得票，抽签由 5号 戊 任神父，以后投票一票算 1.5 票。" in closed


def test_the_tally_gives_the_sheriffs_weight_exactly() -> None:
    table = m84.day(sheriff=9)
    for voter, target in ((9, 3), (1, 3), (2, 4), (4, 4), (5, 9), (6, None)):
        table.do(c.Vote, seat=voter, target=target)
    assert SPEECH.tally(table.public).endswith(
        "上面一人算一票；截票时神父 9号 壬 的一票按他的份量算。"
    )
    closed = table.until("close")["public"]
    assert (
        "3号 丙：2.5票（1号 甲、9号 壬）\n4号 丁：2票（2号 乙、4号 丁）\n9号 壬：1票（5号 戊）\n"
        "弃权：6号 己\n神父的一票算 1.5 票。\n得票最多：3号 丙。\n3号 丙 出局（投票出局）。\n"
    ) in closed
    assert "齐格" not in closed


@pytest.mark.parametrize(
    ("start", "why", "closes"),
    [
        (datetime(2026, 3, 5, 2, tzinfo=UTC), "", "3月6日 21:00"),
        (datetime(2026, 3, 6, 2, tzinfo=UTC), "周末", "3月8日 21:00"),
        (datetime(2026, 9, 30, 2, tzinfo=UTC), "节假日", "10月2日 21:00"),
    ],
)
def test_a_longer_day_says_why(start: datetime, why: str, closes: str) -> None:
    table = m84.linked(start=start)
    opened, times = table.said[-1].text, SPEECH.times(table.public)
    assert (f"今天跨{why}，延长一天。" in opened) is bool(why)
    assert (f"这一天跨{why}，多一天。" in times) is bool(why)
    assert f"\n{closes} 截票" in times and f"推举神父，{closes} 截票" in opened
    assert ("跨" in SPEECH.status(table.public)) is bool(why)


def test_an_accelerated_day_says_so() -> None:
    table = m84.linked(accelerate_at_alive=12, posts_min=5)
    opened = table.said[-1].text
    assert "在世不超过 12 人，今天加速：" in opened and "不能改票；没投票不罚。" in opened
    assert "至少发言" not in opened
    for card in (SPEECH.times(table.public), SPEECH.status(table.public)):
        assert "这一天加速：不能改票，发言不足、没投票都不罚。" in card
    table.do(c.Vote, seat=1, target=3)
    assert table.refusal(c.Vote, seat=1, target=4).startswith("今天加速，不能改票")
    assert "改" not in table.reply(c.Vote, seat=2, target=3)


def test_petitions() -> None:
    table = m84.linked()
    for seat in range(1, 6):
        said = table.do(c.Petition, seat=seat, ask="speed_up")
    assert said == {"public": "5号 戊 申请加速。今天申请加速的 5 人，够 6 人就算数。"}
    assert "今天申请加速 5 人、延时 0 人，够 6 人就算数。" in SPEECH.times(table.public)
    assert table.do(c.Petition, seat=5, ask=None) == {"public": "5号 戊 撤回申请。"}
    checked = table.until("petition")["public"]
    assert checked == "申请加速 4 人、延时 0 人，在世 12 人，都不到一半，照旧 3月3日 21:00 截票。"
    table.before("petition", 120)
    for seat in range(1, 7):
        table.do(c.Petition, seat=seat, ask="delay")
    checked = table.until("petition")["public"]
    assert checked.startswith("【延时】") and "截票改到 3月4日 21:00" in checked
    table.before("petition", 120)
    for seat in range(1, 7):
        table.do(c.Petition, seat=seat, ask="speed_up")
    checked = table.until("petition")["public"]
    assert checked.startswith("【加速】") and "今天就截票：3月4日 21:00" in checked
    nobody = m84.linked()
    assert nobody.until("petition") == {}


def test_posts_that_are_missing_are_told_in_private() -> None:
    table = m84.linked(posts_min=5)
    m84.everybody_votes(table, 9)
    for number in range(1, 12):
        for _ in range(5 if number > 1 else 3):
            table.do(c.Post, seat=number, text="水")
    table.before("close", 61)
    said: dict[str, str] = {}
    table.at = table.game.next_alarm() or table.at
    said = table.handle(c.Tick(at=table.at))
    text = "提醒：还有 1小时 截票（3月3日 21:00），你的发言还差 {} 条（至少 5 条）。"
    assert said == {"seat:1": text.format(2), "seat:12": text.format(5)}


# --- cards ---------------------------------------------------------------------------------------


def test_cards_are_public_with_their_reason_and_what_they_grow_into() -> None:
    table = m84.day()
    first = table.do(c.Card, target=9, colour="blue", reason="贴脸\n{seat}")
    assert first == {"public": "主持给一张蓝牌：9号 壬（现有：蓝牌1张）。理由：贴脸 {seat}"}
    table.do(c.Card, target=9, colour="blue", reason="贴脸")
    third = table.do(c.Card, target=9, colour="blue", reason="贴脸")["public"]
    assert third == (
        "主持给一张蓝牌：9号 壬。理由：贴脸\n3张蓝牌合并为一张黄牌：9号 壬（现有：黄牌1张）"
    )
    assert "牌：9号 壬（黄牌1张）" in SPEECH.status(table.public)
    assert "你的牌：黄牌1张。" in table.card(9) and "你的牌" not in table.card(8)
    taken = table.do(c.TakeCard, target=9, colour="yellow")["public"]
    assert taken == "主持收回 9号 壬 的一张黄牌，现有：无。"
    assert "牌：" not in SPEECH.status(table.public)


def test_attendance_cards_are_one_line_a_kind() -> None:
    table = m84.linked(posts_min=1)
    for number in range(3, 13):
        table.do(c.Post, seat=number, text="水")
        table.do(c.Vote, seat=number, target=9)
    table.do(c.Vote, seat=1, target=9)
    closed = table.until("close")["public"]
    assert (
        "\n发言不足 1 条，各给一张黄牌：1号 甲（现有：黄牌1张）、2号 乙\n"
        "没有投票，各给一张黄牌：2号 乙（现有：黄牌2张）\n"
    ) in closed


def test_cards_that_merge_at_a_close_are_given_first_and_counted_once() -> None:
    table = m84.linked(posts_min=1)
    for _ in range(2):
        table.do(c.Card, target=1, colour="yellow", reason="吵")
    table.do(c.Card, target=2, colour="yellow", reason="吵")
    for number in range(3, 13):
        table.do(c.Post, seat=number, text="水")
    for number in range(1, 13):
        if number != 2:
            table.do(c.Vote, seat=number, target=9)
    assert (
        "\n发言不足 1 条，各给一张黄牌：1号 甲、2号 乙\n没有投票，各给一张黄牌：2号 乙\n"
        "3张黄牌合并为一张红牌：1号 甲（现有：红牌1张）、2号 乙（现有：红牌1张）\n"
    ) in table.until("close")["public"]


def test_a_red_card_by_day_goes_with_the_close() -> None:
    table = m84.day(sheriff=9, random=[10])
    assert "红牌1张" in table.do(c.Card, target=9, colour="red", reason="作弊")["public"]
    closed = table.until("close")["public"]
    out, heir = closed.index("9号 壬 出局（红牌罚下）。"), closed.index("10号 癸 继任神父。")
    assert out < heir < closed.index("【第2夜】")


def test_a_faction_ruled_lost_is_told_to_nobody_but_its_wolves() -> None:
    table = m84.night()
    table.do(c.Card, target=1, colour="red", reason="作弊")
    table.until("open")
    table.until("close")
    act(table, "faction_kill", 2, 10)
    before = len(table.said)
    reply = table.reply(c.RuleLost, faction="wolves", reason="红牌")
    assert reply == "好，人造人阵营判负。不公布，该知道的人我已私聊告知。"
    assert {(m.audience, m.text) for m in table.said[before:]} == {
        ("channel:wolves", "你们今晚定的目标作废了。"),
        ("seat:2", "你失去了 无能狂怒（刀 N / 空刀）。"),
        ("seat:3", "你失去了 无能狂怒（刀 N / 空刀）。"),
    }


# --- the night -----------------------------------------------------------------------------------


def test_orders_are_confirmed_to_their_owner_alone() -> None:
    table = m84.night()
    until = "技能截止（3月3日 22:00）前都能改，以最后一次为准"
    assert act(table, "guard", 6, 9) == {
        "seat:6": f"记下了：今晚 日轮啊，化为甲胄（守 N） → 9号 壬。{until}；不用了发「放弃」。"
    }
    assert act(table, "ward", 6, 6)["seat:6"].startswith("记下了：今晚 梵天啊，覆盖大地（护 N） →")
    assert act(table, "charm", 11, 8)["seat:11"].startswith("记下了：今晚 黑哨（吹 N） → 8号 辛。")
    assert act(table, "faction_kill", 3, 10) == {
        "channel:wolves": f"3号 丙 把今晚的目标定为 10号 癸。{until}。"
    }
    assert table.do(c.Withdraw, seat=2) == {
        "channel:wolves": "2号 乙 定了今晚不杀人。要改就重发（例：刀 1），"
        "技能截止（3月3日 22:00）前以最后一次为准。"
    }
    assert table.do(c.Withdraw, seat=6, ability="ward") == {
        "seat:6": "今晚的 梵天啊，覆盖大地（护 N） 撤回了。要用就重发（例：护 1），"
        "技能截止（3月3日 22:00）前以最后一次为准。"
    }
    for kind, values in (
        (c.Act, {"seat": 6, "ability": "guard", "target": 8}),
        (c.Withdraw, {"seat": 6}),
        (c.Say, {"seat": 2, "text": "刀8"}),
    ):
        assert table.reply(kind, **values) == ""


@pytest.mark.parametrize(
    ("target", "answer"), [(7, "小莫停手，是自己人！"), (1, "小莫，揍他！"), (12, None)]
)
def test_an_inspection_is_answered_in_the_sources_words(target: int, answer: str | None) -> None:
    table = m84.night(9, 10)  # two of the town: cupid is of it too
    name = NAMES[target - 1]
    said = act(table, "inspect", 4, target)
    right = answer or "小莫停手，是自己人！"
    assert said == {"seat:4": f"猫头鹰的眼球（验 N）看 {target}号 {name}：{right}"}
    told = SPEECH.all_told(view.seat_view(table.game, 4), table.public)
    # In so many words they say little: what they mean is said beside them, and on the role's card.
    meant = (
        "当场答复：是，就答「小莫停手，是自己人！」；不是，就答「小莫，揍他！」；每夜一次，不能撤回"
    )
    assert told.endswith(
        f"\n猫头鹰的眼球（验 N）看 {target}号 {name}：{right}\n"
        f"· 猫头鹰的眼球（验 N）：看一个人现在是不是红黑阵营，{meant}"
    )
    assert meant in table.card(4)
    assert table.refusal(c.Act, seat=4, ability="inspect", target=2).endswith("例：我的信息")


def test_the_witch_hears_who_was_named_whether_guarded_or_not() -> None:
    reports = []
    for guarded in (10, 9, None):
        table = m84.night()
        act(table, "faction_kill", 1, 10)
        if guarded is not None:
            act(table, "guard", 6, guarded)
        reports.append(table.until("night"))
    assert reports[0] == reports[1] == reports[2]
    assert reports[0]["seat:5"] == (
        "使魔带回消息：今晚被盯上的是 10号 癸。\n"
        "你还能用：膝枕（救 N）、骄慢王之美酒（毒 N）。"
        "3月3日 22:30 前发给我，可以改，也可以放弃，一夜只能用一样。"
    )
    quiet = m84.night().until("night")
    assert quiet["seat:5"].startswith("使魔带回消息：今晚没有人被盯上。\n你还能用：")


def test_save_and_poison_exclude_each_other_and_are_due_later() -> None:
    table = m84.night()
    act(table, "poison", 5, 3)
    table.until("night")
    said = act(table, "save", 5, 9)["seat:5"]
    assert said == (
        "记下了：今晚 膝枕（救 N） → 9号 壬。夜里结算（3月3日 22:30）前都能改，"
        "以最后一次为准；不用了发「放弃」。\n"
        "今晚的 骄慢王之美酒（毒 N） 撤回了。要用就重发（例：毒 1），"
        "夜里结算（3月3日 22:30）前以最后一次为准。"
    )
    assert table.until("witch") == {"seat:5": "你失去了 使魔。"}


def test_whoever_has_not_acted_is_reminded_of_each_ability() -> None:
    table = m84.night()
    act(table, "guard", 6, 9)
    table.before("night", 11)
    table.at = table.game.next_alarm() or table.at
    said = table.handle(c.Tick(at=table.at))
    assert set(said) == {"channel:wolves", "seat:4", "seat:6", "seat:11"}
    assert said["seat:6"] == (
        "提醒：还有 10分钟 技能截止（3月3日 22:00），梵天啊，覆盖大地（护 N） 还没定（例：护 1）。"
    )


def test_a_gained_ability_says_from_when() -> None:
    table = m84.night(1, 7, sheriff=1)
    act(table, "poison", 5, 2)
    table.until("open")
    m84.everybody_votes(table, 3)
    closed = table.until("close")
    assert closed["seat:7"] == (
        "你得到了 解体圣母（解体 N），今夜就能用（例：解体 1），3月5日 22:00 前都能改，"
        "以最后一次为准。"
    )
    later = m84.day(1, 7, sheriff=1)
    m84.everybody_votes(later, 3)
    later.until("close")
    act(later, "poison", 5, 2)
    assert later.until("witch")["seat:7"] == (
        "你得到了 解体圣母（解体 N），从下一夜起能用（例：解体 1）。"
    )
    assert set(closed) >= {"seat:1", "seat:7"} and "解体" not in closed["public"]
    assert act(table, "lovers_kill", 7, 9) == {
        "channel:lovers": "7号 庚 把今晚的目标定为 9号 壬。"
        "技能截止（3月5日 22:00）前都能改，以最后一次为准。"
    }


# --- the morning ---------------------------------------------------------------------------------


def morning(*orders: tuple[str, int, int], late: Iterable[tuple[str, int, int]] = ()) -> str:
    table = m84.night()
    for ability, seat, target in orders:
        act(table, ability, seat, target)
    table.until("night")
    for ability, seat, target in late:
        act(table, ability, seat, target)
    return table.until("open")["public"]


def test_a_morning_is_the_same_whatever_kept_the_night_quiet() -> None:
    kill = ("faction_kill", 1, 10)
    quiet = {
        morning(),
        morning(kill, ("guard", 6, 10)),
        morning(kill, late=[("save", 5, 10)]),
        morning(kill, ("guard", 6, 10), late=[("save", 5, 10)]),
        morning(("charm", 11, 7)),
        morning(("charm", 11, 9), ("ward", 6, 9)),
        morning(("inspect", 4, 1)),
    }
    assert len(quiet) == 1
    assert quiet.pop().startswith("【第2天 · 开楼】\n从上次开楼到现在，无人出局。\n今天全员投票")


def test_a_morning_tells_who_is_out_and_not_how() -> None:
    killed = morning(("faction_kill", 1, 10))
    poisoned = morning(("poison", 5, 10))
    assert killed == poisoned
    assert killed.startswith(
        "【第2天 · 开楼】\n从上次开楼到现在出局的（按先后）：10号 癸。\n今天全员投票"
    )
    both = morning(("faction_kill", 1, 7), ("poison", 5, 3))
    assert "出局的（按先后）：7号 庚、8号 辛、3号 丙。\n" in both
    assert not re.search("御主|齐格|殉情|中毒|遇害", both)


def test_who_went_at_the_close_is_in_the_morning_list_too() -> None:
    table = m84.day()
    m84.everybody_votes(table, 7)
    closed = table.until("close")["public"]
    assert "7号 庚 出局（投票出局）。" in closed and "8号" not in closed.partition("得票最多")[2]
    opened = table.until("open")["public"]
    assert "从上次开楼到现在出局的（按先后）：7号 庚、8号 辛。\n" in opened


def test_the_charmed_are_told_in_public_and_each_in_private() -> None:
    table = m84.night()
    act(table, "charm", 11, 10)
    assert set(table.until("witch")) <= {"seat:5"}
    opened = table.until("open")
    assert set(opened) == {"public", "seat:10"}
    assert f"新进入黑哨状态：10号 癸。\n在群里他们只能发这些声音：{SOUNDS}，" in opened["public"]
    assert opened["seat:10"].startswith(f"你进入了黑哨状态：白天在群里只能发这些声音：{SOUNDS}，")
    assert "黑哨状态：10号 癸" in SPEECH.status(table.public)
    assert "你在黑哨状态。" in table.card(10) and "黑哨" not in table.card(9)


def test_a_charmed_breach_is_reported_and_the_seat_reminded() -> None:
    table = m84.night()
    act(table, "charm", 11, 10)
    table.until("open")
    said = table.do(c.Post, seat=10, text="我是\n好人")
    assert set(said) == {"directors", "seat:10"}
    assert said["directors"].startswith(
        "10号 癸 在黑哨状态，却在群里发了：「我是\n　好人」 仍算一条发言"
    )
    assert SOUNDS in said["seat:10"]
    assert table.do(c.Post, seat=10, text="喵？ 汪！") == {}
    said = table.do(c.Vote, seat=10, target=3, reason="他是狼")
    assert set(said) == {"public", "directors", "seat:10"}
    assert said["public"] == "10号 癸 投 3号 丙。" and "票算数" in said["seat:10"]
    assert "「他是狼」" in said["directors"]


def test_the_piper_out_is_told_with_its_role_and_ends_all_charms() -> None:
    table = m84.night()
    act(table, "charm", 11, 10)
    table.until("open")
    m84.everybody_votes(table, 11)
    closed = table.until("close")["public"]
    assert (
        "11号 子 出局（投票出局），身份：裁判。\n黑哨状态全部解除，大家可以照常说话了。\n"
    ) in closed
    killed = morning(("faction_kill", 1, 11))
    assert "出局的（按先后）：11号 子。\n11号 子 出局，身份：裁判。\n今天" in killed
    assert "解除" not in killed, "nobody was charmed"


def test_who_was_charmed_unseen_is_not_betrayed_by_the_end_of_it() -> None:
    """Charmed and piper out in one night: nobody ever knew, and nothing has ended for anybody."""
    table = m84.night()
    act(table, "charm", 11, 10)
    act(table, "poison", 5, 11)
    killed = table.until("open")["public"]
    assert "身份：裁判" in killed and "黑哨" not in killed


# --- going out -----------------------------------------------------------------------------------


def test_last_words_from_the_right_to_the_morning() -> None:
    table = m84.night()
    act(table, "faction_kill", 1, 10)
    settled = table.until("witch")
    assert settled["seat:10"].endswith(
        "你可以留遗言：3月4日 08:00 前私聊我发「遗言 内容」（例：遗言 我是好人），"
        "只能写文字，以最后一次为准；不留就作废。"
    )
    assert table.reply(c.LastWords, seat=10, text="1号是狼\n【第9天】") == ""
    assert table.said[-1].text == (
        "记下了，你的遗言：1号是狼\n　【第9天】\n3月4日 08:00 前都能改，以最后一次为准，"
        "到时在群里公布。"
    )
    assert table.refusal(c.LastWords, seat=10, text="x", plain=False).startswith("遗言只能写文字")
    opened = table.until("open")["public"]
    assert "10号 癸。\n10号 癸 的遗言：1号是狼\n　【第9天】\n今天全员投票" in opened
    assert table.refusal(c.LastWords, seat=10, text="x").startswith("你现在没有留遗言的机会")


def test_words_not_left_are_not_spoken_of() -> None:
    assert "遗言" not in morning(("faction_kill", 1, 10))


def test_a_sheriff_voted_out_names_an_heir() -> None:
    table = m84.day(sheriff=9)
    m84.everybody_votes(table, 9)
    closed = table.until("close")
    assert "神父之位空着，3月5日 21:10 前由他私下定继任的人，没定就抽签。" in closed["public"]
    assert "你是神父，请定谁来继任：3月5日 21:10 前私聊我发「继任 N」" in closed["seat:9"]
    said = table.do(c.NameHeirs, seat=9, heirs=[10, 4])
    assert set(said) == {"seat:9"}
    assert said["seat:9"].startswith("记下了：神父由 10号 癸、4号 丁 按这个先后继任")
    assert table.until("heir") == {"public": "10号 癸 继任神父。"}


def test_an_heir_is_the_same_to_the_public_named_or_drawn() -> None:
    told = []
    for heirs in ([10], None):
        table = m84.day(sheriff=9, random=[10])
        m84.everybody_votes(table, 9)
        table.until("close")
        if heirs is not None:
            table.do(c.NameHeirs, seat=9, heirs=heirs)
        told.append(table.until("heir"))
    assert told[0] == told[1] == {"public": "10号 癸 继任神父。"}


def test_a_sheriff_gone_by_night_is_known_to_nobody_before_the_morning() -> None:
    """Nor does any card that anybody can call up show it: who is sheriff, what is due."""
    cards: Callable[[Table], list[str]] = lambda t: [  # noqa: E731
        SPEECH.status(t.public),
        SPEECH.times(t.public),
        SPEECH.roster(t.public),
        SPEECH.tally(t.public),
        SPEECH.help("group", t.public, None, False),
        t.card(8),
    ]
    shown = []
    for target in (9, 10):
        table = m84.night(sheriff=9)
        act(table, "faction_kill", 1, target)
        act(table, "charm", 11, target)
        table.until("witch")
        shown.append(cards(table))
    assert shown[0] == shown[1]
    assert "继任" not in "".join(shown[0])


def test_a_wolf_gone_by_night_is_on_the_others_card_until_the_morning() -> None:
    shown = []
    for target in (3, 10):
        table = m84.night()
        act(table, "poison", 5, target)
        table.until("witch")
        shown.append(table.card(1))
    assert shown[0] == shown[1] and "人造人密谈：2号 乙、3号 丙\n" in shown[0]
    table.until("open")
    assert "人造人密谈：2号 乙、3号 丙\n" in table.card(1)


def test_ruled_out_by_day_leaves_the_office_to_chance() -> None:
    table = m84.day(sheriff=9, random=[10])
    said = table.do(c.RuleOut, target=9, reason="场外")["public"]
    assert said == (
        "主持判 9号 壬 出局。理由：场外\n9号 壬 出局（主持判出局）。\n10号 癸 继任神父。"
    )


def test_the_dead_who_speak_are_reported_to_the_directors_alone() -> None:
    table = m84.night()
    act(table, "faction_kill", 1, 10)
    table.until("open")
    assert set(table.do(c.Post, seat=10, text="3号是狼")) == {"directors"}


# --- the end -------------------------------------------------------------------------------------


def test_the_end_tells_everything() -> None:
    table = m84.night(1, 7)
    act(table, "faction_kill", 2, 10)
    act(table, "inspect", 4, 1)
    act(table, "guard", 6, 9)
    act(table, "charm", 11, 8)
    table.until("night")
    act(table, "poison", 5, 7)
    table.until("open")
    said = table.do(c.EndGame)["public"]
    assert said == (
        "【游戏结束】主持终止了本局，不分胜负。\n全部身份：\n"
        "1号 甲：齐格复制品（雾夜阵营），殉情 [M84-38]\n"
        "2号 乙：齐格复制品（人造人阵营），存活\n"
        "3号 丙：齐格复制品（人造人阵营），存活\n"
        "4号 丁：死灵魔术师（红黑阵营），存活\n"
        "5号 戊：亚述女帝（红黑阵营），存活\n"
        "6号 己：太阳神（红黑阵营），存活\n"
        "7号 庚：御主（雾夜阵营），夜里中毒 [M84-26]\n"
        "8号 辛：御主（红黑阵营），存活\n"
        "9号 壬：御主（红黑阵营），存活\n"
        "10号 癸：御主（红黑阵营），夜里遇害 [M84-28]\n"
        "11号 子：裁判（裁判阵营），存活\n"
        "12号 丑：Archer（雾夜阵营），存活\n"
        "孩子：1号 甲、7号 庚\n"
        "出局先后：10号 癸、7号 庚、1号 甲\n"
        "第1夜：无能狂怒 人造人密谈→10号 癸、猫头鹰的眼球 4号 丁→1号 甲、"
        "日轮啊，化为甲胄 6号 己→9号 壬、黑哨 11号 子→8号 辛、骄慢王之美酒 5号 戊→7号 庚\n"
        "想看全过程，在群里发：复盘；想问谁怎么出局的，发「为什么 N」（例：为什么 3）。"
        "大家辛苦了，谢谢一起玩！"
    )


@pytest.mark.parametrize(
    ("number", "winner"), [(0, "人造人阵营"), (1, "裁判阵营"), (2, "雾夜阵营")]
)
def test_a_winner_is_named_and_who_lost_before(number: int, winner: str) -> None:
    table = m84.whole_games()[number]
    text = next(m.text for m in reversed(table.said) if m.audience == "public")
    assert f"【游戏结束】{winner}胜利！" in text
    if table.game.lost:
        assert "先后判负：\n" in text


def test_the_end_says_by_what_each_side_has_lost_and_won() -> None:
    texts = [
        next(m.text for m in reversed(t.said) if m.audience == "public") for t in m84.whole_games()
    ]
    half, charmed, last = texts
    assert "【游戏结束】人造人阵营胜利！\n获胜的缘由：" in half
    assert "\n　红黑阵营：死灵魔术师、亚述女帝、太阳神全部出局 [M84-34]\n" in half
    assert "获胜的缘由：不是孩子的御主和人造人阵营，在世的都在黑哨状态。[M84-36]" in charmed
    assert "获胜的缘由：只剩这一方没有判负。[M84-36]" in last
    assert "\n　人造人阵营：人造人密谈的人全部出局 [M84-34]\n" in last
    table = m84.linked(11, 7)
    table.do(c.Card, target=1, colour="red", reason="作弊")
    m84.everybody_votes(table, 9)
    table.until("close")
    table.do(c.RuleLost, faction="wolves", reason="作弊")
    ended = table.do(c.EndGame)["public"]
    assert "\n　裁判阵营：这一方没有人了 [M84-07]\n　人造人阵营：主持判负 [M84-34]\n" in ended


def test_two_red_cards_lose_and_each_says_when_it_takes_effect() -> None:
    table = m84.day()
    day = table.do(c.Card, target=1, colour="red", reason="作弊")["public"]
    assert day.endswith("红牌到截票时结算：1号 甲 那时出局，今天投的票仍算。")
    assert "截票时结算" not in table.until("close")["public"]
    night = table.do(c.Card, target=2, colour="red", reason="作弊")["public"]
    assert night.endswith("红牌今夜结算时生效：2号 乙 那时出局，开楼时公布。")
    act(table, "faction_kill", 3, 10)
    table.until("witch")
    for seat in (10, 4):
        late = table.do(c.Card, target=seat, colour="red", reason="作弊")["public"]
        assert "红牌马上生效" in late, "the same of one who is out unseen"
    dead = table.do(c.Card, target=1, colour="red", reason="作弊")["public"]
    assert "生效" not in dead and "结算" not in dead
    assert "　人造人阵营：累计 2 张红牌 [M84-34]\n" in table.do(c.EndGame)["public"]


def test_an_heir_drawn_in_the_settlement_that_ends_the_game_is_not_spoken_of() -> None:
    table = m84.day(sheriff=1)
    for wolf in (1, 2, 3):
        table.do(c.Card, target=wolf, colour="red", reason="作弊")
    for seat in (7, 11):
        table.do(c.Card, target=seat, colour="red", reason="作弊")
    closed = table.until("close")["public"]
    assert table.game.phase == "over" and any(isinstance(e, ev.SheriffTook) for e in table.last)
    assert "继任" not in closed


def test_the_witchs_report_says_what_stands() -> None:
    table = m84.night()
    act(table, "poison", 5, 3)
    assert table.until("night")["seat:5"].endswith("\n你现在定的：骄慢王之美酒 → 3号 丙。")


def test_the_times_say_why_a_day_is_short_and_until_when_ballots_change() -> None:
    table = m84.day()
    assert "改票到 3月5日 20:00 为止" in SPEECH.times(table.public)
    for seat in range(1, 7):
        table.do(c.Petition, seat=seat, ask="speed_up")
    table.until("petition")
    times = SPEECH.times(table.public)
    assert "申请加速的够一半，所以加速。" in times and "改票到" not in times
    few = m84.day(accelerate_at_alive=12)
    assert "在世不超过 12 人，所以加速。" in SPEECH.times(few.public)
    free = m84.day(change_cutoff_minutes=0)
    assert "改票到" not in SPEECH.times(free.public)


def test_the_record_names_the_office_as_the_board_does() -> None:
    table = m84.night()
    record = "\n".join(SPEECH.log_line(event, table.game) for event in table.events)
    assert "当选神父" in record and "警长" not in record and "王座" not in record


# --- cards on request ----------------------------------------------------------------------------


def test_the_directors_table_and_todo() -> None:
    table = m84.night(1, 7)
    act(table, "faction_kill", 2, 10)
    act(table, "guard", 6, 9)
    table.do(c.Card, target=3, colour="red", reason="作弊")
    director = view.director_view(table.game)
    shown = SPEECH.director_table(director, table.public)
    assert "12号 丑：Archer，雾夜阵营，无，发言0\n孩子：1号 甲、7号 庚\n神父：9号 壬\n" in shown
    assert "3号 丙：齐格复制品，人造人阵营，红牌1张，发言0\n" in shown
    assert shown.endswith(
        "等着结算的红牌：3号 丙\n"
        "今晚已交：无能狂怒 人造人密谈→10号 癸、日轮啊，化为甲胄 6号 己→9号 壬"
    )
    todo = SPEECH.todo(director["owed"], table.public)
    assert "6号 己：梵天啊，覆盖大地（护 N），3月3日 22:00 前" in todo
    assert "5号 戊：膝枕（救 N），3月3日 22:30 前" in todo


def test_before_the_link_cupid_is_asked() -> None:
    table = m84.dealt()
    assert "恋 A B —— 柔软的慈爱（例：恋 1 2）" in helped(table, 12)
    assert "恋" not in helped(table, 1) + SPEECH.help("group", table.public, None, False)
    assert "柔软的慈爱（恋 A B），3月2日 11:00 前" in table.card(12)
    shown = SPEECH.director_table(view.director_view(table.game), table.public)
    assert "12号 丑：Archer，阵营未定，无，发言0" in shown


def helped(table: Table, seat: int, where: Any = "private") -> str:
    return SPEECH.help(where, table.public, view.seat_view(table.game, seat), False)


def all_told(table: Table, seat: int) -> str:
    return SPEECH.all_told(view.seat_view(table.game, seat), table.public)


def test_the_faction_that_holds_is_marked_among_all_that_one_was_told() -> None:
    table = m84.linked(1, 7)
    assert "你原来的阵营：人造人阵营\n" in all_told(table, 1)
    assert "\n你现在的阵营：雾夜阵营" in all_told(table, 1)
    assert "\n和你是一对孩子的：7号 庚" in all_told(table, 1)
    assert "\n你的阵营：红黑阵营" in all_told(table, 4)


def test_a_night_without_a_kill_by_order_is_told_as_one() -> None:
    table = m84.night()
    act(table, "faction_kill", 1, None)
    act(table, "guard", 6, 9)
    table.until("open")
    over = table.do(c.EndGame, by="d")["public"]
    assert "\n第1夜：无能狂怒 人造人密谈→空刀、日轮啊，化为甲胄 6号 己→9号 壬\n" in over


def test_help_is_about_here_and_now() -> None:
    table = m84.night()
    assert "刀 N / 空刀 —— 无能狂怒（例：刀 2）" in helped(table, 1)
    assert "守 N —— 日轮啊，化为甲胄（例：守 1）" in helped(table, 6)
    assert "放弃 —— " in helped(table, 6) and "放弃" not in helped(table, 9)
    # Of one's own orders only; of a single one there is nothing to choose.
    assert "（或只撤回一样，例：放弃 护）" in helped(table, 6)
    assert "放弃 —— 撤回今晚交的\n" in helped(table, 1) and "放弃" not in helped(table, 4)
    assert "验 N" in helped(table, 4) and "验 N" not in helped(table, 5)
    group = SPEECH.help("group", table.public, None, False)
    assert not re.search("刀 N|守 N|验 N|加速", group)
    act(table, "faction_kill", 1, 9)
    act(table, "inspect", 4, 1)
    assert "验 N" not in helped(table, 4), "once a night"
    act(table, "guard", 6, 9)
    assert "守 N" in helped(table, 6), "may be changed"
    act(table, "guard", 6, 10)
    table.until("night")
    assert "刀 N" not in helped(table, 1) and "守 N" not in helped(table, 6)
    assert "救 N" in helped(table, 5) and "毒 N" in helped(table, 5)
    table.until("witch")
    assert "毒 N" not in helped(table, 5)
    for _ in range(2):
        assert "继任 N N" in helped(table, 9) and "遗言 内容" in helped(table, 9)
        table.do(c.NameHeirs, seat=9, heirs=[10])
        table.do(c.LastWords, seat=9, text="我是好人")
    assert "继任 N N" not in helped(table, 10) and "遗言 内容" not in helped(table, 10)
    table.until("open")
    assert "加速 / 延时 / 撤回申请" in SPEECH.help("group", table.public, None, False)
    assert "加速 / 延时 / 撤回申请" in helped(table, 10)
    director = SPEECH.help("directors", table.public, None, True)
    assert "蓝牌 N 理由" in director and "判负 阵营 理由" in director and "警告 N" not in director


def test_the_status_by_day() -> None:
    table = m84.day(sheriff=9)
    table.do(c.RuleOut, target=10, reason="场外")
    assert SPEECH.status(table.public) == (
        "【第7局 · M84『埃尔梅罗二世事件簿』】第2天\n今天全员投票，得票最多的出局。\n神父：9号 壬\n"
        "在世 11 人：1号 甲、2号 乙、3号 丙、4号 丁、5号 戊、6号 己、7号 庚、8号 辛、9号 壬、"
        "11号 子、12号 丑\n出局 1 人：10号 癸（主持判出局）\n"
        "接下来：3月4日 18:00 看加速延时申请、3月5日 21:00 截票"
    )


@pytest.mark.parametrize(
    ("parameter", "value", "shown"),
    [
        ("open", "09:30", "一天从 09:30 开楼"),
        ("close", "20:15", "的 20:15 截票"),
        ("day_length", 3, "到第 3 个日历日"),
        (
            "holidays",
            ["2027-01-01", "2027-01-02", "2027-02-05"],
            "2027年1月1日～2027年1月2日、2027",
        ),
        ("accelerate_at_alive", 7, "不超过 7 人"),
        ("petition_lead_minutes", 120, "前 2小时 看当天的申请"),
        ("setup_minutes", 90, "在 1小时30分钟 内选两个人"),
        ("link_self", False, "不能选自己。"),
        ("sheriff_weight", "2", "神父的一票算 2 票"),
        ("heir_minutes", 15, "截票时出局的 15分钟 内"),
        ("night_minutes", 45, "入夜后 45分钟 内"),
        ("witch_minutes", 20, "再过 20分钟 结算"),
        ("change_cutoff_minutes", 25, "截票前 25分钟 起不能改"),
        ("drop_ballots_of_out", True, "投完票自己先出局了，票不算。"),
        ("posts_min", 6, "至少在群里发言 6 条"),
        ("posts_streak", 12, "都不足 12 条"),
        ("posts_streak_days", 4, "连续 4 天"),
        ("cards_merge", 4, "4 张蓝牌合成一张黄牌"),
        ("red_cards_lose", 3, "累计 3 张红牌就判负"),
        ("charmed_sounds", "喵汪", "只能发这些声音：喵汪，"),
        ("charmed_marks", "，！", "空格和 ，！，"),
        ("last_words", 2, "最先出局的 2 人"),
        ("show_roles_of", ["seer"], "只公布：死灵魔术师。"),
        (
            "victory_order",
            ["lovers", "piper", "town", "wolves"],
            "按这个先后：雾夜阵营、裁判阵营、红黑阵营、人造人阵营。",
        ),
        (
            "night_steps",
            ["poison", "kill", "victory", "charm", "red_cards"],
            "结算的先后：毒、杀、吹、夜里的红牌。",
        ),
        ("werewolf", 2, "齐格复制品（人造人阵营）：2 人"),
    ],
)
def test_the_rules_are_those_of_the_sheet(parameter: str, value: Any, shown: str) -> None:
    more = {"villager": 5} if parameter == "werewolf" else {}
    assert shown not in SPEECH.rules(SHEET)
    assert shown in SPEECH.rules(SHEET.with_parameters({parameter: value, **more}))


# --- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(24))
def test_at_random_each_text_follows_from_what_its_audience_may_know(seed: int) -> None:
    # Checked at every step by Table.keeps_secrets.
    table = m84.random_play(seed)
    assert len(table.events) > 80


def test_no_public_text_names_a_role_before_the_end() -> None:
    names = "|".join(SPEECH.roles(SHEET).values())
    for seed in range(8):
        table = m84.random_play(seed)
        for message in table.said:
            if message.audience == "public" and "【游戏结束】" not in message.text:
                assert not re.search(names, message.text.replace("身份：裁判。", ""))


def test_every_example_can_be_typed() -> None:
    roll = words.Roll((n, f"a{n}", name) for n, name in enumerate(NAMES, 1))
    seen = set()
    for table in [*m84.whole_games(), *m84.more_games()]:
        shown = [m.text for m in table.said]
        shown += [helped(table, seat) for seat in table.game.seats]
        for example in re.findall(r"例：([^）]+)", "\n".join(shown)):
            if re.fullmatch(r"喵喵？汪！", example):
                continue  # what the charmed may say, no command
            assert words.understand(words.read(example), roll) is not None, example
            seen.add(example.split()[0])
    assert seen >= {"刀", "守", "护", "救", "毒", "验", "吹", "恋", "解体", "继任", "遗言", "投票"}


def test_every_refusal_shows_what_can_be_typed() -> None:
    table = m84.night()
    roll = words.Roll((n, f"a{n}", name) for n, name in enumerate(NAMES, 1))
    for ability in ("guard", "save", "inspect", "charm", "faction_kill", "lovers_kill"):
        shown = table.refusal(c.Act, seat=9, ability=ability, target=1)
        assert shown.endswith("例：帮助")
        shown = table.refusal(c.Act, seat=6, ability="guard", target=99)
        example = shown.rpartition("例：")[2]
        assert words.understand(words.read(example), roll) is not None
        assert example == "守 1"


def test_nobody_is_told_in_a_reply_what_another_did() -> None:
    table = m84.night()
    act(table, "faction_kill", 1, 10)
    command = c.Act(at=table.at, seat=6, ability="guard", target=10)
    table.handle(command)
    assert SPEECH.reply(table.game, command, table.last) == ""
    events: list[ev.Event] = table.last
    assert {event.audience for event in events} == {"seat:6"}


PAIRS = 80


Seen = dict[datetime, tuple[list[str], list[str]]]


def seen(before: Game, batches: list[list[ev.Event]], number: int) -> Seen:
    """What a seat is told, and what every card shows it, moment by moment, until the end."""
    game = copy.deepcopy(before)
    told: dict[datetime, list[str]] = {}
    cards: dict[datetime, list[str]] = {}
    for batch in batches:
        for event in batch:
            game.apply(event)
        if game.phase == "over":
            break  # then all is published
        own = {"public", f"seat:{number}"}
        own |= {f"channel:{key}" for key in game.channels if number in game.members(key)}
        at = batch[-1].at
        messages = SPEECH.events(game, batch)
        told.setdefault(at, []).extend(m.text for m in messages if m.audience in own)
        cards[at] = shown(game, number)
    return {at: (texts, cards[at]) for at, texts in told.items()}


def shown(game: Game, number: int) -> list[str]:
    """Every card that a seat can call up."""
    public, own = view.public_view(game), view.seat_view(game, number)
    makers = (SPEECH.status, SPEECH.times, SPEECH.roster, SPEECH.tally)
    texts = [make(public) for make in makers]
    texts += [SPEECH.help(where, public, own, False) for where in ("private", "channel")]
    texts.append(SPEECH.help("group", public, None, False))
    return [*texts, SPEECH.role_card(own, public), SPEECH.all_told(own, public)]


def test_texts_and_cards_are_the_same_where_only_what_is_hidden_differs() -> None:
    moments = 0
    for seed, pair in enumerate(pairs.pairs(PAIRS)):
        begun = [copy.deepcopy(table.game) for table in pair.tables]
        batches = [pairs.go_on(pair, which, seed)[1] for which in (0, 1)]
        others = sorted(set(pairs.SEATS) - pair.parties)
        for number in Random(seed).sample(others, 2):
            one, other = (seen(begun[n], batches[n], number) for n in (0, 1))
            for at in one.keys() & other.keys():
                assert one[at] == other[at], (pair.matter, seed, number, at)
                moments += 1
            # What only one of the two games went through, nobody else may hear of.
            for at in one.keys() ^ other.keys():
                assert (one.get(at) or other[at])[0] == [], (pair.matter, seed, number, at)
    assert moments > PAIRS * 4
