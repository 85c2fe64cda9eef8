"""What the bot says in games on the classic boards, and to whom."""

from __future__ import annotations

import pytest

from engine import commands as c
from engine import events as ev
from engine import view
from engine.ruleset import Sheet
from tests.data import classic
from tests.data.classic import act, day, dealt, elected, ready, votes
from tests.data.table import SHEETS, SPEECH, Table


def said_to(table: Table, audience: str) -> str:
    return "\n".join(m.text for m in table.said if m.audience == audience)


def private(table: Table, seat: int) -> str:
    return SPEECH.help("private", table.public, view.seat_view(table.game, seat), False)


def cards(table: Table) -> str:
    """All that anybody can call up."""
    makers = (SPEECH.status, SPEECH.times, SPEECH.roster, SPEECH.tally)
    texts = [make(table.public) for make in makers]
    return "\n".join([*texts, SPEECH.help("group", table.public, None, False)])


@pytest.mark.parametrize("key", classic.BOARDS)
def test_a_game_of_every_board_speaks_to_its_end(key: str) -> None:
    # Table.keeps_secrets looks at the audience of every text.
    table = classic.plain_game(key)
    assert table.game.phase == "over"
    assert "【游戏结束】" in said_to(table, "public")
    for number, seat in table.game.seats.items():
        assert f"身份：{SPEECH.roles(table.game.sheet)[seat.role]}" in said_to(
            table, f"seat:{number}"
        )
    for event in table.events:
        assert SPEECH.log_line(event, table.game)


# --- the night -----------------------------------------------------------------------------------


def test_everybody_is_told_to_say_that_he_is_ready() -> None:
    table = dealt()
    assert said_to(table, "public").endswith(
        "【首夜】\n天黑了。10:03:00 前，有技能的请私聊我（能发什么，私聊我发「帮助」），"
        "可以改，也可以放弃。之后还有一段，到 10:04:00 天亮。\n"
        "有没有技能，在世的都请在夜里每一段私聊我发一次「过」（例：过）；"
        "都过了就提前往下走，没人过也会到点。"
    )
    assert "有没有技能都请私聊我发一次「过」" in said_to(table, "seat:12")
    assert "过 ——" in private(table, 12)
    assert "计到的发言" not in table.card(12) and "「过」" in table.card(12)
    assert table.reply(c.Ready, seat=12) == ""
    assert table.said[-1].audience == "seat:12" and "在世的都过了就提前" in table.said[-1].text
    assert "过 ——" not in private(table, 12)
    assert table.refusal(c.Ready, seat=12).startswith("这一段你已经过了")


def test_the_last_one_ready_is_told_that_it_goes_on() -> None:
    table = dealt()
    ready(table)
    texts = {m.audience: m.text for m in table.said[-3:]}
    assert texts["seat:12"] == "记下了，在世的都过了，这就往下走。"
    assert texts["public"].startswith("夜里后一段开始，到 10:01:00 天亮。")


def test_at_a_fixed_pace_nobody_is_asked_for_it() -> None:
    table = dealt(pace="fixed")
    assert "「过」" not in "".join(message.text for message in table.said)
    assert table.refusal(c.Ready, seat=12).startswith("这一局夜里一律等到点")


def test_the_guard_is_told_what_the_sheet_has() -> None:
    assert "不能连着两夜守同一个人" in said_to(dealt(), "seat:8")
    assert "同一个人可以一直守" in said_to(dealt(guard_again="always"), "seat:8")
    table = dealt()
    act(table, "guard", 8, 5)
    ready(table)
    ready(table)
    table.until("candidacy")
    votes(table, None)
    refused = table.refusal(c.Act, seat=8, ability="guard", target=5)
    assert refused.startswith("你昨夜对 5号 戊 用过，不能接着用")


# --- going out -----------------------------------------------------------------------------------


def test_the_dawn_names_the_seats_and_tells_no_cause() -> None:
    table = dealt()
    act(table, "faction_kill", 1, 12)
    act(table, "poison", 6, 3)
    ready(table)
    ready(table)
    public = said_to(table, "public")
    assert "从上次开楼到现在出局的（按座位号）：3号 丙、12号 丑。" in public
    assert "被毒" not in public and "被杀" not in public and "村民" not in public
    assert "昨夜平安" in said_to(day(), "public")


def test_a_right_to_shoot_is_nobody_elses_business() -> None:
    table = day(7)
    own = said_to(table, "seat:7")
    assert "你可以开枪带走一名在世的玩家：10:01:00 前" in own
    assert "开枪 N ——" in private(table, 7) and "开枪 N ——" not in private(table, 8)
    others = [m.text for m in table.said if m.audience != "seat:7"]
    assert not any("开枪" in text for text in others) and "开枪" not in cards(table)
    silent = len(table.said)
    table.until("shot", late=600)
    assert not any(m.audience == "public" for m in table.said[silent:])
    assert "开枪" not in cards(table)
    shot = day(7).do(c.Shoot, seat=7, target=1)["public"]
    assert shot == "7号 庚 开枪，带走 1号 甲。\n1号 甲 出局（被猎人带走）。"


def test_the_poisoned_hunter_is_told_of_no_shot() -> None:
    table = dealt()
    act(table, "poison", 6, 7)
    ready(table)
    ready(table)
    assert "开枪带走一名" not in said_to(table, "seat:7")
    assert table.refusal(c.Shoot, seat=7, target=1).startswith("你现在不能这样做")


def test_a_shot_waits_for_the_dawn() -> None:
    table = dealt()
    act(table, "faction_kill", 1, 7)
    table.do(c.SettleNight)
    assert "天亮公布你出局以后，你有 1分钟 可以开枪" in said_to(table, "seat:7")
    assert "天亮公布你出局以后，你可以留遗言" in said_to(table, "seat:7")
    assert table.refusal(c.Shoot, seat=7, target=1).startswith("天亮公布你出局以后")


def test_last_words_are_published_at_once() -> None:
    table = day(12)
    reply = table.reply(c.LastWords, seat=12, text="我是民")
    assert reply == "好，已在群里公布：\n12号 丑 的遗言：我是民"
    assert table.said[-1].text == "12号 丑 的遗言：我是民"
    assert table.refusal(c.LastWords, seat=12, text="再说").startswith("你现在没有留遗言的机会")


def test_an_idiot_shows_his_card() -> None:
    table = dealt("seer-witch-hunter-idiot")
    ready(table)
    ready(table)
    table.until("candidacy")
    votes(table, 8)
    public = said_to(table, "public")
    assert "得票最多：8号 辛。\n8号 辛 翻牌：他是白痴，不出局，以后没有投票权" in public
    assert "翻过牌、没有票的：8号 辛" in SPEECH.status(table.public)
    ready(table)
    ready(table)
    assert table.refusal(c.Vote, seat=8, target=1).startswith("你翻过牌")
    assert table.refusal(c.Vote, seat=1, target=8).startswith("8号 辛 翻过牌，不能再投给他")


def test_a_wolf_gives_itself_up() -> None:
    table = day()
    assert "自爆 ——" in private(table, 1) and "自爆" not in private(table, 5)
    assert "自爆" not in cards(table)
    public = table.do(c.Explode, seat=1)["public"]
    assert "1号 甲 自爆！白天立刻结束，不计票。\n竞选到此为止，这一局没有警长。" in public
    later = elected().do(c.Explode, seat=1)["public"]
    assert "自爆！" in later and "竞选" not in later


# --- the sheriff ---------------------------------------------------------------------------------


def test_an_election_of_the_sheriff() -> None:
    table = day()
    assert "想当的请在 10:03:00 前发「上警」" in said_to(table, "public")
    assert "上警 / 退水" in SPEECH.help("group", table.public, None, False)
    for seat in (5, 7, 3):
        table.do(c.Stand, seat=seat)
    assert "参选：5号 戊、7号 庚、3号 丙" in SPEECH.status(table.public)
    assert table.do(c.StandDown, seat=3) == {"public": "3号 丙 退水，不再参选。"}
    assert table.refusal(c.Vote, seat=6, target=5).startswith("现在不投票")
    table.until("candidacy")
    assert "参选的：5号 戊、7号 庚。没上过警的请在 10:04:00 前投票选警长" in table.said[-1].text
    assert "（例：投票 5 说话最公道）" in table.said[-1].text
    assert table.refusal(c.Vote, seat=3, target=5).startswith("这一次你不投")
    wrong = table.refusal(c.Vote, seat=6, target=1)
    assert wrong.startswith("1号 甲 没有参选。")
    reply = table.reply(c.Vote, seat=6, target=5)
    assert (
        "还能改一次：发「改票 N」（例：改票 7），再发一次「投票」也算；10:04:00 起不能再改。"
        in reply
    )
    table.do(c.Vote, seat=8, target=7)
    tied = table.until("election")["public"]
    assert "平票：5号 戊、7号 庚。没上过警的请在 10:05:00 前再投一次" in tied
    assert "票数决不出" not in tied
    table.do(c.Vote, seat=8, target=7)
    took = table.until("election")["public"]
    assert "7号 庚 当选警长，以后投票一票算 1.5 票。\n现在讨论并投票" in took
    assert "10:13:00 截票" in took and "没投票不罚。" in took


def test_only_one_stands_or_nobody() -> None:
    assert "只有 9号 壬 参选，当选警长" in said_to(elected(), "public")
    table = day()
    assert "没有人当选，这一局没有警长。" in table.until("candidacy")["public"]


def test_the_badge_is_handed_on_or_torn() -> None:
    for heirs, end in (([2], "2号 乙 继任警长。"), ([], "警徽没有移交，从此没有警长。")):
        table = elected(1)
        votes(table, 1)
        assert "警长之位空着，10:04:00 前由他移交警徽，或撕掉" in said_to(table, "public")
        assert "不给谁就发「撕警徽」" in said_to(table, "seat:1")
        assert "撕警徽" in private(table, 1) and "撕警徽" not in private(table, 2)
        assert table.reply(c.NameHeirs, seat=1, heirs=heirs) == ""
        assert table.said[-1].audience == "seat:1"
        assert ("不移交" in table.said[-1].text) is (not heirs)
        assert table.until("heir")["public"] == end


# --- the vote ------------------------------------------------------------------------------------


def test_a_tie_is_voted_on_again() -> None:
    table = dealt("six")
    ready(table)
    for voter, target in ((1, 5), (2, 5), (3, 1), (4, 1), (5, None)):
        table.do(c.Vote, seat=voter, target=target)
    reply = table.reply(c.Vote, seat=6, target=None)
    assert "改" not in reply  # the count is over
    tied = table.said[-1].text
    assert "平票：1号 甲、5号 戊。他们以外的人请在 10:01:00 前再投一次" in tied
    assert "票数决不出" not in tied and "结束" not in tied
    assert "只能在这几个人里再投：1号 甲、5号 戊" in SPEECH.status(table.public)
    assert table.refusal(c.Vote, seat=1, target=5).startswith("这一次你不投")
    wrong = table.refusal(c.Vote, seat=6, target=2)
    assert wrong == "平票再投，只能投：1号 甲、5号 戊。\n例：投票 1 发言前后矛盾"
    assert "例：投票 1 发言" in SPEECH.help("group", table.public, None, False)
    votes(table, 1)
    assert "1号 甲 出局（" in said_to(table, "public")


def test_an_early_count_follows_the_last_ballot() -> None:
    table = dealt("mafia")
    votes(table, None)
    last = next(m.text for m in reversed(table.said) if m.audience == "public")
    assert last.startswith("5号 戊 弃权。\n\n【第1天 · 结束】\n【票型】")


# --- piper and lovers ----------------------------------------------------------------------------


def test_who_is_charmed_may_speak() -> None:
    table = dealt("lovers-piper")
    table.do(c.Link, seat=12, first=7, second=8)
    act(table, "charm", 11, 9)
    table.until("open")
    assert "新进入迷惑状态：9号 壬。他们说话、投票都照常。" in said_to(table, "public")
    assert "你进入了迷惑状态，说话、投票都照常。" in said_to(table, "seat:9")
    assert "声音" not in SPEECH.rules(table.game.sheet)


# --- directors and the rules ---------------------------------------------------------------------


def test_directors_get_the_words_of_the_board() -> None:
    table = dealt()
    shown = SPEECH.help("directors", table.public, None, True)
    assert "绑定 密谈 局号" in shown and "黄牌" not in shown and "加水" not in shown
    cards_shown = SPEECH.director_table(view.director_view(table.game), table.public)
    assert "发言" not in cards_shown and "7号 庚：猎人，好人阵营" in cards_shown
    assert "：过（不交也行）" in SPEECH.todo(view.owed(table.game), table.public)


def test_a_shot_is_in_the_directors_record() -> None:
    table = day(7)
    lines = [SPEECH.log_line(event, table.game) for event in table.events]
    assert any(line.endswith("7号 庚 可以开枪 [C-14]") for line in lines)
    given = ev.ShotLapsed(at=table.at, seat=7, clause="C-14")
    assert SPEECH.log_line(given, table.game).endswith("7号 庚 没有开枪 [C-14]")


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("seer-witch-hunter-guard", "没参选过的人在 1分钟 内投票"),
        ("seer-witch-hunter-guard", "又守又救反而出局。"),
        ("seer-witch-hunter-guard", "可以开枪带走一个人：夜里被杀、被投票出局。"),
        ("seer-witch-hunter-idiot", "白痴：被投票出局时翻牌"),
        ("nine", "过：夜里的每一段"),
        ("six", "夜：入夜后 3分钟 内交技能，可以改，可以放弃，到点结算。"),
        ("lovers-piper", "自己一方和情侣以外，在世的都在迷惑状态"),
        ("mafia", "发完身份先过白天。"),
        ("mafia", "，只限：投票出局的；公布出局后私聊我"),
        ("eight", "平票的话，他们以外的人在 1分钟 内再投一次"),
    ],
)
def test_the_rules_say_how_the_board_is_played(key: str, shown: str) -> None:
    assert shown in SPEECH.rules(SHEETS[key])


def test_the_rules_speak_of_nothing_that_the_board_has_not() -> None:
    without = {
        "six": ("救", "红牌", "毒"),
        "mafia": ("守", "救", "红牌", "警长"),
        "nine": ("守住", "红牌"),
        "lovers-piper": ("护住", "红牌", "警长"),
        "m84": ("开枪", "自爆"),
    }
    for board, words in without.items():
        for word in words:
            assert word not in SPEECH.rules(SHEETS[board]), (board, word)
    assert "被盯上的人救下就没事" in SPEECH.rules(SHEETS["nine"])
    assert "被盯上的人守住就没事" in SPEECH.rules(SHEETS["six"])
    assert "红牌出局、主持判出局的除外" in SPEECH.rules(SHEETS["m84"])


def test_a_sheet_without_clauses_says_so() -> None:
    nine = SHEETS["nine"]
    assert "条款号" not in SPEECH.rules(nine)
    assert "没有写条款号" in SPEECH.rules(Sheet.load({**nine.dump(), "clauses": {}}))


def test_the_witch_is_not_reminded_with_her_report() -> None:
    table = dealt(pace="fixed")
    act(table, "faction_kill", 1, 9)
    said = len(table.said)
    table.until("night")
    table.before("witch", 0)
    mine = [m.text for m in table.said[said:] if m.audience == "seat:6"]
    assert len(mine) == 1 and "还能用" in mine[0]
    slow = dealt(pace="fixed", witch_minutes=2)
    act(slow, "faction_kill", 1, 9)
    slow.until("night")
    said = len(slow.said)
    slow.before("witch", 1)
    assert any("提醒" in m.text for m in slow.said[said:] if m.audience == "seat:6")


def test_one_heir_is_named_alone() -> None:
    table = elected(1)
    votes(table, 1)
    table.reply(c.NameHeirs, seat=1, heirs=[2])
    assert "警长由 2号 乙 继任，到时他不在世的话就没有警长" in table.said[-1].text
    table.reply(c.NameHeirs, seat=1, heirs=[2, 3])
    assert "按这个先后继任" in table.said[-1].text


def test_a_lover_who_follows_a_vote_is_announced_with_the_other() -> None:
    for when, both in (("at_once", True), ("opening", False)):
        table = dealt("lovers-piper", follower_announced=when)
        table.do(c.Link, seat=12, first=7, second=8)
        table.until("open")
        votes(table, 7)
        assert "7号" in said_to(table, "public")
        assert ("8号 辛 出局（殉情）" in said_to(table, "public")) is both
        assert "你出局了" in said_to(table, "seat:8")


def test_a_piper_without_lovers_is_told_of_none() -> None:
    rules = next(r for r in map(SPEECH.rules, classic.variants()) if "吹笛者阵营获胜" in r)
    assert "自己一方以外，在世的都在迷惑状态；或者村民，在世的都在迷惑状态。" in rules
    assert "情侣" not in rules and "护住" not in rules


def test_a_director_ends_what_waits() -> None:
    """What ends is named as the clock names it; nobody reads of a night or of votes."""
    pair = dealt("lovers-piper")
    said = pair.do(c.SettleNight)["public"]
    assert said.startswith("主持把牵线截止提前到现在，没定的抽签。")
    stand = day()
    for seat in (5, 7):
        stand.do(c.Stand, seat=seat)
    assert stand.do(c.CloseDay)["public"].startswith("主持把参选截止提前到现在。")
    longer = stand.do(c.Extend, minutes=5)["public"]
    assert longer.startswith("主持把警长投票截止推后 5分钟") and "接下来：" in longer
    assert stand.do(c.CloseDay)["public"].startswith("主持提前截票。")
